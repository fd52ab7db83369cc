//! Checks of the data that readers accept from fuzzed files: above all, data that are written and
//! read again are unchanged.

use std::collections::HashSet;

use partita_core::{GroundTruth, QueryTruth, Ranking, Run, ZeroGainPolicy};
use partita_formats::campaign::recorded_votes;
use partita_formats::preferences;
use partita_formats::run::{self, RunFormat, TieBreaking};
use partita_formats::truth::{self, TruthFormat};
use partita_formats::{FormatError, Source, Warning};
use partita_named::NamedEnum;

/// Name of each query, with the names of the items of each of its groups, best group first.
pub(crate) type Lists = Vec<(String, Vec<Vec<String>>)>;

/// Name of each query, with the name and the grade of each of its items.
type Grades = Vec<(String, Vec<(String, f64)>)>;

/// Returns the groups of every query of a ground truth.
pub(crate) fn truth_lists(truth: &GroundTruth) -> Lists {
    let list = |judged: &QueryTruth| {
        let name = |&item| judged.names().name(item).to_owned();
        let groups = judged.list().groups();
        groups
            .map(|group| group.iter().map(name).collect())
            .collect()
    };
    let queries = truth.iter();
    queries
        .map(|(query, judged)| (query.to_owned(), list(judged)))
        .collect()
}

/// Returns the grades of every query of a ground truth, without queries that have none.
fn grades(truth: &GroundTruth) -> Grades {
    let graded = |judged: &QueryTruth| {
        let gains = judged.gains().iter();
        gains
            .map(|(item, gain)| (judged.names().name(item).to_owned(), gain))
            .collect()
    };
    let queries = truth
        .iter()
        .map(|(query, judged)| (query.to_owned(), graded(judged)));
    queries
        .filter(|(_, items): &(_, Vec<_>)| !items.is_empty())
        .collect()
}

/// Reads a fuzzed file as a ground truth and checks the result. Returns the ground truth if the
/// file was accepted.
pub(crate) fn check_truth(
    source: &Source,
    options: &truth::TruthReadOptions,
) -> Option<GroundTruth> {
    let file = match truth::read(source, options) {
        Ok(file) => file,
        Err(error) => {
            check_error(&error, source.name());
            return None;
        }
    };
    check_warnings(&file.warnings, source.name());
    if let Some(asked) = options.format {
        let grades = asked == TruthFormat::Json && file.format == TruthFormat::QrelsJson;
        assert!(file.format == asked || grades);
    }
    let truth = file.truth;
    assert!(!truth.is_empty(), "a truth without queries was accepted");
    for (query, judged) in truth.iter() {
        let items: HashSet<_> = judged.list().items().iter().collect();
        assert_eq!(items.len(), judged.list().len(), "an item twice in {query}");
        assert!(judged.list().groups().all(|group| !group.is_empty()));
        assert!(judged.gains().iter().all(|(_, gain)| gain.is_finite()));
    }
    for &format in TruthFormat::VARIANTS {
        check_truth_round_trip(&truth, format, options.zero);
    }
    Some(truth)
}

/// Checks that a ground truth is unchanged when it is written in a format and read again. Returns
/// `false` if the writer refuses it, because the format cannot represent it.
pub(crate) fn check_truth_round_trip(
    truth: &GroundTruth,
    format: TruthFormat,
    zero: ZeroGainPolicy,
) -> bool {
    let text = match truth::write(truth, format) {
        Ok(text) => text,
        Err(error) => {
            let json = matches!(format, TruthFormat::Json | TruthFormat::QrelsJson);
            assert!(!json, "JSON holds every name: {error}");
            check_error(&error, format.name());
            assert!(error.remedy.is_some(), "{error} has no remedy");
            return false;
        }
    };
    let by_row = matches!(
        format,
        TruthFormat::Groups | TruthFormat::Qrels | TruthFormat::Gains
    );
    let graded = by_row && format != TruthFormat::Groups || format == TruthFormat::QrelsJson;
    let mut expected = truth_lists(truth);
    if graded && by_row {
        let judged: HashSet<String> = grades(truth).into_iter().map(|(query, _)| query).collect();
        expected.retain(|(query, _)| judged.contains(query));
    } else if by_row {
        expected.retain(|(_, groups)| !groups.is_empty());
    }
    if expected.is_empty() {
        return true;
    }
    // In PrefLib's format the query is named by the stem of the file name.
    let name = match format {
        TruthFormat::Preflib => format!("{}.toc", expected[0].0),
        _ => "written".to_owned(),
    };
    let source = Source::from_bytes(name, text.as_bytes());
    let options = truth::TruthReadOptions {
        format: Some(format),
        zero,
        label: None,
    };
    let back = truth::read(&source, &options)
        .unwrap_or_else(|error| panic!("{format:?} is not read back: {error}\n{text}"));
    let mut found = truth_lists(&back.truth);
    if format == TruthFormat::Preflib {
        found[0].0.clone_from(&expected[0].0);
    }
    assert_eq!(found, expected, "{format:?}\n{text}");
    if graded {
        assert_eq!(grades(&back.truth), grades(truth), "{format:?}\n{text}");
    }
    true
}

/// Returns the groups of tied documents of every query of a run.
pub(crate) fn run_lists(run: &Run) -> Lists {
    let owned = |group: &Vec<&str>| group.iter().map(ToString::to_string).collect();
    run.queries()
        .map(|(query, groups)| (query.to_owned(), groups.iter().map(owned).collect()))
        .collect()
}

/// Reads a fuzzed file as runs and checks the result. Also reads it with only the documents that
/// `truth` judges, and checks that both results agree.
pub(crate) fn check_run(source: &Source, options: &run::RunReadOptions, truth: &GroundTruth) {
    let restricted = run::read_for_truth(source, truth, options);
    let complete = match run::read(source, options) {
        Ok(complete) => complete,
        Err(error) => {
            check_error(&error, source.name());
            // Reading only judged documents must not accept more files.
            let restricted =
                restricted.expect_err("read_for_truth accepts no file that read refuses");
            check_error(&restricted, source.name());
            return;
        }
    };
    check_warnings(&complete.warnings, source.name());
    let shares_query = |run: &Run| {
        let lists = run_lists(run);
        lists.is_empty()
            || lists
                .iter()
                .any(|(query, _)| truth.query_index(query).is_some())
    };
    let restricted = match restricted {
        Ok(restricted) => restricted,
        Err(error) => {
            assert!(
                !complete.runs.iter().all(shares_query),
                "refused although all runs share a query: {error}"
            );
            return check_error(&error, source.name());
        }
    };
    assert!(
        complete.runs.iter().all(shares_query),
        "accepted a run without a common query"
    );
    check_warnings(&restricted.warnings, source.name());
    assert_eq!(restricted.runs.len(), complete.runs.len());
    for (restricted, run) in restricted.runs.iter().zip(&complete.runs) {
        assert_eq!(restricted.system, run.name());
        let lists = run_lists(run);
        for (number, (query, judged)) in truth.iter().enumerate() {
            let list = lists.iter().find(|(name, _)| name == query);
            let expected = list.map(|(_, groups)| judged_ranking(judged, groups));
            assert_eq!(restricted.ranking(number), expected.as_ref(), "{query}");
        }
    }
    for &format in RunFormat::VARIANTS {
        check_run_round_trip(&complete.runs, format);
    }
}

/// Returns a ranking in which only the judged documents keep their names.
fn judged_ranking(judged: &QueryTruth, groups: &[Vec<String>]) -> Ranking {
    let groups = groups.iter().map(|group| group.iter().map(String::as_str));
    Ranking::from_name_groups(judged.names(), groups)
}

/// Checks that runs are unchanged when they are written in a format and read again. Returns `false`
/// if the writer refuses them, because the format cannot represent them.
pub(crate) fn check_run_round_trip(runs: &[Run], format: RunFormat) -> bool {
    let text = match run::write(runs, format) {
        Ok(text) => text,
        Err(error) => {
            let fits = format == RunFormat::Json && runs.len() == 1;
            assert!(!fits, "JSON holds every name: {error}");
            check_error(&error, format.name());
            assert!(error.remedy.is_some(), "{error} has no remedy");
            return false;
        }
    };
    let by_row = matches!(format, RunFormat::Trec | RunFormat::Systems);
    let named = |run: &Run| (run.name().to_owned(), run_lists(run));
    let mut expected: Vec<(String, Lists)> = runs.iter().map(named).collect();
    for (name, lists) in &mut expected {
        if by_row {
            lists.retain(|(_, groups)| !groups.is_empty());
        } else {
            *name = "written".to_owned();
        }
    }
    if by_row {
        expected.retain(|(_, lists)| !lists.is_empty());
    }
    if expected.iter().all(|(_, lists)| lists.is_empty()) {
        return true;
    }
    let options = run::RunReadOptions {
        format: Some(format),
        ties: TieBreaking::Average,
        ..Default::default()
    };
    let source = Source::from_bytes("written", text.as_bytes());
    let back = run::read(&source, &options)
        .unwrap_or_else(|error| panic!("{format:?} is not read back: {error}\n{text}"));
    let back: Vec<(String, Lists)> = back.runs.iter().map(named).collect();
    assert_eq!(back, expected, "{format:?}\n{text}");
    true
}

/// Reads a fuzzed file as preferences and checks the result.
pub(crate) fn check_preferences(source: &Source, options: &preferences::PreferencesReadOptions) {
    let file = match preferences::read(source, options) {
        Ok(file) => file,
        Err(error) => return check_error(&error, source.name()),
    };
    check_warnings(&file.warnings, source.name());
    let answers = &file.preferences;
    assert!(!answers.is_empty(), "a file without answers was accepted");
    assert!(answers.batches() <= file.batches.len());
    assert_eq!(file.backgrounds.len(), answers.assessors().len());
    assert_eq!(file.clips.len(), answers.queries().len());
    let rows: usize = file.batches.iter().map(|batch| batch.rows).sum();
    let blanks: usize = file.batches.iter().map(|batch| batch.blanks).sum();
    assert!(answers.len() + blanks <= rows, "answers from nowhere");
    for (query, clips) in answers.queries().iter().zip(&file.clips) {
        assert_eq!(query.votes().len(), clips.len());
        let mut asked = HashSet::new();
        for given in query.votes() {
            assert_ne!(given.a, given.b, "an item against itself");
            let pair = (given.a.min(given.b), given.a.max(given.b), given.assessor);
            assert!(asked.insert(pair), "somebody answered twice");
            assert!(given.seconds.is_none_or(|s| s.is_finite() && s >= 0.0));
        }
    }
    for batch in &file.batches {
        if let (Some(first), Some(last)) = (batch.first_answered_at, batch.last_answered_at) {
            assert!(first <= last);
        }
    }
}

/// Reads a fuzzed file as recorded votes and checks the result.
pub(crate) fn check_recorded_votes(source: &Source) {
    let file = match recorded_votes::read(source) {
        Ok(file) => file,
        Err(error) => return check_error(&error, source.name()),
    };
    check_warnings(&file.warnings, source.name());
    assert!(!file.pairs.is_empty(), "a file without pairs was accepted");
    for (a, b, votes) in &file.pairs {
        assert_ne!(a, b, "an item against itself");
        assert!([a, b].iter().all(|item| item.index() < file.items.len()));
        assert!(votes.iter().all(|vote| vote.is_finite()));
    }
}

/// Checks that an error names its file and has a message and a valid position.
pub(crate) fn check_error(error: &FormatError, file: &str) {
    let error_text = error.to_string();
    assert!(
        error_text.starts_with(&format!("{file}:")),
        "{error_text:?}"
    );
    assert!(!error.message.trim().is_empty(), "{error_text:?}");
    assert!(
        error.line != Some(0) && error.column != Some(0),
        "{error_text:?}"
    );
    assert!(
        error.column.is_none() || error.line.is_some(),
        "{error_text:?}"
    );
}

/// Checks that warnings name their file and have a message and a valid position.
pub(crate) fn check_warnings(warnings: &[Warning], file: &str) {
    for warning in warnings {
        assert_eq!(warning.file, file);
        assert!(warning.line != Some(0), "{warning}");
        assert!(!warning.message.is_empty());
    }
}

//! What must hold of everything that a reader accepts: it can be written, and what was written
//! reads back as the same.

use std::collections::HashSet;

use partita_core::{GroundTruth, QueryTruth, Ranking, Run, ZeroGainPolicy};
use partita_formats::campaign::recorded_votes;
use partita_formats::preferences;
use partita_formats::run::{self, RunFormat, TieBreaking};
use partita_formats::truth::{self, TruthFormat};
use partita_formats::{FormatError, Source, Warning};
use partita_named::NamedEnum;

/// A query with its groups of names, best first.
pub(crate) type Lists = Vec<(String, Vec<Vec<String>>)>;

/// Queries with the names and grades of their items.
type Grades = Vec<(String, Vec<(String, f64)>)>;

/// The lists of a ground truth.
pub(crate) fn lists(truth: &GroundTruth) -> Lists {
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

/// The grades of a ground truth, without queries for which nothing is judged.
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

/// Checks what the reader of truths made of a file. Gives back what was read.
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
        truth_survives(&truth, format, options.zero);
    }
    Some(truth)
}

/// Checks that a truth reads back as the same from a format, or is refused by its writer.
/// Says whether the format could hold it.
pub(crate) fn truth_survives(
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
            assert!(error.remedy.is_some(), "{error} leaves no way out");
            return false;
        }
    };
    let by_row = matches!(
        format,
        TruthFormat::Groups | TruthFormat::Qrels | TruthFormat::Gains
    );
    let graded = by_row && format != TruthFormat::Groups || format == TruthFormat::QrelsJson;
    let mut expected = lists(truth);
    if graded && by_row {
        let judged: HashSet<String> = grades(truth).into_iter().map(|(query, _)| query).collect();
        expected.retain(|(query, _)| judged.contains(query));
    } else if by_row {
        expected.retain(|(_, groups)| !groups.is_empty());
    }
    if expected.is_empty() {
        return true;
    }
    // The query of a PrefLib file is its stem.
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
    let mut found = lists(&back.truth);
    if format == TruthFormat::Preflib {
        found[0].0.clone_from(&expected[0].0);
    }
    assert_eq!(found, expected, "{format:?}\n{text}");
    if graded {
        assert_eq!(grades(&back.truth), grades(truth), "{format:?}\n{text}");
    }
    true
}

/// The groups of names of each query of a run.
pub(crate) fn lists_of_run(run: &Run) -> Lists {
    let owned = |group: &Vec<&str>| group.iter().map(ToString::to_string).collect();
    run.queries()
        .map(|(query, groups)| (query.to_owned(), groups.iter().map(owned).collect()))
        .collect()
}

/// Checks what the reader of runs made of a file, by itself and beside a truth.
pub(crate) fn check_run(source: &Source, options: &run::RunReadOptions, truth: &GroundTruth) {
    let closed = run::read_for_truth(source, truth, options);
    let open = match run::read(source, options) {
        Ok(open) => open,
        Err(error) => {
            check_error(&error, source.name());
            // Beside a truth, only what is scored is kept, but nothing more is taken.
            let closed = closed.expect_err("refused alone and accepted beside a truth");
            check_error(&closed, source.name());
            return;
        }
    };
    check_warnings(&open.warnings, source.name());
    let answers = |run: &Run| {
        let lists = lists_of_run(run);
        lists.is_empty()
            || lists
                .iter()
                .any(|(query, _)| truth.query_index(query).is_some())
    };
    let closed = match closed {
        Ok(closed) => closed,
        Err(error) => {
            assert!(
                !open.runs.iter().all(answers),
                "refused beside a truth: {error}"
            );
            return check_error(&error, source.name());
        }
    };
    assert!(
        open.runs.iter().all(answers),
        "nothing in common, and accepted"
    );
    check_warnings(&closed.warnings, source.name());
    assert_eq!(closed.runs.len(), open.runs.len());
    for (closed, run) in closed.runs.iter().zip(&open.runs) {
        assert_eq!(closed.system, run.name());
        let lists = lists_of_run(run);
        for (number, (query, judged)) in truth.iter().enumerate() {
            let list = lists.iter().find(|(name, _)| name == query);
            let expected = list.map(|(_, groups)| seen_from(judged, groups));
            assert_eq!(closed.ranking(number), expected.as_ref(), "{query}");
        }
    }
    for &format in RunFormat::VARIANTS {
        run_survives(&open.runs, format);
    }
}

/// A ranking as seen from judgments.
fn seen_from(judged: &QueryTruth, groups: &[Vec<String>]) -> Ranking {
    let groups = groups.iter().map(|group| group.iter().map(String::as_str));
    Ranking::from_name_groups(judged.names(), groups)
}

/// Checks that runs read back as the same from a format, or are refused by its writer. Says
/// whether the format could hold them.
pub(crate) fn run_survives(runs: &[Run], format: RunFormat) -> bool {
    let text = match run::write(runs, format) {
        Ok(text) => text,
        Err(error) => {
            let fits = format == RunFormat::Json && runs.len() == 1;
            assert!(!fits, "JSON holds every name: {error}");
            check_error(&error, format.name());
            assert!(error.remedy.is_some(), "{error} leaves no way out");
            return false;
        }
    };
    let by_row = matches!(format, RunFormat::Trec | RunFormat::Systems);
    let named = |run: &Run| (run.name().to_owned(), lists_of_run(run));
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

/// Checks what the reader of answers made of a file.
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

/// Checks what the reader of recorded votes made of a file.
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

/// Checks that an error names its file and says something.
pub(crate) fn check_error(error: &FormatError, file: &str) {
    let said = error.to_string();
    assert!(said.starts_with(&format!("{file}:")), "{said:?}");
    assert!(!error.message.trim().is_empty(), "{said:?}");
    assert!(error.line != Some(0) && error.column != Some(0), "{said:?}");
    assert!(error.column.is_none() || error.line.is_some(), "{said:?}");
}

/// Checks that warnings name their file and say something.
pub(crate) fn check_warnings(warnings: &[Warning], file: &str) {
    for warning in warnings {
        assert_eq!(warning.file, file);
        assert!(warning.line != Some(0), "{warning}");
        assert!(!warning.message.is_empty());
    }
}

//! Tests of reading runs in every format, and of the errors for invalid files.

use partita_core::{GroundTruth, Run};
use partita_formats::run::{
    self, RunFormat, RunOrder, RunReadOptions, ScorePrecision, TieBreaking,
};
use partita_formats::{Source, truth};
use partita_named::NamedEnum;
use proptest::prelude::*;

use crate::fuzz::checks::run_lists;

/// Groups of tied documents of each query and the warnings, or the message of the error.
type ReadResult = Result<(Vec<(String, Vec<Vec<String>>)>, Vec<String>), String>;

fn read(text: &str, options: &RunReadOptions) -> ReadResult {
    let all = run::read(&Source::from_bytes("r", text), options).map_err(|e| e.message)?;
    let warnings = all.warnings.iter().map(ToString::to_string).collect();
    Ok((run_lists(&all.runs[0]), warnings))
}

fn any_options() -> impl Strategy<Value = RunReadOptions> {
    let order = prop::sample::select(vec![RunOrder::Score, RunOrder::Rank, RunOrder::File]);
    let ties = prop::sample::select(vec![
        TieBreaking::Docno,
        TieBreaking::File,
        TieBreaking::Average,
    ]);
    (order, ties, any_precision()).prop_map(|(order, ties, score_precision)| RunReadOptions {
        format: Some(RunFormat::Trec),
        name: None,
        order,
        ties,
        score_precision,
    })
}

fn any_precision() -> impl Strategy<Value = ScorePrecision> {
    prop::sample::select(ScorePrecision::VARIANTS)
}

/// Strategy that generates the six words of a TREC line: few different queries and documents, so
/// that some repeat, and numbers in many notations.
fn trec_words() -> impl Strategy<Value = [String; 6]> {
    [
        "q[1-3]",
        "Q0",
        "d[0-9]|msmarco_passage_[0-9]{2}_[0-9]|[a-z]{30,70}",
        "[1-9]|[1-9][0-9]|[1-9][0-9]{0,9}|[1-9][0-9]{0,2}(\\.5)?|-?[0-9]\\.5|[1-9]x?",
        "[0-9]{1,3}\\.[0-9]{0,17}|-?[0-9]{1,9}|-[0-9]\\.[0-9]{15,17}|[0-9]\\.[0-9]e-[0-9]|0\\.0{8}[0-9]{8}",
        "tag|another_long_tag_of_a_run",
    ]
}

proptest! {
    /// Lines with single blanks are split by a fast parser, other lines by a general one.
    #[test]
    fn fast_and_general_line_parsers_agree(
        lines in prop::collection::vec(trec_words(), 1..40),
        options in any_options(),
    ) {
        let with = |between: &str, end: &str| -> String {
            lines.iter().map(|words| words.join(between) + end).collect()
        };
        let general = read(&with(" \t", "\n"), &options);
        prop_assert_eq!(&read(&with(" ", "\n"), &options), &general);
        prop_assert_eq!(&read(&with("\t", "\n"), &options), &general);
        prop_assert_eq!(&read(&with(" ", "\r\n"), &options), &general);
    }

    /// Documents are ordered by score and ties by name, so the order of the lines has no effect.
    #[test]
    fn order_of_lines_does_not_change_rankings(
        (lines, shuffled) in prop::collection::vec((1..4, 0..40u8, -20..20i8), 1..60)
            .prop_flat_map(|lines| (Just(lines.clone()), Just(lines).prop_shuffle())),
        score_precision in any_precision(),
    ) {
        let text = |lines: &[(i32, u8, i8)]| -> String {
            let line = |(query, document, score): &(i32, u8, i8)| {
                format!("q{query} Q0 d{document} 1 {score}.125 t\n")
            };
            lines.iter().map(line).collect()
        };
        let truth = "q1 0 d1 1\nq1 0 d2 2\nq2 0 d1 0\nq2 0 d30 1\nq3 0 d7 1\n";
        let truth = Source::from_bytes("truth", truth);
        let truth = truth::read(&truth, &truth::TruthReadOptions::default()).unwrap().truth;
        let options = RunReadOptions {
            format: Some(RunFormat::Trec),
        name: None,
            score_precision,
            ..RunReadOptions::default()
        };
        let mut contiguous = lines;
        contiguous.sort_by_key(|line| line.0);
        let rankings = |lines: &[(i32, u8, i8)]| ranking_texts(&text(lines), &truth, &options);
        prop_assert_eq!(rankings(&shuffled), rankings(&contiguous));
    }
}

/// Returns the ranking of each query of the ground truth as debug text.
fn ranking_texts(text: &str, truth: &GroundTruth, options: &RunReadOptions) -> Vec<String> {
    let file = run::read_for_truth(&Source::from_bytes("r", text), truth, options)
        .expect("the run is valid");
    let ranking = |query| format!("{:?}", file.runs[0].ranking(query));
    (0..truth.len()).map(ranking).collect()
}

#[test]
fn systems_file_with_a_query_q0_is_not_mistaken_for_trec() {
    let read = |text: &str| run::read(&Source::from_bytes("r", text), &RunReadOptions::default());
    for blank in [" ", "\t"] {
        let text = ["mine q0 a", "mine q0 b", "mine q1 c"].join("\n");
        let all = read(&text.replace(' ', blank)).unwrap();
        assert_eq!(all.runs[0].name(), "mine");
        let queries = all.runs[0].queries();
        assert!(queries.map(|(query, _)| query).eq(["q0", "q1"]));
    }
    // An incomplete TREC line is refused with the expected number of columns.
    for line in ["q1 Q0 a", "q1 q0 a 1 0.5"] {
        let message = read(line).unwrap_err().message;
        assert!(message.contains("expected 6 columns"), "{message}");
    }
}

proptest! {
    #[test]
    fn run_from_scores_equals_run_read_from_trec_lines(
        scores in prop::collection::vec(prop::collection::vec(-2..3i8, 1..8), 1..4),
        ties in prop::sample::select(vec![TieBreaking::Docno, TieBreaking::File, TieBreaking::Average]),
    ) {
        let returned = (0..).zip(&scores).map(|(query, scores)| {
            let documents = (0..).zip(scores);
            let documents = documents.map(|(n, &score)| (format!("d{}", n * 7 % 10), f64::from(score)));
            (format!("q{query}"), documents.collect::<Vec<_>>())
        });
        let returned: Vec<(String, Vec<(String, f64)>)> = returned.collect();
        let lines = returned.iter().flat_map(|(query, documents)| {
            documents.iter().map(move |(name, score)| format!("{query} Q0 {name} 1 {score} mine\n"))
        });
        let options = RunReadOptions { ties, ..RunReadOptions::default() };
        let source = Source::from_bytes("r", lines.collect::<String>());
        let read = run::read(&source, &options).unwrap().runs.remove(0);
        let made = Run::from_scores("mine", returned, ties).unwrap();
        prop_assert_eq!(made.name(), read.name());
        prop_assert!(made.queries().eq(read.queries()));
    }
}

#[test]
fn run_from_scores_refuses_nan() {
    let error = Run::from_scores(
        "r",
        [("q", [("a", 1.0), ("b", f64::NAN)])],
        TieBreaking::Docno,
    );
    let expected = "the score of the document `b` for the query `q` is not a number";
    assert_eq!(error.unwrap_err().to_string(), expected);
}

/// Returns the ranked documents of the only query, grouped by ties.
fn documents(text: &str, options: &RunReadOptions) -> Vec<Vec<String>> {
    let (mut lists, _) = read(text, options).unwrap();
    lists.remove(0).1
}

#[test]
fn tab_separated_columns_may_contain_blanks() {
    let text = "q 1\tQ0\tAnna B\t1\t2.5\tmy run\nq 1\tQ0\tcy\t2\t1.5\tmy run\n";
    let read = run::read(&Source::from_bytes("r", text), &RunReadOptions::default()).unwrap();
    assert_eq!(read.runs[0].name(), "my run");
    let (query, groups) = read.runs[0].queries().next().unwrap();
    assert_eq!((query, groups), ("q 1", vec![vec!["Anna B"], vec!["cy"]]));
    let truth = Source::from_bytes("t", "q 1\t0\tAnna B\t2\nq 1\t0\tcy\t0\n");
    let read = truth::read(&truth, &truth::TruthReadOptions::default()).unwrap();
    assert_eq!(read.format, truth::TruthFormat::Qrels);
    assert!(read.truth.query_truth(0).names().get("Anna B").is_some());
}

#[test]
fn empty_tab_separated_column_is_refused_even_if_enough_words_remain() {
    let error = read("q1\t\tAnna B\t1\t2.5\tt\n", &trec_options()).unwrap_err();
    assert_eq!(error, "an empty column");
    let empty = Source::from_bytes("t", "q1\t0\ta\t1\nq1\t\tAnna 0\t1\n");
    let error = truth::read(&empty, &truth::TruthReadOptions::default()).unwrap_err();
    assert_eq!(error.line, Some(2), "{error}");
}

fn trec_options() -> RunReadOptions {
    RunReadOptions {
        format: Some(RunFormat::Trec),
        ..RunReadOptions::default()
    }
}

#[test]
fn error_for_a_name_with_blanks_suggests_tabs_or_json() {
    let source = Source::from_bytes("r", "q1 Q0 Anna B 1 2.5 t\n");
    let error = run::read(&source, &trec_options()).unwrap_err();
    assert!(
        error
            .remedy
            .unwrap()
            .to_string()
            .contains("separated by tabs, or JSON")
    );
    let source = Source::from_bytes("r", "q1 0 Anna B 1\n");
    let options = truth::TruthReadOptions {
        format: Some(truth::TruthFormat::Qrels),
        ..Default::default()
    };
    let error = truth::read(&source, &options).unwrap_err();
    assert!(
        error
            .remedy
            .unwrap()
            .to_string()
            .contains("separated by tabs, or JSON")
    );
}

#[test]
fn run_header_may_name_the_columns_in_any_order() {
    let plain = RunReadOptions::default();
    assert_eq!(
        documents("query,system,item\nq1,s1,b\nq1,s1,a\n", &plain),
        [["b"], ["a"]]
    );
    let scored = "docno;score;qid;run;note\na;0,5;q1;s1;\nb;0,75;q1;s1;x\nc;0,5;q1;s1;\n";
    assert_eq!(documents(scored, &plain), [["b"], ["c"], ["a"]]);
    let average = RunReadOptions {
        ties: TieBreaking::Average,
        ..RunReadOptions::default()
    };
    assert_eq!(documents(scored, &average)[1], ["a", "c"]);
    let file = RunReadOptions {
        order: RunOrder::File,
        ..RunReadOptions::default()
    };
    assert_eq!(documents(scored, &file), [["a"], ["b"], ["c"]]);
    assert!(read(scored, &plain).unwrap().1[0].contains("columns that are not read: note"));
    assert_eq!(
        documents("query,item,rank\nq1,a,2\nq1,b,1\n", &plain),
        [["b"], ["a"]]
    );
    let ours = run::read(
        &Source::from_bytes("mine.csv", "query,item,rank\nq1,a,1\n"),
        &plain,
    )
    .unwrap();
    assert_eq!(ours.runs[0].name(), "mine");
}

#[test]
fn trec_columns_may_have_semicolons_and_decimal_commas() {
    let text = "q1;Q0;a;1;1,5;t\nq1;Q0;b;2;2,5;t\n";
    assert_eq!(documents(text, &RunReadOptions::default()), [["b"], ["a"]]);
    let error = run::read(
        &Source::from_bytes("r", "q1 Q0 a 1 1,5 t\n"),
        &trec_options(),
    )
    .unwrap_err();
    assert!(error.remedy.unwrap().to_string().contains("write `1.5`"));
}

#[test]
fn json_scores_are_sorted_like_trec_scores() {
    let text = r#"{"q1": {"a": 0.5, "b": 0.75, "c": 0.5}}"#;
    let plain = RunReadOptions::default();
    assert_eq!(documents(text, &plain), [["b"], ["c"], ["a"]]);
    let lists = r#"{"q1": ["a"], "q2": {"b": 1}}"#;
    assert!(
        read(lists, &plain)
            .unwrap_err()
            .contains("some queries have lists, and others numbers")
    );
    let read = run::read(&Source::from_bytes("r", text), &plain)
        .unwrap()
        .runs;
    let written = run::write(&read, RunFormat::ScoresJson).unwrap();
    assert_eq!(written, "{\n  \"q1\": {\"b\": 3, \"c\": 2, \"a\": 1}\n}\n");
}

#[test]
fn json_numbers_are_read_and_written_as_grades() {
    let source = Source::from_bytes("t", r#"{"q1": {"a": 2, "b": 0, "c": 0.5}}"#);
    let read = truth::read(&source, &truth::TruthReadOptions::default()).unwrap();
    assert_eq!(read.format, truth::TruthFormat::QrelsJson);
    let written = truth::write(&read.truth, truth::TruthFormat::QrelsJson).unwrap();
    assert_eq!(
        written,
        "{\n  \"q1\": {\"a\": 2, \"b\": 0, \"c\": 0.5}\n}\n"
    );
    let lists = truth::write(&read.truth, truth::TruthFormat::Groups).unwrap();
    assert_eq!(lists, "query,item,group\nq1,a,1\nq1,c,2\n");
}

#[test]
fn error_for_a_run_without_common_query_names_queries_of_both_files() {
    let truth = GroundTruth::from_groups([("q1", [vec!["a"]]), ("q2", [vec!["b"]])]).unwrap();
    for text in [
        "x1 Q0 a 1 2 t\nx2 Q0 b 1 2 t\n",
        r#"{"x1": ["a"], "x2": ["b"]}"#,
    ] {
        let source = Source::from_bytes("t", text);
        let error = run::read_for_truth(&source, &truth, &RunReadOptions::default()).unwrap_err();
        assert_eq!(
            error.code,
            partita_formats::DiagnosticCode::UnmatchedQueries
        );
        let message = "the run `t` and the ground truth have no query in common: the run has x1, x2, the \
                    ground truth has q1, q2";
        assert_eq!(error.message, message);
    }
}

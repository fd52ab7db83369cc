//! Runs read from lines of every shape and in every order.

use partita_core::{GroundTruth, Run};
use partita_formats::run::{self, Order, ReadOptions, RunFormat, Ties};
use partita_formats::{Source, truth};
use proptest::prelude::*;

use crate::fuzz::checks::lists_of_run;

/// The groups of names of each query, and what there was to remark.
type Read = Result<(Vec<(String, Vec<Vec<String>>)>, Vec<String>), String>;

fn read(text: &str, options: &ReadOptions) -> Read {
    let all = run::read(&Source::memory("r", text), options).map_err(|e| e.message)?;
    let warnings = all.warnings.iter().map(ToString::to_string).collect();
    Ok((lists_of_run(&all.runs[0]), warnings))
}

fn options() -> impl Strategy<Value = ReadOptions> {
    let order = prop::sample::select(vec![Order::Score, Order::Rank, Order::File]);
    let ties = prop::sample::select(vec![Ties::Docno, Ties::File, Ties::Average]);
    (order, ties, any::<bool>()).prop_map(|(order, ties, single_precision)| ReadOptions {
        format: Some(RunFormat::Trec),
        name: None,
        order,
        ties,
        single_precision,
    })
}

/// The words of a line: few queries and documents, so that they repeat, and numbers of all shapes.
fn words() -> impl Strategy<Value = [String; 6]> {
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
    /// Single blanks are read by counting bits, other blanks with care.
    #[test]
    fn lines_are_read_the_same_fast_and_with_care(
        lines in prop::collection::vec(words(), 1..40),
        options in options(),
    ) {
        let with = |between: &str, end: &str| -> String {
            lines.iter().map(|words| words.join(between) + end).collect()
        };
        let careful = read(&with(" \t", "\n"), &options);
        prop_assert_eq!(&read(&with(" ", "\n"), &options), &careful);
        prop_assert_eq!(&read(&with("\t", "\n"), &options), &careful);
        prop_assert_eq!(&read(&with(" ", "\r\n"), &options), &careful);
    }

    /// Where no order is taken from the file, the order of its lines changes nothing.
    #[test]
    fn the_order_of_lines_changes_no_ranking(
        (lines, shuffled) in prop::collection::vec((1..4, 0..40u8, -20..20i8), 1..60)
            .prop_flat_map(|lines| (Just(lines.clone()), Just(lines).prop_shuffle())),
        single_precision: bool,
    ) {
        let text = |lines: &[(i32, u8, i8)]| -> String {
            let line = |(query, document, score): &(i32, u8, i8)| {
                format!("q{query} Q0 d{document} 1 {score}.125 t\n")
            };
            lines.iter().map(line).collect()
        };
        let truth = "q1 0 d1 1\nq1 0 d2 2\nq2 0 d1 0\nq2 0 d30 1\nq3 0 d7 1\n";
        let truth = Source::memory("truth", truth);
        let truth = truth::read(&truth, &truth::ReadOptions::default()).unwrap().truth;
        let options = ReadOptions {
            format: Some(RunFormat::Trec),
        name: None,
            single_precision,
            ..ReadOptions::default()
        };
        let mut contiguous = lines;
        contiguous.sort_by_key(|line| line.0);
        let rankings = |lines: &[(i32, u8, i8)]| rankings(&text(lines), &truth, &options);
        prop_assert_eq!(rankings(&shuffled), rankings(&contiguous));
    }
}

fn rankings(text: &str, truth: &GroundTruth, options: &ReadOptions) -> Vec<String> {
    let file = run::read_beside(&Source::memory("r", text), truth, options).expect("it is right");
    let ranking = |query| format!("{:?}", file.runs[0].ranking(query));
    (0..truth.len()).map(ranking).collect()
}

#[test]
fn a_query_called_q0_does_not_make_a_file_of_systems_one_of_trec() {
    let read = |text: &str| run::read(&Source::memory("r", text), &ReadOptions::default());
    for blank in [" ", "\t"] {
        let text = ["mine q0 a", "mine q0 b", "mine q1 c"].join("\n");
        let all = read(&text.replace(' ', blank)).unwrap();
        assert_eq!(all.runs[0].name(), "mine");
        let queries = all.runs[0].queries();
        assert!(queries.map(|(query, _)| query).eq(["q0", "q1"]));
    }
    // What lacks columns of TREC's format is told so.
    for line in ["q1 Q0 a", "q1 q0 a 1 0.5"] {
        let message = read(line).unwrap_err().message;
        assert!(message.contains("expected 6 columns"), "{message}");
    }
}

proptest! {
    #[test]
    fn a_run_made_of_scores_is_the_one_that_is_read_from_its_lines(
        scores in prop::collection::vec(prop::collection::vec(-2..3i8, 1..8), 1..4),
        ties in prop::sample::select(vec![Ties::Docno, Ties::File, Ties::Average]),
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
        let options = ReadOptions { ties, ..ReadOptions::default() };
        let source = Source::memory("r", lines.collect::<String>());
        let read = run::read(&source, &options).unwrap().runs.remove(0);
        let made = Run::of_scores("mine", returned, ties).unwrap();
        prop_assert_eq!(made.name(), read.name());
        prop_assert!(made.queries().eq(read.queries()));
    }
}

#[test]
fn a_document_without_a_score_cannot_be_ranked() {
    let error = Run::of_scores("r", [("q", [("a", 1.0), ("b", f64::NAN)])], Ties::Docno);
    let expected = "the score of the document `b` for the query `q` is not a number";
    assert_eq!(error.unwrap_err().to_string(), expected);
}

//! Scores are read as they are meant, and what is no score is refused with its place.

use partita_formats::scores::{
    MissingScorePolicy, ScoresFile, ScoresFormat, ScoresReadOptions, match_strata, read, write,
};
use partita_formats::{CsvWriter, FormatError, Source, strata};

fn scores(text: &str) -> Result<ScoresFile, FormatError> {
    with(text, MissingScorePolicy::Refuse)
}

fn with(text: &str, missing: MissingScorePolicy) -> Result<ScoresFile, FormatError> {
    let options = ScoresReadOptions {
        missing,
        ..ScoresReadOptions::default()
    };
    read(&Source::from_bytes("s.csv", text), &options)
}

fn refused(text: &str) -> String {
    scores(text).expect_err("it was read").to_string()
}

#[test]
fn rows_make_a_table_for_each_measure() {
    let file = scores(
        "run,query,measure,value\nb,q1,AP,0.1\nb,q1,RR,1\na,q1,AP,0.3\na,q1,RR,0.5\n\
         b,all,AP,0.1\na,all,AP,0.3\n",
    )
    .unwrap();
    let [ap, rr] = file.tables.as_slice() else {
        panic!("{file:?}");
    };
    assert_eq!(ap.scores.measure(), "AP");
    assert_eq!(ap.scores.systems(), ["b", "a"]);
    assert_eq!(ap.scores.queries(), ["q1"]);
    assert_eq!(rr.scores.row(0), [1.0, 0.5]);
}

#[test]
fn only_the_query_all_is_a_mean_and_no_other_name_means_anything() {
    let file = scores(
        "run,group,query,measure,value\na,,all:x,AP,0.1\na,,All,AP,0.2\na,,all,AP,0.15\n\
         a,jazz,all,AP,0.1\na,rock,all,AP,0.2\n",
    );
    assert_eq!(file.unwrap().tables[0].scores.queries(), ["all:x", "All"]);
    // A query that is called so cannot be told from a mean.
    let twice = "run,query,measure,value\na,q1,AP,0.1\na,all,AP,0.3\na,all,AP,0.2\n";
    assert_eq!(
        refused(twice),
        "s.csv:4:3: the system `a` has a mean by AP already, on line 3"
    );
}

#[test]
fn a_system_called_like_a_comment_is_read_as_it_was_written() {
    let mut writer = CsvWriter::new(Vec::new());
    for row in [
        ["system", "query", "measure", "value"],
        ["#bad", "q1", "AP", "0.5"],
        ["good", "q1", "AP", "0.25"],
    ] {
        writer.write_row(row).unwrap();
    }
    let text = String::from_utf8(writer.finish().unwrap()).unwrap();
    let file = scores(&text).unwrap();
    assert_eq!(file.tables[0].scores.systems(), ["#bad", "good"]);
}

#[test]
fn the_columns_of_rows_come_in_any_order_and_the_measure_may_be_left_out() {
    let file = scores("value\ttopic\tsystem\n0.5\t7\ta\n0.25\t7\tb\n").unwrap();
    assert_eq!(file.tables[0].scores.measure(), "score");
    assert_eq!(file.tables[0].scores.row(0), [0.5, 0.25]);
}

#[test]
fn bounds_over_tied_orders_are_passed_over_unless_asked_for() {
    let text = "run,query,measure,value\na,q1,ADR,0.5\na,q1,ADR:min,0.4\na,q1,ADR:max,0.6\n";
    let file = scores(text).unwrap();
    assert_eq!(file.tables.len(), 1);
    assert!(file.warnings[0].message.contains("ADR:min, ADR:max"));
    let options = ScoresReadOptions {
        measures: vec!["ADR:min".to_owned()],
        ..ScoresReadOptions::default()
    };
    let file = read(&Source::from_bytes("s.csv", text), &options).unwrap();
    assert_eq!(file.tables[0].scores.row(0), [0.4]);
}

#[test]
fn a_matrix_may_name_queries_and_strata() {
    let file = scores("query,stratum,a,b\nq1,jazz,0.1,0.2\nq2,rock,0.3,0.4\n").unwrap();
    let table = &file.tables[0];
    assert_eq!(table.scores.queries(), ["q1", "q2"]);
    assert_eq!(table.scores.systems(), ["a", "b"]);
    assert_eq!(table.strata.as_ref().unwrap().names(), ["jazz", "rock"]);
    let plain = scores("a,b\n0.1,7e-04\n0.3,0.4\n").unwrap();
    assert_eq!(plain.tables[0].scores.queries(), ["1", "2"]);
    assert_eq!(plain.tables[0].scores.row(0), [0.1, 7e-4]);
}

#[test]
fn a_missing_score_is_named_and_refused_or_handled_as_asked() {
    let text = "query,a,b\nq1,0.1,0.2\nq2,,0.4\nq3,NA,NA\n";
    assert_eq!(
        refused(text),
        "s.csv: the system `a` has no score by score for the query `q2`"
    );
    let dropped = with(text, MissingScorePolicy::DropQuery).unwrap();
    assert_eq!(dropped.tables[0].scores.queries(), ["q1"]);
    assert_eq!(dropped.warnings.len(), 2);
    let zero = with(text, MissingScorePolicy::Zero).unwrap();
    assert_eq!(zero.tables[0].scores.queries(), ["q1", "q2"]);
    assert_eq!(zero.tables[0].scores.row(1), [0.0, 0.4]);
    let rows = "system,query,value\na,q1,1\nb,q1,2\na,q2,3\n";
    assert!(refused(rows).contains("the system `b` has no score by score for the query `q2`"));
}

#[test]
fn what_is_no_score_is_refused_with_its_place() {
    assert_eq!(
        refused("query,a\nq1,NaN\n"),
        "s.csv:2:4: a score must be a finite number, not NaN"
    );
    assert_eq!(
        refused("query,a\nq1,x\n"),
        "s.csv:2:4: a score must be a number, not `x`"
    );
    assert_eq!(
        refused("query,a,a\nq1,1,2\n"),
        "s.csv:1:9: the header names the system `a` twice"
    );
    assert_eq!(
        refused("query,a\nq1,1\nq1,2\n"),
        "s.csv:3:1: the query `q1` is on line 2 already"
    );
    assert_eq!(
        refused("query,a\nq1,1,2\n"),
        "s.csv:2:1: expected 2 columns as in the header, found 3"
    );
    assert!(refused("0.1,0.2\n0.3,0.4\n").starts_with("s.csv:1:1: the first line holds numbers"));
    assert!(refused("query,a,b\n").contains("no scores after it"));
    assert!(refused("").starts_with("s.csv: "));
    let twice = "system,query,measure,value\na,q1,AP,1\na,q1,AP,1\n";
    assert!(refused(twice).starts_with("s.csv:3:1: the system `a` has a score by AP"));
    let means = "run,query,measure,value\na,all,AP,1\n";
    assert!(refused(means).contains("no score of a single query"));
}

#[test]
fn a_query_without_a_stratum_is_named() {
    let file = scores("query,a\nq1,1\nq2,2\n").unwrap();
    let source = Source::from_bytes("strata.csv", "query,stratum\nq1,jazz\n");
    let groups = strata::read(&source).unwrap();
    let error = match_strata(&source, &groups, &file.tables[0].scores).unwrap_err();
    assert_eq!(
        error.to_string(),
        "strata.csv: the query `q2` has no stratum"
    );
}

fn judged(text: &str) -> Result<partita_formats::scores::ScoresInput, FormatError> {
    let source = Source::from_bytes("s.csv", text);
    partita_formats::scores::read_any(&source, &ScoresReadOptions::default())
}

#[test]
fn a_column_of_judges_makes_a_block_of_scores() {
    use partita_formats::scores::ScoresInput;
    let text = "judge,run,topic,measure,value\nann,a,1,AP,0.1\nbob,a,1,AP,0.2\n\
                ann,b,1,AP,0.3\nbob,b,1,AP,0.4\nann,a,all,AP,9\n";
    let ScoresInput::ByAssessor(file) = judged(text).unwrap() else {
        panic!("there is a column of judges")
    };
    let scores = &file.tables[0];
    assert_eq!(scores.systems(), ["a", "b"]);
    assert_eq!(scores.assessors(), ["ann", "bob"]);
    assert_eq!(scores.values(), [0.1, 0.2, 0.3, 0.4]);
    let plain = judged("system,query,value\na,q,0.5\n").unwrap();
    assert!(matches!(plain, ScoresInput::Plain(_)));
}

#[test]
fn wrong_scores_by_judges_are_refused_with_their_place() {
    let header = "system,query,judge,value\n";
    for (rows, why) in [
        (
            "a,q,ann,x\n",
            "s.csv:2:9: a score must be a number, not `x`",
        ),
        ("a,q,,1\n", "s.csv:2:5: the judge has no name"),
        ("a,q,ann\n", "s.csv:2:1: expected 4 columns"),
        ("a,q,ann,1\na,q,ann,2\n", "already, on line 2"),
        (
            "a,q,ann,1\nb,q,ann,1\nb,q,bob,1\n",
            "the system `a` has no score",
        ),
        ("", "no score of a single query"),
    ] {
        let error = judged(&format!("{header}{rows}"))
            .expect_err("it was read")
            .to_string();
        assert!(error.contains(why), "{rows:?}: {error}");
    }
}

#[test]
fn columns_that_a_format_cannot_hold_are_named() {
    let lost = |text: &str, format| write(&scores(text).unwrap(), format).unwrap().lost_columns;
    let rows =
        "run,query,measure,value,lower,upper,stratum\na,q1,AP,0.5,,,jazz\na,all,AP,0.5,0.2,0.7,\n";
    for format in [ScoresFormat::Rows, ScoresFormat::Matrix] {
        assert_eq!(lost(rows, format), ["lower", "upper", "stratum"]);
    }
    let matrix = "query,stratum,a\nq1,jazz,0.5\n";
    assert_eq!(lost(matrix, ScoresFormat::Rows), ["stratum"]);
    assert!(lost(matrix, ScoresFormat::Matrix).is_empty());
}

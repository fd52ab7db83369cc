//! Tests of reading and writing scores, and of the errors for invalid files.

use partita_formats::scores::{
    MissingScorePolicy, ScoresFile, ScoresFormat, ScoresReadOptions, match_strata, read, write,
};
use partita_formats::{CsvWriter, FormatError, Source, strata};

fn read_scores(text: &str) -> Result<ScoresFile, FormatError> {
    read_with_policy(text, MissingScorePolicy::Refuse)
}

fn read_with_policy(text: &str, missing: MissingScorePolicy) -> Result<ScoresFile, FormatError> {
    let options = ScoresReadOptions {
        missing,
        ..ScoresReadOptions::default()
    };
    read(&Source::from_bytes("s.csv", text), &options)
}

fn error_text(text: &str) -> String {
    read_scores(text)
        .expect_err("the file is invalid")
        .to_string()
}

#[test]
fn rows_are_split_into_a_table_per_measure() {
    let file = read_scores(
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
fn only_rows_of_the_query_all_are_left_out_as_means() {
    let file = read_scores(
        "run,group,query,measure,value\na,,all:x,AP,0.1\na,,All,AP,0.2\na,,all,AP,0.15\n\
         a,jazz,all,AP,0.1\na,rock,all,AP,0.2\n",
    );
    assert_eq!(file.unwrap().tables[0].scores.queries(), ["all:x", "All"]);
    // Without a column of kinds, a query named `all` looks like a mean, so a second row is refused.
    let twice = "run,query,measure,value\na,q1,AP,0.1\na,all,AP,0.3\na,all,AP,0.2\n";
    assert_eq!(
        error_text(twice),
        "s.csv:4:3: the system `a` has a mean by AP already, on line 3"
    );
}

#[test]
fn numbers_c6_scores_are_found_without_the_highest_grade_that_evaluate_names() {
    let text = "run,query,measure,value\na,q1,ERR(max=3)@20,0.5\na,q1,AP,0.25\n";
    let read = |measure: &str| {
        let options = ScoresReadOptions {
            measures: vec![measure.to_owned()],
            ..ScoresReadOptions::default()
        };
        read(&Source::from_bytes("s.csv", text), &options)
    };
    let file = read("ERR@20").unwrap();
    assert_eq!(file.tables.len(), 1);
    assert_eq!(file.tables[0].scores.measure(), "ERR(max=3)@20");
    let error = read("ERR(max=4)@20").expect_err("the file has another highest grade");
    assert!(
        error
            .to_string()
            .contains("there is no score by `ERR(max=4)@20`")
    );
}

#[test]
fn numbers_w6_the_column_of_kinds_tells_a_query_named_all_from_a_mean() {
    let text = "run,query,measure,value,stratum,kind\na,all,RR,0.25,,query\na,q2,RR,1,,query\n\
                a,all,RR,0.625,,mean\na,total,RR,0.5,folk,mean\nb,all,RR,0.5,,query\n\
                b,q2,RR,0.125,,query\nb,all,RR,0.3125,,mean\n";
    let file = read_scores(text).unwrap();
    let scores = &file.tables[0].scores;
    assert_eq!(scores.queries(), ["all", "q2"]);
    assert_eq!(scores.row(0), [0.25, 0.5]);
    assert_eq!(scores.row(1), [1.0, 0.125]);
    // What is read is written so that it can be read again.
    let written = write(&file, ScoresFormat::Rows).unwrap();
    assert_eq!(written.lost_columns, ["stratum"]);
    assert!(
        written
            .text
            .starts_with("system,query,measure,value,kind\na,all,RR,0.25,query\n")
    );
    let again = read_scores(&written.text).unwrap();
    assert_eq!(again.tables[0].scores, *scores);
    let matrix = write(&file, ScoresFormat::Matrix).unwrap().text;
    assert_eq!(
        read_scores(&matrix).unwrap().tables[0].scores.queries(),
        ["all", "q2"]
    );
    // Kinds of another vocabulary say nothing about means.
    let other = "run,query,value,kind\na,q1,1,easy\na,all,1,\n";
    assert_eq!(
        read_scores(other).unwrap().tables[0].scores.queries(),
        ["q1"]
    );
    let judged = "run,query,judge,value,kind\na,all,ann,1,query\na,all,ann,1,mean\n";
    let partita_formats::scores::ScoresInput::ByAssessor(file) = read_any_scores(judged).unwrap()
    else {
        panic!("the file has a column of assessors")
    };
    assert_eq!(file.tables[0].values(), [1.0]);
}

#[test]
fn system_name_that_starts_like_a_comment_is_read_back() {
    let mut writer = CsvWriter::new(Vec::new());
    for row in [
        ["system", "query", "measure", "value"],
        ["#bad", "q1", "AP", "0.5"],
        ["good", "q1", "AP", "0.25"],
    ] {
        writer.write_row(row).unwrap();
    }
    let text = String::from_utf8(writer.finish().unwrap()).unwrap();
    let file = read_scores(&text).unwrap();
    assert_eq!(file.tables[0].scores.systems(), ["#bad", "good"]);
}

#[test]
fn rows_are_read_with_any_column_order_and_without_measure() {
    let file = read_scores("value\ttopic\tsystem\n0.5\t7\ta\n0.25\t7\tb\n").unwrap();
    assert_eq!(file.tables[0].scores.measure(), "score");
    assert_eq!(file.tables[0].scores.row(0), [0.5, 0.25]);
}

#[test]
fn min_and_max_over_tied_orders_are_left_out_unless_requested() {
    let text = "run,query,measure,value\na,q1,ADR,0.5\na,q1,ADR:min,0.4\na,q1,ADR:max,0.6\n";
    let file = read_scores(text).unwrap();
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
fn matrix_is_read_with_and_without_columns_of_queries_and_strata() {
    let file = read_scores("query,stratum,a,b\nq1,jazz,0.1,0.2\nq2,rock,0.3,0.4\n").unwrap();
    let table = &file.tables[0];
    assert_eq!(table.scores.queries(), ["q1", "q2"]);
    assert_eq!(table.scores.systems(), ["a", "b"]);
    assert_eq!(table.strata.as_ref().unwrap().names(), ["jazz", "rock"]);
    let plain = read_scores("a,b\n0.1,7e-04\n0.3,0.4\n").unwrap();
    assert_eq!(plain.tables[0].scores.queries(), ["1", "2"]);
    assert_eq!(plain.tables[0].scores.row(0), [0.1, 7e-4]);
}

#[test]
fn missing_scores_are_treated_by_the_requested_policy() {
    let text = "query,a,b\nq1,0.1,0.2\nq2,,0.4\nq3,NA,NA\n";
    assert_eq!(
        error_text(text),
        "s.csv: the system `a` has no score by score for the query `q2`"
    );
    let dropped = read_with_policy(text, MissingScorePolicy::DropQuery).unwrap();
    assert_eq!(dropped.tables[0].scores.queries(), ["q1"]);
    assert_eq!(dropped.warnings.len(), 2);
    let zero = read_with_policy(text, MissingScorePolicy::Zero).unwrap();
    assert_eq!(zero.tables[0].scores.queries(), ["q1", "q2"]);
    assert_eq!(zero.tables[0].scores.row(1), [0.0, 0.4]);
    let rows = "system,query,value\na,q1,1\nb,q1,2\na,q2,3\n";
    assert!(error_text(rows).contains("the system `b` has no score by score for the query `q2`"));
}

#[test]
fn invalid_files_are_refused_with_line_and_column() {
    assert_eq!(
        error_text("query,a\nq1,NaN\n"),
        "s.csv:2:4: a score must be a finite number, not NaN"
    );
    assert_eq!(
        error_text("query,a\nq1,x\n"),
        "s.csv:2:4: a score must be a number, not `x`"
    );
    assert_eq!(
        error_text("query,a,a\nq1,1,2\n"),
        "s.csv:1:9: the header names the system `a` twice"
    );
    assert_eq!(
        error_text("query,a\nq1,1\nq1,2\n"),
        "s.csv:3:1: the query `q1` is on line 2 already"
    );
    assert_eq!(
        error_text("query,a\nq1,1,2\n"),
        "s.csv:2:1: expected 2 columns as in the header, found 3"
    );
    assert!(
        error_text("0.1,0.2\n0.3,0.4\n").starts_with("s.csv:1:1: the first line holds numbers")
    );
    assert!(error_text("query,a,b\n").contains("no scores after it"));
    assert!(error_text("").starts_with("s.csv: "));
    let twice = "system,query,measure,value\na,q1,AP,1\na,q1,AP,1\n";
    assert!(error_text(twice).starts_with("s.csv:3:1: the system `a` has a score by AP"));
    let means = "run,query,measure,value\na,all,AP,1\n";
    assert!(error_text(means).contains("no score of a single query"));
}

#[test]
fn error_names_a_query_without_a_stratum() {
    let file = read_scores("query,a\nq1,1\nq2,2\n").unwrap();
    let source = Source::from_bytes("strata.csv", "query,stratum\nq1,jazz\n");
    let groups = strata::read(&source).unwrap();
    let error = match_strata(&source, &groups, &file.tables[0].scores).unwrap_err();
    assert_eq!(
        error.to_string(),
        "strata.csv: the query `q2` has no stratum"
    );
}

fn read_any_scores(text: &str) -> Result<partita_formats::scores::ScoresInput, FormatError> {
    let source = Source::from_bytes("s.csv", text);
    partita_formats::scores::read_any(&source, &ScoresReadOptions::default())
}

#[test]
fn column_of_assessors_gives_scores_by_assessor() {
    use partita_formats::scores::ScoresInput;
    let text = "judge,run,topic,measure,value\nann,a,1,AP,0.1\nbob,a,1,AP,0.2\n\
                ann,b,1,AP,0.3\nbob,b,1,AP,0.4\nann,a,all,AP,9\n";
    let ScoresInput::ByAssessor(file) = read_any_scores(text).unwrap() else {
        panic!("the file has a column of assessors")
    };
    let scores = &file.tables[0];
    assert_eq!(scores.systems(), ["a", "b"]);
    assert_eq!(scores.assessors(), ["ann", "bob"]);
    assert_eq!(scores.values(), [0.1, 0.2, 0.3, 0.4]);
    let plain = read_any_scores("system,query,value\na,q,0.5\n").unwrap();
    assert!(matches!(plain, ScoresInput::Plain(_)));
}

#[test]
fn invalid_scores_by_assessor_are_refused_with_position() {
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
        let error = read_any_scores(&format!("{header}{rows}"))
            .expect_err("the file is invalid")
            .to_string();
        assert!(error.contains(why), "{rows:?}: {error}");
    }
}

#[test]
fn writer_names_columns_that_the_format_cannot_represent() {
    let lost = |text: &str, format| {
        write(&read_scores(text).unwrap(), format)
            .unwrap()
            .lost_columns
    };
    let rows =
        "run,query,measure,value,lower,upper,stratum\na,q1,AP,0.5,,,jazz\na,all,AP,0.5,0.2,0.7,\n";
    for format in [ScoresFormat::Rows, ScoresFormat::Matrix] {
        assert_eq!(lost(rows, format), ["lower", "upper", "stratum"]);
    }
    let matrix = "query,stratum,a\nq1,jazz,0.5\n";
    assert_eq!(lost(matrix, ScoresFormat::Rows), ["stratum"]);
    assert!(lost(matrix, ScoresFormat::Matrix).is_empty());
}

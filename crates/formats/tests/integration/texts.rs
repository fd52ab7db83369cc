//! Tests of what all formats share: decoding bytes, splitting lines and columns, and errors.

use partita_formats::campaign::recorded_votes;
use partita_formats::preferences::parse_timestamp;
use partita_formats::strata;
use partita_formats::strata::StrataFile;
use partita_formats::{DiagnosticCode, FormatError, Source, scores, truth};

fn read_strata(bytes: impl Into<Vec<u8>>) -> Result<StrataFile, FormatError> {
    strata::read(&Source::from_bytes("t", bytes))
}

#[test]
fn stem_omits_folders_and_file_name_extensions() {
    let stem = |name: &str| Source::from_bytes(name, "").stem().to_owned();
    assert_eq!(stem("runs/p_bm25.run"), "p_bm25");
    assert_eq!(stem("runs/p.v2.run.gz"), "p.v2");
    assert_eq!(stem("plain"), "plain");
    assert_eq!(stem(".hidden"), ".hidden");
}

#[test]
fn byte_order_mark_is_skipped() {
    assert_eq!(
        read_strata(b"\xef\xbb\xbfa,b\n").unwrap().stratum_of["a"],
        "b"
    );
}

#[test]
fn latin1_lines_among_utf8_lines_are_decoded_and_counted() {
    let read = read_strata(["é,1\n".as_bytes(), b"\xe8,2\n"].concat()).unwrap();
    assert_eq!((&*read.stratum_of["é"], &*read.stratum_of["è"]), ("1", "2"));
    let [warning] = read.warnings.as_slice() else {
        panic!("one warning");
    };
    assert_eq!(
        (warning.code, warning.line),
        (DiagnosticCode::NotUtf8, Some(2))
    );
    assert_eq!(warning.fields["count"], "1");
}

#[test]
fn binary_data_and_overlong_lines_are_refused_with_position() {
    let error = read_strata(b"a,b\nc\0d").unwrap_err();
    assert_eq!(
        (error.code, error.line, error.column),
        (DiagnosticCode::NotText, Some(2), Some(2))
    );
    let line = |length: usize| format!("a,b\nc,{}", "x".repeat(length - 2));
    let error = read_strata(line(65_537)).unwrap_err();
    assert_eq!(
        (error.code, error.line),
        (DiagnosticCode::OverlongLine, Some(2))
    );
    assert!(read_strata(line(65_536)).is_ok());
}

#[test]
fn lines_longer_than_a_block_and_files_of_many_blocks_are_read() {
    let votes = "1,".repeat(100_000);
    let long = format!("a,b,100000,{}\n", votes.trim_end_matches(',')).repeat(3);
    let read = recorded_votes::read(&Source::from_bytes("t", long)).unwrap();
    assert!(read.pairs.len() == 3 && read.pairs.iter().all(|(_, _, v)| v.len() == 100_000));
    let many: String = (0..100_000).map(|query| format!("q{query},g\n")).collect();
    assert_eq!(read_strata(many).unwrap().stratum_of.len(), 100_000);
}

#[test]
fn file_of_blanks_and_comments_counts_as_empty() {
    for text in ["", " \n\n", "# a remark\n"] {
        assert_eq!(
            read_strata(text).unwrap_err().code,
            DiagnosticCode::EmptyFile,
            "{text:?}"
        );
    }
}

#[test]
fn separator_is_detected_from_the_first_line() {
    for text in ["q,a b", "q, a b", "q\ta b", "q;a b", "\"q\",a b"] {
        assert_eq!(read_strata(text).unwrap().stratum_of["q"], "a b", "{text}");
    }
    assert_eq!(read_strata("q;0,5").unwrap().stratum_of["q"], "0,5");
    assert_eq!(read_strata("\"a;b\",c").unwrap().stratum_of["a;b"], "c");
    for text in [
        "q1,Domus Israel,1",
        "q1\tDomus Israel\t1",
        "q1;Domus Israel;1",
    ] {
        let source = Source::from_bytes("t", text);
        let format = Some(truth::TruthFormat::Groups);
        let options = truth::TruthReadOptions {
            format,
            ..Default::default()
        };
        let read = truth::read(&source, &options).unwrap().truth;
        assert!(
            read.query_truth(0).names().get("Domus Israel").is_some(),
            "{text}"
        );
    }
}

#[test]
fn quoted_line_feed_belongs_to_its_column_and_counts_as_a_line() {
    let text = "# said\nquery,group\n\"x\ny\",1\n\n# no \"\nz,2\n";
    let read = read_strata(text).unwrap();
    assert_eq!(
        (&*read.stratum_of["x\ny"], &*read.stratum_of["z"]),
        ("1", "2")
    );
    let error = read_strata(format!("{text}z,3\n")).unwrap_err();
    assert_eq!(
        (error.code, error.line),
        (DiagnosticCode::Contradiction, Some(8))
    );
}

#[test]
fn decimal_commas_are_read_in_semicolon_separated_tables() {
    let read = |text: &str| scores::read(&Source::from_bytes("t", text), &Default::default());
    let table = read("query;s\nx;0,25\ny;1.5\n").unwrap().tables.remove(0);
    assert_eq!(
        table.scores.rows().flatten().copied().collect::<Vec<_>>(),
        [0.25, 1.5]
    );
    let error = read("query;s\nz;1,2,3\n").unwrap_err();
    assert_eq!(
        (error.code, &*error.fields["found"]),
        (DiagnosticCode::NotANumber, "1,2,3")
    );
}

#[test]
fn quoted_column_may_contain_separators_and_quotes() {
    assert_eq!(
        read_strata(r#"q1,"a, ""b""""#).unwrap().stratum_of["q1"],
        r#"a, "b""#
    );
}

#[test]
fn error_column_is_counted_in_characters() {
    let error = truth::read(&Source::from_bytes("f", "é 0 ü x"), &Default::default()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "f:1:7: a grade must be a number, not `x`"
    );
}

#[test]
fn error_has_code_position_fields_and_remedy() {
    let source = Source::from_bytes("t.txt", "q1 a 1\n");
    let error = truth::read(&source, &Default::default()).unwrap_err();
    let json = serde_json::to_value(&error).unwrap();
    assert_eq!(json["code"], "unknown-format");
    assert_eq!((&json["file"], &json["line"]), (&"t.txt".into(), &1.into()));
    let remedy = json["remedy"].as_str().unwrap();
    assert!(
        remedy.starts_with("say `truth_format = groups` or"),
        "{remedy}"
    );
    let few = read_strata("a,b,c\n").unwrap_err();
    assert_eq!(
        (few.code, &*few.fields["expected"], &*few.fields["found"]),
        (DiagnosticCode::ColumnCount, "2", "3")
    );
}

#[test]
fn all_timestamp_formats_give_the_same_time() {
    for text in [
        "Wed Apr 14 18:29:32 GMT 2010",
        "Wed Apr 14 11:29:32 PDT 2010",
        "2010-04-14T18:29:32Z",
        "2010-04-14T20:29:32+02:00",
        "2010-04-14T18:29:32",
        "2010-04-14 18:29:32",
        "1271269772",
    ] {
        assert_eq!(parse_timestamp(text), Some(1_271_269_772.0), "{text}");
    }
    for text in ["", "yesterday", "Wed Apr 14 18:29:32 XYZ 2010", "NaN"] {
        assert_eq!(parse_timestamp(text), None, "{text}");
    }
}

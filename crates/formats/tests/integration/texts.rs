//! What all formats share: how bytes become lines, and lines columns.

use partita_formats::campaign::recorded_votes;
use partita_formats::preferences::parse_timestamp;
use partita_formats::strata;
use partita_formats::strata::StrataFile;
use partita_formats::{DiagnosticCode, FormatError, Source, scores, truth};

fn groups(bytes: impl Into<Vec<u8>>) -> Result<StrataFile, FormatError> {
    strata::read(&Source::from_bytes("t", bytes))
}

#[test]
fn the_stem_leaves_out_folders_and_endings() {
    let stem = |name: &str| Source::from_bytes(name, "").stem().to_owned();
    assert_eq!(stem("runs/p_bm25.run"), "p_bm25");
    assert_eq!(stem("runs/p.v2.run.gz"), "p.v2");
    assert_eq!(stem("plain"), "plain");
    assert_eq!(stem(".hidden"), ".hidden");
}

#[test]
fn a_byte_order_mark_is_no_text() {
    assert_eq!(groups(b"\xef\xbb\xbfa,b\n").unwrap().stratum_of["a"], "b");
}

#[test]
fn latin1_lines_are_decoded_and_counted_beside_utf8_lines() {
    let read = groups(["é,1\n".as_bytes(), b"\xe8,2\n"].concat()).unwrap();
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
fn binary_data_and_overlong_lines_are_named_with_their_place() {
    let error = groups(b"a,b\nc\0d").unwrap_err();
    assert_eq!(
        (error.code, error.line, error.column),
        (DiagnosticCode::NotText, Some(2), Some(2))
    );
    let line = |length: usize| format!("a,b\nc,{}", "x".repeat(length - 2));
    let error = groups(line(65_537)).unwrap_err();
    assert_eq!(
        (error.code, error.line),
        (DiagnosticCode::OverlongLine, Some(2))
    );
    assert!(groups(line(65_536)).is_ok());
}

#[test]
fn lines_longer_than_a_block_and_blocks_of_many_lines_are_read_whole() {
    let votes = "1,".repeat(100_000);
    let long = format!("a,b,100000,{}\n", votes.trim_end_matches(',')).repeat(3);
    let read = recorded_votes::read(&Source::from_bytes("t", long)).unwrap();
    assert!(read.pairs.len() == 3 && read.pairs.iter().all(|(_, _, v)| v.len() == 100_000));
    let many: String = (0..100_000).map(|query| format!("q{query},g\n")).collect();
    assert_eq!(groups(many).unwrap().stratum_of.len(), 100_000);
}

#[test]
fn nothing_but_blanks_is_empty() {
    for text in ["", " \n\n", "# a remark\n"] {
        assert_eq!(
            groups(text).unwrap_err().code,
            DiagnosticCode::EmptyFile,
            "{text:?}"
        );
    }
}

#[test]
fn separators_are_found_by_the_first_line() {
    for text in ["q,a b", "q, a b", "q\ta b", "q;a b", "\"q\",a b"] {
        assert_eq!(groups(text).unwrap().stratum_of["q"], "a b", "{text}");
    }
    assert_eq!(groups("q;0,5").unwrap().stratum_of["q"], "0,5");
    assert_eq!(groups("\"a;b\",c").unwrap().stratum_of["a;b"], "c");
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
fn a_quoted_line_feed_is_part_of_its_column_and_lines_are_still_counted() {
    let text = "# said\nquery,group\n\"x\ny\",1\n\n# no \"\nz,2\n";
    let read = groups(text).unwrap();
    assert_eq!(
        (&*read.stratum_of["x\ny"], &*read.stratum_of["z"]),
        ("1", "2")
    );
    let error = groups(format!("{text}z,3\n")).unwrap_err();
    assert_eq!(
        (error.code, error.line),
        (DiagnosticCode::Contradiction, Some(8))
    );
}

#[test]
fn a_decimal_comma_is_read_where_semicolons_separate() {
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
fn a_quoted_column_may_hold_separators_and_quotes() {
    assert_eq!(
        groups(r#"q1,"a, ""b""""#).unwrap().stratum_of["q1"],
        r#"a, "b""#
    );
}

#[test]
fn columns_of_errors_are_counted_in_characters() {
    let error = truth::read(&Source::from_bytes("f", "é 0 ü x"), &Default::default()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "f:1:7: a grade must be a number, not `x`"
    );
}

#[test]
fn an_error_is_data_with_a_code_a_place_fields_and_a_remedy() {
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
    let few = groups("a,b,c\n").unwrap_err();
    assert_eq!(
        (few.code, &*few.fields["expected"], &*few.fields["found"]),
        (DiagnosticCode::ColumnCount, "2", "3")
    );
}

#[test]
fn the_same_moment_is_read_in_every_form() {
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

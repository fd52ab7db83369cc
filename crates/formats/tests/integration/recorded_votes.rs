//! Tests of reading recorded votes, and of the errors for invalid files.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use partita_formats::campaign::recorded_votes::{RecordedVotesFile, read};
use partita_formats::{FormatError, Source};

fn read_bytes(bytes: &[u8]) -> Result<RecordedVotesFile, FormatError> {
    read(&Source::from_bytes("v.csv", bytes))
}

/// Returns every pair as (first item, second item, votes), with names.
fn named_pairs(file: &RecordedVotesFile) -> Vec<(&str, &str, &[f64])> {
    let name = |item| file.items.name(item);
    let pairs = file.pairs.iter();
    pairs
        .map(|(a, b, votes)| (name(*a), name(*b), &votes[..]))
        .collect()
}

fn error_text(text: &str) -> String {
    read_bytes(text.as_bytes()).unwrap_err().to_string()
}

const VALID_FILE: &str = "7,3,2,0.375,-0.125\n3,9,3,-1,0,1\n";

#[test]
fn line_ends_quotes_comments_and_compression_do_not_change_votes() {
    let plain = read_bytes(VALID_FILE.as_bytes()).unwrap();
    let expected = [
        ("7", "3", &[0.375, -0.125][..]),
        ("3", "9", &[-1.0, 0.0, 1.0]),
    ];
    assert_eq!(named_pairs(&plain), expected);
    assert_eq!(plain.items.len(), 3);
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(VALID_FILE.as_bytes()).unwrap();
    let packed = encoder.finish().unwrap();
    for bytes in [
        VALID_FILE.replace('\n', "\r\n").into_bytes(),
        format!("\u{feff}# photos\n\n{VALID_FILE}").into_bytes(),
        VALID_FILE.replace(',', " , ").into_bytes(),
        VALID_FILE.replace("7,3", "\"7\",\"3\"").into_bytes(),
        packed,
    ] {
        let read = read_bytes(&bytes).unwrap();
        assert_eq!(named_pairs(&read), expected, "{}", bytes.escape_ascii());
    }
}

#[test]
fn pairs_without_votes_and_repeated_pairs_are_read() {
    let read = read_bytes(b"x,y,0\ny,x,1,1\nx,y,1,-1\n").unwrap();
    let expected = [("x", "y", &[][..]), ("y", "x", &[1.0]), ("x", "y", &[-1.0])];
    assert_eq!(named_pairs(&read), expected);
}

#[test]
fn invalid_rows_are_refused_with_line_and_column() {
    for (row, message) in [
        ("x,y", ":2:1: expected id1,id2,n,v1,...,vn"),
        ("x y 1 1", ":2:1: expected id1,id2,n,v1,...,vn"),
        ("x,y,2,1", ":2:5: expected `2` votes after it, found 1"),
        ("x,y,1,1,0", ":2:5: expected `1` votes after it, found 2"),
        ("x,y,-1,1", ":2:5: expected `-1` votes after it, found 1"),
        (
            "x,y,some,1",
            ":2:5: expected `some` votes after it, found 1",
        ),
        ("x,x,1,1", ":2:1: the item `x` is compared with itself"),
        (
            "x,y,2,1,maybe",
            ":2:9: a vote must be a number, not `maybe`",
        ),
        ("x,y,2,1,", ":2:9: a vote must be a number, not ``"),
        ("x,y,1,nan", ":2:7: a vote must be a finite number, not NaN"),
        ("x,y,1,inf", ":2:7: a vote must be a finite number, not inf"),
        (",y,1,1", ":2:1: the item has no name"),
        ("x,,1,1", ":2:3: the item has no name"),
    ] {
        let message_text = error_text(&format!("7,3,1,1\n{row}\n"));
        assert!(
            message_text.starts_with(&format!("v.csv{message}")),
            "{row}: {message_text}"
        );
    }
    let error = read_bytes(b"x,y,2,1\n").unwrap_err();
    assert!(
        error
            .remedy
            .is_some_and(|remedy| remedy.to_string().contains("positive"))
    );
}

#[test]
fn file_without_pairs_is_refused() {
    for text in ["", "\n\n", "# nothing\n"] {
        let message_text = error_text(text);
        assert!(
            message_text.starts_with("v.csv: "),
            "{text:?}: {message_text}"
        );
    }
}

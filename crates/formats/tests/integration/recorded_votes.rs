//! Reading recorded votes: what is understood, and what is refused with its place.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use partita_formats::campaign::recorded_votes::{RecordedVotesFile, read};
use partita_formats::{FormatError, Source};

fn read_bytes(bytes: &[u8]) -> Result<RecordedVotesFile, FormatError> {
    read(&Source::from_bytes("v.csv", bytes))
}

/// Every pair by names.
fn pairs(file: &RecordedVotesFile) -> Vec<(&str, &str, &[f64])> {
    let name = |item| file.items.name(item);
    let pairs = file.pairs.iter();
    pairs
        .map(|(a, b, votes)| (name(*a), name(*b), &votes[..]))
        .collect()
}

fn refused(text: &str) -> String {
    read_bytes(text.as_bytes()).unwrap_err().to_string()
}

const PLAIN: &str = "7,3,2,0.375,-0.125\n3,9,3,-1,0,1\n";

#[test]
fn the_same_votes_are_read_however_they_are_packed() {
    let plain = read_bytes(PLAIN.as_bytes()).unwrap();
    let expected = [
        ("7", "3", &[0.375, -0.125][..]),
        ("3", "9", &[-1.0, 0.0, 1.0]),
    ];
    assert_eq!(pairs(&plain), expected);
    assert_eq!(plain.items.len(), 3);
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(PLAIN.as_bytes()).unwrap();
    let packed = encoder.finish().unwrap();
    for bytes in [
        PLAIN.replace('\n', "\r\n").into_bytes(),
        format!("\u{feff}# photos\n\n{PLAIN}").into_bytes(),
        PLAIN.replace(',', " , ").into_bytes(),
        PLAIN.replace("7,3", "\"7\",\"3\"").into_bytes(),
        packed,
    ] {
        let read = read_bytes(&bytes).unwrap();
        assert_eq!(pairs(&read), expected, "{}", bytes.escape_ascii());
    }
}

#[test]
fn a_pair_may_be_without_votes_and_come_twice() {
    let read = read_bytes(b"x,y,0\ny,x,1,1\nx,y,1,-1\n").unwrap();
    let expected = [("x", "y", &[][..]), ("y", "x", &[1.0]), ("x", "y", &[-1.0])];
    assert_eq!(pairs(&read), expected);
}

#[test]
fn what_is_no_pair_with_its_votes_is_refused_with_its_place() {
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
        let said = refused(&format!("7,3,1,1\n{row}\n"));
        assert!(
            said.starts_with(&format!("v.csv{message}")),
            "{row}: {said}"
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
fn a_file_without_pairs_is_refused() {
    for text in ["", "\n\n", "# nothing\n"] {
        let said = refused(text);
        assert!(said.starts_with("v.csv: "), "{text:?}: {said}");
    }
}

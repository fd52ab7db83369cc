//! The objects of a PDF in one order.
//!
//! The writer of PDF arranges fonts and resources by hash, another way in every run. Here the entries of a
//! dictionary that refer to objects are sorted, and objects are numbered and written as they are first
//! referred to: the same figure is the same bytes.

use std::collections::BTreeMap;
use std::ops::Range;

const WRITTEN_SO: &str = "the writer of PDF ends with a table of its objects";

/// The same document with its objects in one order.
pub(crate) fn normalise_object_order(pdf: &[u8]) -> Vec<u8> {
    let table = last(pdf, b"startxref\n") + b"startxref\n".len();
    let (table, _) = number(&pdf[table..]).expect(WRITTEN_SO);
    let trailer = table + last(&pdf[table..], b"trailer\n");
    let objects = objects(pdf, table);
    let first = objects.values().map(|place| place.start).min();
    // The root of the trailer comes first, and what can be reached from it follows.
    let end = sorted_references(&pdf[trailer..last(pdf, b"startxref\n")]);
    let mut order: Vec<usize> = Vec::new();
    let mut waiting = references(&end);
    waiting.reverse();
    while let Some(next) = waiting.pop() {
        if !order.contains(&next) {
            order.push(next);
            let (head, _) = head_and_stream(&pdf[objects[&next].clone()]);
            waiting.extend(references(&sorted_references(head)).into_iter().rev());
        }
    }
    let number_of = |old: usize| {
        1 + order
            .iter()
            .position(|&known| known == old)
            .expect("reached")
    };
    let mut out = pdf[..first.expect(WRITTEN_SO)].to_vec();
    let mut offsets = Vec::new();
    for (old, new) in order.iter().zip(1..) {
        offsets.push(out.len());
        let (head, stream) = head_and_stream(&pdf[objects[old].clone()]);
        let head = renumbered(&sorted_references(head), number_of);
        let (_, body) = head
            .split_once(" 0 obj")
            .expect("an object begins with its number");
        out.extend(format!("{new} 0 obj{body}").bytes());
        out.extend(stream);
    }
    let start = out.len();
    out.extend(format!("xref\n0 {}\n0000000000 65535 f\r\n", order.len() + 1).bytes());
    for offset in offsets {
        out.extend(format!("{offset:010} 00000 n\r\n").bytes());
    }
    out.extend(renumbered(&end, number_of).bytes());
    out.extend(format!("startxref\n{start}\n%%EOF").bytes());
    out
}

/// Where each object is, from the table that begins here.
fn objects(pdf: &[u8], table: usize) -> BTreeMap<usize, Range<usize>> {
    // `xref`, `0 30`, then a line of twenty bytes for each object, of which that of 0 is none.
    let (_, after) = number(&pdf[table + b"xref\n0 ".len()..]).expect(WRITTEN_SO);
    let lines = &pdf[table + b"xref\n0 ".len() + after + 1..];
    let offsets = (lines.chunks_exact(20))
        .take_while(|line| line[17] == b'n' || line[17] == b'f')
        .map(|line| (line[17] == b'n').then(|| number(line).expect(WRITTEN_SO).0));
    let offsets = offsets.enumerate();
    let offsets: Vec<(usize, usize)> = offsets
        .filter_map(|(number, offset)| Some((number, offset?)))
        .collect();
    let end_of = |start: usize| {
        let later = offsets.iter().map(|&(_, offset)| offset);
        later
            .filter(|&offset| offset > start)
            .min()
            .unwrap_or(table)
    };
    let ranges = offsets.iter();
    ranges
        .map(|&(number, start)| (number, start..end_of(start)))
        .collect()
}

/// Where these bytes are for the last time.
fn last(pdf: &[u8], bytes: &[u8]) -> usize {
    let places = pdf.windows(bytes.len());
    places
        .rev()
        .position(|place| place == bytes)
        .map_or(0, |after| pdf.len() - bytes.len() - after)
}

/// The number that the bytes begin with, and how long it is.
fn number(bytes: &[u8]) -> Option<(usize, usize)> {
    let digits = bytes
        .iter()
        .take_while(|byte| byte.is_ascii_digit())
        .count();
    let number = std::str::from_utf8(&bytes[..digits]).ok()?.parse().ok()?;
    Some((number, digits))
}

/// The text of an object, and its stream if it has one.
fn head_and_stream(object: &[u8]) -> (&[u8], &[u8]) {
    const STREAM: &[u8] = b"\nstream\n";
    let place = object.windows(STREAM.len()).position(|at| at == STREAM);
    object.split_at(place.unwrap_or(object.len()))
}

/// The text with the lines in order that are nothing but a name and a reference, where they follow each
/// other.
fn sorted_references(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    let mut lines: Vec<&str> = text.split('\n').collect();
    let is_reference = |line: &str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        matches!(words[..], [name, _, "0", "R"] if name.starts_with('/'))
    };
    for run in lines.chunk_by_mut(|one, other| is_reference(one) && is_reference(other)) {
        run.sort_unstable();
    }
    lines.join("\n")
}

/// The numbers of the objects that a text refers to.
fn references(text: &str) -> Vec<usize> {
    let words: Vec<&str> = text.split([' ', '\n', '[', ']']).collect();
    let triples = words.windows(3).filter(|words| words[1..] == ["0", "R"]);
    triples.filter_map(|words| words[0].parse().ok()).collect()
}

/// The text with the references to objects under their new numbers.
fn renumbered(text: &str, number_of: impl Fn(usize) -> usize) -> String {
    let Some((before, last)) = text.rsplit_once(" 0 R") else {
        return text.to_owned();
    };
    let mut out = String::new();
    for part in before.split(" 0 R") {
        let digits = part.bytes().rev().take_while(u8::is_ascii_digit).count();
        let (before, number) = part.split_at(part.len() - digits);
        let number = number.parse().expect("a reference has a number");
        out += &format!("{before}{} 0 R", number_of(number));
    }
    out + last
}

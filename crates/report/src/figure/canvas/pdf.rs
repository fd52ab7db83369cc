//! Deterministic order of the objects in a PDF.
//!
//! The PDF writer orders fonts and resources by hash, which differs between runs. This module sorts
//! dictionary entries that refer to objects, and numbers and writes objects in the order of first
//! reference. So the same figure gives the same bytes.

use std::collections::BTreeMap;
use std::ops::Range;

/// Panic message if a PDF does not have the expected structure.
const EXPECTED_STRUCTURE: &str = "the PDF writer emits a cross-reference table and a trailer";

/// Returns the PDF with its objects in a deterministic order.
pub(crate) fn normalise_object_order(pdf: &[u8]) -> Vec<u8> {
    let table = last_position(pdf, b"startxref\n") + b"startxref\n".len();
    let (table, _) = parse_leading_number(&pdf[table..]).expect(EXPECTED_STRUCTURE);
    let trailer = table + last_position(&pdf[table..], b"trailer\n");
    let objects = object_ranges(pdf, table);
    let first = objects.values().map(|place| place.start).min();
    // Objects are numbered in the order of a depth-first search from the references in the trailer.
    let end = sort_object_references(&pdf[trailer..last_position(pdf, b"startxref\n")]);
    let mut order: Vec<usize> = Vec::new();
    let mut waiting = referenced_objects(&end);
    waiting.reverse();
    while let Some(next) = waiting.pop() {
        if !order.contains(&next) {
            order.push(next);
            let (head, _) = split_at_stream(&pdf[objects[&next].clone()]);
            waiting.extend(
                referenced_objects(&sort_object_references(head))
                    .into_iter()
                    .rev(),
            );
        }
    }
    let number_of = |old: usize| {
        1 + order
            .iter()
            .position(|&known| known == old)
            .expect("the order contains every object that is referenced")
    };
    let mut out = pdf[..first.expect(EXPECTED_STRUCTURE)].to_vec();
    let mut offsets = Vec::new();
    for (old, new) in order.iter().zip(1..) {
        offsets.push(out.len());
        let (head, stream) = split_at_stream(&pdf[objects[old].clone()]);
        let head = renumber_references(&sort_object_references(head), number_of);
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
    out.extend(renumber_references(&end, number_of).bytes());
    out.extend(format!("startxref\n{start}\n%%EOF").bytes());
    out
}

/// Returns the byte range of each object from the cross-reference table at `table`.
fn object_ranges(pdf: &[u8], table: usize) -> BTreeMap<usize, Range<usize>> {
    // `xref`, `0 30`, then a line of twenty bytes per object. Object 0 is a placeholder.
    let (_, after) =
        parse_leading_number(&pdf[table + b"xref\n0 ".len()..]).expect(EXPECTED_STRUCTURE);
    let lines = &pdf[table + b"xref\n0 ".len() + after + 1..];
    let offsets = (lines.chunks_exact(20))
        .take_while(|line| line[17] == b'n' || line[17] == b'f')
        .map(|line| {
            (line[17] == b'n').then(|| parse_leading_number(line).expect(EXPECTED_STRUCTURE).0)
        });
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

/// Returns the position of the last occurrence of `bytes` in a PDF; 0 if there is none.
fn last_position(pdf: &[u8], bytes: &[u8]) -> usize {
    let places = pdf.windows(bytes.len());
    places
        .rev()
        .position(|place| place == bytes)
        .map_or(0, |after| pdf.len() - bytes.len() - after)
}

/// Parses the decimal number at the start of `bytes`. Returns the number and its length in bytes.
fn parse_leading_number(bytes: &[u8]) -> Option<(usize, usize)> {
    let digits = bytes
        .iter()
        .take_while(|byte| byte.is_ascii_digit())
        .count();
    let number = std::str::from_utf8(&bytes[..digits]).ok()?.parse().ok()?;
    Some((number, digits))
}

/// Splits a PDF object into its dictionary and its stream, which may be empty.
fn split_at_stream(object: &[u8]) -> (&[u8], &[u8]) {
    const STREAM: &[u8] = b"\nstream\n";
    let place = object.windows(STREAM.len()).position(|at| at == STREAM);
    object.split_at(place.unwrap_or(object.len()))
}

/// Sorts each run of consecutive dictionary entries that only refer to other objects (`/Name 7 0
/// R`), because the PDF writer emits them in random order.
fn sort_object_references(text: &[u8]) -> String {
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

/// Returns the numbers of the PDF objects that a dictionary refers to (`7 0 R`).
fn referenced_objects(text: &str) -> Vec<usize> {
    let words: Vec<&str> = text.split([' ', '\n', '[', ']']).collect();
    let triples = words.windows(3).filter(|words| words[1..] == ["0", "R"]);
    triples.filter_map(|words| words[0].parse().ok()).collect()
}

/// Replaces the object number in every reference (`7 0 R`) of a dictionary; `new_number` maps old
/// numbers to new ones.
fn renumber_references(text: &str, new_number: impl Fn(usize) -> usize) -> String {
    let Some((before, last)) = text.rsplit_once(" 0 R") else {
        return text.to_owned();
    };
    let mut out = String::new();
    for part in before.split(" 0 R") {
        let digits = part.bytes().rev().take_while(u8::is_ascii_digit).count();
        let (before, number) = part.split_at(part.len() - digits);
        let number = number.parse().expect("a reference has a number");
        out += &format!("{before}{} 0 R", new_number(number));
    }
    out + last
}

//! TREC's `query iter item grade`: a higher grade is better, and may be any real number.

use std::fmt::Write;

use partita_core::{GroundTruth, Scale};

use super::Rows;
use crate::columns::{LONGEST_LINE, Line};
use crate::error::FormatError;
use crate::source::Source;
use crate::text::Blocks;
use crate::words::{Split, short_whole, split_line};

pub(super) fn read(source: &Source) -> Result<Rows, FormatError> {
    let mut rows = Rows::new(Scale::Grades);
    read_onto(&mut rows, source, |_| true)?;
    Ok(rows)
}

/// Reads judgments, unless there is an iteration other than those that nearly all files have.
pub(super) fn read_usual(source: &Source) -> Result<Option<Rows>, FormatError> {
    let mut rows = Rows::new(Scale::Grades);
    let all = read_onto(&mut rows, source, |iteration| {
        matches!(iteration, b"0" | b"Q0")
    })?;
    Ok(all.then_some(rows))
}

/// Reads judgments, of which there may be millions, block by block, and stops where the iteration
/// is not accepted. Says whether all were read.
fn read_onto(
    rows: &mut Rows,
    source: &Source,
    accept: impl Fn(&[u8]) -> bool,
) -> Result<bool, FormatError> {
    let mut blocks = Blocks::new(source, LONGEST_LINE)?;
    while let Some(block) = blocks.next()? {
        let (mut rest, mut number) = (&*block.text, block.first_line);
        while !rest.is_empty() {
            // The words are looked for in the whole text, not in a line of it: looking ahead is
            // fast.
            let bytes = rest.as_bytes();
            let Split { words, count, end } = split_line::<4>(bytes);
            let [query, iteration, item, grade] = words;
            if count > 0 && bytes[query.0] != b'#' {
                let line = Line {
                    file: source.name(),
                    number,
                    text: &rest[..end],
                };
                if !accept(&bytes[iteration.0..iteration.1]) {
                    return Ok(false);
                }
                if count != 4 {
                    return Err(wrong_columns(line));
                }
                let grade = match short_whole(bytes, grade) {
                    Some(grade) => grade,
                    None => line.number(&rest[grade.0..grade.1], "a grade")?,
                };
                rows.add(line, &rest[query.0..query.1], &rest[item.0..item.1], grade)?;
            }
            rest = rest.get(end + 1..).unwrap_or_default();
            number += 1;
        }
    }
    rows.warn(blocks.warning());
    Ok(true)
}

#[cold]
fn wrong_columns(line: Line<'_>) -> FormatError {
    let found = line.text.split_ascii_whitespace().count();
    let message = format!("expected 4 columns (query, iteration, item, grade), found {found}");
    line.error(message).column(1)
}

pub(super) fn write(truth: &GroundTruth) -> Result<String, FormatError> {
    let mut text = String::new();
    for (query, judged) in truth.iter() {
        for (item, grade) in judged.gains().iter() {
            let item = judged.names().name(item);
            for name in [query, item] {
                if name.is_empty() || name.contains(char::is_whitespace) {
                    let message =
                        format!("`{name}` cannot be written in qrels: a name there is one word");
                    return Err(FormatError::file("qrels", message)
                        .hint("use `--to gains` or `--to groups`, which can quote names"));
                }
            }
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{query} 0 {item} {grade}");
        }
    }
    Ok(text)
}

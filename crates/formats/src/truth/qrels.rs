//! Ground truths in TREC's format `query iter item grade`: a higher grade is better, and may be any
//! real number.

use std::fmt::Write;

use partita_core::{GroundTruth, TruthScale};

use super::{TruthBuilder, TruthFormatDefinition, TruthReader};
use crate::diagnostic::FormatError;
use crate::text::BlockReader;
use crate::text::line::{LONGEST_LINE, SourceLine, require_number, with_decimal_comma_remedy};
use crate::text::name_rules::{check_line_start, check_single_word};
use crate::text::source::Source;
use crate::text::tokens::{LineTokens, parse_number, parse_short_integer, split_line};

/// Format `qrels`.
pub(super) static FORMAT: TruthFormatDefinition = TruthFormatDefinition {
    scale: TruthScale::Grades,
    by_item: true,
    read: TruthReader::InBlocks(read),
    write,
};

fn read(source: &Source) -> Result<TruthBuilder, FormatError> {
    let mut rows = TruthBuilder::new(TruthScale::Grades);
    read_blocks_into(&mut rows, source, |_| true)?;
    Ok(rows)
}

/// Reads qrels. Returns `None` if the second column of a line (the iteration) is neither `0` nor
/// `Q0`, which indicates another format.
pub(super) fn read_if_usual_iteration(
    source: &Source,
) -> Result<Option<TruthBuilder>, FormatError> {
    let mut rows = TruthBuilder::new(TruthScale::Grades);
    let all = read_blocks_into(&mut rows, source, |iteration| {
        matches!(iteration, b"0" | b"Q0")
    })?;
    Ok(all.then_some(rows))
}

/// Reads qrels block by block, because there may be millions of lines. Stops at a line whose second
/// column (the iteration) `accept` refuses. Returns true if all lines were read.
fn read_blocks_into(
    rows: &mut TruthBuilder,
    source: &Source,
    accept: impl Fn(&[u8]) -> bool,
) -> Result<bool, FormatError> {
    let mut blocks = BlockReader::new(source, LONGEST_LINE)?;
    while let Some(block) = blocks.next()? {
        let (mut rest, mut place) = (block.text(), block.first_line);
        while !rest.is_empty() {
            // Pass the whole remaining text instead of one line: the fast path needs bytes beyond
            // the end of the line.
            let bytes = rest.as_bytes();
            let LineTokens { words, count, end } = split_line::<4>(bytes);
            let [query, iteration, item, grade] = words;
            if count > 0 && bytes[query.0] != b'#' {
                let line = SourceLine::new(source, place, &rest[..end]);
                if !accept(&bytes[iteration.0..iteration.1]) {
                    return Ok(false);
                }
                if count != 4 {
                    return Err(line.column_count_error(4, "query, iteration, item, grade"));
                }
                let grade = match parse_short_integer(bytes, grade) {
                    Some(grade) => grade,
                    None => {
                        let word = &rest[grade.0..grade.1];
                        require_number(parse_number(word.as_bytes()), word, "a grade")
                            .map_err(|problem| line.error_at(word, problem))
                            .map_err(|error| with_decimal_comma_remedy(word, error))?
                    }
                };
                rows.add(line, &rest[query.0..query.1], &rest[item.0..item.1], grade)?;
            }
            rest = rest.get(end + 1..).unwrap_or_default();
            place += 1;
        }
    }
    rows.warn(blocks.warning());
    Ok(true)
}

fn write(truth: &GroundTruth) -> Result<String, FormatError> {
    let mut text = String::new();
    for (query, judged) in truth.iter() {
        check_line_start("qrels", query)?;
        check_single_word("qrels", query)?;
        for (item, grade) in judged.gains().iter() {
            let item = judged.names().name(item);
            check_single_word("qrels", item)?;
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{query} 0 {item} {grade}");
        }
    }
    Ok(text)
}

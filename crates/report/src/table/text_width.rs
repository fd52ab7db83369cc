//! Padding and wrapping of text by its width in terminal columns, which differs from its number of
//! characters.

use unicode_width::UnicodeWidthStr;

use super::{Alignment, Table};

/// Returns the number of terminal columns that a text takes.
pub(super) fn width(text: &str) -> usize {
    UnicodeWidthStr::width(text)
}

/// Pads the text with spaces to a width of `to` terminal columns.
pub(super) fn pad(text: &str, to: usize, align: Alignment) -> String {
    let spare = to.saturating_sub(width(text));
    let before = match align {
        Alignment::Left => 0,
        Alignment::Centre => spare / 2,
        Alignment::Right => spare,
    };
    format!("{:before$}{text}{:after$}", "", "", after = spare - before)
}

/// Pads the texts of a row to the column widths of the table.
pub(super) fn padded_row(texts: &[String], widths: &[usize], table: &Table) -> Vec<String> {
    let texts = texts.iter().zip(widths).zip(table.columns());
    texts
        .map(|((text, width), column)| pad(text, *width, column.align))
        .collect()
}

/// Returns the width of the widest text of each column, in terminal columns.
pub(super) fn column_widths<'a>(rows: impl Iterator<Item = &'a [String]>) -> Vec<usize> {
    let mut widths = Vec::new();
    for row in rows {
        widths.resize(row.len().max(widths.len()), 0);
        for (widest, text) in widths.iter_mut().zip(row) {
            *widest = (*widest).max(width(text));
        }
    }
    widths
}

/// Wraps the text into lines of at most `limit` terminal columns, between words if possible.
pub(crate) fn wrap_to_width(text: &str, limit: usize) -> Vec<String> {
    if width(text) <= limit {
        return vec![text.to_owned()];
    }
    let mut lines = vec![String::new()];
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        let mut word = word;
        loop {
            let line = lines.last_mut().expect("there is always a line");
            let gap = usize::from(!line.is_empty());
            if width(line) + gap + width(word) <= limit {
                line.push_str(&" "[..gap]);
                line.push_str(word);
                break;
            }
            if line.is_empty() {
                // A word longer than a line continues on the next line.
                let cut = fitting_prefix_length(word, limit);
                line.push_str(&word[..cut]);
                word = &word[cut..];
                if word.is_empty() {
                    break;
                }
            }
            lines.push(String::new());
        }
    }
    lines
}

/// Returns the byte length of the longest prefix of a word that fits in `limit` terminal columns,
/// at least one character.
fn fitting_prefix_length(word: &str, limit: usize) -> usize {
    let ends = word
        .char_indices()
        .map(|(start, letter)| start + letter.len_utf8());
    let fitting = ends.clone().take_while(|&end| width(&word[..end]) <= limit);
    fitting
        .last()
        .or_else(|| ends.clone().next())
        .unwrap_or(word.len())
}

/// Returns the minimum width, in terminal columns, at which a text can be wrapped into at most
/// `lines` lines.
pub(super) fn min_width(text: &str, lines: usize) -> usize {
    let longest = text.split(' ').map(width).max().unwrap_or(0);
    let mut widths = longest..=width(text);
    widths
        .find(|&limit| wrap_to_width(text, limit).len() <= lines)
        .unwrap_or(longest)
}

//! Columns of equal width for the formats that are read as they are.

use unicode_width::UnicodeWidthStr;

use super::{Alignment, Table};

/// The number of terminal columns a text takes.
pub(super) fn width(text: &str) -> usize {
    UnicodeWidthStr::width(text)
}

/// The text with spaces around it, so that it takes `to` terminal columns.
pub(super) fn pad(text: &str, to: usize, align: Alignment) -> String {
    let spare = to.saturating_sub(width(text));
    let before = match align {
        Alignment::Left => 0,
        Alignment::Centre => spare / 2,
        Alignment::Right => spare,
    };
    format!("{:before$}{text}{:after$}", "", "", after = spare - before)
}

/// The texts of a row, as wide as the columns of their table are.
pub(super) fn padded_row(texts: &[String], widths: &[usize], table: &Table) -> Vec<String> {
    let texts = texts.iter().zip(widths).zip(table.columns());
    texts
        .map(|((text, width), column)| pad(text, *width, column.align))
        .collect()
}

/// The width each column needs for the widest of its texts.
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

/// The text in lines of at most this many terminal columns, broken between words where that is possible.
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
                // A word that is longer than a line goes on in the next.
                let cut = cut_at(word, limit);
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

/// Where the first part of a word ends that fits: at least one character of it.
fn cut_at(word: &str, limit: usize) -> usize {
    let ends = word
        .char_indices()
        .map(|(start, letter)| start + letter.len_utf8());
    let fitting = ends.clone().take_while(|&end| width(&word[..end]) <= limit);
    fitting
        .last()
        .or_else(|| ends.clone().next())
        .unwrap_or(word.len())
}

/// How few terminal columns a text needs if it may be set in so many lines.
pub(super) fn min_width(text: &str, lines: usize) -> usize {
    let longest = text.split(' ').map(width).max().unwrap_or(0);
    let mut widths = longest..=width(text);
    widths
        .find(|&limit| wrap_to_width(text, limit).len() <= lines)
        .unwrap_or(longest)
}

//! Columns of equal width for the formats that are read as they are.

use unicode_width::UnicodeWidthStr;

use super::{Align, Table};

/// The number of terminal columns a text takes.
pub(super) fn width(text: &str) -> usize {
    UnicodeWidthStr::width(text)
}

/// The text with spaces around it, so that it takes `to` terminal columns.
fn padded(text: &str, to: usize, align: Align) -> String {
    let spare = to.saturating_sub(width(text));
    let before = match align {
        Align::Left => 0,
        Align::Centre => spare / 2,
        Align::Right => spare,
    };
    format!("{:before$}{text}{:after$}", "", "", after = spare - before)
}

/// The texts of a row, as wide as the columns of their table are.
pub(super) fn padded_row(texts: &[String], widths: &[usize], table: &Table) -> Vec<String> {
    let texts = texts.iter().zip(widths).zip(table.columns());
    texts
        .map(|((text, width), column)| padded(text, *width, column.align))
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

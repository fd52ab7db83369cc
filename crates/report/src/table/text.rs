//! A table for a terminal: light rules, no colour, numbers under each other.

use super::layout::{column_widths, padded_row, width};
use super::{Align, ColumnKind, Row, Table};

const GAP: &str = "  ";

/// Writes the table as plain text. An emphasised cell is followed by `*`; a
/// subheading stands in the rule above its rows.
pub(super) fn write(table: &Table) -> String {
    let hanging: Vec<&str> = (0..table.columns().len())
        .map(|index| if marks_hang(table, index) { " " } else { "" })
        .collect();
    let headers = table.headers(escaped).into_iter().zip(&hanging);
    let header: Vec<String> = headers.map(|(header, space)| header + space).collect();
    let rows = table.rows().iter().map(|row| match row {
        Row::Cells(cells) => {
            let texts = table.written(cells, |cell, column| escaped(&column.shown(&cell.value)));
            let texts = texts.into_iter().zip(cells).zip(&hanging);
            texts
                .map(|((text, cell), space)| text + if cell.emphasised { "*" } else { space })
                .collect()
        }
        Row::Heading(_) | Row::Rule => Vec::new(),
    });
    let rows: Vec<Vec<String>> = rows.collect();
    let all = std::iter::once(&header).chain(&rows).map(Vec::as_slice);
    let widths = column_widths(all);
    let body = widths.iter().sum::<usize>() + GAP.len() * (widths.len() - 1);
    let total = table.rows().iter().fold(body, |total, row| match row {
        Row::Heading(heading) => total.max(width(&escaped(heading)) + 4),
        Row::Cells(_) | Row::Rule => total,
    });
    let rule = "─".repeat(total) + "\n";
    let line = |texts: &[String]| {
        let padded = padded_row(texts, &widths, table).join(GAP);
        padded.trim_end().to_owned() + "\n"
    };

    let mut out = String::new();
    if let Some(caption) = &table.caption {
        out += &(escaped(caption) + "\n");
    }
    out += &rule;
    out += &line(&header);
    if !matches!(table.rows().first(), Some(Row::Heading(_))) {
        out += &rule;
    }
    for (row, texts) in table.rows().iter().zip(&rows) {
        match row {
            Row::Cells(_) => out += &line(texts),
            Row::Heading(heading) => out += &heading_rule(heading, total),
            Row::Rule => out += &rule,
        }
    }
    out += &rule;
    if let Some(note) = &table.note {
        out += &(escaped(note) + "\n");
    }
    out
}

/// The text on one line, without characters that steer a terminal.
pub(super) fn escaped(text: &str) -> String {
    let shown = |c: char| if c.is_control() { ' ' } else { c };
    text.chars().map(shown).collect()
}

/// Whether marks hang at the right of the numbers of a column: then cells
/// without a mark get a space, so that the digits stay in line.
fn marks_hang(table: &Table, index: usize) -> bool {
    let column = &table.columns()[index];
    let numbers = column.align == Align::Right && column.kind != ColumnKind::Text;
    let is_marked = |row: &Row| matches!(row, Row::Cells(cells) if cells[index].emphasised);
    numbers && table.rows().iter().any(is_marked)
}

fn heading_rule(heading: &str, total: usize) -> String {
    let heading = escaped(heading);
    let rest = total.saturating_sub(width(&heading) + 3);
    format!("─ {heading} {}\n", "─".repeat(rest))
}

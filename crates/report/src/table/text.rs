//! A table for a terminal: light rules, no colour, numbers under each other.

use super::layout::{column_widths, one_line, padded, width};
use super::{Align, Cell, Column, ColumnKind, Row, Table};

const GAP: &str = "  ";

/// Writes the table as plain text. An emphasised cell is followed by `*`; a
/// subheading stands in the rule above its rows.
pub(super) fn write(table: &Table) -> String {
    let columns: Vec<TextColumn> = (0..table.columns().len())
        .map(|index| TextColumn::of(table, index))
        .collect();
    let header: Vec<String> = columns.iter().map(TextColumn::header).collect();
    let rows: Vec<Vec<String>> = table
        .rows()
        .iter()
        .map(|row| match row {
            Row::Cells(cells) => cells.iter().zip(&columns).map(|(c, t)| t.text(c)).collect(),
            Row::Heading(_) | Row::Rule => Vec::new(),
        })
        .collect();
    let widths =
        column_widths(std::iter::once(header.as_slice()).chain(rows.iter().map(Vec::as_slice)));
    let body = widths.iter().sum::<usize>() + GAP.len() * (widths.len() - 1);
    let total = table.rows().iter().fold(body, |total, row| match row {
        Row::Heading(heading) => total.max(width(&one_line(heading)) + 4),
        Row::Cells(_) | Row::Rule => total,
    });
    let rule = "─".repeat(total) + "\n";

    let mut out = String::new();
    if let Some(caption) = table.caption() {
        out += &(one_line(caption) + "\n");
    }
    out += &rule;
    out += &line(&header, &widths, &columns);
    if !matches!(table.rows().first(), Some(Row::Heading(_))) {
        out += &rule;
    }
    for (row, texts) in table.rows().iter().zip(&rows) {
        match row {
            Row::Cells(_) => out += &line(texts, &widths, &columns),
            Row::Heading(heading) => out += &heading_rule(heading, total),
            Row::Rule => out += &rule,
        }
    }
    out += &rule;
    if let Some(note) = table.note() {
        out += &(one_line(note) + "\n");
    }
    out
}

/// The text as a terminal shows it.
pub(super) fn escaped(text: &str) -> String {
    one_line(text)
}

/// A column, and whether marks hang at the right of its numbers: then cells
/// without a mark get a space, so that the digits stay in line.
struct TextColumn<'a> {
    column: &'a Column,
    marks_hang: bool,
}

impl<'a> TextColumn<'a> {
    fn of(table: &'a Table, index: usize) -> Self {
        let column = &table.columns()[index];
        let numbers = column.alignment() == Align::Right && column.kind() != ColumnKind::Text;
        let marked = table.rows().iter().any(|row| match row {
            Row::Cells(cells) => cells[index].is_emphasised(),
            Row::Heading(_) | Row::Rule => false,
        });
        Self {
            column,
            marks_hang: numbers && marked,
        }
    }

    fn header(&self) -> String {
        one_line(self.column.header()) + if self.marks_hang { " " } else { "" }
    }

    fn text(&self, cell: &Cell) -> String {
        let mark = match (cell.is_emphasised(), self.marks_hang) {
            (true, _) => "*",
            (false, true) => " ",
            (false, false) => "",
        };
        one_line(&self.column.shown(cell.value())) + mark
    }
}

fn line(texts: &[String], widths: &[usize], columns: &[TextColumn]) -> String {
    let padded: Vec<String> = texts
        .iter()
        .zip(widths)
        .zip(columns)
        .map(|((text, width), column)| padded(text, *width, column.column.alignment()))
        .collect();
    padded.join(GAP).trim_end().to_owned() + "\n"
}

fn heading_rule(heading: &str, total: usize) -> String {
    let heading = one_line(heading);
    let rest = total.saturating_sub(width(&heading) + 3);
    format!("─ {heading} {}\n", "─".repeat(rest))
}

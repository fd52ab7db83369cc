//! Markdown pipe tables, as GitHub and most Markdown programs read them.

use super::text_width::{column_widths, padded_row};
use super::{Alignment, Table, TableRow};

/// Writes a pipe table, padded so that the source is readable.
pub(super) fn write(table: &Table) -> String {
    let header = table.headers(escaped);
    let mut rows = Vec::new();
    for row in table.rows() {
        match row {
            TableRow::Cells(cells) => rows.push(table.format_cells(cells, |cell, column| {
                let text = escaped(&column.format_value(&cell.value));
                let mark = if cell.emphasised { "**" } else { "" };
                format!("{mark}{text}{mark}")
            })),
            // Pipe tables do not support cells that span columns.
            TableRow::Heading(heading) => {
                let mut cells = vec![String::new(); table.columns().len()];
                cells[0] = format!("*{}*", escaped(heading));
                rows.push(cells);
            }
            TableRow::Rule => {}
        }
    }
    let all = std::iter::once(&header).chain(&rows).map(Vec::as_slice);
    let widths: Vec<usize> = column_widths(all).iter().map(|w| (*w).max(3)).collect();

    let line = |texts: &[String]| {
        let cells = padded_row(texts, &widths, table);
        format!("| {} |\n", cells.join(" | "))
    };
    let sized = widths.iter().zip(table.columns());
    let rule = sized.map(|(width, column)| match column.align {
        Alignment::Left => format!(":{}", "-".repeat(width - 1)),
        Alignment::Centre => format!(":{}:", "-".repeat(width - 2)),
        Alignment::Right => format!("{}:", "-".repeat(width - 1)),
    });
    let rule: Vec<String> = rule.collect();

    let mut out = String::new();
    if let Some(caption) = &table.caption {
        out += &format!("**{}**\n\n", escaped(caption));
    }
    out += &line(&header);
    out += &line(&rule);
    for row in &rows {
        out += &line(row);
    }
    if let Some(note) = &table.note {
        out += &format!("\n{}\n", escaped(note));
    }
    out
}

/// Escapes every character that Markdown could interpret with a backslash.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\\' | '|' | '*' | '_' | '`' | '[' | ']' | '<' | '>' | '&' | '~' | '$' | '#' => {
                out.extend(['\\', c]);
            }
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

//! A pipe table as GitHub and most Markdown programs read it.

use super::text_width::{column_widths, padded_row};
use super::{Alignment, Table, TableRow};

/// Writes a pipe table, padded so that it can be read as it is.
pub(super) fn write(table: &Table) -> String {
    let header = table.headers(escaped);
    let mut rows = Vec::new();
    for row in table.rows() {
        match row {
            TableRow::Cells(cells) => rows.push(table.written(cells, |cell, column| {
                let text = escaped(&column.format_value(&cell.value));
                let mark = if cell.emphasised { "**" } else { "" };
                format!("{mark}{text}{mark}")
            })),
            // A pipe table has no cell that spans columns.
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

/// The text with a backslash before every sign Markdown could take for its own.
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

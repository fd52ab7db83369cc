//! MediaWiki tables (wikitext).

use super::{Alignment, Column, ColumnKind, Table, TableRow};

/// Writes a wikitable. It is sortable unless it has subheadings or rules, whose position sorting
/// would lose.
pub(super) fn write(table: &Table) -> String {
    let plain_rows = table
        .rows()
        .iter()
        .all(|row| matches!(row, TableRow::Cells(_)));
    let sortable = if plain_rows { " sortable" } else { "" };
    let mut out = format!("{{| class=\"wikitable{sortable}\"\n");
    if let Some(caption) = &table.caption {
        out += &format!("|+ {}\n", escaped(caption));
    }
    out += "|-\n";
    for column in table.columns() {
        let sort = match column.kind {
            ColumnKind::Number { .. } if plain_rows => " data-sort-type=\"number\"",
            _ => "",
        };
        out += &format!("! scope=\"col\"{sort} | {}\n", escaped(&column.header));
    }
    for row in table.rows() {
        match row {
            TableRow::Cells(cells) => {
                out += "|-\n";
                for (cell, column) in cells.iter().zip(table.columns()) {
                    let text = escaped(&column.format_value(&cell.value));
                    let mark = if cell.emphasised { "'''" } else { "" };
                    out += &format!("|{} {mark}{text}{mark}\n", style(column));
                }
            }
            TableRow::Heading(heading) => {
                let span = table.columns().len();
                let heading = escaped(heading);
                out += &format!("|-\n! colspan=\"{span}\" style=\"text-align:left\" | {heading}\n");
            }
            // Every cell of a wikitable already has a border.
            TableRow::Rule => {}
        }
    }
    out += "|}\n";
    if let Some(note) = &table.note {
        out += &format!("<small>{}</small>\n", escaped(note));
    }
    out
}

/// Returns the HTML attribute that aligns the cells of a column.
fn style(column: &Column) -> &'static str {
    match column.align {
        Alignment::Left => "",
        Alignment::Centre => " style=\"text-align:center\" |",
        Alignment::Right => " style=\"text-align:right\" |",
    }
}

/// Replaces every character that wikitext could interpret by an entity.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut previous = ' ';
    for c in text.chars() {
        match c {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            // Tables, links, templates, bold, headers (!!), signatures (~~~).
            '|' | '[' | ']' | '{' | '}' | '\'' | '!' | '~' => out += &entity(c),
            // Magic words have two underscores: __NOTOC__.
            '_' if previous == '_' => out += &entity(c),
            // Bare URLs become links: http://
            '/' if previous == ':' => out += &entity(c),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
        previous = c;
    }
    out
}

/// Returns a character as a numeric HTML entity.
fn entity(c: char) -> String {
    format!("&#{};", u32::from(c))
}

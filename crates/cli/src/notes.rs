//! Notes below tables.

use partita_report::{Table, TableFormat};

/// A table with notes: on a terminal a note a line reads best, elsewhere they belong to the table.
pub(crate) fn render(table: Table, notes: &[String], format: TableFormat) -> String {
    match (format, notes) {
        (_, []) => format.render(&table),
        (TableFormat::Text, _) => format!("{}{}\n", format.render(&table), notes.join("\n")),
        _ => format.render(&table.with_note(notes.join(" "))),
    }
}

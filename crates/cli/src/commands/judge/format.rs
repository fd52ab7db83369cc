//! How the tables of a campaign are written.

use clap::ValueEnum;
use csv::Writer;
use partita_report::{Table, TableFormat};

use crate::failure::Failure;
use crate::output::Destination;

/// How a result is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// For a person
    Table,
    /// For a script or a spreadsheet
    Csv,
    /// Everything
    Json,
    /// For a paper; needs the booktabs package
    Latex,
    /// For a wiki
    Mediawiki,
    /// For a README
    Markdown,
}

impl Format {
    /// The format that was asked for, else a table for a person and CSV for a program.
    pub(super) fn chosen(asked: Option<Self>, destination: &Destination) -> Self {
        let default = match destination.is_terminal() {
            true => Self::Table,
            false => Self::Csv,
        };
        asked.unwrap_or(default)
    }

    /// The format of tables, if it is one.
    pub(super) fn of_tables(self) -> Option<TableFormat> {
        match self {
            Self::Table => Some(TableFormat::Text),
            Self::Latex => Some(TableFormat::Latex),
            Self::Mediawiki => Some(TableFormat::MediaWiki),
            Self::Markdown => Some(TableFormat::Markdown),
            Self::Csv | Self::Json => None,
        }
    }
}

/// A table with notes: on a terminal a note a line reads best, elsewhere they belong to the table.
pub(super) fn render(table: Table, notes: &[String], format: TableFormat) -> String {
    match (format, notes) {
        (_, []) => format.render(&table),
        (TableFormat::Text, _) => format!("{}{}\n", format.render(&table), notes.join("\n")),
        _ => format.render(&table.with_note(notes.join(" "))),
    }
}

/// Rows as CSV.
pub(super) fn rows<R: AsRef<[String]>>(rows: &[R]) -> Result<String, Failure> {
    let mut writer = Writer::from_writer(Vec::new());
    for row in rows {
        writer.write_record(row.as_ref()).map_err(Failure::ours)?;
    }
    let bytes = writer.into_inner().map_err(Failure::ours)?;
    String::from_utf8(bytes).map_err(Failure::ours)
}

/// A number that reads back exactly, or nothing.
pub(super) fn number(value: Option<f64>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}

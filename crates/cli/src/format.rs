//! How results are written, where tables are among the ways.

use clap::ValueEnum;
use partita_report::TableFormat;

use crate::output::Destination;

/// How a result is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
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

/// What a result is written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Table(TableFormat),
    Csv,
    Json,
}

impl Format {
    /// What was asked for, else a table for a person and CSV for a program.
    pub(crate) fn chosen(asked: Option<Self>, destination: &Destination) -> Form {
        let default = match destination.is_terminal() {
            true => Self::Table,
            false => Self::Csv,
        };
        match asked.unwrap_or(default) {
            Self::Table => Form::Table(TableFormat::Text),
            Self::Latex => Form::Table(TableFormat::Latex),
            Self::Mediawiki => Form::Table(TableFormat::MediaWiki),
            Self::Markdown => Form::Table(TableFormat::Markdown),
            Self::Csv => Form::Csv,
            Self::Json => Form::Json,
        }
    }
}

//! How a result is written, and where.

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use partita_formats::Warning;
use partita_named::NamedEnum;
use partita_report::{Document, Reply, TableFormat, View};
use serde::Serialize;

use super::destination::{Destination, print_warnings};
use super::error::CliError;

/// What a result is written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ResultFormat {
    Table(TableFormat),
    Csv,
    Json,
}

impl ResultFormat {
    /// What was asked for, else a table for a person and CSV for a program.
    pub(crate) fn or_default(asked: Option<Self>, destination: &Destination) -> Self {
        asked.unwrap_or(if destination.is_terminal() {
            Self::Table(TableFormat::Text)
        } else {
            Self::Csv
        })
    }

    /// Reads the name of a form on the command line: `csv`, `json` or a format of tables.
    pub(crate) fn parser() -> impl TypedValueParser<Value = Self> {
        PossibleValuesParser::new(Self::possible_values()).map(|name| Self::from_name(&name))
    }

    /// The names of the forms, with what they are for.
    pub(crate) fn possible_values() -> Vec<PossibleValue> {
        let mut values = vec![
            PossibleValue::new("csv").help("For a script or a spreadsheet"),
            PossibleValue::new("json").help("Everything"),
        ];
        let tables = TableFormat::VARIANTS.iter();
        values
            .extend(tables.map(|format| PossibleValue::new(format.name()).help(format.summary())));
        // A person's table is the one that is offered first.
        values.rotate_left(2);
        values[1..].rotate_right(2);
        values
    }

    /// The form of a name that was offered.
    pub(crate) fn from_name(name: &str) -> Self {
        match name {
            "csv" => Self::Csv,
            "json" => Self::Json,
            table => Self::Table(table.parse().expect("the parser offered this name")),
        }
    }
}

/// A [`Named`] choice on the command line: its names, their other spellings and what they mean.
pub(crate) fn named_value_parser<T: NamedEnum + Send + Sync>() -> impl TypedValueParser<Value = T> {
    let values = T::VARIANTS.iter().map(|choice| {
        PossibleValue::new(choice.name())
            .aliases(choice.aliases())
            .help(choice.summary())
    });
    PossibleValuesParser::new(values).try_map(|name| T::from_name(&name))
}

/// A [`Named`] format to write, one of which is what people mean by CSV.
pub(crate) fn format_value_parser<T: NamedEnum + Copy + PartialEq + Send + Sync>(
    csv: T,
) -> impl TypedValueParser<Value = T> {
    let values = T::VARIANTS.iter().map(move |choice| {
        let other = (*choice == csv).then_some("csv");
        PossibleValue::new(choice.name())
            .aliases(choice.aliases().iter().copied().chain(other))
            .help(choice.summary())
    });
    PossibleValuesParser::new(values).try_map(move |name| match name.as_str() {
        word if word.eq_ignore_ascii_case("csv") => Ok(csv),
        word => T::from_name(word),
    })
}

/// What a table is called in a paper.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct CaptionArgs {
    /// Caption of the table, instead of the default text
    #[arg(long, value_name = "TEXT", help_heading = "Output")]
    caption: Option<String>,
    /// LaTeX label of the table (--format latex)
    #[arg(long, value_name = "NAME", help_heading = "Output")]
    latex_label: Option<String>,
}

impl CaptionArgs {
    /// The document with this caption and label.
    pub(crate) fn apply_to(&self, document: Document) -> Document {
        document.with_caption(self.caption.as_deref(), self.latex_label.as_deref())
    }

    /// Refuses what would go unseen.
    pub(crate) fn check(&self, form: ResultFormat) -> Result<(), CliError> {
        let is_table = matches!(form, ResultFormat::Table(_));
        let option = match (&self.caption, &self.latex_label) {
            (_, Some(_)) if form != ResultFormat::Table(TableFormat::Latex) => {
                "--latex-label is only for LaTeX"
            }
            (Some(_), _) if !is_table => "--caption is only for tables",
            _ => return Ok(()),
        };
        Err(CliError::input(option).with_hint("use `--format latex`"))
    }
}

/// How a result is written, and where.
#[derive(Args, Clone, Debug)]
pub(crate) struct ResultArgs {
    /// Output format [default: table on a terminal, else csv]
    #[arg(long, value_name = "FORMAT", value_parser = ResultFormat::parser(), help_heading = "Output")]
    pub(crate) format: Option<ResultFormat>,
    #[command(flatten)]
    pub(crate) title: CaptionArgs,
    #[command(flatten)]
    pub(crate) destination: Destination,
}

impl ResultArgs {
    /// What the result is written as.
    pub(crate) fn format(&self) -> ResultFormat {
        ResultFormat::or_default(self.format, &self.destination)
    }

    /// Shows a result: JSON is the result itself, anything else is its presentation.
    pub(crate) fn print(
        &self,
        result: &impl Serialize,
        presentation: &dyn View,
        warnings: Vec<Warning>,
    ) -> Result<(), CliError> {
        self.title.check(self.format())?;
        print_warnings(&warnings);
        match self.format() {
            ResultFormat::Json => self
                .destination
                .stream(|place| Reply::new(result, warnings).write(place)),
            ResultFormat::Csv => self
                .destination
                .stream(|place| presentation.write_csv(place)),
            ResultFormat::Table(format) => self.destination.write(&format.render_document_for(
                &self.title.apply_to(presentation.document()),
                self.destination.screen(),
            )),
        }
    }
}

//! Output format and destination of results.

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use partita::formats::Warning;
use partita::named::NamedEnum;
use partita::report::{Document, Reply, TableFormat, View};
use serde::Serialize;

use super::destination::{Destination, print_warnings};
use super::error::CliError;

/// Output format of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ResultFormat {
    Table(TableFormat),
    Csv,
    Json,
}

impl ResultFormat {
    /// Returns the requested format; by default a table on a terminal and CSV otherwise.
    pub(crate) fn or_default(asked: Option<Self>, destination: &Destination) -> Self {
        asked.unwrap_or(if destination.is_terminal() {
            Self::Table(TableFormat::Text)
        } else {
            Self::Csv
        })
    }

    /// Parses a result format: `csv`, `json` or a table format.
    pub(crate) fn parser() -> impl TypedValueParser<Value = Self> {
        PossibleValuesParser::new(Self::possible_values()).map(|name| Self::from_name(&name))
    }

    /// Returns the names of the result formats with their descriptions.
    pub(crate) fn possible_values() -> Vec<PossibleValue> {
        let mut values = vec![
            PossibleValue::new("csv").help("For a script or a spreadsheet"),
            PossibleValue::new("json").help("Everything"),
        ];
        let tables = TableFormat::VARIANTS.iter();
        values
            .extend(tables.map(|format| PossibleValue::new(format.name()).help(format.summary())));
        // The plain text table comes first.
        values.rotate_left(2);
        values[1..].rotate_right(2);
        values
    }

    /// Returns the format of a name that the parser accepted.
    pub(crate) fn from_name(name: &str) -> Self {
        match name {
            "csv" => Self::Csv,
            "json" => Self::Json,
            table => Self::Table(table.parse().expect("the parser offered this name")),
        }
    }
}

/// Creates the parser of a [`NamedEnum`] option value, with its aliases and descriptions.
pub(crate) fn named_value_parser<T: NamedEnum + Send + Sync>() -> impl TypedValueParser<Value = T> {
    let values = T::VARIANTS.iter().map(|choice| {
        PossibleValue::new(choice.name())
            .aliases(choice.aliases())
            .help(choice.summary())
    });
    PossibleValuesParser::new(values).try_map(|name| T::from_name(&name))
}

/// Creates the parser of a [`NamedEnum`] output format; `csv` is an alias of the given format.
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

/// Caption and label of a table.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct CaptionArgs {
    /// Caption of the table, instead of the default text
    #[arg(long, value_name = "TEXT", help_heading = "Output")]
    caption: Option<String>,
    /// LaTeX label of the table (--format latex)
    #[arg(long, value_name = "NAME", help_heading = "Output")]
    latex_label: Option<String>,
}

impl CaptionArgs {
    /// Sets the caption and label of the document.
    pub(crate) fn apply_to(&self, document: Document) -> Document {
        document.with_caption(self.caption.as_deref(), self.latex_label.as_deref())
    }

    /// Returns an error if the output format does not show the caption or label.
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

/// Output options of a result.
#[derive(Clone, Debug, Args)]
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
    /// Returns the output format.
    pub(crate) fn format(&self) -> ResultFormat {
        ResultFormat::or_default(self.format, &self.destination)
    }

    /// Prints a result: JSON serialises the result itself, other formats its view.
    pub(crate) fn print(
        &self,
        result: &impl Serialize,
        view: &dyn View,
        warnings: Vec<Warning>,
    ) -> Result<(), CliError> {
        self.title.check(self.format())?;
        print_warnings(&warnings);
        match self.format() {
            ResultFormat::Json => self
                .destination
                .stream(|place| Reply::new(result, warnings).write(place)),
            ResultFormat::Csv => self.destination.stream(|place| view.write_csv(place)),
            ResultFormat::Table(format) => self.destination.write(&format.render_document_for(
                &self.title.apply_to(view.document()),
                self.destination.terminal(),
            )),
        }
    }
}

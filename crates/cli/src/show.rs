//! How a result is written, and where.

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use partita_formats::Warning;
use partita_report::{Document, Present, Reply, TableFormat};
use partita_stats::named::Named;
use serde::Serialize;

use crate::failure::Failure;
use crate::output::{Destination, warn};

/// What a result is written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Table(TableFormat),
    Csv,
    Json,
}

impl Form {
    /// What was asked for, else a table for a person and CSV for a program.
    pub(crate) fn chosen(asked: Option<Self>, destination: &Destination) -> Self {
        asked.unwrap_or(if destination.is_terminal() {
            Self::Table(TableFormat::Text)
        } else {
            Self::Csv
        })
    }

    /// Reads the name of a form on the command line: `csv`, `json` or a format of tables.
    pub(crate) fn parser() -> impl TypedValueParser<Value = Self> {
        PossibleValuesParser::new(Self::values()).map(|name| Self::of(&name))
    }

    /// The names of the forms, with what they are for.
    pub(crate) fn values() -> Vec<PossibleValue> {
        let mut values = vec![
            PossibleValue::new("csv").help("For a script or a spreadsheet"),
            PossibleValue::new("json").help("Everything"),
        ];
        let tables = TableFormat::ALL.iter();
        values.extend(tables.map(|format| PossibleValue::new(format.name()).help(format.about())));
        // A person's table is the one that is offered first.
        values.rotate_left(2);
        values[1..].rotate_right(2);
        values
    }

    /// The form of a name that was offered.
    pub(crate) fn of(name: &str) -> Self {
        match name {
            "csv" => Self::Csv,
            "json" => Self::Json,
            table => Self::Table(table.parse().expect("the parser offered this name")),
        }
    }
}

/// A [`Named`] choice on the command line: its names, their other spellings and what they mean.
pub(crate) fn named<T: Named + Send + Sync>() -> impl TypedValueParser<Value = T> {
    let values = T::ALL.iter().map(|choice| {
        PossibleValue::new(choice.name())
            .aliases(choice.aliases())
            .help(choice.about())
    });
    PossibleValuesParser::new(values).try_map(|name| T::find(&name))
}

/// A [`Named`] format to write, one of which is what people mean by CSV.
pub(crate) fn format_or_csv<T: Named + Copy + PartialEq + Send + Sync>(
    csv: T,
) -> impl TypedValueParser<Value = T> {
    let values = T::ALL.iter().map(move |choice| {
        let other = (*choice == csv).then_some("csv");
        PossibleValue::new(choice.name())
            .aliases(choice.aliases().iter().copied().chain(other))
            .help(choice.about())
    });
    PossibleValuesParser::new(values).try_map(move |name| match name.as_str() {
        word if word.eq_ignore_ascii_case("csv") => Ok(csv),
        word => T::find(word),
    })
}

/// What a table is called in a paper.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct TitleArgs {
    /// Caption of the table, instead of the default text
    #[arg(long, value_name = "TEXT", help_heading = "Output")]
    caption: Option<String>,
    /// LaTeX label of the table (--format latex)
    #[arg(long, value_name = "NAME", help_heading = "Output")]
    latex_label: Option<String>,
}

impl TitleArgs {
    /// The document with this caption and label.
    pub(crate) fn on(&self, document: Document) -> Document {
        document.titled(self.caption.as_deref(), self.latex_label.as_deref())
    }

    /// Refuses what would go unseen.
    pub(crate) fn check(&self, form: Form) -> Result<(), Failure> {
        let is_table = matches!(form, Form::Table(_));
        let option = match (&self.caption, &self.latex_label) {
            (_, Some(_)) if form != Form::Table(TableFormat::Latex) => {
                "--latex-label is only for LaTeX"
            }
            (Some(_), _) if !is_table => "--caption is only for tables",
            _ => return Ok(()),
        };
        Err(Failure::input(option).hint("use `--format latex`"))
    }
}

/// How a result is written, and where.
#[derive(Args, Clone, Debug)]
pub(crate) struct ShowArgs {
    /// Output format [default: table on a terminal, else csv]
    #[arg(long, value_name = "FORMAT", value_parser = Form::parser(), help_heading = "Output")]
    pub(crate) format: Option<Form>,
    #[command(flatten)]
    pub(crate) title: TitleArgs,
    #[command(flatten)]
    pub(crate) destination: Destination,
}

impl ShowArgs {
    /// What the result is written as.
    pub(crate) fn form(&self) -> Form {
        Form::chosen(self.format, &self.destination)
    }

    /// Shows a result: JSON is the result itself, anything else is its presentation.
    pub(crate) fn show(
        &self,
        result: &impl Serialize,
        presentation: &dyn Present,
        warnings: Vec<Warning>,
    ) -> Result<(), Failure> {
        self.title.check(self.form())?;
        warn(&warnings);
        match self.form() {
            Form::Json => self
                .destination
                .stream(|place| Reply::new(result, warnings).write(place)),
            Form::Csv => self.destination.stream(|place| presentation.csv(place)),
            Form::Table(format) => self.destination.write(&format.document_on(
                &self.title.on(presentation.document()),
                self.destination.screen(),
            )),
        }
    }
}

//! How lists are written: as results are, or in a format of ground truths.

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use partita_core::GroundTruth;
use partita_formats::truth::{self, TruthFormat};
use partita_formats::{FormatError, Warning};
use partita_report::{Present, Reply, TableFormat};
use partita_stats::named::Named;
use serde::Serialize;

use crate::failure::Failure;
use crate::output::{Destination, warn};
use crate::show::{Form, TitleArgs};

/// What lists are written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ListForm {
    /// As any result; as CSV and JSON, without details, a ground truth.
    Shown(Form),
    /// In a format of ground truths.
    Truth(TruthFormat),
}

impl ListForm {
    /// Reads the name of a form, or of a format of ground truths.
    fn parser() -> impl TypedValueParser<Value = Self> {
        let tables = TableFormat::ALL.iter();
        let mut values: Vec<PossibleValue> = tables
            .map(|format| PossibleValue::new(format.name()).help(format.about()))
            .collect();
        values.insert(1, PossibleValue::new("csv").help("query,item,group"));
        let truths = TruthFormat::ALL.iter();
        values.extend(truths.map(|format| PossibleValue::new(format.name()).help(format.about())));
        PossibleValuesParser::new(values).map(|name| match name.as_str() {
            "csv" => Self::Shown(Form::Csv),
            "json" => Self::Shown(Form::Json),
            name => match TableFormat::find(name) {
                Ok(format) => Self::Shown(Form::Table(format)),
                Err(_) => Self::Truth(name.parse().expect("the parser offered this name")),
            },
        })
    }
}

/// How lists are written, and where.
#[derive(Args, Clone, Debug)]
pub(crate) struct ListsArgs {
    /// Output format of the lists [default: table on a terminal, else csv]
    #[arg(long, value_name = "FORMAT", value_parser = ListForm::parser(), help_heading = "Output")]
    format: Option<ListForm>,
    #[command(flatten)]
    title: TitleArgs,
    #[command(flatten)]
    pub(crate) destination: Destination,
}

impl ListsArgs {
    /// Refuses a format for what is written as CSV alone.
    pub(crate) fn refuse_all_but_csv(&self, what: &str) -> Result<(), Failure> {
        match self.format {
            None | Some(ListForm::Shown(Form::Csv)) => Ok(()),
            Some(_) => Err(Failure::input(format!("{what} as CSV only"))
                .hint("leave `--format` out; it is only for lists")),
        }
    }

    fn form(&self) -> ListForm {
        let default = || ListForm::Shown(Form::chosen(None, &self.destination));
        self.format.unwrap_or_else(default)
    }

    /// Refuses details where a format of ground truths has no place for them.
    pub(crate) fn check(&self, details: bool) -> Result<(), Failure> {
        if details && matches!(self.form(), ListForm::Truth(_)) {
            let message = "--details is only for table, CSV and JSON";
            return Err(Failure::input(message).hint("use `--format json`"));
        }
        Ok(())
    }

    /// Shows gains as lists are shown, but as gains in CSV and JSON.
    pub(crate) fn show_gains(
        &self,
        truth: &GroundTruth,
        presentation: &dyn Present,
    ) -> Result<(), Failure> {
        let format = match self.form() {
            ListForm::Shown(Form::Csv) => TruthFormat::Gains,
            ListForm::Shown(Form::Json) => TruthFormat::QrelsJson,
            _ => return self.show(truth, (truth, false), presentation, Vec::new()),
        };
        let text = truth::write(truth, format).map_err(unwritable)?;
        self.destination.write(&text)
    }

    /// Shows lists, or with details how they were made.
    pub(crate) fn show(
        &self,
        truth: &GroundTruth,
        (result, details): (&impl Serialize, bool),
        presentation: &dyn Present,
        warnings: Vec<Warning>,
    ) -> Result<(), Failure> {
        if let ListForm::Shown(form) = self.form() {
            self.title.check(form)?;
        }
        warn(&warnings);
        let format = match self.form() {
            ListForm::Shown(Form::Table(format)) => {
                let screen = self.destination.screen();
                let text = format.document_on(&self.title.on(presentation.document()), screen);
                return self.destination.write(&text);
            }
            ListForm::Shown(Form::Csv) if details => {
                return self.destination.stream(|place| presentation.csv(place));
            }
            ListForm::Shown(Form::Json) if details => {
                let reply = Reply::new(result, warnings);
                return self.destination.stream(|place| reply.write(place));
            }
            ListForm::Shown(Form::Csv) => TruthFormat::Groups,
            ListForm::Shown(Form::Json) => TruthFormat::Json,
            ListForm::Truth(format) => format,
        };
        let text = truth::write(truth, format).map_err(unwritable)?;
        self.destination.write(&text)
    }
}

/// What lists cannot be written as; the hints of the writers are for `truth convert`.
fn unwritable(error: FormatError) -> Failure {
    let hint = "use `--format json`, which holds any names and any number of lists";
    Failure::from(error).hint(hint)
}

//! Output of lists in a result format or a ground-truth format.

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use partita::GroundTruth;
use partita::formats::truth::{self, TruthFormat};
use partita::formats::{FormatError, Warning};
use partita::named::NamedEnum;
use partita::report::{Reply, TableFormat, View};
use serde::Serialize;

use super::destination::{Destination, print_warnings};
use super::error::CliError;
use super::result::{CaptionArgs, ResultFormat};

/// Output format of a ground truth: a format of any result, or a ground-truth format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ListFormat {
    /// Format of any result. CSV and JSON without details are ground truths.
    Standard(ResultFormat),
    /// Format of a ground truth, such as qrels.
    Truth(TruthFormat),
}

impl ListFormat {
    /// Parses the name of a result format or a ground-truth format.
    fn parser() -> impl TypedValueParser<Value = Self> {
        let tables = TableFormat::VARIANTS.iter();
        let mut values: Vec<PossibleValue> = tables
            .map(|format| PossibleValue::new(format.name()).help(format.summary()))
            .collect();
        values.insert(1, PossibleValue::new("csv").help("query,item,group"));
        let truths = TruthFormat::VARIANTS.iter();
        values
            .extend(truths.map(|format| PossibleValue::new(format.name()).help(format.summary())));
        PossibleValuesParser::new(values).map(|name| match name.as_str() {
            "csv" => Self::Standard(ResultFormat::Csv),
            "json" => Self::Standard(ResultFormat::Json),
            name => match TableFormat::from_name(name) {
                Ok(format) => Self::Standard(ResultFormat::Table(format)),
                Err(_) => Self::Truth(name.parse().expect("the parser offered this name")),
            },
        })
    }
}

/// Output options of lists.
#[derive(Clone, Debug, Args)]
pub(crate) struct ListOutputArgs {
    /// Output format of the lists [default: table on a terminal, else csv]
    #[arg(long, value_name = "FORMAT", value_parser = ListFormat::parser(), help_heading = "Output")]
    format: Option<ListFormat>,
    #[command(flatten)]
    title: CaptionArgs,
    #[command(flatten)]
    pub(crate) destination: Destination,
}

impl ListOutputArgs {
    /// Returns an error for a format other than CSV.
    pub(crate) fn require_csv(&self, what: &str) -> Result<(), CliError> {
        match self.format {
            None | Some(ListFormat::Standard(ResultFormat::Csv)) => Ok(()),
            Some(_) => Err(CliError::input(format!("{what} as CSV only"))
                .with_hint("leave `--format` out; it is only for lists")),
        }
    }

    fn format_or_default(&self) -> ListFormat {
        let default = || ListFormat::Standard(ResultFormat::or_default(None, &self.destination));
        self.format.unwrap_or_else(default)
    }

    /// Returns an error for details in a ground-truth format, which cannot represent them.
    pub(crate) fn check(&self, details: bool) -> Result<(), CliError> {
        if details && matches!(self.format_or_default(), ListFormat::Truth(_)) {
            let message = "--details is only for table, CSV and JSON";
            return Err(CliError::input(message).with_hint("use `--format json`"));
        }
        Ok(())
    }

    /// Prints gains without details: CSV as `gains`, JSON as `qrels-json`. Details and other formats
    /// are printed like lists.
    pub(crate) fn print_gains(
        &self,
        truth: &GroundTruth,
        (result, details): (&impl Serialize, bool),
        view: &dyn View,
        warnings: Vec<Warning>,
    ) -> Result<(), CliError> {
        let format = match self.format_or_default() {
            ListFormat::Standard(ResultFormat::Csv) if !details => TruthFormat::Gains,
            ListFormat::Standard(ResultFormat::Json) if !details => TruthFormat::QrelsJson,
            _ => return self.print(truth, (result, details), view, warnings),
        };
        print_warnings(&warnings);
        let text = truth::write(truth, format).map_err(list_write_error)?;
        self.destination.write(&text)
    }

    /// Prints the lists, or with details also their construction.
    pub(crate) fn print(
        &self,
        truth: &GroundTruth,
        (result, details): (&impl Serialize, bool),
        view: &dyn View,
        warnings: Vec<Warning>,
    ) -> Result<(), CliError> {
        if let ListFormat::Standard(form) = self.format_or_default() {
            self.title.check(form)?;
        }
        print_warnings(&warnings);
        let format = match self.format_or_default() {
            ListFormat::Standard(ResultFormat::Table(format)) => {
                let terminal = self.destination.terminal();
                let text =
                    format.render_document_for(&self.title.apply_to(view.document()), terminal);
                return self.destination.write(&text);
            }
            ListFormat::Standard(ResultFormat::Csv) if details => {
                return self.destination.stream(|place| view.write_csv(place));
            }
            ListFormat::Standard(ResultFormat::Json) if details => {
                let reply = Reply::new(result, warnings);
                return self.destination.stream(|place| reply.write(place));
            }
            ListFormat::Standard(ResultFormat::Csv) => TruthFormat::Groups,
            ListFormat::Standard(ResultFormat::Json) => TruthFormat::Json,
            ListFormat::Truth(format) => format,
        };
        let text = truth::write(truth, format).map_err(list_write_error)?;
        self.destination.write(&text)
    }
}

/// Converts the error of a list writer and replaces its hint, which is meant for `truth convert`.
fn list_write_error(error: FormatError) -> CliError {
    let hint = "use `--format json`, which holds any names and any number of lists";
    CliError::from(error).with_hint(hint)
}

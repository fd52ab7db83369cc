//! `partita truth convert`: conversion of a ground truth.

use clap::Args;
use partita::ConversionRequest;
use partita::formats::DataKind;
use partita::formats::truth::TruthFormat;
use partita::named::NamedEnum;

use crate::args::input::TruthInputArgs;
use crate::commands::convert::convert_files;
use crate::output::destination::Destination;
use crate::output::error::CliError;
use crate::output::result::format_value_parser;

/// Write a ground truth in another format
///
/// Groups become the grades g, g-1, ..., 1; equal grades become a group. In `groups` the number 1
/// is best; in `qrels`, `qrels-json` and `gains` a higher number is better.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  partita truth convert truth.txt --to qrels\n  partita truth convert qrels.txt --to groups --keep-zero\n  partita truth convert qrels.txt --to preflib --output lists/"
)]
pub(crate) struct ConvertArgs {
    /// Ground truth; `-` is standard input
    truth: String,
    /// Format to write
    #[arg(long, value_name = "FORMAT", value_parser = format_value_parser(TruthFormat::Groups))]
    to: TruthFormat,
    /// Convert only these queries
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    query: Vec<String>,
    #[command(flatten)]
    reading: TruthInputArgs,
    #[command(flatten)]
    destination: Destination,
}

pub(crate) fn run(args: &ConvertArgs) -> Result<(), CliError> {
    let request = ConversionRequest {
        to: args.to.name().to_owned(),
        kind: Some(DataKind::Truth),
        query: args.query.clone(),
        ..args.reading.conversion()
    };
    let hint = Some("`partita convert` also converts runs");
    convert_files(
        request,
        std::slice::from_ref(&args.truth),
        hint,
        &args.destination,
    )
}

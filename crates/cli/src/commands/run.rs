//! `partita run`: conversion of runs.

use clap::{Args, Subcommand};
use partita::ConversionRequest;
use partita::formats::DataKind;
use partita::formats::run::RunFormat;
use partita::named::NamedEnum;

use super::convert::convert_files;
use crate::args::input::RunInputArgs;
use crate::output::destination::Destination;
use crate::output::error::CliError;
use crate::output::result::format_value_parser;

/// Convert runs
#[derive(Debug, Subcommand)]
pub(crate) enum RunCommand {
    Convert(ConvertArgs),
}

/// Write a run in another format
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  partita run convert my.run --to json\n  partita run convert runs.tsv --run-format systems --to systems"
)]
pub(crate) struct ConvertArgs {
    /// Run; `-` is standard input
    run: String,
    /// Format to write
    #[arg(long, value_name = "FORMAT", value_parser = format_value_parser(RunFormat::Systems))]
    to: RunFormat,
    /// Name of a run that has no name of its own [default: file name]
    #[arg(long, value_name = "NAME")]
    tag: Option<String>,
    #[command(flatten)]
    reading: RunInputArgs,
    #[command(flatten)]
    destination: Destination,
}

pub(crate) fn run(command: &RunCommand) -> Result<(), CliError> {
    let RunCommand::Convert(args) = command;
    let request = ConversionRequest {
        to: args.to.name().to_owned(),
        kind: Some(DataKind::Run),
        tag: args.tag.clone(),
        ..args.reading.conversion(ConversionRequest::default())
    };
    let hint = Some("`partita convert` also converts ground truths");
    convert_files(
        request,
        std::slice::from_ref(&args.run),
        hint,
        &args.destination,
    )
}

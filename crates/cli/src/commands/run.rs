//! `partita run`: conversion of runs.

use clap::{Args, Subcommand};
use partita::Run;
use partita::formats::run::{self, RunFile, RunFormat, RunReadOptions};
use partita::formats::{Source, Warning, diagnostic};

use crate::args::input::RunInputArgs;
use crate::output::destination::{Destination, print_warnings};
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
    let source = Source::open(&args.run)?;
    let options = with_run_name(&source, args.tag.as_deref(), args.reading.options());
    let file = run::read(&source, &options).map_err(|error| {
        CliError::from_single_file_error(error, "`partita convert` also converts ground truths")
    })?;
    write(&source, &file, args.to, &args.destination)
}

/// Adds the name of a run that has no name of its own: the tag, or the stem of the file.
pub(super) fn with_run_name(
    source: &Source,
    tag: Option<&str>,
    options: RunReadOptions,
) -> RunReadOptions {
    // A tag is one word, but a file stem may have several.
    let stem = || {
        let words: Vec<&str> = source.stem().split_whitespace().collect();
        words.join("-")
    };
    RunReadOptions {
        name: Some(tag.map_or_else(stem, str::to_owned)),
        ..options
    }
}

/// Writes runs in another format.
pub(super) fn write(
    source: &Source,
    file: &RunFile<Run>,
    format: RunFormat,
    destination: &Destination,
) -> Result<(), CliError> {
    print_warnings(&file.warnings);
    let left_out = run::unwritable_queries(&file.runs, format);
    if !left_out.is_empty() {
        let problem = diagnostic!(EmptyQueries { format, queries = left_out.join(", ") }:
            "queries without any document cannot stand in {format}: {queries}");
        print_warnings(&[Warning::in_file(source.name(), problem)]);
    }
    destination.write(&run::write(&file.runs, format)?)
}

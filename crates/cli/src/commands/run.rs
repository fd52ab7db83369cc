//! `partita run`: runs.

use clap::{Args, Subcommand};
use partita_core::Run;
use partita_formats::run::{self, ReadOptions, RunFile, RunFormat};
use partita_formats::{Source, Warning, problem};

use crate::failure::Failure;
use crate::output::{Destination, warn};
use crate::reading::RunArgs;
use crate::show::format_or_csv;

/// Convert runs
#[derive(Subcommand, Debug)]
pub(crate) enum RunCommand {
    Convert(ConvertArgs),
}

/// Write a run in another format
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  partita run convert my.run --to json\n  partita run convert runs.tsv --run-format systems --to systems"
)]
pub(crate) struct ConvertArgs {
    /// Run; `-` is standard input
    run: String,
    /// Format to write
    #[arg(long, value_name = "FORMAT", value_parser = format_or_csv(RunFormat::Systems))]
    to: RunFormat,
    /// Name of a run that has no name of its own [default: file name]
    #[arg(long, value_name = "NAME")]
    tag: Option<String>,
    #[command(flatten)]
    reading: RunArgs,
    #[command(flatten)]
    destination: Destination,
}

pub(crate) fn run(command: &RunCommand) -> Result<(), Failure> {
    let RunCommand::Convert(args) = command;
    let source = Source::open(&args.run)?;
    let options = named(&source, args.tag.as_deref(), args.reading.options());
    let file = run::read(&source, &options).map_err(|error| {
        Failure::of_only_file(error, "`partita convert` also converts ground truths")
    })?;
    write(&source, &file, args.to, &args.destination)
}

/// Adds the name of a run that has no name of its own: the tag, or the stem of the file.
pub(super) fn named(source: &Source, tag: Option<&str>, options: ReadOptions) -> ReadOptions {
    // A tag is one word, but the stem of a file may have several.
    let stem = || {
        let words: Vec<&str> = source.stem().split_whitespace().collect();
        words.join("-")
    };
    ReadOptions {
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
) -> Result<(), Failure> {
    warn(&file.warnings);
    let left_out = run::left_out(&file.runs, format);
    if !left_out.is_empty() {
        let problem = problem!(EmptyQueries { format, queries = left_out.join(", ") }:
            "queries without any document cannot stand in {format}: {queries}");
        warn(&[Warning::file(source.name(), problem)]);
    }
    destination.write(&run::write(&file.runs, format)?)
}

//! `partita run`: runs.

use clap::{Args, Subcommand};
use partita_formats::run::{self, RunFormat};
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
    /// The run; `-` is standard input
    run: String,
    /// The format to write
    #[arg(long, value_name = "FORMAT", value_parser = format_or_csv(RunFormat::Systems))]
    to: RunFormat,
    /// What the run is called where it has no name of its own
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
    // A stem of several words, as of standard input, makes no tag.
    let stem = || {
        source
            .stem()
            .split_whitespace()
            .collect::<Vec<_>>()
            .join("-")
    };
    let options = run::ReadOptions {
        name: Some(args.tag.clone().unwrap_or_else(stem)),
        ..args.reading.options()
    };
    let file = run::read(&source, &options).map_err(|error| {
        Failure::of_only_file(error, "`partita truth convert` converts ground truths")
    })?;
    warn(&file.warnings);
    let left_out = run::left_out(&file.runs, args.to);
    if !left_out.is_empty() {
        let problem = problem!(EmptyQueries { format = args.to, queries = left_out.join(", ") }:
            "queries without any document cannot stand in {format}: {queries}");
        warn(&[Warning::file(source.name(), problem)]);
    }
    args.destination.write(&run::write(&file.runs, args.to)?)
}

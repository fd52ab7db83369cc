//! `partita run convert`: a run in another format.

use clap::Args;
use partita_formats::run::{self, OpenRuns, RunFormat};
use partita_formats::{Source, Warning};

use crate::failure::Failure;
use crate::output::{Destination, warn};
use crate::reading::{RunArgs, RunFormatName};

/// Write a run in another format
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  partita run convert my.run --to json\n  partita run convert runs.tsv --run-format systems --to systems"
)]
pub(crate) struct ConvertArgs {
    /// The run; `-` is standard input
    run: String,
    /// The format to write
    #[arg(long, value_name = "FORMAT", value_enum)]
    to: RunFormatName,
    /// What the run is called where it has no name of its own
    #[arg(long, value_name = "NAME")]
    tag: Option<String>,
    #[command(flatten)]
    reading: RunArgs,
    #[command(flatten)]
    destination: Destination,
}

pub(crate) fn run(args: &ConvertArgs) -> Result<(), Failure> {
    let source = Source::open(&args.run)?;
    let mut runs = run::read_open(&source, &args.reading.options())?;
    warn(&runs.warnings);
    for run in &mut runs.runs {
        let name = run.own_name.take().or_else(|| args.tag.clone());
        // A stem of several words, as of standard input, makes no tag.
        let stem = || source.stem().split_whitespace().collect::<Vec<_>>();
        run.own_name = Some(name.unwrap_or_else(|| stem().join("-")));
    }
    let format = args.to.format();
    warn(&left_out(&runs, source.name(), format));
    let text = run::write(&runs, format)?;
    args.destination.write(&text)
}

/// Says which queries a format of one line a document has no place for.
fn left_out(runs: &OpenRuns, file: &str, format: RunFormat) -> Option<Warning> {
    if !matches!(format, RunFormat::Trec | RunFormat::Systems) {
        return None;
    }
    let queries = runs.runs.iter().flat_map(|run| &run.queries);
    let empty = queries.filter(|ranking| ranking.groups.is_empty());
    let names: Vec<&str> = empty.map(|ranking| ranking.query.as_str()).collect();
    (!names.is_empty()).then(|| Warning {
        file: file.to_owned(),
        line: None,
        message: format!(
            "queries without any document cannot stand in {}: {}",
            format.name(),
            names.join(", ")
        ),
    })
}

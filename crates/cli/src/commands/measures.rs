//! `partita measures`: definitions of measures.

use clap::Args;
use partita::measure::catalogue;
use partita::report::TableFormat;
use partita::report::views::measures::MeasuresView;

use crate::output::error::CliError;
use crate::output::result::{ResultArgs, ResultFormat};

/// List the measures, or describe one
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  partita measures\n  partita measures nDCG\n  partita measures --format json"
)]
pub(crate) struct MeasuresArgs {
    /// Measure to describe
    name: Option<String>,
    #[command(flatten)]
    show: ResultArgs,
}

pub(crate) fn run(args: &MeasuresArgs) -> Result<(), CliError> {
    let result = catalogue(args.name.as_deref())?;
    let full = args.name.is_some();
    let mut show = args.show.clone();
    if full {
        // A description of a single measure is for a reader, so it is text even in a pipe.
        show.format
            .get_or_insert(ResultFormat::Table(TableFormat::Text));
    }
    let view = MeasuresView {
        result: &result,
        full,
    };
    show.print(&result, &view, Vec::new())
}

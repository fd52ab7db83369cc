//! `partita systems`: definitions of retrieval systems.

use clap::Args;
use partita::melody::systems::{SystemError, catalogue};
use partita::report::TableFormat;
use partita::report::views::melody::search::SystemsView;

use crate::output::error::CliError;
use crate::output::result::{ResultArgs, ResultFormat};

/// List the search systems, or describe one
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  partita systems\n  partita systems ShapeTime\n  partita systems --format json"
)]
pub(crate) struct SystemsArgs {
    /// System to describe
    name: Option<String>,
    #[command(flatten)]
    show: ResultArgs,
}

impl From<SystemError> for CliError {
    fn from(error: SystemError) -> Self {
        Self::input(error.to_string()).with_hint("`partita systems` lists every system")
    }
}

pub(crate) fn run(args: &SystemsArgs) -> Result<(), CliError> {
    let result = catalogue(args.name.as_deref())?;
    let full = args.name.is_some();
    let mut show = args.show.clone();
    if full {
        // A description of a single system is for a reader, so it is text even in a pipe.
        show.format
            .get_or_insert(ResultFormat::Table(TableFormat::Text));
    }
    let view = SystemsView {
        result: &result,
        full,
    };
    show.print(&result, &view, Vec::new())
}

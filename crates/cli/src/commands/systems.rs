//! `partita systems`: every retrieval system with its definition.

use clap::Args;
use partita_melody::system::{SystemError, catalogue};
use partita_report::TableFormat;
use partita_report::search::SystemsView;

use crate::failure::Failure;
use crate::show::{Form, ShowArgs};

/// List the search systems, or describe one
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  partita systems\n  partita systems ShapeTime\n  partita systems --format json"
)]
pub(crate) struct SystemsArgs {
    /// System to describe
    name: Option<String>,
    #[command(flatten)]
    show: ShowArgs,
}

impl From<SystemError> for Failure {
    fn from(error: SystemError) -> Self {
        Self::input(error.to_string()).hint("`partita systems` lists every system")
    }
}

pub(crate) fn run(args: &SystemsArgs) -> Result<(), Failure> {
    let result = catalogue(args.name.as_deref())?;
    let full = args.name.is_some();
    let mut show = args.show.clone();
    if full {
        // Who asks for one reads what it says.
        show.format.get_or_insert(Form::Table(TableFormat::Text));
    }
    let view = SystemsView {
        result: &result,
        full,
    };
    show.show(&result, &view, Vec::new())
}

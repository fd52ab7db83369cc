//! `partita run`: runs.

mod convert;

use clap::Subcommand;

use crate::failure::Failure;

/// Convert runs
#[derive(Subcommand, Debug)]
pub(crate) enum RunCommand {
    Convert(convert::ConvertArgs),
}

pub(crate) fn run(command: &RunCommand) -> Result<(), Failure> {
    match command {
        RunCommand::Convert(args) => convert::run(args),
    }
}

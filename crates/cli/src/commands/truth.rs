//! `partita truth`: ground truths.

mod convert;

use clap::Subcommand;

use crate::failure::Failure;

/// Make and convert ground truths
#[derive(Subcommand, Debug)]
pub(crate) enum TruthCommand {
    Convert(convert::ConvertArgs),
}

pub(crate) fn run(command: &TruthCommand) -> Result<(), Failure> {
    match command {
        TruthCommand::Convert(args) => convert::run(args),
    }
}

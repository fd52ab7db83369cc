//! `partita truth`: commands on ground truths.

mod build;
mod check;
mod compare;
mod convert;
mod scored_runs;
mod study;

use clap::Subcommand;

use crate::output::error::CliError;

/// Build, check and compare ground truths
#[derive(Debug, Subcommand)]
pub(crate) enum TruthCommand {
    Build(Box<build::BuildArgs>),
    Check(Box<check::CheckArgs>),
    Study(study::StudyArgs),
    Compare(compare::CompareArgs),
    #[command(hide = true)]
    Convert(convert::ConvertArgs),
}

pub(crate) fn run(command: &TruthCommand) -> Result<(), CliError> {
    match command {
        TruthCommand::Build(args) => build::run(args),
        TruthCommand::Check(args) => check::run(args),
        TruthCommand::Study(args) => study::run(args),
        TruthCommand::Compare(args) => compare::run(args),
        TruthCommand::Convert(args) => convert::run(args),
    }
}

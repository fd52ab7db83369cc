//! `partita truth`: commands on ground truths.

mod build;
mod check;
mod compare;
pub(super) mod convert;
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

/// Returns the query if it is a valid file name.
pub(super) fn query_file_name(query: &str) -> Result<&str, CliError> {
    if query.contains(['/', '\\']) || query.starts_with('.') {
        let message = format!("the query `{query}` cannot be the name of a file");
        return Err(CliError::input(message));
    }
    Ok(query)
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

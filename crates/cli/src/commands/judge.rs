//! `partita judge`: campaigns of preference judgments.

mod simulate;

use clap::Subcommand;

use crate::failure::Failure;

/// Plan, run and read campaigns of preference judgments
#[derive(Subcommand, Debug)]
pub(crate) enum JudgeCommand {
    Simulate(Box<simulate::SimulateArgs>),
}

pub(crate) fn run(command: &JudgeCommand) -> Result<(), Failure> {
    match command {
        JudgeCommand::Simulate(args) => simulate::run(args),
    }
}

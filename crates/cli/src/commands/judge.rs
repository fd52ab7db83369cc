//! `partita judge`: campaigns of preference judgments.

mod agree;
mod batches;
mod format;
mod screen;
mod simulate;

use clap::Subcommand;

use crate::failure::Failure;

/// Plan, run and read campaigns of preference judgments
#[derive(Subcommand, Debug)]
pub(crate) enum JudgeCommand {
    Agree(Box<agree::AgreeArgs>),
    Batches(Box<batches::BatchesArgs>),
    Screen(Box<screen::ScreenArgs>),
    Simulate(Box<simulate::SimulateArgs>),
}

pub(crate) fn run(command: &JudgeCommand) -> Result<(), Failure> {
    match command {
        JudgeCommand::Agree(args) => agree::run(args),
        JudgeCommand::Batches(args) => batches::run(args),
        JudgeCommand::Screen(args) => screen::run(args),
        JudgeCommand::Simulate(args) => simulate::run(args),
    }
}

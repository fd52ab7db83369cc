//! `partita judge`: campaigns of preference judgments.

mod add;
mod add_rankings_and_grades;
mod agree;
mod batches;
pub(crate) mod campaign_log;
mod decide;
mod exclude;
mod export;
mod init;
mod lifecycle;
mod next;
mod replay;
mod screen;
mod sheets;
mod simulate;
mod status;
mod verify;

use clap::Subcommand;

use crate::output::destination::print_message;
use crate::output::error::CliError;

/// Collect judgments of which of two items is closer to a query
///
/// A campaign is one log file. Every command adds to it and none changes earlier lines, so a
/// campaign can be stopped and continued at any point. `init` creates it, `next` prints the pairs
/// to ask now, and `add` reads the answers. Repeat both until `status` shows that all lists are
/// settled; `export` then writes the lists.
#[derive(Debug, Subcommand)]
pub(crate) enum JudgeCommand {
    Init(Box<init::InitArgs>),
    Next(next::NextArgs),
    Add(add::AddArgs),
    Status(status::StatusArgs),
    Decide(decide::DecideArgs),
    Screen(Box<screen::ScreenArgs>),
    Exclude(exclude::ExcludeArgs),
    Readmit(exclude::ReadmitArgs),
    Votes(lifecycle::VotesArgs),
    Extend(lifecycle::ExtendArgs),
    Pause(lifecycle::PauseArgs),
    Resume(lifecycle::ResumeArgs),
    Close(lifecycle::CloseArgs),
    Retract(lifecycle::RetractArgs),
    Export(export::ExportArgs),
    Replay(replay::ReplayArgs),
    Verify(verify::VerifyArgs),
    Batches(Box<batches::BatchesArgs>),
    Agree(Box<agree::AgreeArgs>),
    Simulate(Box<simulate::SimulateArgs>),
}

pub(crate) fn run(command: &JudgeCommand) -> Result<(), CliError> {
    match command {
        JudgeCommand::Init(args) => init::run(args),
        JudgeCommand::Next(args) => next::run(args),
        JudgeCommand::Add(args) => add::run(args),
        JudgeCommand::Status(args) => status::run(args),
        JudgeCommand::Decide(args) => decide::run(args),
        JudgeCommand::Screen(args) => screen::run(args),
        JudgeCommand::Exclude(args) => exclude::exclude(args),
        JudgeCommand::Readmit(args) => exclude::readmit(args),
        JudgeCommand::Votes(args) => lifecycle::votes(args),
        JudgeCommand::Extend(args) => lifecycle::extend(args),
        JudgeCommand::Pause(args) => lifecycle::pause(args),
        JudgeCommand::Resume(args) => lifecycle::resume(args),
        JudgeCommand::Close(args) => lifecycle::close(args),
        JudgeCommand::Retract(args) => lifecycle::retract(args),
        JudgeCommand::Export(args) => export::run(args),
        JudgeCommand::Replay(args) => replay::run(args),
        JudgeCommand::Verify(args) => verify::run(args),
        JudgeCommand::Batches(args) => batches::run(args),
        JudgeCommand::Agree(args) => agree::run(args),
        JudgeCommand::Simulate(args) => simulate::run(args),
    }
}

/// Formats a count with its noun, as in `1 pair` or `2 pairs`.
fn pluralise(count: impl Into<u64>, thing: &str) -> String {
    match count.into() {
        1 => format!("1 {thing}"),
        count => format!("{count} {thing}s"),
    }
}

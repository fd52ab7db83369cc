//! `partita campaign`, and its alias `partita judge`: campaigns of judgments, in files and on servers.

mod add;
mod add_rankings_and_grades;
mod agree;
mod answers;
mod batches;
pub(crate) mod campaign_log;
pub(crate) mod campaign_place;
mod decide;
mod exclude;
mod export;
mod init;
mod lifecycle;
mod next;
mod replay;
mod screen;
#[cfg(feature = "server")]
pub(crate) mod server_campaigns;
mod sheets;
mod simulate;
mod status;
mod verify;

use clap::Subcommand;

use crate::output::destination::print_message;
use crate::output::error::CliError;

/// Run a campaign of judgments, in a file or on a server
///
/// A campaign in a file is one log file. Every command adds to it and none changes earlier lines,
/// so a campaign can be stopped and continued at any point. `init` creates it, `next` prints the
/// pairs to ask now, and `add` reads the answers. Repeat both until `status` shows that all lists
/// are settled; `export` then writes the lists.
///
/// A campaign on a server is made by `create`; its assessors answer in their browsers. With --data
/// or --database, the other commands take its name instead of a log file, while the server runs or
/// not.
#[derive(Debug, Subcommand)]
pub(crate) enum CampaignCommand {
    Init(Box<init::InitArgs>),
    Next(next::NextArgs),
    Add(add::AddArgs),
    #[cfg(feature = "server")]
    Create(server_campaigns::CreateArgs),
    #[cfg(feature = "server")]
    List(server_campaigns::ListArgs),
    #[cfg(feature = "server")]
    Invite(server_campaigns::InviteArgs),
    #[cfg(feature = "server")]
    Log(server_campaigns::LogArgs),
    #[cfg(feature = "server")]
    Delete(server_campaigns::DeleteArgs),
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

pub(crate) fn run(command: &CampaignCommand) -> Result<(), CliError> {
    use CampaignCommand as Verb;
    match command {
        Verb::Init(args) => init::run(args),
        Verb::Next(args) => next::run(args),
        Verb::Add(args) => add::run(args),
        #[cfg(feature = "server")]
        Verb::Create(args) => server_campaigns::create(args),
        #[cfg(feature = "server")]
        Verb::List(args) => server_campaigns::list(args),
        #[cfg(feature = "server")]
        Verb::Invite(args) => server_campaigns::invite(args),
        #[cfg(feature = "server")]
        Verb::Log(args) => server_campaigns::log(args),
        #[cfg(feature = "server")]
        Verb::Delete(args) => server_campaigns::delete(args),
        Verb::Status(args) => status::run(args),
        Verb::Decide(args) => decide::run(args),
        Verb::Screen(args) => screen::run(args),
        Verb::Exclude(args) => exclude::exclude(args),
        Verb::Readmit(args) => exclude::readmit(args),
        Verb::Votes(args) => lifecycle::votes(args),
        Verb::Extend(args) => lifecycle::extend(args),
        Verb::Pause(args) => lifecycle::pause(args),
        Verb::Resume(args) => lifecycle::resume(args),
        Verb::Close(args) => lifecycle::close(args),
        Verb::Retract(args) => lifecycle::retract(args),
        Verb::Export(args) => export::run(args),
        Verb::Replay(args) => replay::run(args),
        Verb::Verify(args) => verify::run(args),
        Verb::Batches(args) => batches::run(args),
        Verb::Agree(args) => agree::run(args),
        Verb::Simulate(args) => simulate::run(args),
    }
}

/// Formats a count with its noun, as in `1 pair` or `2 pairs`.
fn pluralise(count: impl Into<u64>, thing: &str) -> String {
    match count.into() {
        1 => format!("1 {thing}"),
        count => format!("{count} {thing}s"),
    }
}

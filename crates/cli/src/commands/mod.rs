//! Commands, one file each.

pub(crate) mod campaign;
#[cfg(feature = "melody")]
mod collection;
mod compare;
mod completions;
mod convert;
mod demo;
mod evaluate;
pub(crate) mod features;
mod help_groups;
mod help_guides;
mod measures;
mod plan;
mod reliability;
mod run;
#[cfg(feature = "melody")]
mod search;
#[cfg(feature = "server")]
mod serve;
#[cfg(feature = "server")]
mod server_storage;
mod stats;
mod suggestions;
#[cfg(feature = "melody")]
mod systems;
#[cfg(feature = "server")]
mod token;
mod truth;
#[cfg(feature = "melody")]
mod tune;

use clap::{CommandFactory, FromArgMatches, Parser};

use crate::output::error::CliError;
use features::{refuse_missing_commands, with_missing_commands};
use help_groups::with_groups;
use help_guides::with_guides;
use suggestions::{with_aliases, with_suggestion};

/// Build ground truths of partially ordered lists from human judgments, and compare retrieval
/// systems with them
#[derive(Debug, Parser)]
#[command(name = "partita", version, max_term_width = 100, after_help = AFTER_HELP)]
pub(crate) enum Command {
    Evaluate(Box<evaluate::EvaluateArgs>),
    Measures(measures::MeasuresArgs),
    Compare(Box<compare::CompareArgs>),
    #[command(subcommand)]
    Truth(truth::TruthCommand),
    #[cfg(feature = "melody")]
    #[command(subcommand)]
    Collection(collection::CollectionCommand),
    #[cfg(feature = "melody")]
    Search(Box<search::SearchArgs>),
    #[cfg(feature = "melody")]
    Systems(systems::SystemsArgs),
    #[cfg(feature = "melody")]
    Tune(Box<tune::TuneArgs>),
    #[command(subcommand)]
    Campaign(campaign::CampaignCommand),
    #[command(subcommand, about = "Alias of `campaign`")]
    Judge(campaign::CampaignCommand),
    #[cfg(feature = "server")]
    Serve(Box<serve::ServeArgs>),
    #[cfg(feature = "server")]
    #[command(subcommand)]
    Token(token::TokenCommand),
    #[cfg(feature = "server")]
    Backup(server_storage::BackupArgs),
    #[cfg(feature = "server")]
    Restore(server_storage::RestoreArgs),
    #[cfg(feature = "server")]
    Verify(server_storage::VerifyArgs),
    #[cfg(feature = "server")]
    Move(server_storage::MoveArgs),
    Convert(Box<convert::any_kind::ConvertArgs>),
    #[command(subcommand, hide = true)]
    Run(run::RunCommand),
    #[command(subcommand, hide = true)]
    Rankings(convert::RankingsCommand),
    #[command(subcommand, hide = true)]
    Preferences(convert::PreferencesCommand),
    #[command(subcommand, hide = true)]
    Scores(convert::ScoresCommand),
    Plan(Box<plan::PlanArgs>),
    Reliability(Box<reliability::ReliabilityArgs>),
    Stats(stats::StatsArgs),
    Demo(demo::DemoArgs),
    Completions(completions::CompletionsArgs),
    Man(completions::ManArgs),
}

const AFTER_HELP: &str = "\
Examples:
  partita demo
  partita evaluate --truth truth.txt my.run
  partita compare scores.csv
  partita plan scores.csv
  partita reliability scores.csv --strata genres.csv
  partita convert truth.txt --to qrels
  partita measures ADR";

impl Command {
    /// Parses the arguments; help and usage errors end the program.
    pub(crate) fn parse_arguments() -> Self {
        let program = with_guides(with_groups(Self::command()));
        let program = with_missing_commands(with_aliases(program));
        let matches = program.try_get_matches().and_then(refuse_missing_commands);
        let command = matches.and_then(|matches| Self::from_arg_matches(&matches));
        command.unwrap_or_else(|error| with_suggestion(error).exit())
    }

    pub(crate) fn run(self) -> Result<(), CliError> {
        match self {
            Self::Evaluate(args) => evaluate::run(&args),
            Self::Measures(args) => measures::run(&args),
            Self::Compare(args) => compare::run(&args),
            Self::Truth(command) => truth::run(&command),
            #[cfg(feature = "melody")]
            Self::Collection(command) => collection::run(&command),
            #[cfg(feature = "melody")]
            Self::Search(args) => search::run(&args),
            #[cfg(feature = "melody")]
            Self::Systems(args) => systems::run(&args),
            #[cfg(feature = "melody")]
            Self::Tune(args) => tune::run(&args),
            Self::Campaign(command) | Self::Judge(command) => campaign::run(&command),
            #[cfg(feature = "server")]
            Self::Serve(args) => serve::run(&args),
            #[cfg(feature = "server")]
            Self::Token(command) => token::run(&command),
            #[cfg(feature = "server")]
            Self::Backup(args) => server_storage::backup(&args),
            #[cfg(feature = "server")]
            Self::Restore(args) => server_storage::restore(&args),
            #[cfg(feature = "server")]
            Self::Verify(args) => server_storage::verify(&args),
            #[cfg(feature = "server")]
            Self::Move(args) => server_storage::move_storage(&args),
            Self::Convert(args) => convert::any_kind::run(&args),
            Self::Run(command) => run::run(&command),
            Self::Rankings(command) => convert::rankings(&command),
            Self::Preferences(command) => convert::preferences(&command),
            Self::Scores(command) => convert::scores(&command),
            Self::Plan(args) => plan::run(&args),
            Self::Reliability(args) => reliability::run(&args),
            Self::Stats(args) => stats::run(&args),
            Self::Demo(args) => demo::run(&args),
            Self::Completions(args) => completions::completions(&args, Self::command()),
            Self::Man(args) => completions::man(&args, with_guides(Self::command())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn clap_accepts_the_command_definitions() {
        Command::command().debug_assert();
    }
}

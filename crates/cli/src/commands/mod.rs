//! The commands, one file each.

mod campaign;
mod collection;
mod compare;
mod completions;
mod convert;
mod demo;
mod evaluate;
mod guesses;
mod guides;
mod help_groups;
pub(crate) mod judge;
mod measures;
mod plan;
mod reliability;
mod run;
mod search;
mod serve;
mod stats;
mod storage;
mod systems;
mod token;
mod truth;
mod tune;

use clap::{CommandFactory, FromArgMatches, Parser};

use crate::failure::Failure;
use guesses::{understood, with_the_right_word};
use guides::with_guides;
use help_groups::with_groups;

/// Build ground truths of partially ordered lists from human judgments, and compare retrieval
/// systems with them
#[derive(Parser, Debug)]
#[command(name = "partita", version, max_term_width = 100, after_help = AFTER_HELP)]
pub(crate) enum Command {
    Evaluate(Box<evaluate::EvaluateArgs>),
    Measures(measures::MeasuresArgs),
    Compare(Box<compare::CompareArgs>),
    #[command(subcommand)]
    Truth(truth::TruthCommand),
    #[command(subcommand)]
    Collection(collection::CollectionCommand),
    Search(Box<search::SearchArgs>),
    Systems(systems::SystemsArgs),
    Tune(Box<tune::TuneArgs>),
    #[command(subcommand)]
    Judge(judge::JudgeCommand),
    Serve(Box<serve::ServeArgs>),
    #[command(subcommand)]
    Campaign(campaign::CampaignCommand),
    #[command(subcommand)]
    Token(token::TokenCommand),
    Backup(storage::BackupArgs),
    Restore(storage::RestoreArgs),
    Verify(storage::VerifyArgs),
    Move(storage::MoveArgs),
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
    /// What the arguments of the program ask for; help and wrong use end the program.
    pub(crate) fn of_arguments() -> Self {
        let matches = understood(with_guides(with_groups(Self::command()))).try_get_matches();
        let command = matches.and_then(|matches| Self::from_arg_matches(&matches));
        command.unwrap_or_else(|error| with_the_right_word(error).exit())
    }

    pub(crate) fn run(self) -> Result<(), Failure> {
        match self {
            Self::Evaluate(args) => evaluate::run(&args),
            Self::Measures(args) => measures::run(&args),
            Self::Compare(args) => compare::run(&args),
            Self::Truth(command) => truth::run(&command),
            Self::Collection(command) => collection::run(&command),
            Self::Search(args) => search::run(&args),
            Self::Systems(args) => systems::run(&args),
            Self::Tune(args) => tune::run(&args),
            Self::Judge(command) => judge::run(&command),
            Self::Serve(args) => serve::run(&args),
            Self::Campaign(command) => campaign::run(&command),
            Self::Token(command) => token::run(&command),
            Self::Backup(args) => storage::backup(&args),
            Self::Restore(args) => storage::restore(&args),
            Self::Verify(args) => storage::verify(&args),
            Self::Move(args) => storage::move_all(&args),
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
    fn the_command_line_is_consistent() {
        Command::command().debug_assert();
    }
}

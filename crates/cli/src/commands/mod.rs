//! The commands, one file each.

mod compare;
mod demo;
mod evaluate;
pub(crate) mod judge;
mod measures;
mod plan;
mod reliability;
mod run;
mod stats;
mod truth;

use clap::{CommandFactory, FromArgMatches, Parser};

use crate::failure::Failure;

/// Turns people's judgments into ground truths of partially ordered lists, and compares retrieval
/// systems with them.
#[derive(Parser, Debug)]
#[command(name = "partita", version, max_term_width = 100, after_help = AFTER_HELP)]
pub(crate) enum Command {
    Evaluate(Box<evaluate::EvaluateArgs>),
    Measures(measures::MeasuresArgs),
    Compare(Box<compare::CompareArgs>),
    #[command(subcommand)]
    Truth(truth::TruthCommand),
    #[command(subcommand)]
    Judge(judge::JudgeCommand),
    #[command(subcommand)]
    Run(run::RunCommand),
    Plan(Box<plan::PlanArgs>),
    Reliability(Box<reliability::ReliabilityArgs>),
    Stats(stats::StatsArgs),
    Demo(demo::DemoArgs),
}

const AFTER_HELP: &str = "\
Examples:
  partita demo
  partita evaluate --truth truth.txt my.run
  partita compare scores.csv
  partita plan scores.csv
  partita reliability scores.csv --strata genres.csv
  partita measures ADR";

/// The command and all below it, with words for choices understood whatever the case of their letters.
fn whatever_the_case(command: clap::Command) -> clap::Command {
    let command = command.mut_args(|argument| {
        let takes_a_word = argument.get_action().takes_values();
        argument.ignore_case(takes_a_word)
    });
    command.mut_subcommands(whatever_the_case)
}

impl Command {
    /// What the arguments of the program ask for; help and wrong use end the program.
    pub(crate) fn of_arguments() -> Self {
        let matches = whatever_the_case(Self::command()).get_matches();
        Self::from_arg_matches(&matches).unwrap_or_else(|error| error.exit())
    }

    pub(crate) fn run(self) -> Result<(), Failure> {
        match self {
            Self::Evaluate(args) => evaluate::run(&args),
            Self::Measures(args) => measures::run(&args),
            Self::Compare(args) => compare::run(&args),
            Self::Truth(command) => truth::run(&command),
            Self::Judge(command) => judge::run(&command),
            Self::Run(command) => run::run(&command),
            Self::Plan(args) => plan::run(&args),
            Self::Reliability(args) => reliability::run(&args),
            Self::Stats(args) => stats::run(&args),
            Self::Demo(args) => demo::run(&args),
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

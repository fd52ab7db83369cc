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
    use std::collections::BTreeSet;

    use super::*;
    use clap::CommandFactory;

    #[test]
    fn clap_accepts_the_command_definitions() {
        Command::command().debug_assert();
    }

    /// Options that no request has: files, output, and threads.
    const NOT_IN_REQUESTS: [&str; 26] = [
        "batch_gap",
        "calibrate",
        "caption",
        "details",
        "equal",
        "figure",
        "format",
        "gold",
        "in",
        "into",
        "kind",
        "latex_label",
        "map",
        "oracle",
        "output",
        "pairs",
        "per_query",
        "program",
        "queries",
        "query",
        "run",
        "soundfont",
        "strata",
        "tag",
        "threads",
        "truth",
    ];

    /// Checks that a command has all options of its requests, and the requests all options of the
    /// command except [`NOT_IN_REQUESTS`].
    fn assert_same_options(path: &str, parts: &[&[&str]]) {
        let mut command = Command::command();
        for name in path.split(' ') {
            let inner = command.find_subcommand(name);
            command = inner.expect("there is such a command").clone();
        }
        let options = command.get_arguments().filter_map(clap::Arg::get_long);
        let options: BTreeSet<String> = options.map(|name| name.replace('-', "_")).collect();
        let fields: BTreeSet<String> = parts.concat().into_iter().map(str::to_owned).collect();
        let unknown: Vec<_> = fields.difference(&options).collect();
        assert!(unknown.is_empty(), "{path} has no options {unknown:?}");
        let mut missing: Vec<_> = options.difference(&fields).collect();
        missing.retain(|name| !NOT_IN_REQUESTS.contains(&name.as_str()));
        assert!(
            missing.is_empty(),
            "the requests of {path} lack {missing:?}"
        );
    }

    #[test]
    fn requests_have_the_options_of_their_commands() {
        use partita::comparison::ComparisonRequest;
        use partita::evaluation::EvaluationRequest;
        use partita::formats::run::RunReadOptions;
        use partita::formats::scores::ScoresReadOptions;
        use partita::formats::truth::TruthReadOptions;
        use partita::judging::simulate::{AssessorTraits, SimulationRequest};
        use partita::plan::PlanRequest;
        use partita::reliability::ReliabilityRequest;
        use partita::significance::ResamplingOptions;
        use partita::{ConversionRequest, option_names};

        let (truth, runs) = (
            option_names::<TruthReadOptions>(),
            option_names::<RunReadOptions>(),
        );
        let scores = option_names::<ScoresReadOptions>();
        assert_same_options(
            "evaluate",
            &[option_names::<EvaluationRequest>(), truth, runs],
        );
        assert_same_options("compare", &[option_names::<ComparisonRequest>(), scores]);
        assert_same_options(
            "reliability",
            &[option_names::<ReliabilityRequest>(), scores],
        );
        assert_same_options("plan", &[option_names::<PlanRequest>(), scores]);
        assert_same_options("stats", &[option_names::<ResamplingOptions>(), &["list"]]);
        assert_same_options("convert", &[option_names::<ConversionRequest>()]);
        let people = option_names::<AssessorTraits>();
        assert_same_options(
            "campaign simulate",
            &[option_names::<SimulationRequest>(), people],
        );
        #[cfg(feature = "melody")]
        {
            use partita::melody::audio::renderer::RenderRequest;
            use partita::melody::collection::ImportRequest;
            use partita::melody::readers::MelodyReadOptions;
            use partita::melody::search::SearchRequest;
            use partita::melody::search::candidates::CandidatesRequest;
            use partita::melody::search::tuning::TuningRequest;

            assert_same_options("search", &[option_names::<SearchRequest>()]);
            assert_same_options(
                "tune",
                &[option_names::<TuningRequest>(), truth, &["groups"]],
            );
            let candidates = option_names::<CandidatesRequest>();
            assert_same_options("collection candidates", &[candidates, runs]);
            let reading = option_names::<MelodyReadOptions>();
            assert_same_options(
                "collection import",
                &[option_names::<ImportRequest>(), reading],
            );
            assert_same_options("collection render", &[option_names::<RenderRequest>()]);
        }
    }
}

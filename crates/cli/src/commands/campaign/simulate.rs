//! `partita campaign simulate`: comparison of strategies by simulation.

use std::path::Path;

use clap::Args;
use partita::formats::campaign::recorded_votes;
use partita::formats::{Source, Warning};
use partita::judging::simulate::{
    AnswerSource, AssessorTraits, CONTENDER_NAMES, CalibrationTarget, DEFAULT_CONTENDERS,
    RecordedAnswers, SimulationError, SimulationRequest, parse_list_sizes, simulate,
};
use partita::judging::{DecisionRule, GroupingRule, PooledStrategy};
use partita::report::views::campaign::quality_figures;

use crate::args::preferences::{PreferenceInputArgs, PriceArgs};
use crate::args::rankings::parse_alpha;
use crate::args::threads::ThreadArgs;
use crate::output::error::CliError;
use crate::output::figure::FigureTarget;
use crate::output::result::ResultArgs;

/// Simulate strategies on simulated assessors or recorded votes
///
/// Every strategy asks about the same lists and gets the same answers. Its lists are compared with
/// the truth: the share of pairs in the wrong order, the ADR, and the share of pairs whose relation
/// (before, equal, after) is right. The votes that it needs to be as good as the first strategy are
/// given as a share of the votes of that strategy, and of sort-ordered if it is included: the same
/// votes and groups as sort, with its ties broken at no cost. Intervals come from resampling the
/// lists; an interval is open if the strategy was never as good in more than 2.5% of the resamples.
///
/// pooled and random are shown at many numbers of votes. A campaign stops at one of them, which is
/// marked: where a list is settled (--settled, only pooled) or its budget of votes is spent. The
/// list may be worse there than that of sort.
///
/// Recorded votes (--oracle) are lines `id1,id2,n,v1,...,vn`. Lists are drawn from their items. The
/// truth of a list comes from votes about its items against other items, which no strategy sees.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct SimulateArgs {
    #[arg(long, value_name = "NAME,...", value_delimiter = ',', help = strategies_help())]
    strategies: Option<Vec<String>>,
    /// Number of resamples of the lists for the intervals
    #[arg(long, value_name = "N", default_value_t = 300)]
    resamples: usize,
    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    work: ThreadArgs,
    // The heading of these options also applies to later options that have none.
    #[command(flatten)]
    lists: ListArgs,
    #[command(flatten)]
    voting: VoteArgs,
    /// Draw the share of pairs in the wrong order against the votes, a curve per strategy; a folder gets
    /// this, ADR and the share of right relations
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    figure: Option<FigureTarget>,
    #[command(flatten)]
    show: ResultArgs,
    #[command(flatten)]
    people: AssessorTraitArgs,
    #[command(flatten)]
    price: PriceArgs,
}

/// Lists that the strategies build.
#[derive(Debug, Args)]
#[command(next_help_heading = "Lists")]
struct ListArgs {
    /// Recorded votes to answer from: a file, or a folder with one CSV file, relative to the
    /// current folder or to the folder of real data
    #[arg(long, value_name = "FILE")]
    oracle: Option<String>,
    /// Largest recorded vote, in absolute value, that counts as equal
    #[arg(
        long,
        value_name = "SIZE",
        default_value_t = 0.125,
        requires = "oracle"
    )]
    equal: f64,
    /// Number of lists
    #[arg(long, alias = "trials", value_name = "N", default_value_t = 60)]
    lists: usize,
    /// The number of items of a list: one, or the least and the most
    #[arg(long, value_name = "N|LEAST:MOST", value_parser = parse_list_sizes, default_value = "14:24")]
    items: (usize, usize),
}

/// Votes and the decision on pairs.
#[derive(Debug, Args)]
#[command(next_help_heading = "Votes and decisions")]
struct VoteArgs {
    /// Smallest mean vote that separates two items in model-based lists, in standard deviations of
    /// a vote
    #[arg(long, value_name = "SPREADS", default_value_t = GroupingRule::DEFAULT_MATTERS)]
    matters: f64,
    /// How settled a list must be before a campaign with `pooled` stops asking about it: the
    /// expected share of pairs in the wrong order, by a difference that matters. The curve of
    /// `pooled` goes beyond that point
    #[arg(long, value_name = "SHARE", default_value_t = PooledStrategy::DEFAULT_SETTLED)]
    settled: f64,
    /// Votes per pair, or the maximum if the strategy needs fewer
    #[arg(long, value_name = "N", default_value_t = 10)]
    votes: u32,
    /// Rule that decides a pair from its votes in the sort
    #[arg(long, value_name = "RULE", default_value = "mwu")]
    decide: DecisionRule,
    /// Significance level of that rule
    #[arg(long, value_name = "LEVEL", default_value_t = 0.25)]
    alpha: f64,
    /// Seconds per answer
    #[arg(long, value_name = "SECONDS", default_value_t = 21.75)]
    seconds: f64,
}

/// Parameters of simulated assessors.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Simulated assessors")]
struct AssessorTraitArgs {
    /// Standard deviation of the perceived similarity; neighbouring groups are 1 apart on average
    #[arg(long, value_name = "SD", conflicts_with = "oracle")]
    noise: Option<f64>,
    /// Smallest perceived difference at which two items are distinguished
    #[arg(long, value_name = "WIDTH", conflicts_with = "oracle")]
    band: Option<f64>,
    /// Share of answers given without attention
    #[arg(long, value_name = "SHARE", default_value_t = 0.2)]
    careless: f64,
    /// Bonus of the item that is shown first
    #[arg(
        long,
        value_name = "BIAS",
        default_value_t = 0.0,
        allow_negative_numbers = true
    )]
    bias: f64,
    /// Fit the noise and the band so that people agree, and call items equal, as often as in these
    /// recorded preferences [default: the archive of Urbano et al. (2010)]
    #[arg(long, value_name = "FILE", conflicts_with = "oracle")]
    calibrate: Option<String>,
    #[command(flatten)]
    reading: PreferenceInputArgs,
}

const AFTER_HELP: &str = "\
Examples:
  partita campaign simulate
  partita campaign simulate --strategies sort,pooled --lists 200 --careless 0.3
  partita campaign simulate --oracle votes.csv --lists 300 --format json
  partita campaign simulate --oracle votes.csv --equal 0.375
  partita campaign simulate --strategies sort,random,pooled --figure curves.svg";

fn strategies_help() -> String {
    format!(
        "The strategies, the first being the baseline: sort, sort:VOTES, sort-ordered, sort-curtailed, \
         sort-predictive:P/P/..., sort-refitted:P/P/..., pooled and random [default: \
         {DEFAULT_CONTENDERS}]"
    )
}

impl SimulateArgs {
    fn request(&self) -> Result<SimulationRequest, CliError> {
        let usual = || DEFAULT_CONTENDERS.split(',').map(str::to_owned).collect();
        Ok(SimulationRequest {
            strategies: self.strategies.clone().unwrap_or_else(usual),
            lists: self.lists.lists,
            items: self.lists.items,
            votes: self.voting.votes,
            rule: (self.voting.decide).with_alpha(parse_alpha("--alpha", self.voting.alpha)?),
            matters: self.voting.matters,
            settled: self.voting.settled,
            price: self.price.price()?,
            seconds: self.voting.seconds,
            resamples: self.resamples,
            seed: self.seed,
        })
    }

    /// Simulates the strategies on this source of answers and prints the result.
    fn run_simulation(
        &self,
        request: &SimulationRequest,
        answering: AnswerSource<'_>,
        warnings: Vec<Warning>,
    ) -> Result<(), CliError> {
        let work = self.work.workers();
        let simulation = simulate(request, answering, &work)
            .map_err(|error| simulation_error(self.lists.oracle.as_deref(), error))?;
        if let Some(place) = &self.figure {
            let figures = quality_figures(&simulation);
            place.write(figures.map(|(name, figure)| (name.to_owned(), figure)))?;
        }
        self.show.print(&simulation, &simulation, warnings)
    }
}

pub(crate) fn run(args: &SimulateArgs) -> Result<(), CliError> {
    let request = args.request()?;
    let mut warnings = Vec::new();
    if let Some(file) = &args.lists.oracle {
        let read = recorded_votes::read(&Source::open(&locate_votes_file(file))?)?;
        warnings.extend(read.warnings);
        let answers = RecordedAnswers::from_vote_sizes(&read.items, &read.pairs, args.lists.equal)?;
        return args.run_simulation(&request, AnswerSource::Recorded(&answers), warnings);
    }
    let people = &args.people;
    let mut goal = CalibrationTarget::URBANO_2010;
    if let Some(file) = &people.calibrate {
        let read = people.reading.read(file, &[])?;
        warnings.extend(read.warnings);
        goal = CalibrationTarget::from_preferences(&read.preferences)
            .map_err(|error| CliError::input(format!("{file}: {error}")))?;
    }
    let traits = AssessorTraits {
        noise: people.noise,
        band: people.band,
        careless: people.careless,
        bias: people.bias,
    };
    args.run_simulation(&request, AnswerSource::Simulated { traits, goal }, warnings)
}

fn simulation_error(oracle: Option<&str>, error: SimulationError) -> CliError {
    match error {
        SimulationError::OutOfRange(error) => error.into(),
        SimulationError::Strategy(_) => {
            CliError::input(error.to_string()).with_hint(format!("there are {CONTENDER_NAMES}"))
        }
        SimulationError::TooFewItems { .. } => {
            let place = oracle.map_or(String::new(), |file| format!("{file}: "));
            CliError::input(format!("{place}{error}"))
                .with_hint("make lists shorter with `--items`")
        }
        SimulationError::Stopped(_) => CliError::input(error.to_string()),
    }
}

/// Returns the path of the votes file. A path that does not exist in the current folder is looked
/// up in the folder of real data. For a folder, returns its only CSV file.
fn locate_votes_file(file: &str) -> String {
    let data = std::env::var("PARTITA_DATA").ok();
    let place = match (Path::new(file), &data) {
        (path, Some(data)) if !path.exists() => Path::new(data).join(file),
        (path, _) => path.to_path_buf(),
    };
    if place.is_file() {
        return place.to_string_lossy().into_owned();
    }
    let entries = std::fs::read_dir(place).into_iter().flatten().flatten();
    let paths = entries.map(|entry| entry.path());
    let mut csv = paths.filter(|path| path.extension().is_some_and(|ending| ending == "csv"));
    match (csv.next(), csv.next()) {
        (Some(only), None) => only.to_string_lossy().into_owned(),
        _ => file.to_owned(),
    }
}

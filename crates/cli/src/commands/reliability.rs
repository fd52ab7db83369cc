//! `partita reliability`: reliability of the conclusions of an evaluation.

use clap::Args;
use partita::comparison::ComparisonPreset;
use partita::formats::Source;
use partita::reliability::{QuerySetSizes, ReliabilityError, ReliabilityRequest};
use partita::report::views::reliability::{
    ReliabilityView, conflicts_figure, discrimination_figure, power_figure,
};
use partita::significance::{TestGoal, system_tests};
use partita::truth::Tails;
use partita::{ScoresJobError, study_scores};

use crate::args::input::check_single_stdin;
use crate::args::scores::ScoresArgs;
use crate::args::threads::ThreadArgs;
use crate::output::error::CliError;
use crate::output::figure::FigureTarget;
use crate::output::result::{ResultArgs, named_value_parser};

/// Estimate how often other queries give the same conclusions
///
/// Draws query sets of many sizes from the given queries, stratified if strata are given, and tests
/// all pairs of systems on each. The share of significant pairs is the power of the evaluation. A
/// second set without a common query stands for another evaluation: a pair that is significant in
/// both is stable. A pair that is significant in the first and not confirmed by the second is a
/// conflict, from lack of power or from a swapped sign (Urbano, Martín, Marrero and Morato, ISMIR
/// 2011).
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP, after_long_help = AFTER_LONG_HELP.as_str())]
pub(crate) struct ReliabilityArgs {
    #[command(flatten)]
    input: ScoresArgs,
    #[command(flatten)]
    work: ThreadArgs,
    #[command(flatten)]
    query_sets: QuerySetArgs,
    #[command(flatten)]
    testing: TestArgs,
    /// Draw power against the number of queries; a folder gets power.svg, conflicts.svg and
    /// discrimination.svg, the share of significant pairs at every level
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    figure: Option<FigureTarget>,
    /// Print all classes of conflicts at every size, significant pairs by level, and the best query sets
    #[arg(long, help_heading = "Output")]
    details: bool,
    #[command(flatten)]
    show: ResultArgs,
}

/// Query sets that are drawn.
#[derive(Debug, Args)]
#[command(next_help_heading = "Query sets")]
struct QuerySetArgs {
    /// Strata of the queries, as a file query,stratum [default: the column `stratum` of a matrix,
    /// else no strata]
    #[arg(long, value_name = "FILE")]
    strata: Option<String>,
    /// Sizes of the query sets, FROM:TO:STEP (both ends included) or a list such as 10,20,50
    /// [default: 5, 10, 15, ... and all queries]
    #[arg(long, value_name = "SIZES")]
    sizes: Option<QuerySetSizes>,
    /// Number of query sets of each size
    #[arg(long, value_name = "N", default_value_t = 500)]
    trials: u64,
    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Largest mean number of significant pairs that a sufficient query set may miss
    #[arg(long, value_name = "PAIRS", default_value_t = 2.0)]
    miss: f64,
}

/// Tests of the pairs of systems.
#[derive(Debug, Args)]
#[command(next_help_heading = "Tests")]
struct TestArgs {
    /// Tests, each NAME, NAME:ALPHA or NAME:ALPHA:CORRECTION [default:
    /// friedman-tukey:0.05,wilcoxon:0.01]
    #[arg(long = "test", value_name = "TESTS", value_delimiter = ',')]
    tests: Vec<String>,
    /// Significance level of the tests that name none [default: 0.05]
    #[arg(long, value_name = "LEVEL")]
    alpha: Option<f64>,
    /// Number of tails. 1 means two one-tailed tests per pair, each at its level; only for tests
    /// that have tails [default: 2]
    #[arg(long, value_name = "TAILS", value_parser = named_value_parser::<Tails>())]
    tails: Option<Tails>,
    /// Use the tests of a published procedure; urbano-2011 runs both of them
    #[arg(long, value_name = "PROCEDURE", value_parser = named_value_parser::<ComparisonPreset>(),
        conflicts_with_all = ["tests", "tails", "alpha"])]
    like: Option<ComparisonPreset>,
}

const AFTER_HELP: &str = "\
Examples:
  partita reliability scores.csv --strata genres.csv
  partita evaluate --truth t.txt *.run --per-query -o scores.csv
  partita reliability scores.csv --like urbano-2011
  partita reliability scores.csv --test t:0.05:holm,sign --alpha 0.01
  partita reliability scores.csv --sizes 10:50:10 --trials 1000
  partita reliability scores.csv --figure figures/";

/// Help text with the examples and all tests.
static AFTER_LONG_HELP: std::sync::LazyLock<String> = std::sync::LazyLock::new(|| {
    let tests = system_tests().filter(|(_, on)| on.goal == TestGoal::Difference);
    let tests = tests.map(|(test, _)| format!("  {:<17} {}\n", test.name, test.summary));
    format!(
        "Tests, each at --alpha (0.05) unless it names a level:\n{}\nCorrections: bonferroni, holm, \
         hochberg, bh, by; they take every p-value, and time.\n\n{AFTER_HELP}",
        tests.collect::<String>()
    )
});

impl ReliabilityArgs {
    fn request(&self) -> ReliabilityRequest {
        let (query_sets, testing) = (&self.query_sets, &self.testing);
        ReliabilityRequest {
            tests: testing.tests.clone(),
            alpha: testing.alpha,
            tails: testing.tails,
            like: testing.like,
            sizes: query_sets.sizes.clone(),
            trials: query_sets.trials,
            allowed_misses: query_sets.miss,
            seed: query_sets.seed,
        }
    }
}

pub(crate) fn run(args: &ReliabilityArgs) -> Result<(), CliError> {
    check_single_stdin([
        Some(args.input.scores.as_str()),
        args.query_sets.strata.as_deref(),
    ])?;
    let source = Source::open(&args.input.scores)?;
    let strata = args.query_sets.strata.as_deref().map(Source::open);
    let strata = strata.transpose()?;
    let reading = args.input.options();
    let workers = args.work.workers();
    let studied = study_scores(
        &args.request(),
        &source,
        &reading,
        strata.as_ref(),
        &workers,
    );
    drop(workers);
    let studied = studied.map_err(|error| match error {
        ScoresJobError::Format(error) => error.into(),
        ScoresJobError::Job(error) => reliability_error(source.name(), &error),
    })?;
    let result = studied.result;
    if let Some(place) = &args.figure {
        place.write([
            ("power".to_owned(), power_figure(&result)),
            ("conflicts".to_owned(), conflicts_figure(&result)),
            ("discrimination".to_owned(), discrimination_figure(&result)),
        ])?;
    }
    let view = ReliabilityView {
        result: &result,
        details: args.details,
    };
    args.show.print(&result, &view, studied.warnings)
}

/// Converts a reliability error and adds a hint.
fn reliability_error(file: &str, error: &ReliabilityError) -> CliError {
    let own = || CliError::input(error.to_string());
    match error {
        ReliabilityError::Study(error) => CliError::input(format!("{file}: {error}")),
        ReliabilityError::NoTrials => CliError::input("--trials must be at least 1"),
        ReliabilityError::InvalidAllowedMisses(miss) => {
            CliError::input(format!("--miss must be a number of pairs, not {miss}"))
        }
        ReliabilityError::TooLarge {
            measure,
            size,
            queries,
        } => CliError::input(format!(
            "--sizes asks for {size} queries, but {measure} has scores for {queries}"
        ))
        .with_hint(format!("for example `--sizes 5:{queries}:5`")),
        ReliabilityError::NoTails(tests) => {
            let message = format!("--tails 1 has no effect with {}", tests.join(", "));
            CliError::input(message).with_hint("leave out --tails")
        }
        ReliabilityError::Test(_)
        | ReliabilityError::TestsOfProcedure(_)
        | ReliabilityError::DuplicateTest(_)
        | ReliabilityError::Work(_) => own(),
    }
}

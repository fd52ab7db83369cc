//! `partita truth compare`: comparison of two ground truths.

use clap::Args;
use partita::formats::{Source, Warning, diagnostic};
use partita::report::{TruthComparisonView, list_comparison_figure};
use partita::truth::{
    RboOptions, RboTies, TruthComparisonError, TruthComparisonRequest, compare_truths,
};
use partita::{GroundTruth, summarize_names};

use crate::args::input::{TruthInputArgs, check_single_stdin};
use crate::args::threads::ThreadArgs;
use crate::output::error::CliError;
use crate::output::figure::FigureTarget;
use crate::output::result::{ResultArgs, named_value_parser};

/// Compare two ground truths with each other
///
/// Scores each list as a result against the other one: ADR, with its exact mean, minimum and
/// maximum over all orders within groups (Urbano, Morato, Marrero and Martín, SIGIR CSE 2010, Table
/// 7); Kendall's tau-b of the items in both; and rank-biased overlap with ties. For the changes,
/// groups are aligned in order such that as many items as possible keep their group, so a split
/// group does not move the groups after it.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct CompareArgs {
    /// The first ground truth; `-` is standard input
    first: String,
    /// The second ground truth; `-` is standard input
    second: String,
    /// Also score this many random orders within groups; Urbano et al. (2010) used 1,000
    #[arg(long, alias = "samples", value_name = "N")]
    resamples: Option<u64>,
    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Persistence of rank-biased overlap: probability that a reader goes on to the next rank
    #[arg(long, value_name = "SHARE", default_value_t = 0.9)]
    rbo_p: f64,
    /// Treatment of ties in rank-biased overlap (Corsi and Urbano, SIGIR 2024)
    #[arg(long, value_name = "TIES", value_parser = named_value_parser::<RboTies>(), default_value_t)]
    rbo_ties: RboTies,
    /// Print which groups were split and merged, which items moved, and how many pairs of items
    /// changed their relation
    #[arg(long)]
    diff: bool,
    /// Draw the two lists side by side, with a line between the places of each item; a folder gets a
    /// figure of every query
    #[arg(long, value_name = "FILE")]
    figure: Option<FigureTarget>,
    #[command(flatten)]
    reading: TruthInputArgs,
    #[command(flatten)]
    show: ResultArgs,
    #[command(flatten)]
    work: ThreadArgs,
}

const AFTER_HELP: &str = "\
Examples:
  partita truth compare experts.txt crowd.txt
  partita truth compare all-2.csv any-1.csv --diff
  partita truth compare experts.txt crowd.txt --resamples 1000";

impl CompareArgs {
    /// Returns the options of rank-biased overlap.
    fn rbo(&self) -> Result<RboOptions, CliError> {
        let (p, ties) = (self.rbo_p, self.rbo_ties);
        if !(p > 0.0 && p < 1.0) {
            let message = format!("--rbo-p must be between 0 and 1, not {p}");
            return Err(CliError::input(message));
        }
        Ok(RboOptions { p, ties })
    }
}

pub(crate) fn run(args: &CompareArgs) -> Result<(), CliError> {
    check_single_stdin([Some(args.first.as_str()), Some(&args.second)])?;
    if args.resamples == Some(0) {
        return Err(CliError::input("--resamples must be at least 1"));
    }
    let rbo = args.rbo()?;
    let mut warnings = Vec::new();
    let mut read = |file: &str| {
        let source = Source::open(file)?;
        let read = args.reading.read(&source)?;
        warnings.extend(read.warnings);
        Ok::<_, CliError>((source.name().to_owned(), read.truth))
    };
    let (first, second) = (read(&args.first)?, read(&args.second)?);
    let request = TruthComparisonRequest {
        first: (&first.0, &first.1),
        second: (&second.0, &second.1),
        rbo,
        samples: args.resamples,
        seed: args.seed,
    };
    let result = compare_truths(&request, &args.work.workers()).map_err(truth_comparison_error)?;
    for (file, alone) in result.truths.iter().zip(&result.unmatched_queries) {
        if !alone.is_empty() {
            let problem = diagnostic!(UnmatchedQueries {
                count = alone.len(), queries = summarize_names(alone, 5)
            }:
                "queries only in this ground truth, not compared: {queries}");
            warnings.push(Warning::in_file(file, problem));
        }
    }
    if let Some(place) = &args.figure {
        let named = |truth: &GroundTruth, query: &str| {
            let judged = truth.query_truth(
                truth
                    .query_index(query)
                    .expect("both ground truths have every compared query"),
            );
            judged.list().to_named_groups(judged.names())
        };
        let figures = result.queries.iter().map(|lists| {
            let groups = [&first.1, &second.1].map(|truth| named(truth, &lists.query));
            let names = [&*first.0, &*second.0];
            let figure = list_comparison_figure(&lists.query, names, groups.each_ref());
            (lists.query.clone(), figure)
        });
        place.write_one_per_list(figures)?;
    }
    let view = TruthComparisonView {
        result: &result,
        with_changes: args.diff,
    };
    args.show.print(&result, &view, warnings)
}

fn truth_comparison_error(error: TruthComparisonError) -> CliError {
    match (&error, error.hint()) {
        (TruthComparisonError::Work(stopped), _) => (*stopped).into(),
        (_, Some(hint)) => CliError::input(error.to_string()).with_hint(hint),
        (_, None) => CliError::input(error.to_string()),
    }
}

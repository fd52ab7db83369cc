//! `partita evaluate`: scores runs against a ground truth.

mod csv;
mod figure;
mod json;
mod results;
mod tables;
mod trec_eval;

use clap::{Args, ValueEnum};
use partita_core::evaluation::{MissingQueries, NoRelevant, Options, Resampling};
use partita_core::{GroundTruth, Ranking, Run};
use partita_formats::{Source, query_groups, truth};
use partita_report::TableFormat;
use partita_stats::bootstrap::Method;

use crate::failure::Failure;
use crate::output::{Destination, warn, write_file};
use crate::reading::{RunArgs, TruthArgs};

use results::Results;

/// Score runs against a ground truth
///
/// Prints the mean of every measure over the queries of the ground truth, for every run. The
/// default measures are ADR for a truth of groups, and ADR, nDCG@10, AP and RR for a graded one.
#[derive(Args, Clone, Debug)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct EvaluateArgs {
    /// The ground truth; `-` is standard input
    #[arg(long, short, value_name = "FILE")]
    truth: String,
    /// The runs to score; `-` is standard input
    #[arg(required = true, value_name = "RUN")]
    runs: Vec<String>,
    #[command(flatten)]
    scoring: ScoringArgs,
    #[command(flatten)]
    truth_reading: TruthArgs,
    #[command(flatten)]
    run_reading: RunArgs,
    /// The number of threads; one for each core if not given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    #[command(flatten)]
    printing: PrintingArgs,
}

const AFTER_HELP: &str = "\
Examples:
  partita evaluate --truth truth.txt my.run
  partita evaluate --truth qrels.txt runs/*.run -m ADR -m 'nDCG(discount=log2p1)@10' --intervals
  partita evaluate --truth truth.csv my.run --query q7 --figure q7.svg
  partita evaluate --truth judgments.txt --truth-format gains runs.txt -m AG@5 --per-query --format csv";

/// What is scored, and how.
#[derive(Args, Clone, Debug)]
pub(crate) struct ScoringArgs {
    /// A measure, as in ADR, nDCG@5 or RBP(p=0.8); may be given many times
    #[arg(long = "measure", short, value_name = "MEASURE")]
    pub(crate) measures: Vec<String>,
    /// Only these queries
    #[arg(long, value_name = "NAME")]
    pub(crate) query: Vec<String>,
    /// What a query counts for which a run returned nothing
    #[arg(long, value_enum, default_value = "zero")]
    missing: Missing,
    /// Whether queries for which nothing is relevant are scored (ADR is then undefined, others are
    /// 0) or left out
    #[arg(long, value_enum, default_value = "score")]
    no_relevant: WithoutRelevant,
    /// Remove the documents that nobody judged before scoring (condensed lists)
    #[arg(long)]
    judged_only: bool,
    /// Means by groups of queries as well: a file `query,group`
    #[arg(long, value_name = "FILE")]
    groups: Option<String>,
    /// Confidence intervals of the means, by resampling queries
    #[arg(long)]
    intervals: bool,
    /// The confidence of the intervals
    #[arg(long, value_name = "SHARE", default_value_t = 0.95)]
    confidence: f64,
    /// How many times queries are resampled
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    resamples: usize,
    /// How the ends of the intervals are placed
    #[arg(long, value_enum, default_value = "bca")]
    interval_method: IntervalMethod,
    /// The seed of everything that is drawn
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

/// How the result is shown.
#[derive(Args, Clone, Debug)]
pub(crate) struct PrintingArgs {
    /// Print the score of every query as well
    #[arg(long)]
    per_query: bool,
    /// List the runs by this measure, best first; ties are broken by ADRinv if that is measured
    #[arg(long, value_name = "MEASURE")]
    sort: Option<String>,
    /// Draw the dynamic recall of the runs
    #[arg(long, value_name = "FILE.svg")]
    figure: Option<String>,
    /// Print the settings with the result
    #[arg(long)]
    details: bool,
    /// How the result is written; a table on a terminal, else CSV
    #[arg(long, value_enum)]
    format: Option<Format>,
    #[command(flatten)]
    destination: Destination,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Missing {
    Zero,
    Skip,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum WithoutRelevant {
    Score,
    Skip,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum IntervalMethod {
    Bca,
    Percentile,
}

/// How the result of an evaluation is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For a person
    Table,
    /// run,query,measure,value
    Csv,
    /// Everything
    Json,
    /// For a paper; needs the booktabs package
    Latex,
    /// For a wiki
    Mediawiki,
    /// For a README
    Markdown,
    /// measure, query, value, as trec_eval prints them
    #[value(name = "trec_eval", alias = "trec-eval")]
    TrecEval,
}

pub(crate) fn run(args: &EvaluateArgs) -> Result<(), Failure> {
    if std::iter::once(&args.truth)
        .chain(&args.runs)
        .chain(&args.scoring.groups)
        .filter(|f| *f == "-")
        .count()
        > 1
    {
        return Err(Failure::input("only one file can be standard input"));
    }
    let truth = Source::open(&args.truth)?;
    let sources = args.runs.iter().map(|run| Source::open(run));
    let sources = sources.collect::<Result<Vec<_>, _>>()?;
    let text = evaluate(args, &truth, &sources)?;
    args.printing.destination.write(&text)
}

/// Scores runs, draws the figure if one is asked for, and gives the result as text.
pub(super) fn evaluate(
    args: &EvaluateArgs,
    truth: &Source,
    runs: &[Source],
) -> Result<String, Failure> {
    let results = score(args, truth, runs)?;
    warn(&results.warnings);
    if let Some(file) = &args.printing.figure {
        write_file(file, &figure::draw(&results)?)?;
    }
    let default = match args.printing.destination.is_terminal() {
        true => Format::Table,
        false => Format::Csv,
    };
    print(args, &results, args.printing.format.unwrap_or(default))
}

fn print(args: &EvaluateArgs, results: &Results, format: Format) -> Result<String, Failure> {
    let table = |format: TableFormat| tables::print(args, results, format);
    match format {
        Format::Table => table(TableFormat::Text),
        Format::Latex => table(TableFormat::Latex),
        Format::Mediawiki => table(TableFormat::MediaWiki),
        Format::Markdown => table(TableFormat::Markdown),
        Format::Csv => csv::print(args, results),
        Format::Json => Ok(json::print(args, results)),
        Format::TrecEval => Ok(trec_eval::print(args, results)),
    }
}

fn score(args: &EvaluateArgs, truth: &Source, runs: &[Source]) -> Result<Results, Failure> {
    let file = truth::read(truth, &args.truth_reading.options())?;
    let mut warnings = file.warnings;
    let asked = AskedQueries::new(file.truth, &args.scoring.query)?;
    let options = args.scoring.options();
    warnings.extend(results::remarks_on_truth(
        asked.truth(),
        truth.name(),
        options,
    ));
    let groups = match &args.scoring.groups {
        None => None,
        Some(file) => {
            let groups = query_groups::read(&Source::open(file)?)?;
            warnings.extend(groups.warnings.iter().cloned());
            Some(groups)
        }
    };
    let resampling = args.scoring.resampling()?;
    warnings.extend(results::remarks_on_queries(
        asked.truth(),
        truth.name(),
        groups.as_ref(),
        resampling.is_some(),
    ));
    let scored = results::Scored {
        asked,
        groups,
        resampling,
        warnings,
    };
    scored.with_runs(args, runs)
}

impl ScoringArgs {
    fn options(&self) -> Options {
        Options {
            missing: match self.missing {
                Missing::Zero => MissingQueries::Empty,
                Missing::Skip => MissingQueries::Skip,
            },
            no_relevant: match self.no_relevant {
                WithoutRelevant::Score => NoRelevant::Score,
                WithoutRelevant::Skip => NoRelevant::Skip,
            },
            judged_only: self.judged_only,
        }
    }

    /// The rankings of a run as they are scored.
    fn as_scored(&self, mut run: Run, truth: &GroundTruth) -> Run {
        if self.judged_only {
            for query in 0..truth.len() {
                if let Some(condensed) = run.ranking(query).map(Ranking::condensed) {
                    run.set(query, condensed);
                }
            }
        }
        run
    }

    /// How queries are resampled, if intervals are asked for.
    fn resampling(&self) -> Result<Option<Resampling>, Failure> {
        if !(self.confidence > 0.0 && self.confidence < 1.0) {
            let message = format!(
                "--confidence must be between 0 and 1, not {}",
                self.confidence
            );
            return Err(Failure::input(message));
        }
        if self.resamples == 0 {
            return Err(Failure::input("--resamples must be at least 1"));
        }
        Ok(self.intervals.then_some(Resampling {
            method: match self.interval_method {
                IntervalMethod::Bca => Method::Bca,
                IntervalMethod::Percentile => Method::Percentile,
            },
            confidence: self.confidence,
            resamples: self.resamples,
            seed: self.seed,
        }))
    }
}

/// The queries that are asked for, and the whole ground truth beside which runs are read: a query
/// that nobody asks for is known all the same.
pub(crate) struct AskedQueries {
    whole: GroundTruth,
    /// Some queries of the whole, with their numbers there; `None` where all are asked for.
    some: Option<(GroundTruth, Vec<usize>)>,
}

impl AskedQueries {
    /// These queries only; all of them if none is named.
    pub(crate) fn new(whole: GroundTruth, names: &[String]) -> Result<Self, Failure> {
        for name in names {
            if whole.query(name).is_none() {
                let some: Vec<&str> = whole.iter().map(|(name, _)| name).take(5).collect();
                let message = format!("the ground truth has no query `{name}`");
                let hint = format!(
                    "it has {} queries, such as {}",
                    whole.len(),
                    some.join(", ")
                );
                return Err(Failure::input(message).hint(hint));
            }
        }
        let some = (!names.is_empty()).then(|| {
            let asked = |query: &str| names.iter().any(|name| name == query);
            let numbers = whole.iter().enumerate();
            let numbers = numbers.filter(|(_, (name, _))| asked(name));
            let numbers = numbers.map(|(number, _)| number).collect();
            (whole.clone().filter(asked), numbers)
        });
        Ok(Self { whole, some })
    }

    /// The ground truth of the queries that are asked for.
    pub(crate) fn truth(&self) -> &GroundTruth {
        self.some.as_ref().map_or(&self.whole, |(some, _)| some)
    }

    /// The same, when nothing is left to read.
    pub(crate) fn into_truth(self) -> GroundTruth {
        self.some.map_or(self.whole, |(some, _)| some)
    }

    /// The whole ground truth.
    fn whole(&self) -> &GroundTruth {
        &self.whole
    }

    /// A run that was read beside the whole, on the queries that are asked for.
    fn narrow(&self, run: Run) -> Run {
        match &self.some {
            Some((_, numbers)) => run.only(numbers),
            None => run,
        }
    }
}

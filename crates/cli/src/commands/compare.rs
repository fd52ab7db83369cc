//! `partita compare`: which system is better, and how sure that is.

mod csv;
mod figure;
mod json;
mod options;
mod tables;
mod words;

use clap::Args;
use partita_core::compare::{CompareError, Comparison, REGISTRY, Workers, compare};
use partita_formats::{Source, Warning, scores};
use rayon::prelude::*;

use crate::failure::Failure;
use crate::format::{Form, Format};
use crate::output::{Destination, warn};
use crate::progress::bar;
use crate::scores::ScoresArgs;
use figure::Kind;
use options::TestArgs;

/// Compare systems by their scores: which is better, by how much, and how sure that is
///
/// Scores are what `partita evaluate --per-query --format csv` prints, or a matrix with a row for
/// each query and a column for each system. Every pair of systems gets its difference of means with
/// an interval, effect sizes, a p-value and a p-value corrected for the number of comparisons. The
/// leaderboard is a partial order: systems that share a letter do not differ significantly.
///
/// The default, a two-tailed permutation test with Holm's correction, follows the evidence on
/// comparing means (Smucker, Allan & Carterette 2007; Urbano, Lima & Hanjalic 2019). Several
/// measures are each compared apart.
#[derive(Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct CompareArgs {
    #[command(flatten)]
    input: ScoresArgs,
    #[command(flatten)]
    testing: TestArgs,
    /// Print every pair, however many there are
    #[arg(long)]
    pairs: bool,
    /// Draw the comparison; a folder gets every figure of every measure
    #[arg(long, value_name = "FILE.svg")]
    figure: Option<String>,
    /// What is drawn; the critical-difference diagram, or with --baseline the matrix, if not given
    #[arg(long, value_enum, requires = "figure")]
    kind: Option<Kind>,
    /// Print all settings with the result
    #[arg(long)]
    details: bool,
    /// How the result is written; a table on a terminal, else CSV
    #[arg(long, value_enum)]
    format: Option<Format>,
    #[command(flatten)]
    destination: Destination,
}

const AFTER_HELP: &str = "\
Examples:
  partita compare scores.csv
  partita evaluate --truth qrels.txt runs/*.run -m AP --per-query --format csv | partita compare -
  partita compare scores.csv --test t --baseline bm25 --correct bonferroni
  partita compare scores.csv --like mirex --figure diagram.svg
  partita compare scores.csv --test wilcoxon --tails 1 --alpha 0.01 --format json
  partita compare scores.csv --test equivalence --margin 0.02
  partita compare scores.csv --figure figures/";

/// The comparisons by every measure, and what there is to remark.
struct Compared {
    comparisons: Vec<Comparison>,
    warnings: Vec<Warning>,
}

pub(crate) fn run(args: &CompareArgs) -> Result<(), Failure> {
    let (test, settings) = args.testing.settings()?;
    if args.kind.is_some_and(|kind| kind != Kind::Matrix) && !settings.baselines.is_empty() {
        let message = "only the matrix can be drawn of some pairs";
        return Err(Failure::input(message).hint("leave out --baseline, or say `--kind matrix`"));
    }
    let source = Source::open(&args.input.scores)?;
    let file = scores::read(&source, &args.input.options())?;
    let mut compared = Compared {
        comparisons: Vec::new(),
        warnings: file.warnings,
    };
    for table in &file.tables {
        let scores = &table.scores;
        let comparison = compare(scores, test, &settings, &Threads).map_err(|error| {
            let place = format!("{}: {}", source.name(), scores.measure());
            let failure = failure(&error, &place, scores.systems());
            match file.tables.len() {
                1 => failure,
                _ => failure.or_hint("choose measures that can be compared with --measure"),
            }
        })?;
        let remarks = words::warnings(&comparison).into_iter();
        compared.warnings.extend(remarks.map(|message| Warning {
            file: source.name().to_owned(),
            line: None,
            message: format!("{}: {message}", scores.measure()),
        }));
        compared.comparisons.push(comparison);
    }
    if let Some(place) = &args.figure {
        let remarks = figure::draw(&compared.comparisons, args.kind, place)?;
        compared.warnings.extend(remarks);
    }
    warn(&compared.warnings);
    let text = match Format::chosen(args.format, &args.destination) {
        Form::Table(format) => tables::print(args, &compared.comparisons, format)?,
        Form::Csv => csv::print(&compared.comparisons)?,
        Form::Json => json::print(args, &compared),
    };
    args.destination.write(&text)
}

/// Runs pieces of work on all cores, with a bar where they take long.
struct Threads;

impl Workers for Threads {
    fn run(&self, pieces: usize, work: &(dyn Fn(usize) + Sync)) {
        let bar = bar(pieces, "Comparing");
        (0..pieces).into_par_iter().for_each(|piece| {
            work(piece);
            bar.inc(1);
        });
        bar.finish_and_clear();
    }
}

/// Why systems could not be compared, with a remedy where there is one.
fn failure(error: &CompareError, place: &str, systems: &[String]) -> Failure {
    let plain = || Failure::input(error.to_string());
    let placed = || Failure::input(format!("{place}: {error}"));
    match error {
        CompareError::UnknownTest { .. } => {
            let names: Vec<&str> = REGISTRY.iter().map(|test| test.name).collect();
            plain().hint(format!("the tests are {}", names.join(", ")))
        }
        CompareError::UnknownBaseline { .. } => {
            placed().hint(format!("the systems are {}", words::some(systems, 20)))
        }
        CompareError::Corrected { .. } => plain().hint("leave out --correct"),
        CompareError::NotOneTailed { .. } => plain().hint("leave out --tails"),
        CompareError::NoMargin => plain().hint("give one with --margin, as in `--margin 0.02`"),
        CompareError::LooseAlpha { .. } | CompareError::Parameter { .. } => plain(),
        CompareError::Stats(_) => placed(),
        CompareError::OneSystem { .. }
        | CompareError::FewQueries { .. }
        | CompareError::Constant { .. }
        | CompareError::TooLarge { .. } => placed(),
    }
}

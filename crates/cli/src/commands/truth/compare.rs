//! `partita truth compare`: two ground truths against each other.

mod compared;
mod csv;
mod json;
mod tables;

use clap::{Args, ValueEnum};
use partita_core::truth::{Rbo, RboTies};
use partita_formats::{Source, truth};

use crate::failure::Failure;
use crate::format::{Form, Format};
use crate::output::{Destination, warn};
use crate::reading::TruthArgs;

/// Compare two ground truths with each other
///
/// Scores each list as a result against the other one: ADR, with its exact mean, minimum and
/// maximum over all orders within groups (Urbano, Morato, Marrero and Martín, SIGIR CSE 2010, Table
/// 7); Kendall's tau-b of the items in both; rank-biased overlap with ties; and what changed:
/// groups are aligned in order such that as many items as possible keep their place, so that a
/// group that was split moves nothing after it.
#[derive(Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct CompareArgs {
    /// The first ground truth; `-` is standard input
    first: String,
    /// The second ground truth; `-` is standard input
    second: String,
    /// Score this many random orders within groups as well, as the paper does with 1,000
    #[arg(long, value_name = "N")]
    samples: Option<u64>,
    /// The seed of the random orders
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// The persistence of rank-biased overlap: how likely a reader goes on to the next rank
    #[arg(long, value_name = "SHARE", default_value_t = 0.9)]
    rbo_p: f64,
    /// What a tie means to rank-biased overlap: an unknown order, the same corrected as in tau-b,
    /// or the same rank (Corsi and Urbano, SIGIR 2024)
    #[arg(long, value_enum, value_name = "TIES", default_value = "corrected")]
    rbo_ties: RboTiesName,
    /// Print which groups were split and merged, which items moved, and how many pairs of items
    /// changed their relation
    #[arg(long)]
    diff: bool,
    #[command(flatten)]
    reading: TruthArgs,
    /// How the result is written; a table on a terminal, else CSV
    #[arg(long, value_enum)]
    format: Option<Format>,
    #[command(flatten)]
    destination: Destination,
}

const AFTER_HELP: &str = "\
Examples:
  partita truth compare experts.txt crowd.txt
  partita truth compare all-2.csv any-1.csv --diff
  partita truth compare experts.txt crowd.txt --samples 1000 --format json";

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum RboTiesName {
    Average,
    Corrected,
    Equal,
}

impl CompareArgs {
    fn rbo(&self) -> Result<Rbo, Failure> {
        if !(self.rbo_p > 0.0 && self.rbo_p < 1.0) {
            let message = format!("--rbo-p must be between 0 and 1, not {}", self.rbo_p);
            return Err(Failure::input(message));
        }
        Ok(Rbo {
            p: self.rbo_p,
            ties: match self.rbo_ties {
                RboTiesName::Average => RboTies::Average,
                RboTiesName::Corrected => RboTies::Corrected,
                RboTiesName::Equal => RboTies::Equal,
            },
        })
    }

    fn rbo_ties_name(&self) -> &'static str {
        match self.rbo_ties {
            RboTiesName::Average => "average",
            RboTiesName::Corrected => "corrected",
            RboTiesName::Equal => "equal",
        }
    }
}

pub(crate) fn run(args: &CompareArgs) -> Result<(), Failure> {
    if args.first == "-" && args.second == "-" {
        return Err(Failure::input("only one file can be standard input"));
    }
    if args.samples == Some(0) {
        return Err(Failure::input("--samples must be at least 1"));
    }
    let rbo = args.rbo()?;
    let sources = [Source::open(&args.first)?, Source::open(&args.second)?];
    let mut warnings = Vec::new();
    let mut read = |source: &Source| {
        let file = truth::read(source, &args.reading.options())?;
        warnings.extend(file.warnings);
        Ok::<_, Failure>(file.truth)
    };
    let truths = [read(&sources[0])?, read(&sources[1])?];
    let (compared, remarks) = compared::compare(args, &sources, &truths, rbo)?;
    warnings.extend(remarks);
    warn(&warnings);
    let text = match Format::chosen(args.format, &args.destination) {
        Form::Table(format) => tables::print(args, &compared, format)?,
        Form::Csv if args.diff => csv::diff(&compared)?,
        Form::Csv => csv::print(&compared)?,
        Form::Json => json::print(args, &compared, &warnings),
    };
    args.destination.write(&text)
}

//! `partita truth check`: how far ground truths agree with the rankings or preferences behind them.

mod checked;
mod csv;
mod figure;
mod json;
mod preferred;
mod tables;
mod trust;

use clap::{Args, ValueEnum};
use partita_core::truth::{Recipe, Tails};
use partita_formats::{Source, truth};
use partita_report::TableFormat;

use super::build::AggregationName;
use crate::failure::Failure;
use crate::format::{Form, Format};
use crate::output::{Destination, warn};
use crate::preferences::PreferencesArgs;
use crate::rankings::{RankingsArgs, level};
use crate::reading::TruthArgs;

/// Audit ground truths by the rankings or preferences behind them
///
/// From rankings: measures the consistency of every list (ADR-1 and ADR-2), and finds every pair of items in the
/// same group that differ, every pair in different groups that do not, every pair that stands in
/// the wrong order, and every triple for which the tests contradict each other (Urbano, Marrero,
/// Martín and Lloréns, ISMIR 2010). Kendall's W says how far the assessors agree.
///
/// From preferences: finds the same by the decisions on the pairs that people compared, and counts
/// those that nobody did. With --bootstrap the assessors are drawn anew, each with all of his answers
/// to all queries, and the lists sorted again: how likely other people would decide a pair, or place
/// an item, in which way. In simulated campaigns like the published one, 95% intervals held the group
/// of an item in the list of other people in 96% to 99% of cases.
#[derive(Args, Debug)]
#[command(
    after_help = AFTER_HELP,
    mut_arg("rankings", |rankings| rankings
        .required(false)
        .required_unless_present("preferences")
        .conflicts_with("preferences"))
)]
pub(crate) struct CheckArgs {
    /// The ground truth; without it, the lists that --aggregate builds are audited
    #[arg(long, short, value_name = "FILE")]
    truth: Option<String>,
    #[command(flatten)]
    rankings: RankingsArgs,
    #[command(flatten)]
    preferences: PreferencesArgs,
    /// The function that builds the lists, if no ground truth is given
    #[arg(long, value_enum, value_name = "FUNCTION", default_value = "any-1")]
    aggregate: AggregationName,
    /// The significance level of the tests
    #[arg(long, value_name = "LEVEL", default_value_t = 0.25)]
    alpha: f64,
    /// The level of the tests by which --aggregate builds lists; as --alpha if not given
    #[arg(long, value_name = "LEVEL")]
    build_alpha: Option<f64>,
    /// Whether items differ by either of the 1-tailed tests, as in ADR-1, or by the 2-tailed one,
    /// as in ADR-2
    #[arg(long, value_enum, default_value = "1")]
    tails: TailsName,
    /// Print every inconsistent pair and triple; JSON has every pair anyway, and the 500 worst triples
    #[arg(long)]
    pairs: bool,
    #[command(flatten)]
    trust: trust::TrustArgs,
    #[command(flatten)]
    truth_reading: TruthArgs,
    /// Draw the list: groups as boxes, rank samples as box plots, inconsistent pairs as arcs; a
    /// folder gets a figure of every list
    #[arg(long, value_name = "FILE.svg")]
    figure: Option<String>,
    /// How the result is written; a table on a terminal, else CSV
    #[arg(long, value_enum)]
    format: Option<Format>,
    #[command(flatten)]
    destination: Destination,
}

const AFTER_HELP: &str = "\
Examples:
  partita truth check --truth truth.csv --rankings rankings.csv
  partita truth check --truth truth.csv --rankings rankings.csv --pairs --exact
  partita truth check --rankings skating/*.toc --aggregate all-2 --tails 2 --format json
  partita truth check --rankings rankings.csv --bootstrap 1000 --run a.run b.run
  partita truth check --rankings rankings.csv --figure figures/
  partita truth check --truth truth.csv --preferences answers.csv --pairs
  partita truth check --preferences answers.csv --bootstrap 1000 --format json";

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum TailsName {
    #[value(name = "1")]
    One,
    #[value(name = "2")]
    Two,
}

impl TailsName {
    pub(super) fn tails(self) -> Tails {
        match self {
            Self::One => Tails::One,
            Self::Two => Tails::Two,
        }
    }

    pub(super) fn number(self) -> u8 {
        match self {
            Self::One => 1,
            Self::Two => 2,
        }
    }
}

impl CheckArgs {
    /// The function and the level by which the lists were built, unless they were given.
    fn built_by(&self) -> Option<(&'static str, f64)> {
        let alpha = self.build_alpha.unwrap_or(self.alpha);
        match self.truth {
            None => Some((self.aggregate.aggregation().name(), alpha)),
            Some(_) => None,
        }
    }
}

pub(crate) fn run(args: &CheckArgs) -> Result<(), Failure> {
    if let Some(file) = &args.preferences.preferences {
        return args.destination.write(&preferred::run(args, file)?);
    }
    let alpha = level("--alpha", args.alpha)?;
    let recipe = Recipe {
        aggregation: args.aggregate.aggregation(),
        alpha: level("--build-alpha", args.build_alpha.unwrap_or(args.alpha))?,
        reading: args.rankings.reading(),
    };
    args.trust.check()?;
    let inputs = [
        args.truth.as_deref() == Some("-"),
        args.rankings.is_standard_input(),
        args.trust.systems.is_standard_input(),
    ];
    if inputs.into_iter().filter(|&input| input).count() > 1 {
        return Err(Failure::input("only one file can be standard input"));
    }
    let (queries, mut warnings) = args.rankings.read()?;
    let lists = match &args.truth {
        None => checked::built(queries, args, &recipe, alpha),
        Some(file) => {
            let source = Source::open(file)?;
            let file = truth::read(&source, &args.truth_reading.options())?;
            warnings.extend(file.warnings);
            let (lists, remarks) =
                checked::given(&file.truth, source.name(), queries, args, alpha)?;
            warnings.extend(remarks);
            lists
        }
    };
    let trust = trust::trust(args, &lists, &recipe, alpha)?;
    if let Some(trust) = &trust {
        warnings.extend(trust.warnings.iter().cloned());
    }
    warn(&warnings);
    if let Some(place) = &args.figure {
        figure::draw(args, &lists, place)?;
    }
    let table = |format: TableFormat| -> Result<String, Failure> {
        let audit = tables::print(args, &lists, format)?;
        match &trust {
            None => Ok(audit),
            Some(trust) => {
                let trust = trust::print_tables(args, &lists, trust, format)?;
                Ok(format!("{audit}\n{trust}"))
            }
        }
    };
    let text = match (Format::chosen(args.format, &args.destination), &trust) {
        (Form::Table(format), _) => table(format)?,
        (Form::Csv, Some(trust)) => trust::print_csv(&args.trust, &lists, trust)?,
        (Form::Csv, None) if args.pairs => csv::pairs(&lists)?,
        (Form::Csv, None) => csv::lists(&lists)?,
        (Form::Json, trust) => json::print(args, &lists, trust.as_ref(), &warnings),
    };
    args.destination.write(&text)
}

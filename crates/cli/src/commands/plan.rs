//! `partita plan`: how many queries and judges an evaluation needs.

mod budget;
mod csv;
mod curves;
mod json;
mod planned;
mod tables;

use clap::{Args, ValueEnum};
use partita_core::plan::{Design, Shape};
use partita_formats::scores::{self, AnyScores};
use partita_formats::{Source, Warning};

use crate::failure::Failure;
use crate::format::{Form, Format};
use crate::output::{Destination, warn};
use crate::scores::ScoresArgs;

/// Plan an evaluation: how many queries, and how many judges
///
/// From the scores of an earlier evaluation, or of a pilot: how far its result would hold with
/// other queries (generalizability theory: the coefficients Eρ² of the order of systems and Φ of
/// their scores), how many queries a wanted coefficient needs, and how many the t-test needs to
/// find a difference (topic set size design). With `--power` and `--stable`, at how many queries
/// the curves of power and stability would reach a share of the pairs of systems. With `--budget`,
/// what a sum of money buys. Scores with a column `judge` tell how many judges are needed as well.
#[derive(Args, Clone, Debug)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct PlanArgs {
    #[command(flatten)]
    input: ScoresArgs,
    /// The wanted coefficients Eρ²: how far the order of systems holds with other queries
    #[arg(long, value_name = "SHARE,...", value_delimiter = ',', default_values_t = [0.8, 0.9, 0.95])]
    erho2: Vec<f64>,
    /// The wanted coefficients Φ: how far the scores themselves hold; as --erho2 if not given
    #[arg(long, value_name = "SHARE,...", value_delimiter = ',')]
    phi: Vec<f64>,
    /// The confidence of the intervals
    #[arg(long, value_name = "SHARE", default_value_t = 0.95)]
    confidence: f64,
    /// Whether the intervals of the coefficients are widened where some systems, queries or judges
    /// stand far out, or take all effects to be normal
    #[arg(long, value_enum, default_value = "robust")]
    intervals: IntervalsName,
    #[command(flatten)]
    judging: JudgingArgs,
    #[command(flatten)]
    test: TestArgs,
    #[command(flatten)]
    curves: curves::CurvesArgs,
    #[command(flatten)]
    money: budget::BudgetArgs,
    /// The seed of everything that is drawn
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// How the result is written; a table on a terminal, else CSV
    #[arg(long, value_enum)]
    format: Option<Format>,
    #[command(flatten)]
    destination: Destination,
}

/// Who is going to judge.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Judges (scores with a column `judge`)")]
struct JudgingArgs {
    /// The numbers of judges for a query to plan with; 1 up to those there are if not given
    #[arg(long, value_name = "N,...", value_delimiter = ',', value_parser = clap::value_parser!(u32).range(1..=1000))]
    judges: Vec<u32>,
    /// Whether every judge is going to judge every query, or every query has judges of its own
    #[arg(long, value_enum, default_value = "crossed")]
    design: DesignName,
    /// How many times variances are drawn for the intervals
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    replicates: usize,
}

/// What the t-test should find.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Topic set size for the t-test")]
struct TestArgs {
    /// The differences between mean scores that the t-test should find
    #[arg(long, value_name = "D,...", value_delimiter = ',')]
    difference: Vec<f64>,
    /// Those that are asked for if none are given, which depend on the scale of the scores
    #[arg(skip)]
    usual: Vec<f64>,
    /// The level of the t-test, which is paired and two-sided
    #[arg(long, value_name = "LEVEL", default_value_t = 0.05)]
    alpha: f64,
    /// How often the t-test should find a difference
    #[arg(long, value_name = "SHARE", default_value_t = 0.8)]
    t_power: f64,
    /// The variance of the differences between two systems: that of a mean pair (twice the
    /// residual variance of the two-way analysis of variance), of the worst pair, or a number
    #[arg(long, value_name = "mean|largest|NUMBER", default_value = "mean")]
    variance: VarianceName,
}

const AFTER_HELP: &str = "\
Examples:
  partita plan scores.csv
  partita evaluate --truth qrels.txt runs/*.run --per-query --format csv | partita plan -
  partita plan scores.csv --measure AP --erho2 0.95 --difference 0.05
  partita plan scores.csv --power 0.6 --stable 0.5
  partita reliability scores.csv --format json > reliability.json
  partita plan scores.csv --curves reliability.json --test wilcoxon --power 0.6
  partita plan scores-by-judge.csv --budget 2000 --cost-per-judgment 0.1 --judgments-per-query 50";

/// The differences that are asked for unless others are: 1, 2, 5 and 10% of the scale of the scores,
/// which is taken to end at the next power of ten.
fn usual_differences(file: &AnyScores) -> Vec<f64> {
    let mut differences: Vec<f64> = Vec::new();
    let largest =
        |rows: &mut dyn Iterator<Item = f64>| rows.fold(0.0, |most: f64, s| most.max(s.abs()));
    let scales: Vec<f64> = match file {
        AnyScores::Plain(file) => (file.tables.iter())
            .map(|table| largest(&mut table.scores.rows().flatten().copied()))
            .collect(),
        AnyScores::Judged(file) => (file.tables.iter())
            .map(|scores| largest(&mut scores.means().rows().flatten().copied()))
            .collect(),
    };
    for largest in scales.into_iter().filter(|largest| *largest > 0.0) {
        let power = largest.log10().ceil() as i32;
        for parts in [1.0, 2.0, 5.0, 10.0] {
            // Divided, not multiplied, by powers of ten, so that 0.01 is 0.01.
            let difference = match power {
                ..=1 => parts / 10f64.powi(2 - power),
                _ => parts * 10f64.powi(power - 2),
            };
            if !differences.contains(&difference) {
                differences.push(difference);
            }
        }
    }
    differences.sort_by(f64::total_cmp);
    differences
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum IntervalsName {
    Robust,
    Normal,
}

impl IntervalsName {
    fn shape(self) -> Shape {
        match self {
            Self::Robust => Shape::AsObserved,
            Self::Normal => Shape::Normal,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Robust => "robust",
            Self::Normal => "normal",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum DesignName {
    Crossed,
    Nested,
}

impl DesignName {
    fn design(self) -> Design {
        match self {
            Self::Crossed => Design::Crossed,
            Self::Nested => Design::Nested,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Crossed => "crossed",
            Self::Nested => "nested",
        }
    }
}

/// Which variance of differences is planned with.
#[derive(Clone, Copy, Debug, PartialEq)]
enum VarianceName {
    Mean,
    Largest,
    Given(f64),
}

impl std::str::FromStr for VarianceName {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "mean" => Ok(Self::Mean),
            "largest" => Ok(Self::Largest),
            _ => match text.parse::<f64>() {
                Ok(number) if number > 0.0 && number.is_finite() => Ok(Self::Given(number)),
                _ => Err("expected `mean`, `largest` or a number above 0".to_owned()),
            },
        }
    }
}

impl PlanArgs {
    /// The wanted coefficients Φ.
    fn phi(&self) -> &[f64] {
        match self.phi.is_empty() {
            true => &self.erho2,
            false => &self.phi,
        }
    }

    fn differences(&self) -> &[f64] {
        match self.test.difference.is_empty() {
            true => &self.test.usual,
            false => &self.test.difference,
        }
    }

    fn check(&self) -> Result<(), Failure> {
        let shares = [
            ("--erho2", &self.erho2[..]),
            ("--phi", &self.phi),
            ("--confidence", &[self.confidence]),
            ("--alpha", &[self.test.alpha]),
            ("--t-power", &[self.test.t_power]),
            ("--power", &self.curves.power),
            ("--stable", &self.curves.stable),
        ];
        for (option, values) in shares {
            if let Some(value) = values.iter().find(|v| !(**v > 0.0 && **v < 1.0)) {
                let message = format!("{option} must be between 0 and 1, not {value}");
                return Err(Failure::input(message));
            }
        }
        if let Some(wrong) = (self.test.difference.iter()).find(|d| !(**d > 0.0 && d.is_finite())) {
            let message = format!("--difference must be above 0, not {wrong}");
            return Err(Failure::input(message)
                .hint("no number of queries finds a difference that is not there"));
        }
        if self.judging.replicates < 100 {
            return Err(Failure::input("--replicates must be at least 100"));
        }
        if self.input.scores == "-" && self.curves.file.as_deref() == Some("-") {
            return Err(Failure::input("only one file can be standard input"));
        }
        Ok(())
    }
}

pub(crate) fn run(args: &PlanArgs) -> Result<(), Failure> {
    args.check()?;
    let costs = args.money.costs()?;
    let source = Source::open(&args.input.scores)?;
    let file = scores::read_any(&source, &args.input.options())?;
    let mut args = args.clone();
    args.test.usual = usual_differences(&file);
    let args = &args;
    let cells = args.curves.read()?;
    let (plans, warnings) = planned::plan(args, source.name(), file, cells.as_ref(), costs)?;
    warn(&warnings);
    let text = match Format::chosen(args.format, &args.destination) {
        Form::Table(format) => tables::print(args, &plans, format)?,
        Form::Csv => csv::print(&plans)?,
        Form::Json => json::print(args, &plans, &warnings),
    };
    args.destination.write(&text)
}

/// A remark on a file.
fn remark(file: &str, message: String) -> Warning {
    Warning {
        file: file.to_owned(),
        line: None,
        message,
    }
}

//! `partita reliability`: how far the conclusions of an evaluation can be trusted.

mod csv;
mod figure;
mod json;
mod reading;
mod resume;
mod studied;
mod tables;

use clap::Args;
use partita_core::compare::Procedure;
use partita_core::reliability::{Sizes, TestCall};
use partita_core::test::{Goal, all_of_systems};
use partita_core::truth::Tails;

use crate::failure::Failure;
use crate::format::{Form, Format};
use crate::output::{Destination, warn};
use crate::scores::ScoresArgs;
use crate::show::named;

/// Say how often other queries would lead to the same conclusions
///
/// Draws query sets of many sizes from those at hand, stratified where strata are given, and tests
/// all pairs of systems on each: the share of significant pairs is the power of the evaluation. A
/// second set without a common query is like another evaluation: what is significant with the first
/// and not confirmed by the second is a conflict, for lack of power or because the sign is swapped,
/// and what is significant in both is stable (Urbano, Martín, Marrero and Morato, ISMIR 2011).
#[derive(Args, Debug)]
#[command(after_help = AFTER_HELP, after_long_help = AFTER_LONG_HELP.as_str())]
pub(crate) struct ReliabilityArgs {
    #[command(flatten)]
    input: ScoresArgs,
    /// The strata of the queries, as a file query,stratum; else the column `stratum` of a matrix;
    /// else queries are drawn alike
    #[arg(long, value_name = "FILE")]
    strata: Option<String>,
    /// The sizes of query sets, FROM:TO:STEP (both ends included) or a list such as 10,20,50; 5, 10,
    /// 15, ... and all queries if not given
    #[arg(long, value_name = "SIZES")]
    sizes: Option<Sizes>,
    /// How many query sets of each size are drawn
    #[arg(long, value_name = "N", default_value_t = 500)]
    trials: u64,
    /// The tests, each NAME, NAME:ALPHA or NAME:ALPHA:CORRECTION
    #[arg(
        long = "test",
        value_name = "TESTS",
        value_delimiter = ',',
        default_value = "friedman-tukey:0.05,wilcoxon:0.01"
    )]
    tests: Vec<TestCall>,
    /// Two-tailed tests, or one-tailed ones both ways, each at its level; only of tests that have
    /// tails [default: 2]
    #[arg(long, value_name = "TAILS", value_parser = named::<Tails>())]
    tails: Option<Tails>,
    /// The tests of an old procedure as it was; urbano-2011 sets both side by side
    #[arg(long, value_name = "PROCEDURE", value_parser = named::<Procedure>(),
        conflicts_with_all = ["tests", "tails"])]
    like: Option<Procedure>,
    /// The seed of everything that is drawn
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// How many significant pairs of the whole query set a smaller one may miss, on average, to be
    /// named as enough
    #[arg(long, value_name = "PAIRS", default_value_t = 2.0)]
    miss: f64,
    /// Keep what is done in this file, and begin where it ends
    #[arg(long, value_name = "FILE")]
    resume: Option<String>,
    /// Draw power against the number of queries; a folder gets power.svg, conflicts.svg, and
    /// discrimination.svg, the share of significant pairs at every level
    #[arg(long, value_name = "FILE.svg")]
    figure: Option<String>,
    /// Print the settings, all classes of conflicts at every size, and the best query sets
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
  partita reliability scores.csv --strata genres.csv
  partita evaluate --truth t.txt runs/*.run --per-query --format csv | partita reliability -
  partita reliability scores.csv --like urbano-2011
  partita reliability scores.csv --sizes 10:50:10 --trials 1000 --test t:0.05:holm,wilcoxon:0.01
  partita reliability scores.csv --figure figures/ --resume study.jsonl --format json";

/// The examples, and every test with what it does.
static AFTER_LONG_HELP: std::sync::LazyLock<String> = std::sync::LazyLock::new(|| {
    let tests = all_of_systems().filter(|(_, on)| on.goal == Goal::Difference);
    let tests = tests.map(|(test, _)| format!("  {:<17} {}\n", test.name, test.summary));
    format!(
        "Tests, each at 0.05 unless a level is given:\n{}\nCorrections: bonferroni, holm, \
         hochberg, bh, by; they take every p-value, and time.\n\n{AFTER_HELP}",
        tests.collect::<String>()
    )
});

impl ReliabilityArgs {
    /// With the tests as they are to be made.
    fn with_tests(mut self) -> Result<Self, Failure> {
        if let Some(procedure) = self.like {
            self.tests = TestCall::like(procedure);
        }
        let Some(tails) = self.tails else {
            return Ok(self);
        };
        if tails == Tails::One && !self.tests.iter().any(TestCall::has_tails) {
            let names: Vec<&str> = self.tests.iter().map(TestCall::name).collect();
            let message = format!("--tails 1 means nothing to {}", names.join(", "));
            return Err(Failure::input(message).hint("leave out --tails"));
        }
        let tests = self.tests.iter().map(|test| test.with_tails(tails));
        let tests: Result<Vec<TestCall>, _> = tests.collect();
        self.tests = tests.map_err(|error| Failure::input(error.to_string()))?;
        Ok(self)
    }
}

pub(crate) fn run(args: ReliabilityArgs) -> Result<(), Failure> {
    let args = &args.with_tests()?;
    if args.trials == 0 {
        return Err(Failure::input("--trials must be at least 1"));
    }
    if args.miss.is_nan() || args.miss < 0.0 {
        let message = format!("--miss must be a number of pairs, not {}", args.miss);
        return Err(Failure::input(message));
    }
    let mut seen: Vec<String> = Vec::new();
    for test in &args.tests {
        if seen.contains(&test.to_string()) {
            return Err(Failure::input(format!("the test {test} is named twice")));
        }
        seen.push(test.to_string());
    }
    let (inputs, warnings) = reading::read(args)?;
    warn(&warnings);
    let studied = studied::study(args, inputs)?;
    if let Some(place) = &args.figure {
        figure::draw(args, &studied, place)?;
    }
    let text = match Format::chosen(args.format, &args.destination) {
        Form::Table(format) => tables::print(args, &studied, format)?,
        Form::Csv => csv::print(args, &studied)?,
        Form::Json => json::print(args, &studied, &warnings),
    };
    args.destination.write(&text)
}

//! `partita truth study`: the six aggregation functions side by side.

mod csv;
mod figure;
mod json;
mod tables;

use clap::Args;
use partita_core::Ranking;
use partita_core::truth::{FunctionStudy, ListStudy, study, study_list};
use partita_formats::rankings::QueryRankings;
use rayon::prelude::*;

use super::systems::SystemArgs;
use crate::failure::Failure;
use crate::format::{Form, Format};
use crate::output::{Destination, warn, write_file};
use crate::progress;
use crate::rankings::{RankingsArgs, level};

/// Compare the six ways to build lists from rankings
///
/// Builds all lists by each of the six aggregation functions, and says how consistent they are and
/// how large their groups (Urbano, Marrero, Martín and Lloréns, ISMIR 2010, Table 3). With runs,
/// it scores every system against the lists of every function (Table 4).
#[derive(Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct StudyArgs {
    #[command(flatten)]
    rankings: RankingsArgs,
    /// The significance level of the tests that build the lists
    #[arg(long, value_name = "LEVEL", default_value_t = 0.25)]
    alpha: f64,
    /// The level of the tests that measure how consistent they are; as --alpha if not given
    #[arg(long, value_name = "LEVEL")]
    check_alpha: Option<f64>,
    #[command(flatten)]
    systems: SystemArgs,
    /// Print every list as well
    #[arg(long)]
    per_query: bool,
    /// Draw notched box plots of consistency and of items a group, by function
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
  partita truth study --rankings rankings.csv
  partita truth study --rankings skating/*.toc --per-query --format csv
  partita truth study --rankings rankings.csv --run runs/*.run --format latex";

/// What was found.
struct Study {
    queries: Vec<QueryRankings>,
    /// The names of the systems.
    systems: Vec<String>,
    /// For each query its six lists.
    lists: Vec<[ListStudy; 6]>,
    functions: [FunctionStudy; 6],
}

pub(crate) fn run(args: &StudyArgs) -> Result<(), Failure> {
    let alpha = level("--alpha", args.alpha)?;
    let check_alpha = level("--check-alpha", args.check_alpha.unwrap_or(args.alpha))?;
    if args.rankings.is_standard_input() && args.systems.is_standard_input() {
        return Err(Failure::input("only one file can be standard input"));
    }
    let (queries, mut warnings) = args.rankings.read()?;
    let named = queries
        .iter()
        .map(|query| (query.name.as_str(), &query.rankings));
    let systems = args.systems.read(named)?;
    warnings.extend(systems.warnings);
    warn(&warnings);
    let progress = progress::bar(queries.len(), "studying");
    let lists: Vec<[ListStudy; 6]> = queries
        .par_iter()
        .enumerate()
        .map(|(number, query)| {
            let of_query: Vec<&Ranking> = systems.rankings.iter().map(|all| &all[number]).collect();
            let reading = args.rankings.reading();
            let lists = study_list(&query.rankings, alpha, check_alpha, reading, &of_query);
            progress.inc(1);
            lists
        })
        .collect();
    progress.finish_and_clear();
    let study = Study {
        functions: study(&lists),
        queries,
        systems: systems.names,
        lists,
    };
    if let Some(file) = &args.figure {
        write_file(file, &figure::draw(&study)?)?;
    }
    let text = match Format::chosen(args.format, &args.destination) {
        Form::Table(format) => tables::print(args, &study, format)?,
        Form::Csv => csv::print(args, &study)?,
        Form::Json => json::print(args, &study, &warnings),
    };
    args.destination.write(&text)
}

impl StudyArgs {
    fn measured_at(&self) -> f64 {
        self.check_alpha.unwrap_or(self.alpha)
    }
}

/// A number that is defined.
fn defined(number: f64) -> Option<f64> {
    Some(number).filter(|number| !number.is_nan())
}

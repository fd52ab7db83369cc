//! `partita truth build`: ground truths from many people's rankings or preferences.

mod details;
mod preferred;

use clap::{Args, ValueEnum};
use partita_core::truth::{Aggregated, Aggregation, Evidence};
use partita_core::{GroundTruth, Judged, Scale};
use partita_formats::rankings::QueryRankings;
use partita_formats::truth::{self, TruthFormat};
use partita_report::{Cell, Column, Table, TableFormat};
use rayon::prelude::*;

use crate::failure::Failure;
use crate::output::{Destination, warn};
use crate::preferences::{PreferencesArgs, PriceArgs};
use crate::progress;
use crate::rankings::{RankingsArgs, level};

/// Build ground truths from many people's rankings or preferences
///
/// From rankings: items are arranged by their median ranks, then by their mean ranks. Read in that
/// order, each joins the current group or opens the next, as Mann-Whitney tests of the ranks decide
/// (Urbano, Marrero, Martín and Lloréns, ISMIR 2010). Inside a group the arranged order is kept.
///
/// From preferences: the votes on each pair decide it, and the self-organising sort that asked for
/// the pairs is run again (Urbano, Morato, Marrero and Martín, 2010). Where its record leaves more
/// than one list open, --details prints them all.
#[derive(Args, Debug)]
#[command(
    after_help = AFTER_HELP,
    mut_arg("rankings", |rankings| rankings
        .required(false)
        .required_unless_present("preferences")
        .conflicts_with("preferences"))
)]
pub(crate) struct BuildArgs {
    #[command(flatten)]
    rankings: RankingsArgs,
    #[command(flatten)]
    preferences: PreferencesArgs,
    /// How the answers make a list: by the sort for which they were asked, or by one model of all
    /// votes, with the reliability of the assessors, however they were asked
    #[arg(long, value_enum, default_value = "sort", conflicts_with = "rankings")]
    by: ByName,
    #[command(flatten)]
    price: PriceArgs,
    /// The seed of what is drawn: the order of a sort, or one of several lists
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// When an item opens a group: it differs from all items of the current one, from any of them,
    /// or from the previous one; by a 1-tailed or a 2-tailed test
    #[arg(long, value_enum, value_name = "FUNCTION", default_value = "any-1")]
    aggregate: AggregationName,
    /// The significance level of the tests that build the lists
    #[arg(long, value_name = "LEVEL", default_value_t = 0.25)]
    alpha: f64,
    /// The level of the tests that measure how consistent the lists are, with --details; as
    /// --alpha if not given
    #[arg(long, value_name = "LEVEL")]
    check_alpha: Option<f64>,
    /// Say how every choice was made
    #[arg(long)]
    details: bool,
    /// How the lists are written; a table on a terminal, else CSV
    #[arg(long, value_enum)]
    format: Option<Format>,
    #[command(flatten)]
    destination: Destination,
}

const AFTER_HELP: &str = "\
Examples:
  partita truth build --rankings rankings.csv
  partita truth build --rankings skating/*.toc --aggregate all-2 --format json
  partita truth build --rankings matrix.csv --query q7 --alpha 0.1 --details --format json
  partita truth build --preferences answers.csv --decide margin:2
  partita truth build --preferences answers.csv --by pooled --details --format json
  partita truth build --preferences turk.csv --map query=Input.query,a=Input.docA,b=Input.docB,\
assessor=WorkerId,answer=Answer.radio,equal=s,time=CreationTime,seconds=WorkTimeInSeconds --details";

/// How answers make a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ByName {
    /// The votes on each pair decide it, and the self-organising sort makes the list
    Sort,
    /// Davidson's model of all votes on a list, with the reliability of the assessors
    Pooled,
}

/// The six functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum AggregationName {
    #[value(name = "all-1")]
    All1,
    #[value(name = "all-2")]
    All2,
    #[value(name = "any-1")]
    Any1,
    #[value(name = "any-2")]
    Any2,
    #[value(name = "prev-1")]
    Prev1,
    #[value(name = "prev-2")]
    Prev2,
}

impl AggregationName {
    pub(super) fn aggregation(self) -> Aggregation {
        match self {
            Self::All1 => Aggregation::All1,
            Self::All2 => Aggregation::All2,
            Self::Any1 => Aggregation::Any1,
            Self::Any2 => Aggregation::Any2,
            Self::Prev1 => Aggregation::Prev1,
            Self::Prev2 => Aggregation::Prev2,
        }
    }
}

/// How lists are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For a person
    Table,
    /// query,item,group
    Csv,
    /// {"query": [["a", "b"], ["c"]]}
    Json,
    /// query,item,group: as csv
    Groups,
    /// query: (a, b), (c)
    Notation,
    /// query 0 item grade: a higher grade is better
    Qrels,
    /// query,item,gain: a higher gain is better
    Gains,
    /// PrefLib's .toc, of one query
    Preflib,
}

/// A list with what it was built from.
struct Built {
    query: QueryRankings,
    evidence: Evidence,
    aggregated: Aggregated,
}

impl Built {
    fn item(&self, item: partita_core::Item) -> &str {
        self.query.rankings.items().name(item)
    }

    /// The list with names.
    fn judged(&self) -> Result<Judged, Failure> {
        let list = &self.aggregated.list;
        let groups: Vec<Vec<&str>> = list
            .groups()
            .map(|group| group.iter().map(|&item| self.item(item)).collect())
            .collect();
        Judged::of_groups(groups.iter()).map_err(Failure::ours)
    }
}

pub(crate) fn run(args: &BuildArgs) -> Result<(), Failure> {
    let alpha = level("--alpha", args.alpha)?;
    let check_alpha = level("--check-alpha", args.check_alpha.unwrap_or(args.alpha))?;
    let default = match args.destination.is_terminal() {
        true => Format::Table,
        false => Format::Csv,
    };
    let format = args.format.unwrap_or(default);
    if args.details && !matches!(format, Format::Table | Format::Csv | Format::Json) {
        let message = "--details can be printed as a table, as CSV and as JSON only";
        return Err(Failure::input(message).hint("say `--format json`"));
    }
    if let Some(file) = &args.preferences.preferences {
        return args.destination.write(&preferred::run(args, file, format)?);
    }
    let (queries, warnings) = args.rankings.read()?;
    warn(&warnings);
    let reading = args.rankings.reading();
    let aggregation = args.aggregate.aggregation();
    let progress = progress::bar(queries.len(), "building");
    let built: Vec<Built> = queries
        .into_par_iter()
        .map(|query| {
            let evidence = Evidence::new(&query.rankings, alpha, reading);
            let aggregated = evidence.aggregate(aggregation);
            progress.inc(1);
            Built {
                query,
                evidence,
                aggregated,
            }
        })
        .collect();
    progress.finish_and_clear();
    let write = |format| -> Result<String, Failure> {
        // The hints of the writers are for `truth convert`.
        let hint = "say `--format json`, which holds any names and any number of lists";
        truth::write(&ground_truth(&built)?, format).map_err(|e| Failure::from(e).hint(hint))
    };
    let text = match format {
        Format::Table => table(&built, args.details)?,
        Format::Csv if args.details => details::csv(&built)?,
        Format::Json if args.details => details::json(args, &built, check_alpha, &warnings),
        Format::Json => write(TruthFormat::Json)?,
        Format::Csv | Format::Groups => write(TruthFormat::Groups)?,
        Format::Notation => write(TruthFormat::Notation)?,
        Format::Qrels => write(TruthFormat::Qrels)?,
        Format::Gains => write(TruthFormat::Gains)?,
        Format::Preflib => write(TruthFormat::Preflib)?,
    };
    args.destination.write(&text)
}

fn ground_truth(built: &[Built]) -> Result<GroundTruth, Failure> {
    let judged = built
        .iter()
        .map(|built| Ok((built.query.name.clone(), built.judged()?)));
    let judged = judged.collect::<Result<Vec<_>, Failure>>()?;
    GroundTruth::new(Scale::Groups, judged).map_err(Failure::ours)
}

/// The lists for a person.
fn table(built: &[Built], with_details: bool) -> Result<String, Failure> {
    let mut columns = vec![
        Column::integer("Group"),
        Column::text("Item"),
        Column::number("Median", 1),
        Column::number("Mean", 2),
        Column::integer("Ranks"),
    ];
    if with_details {
        columns.push(Column::text("Why"));
    }
    let mut table = Table::new(columns);
    for built in built {
        table.push_heading(built.query.name.clone());
        for row in details::rows(built) {
            let mut cells = vec![
                Cell::integer(row.group as i64),
                Cell::text(row.item),
                row.median.into(),
                row.mean.into(),
                Cell::integer(row.ranks as i64),
            ];
            if with_details {
                cells.push(Cell::text(row.why));
            }
            table.push(cells);
        }
    }
    Ok(TableFormat::Text.render(&table))
}

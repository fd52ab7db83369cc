//! `partita judge simulate`: strategies side by side before anybody is asked.

mod contenders;
mod figure;
mod output;

use std::path::Path;

use clap::Args;
use partita_core::Answer;
use partita_formats::{Source, recorded_votes};
use partita_judging::simulate::{
    Calibration, Contender, ListUnderStudy, Observation, Oracle, Recorded, SimulatedAssessors,
    SimulatedList, calibrate, observe, references_outside, study,
};
use partita_judging::{Rule, pair_votes, summarise_batches};
use partita_stats::streams::{index_below, shuffle, stream};
use rayon::prelude::*;

use super::counted;
use crate::failure::Failure;
use crate::format::{Form, Format};
use crate::output::{Destination, warn};
use crate::preferences::{PriceArgs, ReadingArgs};
use crate::progress;
use crate::rankings::level;

/// Try strategies on simulated assessors, or on recorded votes
///
/// Every strategy asks about the same lists and gets the same answers. Its lists are measured by the
/// truth: the share of pairs in the wrong order, the ADR, and the share of pairs whose relation (before,
/// equal, after) is right. The votes that it needs to be as good as the first strategy are given as a
/// share of that one's. Intervals come from drawing the lists again.
///
/// Recorded votes (--oracle) are lines `id1,id2,n,v1,...,vn`. Lists are drawn from their items, and the
/// truth about a list comes from the votes about its items beside others, which no strategy sees.
#[derive(Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct SimulateArgs {
    /// The strategies, the first being the baseline: sort, sort:VOTES, sort-curtailed,
    /// sort-predictive:P/P/..., sort-refitted:P/P/..., pooled and random
    #[arg(long, value_name = "NAME,...", value_delimiter = ',', default_value = contenders::DEFAULT)]
    strategies: Vec<String>,
    /// Recorded votes to answer from: a file, or a folder with one CSV file in the folder of
    /// PARTITA_DATA
    #[arg(long, value_name = "FILE")]
    oracle: Option<String>,
    /// Recorded votes up to this size count as equal
    #[arg(
        long,
        value_name = "SIZE",
        default_value_t = 0.125,
        requires = "oracle"
    )]
    equal: f64,
    /// The mean vote, from 0 to 1, from which on a difference matters
    #[arg(long, value_name = "MEAN", default_value_t = 0.2)]
    matters: f64,
    #[command(flatten)]
    people: People,
    /// The number of lists
    #[arg(long, value_name = "N", default_value_t = 60)]
    lists: usize,
    /// The number of items of a list: one, or the least and the most
    #[arg(long, value_name = "N|LEAST:MOST", default_value = "14:24", value_parser = sizes)]
    items: (usize, usize),
    /// The number of votes on a pair if none is saved
    #[arg(long, value_name = "N", default_value_t = 10)]
    votes: u32,
    /// How the votes on a pair decide it in the sort
    #[arg(long, value_name = "RULE", default_value = "mwu")]
    decide: Rule,
    /// The significance level of that rule
    #[arg(long, value_name = "LEVEL", default_value_t = 0.25)]
    alpha: f64,
    #[command(flatten)]
    price: PriceArgs,
    /// The seconds that an answer takes
    #[arg(long, value_name = "SECONDS", default_value_t = 21.75)]
    seconds: f64,
    /// The number of times the lists are drawn again for intervals
    #[arg(long, value_name = "N", default_value_t = 300)]
    resamples: usize,
    /// The seed of all that is drawn
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Draw the share of pairs in the wrong order against the votes, a curve a strategy; a folder gets
    /// this, ADR and the share of right relations
    #[arg(long, value_name = "FILE.svg|FOLDER")]
    figure: Option<String>,
    /// How the result is written; a table on a terminal, else CSV
    #[arg(long, value_enum)]
    format: Option<Format>,
    #[command(flatten)]
    destination: Destination,
}

/// What simulated assessors are like.
#[derive(Args, Clone, Debug)]
struct People {
    /// The standard deviation of what is perceived, neighbouring groups being 1 apart in the mean
    #[arg(long, value_name = "SD", conflicts_with = "oracle")]
    noise: Option<f64>,
    /// How far apart two items must seem to be told apart
    #[arg(long, value_name = "WIDTH", conflicts_with = "oracle")]
    band: Option<f64>,
    /// The share of answers given without attention
    #[arg(long, value_name = "SHARE", default_value_t = 0.2)]
    careless: f64,
    /// By how much the item that is shown first seems better
    #[arg(
        long,
        value_name = "BIAS",
        default_value_t = 0.0,
        allow_negative_numbers = true
    )]
    bias: f64,
    /// Choose the noise and the band so that people agree, and call items equal, as often as in these
    /// recorded preferences; without them as in the archive of Urbano et al. (2010)
    #[arg(long, value_name = "FILE", conflicts_with = "oracle")]
    calibrate: Option<String>,
    #[command(flatten)]
    reading: ReadingArgs,
}

const AFTER_HELP: &str = "\
Examples:
  partita judge simulate
  partita judge simulate --strategies sort,pooled --lists 200 --items 20 --careless 0.3
  partita judge simulate --oracle photo-pairs/Photo.csv --lists 300 --format json
  partita judge simulate --oracle photo-pairs/Photo.csv --equal 0.375 --matters 0.13
  partita judge simulate --strategies sort,random,pooled --figure curves.svg";

fn sizes(text: &str) -> Result<(usize, usize), String> {
    let wrong = || format!("expected a number of items such as 20 or 14:24, not `{text}`");
    let (least, most) = text.split_once(':').unwrap_or((text, text));
    let number = |text: &str| text.trim().parse::<usize>().map_err(|_| wrong());
    let (least, most) = (number(least)?, number(most)?);
    match least {
        2.. if least <= most && most <= 500 => Ok((least, most)),
        _ => Err(wrong()),
    }
}

pub(crate) fn run(args: &SimulateArgs) -> Result<(), Failure> {
    let alpha = level("--alpha", args.alpha)?;
    args.check()?;
    let price = args.price.price()?;
    let contenders = contenders::parse(args, alpha)?;
    let observed = match &args.oracle {
        Some(file) => {
            let lists = recorded_lists(args, file)?;
            observe_all(&lists, &contenders)
        }
        None => {
            let assessors = args.people()?;
            let lists = simulated_lists(args, assessors);
            observe_all(&lists, &contenders)
        }
    };
    let references = if args.oracle.is_some() { 2 } else { 1 };
    let outcomes = study(
        &contenders,
        &observed,
        references,
        args.resamples,
        args.seed,
    );
    if let Some(place) = &args.figure {
        figure::draw(args, &outcomes, references, place)?;
    }
    let format = Format::chosen(args.format, &args.destination);
    let text = match format {
        Form::Table(tables) => output::table(args, &outcomes, references, price, tables)?,
        Form::Json => output::json(args, &outcomes, references, price),
        _ => output::csv(args, &outcomes, references, price)?,
    };
    args.destination.write(&text)
}

impl SimulateArgs {
    /// The lists that are studied, in words.
    fn studied(&self) -> String {
        let (least, most) = self.items;
        let items = match least == most {
            true => least.to_string(),
            false => format!("{least} to {most}"),
        };
        format!("{} of {items} items", counted(self.lists as u64, "list"))
    }

    fn check(&self) -> Result<(), Failure> {
        let wrong = |message: String| Err(Failure::input(message));
        if self.lists == 0 {
            return wrong("--lists must be at least 1".to_owned());
        }
        if !(1..=100).contains(&self.votes) {
            return wrong(format!(
                "--votes must be between 1 and 100, not {}",
                self.votes
            ));
        }
        if !(self.matters >= 0.0 && self.matters < 1.0) {
            return wrong(format!(
                "--matters must be between 0 and 1, not {}",
                self.matters
            ));
        }
        let people = &self.people;
        if !(0.0..=1.0).contains(&people.careless) {
            let message = format!(
                "--careless must be between 0 and 1, not {}",
                people.careless
            );
            return wrong(message);
        }
        let sizes = [
            ("--noise", people.noise.unwrap_or(1.0)),
            ("--band", people.band.unwrap_or(1.0)),
            ("--seconds", self.seconds),
            ("--equal", self.equal),
        ];
        for (name, value) in sizes {
            if !(value >= 0.0 && value.is_finite()) {
                return wrong(format!("{name} must be at least 0, not {value}"));
            }
        }
        match people.bias.is_finite() {
            true => Ok(()),
            false => wrong(format!("--bias must be a number, not {}", people.bias)),
        }
    }

    /// What the assessors are like.
    fn people(&self) -> Result<SimulatedAssessors, Failure> {
        let given = &self.people;
        let start = SimulatedAssessors {
            careless: given.careless,
            bias: given.bias,
            ..SimulatedAssessors::default()
        };
        let goal = match &given.calibrate {
            None if given.noise.is_some() && given.band.is_some() => None,
            None => Some(Calibration::PAPER),
            Some(file) => {
                let read = given.reading.read(file)?;
                warn(&read.warnings);
                let batches = summarise_batches(&read.preferences);
                let agreements: Vec<f64> = batches.iter().filter_map(|b| b.agreement).collect();
                let pairs = read.preferences.queries().iter().flat_map(pair_votes);
                let (equal, all) = pairs.fold((0.0, 0.0), |(equal, all), pair| {
                    (
                        equal + f64::from(pair.votes.equal),
                        all + f64::from(pair.votes.len()),
                    )
                });
                if agreements.is_empty() {
                    let message = format!("{file}: no pair has two answers to agree");
                    return Err(Failure::input(message));
                }
                Some(Calibration {
                    agreement: agreements.iter().sum::<f64>() / agreements.len() as f64,
                    equal: equal / all,
                })
            }
        };
        let found = match goal {
            Some(goal) => calibrate(start, goal, self.seed),
            None => start,
        };
        Ok(SimulatedAssessors {
            noise: given.noise.unwrap_or(found.noise),
            band: given.band.unwrap_or(found.band),
            ..found
        })
    }

    /// The number of items of each list.
    fn size(&self, list: usize) -> usize {
        let (least, most) = self.items;
        least
            + index_below(
                &mut stream(self.seed, &[SIZES, list as u64]),
                most - least + 1,
            )
    }
}

/// The random streams of this file.
const SIZES: u64 = 0x004_050;
const PARTITION: u64 = 0x004_051;

fn simulated_lists(
    args: &SimulateArgs,
    assessors: SimulatedAssessors,
) -> Vec<ListUnderStudy<SimulatedList>> {
    let list = |number: usize| {
        let seed = args
            .seed
            .wrapping_mul(1_000_003)
            .wrapping_add(number as u64);
        let oracle = SimulatedList::new(assessors, args.size(number), seed);
        ListUnderStudy {
            references: vec![oracle.reference().clone()],
            oracle,
            seed,
        }
    };
    (0..args.lists).map(list).collect()
}

fn recorded_lists(
    args: &SimulateArgs,
    file: &str,
) -> Result<Vec<ListUnderStudy<impl Oracle + Sync + use<>>>, Failure> {
    let read = recorded_votes::read(&Source::open(&found(file))?)?;
    warn(&read.warnings);
    let mut recorded = Recorded::new();
    for (a, b, votes) in &read.pairs {
        for &vote in votes {
            let answer = match vote {
                // Sizes are decimal fractions, which a sum or a product may miss by a hair.
                _ if vote.abs() <= args.equal + 1e-9 => Answer::Equal,
                _ if vote > 0.0 => Answer::A,
                _ => Answer::B,
            };
            recorded.add(a.index(), b.index(), answer);
        }
    }
    let collection = read.items.len();
    let most = args.items.1;
    if most >= collection {
        let message = format!(
            "{file}: lists of {most} items cannot be drawn from {collection} and be compared with \
             others"
        );
        return Err(Failure::input(message).hint("make lists shorter with `--items`"));
    }
    // Lists come from random partitions of the collection, so that none share an item too often.
    let mut drawn: Vec<Vec<usize>> = Vec::new();
    let mut round = 0;
    while drawn.len() < args.lists {
        let mut order: Vec<usize> = (0..collection).collect();
        shuffle(&mut stream(args.seed, &[PARTITION, round]), &mut order);
        let mut rest = order.as_slice();
        while drawn.len() < args.lists {
            let Some((list, others)) = rest.split_at_checked(args.size(drawn.len())) else {
                break;
            };
            drawn.push(list.to_vec());
            rest = others;
        }
        round += 1;
    }
    let bar = progress::bar(drawn.len(), "references");
    let lists = drawn.par_iter().enumerate().map(|(number, items)| {
        let seed = args
            .seed
            .wrapping_mul(1_000_003)
            .wrapping_add(number as u64);
        let references = references_outside(&recorded, collection, items, args.matters);
        bar.inc(1);
        ListUnderStudy {
            oracle: recorded.list(items, args.votes as usize, seed),
            references: references.into(),
            seed,
        }
    });
    let lists = lists.collect();
    bar.finish_and_clear();
    Ok(lists)
}

/// The file itself, or the one CSV file of a folder among the data sets.
fn found(file: &str) -> String {
    let data = std::env::var("PARTITA_DATA").ok();
    let folder = match (Path::new(file), &data) {
        (path, _) if path.is_dir() => Some(path.to_path_buf()),
        (path, Some(data)) if !path.exists() => Some(Path::new(data).join(file)),
        _ => None,
    };
    let files = folder.and_then(|folder| std::fs::read_dir(folder).ok());
    let csv = files
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path());
    let mut csv = csv.filter(|path| path.extension().is_some_and(|ending| ending == "csv"));
    match (csv.next(), csv.next()) {
        (Some(only), None) => only.to_string_lossy().into_owned(),
        _ => file.to_owned(),
    }
}

/// What each strategy makes of each list.
fn observe_all<O: Oracle + Sync>(
    lists: &[ListUnderStudy<O>],
    contenders: &[Contender],
) -> Vec<Vec<Vec<Observation>>> {
    let bar = progress::bar(lists.len() * contenders.len(), "simulating");
    let observed = contenders.iter().map(|contender| {
        let of_each = lists.par_iter().map(|list| {
            let seen = observe(list, contender);
            bar.inc(1);
            seen
        });
        of_each.collect()
    });
    let observed = observed.collect();
    bar.finish_and_clear();
    observed
}

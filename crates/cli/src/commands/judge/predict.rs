//! `partita judge predict`: how many votes a pair is worth.

use clap::Args;
use partita_judging::simulate::{
    Estimate, Needed, Prediction, PredictionError, PredictionSettings, Stopped, predict, stopped,
};
use partita_judging::{Rule, Stop};
use partita_report::{Cell, Column, Table, TableFormat};
use serde_json::{Map, Value, json};

use super::format::{self, number};
use crate::failure::Failure;
use crate::format::{Form, Format};
use crate::notes::render;
use crate::output::{Destination, warn};
use crate::preferences::PreferencesArgs;
use crate::rankings::level;

/// Say how many votes a pair is worth, by how well recorded answers foretell each other
///
/// Some answers to each pair foretell its other answers: by themselves, with a uniform prior of the
/// three shares, and by Davidson's model of as many answers to every pair of the list. The direction is wrong where a pair that differs by the
/// other answers is foretold the other way round (one half if foretold to be equal); the mean vote,
/// from -1 to 1, is off by a mean square. The votes that the model needs to be as good as a pair's own
/// are given as a share, with an interval from drawing the lists again.
///
/// Beside it stands what stopping early would have made of the same answers: the share of votes that
/// would have been asked, and of decisions that would have been the same, or the other way round.
#[derive(Args, Debug)]
#[command(
    after_help = AFTER_HELP,
    mut_arg("preferences", |preferences| preferences.required(true))
)]
pub(crate) struct PredictArgs {
    #[command(flatten)]
    preferences: PreferencesArgs,
    /// The significance level of the rule
    #[arg(long, value_name = "LEVEL", default_value_t = 0.25)]
    alpha: f64,
    /// The most votes on a pair to foretell by; its other answers are held out
    #[arg(long, value_name = "N", default_value_t = 5)]
    votes: u32,
    /// How confident of the outcome one has to be to stop early
    #[arg(
        long,
        value_name = "P,...",
        value_delimiter = ',',
        default_value = "0.95,0.9,0.8"
    )]
    confidence: Vec<f64>,
    /// How often it is drawn which answers come first
    #[arg(long, value_name = "N", default_value_t = 20)]
    splits: u32,
    /// The number of times the lists are drawn again for intervals
    #[arg(long, value_name = "N", default_value_t = 300)]
    resamples: u32,
    /// The seed of all that is drawn
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// How the result is written; a table on a terminal, else CSV
    #[arg(long, value_enum)]
    format: Option<Format>,
    #[command(flatten)]
    destination: Destination,
}

const AFTER_HELP: &str = "\
Examples:
  partita judge predict --preferences answers.csv
  partita judge predict --preferences answers.csv --votes 3 --confidence 0.9,0.7
  partita judge predict --preferences answers.csv --decide sign --alpha 0.05 --format json";

pub(crate) fn run(args: &PredictArgs) -> Result<(), Failure> {
    let rule = args.preferences.rule(level("--alpha", args.alpha)?);
    for (name, value, most) in [
        ("--votes", args.votes, 1_000),
        ("--splits", args.splits, 100_000),
    ] {
        if !(1..=most).contains(&value) {
            let message = format!("{name} must be between 1 and {most}, not {value}");
            return Err(Failure::input(message));
        }
    }
    for confidence in &args.confidence {
        if !(*confidence > 0.0 && *confidence <= 1.0) {
            let message = format!("--confidence must be above 0 and at most 1, not {confidence}");
            return Err(Failure::input(message));
        }
    }
    let file = args.preferences.file()?;
    let read = args.preferences.read(file)?;
    warn(&read.warnings);
    let settings = PredictionSettings {
        votes: args.votes,
        splits: args.splits,
        resamples: args.resamples,
        seed: args.seed,
    };
    let prediction = predict(&read.preferences, settings).map_err(|nothing| {
        let failure = Failure::input(format!("{file}: {nothing}"));
        match nothing.most {
            0 | 1 => failure.hint("answers of several people to the same pair are needed"),
            most => failure.hint(format!("foretell by fewer with `--votes {}`", most / 2)),
        }
    })?;
    let ways = [
        ("full".to_owned(), Stop::Full),
        ("curtailed".to_owned(), Stop::Curtailed),
    ]
    .into_iter()
    .chain((args.confidence.iter()).map(|&p| (format!("predictive:{p}"), Stop::Predictive(p))));
    let stops = ways.map(|(name, stop)| {
        let found = stopped(&read.preferences, rule, stop, args.splits, args.seed);
        (name, found)
    });
    let result = Answers {
        args,
        rule,
        prediction,
        stops: stops.collect(),
    };
    let format = Format::chosen(args.format, &args.destination);
    let text = match format {
        Form::Table(format) => result.tables(format)?,
        Form::Json => result.json(),
        Form::Csv => result.csv()?,
    };
    args.destination.write(&text)
}

/// What was found, with what was asked for.
struct Answers<'a> {
    args: &'a PredictArgs,
    rule: Rule,
    prediction: Prediction,
    stops: Vec<(String, Stopped)>,
}

impl Answers<'_> {
    fn tables(&self, format: TableFormat) -> Result<String, Failure> {
        let mut table = Table::new([
            Column::integer("Votes"),
            Column::number("Own direction", 3),
            Column::number("Pooled direction", 3),
            Column::number("Own mean square", 3),
            Column::number("Pooled mean square", 3),
        ]);
        for point in &self.prediction.points {
            let row = [
                Cell::integer(point.votes.into()),
                Cell::number(point.own.direction),
                Cell::number(point.pooled.direction),
                Cell::number(point.own.mean_square),
                Cell::number(point.pooled.mean_square),
            ];
            table.push(row);
        }
        let mut notes: Vec<String> = self
            .prediction
            .needed
            .iter()
            .map(|n| self.note(n))
            .collect();
        notes.push(format!(
            "Errors over {} held-out answers to {} pairs, in the mean over {} orders (seed {}).",
            self.prediction.held_out, self.prediction.pairs, self.args.splits, self.args.seed
        ));
        let mut stops = Table::new([
            Column::text("Stop"),
            Column::number("Votes", 3),
            Column::number("Kept", 3),
            Column::number("Reversed", 4),
        ]);
        for (name, found) in &self.stops {
            let row = [
                Cell::text(name.clone()),
                Cell::number(found.votes),
                Cell::number(found.kept),
                Cell::number(found.reversed),
            ];
            stops.push(row);
        }
        let note = format!(
            "Shares of the votes asked and of the decisions by {} of all votes on a pair.",
            self.rule
        );
        Ok(format!(
            "{}\n{}",
            render(table, &notes, format),
            render(stops, &[note], format)
        ))
    }

    /// How many votes the model needs, in words.
    fn note(&self, needed: &Needed) -> String {
        let measure = needed.measure.replace('_', " ");
        let votes = self.args.votes;
        match &needed.share {
            Some(share) => {
                let interval = match share.lower.is_nan() {
                    true => String::new(),
                    false => format!(" ({:.0}-{:.0}%)", 100.0 * share.lower, 100.0 * share.upper),
                };
                format!(
                    "By {measure}, pooled votes are as good as {votes} of a pair's own for {}{:.0}%{interval} \
                     of them.",
                    if needed.at_most { "at most " } else { "" },
                    100.0 * share.mean
                )
            }
            None => {
                format!("By {measure}, pooled votes are never as good as {votes} of a pair's own.")
            }
        }
    }

    /// `way,votes,measure,value,lower,upper`.
    fn csv(&self) -> Result<String, Failure> {
        let header = ["way", "votes", "measure", "value", "lower", "upper"];
        let mut rows = Vec::new();
        let mut row =
            |way: &str, votes: String, measure: &str, value: f64, ends: [Option<f64>; 2]| {
                let [lower, upper] = ends.map(number);
                let [way, measure] = [way, measure].map(str::to_owned);
                rows.push([way, votes, measure, value.to_string(), lower, upper]);
            };
        for point in &self.prediction.points {
            for (way, error) in [("own", point.own), ("pooled", point.pooled)] {
                let votes = || point.votes.to_string();
                row(way, votes(), "direction", error.direction, [None; 2]);
                row(way, votes(), "mean_square", error.mean_square, [None; 2]);
            }
        }
        for needed in &self.prediction.needed {
            if let Some(share) = &needed.share {
                let ends = [share.lower, share.upper].map(|end| (!end.is_nan()).then_some(end));
                row("needed", String::new(), &needed.measure, share.mean, ends);
            }
        }
        for (name, found) in &self.stops {
            for (measure, value) in [
                ("asked", found.votes),
                ("kept", found.kept),
                ("reversed", found.reversed),
            ] {
                row(name, String::new(), measure, value, [None; 2]);
            }
        }
        format::csv(header, rows)
    }

    fn json(&self) -> String {
        let error = |error: &PredictionError| -> Value {
            json!({"direction": error.direction, "mean_square": error.mean_square})
        };
        // What is no number is null.
        let estimate = |estimate: &Estimate| -> Value {
            json!({"mean": estimate.mean, "lower": estimate.lower, "upper": estimate.upper})
        };
        let points = self.prediction.points.iter().map(|point| {
            json!({
                "votes": point.votes,
                "own": error(&point.own),
                "pooled": error(&point.pooled),
            })
        });
        let needed = self.prediction.needed.iter().map(|needed| {
            let share = json!({
                "share": needed.share.as_ref().map(estimate),
                "at_most": needed.at_most,
            });
            (needed.measure.clone(), share)
        });
        let stops = self.stops.iter().map(|(name, found)| {
            json!({
                "stop": name,
                "asked": found.votes,
                "kept": found.kept,
                "reversed": found.reversed,
            })
        });
        let value = json!({
            "seed": self.args.seed,
            "splits": self.args.splits,
            "votes": self.args.votes,
            "decide": self.rule.to_string(),
            "alpha": self.rule.alpha().map(|alpha| alpha.value()),
            "pairs": self.prediction.pairs,
            "held_out": self.prediction.held_out,
            "points": points.collect::<Vec<_>>(),
            "needed": needed.collect::<Map<String, Value>>(),
            "stops": stops.collect::<Vec<_>>(),
        });
        format!("{value:#}\n")
    }
}

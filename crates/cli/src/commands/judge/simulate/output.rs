//! What came of a simulation, for people and for programs.

use partita_judging::Price;
use partita_judging::simulate::{Estimate, Outcome, Point, measures};
use partita_report::{Cell, Column, Table, TableFormat};
use serde_json::{Map, Value, json};

use super::super::format::{self, number};
use super::SimulateArgs;
use crate::failure::Failure;
use crate::notes::render;

/// What is spent on a list.
const SPENT: [&str; 3] = ["votes", "pairs", "rounds"];

/// The cost of the votes of a list in the mean.
fn cost(args: &SimulateArgs, price: Price, point: &Point) -> f64 {
    let answers_a_pair = (point.spent[0].mean / point.spent[1].mean).round() as usize;
    price.of(1, answers_a_pair.min(args.votes as usize)) * point.spent[0].mean
}

fn hours(args: &SimulateArgs, point: &Point) -> f64 {
    point.spent[0].mean * args.seconds / 3600.0
}

/// The names of the measures that people look at, with the number of decimals.
fn shown(references: usize) -> Vec<usize> {
    let names = measures(references);
    let wanted = |name: &str| name != "strict_inversions" && name != "consistency";
    (0..names.len()).filter(|&at| wanted(&names[at])).collect()
}

pub(super) fn table(
    args: &SimulateArgs,
    outcomes: &[Outcome],
    references: usize,
    price: Price,
    format: TableFormat,
) -> Result<String, Failure> {
    let names = measures(references);
    let shown = shown(references);
    let mut columns = vec![
        Column::text("Strategy"),
        Column::number("Votes", 0),
        Column::number("Share", 2),
        Column::number("Pairs", 0),
        Column::number("Rounds", 1),
        Column::number("Cost", 2),
        Column::number("Hours", 2),
    ];
    columns.extend(shown.iter().map(|&at| {
        let decimals = if names[at] == "groups" { 1 } else { 3 };
        Column::number(names[at].replace('_', " "), decimals)
    }));
    let mut table = Table::new(columns);
    let baseline = outcomes.first().and_then(|first| first.points.last());
    let baseline = baseline.map_or(f64::NAN, |point| point.spent[0].mean);
    for outcome in outcomes {
        for (number, point) in outcome.points.iter().enumerate() {
            let name = if number == 0 {
                outcome.name.as_str()
            } else {
                ""
            };
            let mut cells = vec![
                Cell::text(name),
                Some(point.spent[0].mean).into(),
                Some(point.spent[0].mean / baseline).into(),
                Some(point.spent[1].mean).into(),
                Some(point.spent[2].mean).into(),
                Some(cost(args, price, point)).into(),
                Some(hours(args, point)).into(),
            ];
            cells.extend(shown.iter().map(|&at| Some(point.quality[at].mean).into()));
            table.push(cells);
        }
    }
    let mut notes = vec![format!(
        "Means over {} (seed {}).",
        args.studied(),
        args.seed
    )];
    if let [first, others @ ..] = outcomes {
        notes.extend(others.iter().map(|outcome| sentence(outcome, &first.name)));
    }
    Ok(render(table, &notes, format))
}

/// How many votes a strategy needs, in words.
fn sentence(outcome: &Outcome, baseline: &str) -> String {
    let percent = |share: f64| (100.0 * share).round();
    match outcome.needed_mean {
        Some(share) => {
            let worst = (outcome.needed.iter())
                .filter_map(|needed| needed.share)
                .map(|share| share.mean)
                .fold(0.0, f64::max);
            format!(
                "{} is as good as {baseline} for {}% of its votes ({}-{}%), for {}% by the measure that \
                 needs most.",
                outcome.name,
                percent(share.mean),
                percent(share.lower),
                percent(share.upper),
                percent(worst),
            )
        }
        None => {
            let never: Vec<&str> = (outcome.needed.iter())
                .filter(|needed| needed.share.is_none())
                .map(|needed| needed.measure.as_str())
                .collect();
            format!(
                "{} is never quite as good as {baseline} by: {}.",
                outcome.name,
                never.join(", ").replace('_', " ")
            )
        }
    }
}

/// `strategy,point,measure,mean,lower,upper`.
pub(super) fn csv(
    args: &SimulateArgs,
    outcomes: &[Outcome],
    references: usize,
    price: Price,
) -> Result<String, Failure> {
    let header = ["strategy", "point", "measure", "mean", "lower", "upper"];
    let names = measures(references);
    let mut rows = Vec::new();
    for outcome in outcomes {
        let mut row = |point: &str, measure: &str, mean: f64, ends: Option<&Estimate>| {
            rows.push([
                outcome.name.clone(),
                point.to_owned(),
                measure.to_owned(),
                mean.to_string(),
                number(ends.map(|ends| ends.lower)),
                number(ends.map(|ends| ends.upper)),
            ]);
        };
        for (at, point) in (1..).zip(&outcome.points) {
            let at = usize::to_string(&at);
            for (name, estimate) in SPENT.iter().zip(&point.spent) {
                row(&at, name, estimate.mean, Some(estimate));
            }
            row(&at, "cost", cost(args, price, point), None);
            row(&at, "hours", hours(args, point), None);
            for (name, estimate) in names.iter().zip(&point.quality) {
                row(&at, name, estimate.mean, Some(estimate));
            }
        }
        for needed in &outcome.needed {
            if let Some(share) = &needed.share {
                row("needed", &needed.measure, share.mean, Some(share));
            }
        }
        if let Some(share) = &outcome.needed_mean {
            row("needed", "mean", share.mean, Some(share));
        }
    }
    format::csv(header, rows)
}

pub(super) fn json(
    args: &SimulateArgs,
    outcomes: &[Outcome],
    references: usize,
    price: Price,
) -> String {
    let names = measures(references);
    let estimate = |estimate: &Estimate| -> Value {
        json!({"mean": estimate.mean, "lower": estimate.lower, "upper": estimate.upper})
    };
    let point = |point: &Point| -> Value {
        let mut object = Map::new();
        for (name, spent) in SPENT.iter().zip(&point.spent) {
            object.insert((*name).to_owned(), estimate(spent));
        }
        object.insert("cost".to_owned(), json!(cost(args, price, point)));
        object.insert("hours".to_owned(), json!(hours(args, point)));
        for (name, quality) in names.iter().zip(&point.quality) {
            object.insert(name.clone(), estimate(quality));
        }
        Value::Object(object)
    };
    let strategies: Vec<Value> = (outcomes.iter())
        .map(|outcome| {
            let needed = outcome.needed.iter().map(|needed| {
                let share = json!({
                    "share": needed.share.as_ref().map(estimate),
                    "at_most": needed.at_most,
                });
                (needed.measure.clone(), share)
            });
            json!({
                "strategy": outcome.name,
                "points": outcome.points.iter().map(point).collect::<Vec<_>>(),
                "needed": needed.collect::<Map<String, Value>>(),
                "needed_mean": outcome.needed_mean.as_ref().map(estimate),
            })
        })
        .collect();
    let value = json!({
        "seed": args.seed,
        "lists": args.lists,
        "items": [args.items.0, args.items.1],
        "votes_a_pair": args.votes,
        "baseline": outcomes.first().map(|first| first.name.clone()),
        "strategies": strategies,
    });
    format!("{value:#}\n")
}

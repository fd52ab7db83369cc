//! What came of a simulation, for people and for programs.

use partita_judging::Price;
use partita_judging::simulate::{Estimate, Outcome, Point, measures};
use partita_report::{Cell, Column, Table, TableFormat};
use serde_json::{Map, Value, json};

use super::SimulateArgs;
use crate::failure::Failure;

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
    let mut table = Table::new(columns).map_err(Failure::ours)?;
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
            table.push(cells).map_err(Failure::ours)?;
        }
    }
    let mut text = TableFormat::Text.render(&table);
    text.push_str(&format!(
        "\nMeans over {} lists of {} to {} items (seed {}).\n",
        args.lists, args.items.0, args.items.1, args.seed
    ));
    for outcome in &outcomes[1.min(outcomes.len())..] {
        text.push_str(&sentence(outcome, &outcomes[0].name));
    }
    Ok(text)
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
                 needs most.\n",
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
                "{} is never quite as good as {baseline} by: {}.\n",
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
    let mut writer = csv::Writer::from_writer(Vec::new());
    let header = ["strategy", "point", "measure", "mean", "lower", "upper"];
    writer.write_record(header).map_err(Failure::ours)?;
    let names = measures(references);
    for outcome in outcomes {
        let mut row = |point: &str, measure: &str, mean: f64, ends: Option<(f64, f64)>| {
            let (lower, upper) = ends.unzip();
            let number = |end: Option<f64>| end.map(|end| end.to_string()).unwrap_or_default();
            let record = [
                outcome.name.clone(),
                point.to_owned(),
                measure.to_owned(),
                mean.to_string(),
                number(lower),
                number(upper),
            ];
            writer.write_record(record).map_err(Failure::ours)
        };
        let ends = |estimate: &Estimate| Some((estimate.lower, estimate.upper));
        for (number, point) in outcome.points.iter().enumerate() {
            let at = (number + 1).to_string();
            for (name, estimate) in ["votes", "pairs", "rounds"].iter().zip(&point.spent) {
                row(&at, name, estimate.mean, ends(estimate))?;
            }
            row(&at, "cost", cost(args, price, point), None)?;
            row(&at, "hours", hours(args, point), None)?;
            for (name, estimate) in names.iter().zip(&point.quality) {
                row(&at, name, estimate.mean, ends(estimate))?;
            }
        }
        for needed in &outcome.needed {
            if let Some(share) = &needed.share {
                row("needed", &needed.measure, share.mean, ends(share))?;
            }
        }
        if let Some(share) = &outcome.needed_mean {
            row("needed", "mean", share.mean, ends(share))?;
        }
    }
    let bytes = writer.into_inner().map_err(Failure::ours)?;
    String::from_utf8(bytes).map_err(Failure::ours)
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
        for (name, spent) in ["votes", "pairs", "rounds"].iter().zip(&point.spent) {
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

//! Everything as one JSON object.

use partita_core::reliability::{Shares, stable_with_all};
use partita_formats::Warning;
use serde_json::{Value, json};

use super::ReliabilityArgs;
use super::studied::{LEVELS, Measured, Tested};

pub(super) fn print(args: &ReliabilityArgs, studied: &[Measured], warnings: &[Warning]) -> String {
    let warnings = warnings
        .iter()
        .map(|w| json!({"file": w.file, "line": w.line, "message": w.message}));
    let each = |of_test: fn(&ReliabilityArgs, &Measured, &Tested) -> Vec<Value>| -> Vec<Value> {
        let tests = studied.iter().flat_map(|measured| {
            let tests = measured.tests.iter();
            tests.map(move |tested| (measured, tested))
        });
        tests
            .flat_map(|(measured, tested)| of_test(args, measured, tested))
            .collect()
    };
    let mut object = json!({
        "seed": args.seed,
        "trials": args.trials,
        "measures": studied.iter().map(measure).collect::<Vec<_>>(),
        "cells": each(cells),
        "table_1": each(|_, measured, tested| table_1(measured, tested).into_iter().collect()),
        "smaller": each(|args, measured, tested| vec![smaller(args, measured, tested)]),
        "discriminative": each(|_, measured, tested| vec![discriminative(measured, tested)]),
        "warnings": warnings.collect::<Vec<_>>(),
    });
    if args.details {
        let tests: Vec<String> = args.tests.iter().map(ToString::to_string).collect();
        object["settings"] = json!({
            "scores": args.input.scores,
            "strata": args.strata,
            "tests": tests,
            "trials": args.trials,
            "seed": args.seed,
            "miss": args.miss,
        });
    }
    format!("{object:#}\n")
}

fn measure(measured: &Measured) -> Value {
    let strata = &measured.strata;
    let sizes = strata.names().iter().enumerate();
    let sizes = sizes.map(|(number, name)| (name.clone(), json!(strata.queries(number).len())));
    json!({
        "measure": measured.scores.measure(),
        "systems": measured.scores.systems().len(),
        "queries": measured.scores.queries().len(),
        "pairs": measured.study.pairs().len(),
        "stratified": measured.stratified,
        "strata": match measured.stratified {
            true => Value::Object(sizes.collect()),
            false => Value::Null,
        },
    })
}

/// What test this is, by which measure.
fn named(measured: &Measured, tested: &Tested) -> Value {
    let mut object = json!({
        "measure": measured.scores.measure(),
        "test": tested.test.name(),
        "alpha": tested.test.alpha(),
        "tails": tested.test.tails().number(),
    });
    if let Some(correction) = tested.test.correction() {
        object["correction"] = correction.into();
    }
    object
}

fn cells(args: &ReliabilityArgs, measured: &Measured, tested: &Tested) -> Vec<Value> {
    let sizes = tested.sizes.iter();
    sizes
        .map(|(size, shares)| cell(args, measured, named(measured, tested), *size, shares))
        .collect()
}

fn cell(
    args: &ReliabilityArgs,
    measured: &Measured,
    mut cell: Value,
    size: usize,
    shares: &Shares,
) -> Value {
    cell["size"] = size.into();
    cell["trials"] = shares.trials.into();
    cell["comparisons"] = shares.comparisons.into();
    cell["power"] = shares.power.into();
    cell["power_error"] = shares.power_error.into();
    if let Some(stability) = &shares.stability {
        cell["lack_of_power"] = stability.lack_of_power.into();
        cell["swap"] = stability.swap.into();
        cell["significant_swap"] = stability.significant_swap.into();
        cell["conflicts"] = stability.conflicts.into();
        cell["conflicts_error"] = stability.conflicts_error.into();
        cell["exclusive_or"] = stability.exclusive_or.into();
        cell["stable"] = stability.stable.into();
        cell["swaps"] = json!({
            "of_comparisons": stability.swap + stability.significant_swap,
            "of_conflicts": stability.swaps_of_conflicts,
        });
        let [lack_of_power, swap] = stability.mirror;
        cell["mirror"] = json!({"lack_of_power": lack_of_power, "swap": swap});
        cell["own_swap"] = stability.own_swap.into();
    }
    cell["against_mean"] = shares.against_mean.into();
    let subset = &shares.subset;
    cell["missed"] = json!({
        "mean": subset.missed,
        "deviation": subset.missed_deviation,
        "fewest": subset.fewest_missed,
        "most": subset.most_missed,
        "none": subset.nothing_missed,
        "reversed": subset.reversed,
    });
    cell["more"] = subset.more.into();
    cell["best_trial"] = subset.best_trial.into();
    if args.details {
        let (queries, _) = measured.study.draw().sample(size, subset.best_trial);
        let names = queries
            .iter()
            .map(|&query| &measured.scores.queries()[query]);
        cell["best_queries"] = names.map(String::as_str).collect::<Vec<_>>().into();
    }
    cell
}

/// A row of Table 1 of the paper.
fn table_1(measured: &Measured, tested: &Tested) -> Option<Value> {
    let (half, shares) = tested.half()?;
    let stability = shares.stability.as_ref()?;
    let mut row = named(measured, tested);
    row["half"] = json!({
        "size": half,
        "power": shares.power,
        "conflicts": stability.conflicts,
        "stable": stability.stable,
    });
    row["all"] = json!({
        "size": measured.study.queries(),
        "power": tested.whole_power,
        "stable": stable_with_all(tested.whole_power, stability.conflicts),
    });
    Some(row)
}

/// Which smaller query set would have led to the same conclusions.
fn smaller(args: &ReliabilityArgs, measured: &Measured, tested: &Tested) -> Value {
    let mut object = named(measured, tested);
    object["queries"] = measured.study.queries().into();
    object["significant"] = tested.significant.into();
    object["may_miss"] = args.miss.into();
    let enough = tested.enough(args.miss);
    object["size"] = enough.map(|(size, _)| *size).into();
    object["missed"] = enough.map(|(_, shares)| shares.subset.missed).into();
    object
}

/// How many pairs are told apart on all queries at every level.
fn discriminative(measured: &Measured, tested: &Tested) -> Value {
    let shares = LEVELS.map(|alpha| json!({"alpha": alpha, "share": tested.share_at(alpha)}));
    let mut object = named(measured, tested);
    object["shares"] = shares.to_vec().into();
    object["p_values"] = tested.p_values.clone().into();
    object
}

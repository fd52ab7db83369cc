//! Everything as one JSON object.

use partita_core::Scale;
use partita_core::measure::dynamic_recall;
use serde_json::{Map, Value, json};

use super::EvaluateArgs;
use super::results::{Results, RunResult};
use crate::output::warnings_json;

pub(super) fn print(args: &EvaluateArgs, results: &Results) -> String {
    let names: Vec<&str> = results
        .measures
        .iter()
        .map(|(name, _)| name.as_str())
        .collect();
    let formulas: Map<String, Value> = results
        .measures
        .iter()
        .map(|(name, formula)| (name.clone(), json!(formula)))
        .collect();
    let runs: Vec<Value> = results.runs.iter().map(|r| run(args, results, r)).collect();
    let mut object = Map::new();
    object.insert("measures".to_owned(), json!(names));
    object.insert("formulas".to_owned(), Value::Object(formulas));
    object.insert("runs".to_owned(), json!(runs));
    object.insert("warnings".to_owned(), warnings_json(&results.warnings));
    if args.printing.details {
        object.insert("settings".to_owned(), settings(args, results));
    }
    format!("{:#}\n", Value::Object(object))
}

fn run(args: &EvaluateArgs, results: &Results, run: &RunResult) -> Value {
    let by_measure = || {
        let names = results.measures.iter().map(|(name, _)| name);
        names.zip(&run.scores.by_measure)
    };
    let query_name = |&query: &usize| results.truth.name(query);
    let mut object = Map::new();
    let mut insert = |key: &str, value: Value| object.insert(key.to_owned(), value);
    insert("run", json!(run.scores.run));
    insert("queries", json!(results.truth.len()));
    let missing: Vec<&str> = run.scores.missing.iter().map(query_name).collect();
    insert("missing", json!(missing));
    insert(
        "unjudged",
        collect(by_measure().map(|(m, s)| (m, json!(s.unjudged_share)))),
    );
    insert(
        "unjudged_documents",
        collect(by_measure().map(|(m, s)| (m, json!(s.unjudged_documents)))),
    );
    insert(
        "mean",
        collect(by_measure().map(|(m, s)| (m, json!(s.mean())))),
    );
    let extremes = |pick: fn((f64, f64)) -> f64| {
        let means = by_measure().filter_map(|(m, s)| Some((m, s.extreme_means()?)));
        collect(means.map(|(m, range)| (m, json!(pick(range)))))
    };
    if by_measure().any(|(_, scores)| scores.extremes.is_some()) {
        insert("min", extremes(|range| range.0));
        insert("max", extremes(|range| range.1));
    }
    if results.resampling.is_some() {
        let intervals = results.measures.iter().zip(&run.intervals);
        let interval = intervals.filter_map(|((name, _), interval)| {
            let interval = interval.as_ref()?;
            let ends = json!({"lower": interval.lower, "upper": interval.upper,
                "confidence": interval.confidence});
            Some((name, ends))
        });
        insert("interval", collect(interval));
    }
    let undefined = by_measure().filter(|(_, scores)| !scores.undefined.is_empty());
    let undefined = undefined.map(|(m, s)| {
        let names: Vec<&str> = s.undefined.iter().map(query_name).collect();
        (m, json!(names))
    });
    let undefined = collect(undefined);
    if undefined.as_object().is_some_and(|map| !map.is_empty()) {
        insert("undefined", undefined);
    }
    if results.groups.is_some() {
        let groups = results.group_means(run).into_iter().map(|group| {
            let names = results.measures.iter().map(|(name, _)| name);
            let means = collect(names.zip(&group.means).map(|(m, mean)| (m, json!(mean))));
            (
                group.name.to_owned(),
                json!({"queries": group.queries, "mean": means}),
            )
        });
        insert("groups", Value::Object(groups.collect()));
    }
    for (key, value) in per_query(args, results, run) {
        insert(key, value);
    }
    Value::Object(object)
}

/// What there is of every query: its scores, and what else was asked for.
fn per_query<'a>(
    args: &EvaluateArgs,
    results: &Results,
    run: &'a RunResult,
) -> Vec<(&'a str, Value)> {
    let names = || results.measures.iter().map(|(name, _)| name);
    let of_queries = |score: &dyn Fn(usize, usize) -> Option<f64>| {
        let mut object = Map::new();
        for (query, (name, _)) in results.truth.iter().enumerate() {
            let scores = names().enumerate();
            let scores = scores.filter_map(|(index, m)| Some((m, json!(score(index, query)?))));
            let scores = collect(scores);
            if scores.as_object().is_some_and(|map| !map.is_empty()) {
                object.insert(name.to_owned(), scores);
            }
        }
        Value::Object(object)
    };
    let measured = &run.scores.by_measure;
    let mut all = vec![(
        "per_query",
        of_queries(&|index, query| measured[index].scores[query]),
    )];
    if measured.iter().any(|scores| scores.extremes.is_some()) {
        let range = |index: usize, query: usize| measured[index].extremes.as_ref()?[query];
        all.push(("per_query_min", of_queries(&|i, q| Some(range(i, q)?.0))));
        all.push(("per_query_max", of_queries(&|i, q| Some(range(i, q)?.1))));
    }
    if args.printing.per_query
        && let Some(rankings) = &run.run
    {
        let queries = results.truth.iter().enumerate();
        let curves = queries.filter_map(|(query, (name, judged))| {
            let ranking = rankings.ranking(query)?;
            let curve = dynamic_recall(judged, ranking, judged.list().len());
            Some((name.to_owned(), json!(curve)))
        });
        all.push(("dynamic_recall", Value::Object(curves.collect())));
    }
    all
}

fn collect<'a>(pairs: impl Iterator<Item = (&'a String, Value)>) -> Value {
    Value::Object(pairs.map(|(key, value)| (key.clone(), value)).collect())
}

fn settings(args: &EvaluateArgs, results: &Results) -> Value {
    let scoring = &args.scoring;
    let mut settings = json!({
        "truth": args.truth,
        "scale": match results.truth.scale() {
            Scale::Groups => "groups",
            Scale::Grades => "grades",
        },
        "keep_zero": args.truth_reading.keep_zero,
        "order": format!("{:?}", args.run_reading.order).to_lowercase(),
        "ties": format!("{:?}", args.run_reading.ties).to_lowercase(),
        "score_precision": format!("{:?}", args.run_reading.score_precision).to_lowercase(),
        "missing": format!("{:?}", scoring.missing).to_lowercase(),
        "no_relevant": format!("{:?}", scoring.no_relevant).to_lowercase(),
        "judged_only": scoring.judged_only,
        "seed": scoring.seed,
    });
    if results.resampling.is_some() {
        settings["confidence"] = json!(scoring.confidence);
        settings["resamples"] = json!(scoring.resamples);
        let method = format!("{:?}", scoring.interval_method).to_lowercase();
        settings["interval_method"] = json!(method);
    }
    settings
}

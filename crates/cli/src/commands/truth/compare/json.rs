//! A comparison as JSON.

use partita_core::measure::Range;
use partita_formats::Warning;
use serde_json::{Map, Value, json};

use super::CompareArgs;
use super::compared::{Compared, Query, relations};
use crate::output::warnings_json;

const WAYS: [&str; 2] = ["second_by_first", "first_by_second"];

pub(super) fn print(args: &CompareArgs, compared: &Compared, warnings: &[Warning]) -> String {
    let mut mean: Map<String, Value> = Map::new();
    for (way, adr) in WAYS.iter().zip(compared.mean_adr()) {
        mean.insert((*way).to_owned(), json!(adr.map(range)));
    }
    mean.insert("tau_b".to_owned(), json!(compared.mean_tau()));
    mean.insert("rbo".to_owned(), json!(compared.mean_rbo()));
    let mut object = json!({
        "truths": compared.names,
        "settings": {"rbo_p": args.rbo_p, "rbo_ties": args.rbo_ties_name()},
        "queries": compared.queries.iter().map(query).collect::<Vec<_>>(),
        "mean": mean,
        "pairs": counts(compared.all_relations()),
        "warnings": warnings_json(warnings),
    });
    if let Some(samples) = args.samples {
        let mut sampled = json!({"samples": samples, "seed": args.seed});
        for (way, found) in WAYS.iter().zip(&compared.sampled) {
            let of_means = found.as_ref().map(|found| range(found.of_means));
            let of_queries = found.as_ref().map(|found| {
                let ranges = compared.queries.iter().zip(&found.by_query);
                let ranges = ranges.map(|(query, r)| (query.name.clone(), json!(r.map(range))));
                ranges.collect::<Map<String, Value>>()
            });
            sampled[way] = json!({"mean": of_means, "per_query": of_queries});
        }
        object["sampled"] = sampled;
    }
    format!("{object:#}\n")
}

fn range(range: Range) -> Value {
    json!({"min": range.min, "mean": range.mean, "max": range.max})
}

fn counts(counts: [(&str, u64); 4]) -> Value {
    let counts = counts.into_iter();
    let counts = counts.map(|(name, count)| (name.to_owned(), json!(count)));
    Value::Object(counts.collect())
}

fn query(query: &Query) -> Value {
    let [second_by_first, first_by_second] = query.adr().map(|adr| adr.map(range));
    let tau = query.likeness.tau;
    let difference = &query.difference;
    let splits = difference.splits().flat_map(|block| {
        let group = block.first.iter();
        group.map(|group| json!({"group": group, "into": block.second}))
    });
    let merges = difference.merges().flat_map(|block| {
        let into = block.second.iter();
        into.map(|into| json!({"groups": block.first, "into": into}))
    });
    let moved = difference.moved().map(|item| {
        json!({
            "item": item.name,
            "first": item.first,
            "second": item.second,
            "change": item.change.name(),
        })
    });
    json!({
        "query": query.name,
        "items": query.items,
        "shared": query.likeness.shared,
        "second_by_first": second_by_first,
        "first_by_second": first_by_second,
        "tau_b": tau.map(|tau| tau.tau),
        "tau_p": tau.map(|tau| tau.p.two_sided),
        "rbo": query.likeness.rbo,
        "splits": splits.collect::<Vec<_>>(),
        "merges": merges.collect::<Vec<_>>(),
        "moved": moved.collect::<Vec<_>>(),
        "pairs": counts(relations(difference.pairs)),
    })
}

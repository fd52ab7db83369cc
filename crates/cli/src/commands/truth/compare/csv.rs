//! `query,measure,value`, the query of a mean or sum being `all`; or what became of the items.

use csv::Writer;
use partita_core::difference::Change;
use partita_core::measure::Range;

use super::compared::{Compared, relations};
use crate::failure::Failure;

pub(super) fn print(compared: &Compared) -> Result<String, Failure> {
    let mut rows = vec![vec![
        "query".to_owned(),
        "measure".to_owned(),
        "value".to_owned(),
    ]];
    let mut push = |query: &str, measure: String, value: Option<f64>| {
        if let Some(value) = value {
            rows.push(vec![query.to_owned(), measure, value.to_string()]);
        }
    };
    let mut adr = |query: &str, kind: &str, adr: [Option<Range>; 2]| {
        for (way, found) in ["second_by_first", "first_by_second"].iter().zip(adr) {
            push(
                query,
                format!("{kind}:{way}"),
                found.map(|range| range.mean),
            );
            push(
                query,
                format!("{kind}:{way}:min"),
                found.map(|range| range.min),
            );
            push(
                query,
                format!("{kind}:{way}:max"),
                found.map(|range| range.max),
            );
        }
    };
    for query in &compared.queries {
        adr(&query.name, "ADR", query.adr());
    }
    adr("all", "ADR", compared.mean_adr());
    let sampled = compared.sampled.each_ref();
    adr(
        "all",
        "sampled ADR",
        sampled.map(|found| found.as_ref().map(|s| s.of_means)),
    );
    for query in &compared.queries {
        push(
            &query.name,
            "tau_b".to_owned(),
            query.likeness.tau.map(|tau| tau.tau),
        );
        push(&query.name, "rbo".to_owned(), query.likeness.rbo);
        push(
            &query.name,
            "shared".to_owned(),
            Some(query.likeness.shared as f64),
        );
        for (name, count) in query.counts() {
            push(&query.name, name.to_owned(), Some(count as f64));
        }
        for (name, count) in relations(query.difference.pairs) {
            push(&query.name, format!("pairs:{name}"), Some(count as f64));
        }
    }
    push("all", "tau_b".to_owned(), compared.mean_tau());
    push("all", "rbo".to_owned(), compared.mean_rbo());
    for (name, count) in compared.all_relations() {
        push("all", format!("pairs:{name}"), Some(count as f64));
    }
    write(rows)
}

/// `query,item,first,second,change`: what became of the items, but for those of which nothing did.
pub(super) fn diff(compared: &Compared) -> Result<String, Failure> {
    let mut rows = vec![
        ["query", "item", "first", "second", "change"]
            .map(str::to_owned)
            .to_vec(),
    ];
    for query in &compared.queries {
        let items = query.difference.items.iter();
        for item in items.filter(|item| item.change != Change::Same) {
            let group = |group: Option<usize>| group.map(|g| g.to_string()).unwrap_or_default();
            rows.push(vec![
                query.name.clone(),
                item.name.clone(),
                group(item.first),
                group(item.second),
                item.change.name().to_owned(),
            ]);
        }
    }
    write(rows)
}

fn write(rows: Vec<Vec<String>>) -> Result<String, Failure> {
    let mut writer = Writer::from_writer(Vec::new());
    for row in rows {
        writer.write_record(&row).map_err(Failure::ours)?;
    }
    let bytes = writer.into_inner().map_err(Failure::ours)?;
    String::from_utf8(bytes).map_err(Failure::ours)
}

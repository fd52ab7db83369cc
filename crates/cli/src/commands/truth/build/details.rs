//! How every choice was made.

use partita_core::truth::{Alpha, Exactness, Outcome, Tails, consistency};
use partita_formats::Warning;
use serde_json::{Map, Value, json};

use super::{BuildArgs, Built};
use crate::failure::Failure;
use crate::output::warnings_json;

/// Where one item went, and why.
pub(super) struct Row<'a> {
    pub(super) group: usize,
    pub(super) item: &'a str,
    pub(super) median: Option<f64>,
    pub(super) mean: Option<f64>,
    /// The number of ranks it was given.
    pub(super) ranks: usize,
    pub(super) why: String,
}

pub(super) fn rows(built: &Built) -> Vec<Row<'_>> {
    let samples = built.evidence.samples();
    let mut group = 0;
    let row = |choice: &partita_core::truth::Choice| {
        group += usize::from(choice.outcome.opens());
        Row {
            group,
            item: built.item(choice.item),
            median: samples.median(choice.item),
            mean: samples.mean(choice.item),
            ranks: samples.sample(choice.item).len(),
            why: match choice.outcome {
                Outcome::DiffersFrom(other) => {
                    format!("differs from {}", built.item(other))
                }
                other => outcome(other).replace('-', " "),
            },
        }
    };
    built.aggregated.choices.iter().map(row).collect()
}

/// The stable name of an outcome.
fn outcome(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::First => "first",
        Outcome::Joined => "joined",
        Outcome::DiffersFromAll => "differs-from-all",
        Outcome::DiffersFrom(_) => "differs-from-one",
        Outcome::DiffersFromPrevious => "differs-from-previous",
    }
}

/// `query,item,group,median,mean,ranks,why`.
pub(super) fn csv(built: &[Built]) -> Result<String, Failure> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let header = ["query", "item", "group", "median", "mean", "ranks", "why"];
    writer.write_record(header).map_err(Failure::ours)?;
    for built in built {
        for row in rows(built) {
            let number = |value: Option<f64>| value.map(|v| v.to_string()).unwrap_or_default();
            let record = [
                built.query.name.as_str(),
                row.item,
                &row.group.to_string(),
                &number(row.median),
                &number(row.mean),
                &row.ranks.to_string(),
                &row.why,
            ];
            writer.write_record(record).map_err(Failure::ours)?;
        }
    }
    let bytes = writer.into_inner().map_err(Failure::ours)?;
    String::from_utf8(bytes).map_err(Failure::ours)
}

pub(super) fn json(
    args: &BuildArgs,
    built: &[Built],
    check_alpha: Alpha,
    warnings: &[Warning],
) -> String {
    let by_query = |part: &dyn Fn(&Built) -> Value| -> Value {
        let parts = built.iter().map(|b| (b.query.name.clone(), part(b)));
        Value::Object(parts.collect::<Map<String, Value>>())
    };
    let object = json!({
        "lists": by_query(&list),
        "settings": {
            "aggregate": args.aggregate.aggregation().name(),
            "alpha": args.alpha,
            "check_alpha": check_alpha.value(),
            "unranked": args.rankings.unranked_name(),
            "exact": args.rankings.is_exact(),
        },
        "choices": by_query(&|built| choices(args, built)),
        "left_out": by_query(&|built| {
            built.aggregated.left_out.iter().map(|&item| json!(built.item(item))).collect()
        }),
        "consistency": by_query(&|built| {
            let evidence = built.evidence.at(check_alpha);
            let value = |tails| {
                consistency(&built.aggregated.list, evidence.comparisons(), tails).map(|c| c.value)
            };
            json!({"adr1": value(Tails::One), "adr2": value(Tails::Two)})
        }),
        "warnings": warnings_json(warnings),
    });
    format!("{object:#}\n")
}

fn list(built: &Built) -> Value {
    let groups = built.aggregated.list.groups();
    let group = |group: &[partita_core::Item]| -> Value {
        group.iter().map(|&item| json!(built.item(item))).collect()
    };
    groups.map(group).collect()
}

/// Every item with the tests that decided where it went.
fn choices(args: &BuildArgs, built: &Built) -> Value {
    let exactness = match args.rankings.is_exact() {
        true => Exactness::Exact,
        false => Exactness::Quick,
    };
    let tests = |choice: &partita_core::truth::Choice| -> Value {
        let tests = choice.tests.iter().map(|&(earlier, verdict)| {
            let p = built.evidence.p_values(earlier, choice.item, exactness);
            json!({
                "against": built.item(earlier),
                "differs": built.aggregated.aggregation.separates(verdict),
                "untestable": verdict.untestable,
                "p_less": p.map(|pair| pair.p.less),
                "p_greater": p.map(|pair| pair.p.greater),
                "p_two_sided": p.map(|pair| pair.p.two_sided),
                "approximate": p.is_some_and(|pair| pair.approximate),
            })
        });
        tests.collect()
    };
    let rows = rows(built);
    let choices = built.aggregated.choices.iter().zip(rows);
    let choice = |(choice, row): (&partita_core::truth::Choice, Row<'_>)| {
        json!({
            "item": row.item,
            "group": row.group,
            "median": row.median,
            "mean": row.mean,
            "ranks": row.ranks,
            "outcome": outcome(choice.outcome),
            "differs_from": match choice.outcome {
                Outcome::DiffersFrom(other) => Some(built.item(other)),
                _ => None,
            },
            "tests": tests(choice),
        })
    };
    choices.map(choice).collect()
}

//! `partita judge decide`: what the votes say of each pair.

use clap::Args;
use partita_judging::campaign::{Campaign, PairState};
use partita_report::{Cell, Column, Table};
use serde_json::{Map, Value, json};

use super::format::{csv, number};
use super::log_file;
use crate::failure::Failure;
use crate::format::{Form, Format};
use crate::output::Destination;

/// Print what the votes say of each pair that was asked
///
/// Less means that a is preferred: it is closer to the query. The relation of a pair that is still
/// open is what its votes so far would say.
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  partita judge decide campaign.jsonl\n  partita judge decide campaign.jsonl --query q1 --format json"
)]
pub(crate) struct DecideArgs {
    /// The log of the campaign; `-` is standard input
    log: String,
    /// Only these queries
    #[arg(long, value_name = "NAME")]
    query: Vec<String>,
    /// How the pairs are written; a table on a terminal, else CSV
    #[arg(long, value_enum)]
    format: Option<Format>,
    #[command(flatten)]
    destination: Destination,
}

pub(crate) fn run(args: &DecideArgs) -> Result<(), Failure> {
    let campaign = log_file::read(&args.log)?;
    let lists = asked_lists(&campaign, &args.query)?;
    let pairs: Vec<(&str, Vec<PairState>)> = (lists.into_iter())
        .map(|list| (campaign.query_name(list), campaign.pair_states(list)))
        .collect();
    let format = Format::chosen(args.format, &args.destination);
    let text = match format {
        Form::Table(tables) => tables.render(&table(&pairs)?),
        Form::Json => {
            let each = pairs
                .iter()
                .map(|(query, pairs)| ((*query).to_owned(), json!(pairs)));
            let settings = campaign.settings();
            let value = json!({
                "campaign": settings.campaign,
                "decide": settings.decide,
                "alpha": settings.alpha,
                "pairs": Value::Object(each.collect::<Map<String, Value>>()),
            });
            format!("{value:#}\n")
        }
        _ => rows(&pairs)?,
    };
    args.destination.write(&text)
}

/// The lists of these queries; all if none is named.
pub(super) fn asked_lists(campaign: &Campaign, queries: &[String]) -> Result<Vec<usize>, Failure> {
    if queries.is_empty() {
        return Ok((0..campaign.lists()).collect());
    }
    let list = |query: &String| {
        let unknown = || Failure::input(format!("the campaign has no query `{query}`"));
        campaign.list_of(query).ok_or_else(unknown)
    };
    queries.iter().map(list).collect()
}

fn rows(pairs: &[(&str, Vec<PairState>)]) -> Result<String, Failure> {
    let header = [
        "query",
        "a",
        "b",
        "votes_a",
        "votes_equal",
        "votes_b",
        "relation",
        "agreement",
        "state",
        "in_list",
        "batch",
    ];
    let all = pairs
        .iter()
        .flat_map(|(query, pairs)| pairs.iter().map(move |pair| (query, pair)));
    csv(
        header,
        all.map(|(query, pair)| {
            let [a, equal, b] = pair.votes;
            [
                (*query).to_owned(),
                pair.a.clone(),
                pair.b.clone(),
                a.to_string(),
                equal.to_string(),
                b.to_string(),
                pair.relation.unwrap_or_default().to_owned(),
                number(pair.agreement),
                pair.state.name().to_owned(),
                pair.in_list.to_owned(),
                pair.batch.to_string(),
            ]
        }),
    )
}

fn table(pairs: &[(&str, Vec<PairState>)]) -> Result<Table, Failure> {
    let mut table = Table::new([
        Column::text("A"),
        Column::text("B"),
        Column::integer("For A"),
        Column::integer("Equal"),
        Column::integer("For B"),
        Column::text("Relation"),
        Column::number("Agreement", 3),
        Column::text("State"),
        Column::text("In the list"),
    ]);
    for (query, pairs) in pairs {
        table.push_heading((*query).to_owned());
        for pair in pairs {
            let cells = [
                Cell::text(pair.a.clone()),
                Cell::text(pair.b.clone()),
                Cell::integer(pair.votes[0].into()),
                Cell::integer(pair.votes[1].into()),
                Cell::integer(pair.votes[2].into()),
                pair.relation.map_or_else(Cell::missing, Cell::text),
                pair.agreement.into(),
                Cell::text(pair.state.name()),
                Cell::text(pair.in_list),
            ];
            table.push(cells);
        }
    }
    Ok(table)
}

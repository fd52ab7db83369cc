//! `partita judge decide`: what the votes say of each pair.

use clap::Args;
use partita_judging::Relation;
use partita_judging::campaign::PairState;
use partita_report::{Cell, Column, Table};

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
    let decisions = campaign.decisions(&args.query);
    let decisions = decisions.map_err(|error| Failure::input(error.to_string()))?;
    let pairs = &decisions.pairs.0;
    let format = Format::chosen(args.format, &args.destination);
    let text = match format {
        Form::Table(tables) => tables.render(&table(pairs)?),
        Form::Json => serde_json::to_string_pretty(&decisions).map_err(Failure::ours)? + "\n",
        _ => rows(pairs)?,
    };
    args.destination.write(&text)
}

fn rows(pairs: &[(String, Vec<PairState>)]) -> Result<String, Failure> {
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
                query.clone(),
                pair.a.clone(),
                pair.b.clone(),
                a.to_string(),
                equal.to_string(),
                b.to_string(),
                pair.relation.map_or("", Relation::name).to_owned(),
                number(pair.agreement),
                pair.state.name().to_owned(),
                pair.in_list.name().to_owned(),
                pair.batch.to_string(),
            ]
        }),
    )
}

fn table(pairs: &[(String, Vec<PairState>)]) -> Result<Table, Failure> {
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
        table.push_heading(query.clone());
        for pair in pairs {
            let cells = [
                Cell::text(pair.a.clone()),
                Cell::text(pair.b.clone()),
                Cell::integer(pair.votes[0].into()),
                Cell::integer(pair.votes[1].into()),
                Cell::integer(pair.votes[2].into()),
                (pair.relation).map_or_else(Cell::missing, |relation| Cell::text(relation.name())),
                pair.agreement.into(),
                Cell::text(pair.state.name()),
                Cell::text(pair.in_list.name()),
            ];
            table.push(cells);
        }
    }
    Ok(table)
}

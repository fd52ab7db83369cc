//! `partita judge next`: the pairs to ask now.

use clap::Args;
use partita_judging::campaign::{Campaign, NotAsked, OpenPair};
use partita_report::{Cell, Column, Table};
use serde_json::json;

use super::format::csv;
use super::log_file::Writer;
use super::{counted, say};
use crate::failure::Failure;
use crate::format::{Form, Format};
use crate::output::Destination;

/// Print the pairs to ask now
///
/// The order of the pairs and the side of each item are drawn with the seed of the campaign and
/// kept in its log. What was asked before and lacks answers is printed again as pending, so that
/// asking twice changes nothing. Answers go back in with `partita judge add`.
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  partita judge next campaign.jsonl > batch.csv\n  partita judge next campaign.jsonl --new --format json\n  partita judge next campaign.jsonl --ask q1 x y"
)]
pub(crate) struct NextArgs {
    /// The log of the campaign
    log: String,
    /// Print only pairs that were not printed before
    #[arg(long)]
    new: bool,
    /// Ask this pair as well, whether the strategy wants it or not
    #[arg(long, num_args = 3, value_names = ["QUERY", "A", "B"])]
    ask: Option<Vec<String>>,
    /// How the pairs are written; a table on a terminal, else CSV
    #[arg(long, value_enum)]
    format: Option<Format>,
    #[command(flatten)]
    destination: Destination,
}

pub(crate) fn run(args: &NextArgs) -> Result<(), Failure> {
    let mut writer = Writer::open(&args.log)?;
    let before = writer.campaign().batches();
    if let Some([query, a, b]) = args.ask.as_deref() {
        let asked = writer.campaign().ask_for(query, a, b);
        let asked = asked.map_err(|error| refused(&error, query, a, b))?;
        writer.stage(&asked).map_err(Failure::ours)?;
    }
    while let Some(asked) = writer.campaign().next_batch() {
        writer.stage(&asked).map_err(Failure::ours)?;
    }
    // On the disk before anybody sees it: what was printed was asked.
    writer.commit()?;
    let campaign = writer.campaign();
    let mut pairs = campaign.open_pairs();
    if let Some([query, a, b]) = args.ask.as_deref() {
        pairs.extend(asked_by_hand(campaign, query, a, b, &pairs));
    }
    let is_new = |pair: &OpenPair| pair.batch > before;
    let (new, pending): (Vec<OpenPair>, Vec<OpenPair>) = pairs.into_iter().partition(is_new);
    let answers = |pairs: &[OpenPair]| pairs.iter().map(|pair| u64::from(pair.votes)).sum::<u64>();
    let mut talk = format!(
        "{} to ask, {}",
        counted(new.len() as u64, "new pair"),
        counted(answers(&new), "answer")
    );
    if !pending.is_empty() {
        talk.push_str(&format!(
            "; {} pending, {} to come{}",
            counted(pending.len() as u64, "pair"),
            counted(answers(&pending), "answer"),
            if args.new { " (not printed)" } else { "" }
        ));
    }
    if new.is_empty() && pending.is_empty() {
        talk = format!("All lists are settled: `partita judge export {}`", args.log);
    }
    let mut shown = match args.new {
        true => Vec::new(),
        false => pending,
    };
    shown.extend(new);
    let format = Format::chosen(args.format, &args.destination);
    args.destination
        .write(&text(campaign, &shown, before, format)?)?;
    say(&format!("{talk}."));
    Ok(())
}

fn refused(error: &NotAsked, query: &str, a: &str, b: &str) -> Failure {
    match error {
        NotAsked::Refused(refusal) => Failure::input(refusal.to_string()),
        _ => Failure::input(format!("query `{query}`, `{a}` and `{b}`: {error}")),
    }
}

/// A pair that the organiser asked for and the strategy does not wait for.
fn asked_by_hand(
    campaign: &Campaign,
    query: &str,
    a: &str,
    b: &str,
    known: &[OpenPair],
) -> Option<OpenPair> {
    let this = |x: &str, y: &str| (x == a && y == b) || (x == b && y == a);
    if (known.iter()).any(|pair| pair.query == query && this(&pair.a, &pair.b)) {
        return None;
    }
    let states = campaign.pair_states(campaign.list_of(query)?).into_iter();
    let state = states.into_iter().find(|state| this(&state.a, &state.b))?;
    Some(OpenPair {
        query: query.to_owned(),
        a: a.to_owned(),
        b: b.to_owned(),
        votes: state.asked.saturating_sub(state.returned),
        batch: state.batch,
        position: 1,
    })
}

fn text(
    campaign: &Campaign,
    pairs: &[OpenPair],
    before: u32,
    format: Form,
) -> Result<String, Failure> {
    let state = |pair: &OpenPair| match pair.batch > before {
        true => "new",
        false => "pending",
    };
    let id = |pair: &OpenPair| format!("{}-{}", pair.batch, pair.position);
    let name = &campaign.settings().campaign;
    match format {
        Form::Csv => {
            let header = [
                "campaign", "batch", "pair", "query", "a", "b", "votes", "state",
            ];
            csv(
                header,
                pairs.iter().map(|pair| {
                    [
                        name.clone(),
                        pair.batch.to_string(),
                        id(pair),
                        pair.query.clone(),
                        pair.a.clone(),
                        pair.b.clone(),
                        pair.votes.to_string(),
                        state(pair).to_owned(),
                    ]
                }),
            )
        }
        Form::Json => {
            let pairs = pairs.iter().map(|pair| {
                json!({
                    "batch": pair.batch,
                    "pair": id(pair),
                    "query": pair.query,
                    "a": pair.a,
                    "b": pair.b,
                    "votes": pair.votes,
                    "state": state(pair),
                })
            });
            let pairs: Vec<_> = pairs.collect();
            Ok(format!("{:#}\n", json!({"campaign": name, "pairs": pairs})))
        }
        Form::Table(tables) => {
            let columns = [
                Column::text("Pair"),
                Column::text("Query"),
                Column::text("A"),
                Column::text("B"),
                Column::integer("Votes"),
                Column::text("State"),
            ];
            let mut table = Table::new(columns);
            for pair in pairs {
                let cells = [
                    Cell::text(id(pair)),
                    Cell::text(pair.query.clone()),
                    Cell::text(pair.a.clone()),
                    Cell::text(pair.b.clone()),
                    Cell::integer(pair.votes.into()),
                    Cell::text(state(pair)),
                ];
                table.push(cells);
            }
            Ok(tables.render(&table))
        }
    }
}

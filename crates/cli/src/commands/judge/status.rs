//! `partita judge status`: how far a campaign has come.

use clap::Args;
use partita_judging::campaign::{CampaignStatus, ListStatus};
use partita_report::{Cell, Column, Table, TableFormat};

use super::format::csv;
use super::{counted, log_file};
use crate::failure::Failure;
use crate::format::{Form, Format};
use crate::notes::render;
use crate::output::Destination;

/// Say how far a campaign has come, and what is left
///
/// What is still to come is an estimate: the rest of each list is rehearsed some times, every pair
/// to come getting votes like those of a pair so far, drawn at random.
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  partita judge status campaign.jsonl\n  partita judge status campaign.jsonl --format json"
)]
pub(crate) struct StatusArgs {
    /// The log of the campaign; `-` is standard input
    log: String,
    /// How many times the rest of each list is rehearsed at most, fewer for many lists if not given;
    /// a list is not rehearsed again once the standard error is within 5% of the mean
    #[arg(long, value_name = "N")]
    rehearsals: Option<usize>,
    /// How it is written; a table on a terminal, else CSV
    #[arg(long, value_enum)]
    format: Option<Format>,
    #[command(flatten)]
    work: crate::work::WorkArgs,
    #[command(flatten)]
    destination: Destination,
}

pub(crate) fn run(args: &StatusArgs) -> Result<(), Failure> {
    let campaign = log_file::read(&args.log)?;
    let rehearsals = args.rehearsals;
    let status = campaign
        .status(
            rehearsals.unwrap_or_else(|| campaign.usual_rehearsals()),
            &args.work.workers(),
        )
        .map_err(Failure::ours)?;
    let format = Format::chosen(args.format, &args.destination);
    let text = match format {
        Form::Table(tables) => table(&status, tables)?,
        Form::Json => serde_json::to_string_pretty(&status).map_err(Failure::ours)? + "\n",
        _ => rows(&status.lists)?,
    };
    args.destination.write(&text)
}

fn rows(lists: &[ListStatus]) -> Result<String, Failure> {
    let header = [
        "query",
        "items",
        "groups",
        "settled",
        "pairs",
        "decided",
        "open",
        "asked",
        "returned",
        "votes",
        "wanted",
        "expected_votes",
    ];
    csv(
        header,
        lists.iter().map(|list| {
            [
                list.query.clone(),
                list.items.to_string(),
                list.groups.to_string(),
                list.settled.to_string(),
                list.pairs.to_string(),
                list.decided.to_string(),
                list.open.to_string(),
                list.asked.to_string(),
                list.returned.to_string(),
                list.votes.to_string(),
                list.wanted.to_string(),
                list.expected_votes.to_string(),
            ]
        }),
    )
}

fn table(status: &CampaignStatus, format: TableFormat) -> Result<String, Failure> {
    let mut table = Table::new([
        Column::text("Query"),
        Column::integer("Items"),
        Column::integer("Groups"),
        Column::integer("Decided"),
        Column::integer("Open"),
        Column::text("Votes"),
        Column::text("To come"),
        Column::text("State"),
    ]);
    for list in &status.lists {
        let cells = [
            Cell::text(list.query.clone()),
            Cell::integer(list.items as i64),
            Cell::integer(list.groups as i64),
            Cell::integer(list.decided as i64),
            Cell::integer(list.open as i64),
            Cell::text(format!("{}/{}", list.votes, list.wanted)),
            Cell::text(match list.expected_votes == 0.0 {
                true => "0".to_owned(),
                false => format!("~{:.0}", list.expected_votes),
            }),
            Cell::text(match (list.settled, list.open) {
                (true, 0) => "settled",
                (true, _) => "settled, being checked",
                (false, _) if list.unasked_votes > 0 => "more to ask",
                (false, _) => "waiting for answers",
            }),
        ];
        table.push(cells);
    }
    Ok(render(table, &notes(status), format))
}

/// The campaign as a whole, in words.
fn notes(status: &CampaignStatus) -> Vec<String> {
    let settled = status.lists.iter().filter(|list| list.settled).count();
    let excluded = match status.excluded.len() {
        0 => String::new(),
        excluded => format!(" ({excluded} excluded)"),
    };
    let mut notes = vec![format!(
        "Campaign `{}`: {settled} of {} settled after {} by {}{excluded}.",
        status.campaign,
        counted(status.lists.len() as u64, "list"),
        match status.batches {
            1 => "1 batch".to_owned(),
            count => format!("{count} batches"),
        },
        counted(status.assessors as u64, "assessor"),
    )];
    let flags: Vec<String> = (status.answers.iter())
        .map(|(flag, count)| format!("{count} {}", flag.name()))
        .collect();
    let flags = match flags.is_empty() {
        true => "none yet".to_owned(),
        false => flags.join(", "),
    };
    notes.push(format!("Answers: {flags}; {:.2} spent.", status.cost));
    notes.push(format!(
        "Still to come, by rehearsal: about {:.0} votes, {:.2}.",
        status.expected_votes, status.expected_cost
    ));
    let quality = status.held_out;
    if let Some(agreement) = quality.agreement {
        notes.push(format!(
            "Held out: of {} on {}, {} say what the lists say and {} the opposite; agreement {agreement:.3}.",
            counted(quality.votes, "vote"),
            counted(quality.pairs as u64, "random pair"),
            quality.same,
            quality.opposite,
        ));
    }
    notes
}

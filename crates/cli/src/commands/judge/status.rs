//! `partita judge status`: how far a campaign has come.

use clap::Args;
use partita_judging::campaign::{Campaign, Progress, Quality};
use partita_report::{Cell, Column, Table, TableFormat};
use rayon::prelude::*;
use serde_json::{Value, json};

use super::format::csv;
use super::{counted, log_file};
use crate::batches::exact;
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
    destination: Destination,
}

/// How far a list has come.
struct ListStatus {
    query: String,
    items: usize,
    groups: usize,
    settled: bool,
    pairs: usize,
    decided: usize,
    open: usize,
    unasked: u32,
    asked: u64,
    returned: u64,
    votes: u64,
    wanted: u64,
    expected: f64,
    quality: Quality,
}

pub(crate) fn run(args: &StatusArgs) -> Result<(), Failure> {
    let campaign = log_file::read(&args.log)?;
    let rehearsals = args
        .rehearsals
        .unwrap_or((4_000 / campaign.lists()).clamp(4, 20));
    let rehearsal = campaign.rehearsal();
    let lists: Vec<ListStatus> = (0..campaign.lists())
        .into_par_iter()
        .map(|list| status(&campaign, list, rehearsal.list(list, rehearsals).mean))
        .collect();
    let format = Format::chosen(args.format, &args.destination);
    let text = match format {
        Form::Table(tables) => table(&campaign, &lists, tables)?,
        Form::Json => format!("{:#}\n", as_json(&campaign, &lists, rehearsals)),
        _ => rows(&lists)?,
    };
    args.destination.write(&text)
}

fn status(campaign: &Campaign, list: usize, expected: f64) -> ListStatus {
    let state = campaign.list_state(list);
    let (asked, returned) = campaign.traffic(list);
    let with = |progress| {
        state
            .pairs
            .iter()
            .filter(|pair| pair.state == progress)
            .count()
    };
    let votes = |counts: &[u32; 3]| counts.iter().map(|&count| u64::from(count)).sum::<u64>();
    let cast: u64 = (state.pairs.iter())
        .map(|pair| votes(&pair.votes) + votes(&pair.held_out))
        .sum();
    let needed = campaign.needed_pairs(list);
    let missing: u32 = needed.iter().map(|pair| pair.votes).sum();
    ListStatus {
        query: state.query,
        items: state.items,
        groups: state.groups.len(),
        settled: state.settled,
        pairs: state.pairs.len(),
        decided: with(Progress::Decided),
        open: needed.len(),
        unasked: needed.iter().map(|pair| pair.unasked).sum(),
        asked,
        returned,
        votes: cast,
        wanted: cast + u64::from(missing),
        expected,
        quality: campaign.quality_of(list),
    }
}

/// What the answers so far cost, and those that are expected.
fn costs(campaign: &Campaign, lists: &[ListStatus]) -> (f64, f64, f64) {
    let returned: u64 = lists.iter().map(|list| list.returned).sum();
    let expected: f64 = lists.iter().map(|list| list.expected).sum();
    let settings = campaign.settings();
    let price = |answers: usize| settings.price.of(answers, settings.votes as usize);
    let to_come = price(expected.round() as usize);
    (exact(price(returned as usize)), exact(to_come), expected)
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
                list.expected.to_string(),
            ]
        }),
    )
}

fn as_json(campaign: &Campaign, lists: &[ListStatus], rehearsals: usize) -> Value {
    let settings = campaign.settings();
    let (spent, to_come, expected) = costs(campaign, lists);
    let people = campaign.assessor_states();
    let excluded = people.iter().filter(|person| person.excluded);
    let each = lists.iter().enumerate().map(|(number, list)| {
        json!({
            "query": list.query,
            "items": list.items,
            "groups": list.groups,
            "list": campaign.list(number),
            "settled": list.settled,
            "pairs": list.pairs,
            "decided": list.decided,
            "open": list.open,
            "unasked_votes": list.unasked,
            "asked": list.asked,
            "returned": list.returned,
            "votes": list.votes,
            "wanted": list.wanted,
            "expected_votes": list.expected,
            "held_out": list.quality,
        })
    });
    json!({
        "campaign": settings.campaign,
        "seed": settings.seed,
        "votes_a_pair": settings.votes,
        "decide": settings.decide,
        "alpha": settings.alpha,
        "strategy": settings.strategy,
        "batches": campaign.batches(),
        "settled": lists.iter().all(|list| list.settled),
        "answers": campaign.flag_counts(),
        "assessors": people.iter().filter(|person| person.answers > 0).count(),
        "excluded": excluded.map(|person| &person.assessor).collect::<Vec<_>>(),
        "cost": spent,
        "expected_votes": expected,
        "expected_cost": to_come,
        "rehearsals": rehearsals,
        "held_out": campaign.quality(),
        "lists": each.collect::<Vec<_>>(),
    })
}

fn table(
    campaign: &Campaign,
    lists: &[ListStatus],
    format: TableFormat,
) -> Result<String, Failure> {
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
    for list in lists {
        let cells = [
            Cell::text(list.query.clone()),
            Cell::integer(list.items as i64),
            Cell::integer(list.groups as i64),
            Cell::integer(list.decided as i64),
            Cell::integer(list.open as i64),
            Cell::text(format!("{}/{}", list.votes, list.wanted)),
            Cell::text(match list.expected == 0.0 {
                true => "0".to_owned(),
                false => format!("~{:.0}", list.expected),
            }),
            Cell::text(match (list.settled, list.open) {
                (true, 0) => "settled",
                (true, _) => "settled, being checked",
                (false, _) if list.unasked > 0 => "more to ask",
                (false, _) => "waiting for answers",
            }),
        ];
        table.push(cells);
    }
    Ok(render(table, &notes(campaign, lists), format))
}

/// The campaign as a whole, in words.
fn notes(campaign: &Campaign, lists: &[ListStatus]) -> Vec<String> {
    let settings = campaign.settings();
    let (spent, to_come, expected) = costs(campaign, lists);
    let settled = lists.iter().filter(|list| list.settled).count();
    let people = campaign.assessor_states();
    let answered = people.iter().filter(|person| person.answers > 0).count();
    let excluded = people.iter().filter(|person| person.excluded).count();
    let excluded = match excluded {
        0 => String::new(),
        excluded => format!(" ({excluded} excluded)"),
    };
    let mut notes = vec![format!(
        "Campaign `{}`: {settled} of {} settled after {} by {}{excluded}.",
        settings.campaign,
        counted(lists.len() as u64, "list"),
        match campaign.batches() {
            1 => "1 batch".to_owned(),
            count => format!("{count} batches"),
        },
        counted(answered as u64, "assessor"),
    )];
    let flags: Vec<String> = (campaign.flag_counts().into_iter())
        .map(|(flag, count)| format!("{count} {flag}"))
        .collect();
    let flags = match flags.is_empty() {
        true => "none yet".to_owned(),
        false => flags.join(", "),
    };
    notes.push(format!("Answers: {flags}; {spent:.2} spent."));
    notes.push(format!(
        "Still to come, by rehearsal: about {expected:.0} votes, {to_come:.2}."
    ));
    let quality = campaign.quality();
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

//! Leaving people's votes out, and taking them in again.

use std::collections::BTreeSet;

use partita_judging::campaign::{Campaign, Event};
use partita_report::{Cell, Column, Table};
use serde_json::json;

use super::super::format::csv;
use super::super::log_file::Writer;
use super::super::{counted, say};
use super::ScreenArgs;
use crate::failure::Failure;
use crate::format::{Form, Format};

/// The answers of an excluded person stay in the log and are no votes. Exactly the pairs that need
/// more votes for that are open again. Whoever is taken in again has all votes back.
pub(super) fn run(args: &ScreenArgs, log: &str) -> Result<(), Failure> {
    let mut writer = Writer::open(log)?;
    let before = Picture::of(writer.campaign());
    for (names, exclude) in [(&args.exclude, true), (&args.readmit, false)] {
        for name in names {
            act(&mut writer, name, exclude)?;
        }
    }
    writer.commit()?;
    let after = Picture::of(writer.campaign());
    let reopened: Vec<&[String; 3]> = after.open.difference(&before.open).collect();
    let changed = before.lists.iter().zip(&after.lists).enumerate();
    let changed: Vec<&str> = (changed.filter(|(_, (old, new))| old != new))
        .map(|(list, _)| writer.campaign().query_name(list))
        .collect();
    let talk = format!(
        "{} are votes now, {} before; {} open again; {} changed.",
        after.votes,
        before.votes,
        counted(reopened.len() as u64, "pair"),
        counted(changed.len() as u64, "list"),
    );
    let text = match Format::chosen(args.format, &args.destination) {
        Form::Json => {
            let pairs = reopened
                .iter()
                .map(|[query, a, b]| json!({"query": query, "a": a, "b": b}));
            let value = json!({
                "excluded": args.exclude,
                "readmitted": args.readmit,
                "votes_before": before.votes,
                "votes": after.votes,
                "reopened": pairs.collect::<Vec<_>>(),
                "changed_lists": changed,
            });
            format!("{value:#}\n")
        }
        Form::Csv => csv(["query", "a", "b"], reopened.into_iter().cloned())?,
        Form::Table(format) => {
            let header = ["Open again", "A", "B"].map(Column::text);
            let mut table = Table::new(header);
            for pair in reopened {
                let cells = pair.clone().map(Cell::text);
                table.push(cells);
            }
            format.render(&table)
        }
    };
    args.destination.write(&text)?;
    say(&talk);
    Ok(())
}

fn act(writer: &mut Writer<'_>, name: &str, exclude: bool) -> Result<(), Failure> {
    let campaign = writer.campaign();
    if campaign.assessors().get(name).is_none() && !campaign.is_excluded(name) {
        return Err(
            Failure::input(format!("nobody called `{name}` has answered"))
                .hint("`partita judge export LOG --answers` names everybody"),
        );
    }
    if campaign.is_excluded(name) == exclude {
        let state = if exclude {
            "excluded already"
        } else {
            "not excluded"
        };
        say(&format!("`{name}` is {state}; nothing changes."));
        return Ok(());
    }
    let assessor = name.to_owned();
    let event = match exclude {
        true => Event::Excluded { assessor },
        false => Event::Readmitted { assessor },
    };
    writer.stage(&event).map_err(Failure::ours)
}

/// What can change by an exclusion.
struct Picture {
    open: BTreeSet<[String; 3]>,
    votes: usize,
    lists: Vec<Vec<Vec<String>>>,
}

impl Picture {
    fn of(campaign: &Campaign) -> Self {
        let mut open = BTreeSet::new();
        let mut lists = Vec::with_capacity(campaign.lists());
        for list in 0..campaign.lists() {
            let state = campaign.list_state(list);
            for pair in campaign.needed_pairs(list) {
                open.insert([state.query.clone(), pair.a, pair.b]);
            }
            lists.push(state.groups);
        }
        let votes = campaign
            .assessor_states()
            .iter()
            .map(|person| person.votes)
            .sum();
        Self { open, votes, lists }
    }
}

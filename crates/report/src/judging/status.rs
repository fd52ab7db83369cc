//! How it is shown how far a campaign has come.

use std::io;

use partita_judging::campaign::{CampaignStatus, ListStatus};

use crate::words::count;
use crate::{Column, Document, Present, Sheet};

/// How far a campaign has come, a row per list.
#[derive(Clone, Copy, Debug)]
pub struct StatusView<'a>(pub &'a CampaignStatus);

fn sheet() -> Sheet<'static, ListStatus> {
    Sheet::new()
        .field("query", Column::text("Query"), |list: &ListStatus| {
            list.query.as_str().into()
        })
        .field("items", Column::integer("Items"), |list| list.items.into())
        .field("groups", Column::integer("Groups"), |list| {
            list.groups.into()
        })
        .csv_field("settled", |list| list.settled.into())
        .csv_field("pairs", |list| list.pairs.into())
        .field("decided", Column::integer("Decided"), |list| {
            list.decided.into()
        })
        .field("open", Column::integer("Open"), |list| list.open.into())
        .csv_field("asked", |list| list.asked.into())
        .csv_field("returned", |list| list.returned.into())
        .csv_field("votes", |list| list.votes.into())
        .csv_field("wanted", |list| list.wanted.into())
        .csv_field("expected_votes", |list| list.expected_votes.into())
        .table_field(Column::text("Votes"), |list| {
            format!("{}/{}", list.votes, list.wanted).into()
        })
        .table_field(Column::text("To come"), |list| {
            if list.expected_votes == 0.0 {
                "0".into()
            } else {
                format!("~{:.0}", list.expected_votes).into()
            }
        })
        .table_field(Column::text("State"), |list| {
            let state = match (list.settled, list.open) {
                (true, 0) => "settled",
                (true, _) => "settled, being checked",
                (false, _) if list.unasked_votes > 0 => "more to ask",
                (false, _) => "waiting for answers",
            };
            state.into()
        })
}

impl Present for StatusView<'_> {
    fn csv(&self, place: &mut dyn io::Write) -> io::Result<()> {
        sheet().csv(&self.0.lists, place)
    }

    fn document(&self) -> Document {
        Document::new()
            .table(sheet().table(&self.0.lists))
            .notes(notes(self.0))
    }
}

/// The campaign as a whole, in words.
fn notes(status: &CampaignStatus) -> Vec<String> {
    let settled = status.lists.iter().filter(|list| list.settled).count();
    let excluded = match status.excluded.len() {
        0 => String::new(),
        excluded => format!(" ({excluded} excluded)"),
    };
    let flags: Vec<String> = (status.answers.iter())
        .map(|(flag, count)| format!("{count} {flag}"))
        .collect();
    let flags = if flags.is_empty() {
        "none yet".to_owned()
    } else {
        flags.join(", ")
    };
    let mut notes = vec![
        format!(
            "Campaign `{}`: {settled} of {} settled after {} by {}{excluded}.",
            status.campaign,
            count(status.lists.len(), "list", "lists"),
            count(status.batches as usize, "batch", "batches"),
            count(status.assessors, "assessor", "assessors"),
        ),
        format!("Answers: {flags}; {:.2} spent.", status.cost),
        format!(
            "Still to come, by rehearsal: about {:.0} votes, {:.2}.",
            status.expected_votes, status.expected_cost
        ),
    ];
    let quality = status.held_out;
    if let Some(agreement) = quality.agreement {
        notes.push(format!(
            "Held out: of {} on {}, {} say what the lists say and {} the opposite; agreement {agreement:.3}.",
            count(quality.votes as usize, "vote", "votes"),
            count(quality.pairs, "random pair", "random pairs"),
            quality.same,
            quality.opposite,
        ));
    }
    notes
}

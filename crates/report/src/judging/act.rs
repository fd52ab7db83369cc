//! How it is shown what an act of the organiser changed.

use std::io;

use partita_judging::campaign::{ActEffect, PairName};

use crate::table::text;
use crate::words::plural;
use crate::{Document, Present, Sheet};

/// The pairs that an act opened and those that it made an end of.
#[derive(Clone, Copy, Debug)]
pub struct ActView<'a>(pub &'a ActEffect);

type Row<'a> = (&'a PairName, &'static str);

fn sheet<'a>() -> Sheet<'a, Row<'a>> {
    Sheet::new()
        .field("query", text("Query"), |(pair, _): &Row<'_>| {
            pair.query.clone()
        })
        .field("a", text("A"), |(pair, _)| pair.a.clone())
        .field("b", text("B"), |(pair, _)| pair.b.clone())
        .field("now", text("Now"), |(_, now)| *now)
}

impl ActView<'_> {
    fn rows(&self) -> Vec<Row<'_>> {
        let opened = self.0.opened.iter().map(|pair| (pair, "open"));
        let done = self.0.done.iter().map(|pair| (pair, "done"));
        opened.chain(done).collect()
    }
}

impl Present for ActView<'_> {
    fn csv(&self, place: &mut dyn io::Write) -> io::Result<()> {
        sheet().csv(self.rows(), place)
    }

    fn document(&self) -> Document {
        let rows = self.rows();
        let document = if rows.is_empty() {
            Document::new().paragraph("No pair is opened or done by this.")
        } else {
            Document::new().table(sheet().table(rows))
        };
        let effect = self.0;
        let state = match (effect.closed, effect.paused) {
            (true, _) => "the campaign is closed".to_owned(),
            (_, true) => "the campaign is paused".to_owned(),
            _ => format!("{} to vote on", plural(effect.open, "pair")),
        };
        document.note(format!(
            "{} now, {} before; {} changed; {state}.",
            plural(effect.votes, "vote"),
            effect.votes_before,
            plural(effect.changed_lists.len(), "list"),
        ))
    }
}

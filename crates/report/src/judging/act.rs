//! How it is shown what an act of the organiser changed.

use std::io;

use partita_judging::campaign::{ActEffect, PairName};

use crate::table::text;
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
        if rows.is_empty() {
            return Document::new().paragraph("No pair is opened or done by this.");
        }
        Document::new().table(sheet().table(rows))
    }
}

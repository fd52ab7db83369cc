//! How it is shown what an act of the organiser changed.

use std::io;

use partita_judging::campaign::{ActionEffect, QueryPair};

use crate::table::text;
use crate::{ColumnSet, Document, View};

/// The pairs that an act opened and those that it made an end of.
#[derive(Clone, Copy, Debug)]
pub struct ActionEffectView<'a>(pub &'a ActionEffect);

type Row<'a> = (&'a QueryPair, &'static str);

fn sheet<'a>() -> ColumnSet<'a, Row<'a>> {
    ColumnSet::new()
        .field("query", text("Query"), |(pair, _): &Row<'_>| {
            pair.query.clone()
        })
        .field("a", text("A"), |(pair, _)| pair.a.clone())
        .field("b", text("B"), |(pair, _)| pair.b.clone())
        .field("now", text("Now"), |(_, now)| *now)
}

impl ActionEffectView<'_> {
    fn rows(&self) -> Vec<Row<'_>> {
        let opened = self.0.opened.iter().map(|pair| (pair, "open"));
        let done = self.0.done.iter().map(|pair| (pair, "done"));
        opened.chain(done).collect()
    }
}

impl View for ActionEffectView<'_> {
    fn write_csv(&self, place: &mut dyn io::Write) -> io::Result<()> {
        sheet().write_csv(self.rows(), place)
    }

    fn document(&self) -> Document {
        let rows = self.rows();
        if rows.is_empty() {
            return Document::new().paragraph("No pair is opened or done by this.");
        }
        Document::new().table(sheet().to_table(rows))
    }
}

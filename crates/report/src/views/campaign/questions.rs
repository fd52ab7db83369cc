//! How the pairs to ask now are shown.

use std::io;

use partita_judging::campaign::{OpenPair, OpenPairs};
use partita_named::NamedEnum;

use crate::table::{integer, text};
use crate::{ColumnSet, Document, View};

/// The pairs to ask now.
#[derive(Clone, Copy, Debug)]
pub struct OpenPairsView<'a>(pub &'a OpenPairs);

impl OpenPairsView<'_> {
    fn sheet(&self) -> ColumnSet<'_, OpenPair> {
        ColumnSet::new()
            .csv_field("campaign", |_: &OpenPair| self.0.campaign.clone())
            .csv_field("batch", |pair| pair.batch)
            .field("pair", text("Pair"), |pair| pair.pair.clone())
            .field("query", text("Query"), |pair| pair.query.clone())
            .field("a", text("A"), |pair| pair.a.clone())
            .field("b", text("B"), |pair| pair.b.clone())
            .field("votes", integer("Votes"), |pair| pair.votes)
            .field("state", text("State"), |pair| pair.state.name())
            // To be filled in, and given back to `judge add`.
            .csv_field("assessor", |_| "")
            .csv_field("answer", |_| "")
    }
}

impl View for OpenPairsView<'_> {
    fn write_csv(&self, place: &mut dyn io::Write) -> io::Result<()> {
        self.sheet().write_csv(&self.0.pairs, place)
    }

    fn document(&self) -> Document {
        if self.0.pairs.is_empty() {
            return Document::new().paragraph("There is nothing to ask now.");
        }
        Document::new().table(self.sheet().to_table(&self.0.pairs))
    }
}

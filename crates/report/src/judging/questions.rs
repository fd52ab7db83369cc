//! How the pairs to ask now are shown.

use std::io;

use partita_judging::campaign::{Question, Questions};
use partita_stats::named::Named;

use crate::table::{integer, text};
use crate::{Document, Present, Sheet};

/// The pairs to ask now.
#[derive(Clone, Copy, Debug)]
pub struct QuestionsView<'a>(pub &'a Questions);

impl QuestionsView<'_> {
    fn sheet(&self) -> Sheet<'_, Question> {
        Sheet::new()
            .csv_field("campaign", |_: &Question| self.0.campaign.clone())
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

impl Present for QuestionsView<'_> {
    fn csv(&self, place: &mut dyn io::Write) -> io::Result<()> {
        self.sheet().csv(&self.0.pairs, place)
    }

    fn document(&self) -> Document {
        if self.0.pairs.is_empty() {
            return Document::new().paragraph("There is nothing to ask now.");
        }
        Document::new().table(self.sheet().table(&self.0.pairs))
    }
}

//! How the pairs to ask now are shown.

use std::io;

use partita_judging::campaign::{Question, Questions};

use crate::{Column, Document, Present, Sheet};

/// The pairs to ask now.
#[derive(Clone, Copy, Debug)]
pub struct QuestionsView<'a>(pub &'a Questions);

impl QuestionsView<'_> {
    fn sheet(&self) -> Sheet<'_, Question> {
        Sheet::new()
            .csv_field("campaign", |_: &Question| self.0.campaign.as_str().into())
            .csv_field("batch", |pair| pair.batch.into())
            .field("pair", Column::text("Pair"), |pair| {
                pair.pair.as_str().into()
            })
            .field("query", Column::text("Query"), |pair| {
                pair.query.as_str().into()
            })
            .field("a", Column::text("A"), |pair| pair.a.as_str().into())
            .field("b", Column::text("B"), |pair| pair.b.as_str().into())
            .field("votes", Column::integer("Votes"), |pair| pair.votes.into())
            .field("state", Column::text("State"), |pair| {
                pair.state.to_string().into()
            })
            // To be filled in, and given back to `judge add`.
            .csv_field("assessor", |_| "".into())
            .csv_field("answer", |_| "".into())
    }
}

impl Present for QuestionsView<'_> {
    fn csv(&self, place: &mut dyn io::Write) -> io::Result<()> {
        self.sheet().csv(&self.0.pairs, place)
    }

    fn document(&self) -> Document {
        Document::new().table(self.sheet().table(&self.0.pairs))
    }
}

//! Views of the effect of organiser actions and of exclusions.

use std::io;

use partita_judging::campaign::{ActionEffect, ExclusionEffect, QueryPair};

use crate::table::text;
use crate::{ColumnSet, Document, View};

/// Pair of items with its state after an organiser's action, in words.
type ChangedPair<'a> = (&'a QueryPair, &'static str);

fn action_columns<'a>() -> ColumnSet<'a, ChangedPair<'a>> {
    ColumnSet::<ChangedPair<'_>>::new()
        .field("query", text("Query"), |(pair, _)| pair.query.clone())
        .field("a", text("A"), |(pair, _)| pair.a.clone())
        .field("b", text("B"), |(pair, _)| pair.b.clone())
        .field("now", text("Now"), |(_, now)| *now)
}

/// Returns the pairs whose state an action changed, with their new state.
fn changed_pairs(effect: &ActionEffect) -> Vec<ChangedPair<'_>> {
    let opened = effect.opened.iter().map(|pair| (pair, "open"));
    let done = effect.done.iter().map(|pair| (pair, "done"));
    opened.chain(done).collect()
}

impl View for ActionEffect {
    fn write_csv(&self, writer: &mut dyn io::Write) -> io::Result<()> {
        action_columns().write_csv(changed_pairs(self), writer)
    }

    fn document(&self) -> Document {
        let pairs = changed_pairs(self);
        if pairs.is_empty() {
            return Document::new().paragraph("No pair is opened or done by this.");
        }
        Document::new().table(action_columns().to_table(pairs))
    }
}

fn exclusion_columns() -> ColumnSet<'static, QueryPair> {
    ColumnSet::<QueryPair>::new()
        .field("query", text("Open again"), |pair| pair.query.clone())
        .field("a", text("A"), |pair| pair.a.clone())
        .field("b", text("B"), |pair| pair.b.clone())
}

impl View for ExclusionEffect {
    fn write_csv(&self, writer: &mut dyn io::Write) -> io::Result<()> {
        exclusion_columns().write_csv(&self.reopened, writer)
    }

    fn document(&self) -> Document {
        if self.reopened.is_empty() {
            return Document::new().paragraph("No pair is open again.");
        }
        Document::new().table(exclusion_columns().to_table(&self.reopened))
    }
}

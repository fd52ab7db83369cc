//! How it is shown what an exclusion changed.

use std::io;

use partita_judging::campaign::{ExclusionEffect, QueryPair};

use crate::table::text;
use crate::{ColumnSet, Document, View};

/// The pairs that are open again.
#[derive(Clone, Copy, Debug)]
pub struct ExclusionEffectView<'a>(pub &'a ExclusionEffect);

fn sheet() -> ColumnSet<'static, QueryPair> {
    ColumnSet::new()
        .field("query", text("Open again"), |pair: &QueryPair| {
            pair.query.clone()
        })
        .field("a", text("A"), |pair| pair.a.clone())
        .field("b", text("B"), |pair| pair.b.clone())
}

impl View for ExclusionEffectView<'_> {
    fn write_csv(&self, place: &mut dyn io::Write) -> io::Result<()> {
        sheet().write_csv(&self.0.reopened, place)
    }

    fn document(&self) -> Document {
        if self.0.reopened.is_empty() {
            return Document::new().paragraph("No pair is open again.");
        }
        Document::new().table(sheet().to_table(&self.0.reopened))
    }
}

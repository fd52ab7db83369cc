//! How it is shown what an exclusion changed.

use std::io;

use partita_judging::campaign::{ExclusionEffect, PairName};

use crate::table::text;
use crate::{Document, Present, Sheet};

/// The pairs that are open again.
#[derive(Clone, Copy, Debug)]
pub struct ExclusionView<'a>(pub &'a ExclusionEffect);

fn sheet() -> Sheet<'static, PairName> {
    Sheet::new()
        .field("query", text("Open again"), |pair: &PairName| {
            pair.query.clone()
        })
        .field("a", text("A"), |pair| pair.a.clone())
        .field("b", text("B"), |pair| pair.b.clone())
}

impl Present for ExclusionView<'_> {
    fn csv(&self, place: &mut dyn io::Write) -> io::Result<()> {
        sheet().csv(&self.0.reopened, place)
    }

    fn document(&self) -> Document {
        if self.0.reopened.is_empty() {
            return Document::new().paragraph("No pair is open again.");
        }
        Document::new().table(sheet().table(&self.0.reopened))
    }
}

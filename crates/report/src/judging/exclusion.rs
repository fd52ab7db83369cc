//! How it is shown what an exclusion changed.

use std::io;

use partita_judging::campaign::{ExclusionEffect, PairName};

use crate::{Column, Document, Present, Sheet};

/// The pairs that are open again.
#[derive(Clone, Copy, Debug)]
pub struct ExclusionView<'a>(pub &'a ExclusionEffect);

fn sheet() -> Sheet<'static, PairName> {
    Sheet::new()
        .field("query", Column::text("Open again"), |pair: &PairName| {
            pair.query.as_str().into()
        })
        .field("a", Column::text("A"), |pair| pair.a.as_str().into())
        .field("b", Column::text("B"), |pair| pair.b.as_str().into())
}

impl Present for ExclusionView<'_> {
    fn csv(&self, place: &mut dyn io::Write) -> io::Result<()> {
        sheet().csv(&self.0.reopened, place)
    }

    fn document(&self) -> Document {
        Document::new().table(sheet().table(&self.0.reopened))
    }
}

//! Views of the effect of organiser actions and of exclusions.

use std::io;

use partita_judging::campaign::{ActionEffect, ExclusionEffect, QueryPair};

use crate::table::text;
use crate::{ColumnSet, Document, View};

/// Pairs that an organiser action opened or completed.
#[derive(Clone, Copy, Debug)]
pub struct ActionEffectView<'a>(pub &'a ActionEffect);

type Row<'a> = (&'a QueryPair, &'static str);

fn action_columns<'a>() -> ColumnSet<'a, Row<'a>> {
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
    fn write_csv(&self, writer: &mut dyn io::Write) -> io::Result<()> {
        action_columns().write_csv(self.rows(), writer)
    }

    fn document(&self) -> Document {
        let rows = self.rows();
        if rows.is_empty() {
            return Document::new().paragraph("No pair is opened or done by this.");
        }
        Document::new().table(action_columns().to_table(rows))
    }
}

/// Pairs that an exclusion opened again.
#[derive(Clone, Copy, Debug)]
pub struct ExclusionEffectView<'a>(pub &'a ExclusionEffect);

fn exclusion_columns() -> ColumnSet<'static, QueryPair> {
    ColumnSet::new()
        .field("query", text("Open again"), |pair: &QueryPair| {
            pair.query.clone()
        })
        .field("a", text("A"), |pair| pair.a.clone())
        .field("b", text("B"), |pair| pair.b.clone())
}

impl View for ExclusionEffectView<'_> {
    fn write_csv(&self, writer: &mut dyn io::Write) -> io::Result<()> {
        exclusion_columns().write_csv(&self.0.reopened, writer)
    }

    fn document(&self) -> Document {
        if self.0.reopened.is_empty() {
            return Document::new().paragraph("No pair is open again.");
        }
        Document::new().table(exclusion_columns().to_table(&self.0.reopened))
    }
}

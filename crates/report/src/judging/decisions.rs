//! How it is shown what the votes say of each pair.

use std::io;

use partita_judging::Relation;
use partita_judging::campaign::{Decisions, PairState};

use crate::{Column, Document, Present, Sheet};

/// What the votes say of each pair that was asked.
#[derive(Clone, Copy, Debug)]
pub struct DecisionsView<'a>(pub &'a Decisions);

/// A query and one of its pairs.
type Row<'a> = (&'a str, &'a PairState);

fn sheet<'a>() -> Sheet<'static, Row<'a>> {
    Sheet::new()
        .csv_field("query", |(query, _): &Row<'_>| (*query).into())
        .field("a", Column::text("A"), |(_, pair)| pair.a.as_str().into())
        .field("b", Column::text("B"), |(_, pair)| pair.b.as_str().into())
        .field("votes_a", Column::integer("For A"), |(_, pair)| {
            pair.votes[0].into()
        })
        .field("votes_equal", Column::integer("Equal"), |(_, pair)| {
            pair.votes[1].into()
        })
        .field("votes_b", Column::integer("For B"), |(_, pair)| {
            pair.votes[2].into()
        })
        .field("relation", Column::text("Relation"), |(_, pair)| {
            pair.relation.map(Relation::name).into()
        })
        .field("agreement", Column::number("Agreement", 3), |(_, pair)| {
            pair.agreement.into()
        })
        .field("state", Column::text("State"), |(_, pair)| {
            pair.state.to_string().into()
        })
        .field("in_list", Column::text("In the list"), |(_, pair)| {
            pair.in_list.name().into()
        })
        .csv_field("batch", |(_, pair)| pair.batch.into())
}

impl DecisionsView<'_> {
    fn rows(&self) -> impl Iterator<Item = (&str, Vec<Row<'_>>)> {
        let queries = self.0.pairs.iter();
        queries.map(|(query, pairs)| (query, pairs.iter().map(|pair| (query, pair)).collect()))
    }
}

impl Present for DecisionsView<'_> {
    fn csv(&self, place: &mut dyn io::Write) -> io::Result<()> {
        let rows: Vec<Row<'_>> = self.rows().flat_map(|(_, rows)| rows).collect();
        sheet().csv(&rows, place)
    }

    fn document(&self) -> Document {
        let sheet = sheet();
        let mut table = sheet.table([]);
        for (query, rows) in self.rows() {
            table.push_heading(query);
            for row in &rows {
                sheet.add(row, &mut table);
            }
        }
        Document::new().table(table)
    }
}

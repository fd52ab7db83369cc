//! How it is shown what the votes say of each pair.

use std::io;

use partita_judging::Relation;
use partita_judging::campaign::{CampaignDecisions, PairSnapshot};
use partita_named::NamedEnum;

use crate::phrases::relation_label;
use crate::table::{integer, number, text};
use crate::{ColumnSet, Document, View};

/// What the votes say of each pair that was asked.
#[derive(Clone, Copy, Debug)]
pub struct CampaignDecisionsView<'a>(pub &'a CampaignDecisions);

/// A query and one of its pairs.
type Row<'a> = (&'a str, &'a PairSnapshot);

fn sheet<'a>() -> ColumnSet<'static, Row<'a>> {
    ColumnSet::new()
        .csv_field("query", |(query, _): &Row<'_>| *query)
        .field("a", text("a"), |(_, pair)| pair.a.clone())
        .field("b", text("b"), |(_, pair)| pair.b.clone())
        .field("votes_a", integer("For a"), |(_, pair)| pair.votes[0])
        .field("votes_equal", integer("Equal"), |(_, pair)| pair.votes[1])
        .field("votes_b", integer("For b"), |(_, pair)| pair.votes[2])
        .csv_field("relation", |(_, pair)| pair.relation.map(Relation::name))
        .table_field(text("By votes"), |(_, pair)| {
            pair.relation.map(relation_label)
        })
        .field("agreement", number("Agreement", 3), |(_, pair)| {
            pair.agreement
        })
        .field("state", text("State"), |(_, pair)| pair.state.name())
        .csv_field("in_list", |(_, pair)| pair.in_list.name())
        .table_field(text("In the list"), |(_, pair)| {
            relation_label(pair.in_list)
        })
        .csv_field("batch", |(_, pair)| pair.batch)
}

impl CampaignDecisionsView<'_> {
    fn rows(&self) -> impl Iterator<Item = (&str, impl Iterator<Item = Row<'_>>)> {
        let queries = self.0.pairs.iter();
        queries.map(|(query, pairs)| (query, pairs.iter().map(move |pair| (query, pair))))
    }
}

impl View for CampaignDecisionsView<'_> {
    fn write_csv(&self, place: &mut dyn io::Write) -> io::Result<()> {
        sheet().write_csv(self.rows().flat_map(|(_, rows)| rows), place)
    }

    fn document(&self) -> Document {
        Document::new().table(sheet().to_grouped_table(self.rows()))
    }
}

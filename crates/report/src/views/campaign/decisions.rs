//! View of the decisions on pairs, one row per pair.

use std::io;

use partita_judging::Relation;
use partita_judging::campaign::{CampaignDecisions, PairSnapshot};
use partita_named::NamedEnum;

use crate::phrases::relation_label;
use crate::table::{integer, number, text};
use crate::{ColumnSet, Document, View};

/// Query id with the current state of one of its pairs.
type DecisionRow<'a> = (&'a str, &'a PairSnapshot);

fn columns<'a>() -> ColumnSet<'static, DecisionRow<'a>> {
    ColumnSet::<DecisionRow<'_>>::new()
        .csv_field("query", |(query, _)| *query)
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

/// Returns the requested pairs of each query, including those without votes.
fn pairs_by_query(
    decisions: &CampaignDecisions,
) -> impl Iterator<Item = (&str, impl Iterator<Item = DecisionRow<'_>>)> {
    let queries = decisions.pairs.iter();
    queries.map(|(query, pairs)| (query, pairs.iter().map(move |pair| (query, pair))))
}

impl View for CampaignDecisions {
    fn write_csv(&self, writer: &mut dyn io::Write) -> io::Result<()> {
        columns().write_csv(pairs_by_query(self).flat_map(|(_, rows)| rows), writer)
    }

    fn document(&self) -> Document {
        Document::new().table(columns().to_grouped_table(pairs_by_query(self)))
    }
}

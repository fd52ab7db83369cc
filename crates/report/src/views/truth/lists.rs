//! Views of lists and of their construction.

use std::io;

use partita_core::NamedGroups;
use partita_core::truth::{BuiltLists, GroupingOutcome, ItemPlacement};
use partita_judging::{BatchSummary, ComparedPair, PreferenceLists};

use crate::column_set::ColumnSet;
use crate::document::{Document, View};
use crate::phrases::{format_duration, plural};
use crate::table::{Table, integer, number, right, text};

/// Lists built from rankings.
pub struct RankingListsView<'a> {
    /// Lists.
    pub result: &'a BuiltLists,
    /// True to show the reason for the position of every item.
    pub details: bool,
}

/// Query with one of its items.
type ItemRow<'a> = (&'a str, &'a ItemPlacement);

impl RankingListsView<'_> {
    fn rows(&self) -> impl Iterator<Item = (&str, impl Iterator<Item = ItemRow<'_>>)> {
        let lists = self.result.choices.iter();
        lists.map(|(query, items)| (query, items.iter().map(move |item| (query, item))))
    }

    fn columns<'s>(&self) -> ColumnSet<'s, ItemRow<'s>> {
        ColumnSet::<ItemRow<'_>>::new()
            .csv_field("query", |(query, _)| *query)
            .csv_field("item", |(_, item)| item.item.clone())
            .field("group", integer("Group"), |(_, item)| item.group)
            .table_field(text("Item"), |(_, item)| item.item.clone())
            .field("median", number("Median", 1), |(_, item)| item.median)
            .field("mean", number("Mean", 2), |(_, item)| item.mean)
            .field("ranks", integer("Ranks"), |(_, item)| item.ranks)
            .add_if(self.details, |columns| {
                columns.field("why", text("Why"), |(_, item)| placement_reason(item))
            })
    }
}

/// Returns the reason for the position of an item.
fn placement_reason(item: &ItemPlacement) -> String {
    match (&item.differs_from, item.outcome) {
        (Some(other), GroupingOutcome::DiffersFromOne) => format!("differs from {other}"),
        (_, outcome) => outcome.to_string().replace('-', " "),
    }
}

impl View for RankingListsView<'_> {
    fn write_csv(&self, writer: &mut dyn io::Write) -> io::Result<()> {
        self.columns()
            .write_csv(self.rows().flat_map(|(_, rows)| rows), writer)
    }

    fn document(&self) -> Document {
        Document::new().table(self.columns().to_grouped_table(self.rows()))
    }
}

/// Lists built from preferences.
pub struct PreferenceListsView<'a> {
    /// Lists.
    pub result: &'a PreferenceLists,
    /// True to show the batches.
    pub details: bool,
}

/// Detail row: a compared pair, or an item of an alternative list.
enum ListDetailRow<'a> {
    Pair(&'a str, &'a ComparedPair),
    Item {
        query: &'a str,
        /// Number of the alternative list, from 1.
        alternative: usize,
        /// True if this alternative was drawn at random as the list of the query.
        drawn: bool,
        group: usize,
        item: &'a str,
    },
}

impl ListDetailRow<'_> {
    fn pair(&self) -> Option<&ComparedPair> {
        match self {
            Self::Pair(_, pair) => Some(pair),
            Self::Item { .. } => None,
        }
    }

    /// Returns the number of the alternative list, true if it was drawn, and the group of the item;
    /// `None` for a pair.
    fn place(&self) -> Option<(usize, bool, usize)> {
        match *self {
            Self::Pair(..) => None,
            Self::Item {
                alternative,
                drawn,
                group,
                ..
            } => Some((alternative, drawn, group)),
        }
    }
}

impl View for PreferenceListsView<'_> {
    /// Writes one row per compared pair, and one per item of each alternative list.
    fn write_csv(&self, place: &mut dyn io::Write) -> io::Result<()> {
        let columns = ColumnSet::<ListDetailRow<'_>>::new()
            .csv_field(
                "kind",
                |row| if row.pair().is_some() { "pair" } else { "item" },
            )
            .csv_field("query", |row| match row {
                ListDetailRow::Pair(query, _) | ListDetailRow::Item { query, .. } => *query,
            })
            .csv_field("a", |row| match row {
                ListDetailRow::Pair(_, pair) => pair.a.clone(),
                ListDetailRow::Item { item, .. } => (*item).to_owned(),
            })
            .csv_field("b", |row| Some(row.pair()?.b.clone()))
            .csv_field("votes_a", |row| Some(row.pair()?.votes[0]))
            .csv_field("votes_equal", |row| Some(row.pair()?.votes[1]))
            .csv_field("votes_b", |row| Some(row.pair()?.votes[2]))
            .csv_field("relation", |row| Some(row.pair()?.relation.name()))
            .csv_field("agreement", |row| row.pair()?.agreement)
            .csv_field("batch", |row| Some(row.pair()?.batch))
            .csv_field("alternative", |row| Some(row.place()?.0))
            .csv_field("drawn", |row| Some(row.place()?.1))
            .csv_field("group", |row| Some(row.place()?.2));
        let lists = self.result.pairs.iter();
        let pairs = lists.flat_map(|(query, pairs)| {
            let pairs = pairs.iter();
            pairs.map(move |pair| ListDetailRow::Pair(query, pair))
        });
        columns.write_csv(pairs.chain(self.items()), place)
    }

    fn document(&self) -> Document {
        let mut table = Table::new([integer("Group"), text("Items")]);
        for (query, list) in self.sampled_lists() {
            table.push_heading(query);
            for (group, items) in (1_usize..).zip(list) {
                table.push([group.into(), items.join(", ").into()]);
            }
        }
        let document = Document::new().table(table);
        if !self.details {
            return document;
        }
        document
            .tables(self.open_lists())
            .table(batches(&self.result.batches))
            .note(self.sums())
    }
}

impl PreferenceListsView<'_> {
    /// Returns the list of each query. If there were several alternatives, it is the one that was
    /// drawn.
    fn sampled_lists(&self) -> impl Iterator<Item = (&str, NamedGroups)> {
        let lists = self.result.truth.iter();
        lists.map(|(query, judged)| (query, judged.list().to_named_groups(judged.names())))
    }

    /// Returns the items of all alternative lists.
    fn items(&self) -> impl Iterator<Item = ListDetailRow<'_>> {
        let queries = self.sampled_lists().zip(self.result.alternatives.iter());
        queries.flat_map(|((query, list), (_, open))| {
            (1..).zip(open).flat_map(move |(alternative, groups)| {
                let drawn = *groups == list;
                (1..).zip(groups).flat_map(move |(group, items)| {
                    items.iter().map(move |item| ListDetailRow::Item {
                        query,
                        alternative,
                        drawn,
                        group,
                        item,
                    })
                })
            })
        })
    }

    /// Returns one table for each query with several alternative lists.
    fn open_lists(&self) -> impl Iterator<Item = Table> {
        let queries = self.sampled_lists().zip(self.result.alternatives.iter());
        let several = queries.filter(|(_, (_, open))| open.len() > 1);
        several.map(|((query, list), (_, open))| {
            let mut table = Table::new([integer("Group"), text("Items")])
                .with_caption(format!("Query {query}: {} lists are open", open.len()));
            for (alternative, groups) in (1..).zip(open) {
                let drawn = if *groups == list { " (drawn)" } else { "" };
                table.push_heading(format!("List {alternative}{drawn}"));
                for (group, items) in (1_usize..).zip(groups) {
                    table.push([group.into(), items.join(", ").into()]);
                }
            }
            table
        })
    }

    fn sums(&self) -> String {
        let found = self.result;
        let counts = &found.decisions;
        let cost: f64 = found.batches.iter().map(|batch| batch.cost).sum();
        format!(
            "{}: {} a closer, {} equal, {} b closer; {} by {}; {cost:.2} in all, at {} and a fee per \
             answer.",
            plural(counts.less + counts.equal + counts.greater, "pair"),
            counts.less,
            counts.equal,
            counts.greater,
            plural(found.answers, "answer"),
            plural(found.assessors, "assessor"),
            found.settings.reward,
        )
    }
}

/// Returns the table of batches.
fn batches(batches: &[BatchSummary]) -> Table {
    ColumnSet::<BatchSummary>::new()
        .table_field(text("Batch"), |batch| batch.name.clone())
        .table_field(integer("Pairs"), |batch| batch.pairs)
        .table_field(integer("Assessors"), |batch| batch.assessors)
        .table_field(integer("Returning"), |batch| batch.returning)
        .table_field(number("Median s", 1), |batch| batch.median_seconds)
        .table_field(right("Time"), |batch| {
            batch.seconds_to_completion.map(format_duration)
        })
        .table_field(number("Agreement", 3), |batch| batch.agreement)
        .table_field(number("Cost", 2), |batch| batch.cost)
        .to_table(batches)
}

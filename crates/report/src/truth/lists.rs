//! Lists, and how they were built.

use std::io;

use partita_core::truth::{BuiltLists, Outcome, PlacedItem};
use partita_judging::{DecidedPair, PreferenceLists, PricedBatch};

use crate::document::{Document, Present};
use crate::sheet::Sheet;
use crate::table::{Table, integer, number, right, text};
use crate::words::clock;

/// Lists from rankings.
pub struct BuiltListsView<'a> {
    /// The lists.
    pub result: &'a BuiltLists,
    /// Whether every item says why it stands where it does.
    pub details: bool,
}

/// A query and one of its items.
type ItemRow<'a> = (&'a str, &'a PlacedItem);

impl BuiltListsView<'_> {
    fn rows(&self) -> impl Iterator<Item = (&str, impl Iterator<Item = ItemRow<'_>>)> {
        let lists = self.result.choices.iter();
        lists.map(|(query, items)| (query, items.iter().map(move |item| (query, item))))
    }

    fn sheet<'s>(&self) -> Sheet<'s, ItemRow<'s>> {
        Sheet::<ItemRow<'_>>::new()
            .csv_field("query", |(query, _)| *query)
            .csv_field("item", |(_, item)| item.item.clone())
            .field("group", integer("Group"), |(_, item)| item.group)
            .table_field(text("Item"), |(_, item)| item.item.clone())
            .field("median", number("Median", 1), |(_, item)| item.median)
            .field("mean", number("Mean", 2), |(_, item)| item.mean)
            .field("ranks", integer("Ranks"), |(_, item)| item.ranks)
            .when(self.details, |sheet| {
                sheet.field("why", text("Why"), |(_, item)| why(item))
            })
    }
}

/// Why an item stands where it does.
fn why(item: &PlacedItem) -> String {
    match (&item.differs_from, item.outcome) {
        (Some(other), Outcome::DiffersFromOne) => format!("differs from {other}"),
        (_, outcome) => outcome.to_string().replace('-', " "),
    }
}

impl Present for BuiltListsView<'_> {
    fn csv(&self, place: &mut dyn io::Write) -> io::Result<()> {
        self.sheet()
            .csv(self.rows().flat_map(|(_, rows)| rows), place)
    }

    fn document(&self) -> Document {
        Document::new().table(self.sheet().grouped(self.rows()))
    }
}

/// Lists from answers.
pub struct PreferenceListsView<'a> {
    /// The lists.
    pub result: &'a PreferenceLists,
    /// Whether it says what became of each batch.
    pub details: bool,
}

impl Present for PreferenceListsView<'_> {
    /// A row for each pair that was compared.
    fn csv(&self, place: &mut dyn io::Write) -> io::Result<()> {
        let sheet = Sheet::<(&str, &DecidedPair)>::new()
            .csv_field("query", |(query, _)| *query)
            .csv_field("a", |(_, pair)| pair.a.clone())
            .csv_field("b", |(_, pair)| pair.b.clone())
            .csv_field("votes_a", |(_, pair)| pair.votes[0])
            .csv_field("votes_equal", |(_, pair)| pair.votes[1])
            .csv_field("votes_b", |(_, pair)| pair.votes[2])
            .csv_field("relation", |(_, pair)| pair.relation.name())
            .csv_field("agreement", |(_, pair)| pair.agreement)
            .csv_field("batch", |(_, pair)| pair.batch);
        let lists = self.result.pairs.iter();
        let rows = lists.flat_map(|(query, pairs)| pairs.iter().map(move |pair| (query, pair)));
        sheet.csv(rows, place)
    }

    fn document(&self) -> Document {
        let mut table = Table::new([integer("Group"), text("Items")]);
        for (query, judged) in self.result.truth.iter() {
            table.push_heading(query);
            for (group, items) in (1_usize..).zip(judged.list().named(judged.names())) {
                table.push([group.into(), items.join(", ").into()]);
            }
        }
        let document = Document::new().table(table);
        if !self.details {
            return document;
        }
        document
            .table(batches(&self.result.batches))
            .note(self.sums())
    }
}

impl PreferenceListsView<'_> {
    fn sums(&self) -> String {
        let found = self.result;
        let (less, equal) = (found.decisions.less, found.decisions.equal);
        let greater = found.decisions.greater;
        let cost: f64 = found.batches.iter().map(|batch| batch.cost).sum();
        format!(
            "{} pairs: {less} less, {equal} equal, {greater} greater; {} answers by {} assessors; \
             {cost:.2} in all, at {} and a fee for each answer.",
            less + equal + greater,
            found.answers,
            found.assessors,
            found.settings.reward,
        )
    }
}

/// What became of each batch.
fn batches(batches: &[PricedBatch]) -> Table {
    Sheet::<PricedBatch>::new()
        .table_field(text("Batch"), |batch| batch.name.clone())
        .table_field(integer("Pairs"), |batch| batch.pairs)
        .table_field(integer("Assessors"), |batch| batch.assessors)
        .table_field(integer("Returning"), |batch| batch.returning)
        .table_field(number("Median s", 1), |batch| batch.median_seconds)
        .table_field(right("Time"), |batch| {
            batch.seconds_to_completion.map(clock)
        })
        .table_field(number("Agreement", 3), |batch| batch.agreement)
        .table_field(number("Cost", 2), |batch| batch.cost)
        .table(batches)
}

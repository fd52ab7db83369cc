//! Two ground truths against each other.

use std::io;

use partita_core::difference::{Aligned, Change, Difference, ItemChange, PairRelations};
use partita_core::measure::Range;
use partita_core::truth::{ComparedLists, TruthComparison};

use crate::document::{Document, Present};
use crate::sheet::Sheet;
use crate::table::{Cell, Table, integer, number, right, text};

/// A comparison of two ground truths.
pub struct TruthComparisonView<'a> {
    /// The comparison.
    pub result: &'a TruthComparison,
    /// Whether it says what became of groups, items and pairs.
    pub diff: bool,
}

/// The most items of a part that are named.
const MOST_MEMBERS: usize = 4;

/// A number of the comparison.
struct MeasureRow<'a> {
    query: &'a str,
    measure: String,
    value: f64,
}

/// Numbers of rows, in the order of the file.
#[derive(Default)]
struct Rows<'a>(Vec<MeasureRow<'a>>);

impl<'a> Rows<'a> {
    fn push(&mut self, query: &'a str, measure: impl Into<String>, value: Option<f64>) {
        self.0.extend(value.map(|value| MeasureRow {
            query,
            measure: measure.into(),
            value,
        }));
    }

    fn adr(&mut self, query: &'a str, kind: &str, ways: [Option<Range>; 2]) {
        for (way, found) in ["second_by_first", "first_by_second"].iter().zip(ways) {
            self.push(
                query,
                format!("{kind}:{way}"),
                found.map(|range| range.mean),
            );
            self.push(
                query,
                format!("{kind}:{way}:min"),
                found.map(|range| range.min),
            );
            self.push(
                query,
                format!("{kind}:{way}:max"),
                found.map(|range| range.max),
            );
        }
    }

    fn relations(&mut self, query: &'a str, pairs: PairRelations) {
        for (name, count) in relations(pairs) {
            self.push(query, format!("pairs:{name}"), Some(count as f64));
        }
    }
}

/// The numbers of pairs by what became of them, with their names.
fn relations(pairs: PairRelations) -> [(&'static str, u64); 4] {
    [
        ("same", pairs.same),
        ("tied_in_first_only", pairs.tied_in_first_only),
        ("tied_in_second_only", pairs.tied_in_second_only),
        ("reversed", pairs.reversed),
    ]
}

/// How many groups were split, how many merged, and how many items moved.
fn changes(query: &ComparedLists) -> [(&'static str, usize); 3] {
    let difference = &query.difference;
    [
        ("splits", difference.splits().count()),
        ("merges", difference.merges().count()),
        ("moved", query.moved.len()),
    ]
}

impl Present for TruthComparisonView<'_> {
    fn csv(&self, place: &mut dyn io::Write) -> io::Result<()> {
        if self.diff {
            return self.changed_items(place);
        }
        let found = self.result;
        let mut rows = Rows::default();
        for query in &found.queries {
            rows.adr(
                &query.query,
                "ADR",
                [query.second_by_first, query.first_by_second],
            );
        }
        let mean = &found.mean;
        rows.adr("all", "ADR", [mean.second_by_first, mean.first_by_second]);
        if let Some(sampled) = &found.sampled {
            let ways = [&sampled.second_by_first, &sampled.first_by_second];
            rows.adr("all", "sampled ADR", ways.map(|way| way.mean));
        }
        for query in &found.queries {
            rows.push(&query.query, "tau_b", query.tau_b);
            rows.push(&query.query, "rbo", query.rbo);
            rows.push(&query.query, "shared", Some(query.shared as f64));
            for (name, count) in changes(query) {
                rows.push(&query.query, name, Some(count as f64));
            }
            rows.relations(&query.query, query.pairs);
        }
        rows.push("all", "tau_b", mean.tau_b);
        rows.push("all", "rbo", mean.rbo);
        rows.relations("all", found.pairs);
        Sheet::<MeasureRow<'_>>::new()
            .csv_field("query", |row| row.query)
            .csv_field("measure", |row| row.measure.clone())
            .csv_field("value", |row| row.value)
            .csv(&rows.0, place)
    }

    fn document(&self) -> Document {
        let found = self.result;
        let mut document = Document::new();
        if self.diff {
            let diff = self.diff_table();
            document = if diff.rows().is_empty() {
                document.paragraph("Nothing changed.")
            } else {
                document.table(diff)
            };
            document = document.table(self.pairs());
        }
        document = document
            .table(self.queries())
            .note(format!("1 is {}, 2 is {}.", found.truths[0], found.truths[1]))
            .note("ADR: mean [minimum, maximum] over all orders within groups, exactly.")
            .note(format!(
                "RBO with p = {} and ties {}.",
                found.settings.rbo_p, found.settings.rbo_ties
            ))
            .note("Moved: items that passed others, or are in one list alone. Split, merged: groups of 1.");
        match &found.sampled {
            Some(sampled) => document.note(format!(
                "Sampled: mean, minimum and maximum over {} random orders, seed {}, of the mean over \
                 the queries.",
                sampled.samples, sampled.seed
            )),
            None => document,
        }
    }
}

impl TruthComparisonView<'_> {
    /// `query,item,first,second,change`: what became of the items, but for those of which nothing did.
    fn changed_items(&self, place: &mut dyn io::Write) -> io::Result<()> {
        let rows = self.result.queries.iter().flat_map(|query| {
            let items = query.difference.items.iter();
            let changed = items.filter(|item| item.change != Change::Same);
            changed.map(|item| (query.query.as_str(), item))
        });
        Sheet::<(&str, &ItemChange)>::new()
            .csv_field("query", |(query, _)| *query)
            .csv_field("item", |(_, item)| item.name.clone())
            .csv_field("first", |(_, item)| item.first)
            .csv_field("second", |(_, item)| item.second)
            .csv_field("change", |(_, item)| item.change.to_string())
            .csv(&rows.collect::<Vec<_>>(), place)
    }

    /// A row for each query, one for all, and one for random orders.
    fn queries(&self) -> Table {
        let found = self.result;
        let mut table = Table::new([
            text("Query"),
            integer("Items 1"),
            integer("Items 2"),
            integer("Shared"),
            right("ADR of 2 by 1"),
            right("ADR of 1 by 2"),
            number("tau-b", 3),
            number("RBO", 3),
            integer("Split"),
            integer("Merged"),
            integer("Moved"),
        ]);
        let mut sums = [0; 6];
        for query in &found.queries {
            let [splits, merges, moved] = changes(query).map(|(_, count)| count);
            let counts = [
                query.items[0],
                query.items[1],
                query.shared,
                splits,
                merges,
                moved,
            ];
            for (sum, count) in sums.iter_mut().zip(counts) {
                *sum += count;
            }
            let ways = [query.second_by_first, query.first_by_second];
            table.push(row(&query.query, counts, ways, [query.tau_b, query.rbo]));
        }
        table.push_rule();
        let mean = &found.mean;
        let ways = [mean.second_by_first, mean.first_by_second];
        table.push(row("all", sums, ways, [mean.tau_b, mean.rbo]));
        if let Some(sampled) = &found.sampled {
            let ways = [&sampled.second_by_first, &sampled.first_by_second];
            let mut cells = vec![Cell::missing(); 11];
            cells[0] = "all, sampled".into();
            cells[4] = range(ways[0].mean);
            cells[5] = range(ways[1].mean);
            table.push(cells);
        }
        table
    }

    /// What became of groups and items.
    fn diff_table(&self) -> Table {
        let mut table = Table::new([
            right("Group in 1"),
            right("Group in 2"),
            text("Change"),
            // At the end, because it may be wide.
            text("Items"),
        ]);
        let group = |group: Option<usize>| Cell::from(group.map(|group| group.to_string()));
        let changed = |query: &&ComparedLists| changes(query).iter().any(|(_, count)| *count > 0);
        for query in self.result.queries.iter().filter(changed) {
            table.push_heading(&query.query);
            let difference = &query.difference;
            let splits = difference.splits().map(|block| (block, "split"));
            let merges = difference.merges().map(|block| (block, "merged"));
            for (block, change) in splits.chain(merges) {
                let groups =
                    [&block.first, &block.second].map(|groups| Cell::text(numbers(groups)));
                let [first, second] = groups;
                table.push([
                    first,
                    second,
                    change.into(),
                    members(difference, block).into(),
                ]);
            }
            for item in &query.moved {
                let change = match item.change {
                    Change::OnlyFirst => "only in 1".to_owned(),
                    Change::OnlySecond => "only in 2".to_owned(),
                    other => other.to_string(),
                };
                let name = (&item.name).into();
                table.push([group(item.first), group(item.second), change.into(), name]);
            }
        }
        table
    }

    /// How many pairs have which relations.
    fn pairs(&self) -> Table {
        let mut table = Table::new([
            text("Pairs of shared items"),
            integer("Same relation"),
            integer("Tied in 1 only"),
            integer("Tied in 2 only"),
            integer("Reversed"),
        ]);
        let queries = self.result.queries.iter();
        let queries = queries.map(|query| (query.query.as_str(), query.pairs));
        for (name, pairs) in queries.chain([("all", self.result.pairs)]) {
            let counts = relations(pairs).map(|(_, count)| Cell::from(count));
            table.push(std::iter::once(Cell::text(name)).chain(counts));
        }
        table
    }
}

fn row(
    name: &str,
    [items_1, items_2, shared, splits, merges, moved]: [usize; 6],
    [two_by_one, one_by_two]: [Option<Range>; 2],
    [tau_b, rbo]: [Option<f64>; 2],
) -> [Cell; 11] {
    [
        name.into(),
        items_1.into(),
        items_2.into(),
        shared.into(),
        range(two_by_one),
        range(one_by_two),
        tau_b.into(),
        rbo.into(),
        splits.into(),
        merges.into(),
        moved.into(),
    ]
}

fn range(range: Option<Range>) -> Cell {
    let words = range.map(|Range { min, mean, max }| format!("{mean:.3} [{min:.3}, {max:.3}]"));
    words.into()
}

fn numbers(groups: &[usize]) -> String {
    let numbers: Vec<String> = groups.iter().map(ToString::to_string).collect();
    numbers.join(", ")
}

/// The parts of a group that was split, or the groups that were merged, in the papers' notation.
fn members(difference: &Difference, block: &Aligned) -> String {
    let is_split = block.second.len() > 1;
    let (parts, wholes) = if is_split {
        (&block.second, &block.first)
    } else {
        (&block.first, &block.second)
    };
    let parts = parts.iter().map(|&part| {
        let members = difference.items.iter().filter(|item| {
            let (own, whole) = if is_split {
                (item.second, item.first)
            } else {
                (item.first, item.second)
            };
            own == Some(part) && whole.is_some_and(|whole| wholes.contains(&whole))
        });
        let members: Vec<&str> = members.map(|item| item.name.as_str()).collect();
        let more = members.len().saturating_sub(MOST_MEMBERS);
        let named = members[..members.len() - more].join(", ");
        if more > 0 {
            format!("({named}, {more} more)")
        } else {
            format!("({named})")
        }
    });
    parts.collect::<Vec<_>>().join(", ")
}

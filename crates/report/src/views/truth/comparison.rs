//! View of the comparison of two ground truths.

use std::io;

use partita_core::measure::ScoreRange;
use partita_core::truth::comparison::list_difference::{
    GroupAlignment, ItemChange, ItemChangeKind, ListDifference, PairRelationCounts,
};
use partita_core::truth::{ListComparison, TruthComparison};

use crate::column_set::{ColumnSet, write_csv_rows};
use crate::document::{Document, View};
use crate::phrases::join;
use crate::table::{Cell, Table, integer, number, right, text};

/// View of the comparison of two ground truths for the same queries.
pub struct TruthComparisonView<'a> {
    /// Differences between the two lists of each query.
    pub result: &'a TruthComparison,
    /// True to show the changed groups, items and pairs.
    pub with_changes: bool,
}

/// Maximum number of items named per part of a split or merged group.
const MAX_NAMED_MEMBERS: usize = 4;

/// Row of the CSV: query, name of the measure, and value; the value is `None` if it is not defined.
type ComparisonValue<'a> = (&'a str, String, Option<f64>);

/// Returns the mean, minimum and maximum ADR (average dynamic recall) of the second list scored by
/// the first, and of the first by the second.
fn adr_rows<'a>(
    query: &'a str,
    kind: &str,
    adr: [Option<ScoreRange>; 2],
) -> Vec<ComparisonValue<'a>> {
    let directions = ["second_by_first", "first_by_second"].into_iter();
    let numbers = directions.zip(adr).flat_map(|(direction, found)| {
        let part = |of: fn(ScoreRange) -> f64, end| {
            (query, format!("{kind}:{direction}{end}"), found.map(of))
        };
        [
            part(|range| range.mean, ""),
            part(|range| range.min, ":min"),
            part(|range| range.max, ":max"),
        ]
    });
    numbers.collect()
}

/// Returns the rows with the number of item pairs by change of their relation.
fn relation_counts(
    query: &str,
    pairs: PairRelationCounts,
) -> impl Iterator<Item = ComparisonValue<'_>> {
    let counts = relations(pairs).into_iter();
    counts.map(move |(name, count)| (query, format!("pairs:{name}"), Some(count as f64)))
}

/// Returns the number of item pairs by change of their relation between the two lists, with names.
fn relations(pairs: PairRelationCounts) -> [(&'static str, u64); 4] {
    [
        ("same", pairs.same),
        ("tied_in_first_only", pairs.tied_in_first_only),
        ("tied_in_second_only", pairs.tied_in_second_only),
        ("reversed", pairs.reversed),
    ]
}

/// Returns the number of split groups, merged groups and moved items of a query, with names.
fn changes(query: &ListComparison) -> [(&'static str, usize); 3] {
    let difference = &query.difference;
    [
        ("splits", difference.splits().count()),
        ("merges", difference.merges().count()),
        ("moved", query.moved.len()),
    ]
}

impl View for TruthComparisonView<'_> {
    fn write_csv(&self, writer: &mut dyn io::Write) -> io::Result<()> {
        if self.with_changes {
            return self.changed_items(writer);
        }
        let found = self.result;
        let mut rows: Vec<ComparisonValue<'_>> = Vec::new();
        for query in &found.queries {
            let both = [query.second_by_first, query.first_by_second];
            rows.extend(adr_rows(&query.query, "ADR", both));
        }
        let mean = &found.mean;
        rows.extend(adr_rows(
            "all",
            "ADR",
            [mean.second_by_first, mean.first_by_second],
        ));
        if let Some(sampled) = &found.sampled {
            let both = [sampled.second_by_first.mean, sampled.first_by_second.mean];
            rows.extend(adr_rows("all", "sampled ADR", both));
        }
        for query in &found.queries {
            let name = query.query.as_str();
            rows.push((name, "tau_b".to_owned(), query.tau_b));
            rows.push((name, "rbo".to_owned(), query.rbo));
            let counts = [("shared", query.shared)].into_iter().chain(changes(query));
            rows.extend(counts.map(|(what, count)| (name, what.to_owned(), Some(count as f64))));
            rows.extend(relation_counts(name, query.pairs));
        }
        rows.push(("all", "tau_b".to_owned(), mean.tau_b));
        rows.push(("all", "rbo".to_owned(), mean.rbo));
        rows.extend(relation_counts("all", found.pairs));
        let rows = rows.into_iter().filter(|row| row.2.is_some());
        let rows = rows.map(|row| [row.0.into(), row.1.into(), row.2.into()]);
        write_csv_rows(["query", "measure", "value"], rows, writer)
    }

    fn document(&self) -> Document {
        let found = self.result;
        let mut document = Document::new();
        if self.with_changes {
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
    /// Writes `query,item,first,second,change` for all items that moved, are in one list only, or
    /// whose group was split or merged; `first` and `second` are the item's groups in the lists.
    fn changed_items(&self, writer: &mut dyn io::Write) -> io::Result<()> {
        let rows = self.result.queries.iter().flat_map(|query| {
            let items = query.difference.items.iter();
            let changed = items.filter(|item| item.change != ItemChangeKind::Same);
            changed.map(|item| (query.query.as_str(), item))
        });
        ColumnSet::<(&str, &ItemChange)>::new()
            .csv_field("query", |(query, _)| *query)
            .csv_field("item", |(_, item)| item.name.clone())
            .csv_field("first", |(_, item)| item.first)
            .csv_field("second", |(_, item)| item.second)
            .csv_field("change", |(_, item)| item.change.to_string())
            .write_csv(rows, writer)
    }

    /// Returns a table with one row per query, one for all queries, and one for the sampled orders
    /// of items within groups, if any.
    fn queries(&self) -> Table {
        let found = self.result;
        let count = |which: usize| move |row: &QueryRow<'_>| row.counts.map(|counts| counts[which]);
        let columns = ColumnSet::<QueryRow<'_>>::new()
            .table_field(text("Query"), |row| row.name)
            .table_field(integer("Items 1"), count(0))
            .table_field(integer("Items 2"), count(1))
            .table_field(integer("Shared"), count(2))
            .table_field(right("ADR of 2 by 1"), |row| {
                row.adr[0].map(score_range_text)
            })
            .table_field(right("ADR of 1 by 2"), |row| {
                row.adr[1].map(score_range_text)
            })
            .table_field(number("tau-b", 3), |row| row.tau_b)
            .table_field(number("RBO", 3), |row| row.rbo)
            .table_field(integer("Split"), count(3))
            .table_field(integer("Merged"), count(4))
            .table_field(integer("Moved"), count(5));
        let rows: Vec<QueryRow<'_>> = found.queries.iter().map(QueryRow::new).collect();
        let mut table = columns.to_table(&rows);
        table.push_rule();
        let counts = rows.iter().filter_map(|row| row.counts);
        let sums = counts.fold([0; 6], |sums, counts| {
            std::array::from_fn(|i| sums[i] + counts[i])
        });
        let mean = &found.mean;
        let all = QueryRow {
            name: "all",
            counts: Some(sums),
            adr: [mean.second_by_first, mean.first_by_second],
            tau_b: mean.tau_b,
            rbo: mean.rbo,
        };
        columns.push_row(&all, &mut table);
        if let Some(sampled) = &found.sampled {
            let sampled = QueryRow {
                name: "all, sampled",
                adr: [sampled.second_by_first.mean, sampled.first_by_second.mean],
                ..QueryRow::default()
            };
            columns.push_row(&sampled, &mut table);
        }
        table
    }

    /// Returns the table of groups and items that differ between the two lists.
    fn diff_table(&self) -> Table {
        let mut table = Table::new([
            right("Group in 1"),
            right("Group in 2"),
            text("Change"),
            // Last, because it can be wide.
            text("Items"),
        ]);
        let group = |group: Option<usize>| Cell::from(group.map(|group| group.to_string()));
        let changed = |query: &&ListComparison| changes(query).iter().any(|(_, count)| *count > 0);
        for query in self.result.queries.iter().filter(changed) {
            table.push_heading(&query.query);
            let difference = &query.difference;
            let splits = difference.splits().map(|block| (block, "split"));
            let merges = difference.merges().map(|block| (block, "merged"));
            for (block, change) in splits.chain(merges) {
                let [first, second] =
                    [&block.first, &block.second].map(|groups| Cell::text(join(groups, ", ")));
                let members = parts_text(difference, block).into();
                table.push([first, second, change.into(), members]);
            }
            for item in &query.moved {
                let change = match item.change {
                    ItemChangeKind::OnlyFirst => "only in 1".to_owned(),
                    ItemChangeKind::OnlySecond => "only in 2".to_owned(),
                    other => other.to_string(),
                };
                let name = (&item.name).into();
                table.push([group(item.first), group(item.second), change.into(), name]);
            }
        }
        table
    }

    /// Returns the table of the numbers of item pairs by change of their relation.
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

/// Row of the table of queries: one query, or all queries.
#[derive(Default)]
struct QueryRow<'a> {
    name: &'a str,
    /// Number of items of the first and of the second list, of shared items, of split and of merged
    /// groups, and of moved items.
    counts: Option<[usize; 6]>,
    /// ADR (average dynamic recall) of the second list scored by the first, and of the first by the
    /// second.
    adr: [Option<ScoreRange>; 2],
    tau_b: Option<f64>,
    rbo: Option<f64>,
}

impl<'a> QueryRow<'a> {
    fn new(query: &'a ListComparison) -> Self {
        let ([first, second], shared) = (query.items, query.shared);
        let [splits, merges, moved] = changes(query).map(|(_, count)| count);
        Self {
            name: &query.query,
            counts: Some([first, second, shared, splits, merges, moved]),
            adr: [query.second_by_first, query.first_by_second],
            tau_b: query.tau_b,
            rbo: query.rbo,
        }
    }
}

/// Formats a mean score with its minimum and maximum over orders of tied items.
fn score_range_text(ScoreRange { min, mean, max }: ScoreRange) -> String {
    format!("{mean:.3} [{min:.3}, {max:.3}]")
}

/// Formats the parts of a split group, or the groups that were merged, as (a, b), (c).
fn parts_text(difference: &ListDifference, block: &GroupAlignment) -> String {
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
        let more = members.len().saturating_sub(MAX_NAMED_MEMBERS);
        let named = members[..members.len() - more].join(", ");
        match more {
            0 => format!("({named})"),
            more => format!("({named}, {more} more)"),
        }
    });
    join(parts, ", ")
}

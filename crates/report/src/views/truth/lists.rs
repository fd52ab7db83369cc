//! Views of lists that were built from rankings or from preferences.

use std::io;
use std::iter::repeat_n;

use partita_core::truth::{AssessorConcordance, BuiltLists, GroupingOutcome, ItemPlacement};
use partita_core::{NamedGroups, OrderedMap};
use partita_judging::{BatchSummary, Currency, PreferenceLists};

use crate::column_set::{ColumnSet, write_csv_rows};
use crate::document::{Document, View};
use crate::phrases::{format_duration, format_p_value, plural};
use crate::table::{Cell, Table, integer, number, right, text};
use crate::views::campaign::{cost_heading, money};

/// View of lists built from rankings.
pub struct RankingListsView<'a> {
    /// Lists with the position of every item, and the reason why it joined or opened a group.
    pub result: &'a BuiltLists,
    /// True to show the reason for the position of every item.
    pub details: bool,
}

/// Query id with one of the items of its list.
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

/// Returns the reason for the position of an item in a list built from rankings.
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
        let recipe = &self.result.settings.recipe;
        Document::new()
            .table(self.columns().to_grouped_table(self.rows()))
            .table(agreement_table(&self.result.kendall_w))
            .note(
                "W: Kendall's coefficient of concordance over the items that every assessor ranked; \
                 p: the probability of at least this agreement by chance.",
            )
            .note(format!(
                "Groups by {} at alpha {}, not corrected for the number of tests. See docs/concepts.md, \
                 \"What a list claims\", for what such a list means and for a sentence for a paper.",
                recipe.aggregation,
                recipe.alpha.value()
            ))
    }
}

/// Returns the table of the agreement between the assessors of each query.
fn agreement_table(lists: &OrderedMap<AssessorConcordance>) -> Table {
    ColumnSet::<(&str, &AssessorConcordance)>::new()
        .table_field(text("Query"), |(query, _)| *query)
        .table_field(integer("Assessors"), |(_, w)| w.assessors)
        .table_field(number("W", 3), |(_, w)| w.common.map(|w| w.w))
        .table_field(number("p", 4), |(_, w)| {
            w.common.map(|w| format_p_value(w.p))
        })
        .to_table(lists.iter())
}

/// View of lists built from preferences.
pub struct PreferenceListsView<'a> {
    /// Lists with the compared pairs and the batches of votes.
    pub result: &'a PreferenceLists,
    /// True to add the alternative lists, the batches of votes and totals to the document.
    pub details: bool,
}

impl View for PreferenceListsView<'_> {
    /// Writes one row per compared pair, and one per item of each alternative list, that is, each
    /// possible result of the construction.
    fn write_csv(&self, writer: &mut dyn io::Write) -> io::Result<()> {
        let header = "kind,query,a,b,votes_a,votes_equal,votes_b,relation,agreement,batch,\
                      alternative,drawn,group";
        let lists = self.result.pairs.iter();
        let pairs = lists.flat_map(|(query, pairs)| {
            pairs.iter().map(move |pair| {
                let names = ["pair", query, &pair.a, &pair.b].map(Cell::from);
                let votes = pair.votes.map(Cell::from);
                let decision = [
                    pair.relation.name().into(),
                    pair.agreement.into(),
                    pair.batch.into(),
                ];
                let known = names.into_iter().chain(votes).chain(decision);
                Vec::from_iter(known.chain(repeat_n(Cell::missing(), 3)))
            })
        });
        write_csv_rows(
            header.split(','),
            pairs.chain(self.alternative_items()),
            writer,
        )
    }

    fn document(&self) -> Document {
        let mut table = Table::new([integer("Group"), text("Items")]);
        for (query, list) in self.sampled_lists() {
            push_groups(&mut table, query, &list);
        }
        let document = Document::new().table(table);
        if !self.details {
            return document;
        }
        document
            .tables(self.alternatives_tables())
            .table(batches_table(
                &self.result.batches,
                self.result.settings.currency,
            ))
            .note(self.totals_note())
    }
}

impl PreferenceListsView<'_> {
    /// Returns the list of each query. If the construction has several possible results, it is the
    /// one that was drawn at random.
    fn sampled_lists(&self) -> impl Iterator<Item = (&str, NamedGroups)> {
        let lists = self.result.truth.iter();
        lists.map(|(query, judged)| (query, judged.list().to_named_groups(judged.names())))
    }

    /// Returns the CSV rows of the items of all alternative lists, that is, of all possible results
    /// of the construction.
    fn alternative_items(&self) -> impl Iterator<Item = Vec<Cell>> {
        let queries = self.sampled_lists().zip(self.result.alternatives.iter());
        queries.flat_map(|((query, list), (_, alternatives))| {
            let numbered = (1_usize..).zip(alternatives);
            numbered.flat_map(move |(alternative, groups)| {
                let drawn = *groups == list;
                (1_usize..).zip(groups).flat_map(move |(group, items)| {
                    items.iter().map(move |item| {
                        let names = ["item", query, item].map(Cell::from).into_iter();
                        let place = [alternative.into(), drawn.into(), group.into()];
                        // The columns from `b` to `batch` are for pairs.
                        Vec::from_iter(names.chain(repeat_n(Cell::missing(), 7)).chain(place))
                    })
                })
            })
        })
    }

    /// Returns one table for each query with several alternative lists.
    fn alternatives_tables(&self) -> impl Iterator<Item = Table> {
        let queries = self.sampled_lists().zip(self.result.alternatives.iter());
        let several = queries.filter(|(_, (_, open))| open.len() > 1);
        several.map(|((query, list), (_, open))| {
            let mut table = Table::new([integer("Group"), text("Items")])
                .with_caption(format!("Query {query}: {} lists are open", open.len()));
            for (alternative, groups) in (1..).zip(open) {
                let drawn = if *groups == list { " (drawn)" } else { "" };
                push_groups(&mut table, &format!("List {alternative}{drawn}"), groups);
            }
            table
        })
    }

    /// Returns a sentence with the numbers of compared pairs (in total and by decided relation),
    /// answers and assessors, and the cost of all batches.
    fn totals_note(&self) -> String {
        let found = self.result;
        let counts = &found.decisions;
        let cost: f64 = found.batches.iter().filter_map(|batch| batch.cost).sum();
        let currency = found.settings.currency;
        let cost = found.settings.reward.map_or_else(String::new, |reward| {
            format!(
                "; {} in all, at {reward} and a fee per answer",
                money(cost, currency)
            )
        });
        format!(
            "{}: {} a closer, {} equal, {} b closer; {} by {}{cost}.",
            plural(counts.less + counts.equal + counts.greater, "pair"),
            counts.less,
            counts.equal,
            counts.greater,
            plural(found.answers, "answer"),
            plural(found.assessors, "assessor"),
        )
    }
}

/// Adds a list to a table, one row per group below a heading.
fn push_groups(table: &mut Table, heading: &str, groups: &NamedGroups) {
    table.push_heading(heading);
    for (group, items) in (1_usize..).zip(groups) {
        table.push([group.into(), items.join(", ").into()]);
    }
}

/// Returns the table of batches of votes.
fn batches_table(batches: &[BatchSummary], currency: Option<Currency>) -> Table {
    let is_priced = batches.iter().any(|batch| batch.cost.is_some());
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
        .add_if(is_priced, |columns| {
            columns.table_field(number(cost_heading(currency), 2), |batch| batch.cost)
        })
        .to_table(batches)
}

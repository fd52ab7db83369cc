//! How far lists, and systems that are scored by them, can be trusted.

use std::io;

use partita_core::truth::{
    Check, CheckedList, Estimated, ItemPlaces, ListPlaces, PairPlaces, Trust, TrustedList,
    TrustedSystem, TrustedSystems,
};
use partita_judging::{PreferenceCheck, TrustedRelation};

use super::check::of_query;
use super::inconsistencies::votes_in_words;
use crate::document::Document;
use crate::sheet::{Sheet, write_rows};
use crate::table::{Cell, Table, integer, number, right, text};

/// Numbers of a list, an item, a pair of items, a system or a pair of systems.
struct TrustRow<'a> {
    kind: &'static str,
    /// The query, and what the numbers are of.
    names: [&'a str; 3],
    /// The estimate and its interval.
    interval: [Option<f64>; 3],
    /// Before, in the same group, after; or less, equal, greater.
    shares: [Option<f64>; 3],
}

impl<'a> TrustRow<'a> {
    fn new(kind: &'static str, names: [&'a str; 3]) -> Self {
        let (interval, shares) = ([None; 3], [None; 3]);
        Self {
            kind,
            names,
            interval,
            shares,
        }
    }

    fn estimated(self, found: Option<Estimated>) -> Self {
        let interval = match found {
            Some(found) => [found.estimate, found.lower, found.upper].map(Some),
            None => [None; 3],
        };
        Self { interval, ..self }
    }

    fn shares(self, shares: [Option<f64>; 3]) -> Self {
        Self { shares, ..self }
    }
}

fn print(rows: &[TrustRow<'_>], place: &mut dyn io::Write) -> io::Result<()> {
    let names = ["kind", "query", "a", "b"].into_iter();
    let numbers = [
        "estimate",
        "lower",
        "upper",
        "before",
        "same_group",
        "after",
    ];
    let rows = rows.iter().map(|row| {
        let names = [row.kind].into_iter().chain(row.names).map(Cell::from);
        names.chain(row.interval.into_iter().chain(row.shares).map(Cell::from))
    });
    write_rows(names.chain(numbers), rows, place)
}

/// The rows of the items of a list, and of their pairs.
fn places<'a>(query: &'a str, places: &'a ListPlaces, rows: &mut Vec<TrustRow<'a>>) {
    rows.extend(places.items.iter().map(|item| TrustRow {
        interval: [Some(item.group), item.lower, item.upper].map(|group| group.map(|g| g as f64)),
        ..TrustRow::new("item", [query, &item.item, ""])
    }));
    rows.extend(places.pairs.iter().map(|pair| {
        let shares = [pair.before, pair.same_group, pair.after].map(Some);
        TrustRow::new("pair", [query, &pair.a, &pair.b]).shares(shares)
    }));
}

pub(super) fn csv_of(check: &Check, place: &mut dyn io::Write) -> io::Result<()> {
    let mut rows = Vec::new();
    for list in &check.lists {
        if let Some(trust) = &list.trust {
            let query = [list.query.as_str(), "", ""];
            rows.push(TrustRow::new("adr1", query).estimated(trust.adr1));
            rows.push(TrustRow::new("adr2", query).estimated(trust.adr2));
            places(&list.query, &trust.places, &mut rows);
        }
    }
    if let Some(trust) = &check.trust {
        rows.extend(trust.systems.iter().map(|system| TrustRow {
            interval: [system.adr, system.lower, system.upper],
            ..TrustRow::new("system", ["all", &system.system, ""])
        }));
        rows.extend(trust.pairs.iter().map(|pair| {
            TrustRow::new("systems", ["all", &pair.a, &pair.b])
                .estimated(pair.difference)
                .shares([pair.p_a_better, None, pair.p_b_better])
        }));
    }
    print(&rows, place)
}

pub(super) fn csv_of_answers(check: &PreferenceCheck, place: &mut dyn io::Write) -> io::Result<()> {
    let mut rows = Vec::new();
    for list in &check.lists {
        if let Some(trust) = &list.trust {
            places(&list.query, &trust.places, &mut rows);
            rows.extend(trust.relations.iter().map(|pair| {
                let shares = [pair.less, pair.equal, pair.greater].map(Some);
                TrustRow::new("relation", [&list.query, &pair.a, &pair.b]).shares(shares)
            }));
        }
    }
    print(&rows, place)
}

pub(super) fn document_of(check: &Check, trust: &Trust, pairs: bool) -> Document {
    let mut document = Document::new();
    for list in &check.lists {
        if let Some(trust) = &list.trust {
            document = document.table(of_query(items(&trust.places), &list.query));
            if pairs {
                document = document.table(of_query(all_pairs(&trust.places), &list.query));
            }
        }
    }
    let drawn = if trust.shared_assessors {
        "for all queries at once"
    } else {
        "for each query apart"
    };
    let (percent, replicates, seed) = (100.0 * trust.confidence, trust.replicates, trust.seed);
    let settings = format!(
        "{percent}% intervals by drawing the assessors again {replicates} times, {drawn}, seed \
         {seed}."
    );
    let of_list = |part: fn(&TrustedList) -> Option<Estimated>| {
        move |list: &CheckedList| list.trust.as_ref().and_then(part).map(with_interval)
    };
    let consistency = Sheet::<CheckedList>::new()
        .table_field(text("Query"), |list| list.query.clone())
        .table_field(right("ADR-1"), of_list(|trust| trust.adr1))
        .table_field(right("ADR-2"), of_list(|trust| trust.adr2));
    document = document
        .table(consistency.table(&check.lists))
        .note(&*settings);
    if trust.systems.is_empty() {
        return document;
    }
    let systems = Sheet::<TrustedSystem>::new()
        .table_field(text("System"), |system| system.system.clone())
        .table_field(right("ADR"), |system| {
            let ends = system.lower.zip(system.upper);
            let interval = system
                .adr
                .zip(ends)
                .map(|(estimate, (lower, upper))| Estimated {
                    estimate,
                    lower,
                    upper,
                });
            interval.map(with_interval)
        });
    document = document.table(systems.table(&trust.systems)).note(settings);
    if trust.pairs.is_empty() {
        return document;
    }
    let differences = Sheet::<TrustedSystems>::new()
        .table_field(text("a"), |pair| pair.a.clone())
        .table_field(text("b"), |pair| pair.b.clone())
        .table_field(right("ADR of a - b"), |pair| {
            pair.difference.map(with_interval)
        })
        .table_field(number("P(a better)", 3), |pair| pair.p_a_better);
    document.table(differences.table(&trust.pairs))
}

pub(super) fn document_of_answers(check: &PreferenceCheck, pairs: bool) -> Document {
    let mut document = Document::new();
    let Some(settings) = &check.trust else {
        return document;
    };
    for list in &check.lists {
        let Some(trust) = &list.trust else {
            continue;
        };
        let assumed = trust.assumed.map_or(String::new(), |share| {
            format!(
                "; {:.0}% of the pairs needed were not compared",
                100.0 * share
            )
        });
        document = document
            .table(of_query(items(&trust.places), &list.query))
            .note(format!(
                "{}% intervals for other people, by drawing the assessors again {} times, seed \
                 {}{assumed}.",
                100.0 * settings.confidence,
                settings.replicates,
                settings.seed
            ));
        if pairs {
            document = document.table(of_query(relations(&trust.relations), &list.query));
        }
    }
    document
}

/// The items of a list, with the groups in which they may stand, and where the next one would.
fn items(places: &ListPlaces) -> Table {
    let mut next = 0;
    let rows = places.items.iter().enumerate().map(|(place, item)| {
        // The pairs of an item begin with the one that comes next.
        let pair = places.pairs.get(next);
        next += places.items.len() - 1 - place;
        (item, pair.filter(|pair| pair.a == item.item))
    });
    let share = |part: fn(&PairPlaces) -> f64| {
        move |(_, next): &(&ItemPlaces, Option<&PairPlaces>)| Cell::from(next.map(part))
    };
    Sheet::<(&ItemPlaces, Option<&PairPlaces>)>::new()
        .table_field(integer("Group"), |(item, _)| item.group)
        .table_field(text("Item"), |(item, _)| item.item.clone())
        .table_field(right("Groups"), |(item, _)| {
            let both = item.lower.zip(item.upper);
            both.map(|(lower, upper)| format!("{lower} to {upper}"))
        })
        .table_field(number("P(before next)", 2), share(|next| next.before))
        .table_field(number("P(same group)", 2), share(|next| next.same_group))
        .table_field(number("P(after next)", 2), share(|next| next.after))
        .table(&rows.collect::<Vec<_>>())
}

fn all_pairs(places: &ListPlaces) -> Table {
    Sheet::<PairPlaces>::new()
        .table_field(text("a"), |pair| pair.a.clone())
        .table_field(text("b"), |pair| pair.b.clone())
        .table_field(number("P(a before b)", 3), |pair| pair.before)
        .table_field(number("P(same group)", 3), |pair| pair.same_group)
        .table_field(number("P(a after b)", 3), |pair| pair.after)
        .table(&places.pairs)
}

/// Every pair that was compared, with how other people would decide it.
fn relations(relations: &[TrustedRelation]) -> Table {
    Sheet::<TrustedRelation>::new()
        .table_field(text("a"), |pair| pair.a.clone())
        .table_field(text("b"), |pair| pair.b.clone())
        .table_field(right("Votes"), |pair| votes_in_words(pair.votes))
        .table_field(text("Decided"), |pair| pair.relation.name())
        .table_field(number("P(less)", 2), |pair| pair.less)
        .table_field(number("P(equal)", 2), |pair| pair.equal)
        .table_field(number("P(greater)", 2), |pair| pair.greater)
        .table(relations)
}

fn with_interval(found: Estimated) -> String {
    let (lower, upper) = (found.lower, found.upper);
    format!("{:.4} [{lower:.4}, {upper:.4}]", found.estimate)
}

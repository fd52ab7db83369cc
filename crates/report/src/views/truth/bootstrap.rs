//! Views of the bootstrap uncertainty of lists, and of systems scored by these lists.

use std::io;

use partita_core::evidence::CheckedList;
use partita_core::truth::{
    IntervalEstimate, ItemIntervals, ListPlacements, ListUncertainty, PairOrderShares,
    PanelBootstrap, RankTestDetail, SystemPairUncertainty, SystemUncertainty, TruthCheck,
};
use partita_judging::{
    PreferenceBootstrapSettings, PreferenceCheck, ProbabilitySource, RelationUncertainty,
};

use super::check::with_query_caption;
use super::inconsistencies::votes_label;
use crate::column_set::{ColumnSet, write_csv_rows};
use crate::document::Document;
use crate::phrases::relation_label;
use crate::table::{Cell, Table, integer, number, right, text};

/// Three optional numbers of a CSV row: an estimate with the ends of its interval, or three shares.
type EstimateTriple = [Option<f64>; 3];

/// Value for rows without an estimate and without shares.
const NO_NUMBERS: EstimateTriple = [None; 3];

/// Returns an estimate and the lower and upper end of its interval, or three empty values.
fn estimate_triple(found: Option<IntervalEstimate>) -> EstimateTriple {
    found.map_or(NO_NUMBERS, |found| {
        [Some(found.estimate), found.lower, found.upper]
    })
}

/// Returns the CSV row of a list, an item, a pair of items, a system or a pair of systems: its
/// kind, query and names, an estimate with its interval, and three shares (before, same group,
/// after; or less, equal, greater).
fn row(
    kind: &str,
    names: [&str; 3],
    interval: EstimateTriple,
    shares: EstimateTriple,
) -> Vec<Cell> {
    let names = [kind].into_iter().chain(names).map(Cell::from);
    let numbers = interval.into_iter().chain(shares).map(Cell::from);
    names.chain(numbers).collect()
}

fn write_csv(rows: Vec<Vec<Cell>>, writer: &mut dyn io::Write) -> io::Result<()> {
    let names = ["kind", "query", "a", "b"].into_iter();
    let numbers = [
        "estimate",
        "lower",
        "upper",
        "before",
        "same_group",
        "after",
    ];
    write_csv_rows(names.chain(numbers), rows, writer)
}

/// Returns the CSV rows of the items of a list, with the intervals of their groups and places, and
/// of their pairs, with the shares of bootstrap replicates by order of the pair.
fn placement_rows(query: &str, places: &ListPlacements) -> impl Iterator<Item = Vec<Cell>> {
    let items = places.items.iter().flat_map(move |item| {
        let groups = [Some(item.group), item.lower, item.upper];
        let groups = groups.map(|group| group.map(|group| group as f64));
        let places = [Some(item.place), item.place_lower, item.place_upper];
        let names = [query, &item.item, ""];
        [("item", groups), ("place", places)]
            .map(|(kind, interval)| row(kind, names, interval, NO_NUMBERS))
    });
    let pairs = places.pairs.iter().map(move |pair| {
        let shares = [pair.before, pair.same_group, pair.after].map(Some);
        row("pair", [query, &pair.a, &pair.b], NO_NUMBERS, shares)
    });
    items.chain(pairs)
}

/// Writes the CSV of the bootstrap of an audit by rankings.
pub(super) fn write_ranking_csv(check: &TruthCheck, writer: &mut dyn io::Write) -> io::Result<()> {
    let mut rows = Vec::new();
    for list in &check.lists {
        if let Some(trust) = &list.trust {
            let query = [list.query.as_str(), "", ""];
            rows.push(row("adr1", query, estimate_triple(trust.adr1), NO_NUMBERS));
            rows.push(row("adr2", query, estimate_triple(trust.adr2), NO_NUMBERS));
            rows.extend(placement_rows(&list.query, &trust.places));
        }
    }
    if let Some(trust) = &check.trust {
        rows.extend(trust.systems.iter().map(|system| {
            let interval = [system.adr, system.lower, system.upper];
            row("system", ["all", &system.system, ""], interval, NO_NUMBERS)
        }));
        rows.extend(trust.pairs.iter().map(|pair| {
            let shares = [pair.p_a_better, None, pair.p_b_better];
            row(
                "systems",
                ["all", &pair.a, &pair.b],
                estimate_triple(pair.difference),
                shares,
            )
        }));
    }
    write_csv(rows, writer)
}

/// Writes the CSV of the bootstrap of an audit by preferences.
pub(super) fn write_preference_csv(
    check: &PreferenceCheck,
    writer: &mut dyn io::Write,
) -> io::Result<()> {
    let mut rows = Vec::new();
    for list in &check.lists {
        if let Some(trust) = &list.trust {
            rows.extend(placement_rows(&list.query, &trust.places));
            let relations = trust.relations.iter();
            rows.extend(relations.flat_map(|pair| {
                let names = [list.query.as_str(), &pair.a, &pair.b];
                let odds = [pair.less, pair.equal, pair.greater];
                [
                    row("relation", names, NO_NUMBERS, odds.map(Some)),
                    row(
                        "relation_redrawn",
                        names,
                        NO_NUMBERS,
                        pair.bootstrap_shares.map(Some),
                    ),
                ]
            }));
        }
    }
    write_csv(rows, writer)
}

/// Returns the document of the bootstrap of an audit by rankings.
pub(super) fn ranking_document(
    check: &TruthCheck,
    trust: &PanelBootstrap,
    pairs: bool,
) -> Document {
    let (mut document, confidence) = (Document::new(), trust.confidence);
    for list in &check.lists {
        if let Some(trust) = &list.trust {
            let items = items_table(&trust.places, confidence);
            document = document.table(with_query_caption(items, &list.query));
            if pairs {
                document =
                    document.table(with_query_caption(pairs_table(&trust.places), &list.query));
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
    let of_list = |part: fn(&ListUncertainty) -> Option<IntervalEstimate>| {
        move |list: &CheckedList<RankTestDetail>| {
            estimate_text(estimate_triple(list.trust.as_ref().and_then(part)))
        }
    };
    let consistency = ColumnSet::<CheckedList<RankTestDetail>>::new()
        .table_field(text("Query"), |list| list.query.clone())
        .table_field(right("ADR-1"), of_list(|trust| trust.adr1))
        .table_field(right("ADR-2"), of_list(|trust| trust.adr2));
    let trusted = check.lists.iter().filter_map(|list| list.trust.as_ref());
    let mut places = trusted.map(|trust| &trust.places).peekable();
    if places.peek().is_some() {
        document = document
            .table(consistency.to_table(&check.lists))
            .note(&*settings)
            .note(shares_explanation(places));
    }
    if trust.systems.is_empty() {
        return document;
    }
    let systems = ColumnSet::<SystemUncertainty>::new()
        .table_field(text("System"), |system| system.system.clone())
        .table_field(right("ADR"), |system| {
            estimate_text([system.adr, system.lower, system.upper])
        });
    document = document
        .table(systems.to_table(&trust.systems))
        .note(settings);
    if trust.pairs.is_empty() {
        return document;
    }
    let differences = ColumnSet::<SystemPairUncertainty>::new()
        .table_field(text("a"), |pair| pair.a.clone())
        .table_field(text("b"), |pair| pair.b.clone())
        .table_field(right("ADR of a - b"), |pair| {
            estimate_text(estimate_triple(pair.difference))
        })
        .table_field(number("P(a better)", 3), |pair| pair.p_a_better);
    document.table(differences.to_table(&trust.pairs))
}

/// Returns the document of the bootstrap of an audit by preferences; `pairs` adds every pair of
/// items.
pub(super) fn preference_document(check: &PreferenceCheck, pairs: bool) -> Document {
    let mut document = Document::new();
    let Some(settings) = &check.trust else {
        return document;
    };
    for list in &check.lists {
        let Some(trust) = &list.trust else { continue };
        let assumed = trust.assumed.map(|share| 100.0 * share);
        let assumed = assumed.map(|s| format!("; {s:.0}% of the pairs needed were not compared"));
        let (percent, seed) = (100.0 * settings.confidence, settings.seed);
        let note = format!(
            "{percent}% intervals for other people, by drawing the assessors again {} times, seed \
             {seed}{}.",
            settings.replicates,
            assumed.unwrap_or_default()
        );
        document = document
            .table(with_query_caption(
                items_table(&trust.places, settings.confidence),
                &list.query,
            ))
            .note(note)
            .note(shares_explanation([&trust.places]));
        if pairs {
            document = document
                .table(with_query_caption(
                    relations_table(&trust.relations),
                    &list.query,
                ))
                .note(probabilities_explanation(settings, &trust.relations));
        }
    }
    document
}

/// Returns an explanation of the shares of bootstrap replicates in the table of items, and why
/// their sum can be below 1.
fn shares_explanation<'a>(lists: impl IntoIterator<Item = &'a ListPlacements>) -> String {
    let mut pairs = lists.into_iter().flat_map(|places| &places.pairs);
    let is_open = |pair: &PairOrderShares| pair.before + pair.same_group + pair.after < 1.0 - 1e-9;
    let rest = if pairs.any(is_open) {
        " They add up to less than 1 where one of the two is in no list, since nobody drawn ranked it."
    } else {
        ""
    };
    format!(
        "P: the shares of the lists drawn in which an item stands in an earlier group than the next, in \
         the same group, or in a later one.{rest}"
    )
}

/// Returns an explanation of the probabilities of the three relations of a pair.
fn probabilities_explanation(
    settings: &PreferenceBootstrapSettings,
    relations: &[RelationUncertainty],
) -> String {
    let spread = match settings.pair_spread {
        0.0 => "items lie on one scale".to_owned(),
        spread => {
            format!("pairs have something of their own, with a standard deviation of {spread}")
        }
    };
    let drawn = (relations.iter()).any(|pair| pair.method == ProbabilitySource::Bootstrap);
    let drawn = if drawn {
        " Of pairs with very many votes they are the shares when the assessors are drawn again."
    } else {
        ""
    };
    format!(
        "P: how likely as many other people decide a pair in this way, by a model of all votes on the \
         list ({spread}).{drawn}"
    )
}

/// Returns the table of the items of a list, each with the bootstrap intervals of its group and of
/// its place, and the shares of replicates in which it is before, tied with or after the next item.
fn items_table(places: &ListPlacements, confidence: f64) -> Table {
    let mut next = 0;
    let rows = places.items.iter().enumerate().map(|(place, item)| {
        // The pairs of an item start with the item that follows it.
        let pair = places.pairs.get(next);
        next += places.items.len() - 1 - place;
        (item, pair.filter(|pair| pair.a == item.item))
    });
    let share = |part: fn(&PairOrderShares) -> f64| {
        move |(_, next): &(&ItemIntervals, Option<&PairOrderShares>)| Cell::from(next.map(part))
    };
    ColumnSet::<(&ItemIntervals, Option<&PairOrderShares>)>::new()
        .table_field(integer("Group"), |(item, _)| item.group)
        .table_field(text("Item"), |(item, _)| item.item.clone())
        .table_field(
            right(format!("{}% groups", 100.0 * confidence)),
            |(item, _)| {
                let both = item.lower.zip(item.upper);
                both.map(|(lower, upper)| format!("{lower} to {upper}"))
            },
        )
        .table_field(
            right(format!("{}% places", 100.0 * confidence)),
            |(item, _)| {
                let both = item.place_lower.zip(item.place_upper);
                both.map(|(lower, upper)| format!("{lower} to {upper}"))
            },
        )
        .table_field(number("P(before next)", 2), share(|next| next.before))
        .table_field(number("P(same group)", 2), share(|next| next.same_group))
        .table_field(number("P(after next)", 2), share(|next| next.after))
        .to_table(rows)
}

/// Returns the table of the shares of replicates in which one item of a pair is before, tied with
/// or after the other.
fn pairs_table(places: &ListPlacements) -> Table {
    ColumnSet::<PairOrderShares>::new()
        .table_field(text("a"), |pair| pair.a.clone())
        .table_field(text("b"), |pair| pair.b.clone())
        .table_field(number("P(a before b)", 3), |pair| pair.before)
        .table_field(number("P(same group)", 3), |pair| pair.same_group)
        .table_field(number("P(a after b)", 3), |pair| pair.after)
        .to_table(&places.pairs)
}

/// Returns the table of compared pairs with the probabilities of the decisions of a new panel of
/// assessors.
fn relations_table(relations: &[RelationUncertainty]) -> Table {
    ColumnSet::<RelationUncertainty>::new()
        .table_field(text("a"), |pair| pair.a.clone())
        .table_field(text("b"), |pair| pair.b.clone())
        .table_field(right("Votes"), |pair| votes_label(pair.votes))
        .table_field(text("Decided"), |pair| relation_label(pair.relation))
        .table_field(number("P(a closer)", 2), |pair| pair.less)
        .table_field(number("P(equal)", 2), |pair| pair.equal)
        .table_field(number("P(b closer)", 2), |pair| pair.greater)
        .to_table(relations)
}

/// Formats an estimate with its interval, if it has one.
fn estimate_text([estimate, lower, upper]: EstimateTriple) -> Option<String> {
    let estimate = estimate?;
    Some(match lower.zip(upper) {
        Some((lower, upper)) => format!("{estimate:.4} [{lower:.4}, {upper:.4}]"),
        None => format!("{estimate:.4}"),
    })
}

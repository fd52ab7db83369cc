//! Builds a ground truth from the rankings of several assessors, and audits it.
//!
//! `cargo run -p partita --example list_from_rankings`

#![allow(clippy::print_stdout, reason = "a program that prints its result")]

use std::error::Error;

use partita::report::{RankingListsView, TableFormat, TruthCheckView, View};
use partita::truth::{
    Aggregation, Alpha, BuildOptions, IntransitiveTriples, Recipe, Tails, TruthCheckRequest, build,
    check,
};
use partita::work::SequentialWork;
use partita::{AssessorRankings, formats};

/// Orders of five incipits by similarity to the query, one per assessor. Fay left one item
/// unranked.
const ORDERS: [(&str, &str); 7] = [
    ("ann", "a b c d e"),
    ("bob", "b a d c e"),
    ("cid", "a b d c e"),
    ("dee", "b a c d e"),
    ("eve", "a b d c e"),
    ("fay", "b a c d"),
    ("gus", "b a e c d"),
];

fn main() -> Result<(), Box<dyn Error>> {
    let ranks = ORDERS.iter().flat_map(|(person, order)| {
        let places = (1..).zip(order.split(' '));
        places.map(|(place, item)| (*person, item, Some(f64::from(place))))
    });
    let rankings = AssessorRankings::new(ranks)?;
    let queries = [("The query", &rankings)];

    // An item starts a new group if a one-tailed test finds it different from any item of the group
    // before.
    let recipe = Recipe {
        aggregation: Aggregation::Any1,
        alpha: Alpha::TYPKE,
        ..Recipe::default()
    };
    let settings = BuildOptions {
        recipe,
        ..BuildOptions::default()
    };
    let built = build(&queries, &settings, true, &SequentialWork)?;
    let view = RankingListsView {
        result: &built,
        details: true,
    };
    println!("{}", view.render(TableFormat::Text));

    // Prints the same list in another format.
    println!(
        "{}",
        formats::truth::write(&built.truth, "groups".parse()?)?
    );

    let request = TruthCheckRequest {
        queries: &queries,
        truth: Some(("the list above", &built.truth)),
        recipe,
        alpha: Alpha::TYPKE,
        tails: Tails::One,
        max_triples: IntransitiveTriples::MAX_LISTED,
        bootstrap: None,
    };
    let audit = check(&request, &SequentialWork)?;
    print!(
        "{}",
        TruthCheckView::from_rankings(&audit, true).render(TableFormat::Text)
    );
    Ok(())
}

//! Makes a ground truth of several people's rankings, and audits it.
//!
//! `cargo run -p partita --example list_from_rankings`

#![allow(clippy::print_stdout, reason = "a program that prints its result")]

use std::error::Error;

use partita::report::{BuiltListsView, CheckView, Present, TableFormat};
use partita::truth::{
    Aggregation, Alpha, BuildSettings, CheckRequest, Contradictions, Recipe, Tails, build, check,
};
use partita::work::InTurn;
use partita::{Rankings, formats};

/// How seven people order five incipits by their likeness to the query. Fay left one out.
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
    let rankings = Rankings::new(ranks)?;
    let queries = [("The query", &rankings)];

    // An item opens a group where it differs from any item of the one before, by a one-tailed test.
    let recipe = Recipe {
        aggregation: Aggregation::Any1,
        alpha: Alpha::TYPKE,
        ..Recipe::default()
    };
    let settings = BuildSettings {
        recipe,
        ..BuildSettings::default()
    };
    let built = build(&queries, &settings, true, &InTurn)?;
    let view = BuiltListsView {
        result: &built,
        details: true,
    };
    println!("{}", view.in_format(TableFormat::Text));

    // The same list, as others would like to read it.
    println!(
        "{}",
        formats::truth::write(&built.truth, "groups".parse()?)?
    );

    let request = CheckRequest {
        queries: &queries,
        truth: Some(("the list above", &built.truth)),
        recipe,
        alpha: Alpha::TYPKE,
        tails: Tails::One,
        triples: Contradictions::LISTED,
        trust: None,
    };
    let audit = check(&request, &InTurn)?;
    print!(
        "{}",
        CheckView::by_rankings(&audit, true).in_format(TableFormat::Text)
    );
    Ok(())
}

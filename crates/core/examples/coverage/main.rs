//! How often the intervals of `truth` hold what they are meant to hold.
//!
//! People are simulated, so that the truth is known: it is the mean over thousands of fresh panels
//! of the same size. Each trial draws one panel, computes the intervals from it alone, and looks.
//! The trials, and what is drawn in them, are the same in every run.
//!
//! `cargo run --release -p partita-core --example coverage -- LAW TRIALS REPLICATES [SCENARIO...]`
//!
//! LAW is that of the tests that make the lists: `normal`, or `exact`, which takes ten times as
//! long. The truth is by the same law. What is measured is how well resampling tells of panels,
//! and that hardly depends on it.

#![allow(clippy::print_stdout, clippy::unwrap_used)]

mod trials;
mod world;

use partita_core::truth::NullDistribution;
use trials::{Coverage, Tally, Truth};
use world::{SCENARIOS, World};

/// How many panels the truth is the mean of.
const PANELS: u64 = 4000;

/// The coverage of all together, of each, and the shares of intervals above and below the truth.
fn shown(tallies: &[Tally]) -> String {
    let [held, above, below] = Tally::pooled(tallies).percent();
    let each: Vec<String> = tallies
        .iter()
        .map(|tally| format!("{:.1}", tally.percent()[0]))
        .collect();
    let each = each.join(" ");
    format!("{held:.1} ({each}; above {above:.1}, below {below:.1})")
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let law = match arguments.next().as_deref() {
        Some("normal") => NullDistribution::Normal,
        Some("exact") => NullDistribution::Auto,
        other => panic!("normal or exact, not {other:?}"),
    };
    let numbers: Vec<u64> = arguments.map(|a| a.parse().unwrap()).collect();
    let (trials, replicates, wanted) = (numbers[0], numbers[1], &numbers[2..]);
    println!("{trials} trials of {replicates} replicates; coverage of 95% intervals in percent");
    for (number, scenario) in (0..).zip(SCENARIOS) {
        if !wanted.is_empty() && !wanted.contains(&number) {
            continue;
        }
        let world = World::new(scenario, law);
        let truth = Truth::of(&world, PANELS);
        let mut found = Coverage::default();
        for trial in 0..trials {
            found.add_scores(&world, &truth, trial, replicates);
            found.add_list(&world, &truth, trial, replicates);
        }
        println!(
            "{number}. {} ({}): {} items, {} assessors, {} queries",
            scenario.name,
            scenario.aggregation,
            scenario.items,
            scenario.assessors,
            scenario.queries
        );
        println!("   ADR                {}", shown(&found.scores));
        println!("   difference         {}", shown(&found.differences));
        println!("   ADR-1, ADR-2       {}", shown(&found.consistency));
        println!("   usual group        {}", shown(&[found.usual_group]));
        println!("   next panel's group {}", shown(&[found.next_group]));
    }
}

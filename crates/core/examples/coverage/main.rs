//! Coverage of the confidence intervals of `truth`, measured by simulation.
//!
//! Assessors are simulated, so that the true value of every quantity is known: its mean over
//! thousands of panels of the same size. Each trial draws one panel, computes the intervals from it
//! alone, and checks whether they contain the true value. The random draws are the same in every
//! run.
//!
//! `cargo run --release -p partita-core --example coverage -- DISTRIBUTION TRIALS REPLICATES
//! [SCENARIO...]`
//!
//! DISTRIBUTION is the null distribution of the tests that build the lists: `normal`, or `exact`,
//! which takes ten times as long. The true values use the same one. Coverage shows how well
//! resampling represents new panels, which hardly depends on the null distribution.

#![allow(clippy::print_stdout, clippy::unwrap_used)]

mod trials;
mod world;

use partita_core::truth::NullDistribution;
use trials::{Coverage, Tally, Truth};
use world::{SCENARIOS, World};

/// Number of simulated panels over which the true values are averaged.
const PANELS: u64 = 4000;

/// Formats the coverage of all tallies together and of each tally, and the percentages of intervals
/// above and below the true value.
fn format_coverage(tallies: &[Tally]) -> String {
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
    let null_distribution = match arguments.next().as_deref() {
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
        let world = World::new(scenario, null_distribution);
        let truth = Truth::estimate(&world, PANELS);
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
        println!("   ADR                {}", format_coverage(&found.scores));
        println!(
            "   difference         {}",
            format_coverage(&found.differences)
        );
        println!(
            "   ADR-1, ADR-2       {}",
            format_coverage(&found.consistency)
        );
        println!(
            "   usual group        {}",
            format_coverage(&[found.usual_group])
        );
        println!(
            "   next panel's group {}",
            format_coverage(&[found.next_group])
        );
    }
}

//! Short version of `examples/coverage`, so that tests detect intervals with wrong coverage.

#[path = "../../examples/coverage/trials.rs"]
#[expect(dead_code, reason = "only the example evaluates intervals of lists")]
mod trials;
#[path = "../../examples/coverage/world.rs"]
#[expect(dead_code, reason = "only the example prints the names of scenarios")]
mod world;

use partita_core::truth::NullDistribution;
use trials::{Coverage, Tally, Truth};
use world::{SCENARIOS, World};

#[test]
fn intervals_of_scores_and_differences_have_about_their_nominal_coverage() {
    // Panels of 8 assessors, whose bootstrap replicates have the largest bias.
    let world = World::new(SCENARIOS[2], NullDistribution::Normal);
    let truth = Truth::estimate(&world, 300);
    let mut found = Coverage::default();
    for trial in 0..40 {
        found.add_scores(&world, &truth, trial, 30);
    }
    for tallies in [&found.scores[..], &found.differences] {
        let [held, above, below] = Tally::pooled(tallies).percent();
        // 40 trials can tell a coverage of 95% from 88%, but not from 93%. A coverage of 100% means
        // that the intervals are too wide.
        assert!((88.0..99.9).contains(&held), "{held} {above} {below}");
    }
}

//! A small part of `examples/coverage`, so that a broken interval does not pass unseen.

#[path = "../../examples/coverage/trials.rs"]
#[expect(dead_code, reason = "what is said of lists is left to the example")]
mod trials;
#[path = "../../examples/coverage/world.rs"]
#[expect(dead_code, reason = "so is the printing of names")]
mod world;

use partita_core::truth::NullDistribution;
use trials::{Coverage, Tally, Truth};
use world::{SCENARIOS, World};

#[test]
fn intervals_of_scores_and_differences_hold_the_truth_about_as_often_as_they_say() {
    // Panels of 8, whose replicates are biased most.
    let world = World::new(SCENARIOS[2], NullDistribution::Normal);
    let truth = Truth::of(&world, 300);
    let mut found = Coverage::default();
    for trial in 0..40 {
        found.add_scores(&world, &truth, trial, 30);
    }
    for tallies in [&found.scores[..], &found.differences] {
        let [held, above, below] = Tally::pooled(tallies).percent();
        // 40 trials tell 95% from 88%, not from 93%. Intervals that never miss are too wide.
        assert!((88.0..99.9).contains(&held), "{held} {above} {below}");
    }
}

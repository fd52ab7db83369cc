//! Verdicts on pairs.

use partita_core::truth::*;
use partita_stats::mann_whitney::{Method, mann_whitney};

#[test]
fn a_test_may_reject_against_the_direction_of_u() {
    let a = [1.0, 3.0];
    let b: Vec<f64> = std::iter::once(1.0).chain([2.0; 40]).collect();
    let u = mann_whitney(&a, &b, Method::Auto).unwrap().u;
    assert!(u > (a.len() * b.len()) as f64 / 2.0);
    let verdict = Verdict::of(&a, &b, Alpha::TYPKE, Law::Auto);
    assert!(verdict.less && verdict.two_sided && !verdict.greater);
}

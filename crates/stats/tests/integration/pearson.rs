//! Tests of Pearson's correlation.

use partita_stats::correlation::pearson::*;
use partita_stats::distribution::student_t;
use proptest::prelude::*;

#[test]
fn invalid_samples_are_refused() {
    assert!(pearson(&[1.0], &[1.0]).is_err());
    assert!(pearson(&[1.0, 2.0], &[1.0]).is_err());
    assert!(pearson(&[1.0, f64::NAN], &[1.0, 2.0]).is_err());
}

#[test]
fn points_on_a_line_have_r_of_one_and_p_near_zero() {
    let found = pearson(&[1.0, 2.0, 3.0], &[10.0, 20.0, 30.0])
        .unwrap()
        .unwrap();
    assert!((found.r - 1.0).abs() < 1e-15 && found.p.two_sided < 1e-7);
    let two = pearson(&[1.0, 2.0], &[3.0, 1.0]).unwrap().unwrap();
    assert_eq!((two.r.round(), two.p.two_sided), (-1.0, 1.0));
}

#[test]
fn p_value_matches_a_correlation_of_urbano_2010() {
    // Urbano et al. (2010): r = -0.749 over 11 queries, p = .0080.
    let t = -0.749 * (9.0f64 / (1.0 - 0.749 * 0.749)).sqrt();
    assert!((student_t::two_sided(t, 9.0).unwrap() - 0.0080).abs() < 5e-5);
}

proptest! {
    #[test]
    fn scaling_and_shifting_change_at_most_the_sign_of_r(
        pairs in proptest::collection::vec((-9.0..9.0f64, -9.0..9.0f64), 3..20),
        scale in prop_oneof![-1e6..-1e-6f64, 1e-6..1e6f64],
    ) {
        let (x, y): (Vec<f64>, Vec<f64>) = pairs.into_iter().unzip();
        let moved: Vec<f64> = x.iter().map(|x| (x + 3.0) * scale).collect();
        let r = pearson(&x, &y).unwrap().unwrap().r;
        let other = pearson(&moved, &y).unwrap().unwrap().r;
        prop_assert!((r * scale.signum() - other).abs() < 1e-9);
        prop_assert!((pearson(&y, &x).unwrap().unwrap().r - r).abs() < 1e-15);
    }
}

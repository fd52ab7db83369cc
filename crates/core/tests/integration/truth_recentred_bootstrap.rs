//! Recentred bootstrap intervals.

use partita_core::truth::*;

/// Degrees of freedom at which the widening by Student's t is negligible.
const MANY: usize = 1 << 40;

#[test]
fn replicates_are_recentred_and_scaled() {
    let replicates: Vec<f64> = (0..=100).map(f64::from).collect();
    // The variance of 0..=100 is 858.5. Each nested pair of replicates estimates twice that
    // variance, so intervals shrink by √½.
    let again = vec![[0.0, (4.0f64 * 858.5).sqrt()]; 50];
    let found = RecentredBootstrap::new(10.0, &replicates, &again, MANY).unwrap();
    let interval = found.interval(0.5, (-1e9, 1e9));
    assert!((interval.lower + interval.upper - 20.0).abs() < 1e-9);
    let plain = RecentredBootstrap::new(10.0, &replicates, &[], MANY)
        .unwrap()
        .interval(0.5, (-1e9, 1e9));
    let ratio = (interval.upper - interval.lower) / (plain.upper - plain.lower);
    assert!((ratio - 0.5f64.sqrt()).abs() < 1e-9, "{ratio}");
    assert!((plain.upper - plain.lower - 51.0).abs() < 1e-9);
}

#[test]
fn a_zero_difference_is_positive_with_probability_one_half() {
    let zero = RecentredBootstrap::new(0.0, &[0.0; 9], &[[0.0; 2]; 9], MANY).unwrap();
    assert_eq!(zero.probability_positive(), 0.5);
    let positive = RecentredBootstrap::new(1.0, &[0.5, 0.7], &[], MANY).unwrap();
    assert_eq!(positive.probability_positive(), 1.0);
    assert_eq!(RecentredBootstrap::new(f64::NAN, &[0.5], &[], MANY), None);
    assert_eq!(RecentredBootstrap::new(0.5, &[f64::NAN], &[], MANY), None);
}

#[test]
fn intervals_are_clamped_to_the_limits() {
    let interval = RecentredBootstrap::new(0.99, &[0.5, 0.9], &[], MANY)
        .unwrap()
        .interval(0.95, (0.0, 1.0));
    assert_eq!(interval.upper, 1.0);
}

#[test]
fn constant_replicates_have_an_interval_of_width_zero() {
    for freedom in [0, 1, 9] {
        let found = RecentredBootstrap::new(0.7, &[0.7; 50], &[[0.7; 2]; 50], freedom).unwrap();
        let interval = found.interval(0.95, (0.0, 1.0));
        assert!((interval.lower - 0.7).abs() < 1e-12 && (interval.upper - 0.7).abs() < 1e-12);
    }
}

#[test]
fn the_probability_of_a_sign_agrees_with_the_intervals() {
    let skewed: Vec<f64> = (1..200).map(|i| (f64::from(i) / 200.0).powi(3)).collect();
    for estimate in [-0.6, -0.1, 0.0, 0.2, 0.35, 0.45, 0.6] {
        let found = RecentredBootstrap::new(estimate, &skewed, &[], 8).unwrap();
        for confidence in [0.5, 0.8, 0.9, 0.95, 0.98] {
            let interval = found.interval(confidence, (-1.0, 1.0));
            let tail = 0.5 * (1.0 - confidence);
            // Tolerance: a probability is known to about one in 199 replicates.
            if interval.lower > 0.0 {
                assert!(found.probability_positive() > 1.0 - tail - 0.006);
            } else if interval.upper < 0.0 {
                assert!(found.probability_positive() < tail + 0.006);
            } else {
                assert!((tail - 0.006..=1.006 - tail).contains(&found.probability_positive()));
            }
        }
    }
}

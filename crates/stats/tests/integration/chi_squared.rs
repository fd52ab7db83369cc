//! The chi-squared law.

use partita_stats::distribution::chi_squared::*;
use proptest::prelude::*;

#[test]
fn printed_critical_values_have_their_level() {
    // Table of Fisher and Yates, to its printed accuracy.
    for (x, df, p) in [
        (3.841, 1.0, 0.05),
        (16.812, 6.0, 0.01),
        (67.505, 50.0, 0.05),
    ] {
        assert!((sf(x, df).unwrap() - p).abs() < 3e-5);
    }
}

#[test]
fn wrong_arguments_are_refused() {
    assert!(sf(f64::NAN, 1.0).is_err());
    assert!(sf(1.0, 0.0).is_err());
    assert!(sf(1.0, f64::INFINITY).is_err());
}

proptest! {
    #[test]
    fn the_square_of_a_normal_deviate_has_one_degree_of_freedom(z in 0.01..8.0f64) {
        let expected = partita_stats::distribution::normal::two_sided(z);
        prop_assert!((sf(z * z, 1.0).unwrap() / expected - 1.0).abs() < 2e-14);
    }

    #[test]
    fn both_tails_sum_to_one(x in 0.0..300.0f64, df in 0.1..200.0f64) {
        prop_assert!((sf(x, df).unwrap() + cdf(x, df).unwrap() - 1.0).abs() < 1e-15);
    }
}

#[test]
fn half_lies_below_twice_the_logarithm_of_2() -> Result<(), Box<dyn std::error::Error>> {
    let half = partita_stats::distribution::chi_squared::cdf(2.0 * 2f64.ln(), 2.0)?;
    assert!((half - 0.5).abs() < 1e-15);
    Ok(())
}

//! Tests of the chi-squared distribution.

use partita_stats::distribution::chi_squared::*;
use proptest::prelude::*;

#[test]
fn tails_at_printed_critical_values_match_their_level() {
    // (x, df, P(X > x)) from the table of Fisher and Yates, accurate to its printed digits.
    for (x, df, p) in [
        (3.841, 1.0, 0.05),
        (16.812, 6.0, 0.01),
        (67.505, 50.0, 0.05),
    ] {
        assert!((sf(x, df).unwrap() - p).abs() < 3e-5);
    }
}

#[test]
fn invalid_arguments_are_refused() {
    assert!(sf(f64::NAN, 1.0).is_err());
    assert!(sf(1.0, 0.0).is_err());
    assert!(sf(1.0, f64::INFINITY).is_err());
}

proptest! {
    #[test]
    fn squared_normal_deviate_is_chi_squared_with_1_df(z in 0.01..8.0f64) {
        let expected = partita_stats::distribution::normal::two_sided(z);
        prop_assert!((sf(z * z, 1.0).unwrap() / expected - 1.0).abs() < 2e-14);
    }

    #[test]
    fn both_tails_sum_to_one(x in 0.0..300.0f64, df in 0.1..200.0f64) {
        prop_assert!((sf(x, df).unwrap() + cdf(x, df).unwrap() - 1.0).abs() < 1e-15);
    }
}

#[test]
fn median_with_2_df_is_twice_the_logarithm_of_2() -> Result<(), Box<dyn std::error::Error>> {
    let half = partita_stats::distribution::chi_squared::cdf(2.0 * 2f64.ln(), 2.0)?;
    assert!((half - 0.5).abs() < 1e-15);
    Ok(())
}

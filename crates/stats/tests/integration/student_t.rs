//! Tests of Student's t distribution.

use partita_stats::distribution::normal;
use partita_stats::distribution::student_t::*;
use proptest::prelude::*;

/// (t, df, P(T > t)): forty-digit values of mpmath 1.3.
const TAILS: [(f64, f64, f64); 8] = [
    (0.3, 1.0, 0.40722642092225764),
    (2.5, 4.0, 0.03338327240599407),
    (12.0, 2.5, 0.001418107515039162),
    (1.96, 30.0, 0.02967115644802524),
    (6.0, 99.0, 1.6229580561727695e-8),
    (0.01, 10.0, 0.4961089874954857),
    (3.0, 1000.0, 0.0013833545221190963),
    (2.0, 100000.0, 0.022751481728753232),
];

#[test]
fn tails_match_forty_digit_values() {
    for (t, df, expected) in TAILS {
        let error = (sf(t, df).unwrap() / expected - 1.0).abs();
        assert!(error < 2e-14, "sf({t}, {df}) is off by {error:e}");
    }
}

#[test]
fn quantiles_match_forty_digit_values() {
    for (t, df, tail) in TAILS {
        // The quantile at `tail` is -t. The quantile at 1 - tail would lose digits of a small tail.
        let error = (quantile(tail, df).unwrap() / -t - 1.0).abs();
        assert!(error < 1e-12, "quantile({tail}, {df}) is off by {error:e}");
    }
    assert_eq!(quantile(0.5, 3.0).unwrap(), 0.0);
    let normal = normal::quantile(0.975).unwrap();
    assert!((quantile(0.975, f64::INFINITY).unwrap() - normal).abs() < 1e-14);
    assert!(quantile(0.0, 3.0).is_err());
    assert!(quantile(1.0, 3.0).is_err());
    assert!(quantile(0.3, -1.0).is_err());
}

#[test]
fn infinite_arguments_give_limits_and_invalid_ones_are_refused() {
    assert_eq!(sf(f64::INFINITY, 3.0).unwrap(), 0.0);
    assert_eq!(cdf(f64::NEG_INFINITY, 3.0).unwrap(), 0.0);
    assert_eq!(sf(1.5, f64::INFINITY).unwrap(), normal::sf(1.5));
    assert!(sf(f64::NAN, 3.0).is_err());
    assert!(sf(1.0, 0.0).is_err());
    assert!(sf(1.0, f64::NAN).is_err());
}

proptest! {
    #[test]
    fn distribution_is_symmetric(t in -50.0..50.0f64, df in 0.1..200.0f64) {
        prop_assert_eq!(sf(t, df).unwrap(), cdf(-t, df).unwrap());
    }

    #[test]
    fn more_degrees_of_freedom_mean_a_lighter_tail(t in 0.5..8.0f64, df in 0.5..100.0f64) {
        prop_assert!(sf(t, df).unwrap() > sf(t, df * 1.5).unwrap());
    }
}

#[test]
fn quantile_at_0_975_with_10_df_matches_its_reference_value()
-> Result<(), Box<dyn std::error::Error>> {
    let t = partita_stats::distribution::student_t::quantile(0.975, 10.0)?;
    assert!((t - 2.228_138_851_986_275).abs() < 1e-13);
    Ok(())
}

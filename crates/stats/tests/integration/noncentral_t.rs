//! Tests of the noncentral t distribution.

use partita_stats::distribution::noncentral_t::*;
use partita_stats::distribution::normal;
use partita_stats::distribution::student_t;
use proptest::prelude::*;

#[test]
fn tails_match_thirty_digit_values() {
    for (t, df, delta, expected) in TAILS {
        let found = sf(t, df, delta).unwrap();
        let error = (found - expected).abs();
        assert!(error < 1e-13, "sf({t}, {df}, {delta}) is off by {error:e}");
        assert!((found / expected - 1.0).abs() < 1e-10, "{found} {expected}");
        assert!((cdf(t, df, delta).unwrap() + found - 1.0).abs() < 1e-13);
    }
}

#[test]
fn infinite_arguments_give_limits_and_invalid_ones_are_refused() {
    assert_eq!(sf(f64::INFINITY, 3.0, 1.0).unwrap(), 0.0);
    assert_eq!(cdf(f64::NEG_INFINITY, 3.0, 1.0).unwrap(), 0.0);
    assert_eq!(sf(1.5, f64::INFINITY, 0.5).unwrap(), normal::sf(1.0));
    assert!((sf(1.5, 1e12, 0.5).unwrap() - normal::sf(1.0)).abs() < 1e-11);
    assert!(sf(f64::NAN, 3.0, 0.0).is_err());
    assert!(sf(1.0, 0.0, 0.0).is_err());
    assert!(sf(1.0, 3.0, f64::INFINITY).is_err());
}

proptest! {
    #[test]
    fn noncentrality_of_zero_gives_student_t(t in -40.0..40.0f64, df in 0.3..3000.0f64) {
        let expected = student_t::sf(t, df).unwrap();
        prop_assert!((sf(t, df, 0.0).unwrap() - expected).abs() < 1e-12);
    }

    #[test]
    fn tail_at_zero_is_the_normal_cdf_of_the_noncentrality(
        df in 0.3..3000.0f64, delta in -8.0..8.0f64,
    ) {
        prop_assert!((sf(0.0, df, delta).unwrap() - normal::cdf(delta)).abs() < 1e-13);
    }

    #[test]
    fn upper_tail_increases_with_the_noncentrality(
        t in -5.0..20.0f64, df in 0.5..300.0f64, delta in -5.0..20.0f64,
    ) {
        let (near, far) = (sf(t, df, delta).unwrap(), sf(t, df, delta + 0.3).unwrap());
        // Two tails within rounding error of 0 or 1 may be in any order.
        prop_assert!(far > near || (near > 1.0 - 1e-12 || far < 1e-12));
    }
}

/// (t, df, delta, P(T > t)), integrated with thirty digits and other split points in mpmath 1.3;
/// scipy.stats.nct of SciPy 1.17 agrees to 1e-14.
const TAILS: [(f64, f64, f64, f64); 12] = [
    (2.0, 9.0, 1.0, 0.19585598174440963),
    (0.5, 1.0, 0.0, 0.35241638234956674),
    (3.0, 2.5, 1.5, 0.23073998868972115),
    (-1.0, 5.0, 0.7, 0.943041952634213),
    (1.984, 99.0, 2.8, 0.7918891499026975),
    (2.0, 49.0, 10.0, 0.9999999999999978),
    (30.0, 4.0, 12.0, 0.042696009976633996),
    (1.96, 5000.0, 3.24, 0.8997014378299519),
    (12.0, 3.0, 0.5, 0.0014849356541571336),
    (0.0, 7.0, 1.3, 0.9031995154143897),
    (2.2, 10.0, -2.0, 8.065780630579932e-5),
    (1.0, 0.7, 0.4, 0.4011609237793426),
];

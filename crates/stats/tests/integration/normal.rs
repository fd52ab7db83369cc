//! Tests of the normal distribution.

use partita_stats::distribution::normal::*;
use proptest::prelude::*;

/// (x, P(Z > x)): forty-digit values of mpmath 1.3.
const TAILS: [(f64, f64); 8] = [
    (0.1, 0.460172162722971),
    (0.5, 0.3085375387259869),
    (1.5, 0.06680720126885807),
    (3.0, 0.0013498980316300946),
    (6.3, 1.4882282217623127e-10),
    (12.7, 2.95648536485205e-37),
    (25.1, 2.4866601882523463e-139),
    (37.3, 8.205494844930773e-305),
];
/// (p, x with P(Z <= x) = p): forty-digit values.
const QUANTILES: [(f64, f64); 11] = [
    (1e-300, -37.0470962993612),
    (1e-20, -9.262340089798407),
    (1e-5, -4.264890793922825),
    (0.01, -2.326347874040841),
    (0.2, -0.8416212335729142),
    (0.3, -0.5244005127080408),
    (0.4999, -0.00025066283008800747),
    (0.6, 0.2533471031357997),
    (0.75, 0.6744897501960817),
    (0.9, 1.2815515655446006),
    (0.999, 3.090232306167813),
];

#[test]
fn tails_match_forty_digit_values() {
    for (x, expected) in TAILS {
        let error = (sf(x) / expected - 1.0).abs();
        assert!(error < 1.5e-15, "sf({x}) is off by {error:e}");
    }
}

#[test]
fn quantiles_match_forty_digit_values() {
    for (p, expected) in QUANTILES {
        let error = (quantile(p).unwrap() / expected - 1.0).abs();
        assert!(error < 2e-15, "quantile({p}) is off by {error:e}");
    }
}

#[test]
fn quantile_refuses_a_level_outside_0_to_1() {
    for p in [0.0, 1.0, -0.5, f64::NAN] {
        assert!(quantile(p).is_err());
    }
}

proptest! {
    #[test]
    fn cdf_inverts_the_quantile(p in 1e-12..0.999_999f64) {
        let back = cdf(quantile(p).unwrap());
        prop_assert!((back / p - 1.0).abs() < 4e-15, "{p} came back as {back}");
    }

    #[test]
    fn the_two_tails_sum_to_one(x in -40.0..40.0f64) {
        prop_assert!((cdf(x) + sf(x) - 1.0).abs() < 3e-16);
    }
}

#[test]
fn quantile_is_antisymmetric_about_one_half() -> Result<(), Box<dyn std::error::Error>> {
    use partita_stats::distribution::normal::quantile;

    assert_eq!(quantile(0.5)?, 0.0);
    assert_eq!(quantile(0.1)?, -quantile(0.9)?);
    assert!(quantile(1.0).is_err());
    Ok(())
}

#[test]
fn two_sided_p_value_of_0_is_1() {
    assert_eq!(partita_stats::distribution::normal::two_sided(0.0), 1.0);
}

#[test]
fn upper_tail_at_10_has_full_relative_accuracy() {
    let tail = partita_stats::distribution::normal::sf(10.0);
    assert!((tail / 7.619853024160527e-24 - 1.0).abs() < 1e-14);
}

#[test]
fn lower_tail_at_minus_1_matches_its_reference_value() {
    assert!((partita_stats::distribution::normal::cdf(-1.0) - 0.15865525393145707).abs() < 1e-16);
}

#[test]
fn the_density_at_0_is_one_over_the_root_of_two_pi() {
    assert!((partita_stats::distribution::normal::density(0.0) - 0.3989422804014327).abs() < 1e-16);
}

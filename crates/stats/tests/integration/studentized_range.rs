//! Tests of the studentized range distribution, partly against values of other software.

use crate::fixture::{Case, assert_close, load};
use partita_stats::distribution::studentized_range::{cdf, quantile, sf};

/// Returns the number of groups k and the degrees of freedom of a case, in which a negative number
/// stands for infinitely many.
fn groups_and_df(case: &Case) -> (usize, f64) {
    let df = case.number("df");
    let df = if df < 0.0 { f64::INFINITY } else { df };
    (case.number("k") as usize, df)
}

#[test]
fn tails_with_infinite_df_match_reference_values() {
    for case in load("studentized_range").cases("inf") {
        let (k, df) = groups_and_df(&case);
        let q = case.number("q");
        assert_close(cdf(q, k, df).unwrap(), case.number("cdf"), 1e-13, &case);
        let tail = case.number("sf");
        let found = sf(q, k, df).unwrap();
        assert_close(found, tail, 1e-13, &case);
        if tail >= 1e-12 {
            assert_close(found / tail, 1.0, 1e-9, &case);
        }
    }
}

#[test]
fn cdf_with_finite_df_matches_reference_values() {
    for case in load("studentized_range").cases("finite_df") {
        let (k, df) = groups_and_df(&case);
        let found = cdf(case.number("q"), k, df).unwrap();
        assert_close(found, case.number("cdf"), 1e-11, &case);
        // R's approximation is accurate to 1e-4.
        assert_close(found, case.number("cdf_R"), 1e-4, &case);
    }
}

#[test]
fn quantiles_match_reference_values() {
    for case in load("studentized_range").cases("quantile_inf") {
        let (k, df) = groups_and_df(&case);
        assert_close(
            quantile(case.number("p"), k, df).unwrap(),
            case.number("q"),
            1e-10,
            &case,
        );
    }
}

#[test]
fn cdf_at_quantiles_of_r_is_near_their_level() {
    for case in load("studentized_range").cases("quantile_R") {
        let (k, df) = groups_and_df(&case);
        let found = cdf(case.number("q"), k, df).unwrap();
        // With few degrees of freedom R is inaccurate: for 12 groups, 2 degrees of freedom and
        // level .99 it gives 37.53, the table of Harter (1960) 33.40.
        let tolerance = if (0.0..5.0).contains(&df) { 5e-3 } else { 1e-4 };
        assert_close(found, case.number("p"), tolerance, &case);
    }
}

use proptest::prelude::*;

#[test]
fn invalid_arguments_are_refused() {
    assert!(sf(f64::NAN, 3, 10.0).is_err());
    assert!(sf(3.0, 1, 10.0).is_err());
    assert!(sf(3.0, 3, 0.0).is_err());
    assert!(sf(3.0, 3, f64::NAN).is_err());
    assert!(quantile(1.0, 3, 10.0).is_err());
}

#[test]
fn quantiles_match_the_table_of_harter() {
    // Harter (1960): quantiles for 2 to 10 groups, at .99 with 2 degrees of freedom and at .95 with
    // 10 degrees of freedom.
    let on_2_degrees_01 = [
        14.04, 19.02, 22.29, 24.72, 26.63, 28.20, 29.53, 30.68, 31.69,
    ];
    let on_10_degrees_05 = [
        3.151, 3.877, 4.327, 4.654, 4.912, 5.124, 5.304, 5.460, 5.598,
    ];
    for (k, (far, near)) in (2..).zip(on_2_degrees_01.into_iter().zip(on_10_degrees_05)) {
        assert!((quantile(0.99, k, 2.0).unwrap() - far).abs() < 6e-3, "{k}");
        assert!(
            (quantile(0.95, k, 10.0).unwrap() - near).abs() < 1.1e-3,
            "{k}"
        );
    }
}

#[test]
fn tails_at_extreme_arguments_are_0_or_1() {
    for df in [1.0, 3.5, 20.0, 300.0, f64::INFINITY] {
        assert_eq!(sf(0.0, 5, df).unwrap(), 1.0);
        assert_eq!(sf(-1.0, 5, df).unwrap(), 1.0);
        assert_eq!(sf(f64::INFINITY, 5, df).unwrap(), 0.0);
        assert!(sf(1e300, 5, df).unwrap() < 1e-200 || df < 2.0);
        assert!(sf(1e-300, 5, df).unwrap() > 1.0 - 1e-12);
        let many = sf(5.0, usize::MAX, df).unwrap();
        assert!((0.0..=1.0).contains(&many));
    }
}

#[test]
fn tail_converges_to_that_with_infinite_df() {
    let limit = sf(3.5, 6, f64::INFINITY).unwrap();
    let mut distance = f64::INFINITY;
    for df in [10.0, 49.0, 51.0, 1e3, 1e5, 1e7, 1e9] {
        let now = (sf(3.5, 6, df).unwrap() - limit).abs();
        assert!(now < distance, "at {df}");
        distance = now;
    }
    assert!(distance < 2e-9);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn cdf_inverts_the_quantile(p in 0.01..0.999f64, k in 2..30usize, df in 1..80u32) {
        for df in [f64::from(df), f64::INFINITY] {
            let q = quantile(p, k, df).unwrap();
            prop_assert!((cdf(q, k, df).unwrap() - p).abs() < 1e-11);
        }
    }

    #[test]
    fn tail_decreases_with_q_and_increases_with_k(
        q in 0.1..12.0f64, k in 2..40usize, df in 1.0..90.0f64,
    ) {
        for df in [df, df.round(), f64::INFINITY] {
            let here = sf(q, k, df).unwrap();
            prop_assert!((0.0..=1.0).contains(&here));
            prop_assert!(sf(q * 1.1, k, df).unwrap() <= here + 1e-12);
            prop_assert!(sf(q, k + 1, df).unwrap() >= here - 1e-12);
        }
    }
}

#[test]
fn quantile_for_four_groups_matches_its_reference_value() -> Result<(), Box<dyn std::error::Error>>
{
    let q = partita_stats::distribution::studentized_range::quantile(0.95, 4, f64::INFINITY)?;
    assert!((q - 3.633159574902629).abs() < 1e-11);
    Ok(())
}

#[test]
fn cdf_at_the_tabled_quantile_for_three_groups_is_0_95() -> Result<(), Box<dyn std::error::Error>> {
    let p = partita_stats::distribution::studentized_range::cdf(3.314493, 3, f64::INFINITY)?;
    assert!((p - 0.95).abs() < 1e-6);
    Ok(())
}

#[test]
fn tail_for_two_groups_follows_from_student_t() {
    // For two groups the studentized range is √2 |t|.
    for df in [1.0, 2.0, 2.5, 4.0, 9.0, 30.0, 51.0, 200.0, 1e4, 1e7] {
        for t in [0.1, 0.7, 2.0, 4.0, 6.0] {
            let expected = partita_stats::distribution::student_t::two_sided(t, df).unwrap();
            let found = sf(t * core::f64::consts::SQRT_2, 2, df).unwrap();
            let error = (found - expected).abs();
            assert!(error < 1e-11, "{df} {t}: off by {error:e}");
            assert!(expected < 1e-12 || error < 1e-10 * expected, "{df} {t}");
        }
    }
}

#[test]
fn range_of_two_normal_deviates_is_their_absolute_difference() {
    for w in [0.01, 0.3, 1.0, 3.0, 8.0, 20.0, 30.0] {
        let expected =
            partita_stats::distribution::normal::two_sided(w * core::f64::consts::FRAC_1_SQRT_2);
        assert!(
            (sf(w, 2, f64::INFINITY).unwrap() / expected - 1.0).abs() < 1e-13,
            "at {w}"
        );
    }
}

//! Tests of the Mann-Whitney test.

use partita_stats::mann_whitney::*;
use partita_stats::{PValues, StatsError};
use proptest::prelude::*;

#[test]
fn exact_and_normal_p_values_agree_for_hundreds_of_values() {
    let x: Vec<f64> = (0..150).map(|i| f64::from(i * 7 % 40)).collect();
    let y: Vec<f64> = (0..160).map(|i| f64::from(i * 11 % 43)).collect();
    let exact = mann_whitney(&x, &y, MannWhitneyMethod::ExactConditional).unwrap();
    let auto = mann_whitney(&x, &y, MannWhitneyMethod::Auto).unwrap();
    assert_eq!(auto.method, MannWhitneyMethod::Normal);
    assert!((exact.p.less - auto.p.less).abs() < 1e-3);
}

#[test]
fn exact_p_of_large_samples_of_two_values_is_hypergeometric() {
    // 600 zeros and 600 ones; x has 280 of the zeros and 320 of the ones.
    let x: Vec<f64> = (0..600).map(|i| f64::from(u8::from(i < 320))).collect();
    let y: Vec<f64> = (0..600).map(|i| f64::from(u8::from(i < 280))).collect();
    let test = mann_whitney(&x, &y, MannWhitneyMethod::ExactConditional).unwrap();
    let ln_choose =
        |n: f64, k: f64| libm::lgamma(n + 1.0) - libm::lgamma(k + 1.0) - libm::lgamma(n - k + 1.0);
    let greater: f64 = (320..=600)
        .map(|k| {
            let k = f64::from(k);
            libm::exp(ln_choose(600.0, k) + ln_choose(600.0, 600.0 - k) - ln_choose(1200.0, 600.0))
        })
        .sum();
    assert!((test.p.greater / greater - 1.0).abs() < 1e-9);
}

#[test]
fn too_large_exact_distribution_is_refused() {
    let x: Vec<f64> = (0..5000).map(f64::from).collect();
    let error = mann_whitney(&x, &x, MannWhitneyMethod::ExactConditional).unwrap_err();
    assert!(
        matches!(error, StatsError::ExactTableTooLarge { .. }),
        "{error}"
    );
}

#[test]
fn equal_values_give_p_values_of_one() {
    for method in [MannWhitneyMethod::Auto, MannWhitneyMethod::Normal] {
        let test = mann_whitney(&[2.0; 4], &[2.0; 3], method).unwrap();
        assert_eq!(test.p, PValues::NO_EVIDENCE);
        assert_eq!(test.u, 6.0);
    }
}

#[test]
fn invalid_samples_are_refused() {
    assert!(mann_whitney(&[], &[1.0], MannWhitneyMethod::Auto).is_err());
    assert!(mann_whitney(&[1.0], &[], MannWhitneyMethod::Auto).is_err());
    assert!(mann_whitney(&[f64::NAN], &[1.0], MannWhitneyMethod::Auto).is_err());
    let error = mann_whitney(&[1.0, 2.0], &[2.0], MannWhitneyMethod::ExactUntied).unwrap_err();
    assert_eq!(
        error.to_string(),
        "x and y together: expected all values distinct, found 2 at least twice; use the exact conditional distribution"
    );
}

fn random_sample() -> impl Strategy<Value = Vec<f64>> {
    proptest::collection::vec((0..15u8).prop_map(f64::from), 1..15)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn swapping_the_samples_swaps_the_one_sided_p_values(
        x in random_sample(),
        y in random_sample(),
    ) {
        for method in [MannWhitneyMethod::ExactConditional, MannWhitneyMethod::Normal] {
            let one = mann_whitney(&x, &y, method).unwrap();
            let other = mann_whitney(&y, &x, method).unwrap();
            prop_assert_eq!(one.u + other.u, (x.len() * y.len()) as f64);
            prop_assert!((one.p.less - other.p.greater).abs() < 1e-15);
            prop_assert!((one.p.two_sided - other.p.two_sided).abs() < 1e-15);
        }
    }

    #[test]
    fn increasing_maps_of_all_values_do_not_change_the_result(
        x in random_sample(),
        y in random_sample(),
    ) {
        let map = |v: &Vec<f64>| v.iter().map(|a| (a * 0.3).exp() - 2.0).collect::<Vec<_>>();
        prop_assert_eq!(
            mann_whitney(&x, &y, MannWhitneyMethod::Auto).unwrap(),
            mann_whitney(&map(&x), &map(&y), MannWhitneyMethod::Auto).unwrap()
        );
    }

    #[test]
    fn p_values_are_probabilities_and_both_tails_sum_to_at_least_one(
        x in random_sample(),
        y in random_sample(),
    ) {
        let test = mann_whitney(&x, &y, MannWhitneyMethod::Auto).unwrap();
        for p in [test.p.less, test.p.greater, test.p.two_sided] {
            prop_assert!(p > 0.0 && p <= 1.0);
        }
        prop_assert!(test.p.less + test.p.greater >= 1.0 - 1e-15);
    }
}

#[test]
fn exact_p_of_separated_samples_of_three_is_one_in_20() -> Result<(), Box<dyn std::error::Error>> {
    use partita_stats::mann_whitney::{MannWhitneyMethod, mann_whitney};

    // All of x is below all of y, as in only one of the C(6, 3) = 20 choices of x.
    let test = mann_whitney(
        &[1.0, 2.0, 3.0],
        &[4.0, 5.0, 6.0],
        MannWhitneyMethod::ExactUntied,
    )?;
    assert_eq!((test.u, test.p.less, test.p.two_sided), (0.0, 0.05, 0.1));
    Ok(())
}

//! Tests of the randomisation test of paired differences.

use partita_stats::differences::{Differences, Rounding};
use partita_stats::random::stream;
use partita_stats::randomization::*;
use proptest::prelude::*;

#[test]
fn sum_of_zero_up_to_rounding_error_gives_p_of_one() {
    let noisy = [0.3, -0.2, -0.1];
    let test = randomization_test(&noisy, 1, &mut stream(1, &[])).unwrap();
    assert_eq!(test.p.two_sided, 1.0);
    // Without rounding, a tie with the observed sum may be missed.
    let p = |rounding| {
        // The observed sum is 1. Reversing the first three signs also gives 1, up to rounding.
        let d = Differences::from_differences(&[0.1, 0.2, -0.3, 1.0], rounding).unwrap();
        let test = test_differences(&d, 1, &mut stream(1, &[]));
        test.unwrap().p.greater
    };
    assert_eq!(
        (p(Rounding::Relative), p(Rounding::None)),
        (5.0 / 16.0, 4.0 / 16.0)
    );
}

#[test]
fn p_values_do_not_depend_on_the_scale_of_the_data() {
    let d = [0.5, 0.3, -0.1, 0.2, 0.4];
    let p = |size: f64| {
        let d = d.map(|d| d * size);
        randomization_test(&d, 1, &mut stream(1, &[])).unwrap().p
    };
    for size in [1e-250, 1e-30, 1e-10, 1.0, 1e10, 1e250] {
        assert_eq!(p(size), p(1.0), "{size}");
    }
}

#[test]
fn p_values_of_darwins_data_match_fisher_1935() {
    // Fisher (1935, section 21): differences of 15 pairs of plants, in
    // eighths of an inch; 863 patterns in each tail.
    let darwin = [
        49.0, -67.0, 8.0, 16.0, 6.0, 23.0, 28.0, 41.0, 14.0, 29.0, 56.0, 24.0, 75.0, 60.0, -48.0,
    ];
    let test = randomization_test(&darwin, 1, &mut stream(1, &[])).unwrap();
    assert_eq!(test.p.two_sided, 1726.0 / 32768.0);
    assert_eq!(test.p.greater, 863.0 / 32768.0);
}

#[test]
fn invalid_samples_are_refused_and_huge_values_are_not() {
    let rng = &mut stream(1, &[]);
    assert!(randomization_test(&[], 10, rng).is_err());
    assert!(randomization_test(&[f64::NAN], 10, rng).is_err());
    assert!(randomization_test(&[1.0; 21], 0, rng).is_err());
    let huge = randomization_test(&[1e308, 1e308, -1e308], 10, rng).unwrap();
    assert_eq!(huge.p.greater, 0.5);
}

proptest! {
    #[test]
    fn exact_p_values_match_enumeration_of_all_sign_patterns(
        d in proptest::collection::vec(-6..7i32, 1..9),
    ) {
        let differences: Vec<f64> = d.iter().map(|&d| f64::from(d)).collect();
        let test = randomization_test(&differences, 1, &mut stream(1, &[])).unwrap();
        let observed: i32 = d.iter().sum();
        let sums: Vec<i32> = (0u32..1 << d.len())
            .map(|signs| d.iter().enumerate().map(|(i, d)| if signs >> i & 1 == 1 { *d } else { -d }).sum())
            .collect();
        let share = |keep: &dyn Fn(&i32) -> bool| sums.iter().filter(|s| keep(s)).count() as f64 / sums.len() as f64;
        prop_assert_eq!(test.p.greater, share(&|s| *s >= observed));
        prop_assert_eq!(test.p.less, share(&|s| *s <= observed));
        prop_assert_eq!(test.p.two_sided, share(&|s| s.abs() >= observed.abs()));
    }
}

//! Tests of paired differences and their rounding.

use partita_stats::differences::*;
use proptest::prelude::*;

fn rounded_differences(x: &[f64], y: &[f64]) -> Vec<f64> {
    Differences::from_pairs(x, y, Rounding::Relative)
        .unwrap()
        .rounded()
}

#[test]
fn unequal_lengths_and_non_finite_values_are_refused() {
    let of = |x: &[f64], y: &[f64]| Differences::from_pairs(x, y, Rounding::Relative);
    assert!(of(&[1.0], &[]).is_err());
    assert!(of(&[f64::NAN], &[1.0]).is_err());
    assert!(of(&[1.0], &[f64::INFINITY]).is_err());
    assert!(of(&[1.7e308], &[-1.7e308]).is_err());
    assert!(Differences::from_differences(&[f64::NAN], Rounding::None).is_err());
}

#[test]
fn rounding_keeps_small_differences_and_removes_rounding_error() {
    let small: Vec<f64> = (1..=6).map(|i| 1e-10 * f64::from(i)).collect();
    let found = Differences::from_differences(&small, Rounding::Relative).unwrap();
    assert_eq!(found.ties_from_rounding(), 0);
    // Scores near 0.5 that differ in the tenth digit.
    let x: Vec<f64> = (1..=6).map(|i| 0.5 + 1e-10 * f64::from(i)).collect();
    let found = Differences::from_pairs(&x, &[0.5; 6], Rounding::Relative).unwrap();
    assert_eq!(found.ties_from_rounding(), 0);
    // Scores of about 100 whose differences are equal up to rounding error.
    assert_eq!(
        rounded_differences(&[100.3, 70.1], &[100.2, 70.0]),
        [0.1, 0.1]
    );
}

#[test]
fn ties_from_rounding_counts_values_made_equal_to_another_or_to_zero() {
    let ties = |d: &[f64], rounding| {
        Differences::from_differences(d, rounding)
            .unwrap()
            .ties_from_rounding()
    };
    let noisy = [0.1, -(0.3 - 0.2), 0.3 - 0.2 - 0.1, 0.5];
    assert_eq!(ties(&noisy, Rounding::Relative), 2);
    assert_eq!(ties(&noisy, Rounding::None), 0);
    // Ties of the unrounded differences are not counted.
    assert_eq!(ties(&[0.5, 0.5, 0.0, -0.5], Rounding::Relative), 0);
    let (rows, rounded_ties) = Rounding::Relative.round_rows(&[[0.3, 0.1 + 0.2], [0.5, 0.7]]);
    assert_eq!((rows[0][1], rounded_ties), (0.3, 1));
}

#[test]
fn mean_test_differences_are_unrounded_unless_rounding_makes_them_equal() {
    let given = |d: &[f64]| Differences::from_differences(d, Rounding::Relative).unwrap();
    let noise = given(&[0.1, 0.3 - 0.2, 0.9 - 0.8]);
    assert_eq!(noise.for_mean_test(), [0.1; 3]);
    let spread = [0.1, 0.3 - 0.2, 0.9];
    assert_eq!(given(&spread).for_mean_test(), spread);
    let exact = Differences::from_differences(noise.exact(), Rounding::None).unwrap();
    assert_eq!(exact.for_mean_test(), noise.exact());
}

#[test]
fn tiny_differences_stay_unchanged_and_huge_ones_stay_finite() {
    for d in [[0.0, -0.0], [1e-300, 3e-300]] {
        let found = Differences::from_differences(&d, Rounding::Relative).unwrap();
        assert_eq!(found.rounded(), d);
        assert_eq!(found.for_mean_test(), d);
    }
    let huge = Differences::from_differences(&[1e300, -1e300, 3e299], Rounding::Relative).unwrap();
    assert_eq!(huge.ties_from_rounding(), 0);
    assert!(huge.rounded().iter().all(|d| d.is_finite()));
}

proptest! {
    #[test]
    fn equal_differences_of_decimals_are_equal_after_rounding(
        a in 0..10_000i32,
        b in 0..10_000i32,
        shift in 0..1000i32,
        size in -6..7i32,
    ) {
        let decimal = |n: i32| f64::from(n) / 10_000.0 * 10f64.powi(size);
        let x = [decimal(a), decimal(a + shift)];
        let y = [decimal(b), decimal(b + shift)];
        let d = rounded_differences(&x, &y);
        prop_assert_eq!(d[0], d[1]);
    }

    #[test]
    fn rounding_moves_a_value_by_at_most_half_a_unit(
        value in -1.0..1.0f64,
        size in -30..31i32,
    ) {
        let scale = 10f64.powi(size);
        let value = value * scale;
        let found = Rounding::Relative.round_all(&[value], scale)[0];
        let most = 0.5 * quantum_for_scale(scale) + value.abs() * 4e-16;
        prop_assert!((found - value).abs() <= most, "{} {}", found, value);
    }

    #[test]
    fn rounding_twice_equals_rounding_once(d in proptest::collection::vec(-1e3..1e3f64, 1..9)) {
        let once = Differences::from_differences(&d, Rounding::Relative).unwrap().rounded();
        let twice = Differences::from_differences(&once, Rounding::Relative).unwrap();
        prop_assert_eq!(twice.ties_from_rounding(), 0);
        prop_assert_eq!(twice.rounded(), once);
    }
}

#[test]
fn rounding_unit_follows_the_size_of_the_data() {
    use partita_stats::differences::quantum_for_scale;

    assert_eq!(quantum_for_scale(0.86), 1e-12);
    assert_eq!(quantum_for_scale(100.0), 1e-10);
    assert_eq!(quantum_for_scale(6e-10), 1e-21);
}

#[test]
fn numbers_with_binary_error_are_rounded_to_their_decimal() {
    use partita_stats::differences::Rounding;

    assert_eq!(Rounding::Relative.round_all(&[0.1 + 0.2], 1.0), [0.3]);
    assert_eq!(Rounding::None.round_all(&[0.1 + 0.2], 1.0), [0.1 + 0.2]);
}

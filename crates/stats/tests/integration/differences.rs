//! Differences and their rounding.

use partita_stats::differences::*;
use proptest::prelude::*;

fn ranked(x: &[f64], y: &[f64]) -> Vec<f64> {
    Differences::from_pairs(x, y, Rounding::Relative)
        .unwrap()
        .rounded()
}

#[test]
fn unequal_lengths_and_nan_are_refused() {
    let of = |x: &[f64], y: &[f64]| Differences::from_pairs(x, y, Rounding::Relative);
    assert!(of(&[1.0], &[]).is_err());
    assert!(of(&[f64::NAN], &[1.0]).is_err());
    assert!(of(&[1.0], &[f64::INFINITY]).is_err());
    assert!(of(&[1.7e308], &[-1.7e308]).is_err());
    assert!(Differences::from_differences(&[f64::NAN], Rounding::None).is_err());
}

#[test]
fn small_data_keep_their_ranks_and_large_ones_lose_their_noise() {
    let small: Vec<f64> = (1..=6).map(|i| 1e-10 * f64::from(i)).collect();
    let found = Differences::from_differences(&small, Rounding::Relative).unwrap();
    assert_eq!(found.ties_from_rounding(), 0);
    // Scores near a half that differ in the tenth digit.
    let x: Vec<f64> = (1..=6).map(|i| 0.5 + 1e-10 * f64::from(i)).collect();
    let found = Differences::from_pairs(&x, &[0.5; 6], Rounding::Relative).unwrap();
    assert_eq!(found.ties_from_rounding(), 0);
    // Scores in hundreds whose differences are equal but for noise.
    assert_eq!(ranked(&[100.3, 70.1], &[100.2, 70.0]), [0.1, 0.1]);
}

#[test]
fn ties_made_counts_what_became_equal_to_another_one_or_to_zero() {
    let ties = |d: &[f64], rounding| {
        Differences::from_differences(d, rounding)
            .unwrap()
            .ties_from_rounding()
    };
    let noisy = [0.1, -(0.3 - 0.2), 0.3 - 0.2 - 0.1, 0.5];
    assert_eq!(ties(&noisy, Rounding::Relative), 2);
    assert_eq!(ties(&noisy, Rounding::None), 0);
    // Ties that were there before were not made.
    assert_eq!(ties(&[0.5, 0.5, 0.0, -0.5], Rounding::Relative), 0);
    let (rows, made) = Rounding::Relative.round_rows(&[[0.3, 0.1 + 0.2], [0.5, 0.7]]);
    assert_eq!((rows[0][1], made), (0.3, 1));
}

#[test]
fn a_mean_is_of_the_differences_as_they_are_unless_only_noise_tells_them_apart() {
    let given = |d: &[f64]| Differences::from_differences(d, Rounding::Relative).unwrap();
    let noise = given(&[0.1, 0.3 - 0.2, 0.9 - 0.8]);
    assert_eq!(noise.for_mean_test(), [0.1; 3]);
    let spread = [0.1, 0.3 - 0.2, 0.9];
    assert_eq!(given(&spread).for_mean_test(), spread);
    let exact = Differences::from_differences(noise.exact(), Rounding::None).unwrap();
    assert_eq!(exact.for_mean_test(), noise.exact());
}

#[test]
fn what_cannot_be_rounded_stays_as_it_is() {
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
    fn differences_of_equal_decimals_are_equal(
        a in 0..10_000i32,
        b in 0..10_000i32,
        shift in 0..1000i32,
        size in -6..7i32,
    ) {
        let decimal = |n: i32| f64::from(n) / 10_000.0 * 10f64.powi(size);
        let d = ranked(&[decimal(a), decimal(a + shift)], &[decimal(b), decimal(b + shift)]);
        prop_assert_eq!(d[0], d[1]);
    }

    #[test]
    fn rounding_moves_a_value_by_at_most_half_a_quantum(
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
    fn rounding_twice_is_rounding_once(d in proptest::collection::vec(-1e3..1e3f64, 1..9)) {
        let once = Differences::from_differences(&d, Rounding::Relative).unwrap().rounded();
        let twice = Differences::from_differences(&once, Rounding::Relative).unwrap();
        prop_assert_eq!(twice.ties_from_rounding(), 0);
        prop_assert_eq!(twice.rounded(), once);
    }
}

#[test]
fn the_quantum_follows_the_size_of_the_data() {
    use partita_stats::differences::quantum_for_scale;

    assert_eq!(quantum_for_scale(0.86), 1e-12);
    assert_eq!(quantum_for_scale(100.0), 1e-10);
    assert_eq!(quantum_for_scale(6e-10), 1e-21);
}

#[test]
fn numbers_equal_but_for_binary_fractions_are_rounded_together() {
    use partita_stats::differences::Rounding;

    assert_eq!(Rounding::Relative.round_all(&[0.1 + 0.2], 1.0), [0.3]);
    assert_eq!(Rounding::None.round_all(&[0.1 + 0.2], 1.0), [0.1 + 0.2]);
}

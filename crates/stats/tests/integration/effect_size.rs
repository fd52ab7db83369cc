//! Tests of effect sizes.

use partita_stats::effect_size::*;
use proptest::prelude::*;

#[test]
fn invalid_samples_are_refused() {
    assert!(a12(&[], &[1.0]).is_err());
    assert!(a12(&[f64::NAN], &[1.0]).is_err());
    assert!(cohens_d_paired(&[1.0, f64::INFINITY]).is_err());
}

#[test]
fn cohens_d_of_constant_differences_is_undefined() {
    assert_eq!(cohens_d_paired(&[1.0, 1.0]).unwrap(), None);
}

#[test]
fn a12_of_equal_values_is_one_half() {
    assert_eq!(a12(&[1.0], &[1.0]).unwrap(), 0.5);
}

proptest! {
    #[test]
    fn a12_of_swapped_samples_is_the_complement(
        x in proptest::collection::vec(0..9i32, 2..15),
        y in proptest::collection::vec(0..9i32, 2..15),
    ) {
        let x: Vec<f64> = x.into_iter().map(f64::from).collect();
        let y: Vec<f64> = y.into_iter().map(f64::from).collect();
        prop_assert!((a12(&x, &y).unwrap() + a12(&y, &x).unwrap() - 1.0).abs() < 1e-15);
    }
}

//! Effect sizes.

use partita_stats::effect_size::*;
use proptest::prelude::*;

#[test]
fn wrong_samples_are_refused() {
    assert!(a12(&[], &[1.0]).is_err());
    assert!(a12(&[f64::NAN], &[1.0]).is_err());
    assert!(cohens_d_paired(&[1.0, f64::INFINITY]).is_err());
}

#[test]
fn differences_that_do_not_vary_have_no_d() {
    assert_eq!(cohens_d_paired(&[1.0, 1.0]).unwrap(), None);
}

#[test]
fn equal_values_have_an_a12_of_a_half() {
    assert_eq!(a12(&[1.0], &[1.0]).unwrap(), 0.5);
}

proptest! {
    #[test]
    fn the_sizes_of_the_swapped_pair_are_opposite(
        x in proptest::collection::vec(0..9i32, 2..15),
        y in proptest::collection::vec(0..9i32, 2..15),
    ) {
        let x: Vec<f64> = x.into_iter().map(f64::from).collect();
        let y: Vec<f64> = y.into_iter().map(f64::from).collect();
        prop_assert!((a12(&x, &y).unwrap() + a12(&y, &x).unwrap() - 1.0).abs() < 1e-15);
    }
}

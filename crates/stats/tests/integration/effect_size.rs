//! Effect sizes.

use partita_stats::effect_size::*;
use proptest::prelude::*;

#[test]
fn wrong_samples_are_refused() {
    assert!(a12(&[], &[1.0]).is_err());
    assert!(cliffs_delta(&[f64::NAN], &[1.0]).is_err());
    assert!(cohens_d(&[1.0], &[1.0, 2.0]).is_err());
    assert!(cohens_d_paired(&[1.0, f64::INFINITY]).is_err());
    assert_eq!(cohens_d_paired(&[1.0, 1.0]).unwrap(), None);
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
        prop_assert_eq!(cliffs_delta(&x, &y).unwrap(), -cliffs_delta(&y, &x).unwrap());
        let d = cliffs_delta(&x, &y).unwrap();
        prop_assert!((2.0 * a12(&x, &y).unwrap() - 1.0 - d).abs() < 1e-15);
        let (one, other) = (cohens_d(&x, &y).unwrap(), cohens_d(&y, &x).unwrap());
        prop_assert_eq!(one, other.map(|d| -d));
    }
}

#[test]
fn the_paired_d_of_1_2_3_is_2() -> Result<(), Box<dyn std::error::Error>> {
    let d = partita_stats::effect_size::cohens_d_paired(&[1.0, 2.0, 3.0])?;
    assert_eq!(d, Some(2.0));
    Ok(())
}

#[test]
fn samples_that_do_not_vary_have_no_d() -> Result<(), Box<dyn std::error::Error>> {
    assert_eq!(
        partita_stats::effect_size::cohens_d(&[1.0, 1.0], &[2.0, 2.0])?,
        None
    );
    Ok(())
}

#[test]
fn a_value_above_has_a_delta_of_1() -> Result<(), Box<dyn std::error::Error>> {
    assert_eq!(
        partita_stats::effect_size::cliffs_delta(&[2.0], &[1.0])?,
        1.0
    );
    Ok(())
}

#[test]
fn equal_values_have_an_a12_of_a_half() -> Result<(), Box<dyn std::error::Error>> {
    assert_eq!(partita_stats::effect_size::a12(&[1.0], &[1.0])?, 0.5);
    Ok(())
}

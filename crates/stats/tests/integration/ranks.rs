//! Tests of midranks and ties.

use partita_stats::ranks::*;
use proptest::prelude::*;

#[test]
fn negative_zero_ties_with_zero() {
    assert_eq!(midranks(&[0.0, -0.0, 1.0]).unwrap(), [1.5, 1.5, 3.0]);
}

#[test]
fn nan_is_refused_and_infinity_ranked() {
    assert!(midranks(&[f64::NAN]).is_err());
    assert!(tie_sum(&[f64::NAN]).is_err());
    assert_eq!(
        midranks(&[f64::INFINITY, 0.0, f64::NEG_INFINITY]).unwrap(),
        [3.0, 2.0, 1.0]
    );
}

proptest! {
    #[test]
    fn midranks_sum_to_half_n_times_n_plus_one(values in proptest::collection::vec(0..9i32, 0..40)) {
        let values: Vec<f64> = values.into_iter().map(f64::from).collect();
        let n = values.len() as f64;
        prop_assert_eq!(midranks(&values).unwrap().iter().sum::<f64>(), n * (n + 1.0) / 2.0);
    }

    #[test]
    fn midranks_match_the_counts_of_lower_and_equal_values(
        values in proptest::collection::vec(0..9i32, 1..30),
    ) {
        let values: Vec<f64> = values.into_iter().map(f64::from).collect();
        for (value, rank) in values.iter().zip(midranks(&values).unwrap()) {
            let below = values.iter().filter(|v| *v < value).count() as f64;
            let equal = values.iter().filter(|v| *v == value).count() as f64;
            prop_assert_eq!(rank, below + (equal + 1.0) / 2.0);
        }
    }

    #[test]
    fn tie_sizes_sum_to_n(values in proptest::collection::vec(0..9i32, 0..40)) {
        let values: Vec<f64> = values.into_iter().map(f64::from).collect();
        prop_assert_eq!(tie_sizes(&values).unwrap().iter().sum::<usize>(), values.len());
    }
}

#[test]
fn tie_sizes_are_in_ascending_order_of_the_values() -> Result<(), Box<dyn std::error::Error>> {
    assert_eq!(partita_stats::ranks::tie_sizes(&[2.0, 1.0, 2.0])?, [1, 2]);
    Ok(())
}

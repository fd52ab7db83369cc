//! Tests of the sign test.

use partita_stats::PValues;
use partita_stats::sign_test::*;
use proptest::prelude::*;

#[test]
fn zero_differences_give_p_values_of_one() {
    let test = sign_test(&[0.0, -0.0]).unwrap();
    assert_eq!((test.zeros, test.p), (2, PValues::NO_EVIDENCE));
    assert!(sign_test(&[f64::NAN]).is_err());
}

#[test]
fn p_value_matches_arbuthnott_1710() {
    // Arbuthnott (1710), the first published significance test: more boys than girls were born in
    // each of 82 years, so p is 2⁻⁸².
    assert_eq!(from_counts(82, 0).p.greater, 0.5f64.powi(82));
}

proptest! {
    #[test]
    fn swapping_the_counts_swaps_the_one_sided_p_values(a in 0..200usize, b in 0..200usize) {
        prop_assert_eq!(from_counts(a, b).p, from_counts(b, a).p.swapped());
    }

    #[test]
    fn one_sided_p_values_sum_to_at_least_one(a in 0..60usize, b in 0..60usize) {
        let p = from_counts(a, b).p;
        prop_assert!(p.less + p.greater >= 1.0);
    }
}

#[test]
fn p_of_five_positive_differences_is_one_in_32() {
    assert_eq!(
        partita_stats::sign_test::from_counts(5, 0).p.greater,
        1.0 / 32.0
    );
}

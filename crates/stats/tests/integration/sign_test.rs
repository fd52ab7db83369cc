//! The sign test.

use partita_stats::PValues;
use partita_stats::sign_test::*;
use proptest::prelude::*;

#[test]
fn nothing_but_zeros_is_no_evidence() {
    let test = sign_test(&[0.0, -0.0]).unwrap();
    assert_eq!((test.zeros, test.p), (2, PValues::NO_EVIDENCE));
    assert!(sign_test(&[f64::NAN]).is_err());
}

#[test]
fn arbuthnott_found_82_years_of_more_boys() {
    // The first published significance test: 2⁻⁸².
    assert_eq!(from_counts(82, 0).p.greater, 0.5f64.powi(82));
}

proptest! {
    #[test]
    fn one_tailed_p_values_of_the_swapped_counts_mirror(a in 0..200usize, b in 0..200usize) {
        prop_assert_eq!(from_counts(a, b).p, from_counts(b, a).p.swapped());
    }

    #[test]
    fn the_tails_overlap_in_the_observed_count(a in 0..60usize, b in 0..60usize) {
        let p = from_counts(a, b).p;
        prop_assert!(p.less + p.greater >= 1.0);
    }
}

#[test]
fn five_of_five_is_one_of_32() {
    assert_eq!(
        partita_stats::sign_test::from_counts(5, 0).p.greater,
        1.0 / 32.0
    );
}

//! Tests of the t-tests.

use partita_stats::t_test::*;
use proptest::prelude::*;

#[test]
fn constant_samples_give_t_of_zero_or_infinity() {
    let same = student(&[1.0, 1.0], &[1.0, 1.0, 1.0]).unwrap();
    assert_eq!((same.t, same.p.two_sided), (0.0, 1.0));
    let apart = welch(&[1.0, 1.0], &[2.0, 2.0]).unwrap();
    assert_eq!((apart.t, apart.p.less), (f64::NEG_INFINITY, 0.0));
    assert_eq!(one_sample(&[0.1; 3]).unwrap().p.greater, 0.0);
}

#[test]
fn invalid_samples_are_refused() {
    assert!(one_sample(&[1.0]).is_err());
    assert!(paired(&[1.0, 2.0], &[1.0]).is_err());
    assert!(student(&[1.0, f64::NAN], &[1.0, 2.0]).is_err());
    assert!(welch(&[1.0, f64::INFINITY], &[1.0, 2.0]).is_err());
}

fn random_sample() -> impl Strategy<Value = Vec<f64>> {
    proptest::collection::vec(-9.0..9.0f64, 2..12)
}

proptest! {
    #[test]
    fn swapping_the_samples_swaps_the_one_sided_p_values(
        x in random_sample(),
        y in random_sample(),
    ) {
        for test in [student, welch] {
            let (one, other) = (test(&x, &y).unwrap(), test(&y, &x).unwrap());
            prop_assert_eq!(one.t, -other.t);
            prop_assert_eq!(one.p, other.p.swapped());
        }
    }

    #[test]
    fn welch_df_is_between_that_of_the_smaller_sample_and_the_pooled_one(
        x in random_sample(),
        y in random_sample(),
    ) {
        let df = welch(&x, &y).unwrap().df;
        let (m, n) = (x.len() as f64, y.len() as f64);
        prop_assert!(df > m.min(n) - 1.0 - 1e-9 && df < m + n - 2.0 + 1e-9);
    }
}

#[test]
fn welch_df_of_samples_with_unequal_variances_matches_its_formula()
-> Result<(), Box<dyn std::error::Error>> {
    let test = partita_stats::t_test::welch(&[1.0, 2.0, 3.0], &[2.0, 4.0, 6.0])?;
    assert!((test.df - 50.0 / 17.0).abs() < 1e-14);
    Ok(())
}

#[test]
fn pooled_test_of_m_and_n_values_has_m_plus_n_minus_2_df() -> Result<(), Box<dyn std::error::Error>>
{
    let test = partita_stats::t_test::student(&[1.0, 2.0, 3.0], &[2.0, 3.0, 4.0])?;
    assert!((test.t + 1.5f64.sqrt()).abs() < 1e-15 && test.df == 4.0);
    Ok(())
}

#[test]
fn differences_equal_up_to_rounding_error_have_no_variance()
-> Result<(), Box<dyn std::error::Error>> {
    let test = partita_stats::t_test::paired(&[0.3, 0.9, 0.2], &[0.2, 0.8, 0.1])?;
    assert_eq!((test.mean_difference, test.p.greater), (0.1, 0.0));
    Ok(())
}

#[test]
fn t_of_the_sample_1_2_3_is_the_root_of_12() -> Result<(), Box<dyn std::error::Error>> {
    let test = partita_stats::t_test::one_sample(&[1.0, 2.0, 3.0])?;
    assert!((test.t - 12f64.sqrt()).abs() < 1e-15 && test.df == 2.0);
    Ok(())
}

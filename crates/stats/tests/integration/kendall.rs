//! Tests of Kendall's tau-b.

use partita_stats::correlation::kendall::*;
use proptest::prelude::*;

#[test]
fn constant_samples_give_none_and_invalid_ones_are_refused() {
    assert_eq!(kendall(&[1.0, 1.0], &[1.0, 2.0]).unwrap(), None);
    assert!(kendall(&[1.0], &[1.0]).is_err());
    assert!(kendall(&[1.0, 2.0], &[1.0]).is_err());
    assert!(kendall(&[1.0, f64::NAN], &[1.0, 2.0]).is_err());
}

#[test]
fn exact_p_of_equal_orders_of_four_items_is_one_in_24() {
    let same = [1.0, 2.0, 3.0, 4.0];
    let found = kendall(&same, &same).unwrap().unwrap();
    assert_eq!((found.tau, found.exact.unwrap().greater), (1.0, 1.0 / 24.0));
    assert_eq!(found.p.two_sided, 2.0 / 24.0);
}

#[test]
fn tau_is_exactly_1_for_equal_and_minus_1_for_opposite_orders() {
    for n in 3..600 {
        let x: Vec<f64> = (0..n).map(f64::from).collect();
        let ties: Vec<f64> = (0..n).map(|i| f64::from(i * 2 / 3)).collect();
        for x in [x, ties] {
            let opposite: Vec<f64> = x.iter().map(|x| -x).collect();
            let tau = |y: &[f64]| kendall(&x, y).unwrap().map(|found| found.tau);
            assert_eq!((tau(&x), tau(&opposite)), (Some(1.0), Some(-1.0)), "{n}");
        }
    }
}

#[test]
fn exact_and_normal_p_values_agree_for_many_items() {
    let x: Vec<f64> = (0..MAX_EXACT).map(|i| i as f64).collect();
    let y: Vec<f64> = (0..MAX_EXACT)
        .map(|i| ((i * 7919) % 503) as f64 + i as f64 * 0.05)
        .collect();
    let found = kendall(&x, &y).unwrap().unwrap();
    let exact = found.exact.unwrap();
    assert!((exact.less - found.asymptotic.less).abs() < 1e-3);
    let x: Vec<f64> = (0..=MAX_EXACT).map(|i| i as f64).collect();
    assert_eq!(kendall(&x, &x).unwrap().unwrap().exact, None);
}

proptest! {
    #[test]
    fn reversing_one_order_negates_tau(
        pairs in proptest::collection::vec((0..9i32, 0..9i32), 2..25),
    ) {
        let (x, y): (Vec<f64>, Vec<f64>) =
            pairs.iter().map(|&(x, y)| (f64::from(x), f64::from(y))).unzip();
        let reversed: Vec<f64> = y.iter().map(|y| -y).collect();
        match (kendall(&x, &y).unwrap(), kendall(&x, &reversed).unwrap()) {
            (Some(one), Some(other)) => {
                prop_assert_eq!(one.tau, -other.tau);
                prop_assert!((one.p.less - other.p.greater).abs() < 1e-15);
                prop_assert!(one.tau.abs() <= 1.0);
            }
            (one, other) => prop_assert_eq!(one, other),
        }
    }
}

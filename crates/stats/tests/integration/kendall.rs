//! Kendall's tau.

use partita_stats::correlation::kendall::*;
use proptest::prelude::*;

#[test]
fn constants_and_wrong_samples() {
    assert_eq!(kendall(&[1.0, 1.0], &[1.0, 2.0]).unwrap(), None);
    assert!(kendall(&[1.0], &[1.0]).is_err());
    assert!(kendall(&[1.0, 2.0], &[1.0]).is_err());
    assert!(kendall(&[1.0, f64::NAN], &[1.0, 2.0]).is_err());
}

#[test]
fn four_items_in_order_are_one_of_24_permutations() {
    let same = [1.0, 2.0, 3.0, 4.0];
    let found = kendall(&same, &same).unwrap().unwrap();
    assert_eq!((found.tau, found.exact.unwrap().greater), (1.0, 1.0 / 24.0));
    assert_eq!(found.p.two_sided, 2.0 / 24.0);
}

#[test]
fn equal_orders_have_a_tau_of_exactly_1_and_opposite_ones_of_minus_1() {
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
fn the_exact_and_the_normal_law_meet_for_many_items() {
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
    fn reversing_one_order_reverses_the_sign(
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

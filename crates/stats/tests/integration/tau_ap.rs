//! Tests of the AP correlation.

use partita_stats::correlation::tau_ap::*;
use proptest::prelude::*;

#[test]
fn invalid_samples_are_refused() {
    assert!(tau_ap(&[1.0], &[1.0]).is_err());
    assert!(tau_ap(&[1.0, 2.0], &[1.0]).is_err());
    assert!(tau_ap(&[1.0, 2.0], &[f64::NAN, 1.0]).is_err());
    assert!(tau_ap(&[1.0, 2.0], &[1.0, 1.0]).is_err());
    assert!(tau_ap_a(&[1.0, 1.0], &[1.0, 2.0]).is_err());
}

#[test]
fn swap_at_the_top_lowers_tau_ap_more_than_at_the_bottom() {
    let truth = [4.0, 3.0, 2.0, 1.0];
    let top = tau_ap(&truth, &[3.0, 4.0, 2.0, 1.0]).unwrap();
    let bottom = tau_ap(&truth, &[4.0, 3.0, 1.0, 2.0]).unwrap();
    assert!(top < bottom);
}

/// Returns all orders of the items that only reorder ties of y. An order is a score for each item,
/// higher for an earlier item.
fn orders_of_ties(y: &[i32]) -> Vec<Vec<f64>> {
    let mut found = vec![vec![]];
    for _ in 0..y.len() {
        found = found
            .iter()
            .flat_map(|order: &Vec<usize>| {
                let rest: Vec<usize> = (0..y.len()).filter(|i| !order.contains(i)).collect();
                let top = rest.iter().map(|&i| y[i]).max().unwrap();
                rest.into_iter()
                    .filter(move |&i| y[i] == top)
                    .map(|i| [order.clone(), vec![i]].concat())
                    .collect::<Vec<_>>()
            })
            .collect();
    }
    found
        .into_iter()
        .map(|order| {
            let mut scores = vec![0.0; y.len()];
            for (position, item) in order.into_iter().enumerate() {
                scores[item] = -(position as f64);
            }
            scores
        })
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn tau_ap_a_is_the_mean_of_tau_ap_over_all_orders_of_ties(
        y in proptest::collection::vec(0..3i32, 2..6),
        seed: u64,
    ) {
        let mut x: Vec<f64> = (0..y.len()).map(|i| i as f64).collect();
        partita_stats::random::shuffle(&mut partita_stats::random::stream(seed, &[]), &mut x);
        let all = orders_of_ties(&y);
        let mean = all.iter().map(|y| tau_ap(&x, y).unwrap()).sum::<f64>() / all.len() as f64;
        let y: Vec<f64> = y.into_iter().map(f64::from).collect();
        prop_assert!((tau_ap_a(&x, &y).unwrap() - mean).abs() < 1e-12);
    }

    #[test]
    fn tau_ap_b_is_symmetric_and_within_its_range(
        pairs in proptest::collection::vec((0..6i32, 0..6i32), 2..15),
    ) {
        let (x, y): (Vec<f64>, Vec<f64>) =
            pairs.iter().map(|&(x, y)| (f64::from(x), f64::from(y))).unzip();
        let tau = tau_ap_b(&x, &y).unwrap();
        prop_assert_eq!(tau, tau_ap_b(&y, &x).unwrap());
        prop_assert!(tau.is_none_or(|tau| tau.abs() <= 1.0 + 1e-12));
        if let Some(same) = tau_ap_b(&x, &x).unwrap() {
            prop_assert!((same - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn tau_ap_of_the_reversed_ranking_is_minus_one(n in 2..12usize) {
        let x: Vec<f64> = (0..n).map(|i| i as f64).collect();
        let reversed: Vec<f64> = x.iter().map(|x| -x).collect();
        prop_assert!((tau_ap(&x, &x).unwrap() - 1.0).abs() < 1e-12);
        prop_assert!((tau_ap(&x, &reversed).unwrap() + 1.0).abs() < 1e-12);
    }
}

#[test]
fn tau_ap_b_is_1_for_equal_orders_and_undefined_for_constants()
-> Result<(), Box<dyn std::error::Error>> {
    use partita_stats::correlation::tau_ap::tau_ap_b;

    assert_eq!(tau_ap_b(&[2.0, 1.0, 1.0], &[5.0, 3.0, 3.0])?, Some(1.0));
    assert_eq!(tau_ap_b(&[2.0, 1.0], &[3.0, 3.0])?, None);
    Ok(())
}

#[test]
fn tau_ap_a_of_a_fully_tied_estimate_is_zero() -> Result<(), Box<dyn std::error::Error>> {
    // Over all orders of the tied items, τ_AP is 0 on average.
    let tau = partita_stats::correlation::tau_ap::tau_ap_a(&[3.0, 2.0, 1.0], &[0.0, 0.0, 0.0])?;
    assert!(tau.abs() < 1e-15);
    Ok(())
}

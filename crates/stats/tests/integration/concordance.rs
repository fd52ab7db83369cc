//! Tests of Kendall's coefficient of concordance W.

use partita_stats::correlation::concordance::*;
use partita_stats::ranks::{midranks, tie_sum};
use proptest::prelude::*;

#[test]
fn concordance_is_undefined_if_all_assessors_tie_all_items() {
    assert_eq!(concordance(&[[1.0, 1.0], [2.0, 2.0]]).unwrap(), None);
    assert!(concordance::<[f64; 2]>(&[]).is_err());
}

proptest! {
    #[test]
    fn w_matches_its_definition(
        rankings in proptest::collection::vec(proptest::collection::vec(0..6i32, 5..=5), 1..8),
    ) {
        let rankings: Vec<Vec<f64>> = rankings.into_iter()
            .map(|row| row.into_iter().map(f64::from).collect()).collect();
        let (m, n) = (rankings.len() as f64, 5.0);
        let mut sums = [0.0; 5];
        let mut ties = 0.0;
        for row in &rankings {
            for (sum, rank) in sums.iter_mut().zip(midranks(row).unwrap()) {
                *sum += rank;
            }
            ties += tie_sum(row).unwrap();
        }
        let squares: f64 = sums.iter().map(|r| (r - m * (n + 1.0) / 2.0).powi(2)).sum();
        let scale = m * m * (n * n * n - n) - m * ties;
        match concordance(&rankings).unwrap() {
            Some(found) => {
                prop_assert!((found.w - 12.0 * squares / scale).abs() < 1e-12);
                prop_assert!((0.0..=1.0).contains(&found.w));
            }
            None => prop_assert_eq!(scale, 0.0),
        }
    }

    #[test]
    fn identical_rankings_have_w_of_one(
        row in proptest::collection::vec(0..9i32, 2..10), m in 1..6usize,
    ) {
        let row: Vec<f64> = row.into_iter().map(f64::from).collect();
        let rankings = vec![row; m];
        if let Some(found) = concordance(&rankings).unwrap() {
            prop_assert!((found.w - 1.0).abs() < 1e-12);
        }
    }
}

//! Tests of Friedman's test and Tukey's comparisons.

use partita_stats::distribution::studentized_range::quantile;
use partita_stats::friedman::*;
use proptest::prelude::*;

#[test]
fn fully_tied_rows_give_p_values_of_one() {
    let test = friedman(&[[1.0, 1.0, 1.0], [2.0, 2.0, 2.0]]).unwrap();
    assert_eq!(
        (test.rank_variance, test.chi_squared, test.p),
        (0.0, 0.0, 1.0)
    );
    let tukey = test.tukey(0.05).unwrap();
    assert!(
        tukey
            .pairs
            .iter()
            .all(|pair| pair.p == 1.0 && !pair.significant)
    );
}

#[test]
fn invalid_tables_are_refused() {
    assert!(friedman::<[f64; 2]>(&[]).is_err());
    assert!(friedman(&[[1.0]]).is_err());
    assert!(friedman(&[vec![1.0, 2.0], vec![1.0]]).is_err());
    assert!(friedman(&[[1.0, f64::NAN]]).is_err());
    let test = friedman(&[[1.0, 2.0]]).unwrap();
    assert!(test.tukey(0.0).is_err() && test.tukey(1.0).is_err());
}

#[test]
fn critical_values_match_demsar_2006() {
    // Demšar (2006), table 5: critical q/√2 at .05 for 2 to 10 classifiers.
    let printed = [
        1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164,
    ];
    for (k, expected) in (2..).zip(printed) {
        let q = quantile(0.95, k, f64::INFINITY).unwrap();
        // The printed values were computed from a table with three digits.
        assert!((q / 2f64.sqrt() - expected).abs() < 1.1e-3, "{k}: {q}");
    }
}

#[test]
fn tukey_critical_value_never_exceeds_that_of_dunn_and_sidak() {
    for k in [2usize, 3, 10, 20, 50, 100] {
        let comparisons = (k * (k - 1) / 2) as f64;
        let each = -libm::expm1(libm::log1p(-0.05) / comparisons);
        let sidak = -partita_stats::distribution::normal::quantile(0.5 * each).unwrap();
        let q = quantile(0.95, k, f64::INFINITY).unwrap();
        assert!(q / 2f64.sqrt() <= sidak + 1e-11, "{k}");
    }
}

fn random_table() -> impl Strategy<Value = Vec<Vec<f64>>> {
    (2..6usize, 1..12usize).prop_flat_map(|(k, n)| {
        proptest::collection::vec(
            proptest::collection::vec((0..5i32).prop_map(f64::from), k..=k),
            n..=n,
        )
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn mean_ranks_sum_to_half_of_k_times_k_plus_1(rows in random_table()) {
        let test = friedman(&rows).unwrap();
        let k = test.mean_ranks.len() as f64;
        let sum: f64 = test.mean_ranks.iter().sum();
        prop_assert!((sum - k * (k + 1.0) / 2.0).abs() < 1e-12);
        prop_assert!(test.p >= 0.0 && test.p <= 1.0 && test.rank_variance >= 0.0);
    }

    #[test]
    fn increasing_maps_within_blocks_do_not_change_the_result(rows in random_table()) {
        let mapped: Vec<Vec<f64>> = rows.iter().enumerate()
            .map(|(i, row)| row.iter().map(|v| v * v * v + i as f64).collect())
            .collect();
        prop_assert_eq!(friedman(&rows).unwrap(), friedman(&mapped).unwrap());
    }

    #[test]
    fn significance_by_p_and_by_critical_difference_agree(rows in random_table()) {
        let test = friedman(&rows).unwrap();
        let tukey = test.tukey(0.1).unwrap();
        for pair in &tukey.pairs {
            if (pair.diff.abs() - tukey.critical_difference).abs() > 1e-9 {
                prop_assert_eq!(pair.significant, pair.diff.abs() > tukey.critical_difference);
            }
        }
    }
}

#[test]
fn mean_ranks_use_midranks_for_ties() -> Result<(), Box<dyn std::error::Error>> {
    let test = partita_stats::friedman::friedman(&[[1.0, 2.0], [1.0, 3.0], [2.0, 2.0]])?;
    assert_eq!(test.mean_ranks, [7.0 / 6.0, 11.0 / 6.0]);
    Ok(())
}

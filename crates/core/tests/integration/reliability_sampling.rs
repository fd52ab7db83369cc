//! Names of tests, query set sizes, and query samples.

use partita_core::Strata;
use partita_core::reliability::*;
use partita_core::truth::Tails;

#[test]
fn the_sizes_of_the_paper_include_both_ends() {
    let sizes: QuerySetSizes = "5:100:5".parse().unwrap();
    assert_eq!(sizes.as_slice().len(), 20);
    assert_eq!(sizes, QuerySetSizes::up_to(100));
    assert_eq!(QuerySetSizes::up_to(3).as_slice(), [3]);
}

#[test]
fn invalid_sizes_are_rejected() {
    for wrong in [
        "",
        "0",
        "a",
        "5:",
        "5:10:0",
        "10:5",
        "1:2:3:4",
        "1:9999999999",
        "-5",
    ] {
        assert!(wrong.parse::<QuerySetSizes>().is_err(), "{wrong}");
    }
}

fn genres(sizes: &[usize]) -> Strata {
    let named = sizes.iter().enumerate();
    Strata::new(named.flat_map(|(stratum, &size)| vec![format!("g{stratum}"); size]))
}

fn queries_per_stratum(strata: &Strata, sample: &[usize]) -> Vec<usize> {
    let of_stratum = |stratum: usize| {
        let queries = strata.queries(stratum);
        sample
            .iter()
            .filter(|query| queries.contains(query))
            .count()
    };
    (0..strata.names().len()).map(of_stratum).collect()
}

#[test]
fn samples_take_their_quota_of_each_stratum_and_no_query_twice() {
    let strata = genres(&[10; 10]);
    let draw = QuerySampler::new(&strata, 1);
    for size in 1..=100 {
        for trial in 0..20 {
            let (first, second) = draw.sample(size, trial);
            assert_eq!(second.is_some(), size <= 50);
            let mut both = first.clone();
            for sample in [Some(&first), second.as_ref()].into_iter().flatten() {
                assert_eq!(sample.len(), size);
                let counts = queries_per_stratum(&strata, sample);
                let base = size / 10;
                assert!(
                    counts.iter().all(|&c| c == base || c == base + 1),
                    "{counts:?}"
                );
            }
            both.extend(second.unwrap_or_default());
            both.sort_unstable();
            let drawn = both.len();
            both.dedup();
            assert_eq!(both.len(), drawn);
            assert!(size != 50 || both.len() == 100);
        }
    }
}

#[test]
fn every_query_and_every_extra_stratum_is_drawn_about_equally_often() {
    let draw = QuerySampler::new(&genres(&[10; 10]), 7);
    for size in [15, 85] {
        let mut counts = [[0u32; 100]; 2];
        for trial in 0..4000 {
            let (first, second) = draw.sample(size, trial);
            for (counts, sample) in counts.iter_mut().zip([Some(first), second]) {
                for query in sample.unwrap_or_default() {
                    counts[query] += 1;
                }
            }
        }
        let expected = 40.0 * size as f64;
        for counts in &counts[..if size == 15 { 2 } else { 1 }] {
            // Tolerance: at most five standard deviations of a binomial count.
            let most = 5.0 * (expected * (1.0 - size as f64 / 100.0)).sqrt();
            let far = |count: &u32| (f64::from(*count) - expected).abs() > most;
            assert!(!counts.iter().any(far), "{counts:?}");
        }
    }
}

#[test]
fn unequal_strata_are_filled_evenly_as_far_as_possible() {
    let strata = genres(&[2, 4, 24]);
    let draw = QuerySampler::new(&strata, 1);
    for trial in 0..50 {
        let (first, second) = draw.sample(12, trial);
        assert_eq!(queries_per_stratum(&strata, &first), [1, 2, 9]);
        assert_eq!(queries_per_stratum(&strata, &second.unwrap()), [1, 2, 9]);
        assert_eq!(
            queries_per_stratum(&strata, &draw.sample(20, trial).0),
            [2, 4, 14]
        );
        let (first, second) = draw.sample(4, trial);
        let first = queries_per_stratum(&strata, &first);
        assert!(first == [1, 2, 1] || first == [1, 1, 2], "{first:?}");
        assert_eq!(second.unwrap().len(), 4);
    }
}

#[test]
fn two_disjoint_samples_of_any_strata_can_be_drawn_up_to_half_of_the_queries() {
    for sizes in [
        &[3, 27][..],
        &[1, 1, 1, 1, 20],
        &[9; 5],
        &[1; 7],
        &[13],
        &[5, 1, 8, 2, 3],
    ] {
        let strata = genres(sizes);
        let draw = QuerySampler::new(&strata, 3);
        let all: usize = sizes.iter().sum();
        for size in 1..=all {
            for trial in 0..20 {
                let (first, second) = draw.sample(size, trial);
                assert_eq!(first.len(), size, "{sizes:?}");
                if let Some(second) = second {
                    assert_eq!(second.len(), size, "{sizes:?}");
                    assert!(second.iter().all(|query| !first.contains(query)));
                }
            }
        }
    }
}

#[test]
fn the_samples_of_a_seed_size_and_trial_are_fixed() {
    let draw = QuerySampler::new(&genres(&[10; 10]), 1);
    let (first, second) = draw.sample(5, 0);
    assert_eq!(first, EXPECTED_FIRST_SAMPLE);
    assert_eq!(second.unwrap(), EXPECTED_SECOND_SAMPLE);
    assert_ne!(draw.sample(5, 1).0, EXPECTED_FIRST_SAMPLE);
    assert_ne!(
        QuerySampler::new(&genres(&[10; 10]), 2).sample(5, 0).0,
        EXPECTED_FIRST_SAMPLE
    );
}

const EXPECTED_FIRST_SAMPLE: [usize; 5] = [24, 49, 50, 84, 97];
const EXPECTED_SECOND_SAMPLE: [usize; 5] = [3, 32, 40, 54, 91];

#[test]
fn invalid_test_names_are_rejected() {
    for (wrong, message) in [
        (
            "anova",
            "permutation, t, bootstrap, wilcoxon, wilcoxon-normal",
        ),
        ("kendall", "that answers this question"),
        ("equivalence", "margin"),
        ("t:2", "above 0 and below 1"),
        ("t:0.05:magic", "bonferroni"),
        ("t:0.05:holm:x", "NAME:ALPHA:CORRECTION"),
        ("friedman-tukey:0.05:holm", "allows for all pairs already"),
        ("", "no test ``"),
    ] {
        let error = wrong.parse::<TestSpec>().unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
    }
    let loose: TestSpec = "wilcoxon:0.5".parse().unwrap();
    let error = loose.with_tails(Tails::One).unwrap_err().to_string();
    assert!(error.contains("below 0.5"), "{error}");
}

#[test]
fn counts_without_trials_have_shares_of_zero() {
    let shares = OutcomeShares::new(&TrialCounts::default(), 3, true);
    assert_eq!(shares.power, 0.0);
    assert_eq!(shares.stability.unwrap().swaps.of_conflicts, None);
}

//! Tests of Wilcoxon's signed-rank test.

use partita_stats::signed_rank::*;
use partita_stats::{PValues, StatsError};
use proptest::prelude::*;

#[test]
fn zero_differences_give_p_values_of_one() {
    for zeros in [ZeroMethod::Wilcox, ZeroMethod::Pratt, ZeroMethod::Split] {
        for differences in [&[][..], &[0.0, -0.0]] {
            let test = signed_rank(differences, zeros, SignedRankMethod::Auto).unwrap();
            assert_eq!(test.p, PValues::NO_EVIDENCE);
            let test = signed_rank(differences, zeros, SignedRankMethod::Normal).unwrap();
            assert_eq!(test.p, PValues::NO_EVIDENCE);
        }
    }
    assert!(signed_rank(&[f64::NAN], ZeroMethod::Wilcox, SignedRankMethod::Auto).is_err());
}

#[test]
fn statistics_and_p_value_of_darwins_data_match_lehmann_1975() {
    // Lehmann (1975) and many others: W⁺ = 96, W⁻ = 24 for the fifteen
    // pairs; the untied exact two-sided p-value of tables is .0413.
    let darwin = [
        49.0, -67.0, 8.0, 16.0, 6.0, 23.0, 28.0, 41.0, 14.0, 29.0, 56.0, 24.0, 75.0, 60.0, -48.0,
    ];
    let test = signed_rank(&darwin, ZeroMethod::Wilcox, SignedRankMethod::Auto).unwrap();
    assert_eq!((test.w_plus, test.w_minus), (96.0, 24.0));
    assert!((test.p.two_sided - 0.0413).abs() < 5e-5);
}

#[test]
fn differences_of_equal_size_give_the_sign_test() {
    let d = [1.0, 1.0, -1.0, 1.0, 1.0, 1.0, -1.0];
    let test = signed_rank(&d, ZeroMethod::Wilcox, SignedRankMethod::ExactConditional).unwrap();
    assert_eq!(test.p, partita_stats::sign_test::from_counts(5, 2).p);
}

#[test]
fn split_zeros_share_the_exact_but_not_the_normal_p_value_of_pratt() {
    // 30 zeros and 51 nonzero differences: `Auto` is normal. With 50 nonzero ones it is exact.
    let mut d = vec![0.0; 30];
    d.extend((1..=51).map(|i| {
        if i % 3 == 0 {
            -f64::from(i)
        } else {
            f64::from(i)
        }
    }));
    let p = |d: &[f64], zeros, method| signed_rank(d, zeros, method).unwrap().p.two_sided;
    let (split, pratt) = (ZeroMethod::Split, ZeroMethod::Pratt);
    let exact = p(&d, pratt, SignedRankMethod::ExactConditional);
    assert_eq!(p(&d, split, SignedRankMethod::ExactConditional), exact);
    assert!((p(&d, pratt, SignedRankMethod::Auto) / exact - 1.0).abs() < 0.05);
    assert!(p(&d, split, SignedRankMethod::Auto) > 1.05 * exact);
    assert_eq!(
        p(&d, split, SignedRankMethod::Auto),
        p(&d, split, SignedRankMethod::Normal)
    );
    let fewer = &d[..d.len() - 1];
    let auto = p(fewer, split, SignedRankMethod::Auto);
    assert_eq!(auto, p(fewer, pratt, SignedRankMethod::ExactConditional));
}

#[test]
fn too_large_exact_distribution_is_refused() {
    let d: Vec<f64> = (1..6000).map(f64::from).collect();
    assert!(matches!(
        signed_rank(&d, ZeroMethod::Wilcox, SignedRankMethod::ExactConditional),
        Err(StatsError::ExactTableTooLarge { .. })
    ));
}

proptest! {
    #[test]
    fn exact_p_values_match_enumeration_of_all_signs(
        d in proptest::collection::vec(-4..5i32, 1..10),
    ) {
        let d: Vec<f64> = d.into_iter().map(f64::from).collect();
        for zeros in [ZeroMethod::Wilcox, ZeroMethod::Pratt, ZeroMethod::Split] {
            let test = signed_rank(&d, zeros, SignedRankMethod::ExactConditional).unwrap();
            let (mut at_least, mut at_most) = (0u32, 0u32);
            for signs in 0u32..1 << d.len() {
                let flipped: Vec<f64> = d.iter().enumerate()
                    .map(|(i, d)| if signs >> i & 1 == 1 { *d } else { -d }).collect();
                let w = signed_rank(&flipped, zeros, SignedRankMethod::Normal).unwrap().w_plus;
                at_least += u32::from(w >= test.w_plus);
                at_most += u32::from(w <= test.w_plus);
            }
            let all = f64::from(1u32 << d.len());
            prop_assert_eq!(test.p.greater, f64::from(at_least) / all);
            prop_assert_eq!(test.p.less, f64::from(at_most) / all);
        }
    }

    #[test]
    fn negating_the_sample_swaps_the_one_sided_p_values(
        d in proptest::collection::vec(-9..10i32, 1..20),
    ) {
        let d: Vec<f64> = d.into_iter().map(f64::from).collect();
        let negated: Vec<f64> = d.iter().map(|d| -d).collect();
        for zeros in [ZeroMethod::Wilcox, ZeroMethod::Pratt, ZeroMethod::Split] {
            for method in [SignedRankMethod::ExactConditional, SignedRankMethod::Normal] {
                let one = signed_rank(&d, zeros, method).unwrap();
                let other = signed_rank(&negated, zeros, method).unwrap();
                prop_assert_eq!(one.w_plus, other.w_minus);
                prop_assert_eq!(one.p, other.p.swapped());
            }
        }
    }

    #[test]
    fn both_rank_sums_add_up_to_half_of_n_times_n_plus_1(
        d in proptest::collection::vec(-9..10i32, 1..30),
    ) {
        let d: Vec<f64> = d.into_iter().map(f64::from).collect();
        let n = d.len() as f64;
        let test = signed_rank(&d, ZeroMethod::Split, SignedRankMethod::Normal).unwrap();
        prop_assert_eq!(test.w_plus + test.w_minus, n * (n + 1.0) / 2.0);
        let test = signed_rank(&d, ZeroMethod::Wilcox, SignedRankMethod::Normal).unwrap();
        let n = test.nonzero as f64;
        prop_assert_eq!(test.w_plus + test.w_minus, n * (n + 1.0) / 2.0);
    }
}

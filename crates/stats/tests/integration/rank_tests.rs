//! Tests of the Mann-Whitney and signed-rank tests against reference values of SciPy, R (with the
//! packages exactRankTests and coin) and exact rational arithmetic.

use crate::fixture::{assert_close, load};
use partita_stats::mann_whitney::{self, mann_whitney, rejects};
use partita_stats::signed_rank::{self, ZeroMethod, signed_rank};
use partita_stats::{Alternative, PValues};

fn named_p_values(p: &PValues) -> [(&'static str, f64); 3] {
    [
        ("less", p.less),
        ("greater", p.greater),
        ("two-sided", p.two_sided),
    ]
}

#[test]
fn exact_conditional_mann_whitney_matches_rational_arithmetic() {
    for case in load("mannwhitney").cases("cases") {
        let (x, y, p) = (case.numbers("x"), case.numbers("y"), case.object("p"));
        let test = mann_whitney(&x, &y, mann_whitney::MannWhitneyMethod::ExactConditional).unwrap();
        assert_eq!(test.u, case.number("U_x"));
        assert_close(test.p.less, p.number("exactcond_less"), 1e-14, &case);
        assert_close(test.p.greater, p.number("exactcond_greater"), 1e-14, &case);
        let doubled = p.number("exactcond_two-sided_doubling");
        assert_close(test.p.two_sided, doubled, 1e-14, &case);
    }
}

#[test]
fn exact_untied_mann_whitney_matches_scipy_and_refuses_ties() {
    let mut untied = 0;
    for case in load("mannwhitney").cases("cases") {
        let (x, y, p) = (case.numbers("x"), case.numbers("y"), case.object("p"));
        let test = mann_whitney(&x, &y, mann_whitney::MannWhitneyMethod::ExactUntied);
        if case.flag("ties") {
            assert!(test.is_err());
        } else {
            for (name, found) in named_p_values(&test.unwrap().p) {
                assert_close(found, p.number(&format!("exact_{name}")), 1e-13, &case);
            }
            untied += 1;
        }
    }
    assert!(untied > 100);
}

#[test]
fn normal_mann_whitney_matches_scipy_and_r() {
    for case in load("mannwhitney").cases("cases") {
        let (x, y, p) = (case.numbers("x"), case.numbers("y"), case.object("p"));
        use mann_whitney::MannWhitneyMethod::{Normal, NormalUncorrected};
        for (key, method) in [("asym_cc", Normal), ("asym_nocc", NormalUncorrected)] {
            let test = mann_whitney(&x, &y, method).unwrap();
            for (name, found) in named_p_values(&test.p) {
                if let Some(expected) = p.optional(&format!("{key}_{name}")) {
                    assert_close(found, expected, 1e-13, &case);
                }
            }
        }
    }
}

#[test]
fn decisions_match_exact_rational_p_values() {
    for case in load("mannwhitney").cases("cases") {
        let (x, y, p) = (case.numbers("x"), case.numbers("y"), case.object("p"));
        for alpha in [0.25, 0.125, 0.05, 0.01] {
            for (alternative, key) in [
                (Alternative::Less, "exactcond_less"),
                (Alternative::Greater, "exactcond_greater"),
                (Alternative::TwoSided, "exactcond_two-sided_doubling"),
            ] {
                let expected = p.number(key);
                if (expected - alpha).abs() > 1e-12 {
                    let found = rejects(&x, &y, alpha, alternative).unwrap();
                    assert_eq!(found, expected < alpha);
                }
            }
        }
    }
}

#[test]
fn p_values_match_the_appendix_of_urbano_2010() {
    let appendix = load("mannwhitney_critical").object("appendix");
    let (m, n) = (appendix.number("m") as usize, appendix.number("n") as usize);
    // Two untied samples of 15 and 21 with U = 131: x takes the lowest ranks,
    // then its items are moved up until U is reached.
    let mut ranks: Vec<usize> = (0..m).collect();
    let mut u = appendix.number("U") as usize;
    for (index, rank) in ranks.iter_mut().enumerate().rev() {
        let step = u.min(n);
        *rank = index + step;
        u -= step;
    }
    let x: Vec<f64> = ranks.iter().map(|&rank| rank as f64).collect();
    let y: Vec<f64> = (0..m + n)
        .filter(|rank| !ranks.contains(rank))
        .map(|rank| rank as f64)
        .collect();
    let test = mann_whitney(&x, &y, mann_whitney::MannWhitneyMethod::ExactUntied).unwrap();
    assert_eq!(test.u, 131.0);
    assert_close(test.p.less, appendix.number("p_one"), 5e-8, &appendix);
    assert_close(test.p.two_sided, appendix.number("p_two"), 5e-8, &appendix);
    assert!(rejects(&x, &y, 0.25, Alternative::Less).unwrap());
    assert!(!rejects(&x, &y, 0.25, Alternative::TwoSided).unwrap());
}

const ZERO_METHODS: [(&str, ZeroMethod); 3] = [
    ("wilcox", ZeroMethod::Wilcox),
    ("pratt", ZeroMethod::Pratt),
    ("zsplit", ZeroMethod::Split),
];

#[test]
fn normal_signed_rank_matches_scipy_and_r_for_all_treatments_of_zeros() {
    for case in load("wilcoxon_signed_rank").cases("cases") {
        let (d, p) = (case.numbers("d"), case.object("p"));
        for (zeros_key, zeros) in ZERO_METHODS {
            use signed_rank::SignedRankMethod::{Normal, NormalUncorrected};
            for (key, method) in [("cc", Normal), ("nocc", NormalUncorrected)] {
                let test = signed_rank(&d, zeros, method).unwrap();
                assert_eq!(test.w_plus, case.number(&format!("Wplus_{zeros_key}")));
                for (name, found) in named_p_values(&test.p) {
                    let key = format!("asym_{zeros_key}_{key}_{name}");
                    if let Some(expected) = p.optional(&key) {
                        assert_close(found, expected, 1e-13, &case);
                    }
                }
            }
        }
    }
}

#[test]
fn exact_signed_rank_matches_rational_arithmetic() {
    let mut untied = 0;
    for case in load("wilcoxon_signed_rank").cases("cases") {
        let (d, p) = (case.numbers("d"), case.object("p"));
        for (zeros_key, zeros) in ZERO_METHODS {
            let test =
                signed_rank(&d, zeros, signed_rank::SignedRankMethod::ExactConditional).unwrap();
            for (name, found) in named_p_values(&test.p) {
                if let Some(expected) = p.optional(&format!("exactcond_{zeros_key}_{name}")) {
                    assert_close(found, expected, 1e-14, &case);
                }
                if let Some(expected) = p.optional(&format!("exact_{name}")) {
                    assert_close(found, expected, 1e-13, &case);
                    untied += 1;
                }
            }
        }
    }
    assert!(untied > 300);
}

//! Tests of t-tests, Friedman's test, the randomisation test, adjusted p-values and correlations
//! against reference values of R, SciPy, ircor and exact enumeration.

use crate::fixture::{Case, assert_close, load};
use partita_stats::adjustment::{Adjustment, adjust};
use partita_stats::correlation::kendall::kendall;
use partita_stats::correlation::pearson::pearson;
use partita_stats::correlation::tau_ap::{tau_ap, tau_ap_a, tau_ap_b};
use partita_stats::friedman::friedman;
use partita_stats::random::stream;
use partita_stats::t_test::{self, TTest};
use partita_stats::{randomization, ranks};

#[test]
fn t_tests_match_r() {
    for case in load("ttest").cases("cases") {
        let (x, y) = (case.numbers("x"), case.numbers("y"));
        let check = |name: &str, test: &TTest| {
            for (alternative, found) in [
                ("two.sided", test.p.two_sided),
                ("less", test.p.less),
                ("greater", test.p.greater),
            ] {
                // R printed fifteen digits.
                let expected = case.number(&format!("{name}_{alternative}"));
                assert_close(found, expected, 1e-13, &case);
                assert_close(found / expected, 1.0, 1e-12, &case);
            }
        };
        let paired = t_test::paired(&x, &y).unwrap();
        let welch = t_test::welch(&x, &y).unwrap();
        check("paired", &paired);
        check("welch", &welch);
        check("student", &t_test::student(&x, &y).unwrap());
        assert_close(paired.t / case.number("t_paired"), 1.0, 1e-12, &case);
        assert_close(welch.t / case.number("t_welch"), 1.0, 1e-12, &case);
        assert_close(welch.df / case.number("df_welch"), 1.0, 1e-12, &case);
    }
}

#[test]
fn the_randomisation_test_matches_full_enumeration() {
    for case in load("randomization_paired").cases("cases") {
        let test =
            randomization::randomization_test(&case.numbers("d"), 1, &mut stream(1, &[])).unwrap();
        assert!(test.exact);
        assert_eq!(test.p.greater, case.number("p_greater"));
        assert_eq!(test.p.less, case.number("p_less"));
        assert_eq!(test.p.two_sided, case.number("p_two_sided"));
    }
}

#[test]
fn adjusted_p_values_match_r() {
    for case in load("p_adjust").cases("cases") {
        let p = case.numbers("p");
        for (key, adjustment) in [
            ("bonferroni", Adjustment::Bonferroni),
            ("holm", Adjustment::Holm),
            ("hochberg", Adjustment::Hochberg),
            ("BH", Adjustment::BenjaminiHochberg),
            ("BY", Adjustment::BenjaminiYekutieli),
        ] {
            let found = adjust(&p, adjustment).unwrap();
            for (found, expected) in found.into_iter().zip(case.numbers(key)) {
                assert_close(found, expected, 1e-14, &case);
            }
        }
    }
}

fn assert_optional_close(found: Option<f64>, expected: Option<f64>, tolerance: f64, case: &Case) {
    match (found, expected) {
        (Some(found), Some(expected)) => assert_close(found, expected, tolerance, case),
        (found, expected) => assert_eq!(found.is_some(), expected.is_some()),
    }
}

#[test]
fn kendalls_tau_b_matches_scipy_and_r() {
    let mut exact = 0;
    for case in load("correlation").cases("cases") {
        let (x, y) = (case.numbers("x"), case.numbers("y"));
        let found = kendall(&x, &y).unwrap();
        assert_optional_close(found.map(|k| k.tau), case.optional("tau_b"), 1e-14, &case);
        let asymptotic = found.map(|k| k.asymptotic.two_sided);
        assert_optional_close(
            asymptotic,
            case.optional("p_asymptotic_two_sided"),
            1e-14,
            &case,
        );
        if let Some(expected) = case.optional("p_exact_two_sided") {
            let found = found.and_then(|k| k.exact).map(|p| p.two_sided);
            assert_optional_close(found, Some(expected), 1e-13, &case);
            exact += 1;
        }
    }
    assert!(exact > 50);
}

#[test]
fn pearsons_r_matches_scipy_and_r() {
    for case in load("correlation").cases("cases") {
        let (x, y) = (case.numbers("x"), case.numbers("y"));
        let found = pearson(&x, &y).unwrap();
        assert_optional_close(found.map(|c| c.r), case.optional("pearson_r"), 1e-14, &case);
        let p = found.map(|c| c.p.two_sided);
        assert_optional_close(p, case.optional("pearson_p_two_sided"), 1e-13, &case);
        // Spearman's rho is Pearson's r of the midranks.
        let ranked = |v: &[f64]| ranks::midranks(v).unwrap();
        let rho = pearson(&ranked(&x), &ranked(&y)).unwrap().map(|c| c.r);
        assert_optional_close(rho, case.optional("spearman_rho"), 1e-13, &case);
    }
}

#[test]
fn ap_correlations_match_ircor() {
    let (mut plain, mut accuracy) = (0, 0);
    for case in load("correlation").cases("cases") {
        let (x, y) = (case.numbers("x"), case.numbers("y"));
        assert_optional_close(tau_ap(&x, &y).ok(), case.optional("tauAP"), 1e-13, &case);
        assert_optional_close(
            tau_ap_a(&x, &y).ok(),
            case.optional("tauAP_a"),
            1e-13,
            &case,
        );
        assert_optional_close(
            tau_ap_b(&x, &y).unwrap(),
            case.optional("tauAP_b"),
            1e-13,
            &case,
        );
        plain += usize::from(case.optional("tauAP").is_some());
        accuracy += usize::from(case.optional("tauAP_a").is_some());
    }
    assert!(plain > 30 && accuracy > plain);
}

#[test]
fn friedman_and_tukey_match_r_and_scipy() {
    for case in load("friedman_tukey").cases("cases") {
        let test = friedman(&case.rows("data")).unwrap();
        assert_close(test.chi_squared, case.number("chi2"), 1e-11, &case);
        assert_close(test.df, case.number("df"), 0.0, &case);
        assert_close(test.p, case.number("p"), 1e-12, &case);
        assert_close(test.tie_sum, case.number("tie_sum"), 0.0, &case);
        assert_close(test.rank_variance, case.number("sigma2"), 1e-12, &case);
        let se_diff = test.standard_error() * 2f64.sqrt();
        assert_close(se_diff, case.number("se_diff"), 1e-12, &case);
        for (found, expected) in test.mean_ranks.iter().zip(case.numbers("mean_ranks")) {
            assert_close(*found, expected, 1e-12, &case);
        }

        let tukey = test.tukey(0.05).unwrap();
        assert_close(tukey.critical_q, case.number("qcrit05"), 1e-10, &case);
        let difference = case.number("critical_difference");
        assert_close(tukey.critical_difference, difference, 1e-10, &case);
        let pairs = case.rows("pairs");
        assert_eq!(tukey.pairs.len(), pairs.len());
        let expected = case
            .numbers("diff")
            .into_iter()
            .zip(case.numbers("p_tukey"));
        let expected = expected.zip(case.flags("significant"));
        for ((pair, indices), ((diff, p), significant)) in
            tukey.pairs.iter().zip(pairs).zip(expected)
        {
            assert_eq!([pair.a as f64, pair.b as f64], indices[..]);
            assert_close(pair.diff, diff, 1e-12, &case);
            assert_close(pair.p, p, 1e-12, &case);
            assert_eq!(pair.significant, significant);
        }
    }
}

#[test]
fn friedman_and_tukey_match_the_small_example() {
    let case = load("friedman_tukey").object("small_example");
    let test = friedman(&case.rows("data")).unwrap();
    assert_close(test.chi_squared, case.number("chi2"), 1e-12, &case);
    assert_close(test.p, case.number("p"), 1e-14, &case);
    assert_close(test.rank_variance, case.number("sigma2"), 1e-14, &case);
    let tukey = test.tukey(0.05).unwrap();
    assert_close(tukey.critical_q, case.number("qcrit05"), 1e-11, &case);
    for (pair, expected) in tukey.pairs.iter().zip(case.cases("pairs")) {
        assert_close(pair.diff, expected.number("diff"), 1e-14, &expected);
        assert_close(pair.p, expected.number("p"), 1e-13, &expected);
    }
}

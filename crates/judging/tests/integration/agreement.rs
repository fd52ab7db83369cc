//! Agreement coefficients: published examples, values of other programs, and properties.

use partita_judging::{
    AgreementCoefficients, AgreementWeights, MeasurementLevel, Votes, fleiss_kappa, gwet_ac1,
    gwet_ac2, krippendorff_alpha,
};
use proptest::prelude::*;

/// Ratings of Krippendorff (2011), example C, which Gwet (2014) uses as well: twelve units, four
/// raters, five categories, some ratings missing.
const FOUR_RATERS: [[u32; 5]; 12] = [
    [3, 0, 0, 0, 0],
    [0, 3, 1, 0, 0],
    [0, 0, 4, 0, 0],
    [0, 0, 4, 0, 0],
    [0, 4, 0, 0, 0],
    [1, 1, 1, 1, 0],
    [0, 0, 0, 4, 0],
    [3, 1, 0, 0, 0],
    [0, 4, 0, 0, 0],
    [0, 0, 0, 0, 3],
    [2, 0, 0, 0, 0],
    [0, 0, 1, 0, 0],
];

/// Diagnoses of Fleiss (1971), Table 1: thirty patients, six psychiatrists, five categories.
const DIAGNOSES: [[u32; 5]; 30] = [
    [0, 0, 0, 6, 0],
    [0, 3, 0, 0, 3],
    [0, 1, 4, 0, 1],
    [0, 0, 0, 0, 6],
    [0, 3, 0, 3, 0],
    [2, 0, 4, 0, 0],
    [0, 0, 4, 0, 2],
    [2, 0, 3, 1, 0],
    [2, 0, 0, 4, 0],
    [0, 0, 0, 0, 6],
    [1, 0, 0, 5, 0],
    [1, 1, 0, 4, 0],
    [0, 3, 3, 0, 0],
    [1, 0, 0, 5, 0],
    [0, 2, 0, 3, 1],
    [0, 0, 5, 0, 1],
    [3, 0, 0, 1, 2],
    [5, 1, 0, 0, 0],
    [0, 2, 0, 4, 0],
    [1, 0, 2, 0, 3],
    [0, 0, 0, 0, 6],
    [0, 1, 0, 5, 0],
    [0, 2, 0, 1, 3],
    [2, 0, 0, 4, 0],
    [1, 0, 0, 4, 1],
    [0, 5, 0, 1, 0],
    [4, 0, 0, 0, 2],
    [0, 2, 0, 4, 0],
    [1, 0, 5, 0, 0],
    [0, 0, 0, 0, 6],
];

fn assert_close(found: Option<f64>, expected: f64) {
    let found = found.expect("the coefficient is defined");
    assert!((found - expected).abs() < 1e-11, "{found} {expected}");
}

#[test]
fn coefficients_match_published_examples() {
    // Krippendorff (2011) prints 0.743, 0.815 and 0.849; the digits are those of the Python package
    // krippendorff 0.8.
    assert_close(
        krippendorff_alpha(&FOUR_RATERS, MeasurementLevel::Nominal),
        0.743_421_052_631_579,
    );
    assert_close(
        krippendorff_alpha(&FOUR_RATERS, MeasurementLevel::Ordinal),
        0.815_387_503_754_881_4,
    );
    assert_close(
        krippendorff_alpha(&FOUR_RATERS, MeasurementLevel::Interval),
        0.849_107_142_857_142_8,
    );
    // Gwet (2014) prints AC1 0.775 and Fleiss' kappa 0.761 for these ratings; the digits are those
    // of the R package irrCAC.
    assert_close(gwet_ac1(&FOUR_RATERS), 0.775_444_068_127);
    assert_close(fleiss_kappa(&FOUR_RATERS), 0.761_169_275_422);
    assert_close(
        gwet_ac2(&FOUR_RATERS, AgreementWeights::Linear),
        0.858_739_136_433,
    );
    assert_close(
        gwet_ac2(&FOUR_RATERS, AgreementWeights::Quadratic),
        0.914_000_723_552,
    );
    assert_close(
        gwet_ac2(&FOUR_RATERS, AgreementWeights::Ordinal),
        0.898_939_769_908,
    );
    // Fleiss (1971) prints 0.430; the digits are those of statsmodels.
    assert_close(fleiss_kappa(&DIAGNOSES), 0.430_244_520_060_140_74);
}

#[test]
fn coefficients_are_none_without_disagreement_or_repeated_answers() {
    let nothing: [[u32; 3]; 0] = [];
    assert_eq!(
        krippendorff_alpha(&nothing, MeasurementLevel::Nominal),
        None
    );
    assert_eq!(fleiss_kappa(&nothing), None);
    assert_eq!(gwet_ac1(&nothing), None);
    // No unit has two answers.
    assert_eq!(fleiss_kappa(&[[1, 0, 0], [0, 1, 0]]), None);
    assert_eq!(
        krippendorff_alpha(&[[1, 0, 0], [0, 1, 0]], MeasurementLevel::Nominal),
        None
    );
    // All answers are the same, so chance agreement is 1 for kappa and alpha, but 0 for AC1.
    assert_eq!(fleiss_kappa(&[[4, 0, 0], [4, 0, 0]]), None);
    assert_eq!(
        krippendorff_alpha(&[[4, 0, 0], [4, 0, 0]], MeasurementLevel::Ordinal),
        None
    );
    assert_eq!(gwet_ac1(&[[4, 0, 0], [4, 0, 0]]), Some(1.0));
}

fn any_pair_votes() -> impl Strategy<Value = Vec<Votes>> {
    let pair = (0_u32..6, 0_u32..6, 0_u32..6).prop_map(|(a, equal, b)| Votes { a, equal, b });
    prop::collection::vec(pair, 1..30)
}

fn coefficients(votes: &[Votes]) -> [Option<f64>; 6] {
    let found = AgreementCoefficients::from_votes(votes);
    [
        found.score,
        found.alpha_nominal,
        found.alpha_ordinal,
        found.fleiss_kappa,
        found.ac1,
        found.ac2,
    ]
}

fn is_close(a: Option<f64>, b: Option<f64>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => (a - b).abs() < 1e-9,
        (a, b) => a == b,
    }
}

proptest! {
    #[test]
    fn every_coefficient_is_at_most_1(votes in any_pair_votes()) {
        for found in coefficients(&votes).into_iter().flatten() {
            prop_assert!(found <= 1.0 + 1e-12, "{found}");
        }
    }

    #[test]
    fn every_coefficient_is_1_if_assessors_agree_on_each_pair(votes in any_pair_votes()) {
        let agreed: Vec<Votes> = votes.iter().map(|votes| match votes.len() % 3 {
            0 => Votes { a: 2, equal: 0, b: 0 },
            1 => Votes { a: 0, equal: 3, b: 0 },
            _ => Votes { a: 0, equal: 0, b: 4 },
        }).collect();
        for found in coefficients(&agreed).into_iter().flatten() {
            prop_assert!((found - 1.0).abs() < 1e-12, "{found}");
        }
    }

    #[test]
    fn coefficients_ignore_pair_order_and_swapping_items_of_all_pairs(votes in any_pair_votes()) {
        let mirrored: Vec<Votes> = votes.iter().rev().map(|votes| votes.mirrored()).collect();
        for (a, b) in coefficients(&votes).into_iter().zip(coefficients(&mirrored)) {
            prop_assert!(is_close(a, b), "{a:?} {b:?}");
        }
    }

    #[test]
    fn score_is_mean_over_pairs_and_ignores_pairs_with_one_answer(votes in any_pair_votes()) {
        let scores: Vec<f64> = votes.iter().filter_map(Votes::agreement).collect();
        let mean = (!scores.is_empty()).then(|| scores.iter().sum::<f64>() / scores.len() as f64);
        prop_assert!(is_close(AgreementCoefficients::from_votes(&votes).score, mean));
        let with_single: Vec<Votes> =
            votes.iter().copied().chain([Votes { a: 1, equal: 0, b: 0 }]).collect();
        let (before, after) = (AgreementCoefficients::from_votes(&votes), AgreementCoefficients::from_votes(&with_single));
        prop_assert!(is_close(before.score, after.score));
        prop_assert!(is_close(before.alpha_nominal, after.alpha_nominal));
    }

    #[test]
    fn alpha_is_kappa_with_small_sample_correction_for_two_answers_per_unit(
        pairs in prop::collection::vec((0_usize..3, 0_usize..3), 2..40)
    ) {
        // Chance agreement is drawing without replacement for alpha and with replacement for kappa,
        // so for two answers per unit and n answers 1 - alpha = (1 - kappa) (n - 1) / n.
        let units: Vec<[u32; 3]> = pairs.iter().map(|&(first, second)| {
            let mut unit = [0; 3];
            unit[first] += 1;
            unit[second] += 1;
            unit
        }).collect();
        let n = 2.0 * units.len() as f64;
        let (alpha, kappa) = (krippendorff_alpha(&units, MeasurementLevel::Nominal), fleiss_kappa(&units));
        if let (Some(alpha), Some(kappa)) = (alpha, kappa) {
            prop_assert!((1.0 - alpha - (1.0 - kappa) * (n - 1.0) / n).abs() < 1e-9);
        }
    }
}

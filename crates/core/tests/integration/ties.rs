//! Scores of rankings with ties, compared with the scores of all orders of the tied documents.

use crate::support::{Case, cases, definition_of, every_measure, measure, score};
use partita_core::measure::{self, REGISTRY, ScoreRange};
use partita_core::{Measure, QueryTruth, Ranking, Slot};
use proptest::prelude::*;

/// Returns all orders of the items.
fn all_orders<T: Clone>(items: &[T]) -> Vec<Vec<T>> {
    let Some((last, others)) = items.split_last() else {
        return vec![vec![]];
    };
    let mut all = Vec::new();
    for order in all_orders(others) {
        for place in 0..=order.len() {
            let mut with = order.clone();
            with.insert(place, last.clone());
            all.push(with);
        }
    }
    all
}

/// Returns all orders of the items within groups. The order of the groups stays the same.
fn orders_within<T: Clone>(groups: &[Vec<T>]) -> Vec<Vec<T>> {
    groups.iter().fold(vec![vec![]], |before, group| {
        let inside = all_orders(group);
        let with = |start: &Vec<T>| {
            let start = start.clone();
            inside.iter().map(move |end| [&start[..], end].concat())
        };
        before.iter().flat_map(with).collect()
    })
}

/// Scores each ranking and returns the lowest, mean and highest score; `None` if the measure is
/// undefined for one of them.
fn range_by_enumeration(
    measure: &dyn Measure,
    truth: &QueryTruth,
    rankings: impl Iterator<Item = Ranking>,
) -> Option<ScoreRange> {
    let scores: Vec<f64> = rankings
        .map(|strict| {
            assert!(!strict.is_tied());
            measure.score(truth, &strict)
        })
        .collect::<Option<_>>()?;
    Some(ScoreRange {
        min: scores.iter().copied().fold(f64::INFINITY, f64::min),
        mean: scores.iter().sum::<f64>() / scores.len() as f64,
        max: scores.iter().copied().fold(f64::NEG_INFINITY, f64::max),
    })
}

fn assert_same_range(text: &str, got: Option<ScoreRange>, expected: Option<ScoreRange>) {
    let close = |a: f64, b: f64| (a - b).abs() <= 1e-12 * b.abs().max(1.0);
    let same = match (got, expected) {
        (None, None) => true,
        (Some(got), Some(expected)) => {
            close(got.min, expected.min)
                && close(got.mean, expected.mean)
                && close(got.max, expected.max)
        }
        _ => false,
    };
    assert!(same, "{text}: got {got:?}, by enumeration {expected:?}");
}

/// Returns true if the tied groups have few enough orders to try all of them with every measure.
fn few_orders(case: &Case) -> bool {
    let orders: usize = case
        .result
        .iter()
        .map(|g| (1..=g.len()).product::<usize>())
        .product();
    orders <= 150
}

proptest! {
    #[test]
    fn score_range_equals_enumeration_of_the_orders_of_ranked_documents(
        case in cases(1..5).prop_filter("too many orders", few_orders),
        texts in every_measure(),
    ) {
        let truth = case.truth();
        let ranking = case.ranking(&truth);
        let groups: Vec<Vec<Slot>> = ranking.groups().map(<[Slot]>::to_vec).collect();
        let all = orders_within(&groups);
        prop_assert_eq!(texts.len(), REGISTRY.len());
        for text in &texts {
            let measure = measure(text);
            let got = measure::score_range(measure.as_ref(), &truth, &ranking);
            let name = definition_of(text).name;
            if name == "ADRinv" && ranking.is_tied() {
                // ADRinv is defined for rankings without ties only.
                prop_assert_eq!(got, None);
                continue;
            }
            let strict = all.iter().map(|slots| Ranking::from_slots(slots.clone()));
            let expected = range_by_enumeration(measure.as_ref(), &truth, strict);
            assert_same_range(text, got, expected);
        }
    }

    #[test]
    fn score_range_is_that_over_name_orders_if_no_group_repeats_a_document(
        case in cases(1..4)
            .prop_filter("too many orders", few_orders)
            .prop_map(without_repeats_in_groups),
        texts in every_measure(),
    ) {
        let truth = case.truth();
        let ranking = case.ranking(&truth);
        let all = orders_within(&case.result);
        for text in texts.iter().filter(|text| !text.starts_with("ADRinv")) {
            let measure = measure(text);
            let got = measure::score_range(measure.as_ref(), &truth, &ranking);
            let strict = all.iter().map(|order| crate::support::ranking(&truth, order));
            assert_same_range(text, got, range_by_enumeration(measure.as_ref(), &truth, strict));
        }
    }

    #[test]
    fn the_score_of_a_tied_ranking_is_the_mean_of_its_range(
        case in cases(1..4),
        texts in every_measure(),
    ) {
        let truth = case.truth();
        let ranking = case.ranking(&truth);
        for text in &texts {
            let range = measure::score_range(measure(text).as_ref(), &truth, &ranking);
            prop_assert_eq!(score(text, &truth, &ranking), range.map(|r| r.mean), "{}", text);
        }
    }

    #[test]
    fn document_order_within_tied_groups_changes_no_score_range(
        (case, other) in cases(2..5).prop_flat_map(|case| {
            let shuffled: Vec<_> = case.result.iter().map(|g| Just(g.clone()).prop_shuffle()).collect();
            (Just(case), shuffled)
        }),
        texts in every_measure(),
    ) {
        let case = without_repeats_in_groups(case);
        let other = without_repeats_in_groups(Case { result: other, ..case.clone() });
        let truth = case.truth();
        for text in &texts {
            let measure = measure(text);
            let range = |case: &Case| measure::score_range(measure.as_ref(), &truth, &case.ranking(&truth));
            assert_same_range(text, range(&other), range(&case));
        }
    }
}

/// Removes repeated documents from each group of the result.
fn without_repeats_in_groups(mut case: Case) -> Case {
    for group in &mut case.result {
        group.sort();
        group.dedup();
    }
    case
}

#[test]
fn a_result_with_the_same_ties_as_the_truth_has_an_adr_of_exactly_1() {
    for size in 1..200 {
        let group: Vec<String> = (0..size).map(|i| format!("d{i}")).collect();
        let groups = [group, vec!["last".to_owned()]];
        let truth = crate::support::grouped(&groups);
        let ranking = crate::support::tied_ranking(&truth, &groups);
        assert_eq!(
            score("ADR", &truth, &ranking),
            Some(1.0),
            "{size} documents"
        );
    }
}

#[test]
fn adr_range_over_the_orders_of_a_tie_is_exact() -> Result<(), Box<dyn std::error::Error>> {
    use partita_core::{QueryTruth, Ranking, measure};

    let truth = QueryTruth::from_groups([["a"].as_slice(), &["b"], &["c"]])?;
    let result = Ranking::from_name_groups(
        truth.names(),
        [["b", "a"].as_slice(), &["c"]].map(<[&str]>::to_vec),
    );
    let adr = measure::parse("ADR", 3.0)?;
    let range = measure::score_range(adr.as_ref(), &truth, &result).unwrap();
    assert!((range.min - 2.0 / 3.0).abs() < 1e-15);
    assert!((range.mean - 5.0 / 6.0).abs() < 1e-15);
    assert_eq!(range.max, 1.0);
    Ok(())
}

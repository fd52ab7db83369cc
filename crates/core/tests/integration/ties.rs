//! Scores of rankings with ties, against all their orders one by one.

use crate::support::{Case, cases, definition_of, measure, one_of_each, score};
use partita_core::measure::{self, REGISTRY, ScoreRange};
use partita_core::{Measure, QueryTruth, Ranking, Slot};
use proptest::prelude::*;

/// All orders of some things.
fn orders<T: Clone>(things: &[T]) -> Vec<Vec<T>> {
    let Some((last, others)) = things.split_last() else {
        return vec![vec![]];
    };
    let mut all = Vec::new();
    for order in orders(others) {
        for place in 0..=order.len() {
            let mut with = order.clone();
            with.insert(place, last.clone());
            all.push(with);
        }
    }
    all
}

/// All orders within groups, the order of the groups being kept.
fn orders_within<T: Clone>(groups: &[Vec<T>]) -> Vec<Vec<T>> {
    groups.iter().fold(vec![vec![]], |before, group| {
        let inside = orders(group);
        let with = |start: &Vec<T>| {
            let start = start.clone();
            inside.iter().map(move |end| [&start[..], end].concat())
        };
        before.iter().flat_map(with).collect()
    })
}

/// Scores every order apart. `None` if the measure is undefined for one of them.
fn by_enumeration(
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

/// Few enough orders to try them all for every measure.
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
    fn the_range_of_every_measure_is_that_over_all_orders_of_the_slots(
        case in cases(1..5).prop_filter("too many orders", few_orders),
        texts in one_of_each(),
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
                // The tie-break of the paper is defined for strict orders only.
                prop_assert_eq!(got, None);
                continue;
            }
            let strict = all.iter().map(|slots| Ranking::from_slots(slots.clone()));
            let expected = by_enumeration(measure.as_ref(), &truth, strict);
            assert_same_range(text, got, expected);
        }
    }

    #[test]
    fn where_no_document_is_tied_with_itself_the_orders_are_those_of_the_documents(
        case in cases(1..4)
            .prop_filter("too many orders", few_orders)
            .prop_map(without_documents_tied_with_themselves),
        texts in one_of_each(),
    ) {
        let truth = case.truth();
        let ranking = case.ranking(&truth);
        let all = orders_within(&case.result);
        for text in texts.iter().filter(|text| !text.starts_with("ADRinv")) {
            let measure = measure(text);
            let got = measure::score_range(measure.as_ref(), &truth, &ranking);
            let strict = all.iter().map(|order| crate::support::ranking(&truth, order));
            assert_same_range(text, got, by_enumeration(measure.as_ref(), &truth, strict));
        }
    }

    #[test]
    fn the_score_of_a_tied_ranking_is_the_mean_of_its_range(
        case in cases(1..4),
        texts in one_of_each(),
    ) {
        let truth = case.truth();
        let ranking = case.ranking(&truth);
        for text in &texts {
            let range = measure::score_range(measure(text).as_ref(), &truth, &ranking);
            prop_assert_eq!(score(text, &truth, &ranking), range.map(|r| r.mean), "{}", text);
        }
    }

    #[test]
    fn the_orders_of_documents_within_tied_groups_do_not_matter(
        (case, other) in cases(2..5).prop_flat_map(|case| {
            let shuffled: Vec<_> = case.result.iter().map(|g| Just(g.clone()).prop_shuffle()).collect();
            (Just(case), shuffled)
        }),
        texts in one_of_each(),
    ) {
        let case = without_documents_tied_with_themselves(case);
        let other = without_documents_tied_with_themselves(Case { result: other, ..case.clone() });
        let truth = case.truth();
        for text in &texts {
            let measure = measure(text);
            let range = |case: &Case| measure::score_range(measure.as_ref(), &truth, &case.ranking(&truth));
            assert_same_range(text, range(&other), range(&case));
        }
    }
}

fn without_documents_tied_with_themselves(mut case: Case) -> Case {
    for group in &mut case.result {
        group.sort();
        group.dedup();
    }
    case
}

#[test]
fn a_result_that_ties_just_what_the_truth_ties_has_an_adr_of_exactly_one() {
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
fn the_range_over_orders_of_a_tie_is_exact() -> Result<(), Box<dyn std::error::Error>> {
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

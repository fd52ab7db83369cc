//! Properties of every measure of the registry, so that new measures are tested too.

use crate::support::{Case, HIGHEST_GRADE, cases, definition_of, every_measure, measure, score};
use partita_core::measure::{self, CutoffRule, REGISTRY};
use partita_core::{Gains, Ranking, Slot, ZeroGainPolicy};
use proptest::prelude::*;
use proptest::sample::Index;

/// Returns true if the measure reads the groups of the list, not the gains of the documents.
fn reads_groups(text: &str) -> bool {
    ["ADR", "DR", "ADRinv"].contains(&definition_of(text).name)
}

/// Returns the case with other document names: `other[i]` for di, and y for x.
fn with_renamed_documents(case: &Case, other: &[String]) -> Case {
    let label = |name: &String| match name.strip_prefix('d') {
        Some(i) => other[i.parse::<usize>().expect("a number")].clone(),
        None => name.replace('x', "y"),
    };
    let judgments = case.judgments.iter().map(|(name, g)| (label(name), *g));
    let result = case
        .result
        .iter()
        .map(|group| group.iter().map(label).collect());
    Case {
        judgments: judgments.collect(),
        zero: case.zero,
        result: result.collect(),
    }
}

/// Generates grades from the lowest to the highest that [`Gains`] accepts.
fn extreme_grade() -> impl Strategy<Value = f64> {
    let named = [
        -Gains::MAX_ABS,
        -1.0,
        0.0,
        f64::from_bits(1),
        1e-310,
        1e-20,
        1.0,
        1000.0,
        1025.0,
        2000.0,
        Gains::MAX_ABS,
    ];
    prop_oneof![
        prop::sample::select(named.to_vec()),
        (-320.0..100f64).prop_map(|exponent| 10f64.powf(exponent)),
    ]
}

/// Measures with parameters at the ends of their ranges.
const EXTREME_MEASURES: &[&str] = &[
    "AG(scale=max,max=1e-300)@1000000",
    "AG(scale=max,max=1e308)@1000000",
    "DCG(gain=exp,b=1.0000000000000002)",
    "DCG(gain=exp,b=1e308)",
    "nDCG(b=1.0000000000000002)",
    "nDCG(ideal=max,max=1e-300)@3",
    "nDCG(ideal=max,max=1e308)@1000",
    "nDCG(gain=exp,ideal=max,max=1e-300)@3",
    "nDCG(gain=exp,ideal=max,max=1e308)@3",
    "ANDCG(gain=exp,ideal=max,max=1e-300)@3",
    "ANDCG(ideal=max,max=1e308)@1000",
    "ERR(max=1e-300)",
    "ERR(max=1e308)",
    "P(rel=1e308)@3",
    "bpref(rel=1e308)",
    "RBP(p=1e-320)",
    "RBP(p=0.9999999999999999)",
    "RBPresidual(p=1e-320)",
    "RBPresidual(p=0.9999999999999999)",
    "Compat(p=1e-320)",
    "Compat(p=0.9999999999999999)",
];

/// Returns true if both scores are `None`, or equal up to rounding error.
fn nearly_equal(one: Option<f64>, other: Option<f64>) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => (one - other).abs() <= 1e-12 * one.abs().max(1.0),
        (one, other) => one == other,
    }
}

proptest! {
    #[test]
    fn every_score_lies_in_the_range_of_its_definition(
        case in cases(1..4),
        strict in any::<bool>(),
        texts in every_measure(),
    ) {
        let truth = case.truth();
        let ranking = if strict { case.strict_ranking(&truth) } else { case.ranking(&truth) };
        for text in &texts {
            let Some(score) = score(text, &truth, &ranking) else { continue };
            let range = definition_of(text).range;
            let highest = match range {
                "0 to 1" => 1.0,
                "0 upwards" => f64::MAX,
                "0 to the highest grade; 0 to 1 with scale=max" if text.contains("scale=max") => 1.0,
                "0 to the highest grade; 0 to 1 with scale=max" => HIGHEST_GRADE,
                other => panic!("{text}: a range that no test knows: {other}"),
            };
            prop_assert!((0.0..=highest + 1e-12).contains(&score), "{text} is {score}, not {range}");
        }
    }

    #[test]
    fn every_score_is_finite_and_in_range_for_extreme_grades(
        case in cases(1..4),
        grades in prop::collection::vec(extreme_grade(), 7),
        strict in any::<bool>(),
        texts in every_measure(),
    ) {
        let mut case = case;
        for ((_, grade), extreme) in case.judgments.iter_mut().zip(grades) {
            *grade = extreme;
        }
        let truth = case.truth();
        let ranking = if strict { case.strict_ranking(&truth) } else { case.ranking(&truth) };
        let highest = truth.ideal_gains().first().copied().unwrap_or(0.0);
        let exponential = ["DCG", "nDCG", "ANDCG"].map(|name| format!("{name}(gain=exp)@5"));
        let texts = texts.iter().chain(&exponential).map(String::as_str);
        for text in texts.chain(EXTREME_MEASURES.iter().copied()) {
            let measure = measure::parse(text, highest).unwrap();
            let Some(score) = measure.score(&truth, &ranking) else { continue };
            prop_assert!(score.is_finite() && score >= 0.0, "{text} is {score}");
            // Gains below 1e-300 have few digits in a double, so that rounding can raise a mean
            // above 1.
            if highest >= 1e-300 && definition_of(text).range == "0 to 1" {
                prop_assert!(score <= 1.0 + 1e-12, "{text} is {score}");
            }
        }
    }

    #[test]
    fn moving_a_document_ahead_of_a_less_relevant_one_never_lowers_a_score(
        case in cases(1..2),
        pair in any::<Index>(),
        texts in every_measure(),
    ) {
        let truth = case.truth();
        let ranking = case.strict_ranking(&truth);
        let slots = ranking.slots();
        let least = truth.list().group_count();
        let group = |slot: Slot| slot.item().and_then(|i| truth.group(i)).unwrap_or(least);
        let mut pairs: Vec<(usize, usize)> = (0..slots.len())
            .flat_map(|behind| (0..behind).map(move |ahead| (ahead, behind)))
            // A repeat at the earlier rank is not a less relevant document: dedup=first removes it.
            .filter(|&(ahead, _)| !slots[ahead].is_repeat())
            .filter(|&(ahead, behind)| group(slots[behind]) < group(slots[ahead]))
            .collect();
        // All pairs of neighbours, and one random pair at any distance.
        let any = pairs.get(pair.index(pairs.len().max(1))).copied();
        pairs.retain(|(ahead, behind)| ahead + 1 == *behind);
        for (ahead, behind) in pairs.into_iter().chain(any) {
            let mut slots = slots.to_vec();
            slots.swap(ahead, behind);
            let better = Ranking::from_slots(slots);
            for text in texts.iter().filter(|t| definition_of(t).higher_is_better == Some(true)) {
                // bpref ignores unjudged documents. If an unjudged document and a judged
                // non-relevant one behind it change places, the latter moves ahead of the relevant
                // documents between them.
                if text.starts_with("bpref") && ahead + 1 < behind {
                    continue;
                }
                let (before, after) = (score(text, &truth, &ranking), score(text, &truth, &better));
                prop_assert_eq!(before.is_some(), after.is_some());
                let least = before.map(|score| score - 1e-12);
                prop_assert!(after >= least, "{text}: {before:?}, then {after:?}");
            }
        }
    }

    #[test]
    fn an_ideal_result_has_the_highest_score(case in cases(1..2), k in 1usize..12) {
        let truth = case.truth();
        let mut best_first = case.judgments.clone();
        best_first.sort_by(|a, b| b.1.total_cmp(&a.1));
        let documents = best_first.iter().map(|(name, _)| name).chain(case.result.iter().flatten());
        let ideal = crate::support::ranking(&truth, &documents.collect::<Vec<_>>());
        let relevant = !truth.ideal_gains().is_empty();
        let forms = ["nDCG", "nDCG(discount=log)", "nDCG(gain=exp,b=3)", "ANDCG", "RR", "Compat"];
        for text in forms.map(|form| format!("{form}@{k}")) {
            let score = score(&text, &truth, &ideal);
            prop_assert_eq!(score, Some(if relevant { 1.0 } else { 0.0 }), "{}", text);
        }
        for text in ["nDCG", "AP", "Recall", "RR", "bpref"] {
            let score = score(text, &truth, &ideal);
            prop_assert_eq!(score, Some(if relevant { 1.0 } else { 0.0 }), "{}", text);
        }
        if relevant {
            prop_assert_eq!(score("ADR", &truth, &ideal), Some(1.0));
        }
    }

    #[test]
    fn rbp_plus_its_residual_is_at_most_1(
        case in cases(1..4),
        p in 0.01f64..0.99,
        k in prop::option::of(1usize..12),
    ) {
        let truth = case.truth();
        let ranking = case.ranking(&truth);
        let at = k.map_or(String::new(), |k| format!("@{k}"));
        let rbp = score(&format!("RBP(p={p}){at}"), &truth, &ranking).unwrap();
        let residual = score(&format!("RBPresidual(p={p}){at}"), &truth, &ranking).unwrap();
        prop_assert!(rbp + residual <= 1.0 + 1e-12);
        // If all unjudged documents turned out relevant, RBP would reach the sum of RBP and
        // residual, except for the weight of the ranks after the result or the cut-off.
        let mut judgments = case.judgments.clone();
        for document in case.result.iter().flatten() {
            if judgments.iter().all(|(name, _)| name != document) {
                judgments.push((document.clone(), 1.0));
            }
        }
        let complete = Case { judgments, ..case.clone() };
        let truth = complete.truth();
        let depth = k.unwrap_or(usize::MAX).min(ranking.len());
        let seen = score(&format!("RBP(p={p}){at}"), &truth, &complete.ranking(&truth)).unwrap();
        prop_assert!((seen + p.powi(depth as i32) - rbp - residual).abs() < 1e-12);
    }

    #[test]
    fn renaming_the_documents_changes_no_score(
        (case, order) in cases(1..4).prop_flat_map(|case| {
            let order: Vec<usize> = (0..case.judgments.len()).collect();
            (Just(case), Just(order).prop_shuffle())
        }),
        labels in Just((0..7usize).map(|i| format!("d{i}")).collect::<Vec<_>>()).prop_shuffle(),
        texts in every_measure(),
    ) {
        let truth = case.truth();
        let mut other = with_renamed_documents(&case, &labels);
        // The order of the judgments changes, too.
        other.judgments = order.iter().map(|&i| other.judgments[i].clone()).collect();
        let other_truth = other.truth();
        for text in texts.iter().filter(|text| !text.starts_with("ADRinv")) {
            let before = score(text, &truth, &case.ranking(&truth));
            let after = score(text, &other_truth, &other.ranking(&other_truth));
            prop_assert!(nearly_equal(before, after), "{text}: {before:?}, then {after:?}");
        }
        // ADRinv chooses its filler document by name, so here the new names keep the order of the
        // old.
        let labels: Vec<String> = (0..7usize).map(|i| format!("e{i}")).collect();
        let other = with_renamed_documents(&case, &labels);
        let other_truth = other.truth();
        prop_assert_eq!(
            score("ADRinv", &truth, &case.strict_ranking(&truth)),
            score("ADRinv", &other_truth, &other.strict_ranking(&other_truth))
        );
    }

    #[test]
    fn documents_past_the_depth_of_a_measure_do_not_matter(
        case in cases(1..2),
        relevant in any::<bool>(),
        texts in every_measure(),
    ) {
        let truth = case.truth();
        let ranking = case.strict_ranking(&truth);
        for text in &texts {
            let measure = measure(text);
            let depth = measure.depth(&truth, &ranking);
            prop_assert!(depth <= ranking.len());
            let (read, past) = ranking.slots().split_at(depth);
            // Replaces the documents past the depth by the most relevant ones not returned before,
            // or by unjudged ones. Repeats stay, because dedup=first shortens the result by them.
            let mut items = truth.list().items().iter().map(|&item| Slot::from(item));
            let other = past.iter().map(|&slot| match slot {
                slot if slot.is_repeat() => slot,
                _ if relevant => items.find(|s| !read.contains(s)).unwrap_or(Slot::UNJUDGED),
                _ => Slot::UNJUDGED,
            });
            let other = Ranking::from_slots(read.iter().copied().chain(other).collect());
            let (before, after) = (measure.score(&truth, &ranking), measure.score(&truth, &other));
            prop_assert_eq!(before, after, "{} at {}", text, depth);
        }
    }

    #[test]
    fn a_last_group_of_zero_grades_affects_only_measures_that_read_groups(
        case in cases(1..4),
        texts in every_measure(),
    ) {
        let leave_out = Case { zero: ZeroGainPolicy::LeaveOut, ..case.clone() }.truth();
        let last_group = Case { zero: ZeroGainPolicy::LastGroup, ..case.clone() }.truth();
        for text in texts.iter().filter(|text| !reads_groups(text)) {
            let left_out = score(text, &leave_out, &case.ranking(&leave_out));
            let literal = score(text, &last_group, &case.ranking(&last_group));
            prop_assert_eq!(left_out, literal, "{}", text);
        }
    }

    #[test]
    fn an_empty_result_scores_0_except_by_residual_and_undefined_measures(case in cases(1..2), texts in every_measure()) {
        let truth = case.truth();
        let nothing = Ranking::default();
        for text in &texts {
            let score = score(text, &truth, &nothing);
            match definition_of(text).name {
                "Judged" | "Unjudged" => prop_assert_eq!(score, None),
                "RBPresidual" => prop_assert_eq!(score, Some(1.0)),
                _ if reads_groups(text) && truth.list().is_empty() => {
                    prop_assert_eq!(score, None);
                }
                _ => prop_assert_eq!(score, Some(0.0), "{}", text),
            }
        }
    }
}

#[test]
fn every_measure_with_cutoff_accepts_1000000_and_rejects_more() {
    let judgments = vec![("d0".to_owned(), 2.0), ("d1".to_owned(), 1.0)];
    let result = ["d1", "d0"].map(str::to_owned);
    let k = 1_000_000;
    for result in [
        vec![result.to_vec()],
        result.map(|name| vec![name]).to_vec(),
    ] {
        let case = Case {
            judgments: judgments.clone(),
            zero: ZeroGainPolicy::LeaveOut,
            result,
        };
        let truth = case.truth();
        let ranking = case.ranking(&truth);
        let at = |name: &str| score(&format!("{name}@{k}"), &truth, &ranking).unwrap();
        for definition in REGISTRY.iter().filter(|d| d.cutoff != CutoffRule::None) {
            assert!(at(definition.name) >= 0.0, "{}", definition.name);
            let deeper = format!("{}@{}", definition.name, k + 1);
            assert!(measure::parse(&deeper, HIGHEST_GRADE).is_err(), "{deeper}");
        }
        // Positions past the end of the result add nothing but count in the divisor.
        assert_eq!(at("DR"), 2.0 / f64::from(k));
        assert_eq!(at("P"), 2.0 / f64::from(k));
        assert_eq!(at("AG"), 3.0 / f64::from(k));
        for name in ["CG", "DCG", "nDCG", "Recall", "AP", "RR", "RBP", "ERR"] {
            assert_eq!(Some(at(name)), score(name, &truth, &ranking), "{name}");
        }
        // Both documents count at every position after the first; at the first, d0 counts if it is
        // there, as in half of the orders of the tie. The sum is 2 (H(k) - 1) with the harmonic
        // number H(k), plus 1/2 for the tie.
        let tied = ranking.is_tied();
        let first = if tied { 0.5 } else { 0.0 };
        let expected = (2.0 * (14.392726722865724 - 1.0) + first) / f64::from(k);
        assert!((at("ADR") - expected).abs() < 1e-18);
    }
}

//! Average Dynamic Recall against its definition, spelled out with sets of names.

use std::collections::HashSet;

use crate::support::{grouped, ranking, score, tied_ranking};
use partita_core::measure::found_per_position;
use proptest::prelude::*;

type Groups = Vec<Vec<String>>;

/// Computes dynamic recall r_1, ..., r_last by its definition in section 3 of Typke, Veltkamp and
/// Wiering (2006). Past the end of the ground truth its last group remains; past the end of the
/// result no further document is found.
fn dynamic_recall_by_definition(groups: &Groups, result: &[String], last: usize) -> Vec<f64> {
    let (mut seen, mut open) = (HashSet::new(), HashSet::new());
    let mut later = groups.iter();
    (1..=last)
        .map(|i| {
            while open.len() < i {
                let Some(group) = later.next() else { break };
                open.extend(group);
            }
            seen.extend(result.get(i - 1));
            seen.intersection(&open).count() as f64 / i as f64
        })
        .collect()
}

/// Computes ADR by its definition: the sum of dynamic recall over the positions 1 to `last`,
/// divided by `divisor`; 0 if `divisor` is 0.
fn adr_by_definition(groups: &Groups, result: &[String], last: usize, divisor: usize) -> f64 {
    match divisor {
        0 => 0.0,
        _ => {
            dynamic_recall_by_definition(groups, result, last)
                .iter()
                .sum::<f64>()
                / divisor as f64
        }
    }
}

/// Computes ADRinv by its definition in section 4 of Typke, Veltkamp and Wiering (2006): the ADR of
/// a list constructed from the result, with the groups in reverse order.
fn adr_inv_by_definition(groups: &Groups, result: &[String]) -> f64 {
    let n: usize = groups.iter().map(Vec::len).sum();
    let mut returned = HashSet::new();
    let kept: Vec<Option<String>> = (1..)
        .zip(result.iter().take(n))
        .map(|(w, document)| {
            let c = groups.iter().position(|group| group.contains(document))?;
            let end: usize = groups[..=c].iter().map(Vec::len).sum();
            let misplaced = w <= end - groups[c].len() || w > end;
            (returned.insert(document) && misplaced).then(|| document.clone())
        })
        .collect();
    let mut first = groups[0].clone();
    first.sort();
    let free = first
        .iter()
        .find(|document| !kept.contains(&Some((*document).clone())));
    let filler = free.unwrap_or(&first[0]);
    let constructed: Vec<String> = kept
        .iter()
        .map(|kept| kept.as_ref().unwrap_or(filler).clone())
        .collect();
    let reversed: Groups = groups.iter().rev().cloned().collect();
    adr_by_definition(&reversed, &constructed, n, n)
}

/// Generates lists of groups of the documents d0, d1, ... in random order. `groups` is the range of
/// the number of groups, `size` that of the group sizes.
fn lists(
    groups: std::ops::Range<usize>,
    size: std::ops::Range<usize>,
) -> impl Strategy<Value = Groups> {
    prop::collection::vec(size, groups).prop_flat_map(|sizes| {
        let n: usize = sizes.iter().sum();
        let documents: Vec<String> = (0..n).map(|i| format!("d{i}")).collect();
        Just(documents).prop_shuffle().prop_map(move |documents| {
            let mut documents = documents.into_iter();
            sizes
                .iter()
                .map(|&size| documents.by_ref().take(size).collect())
                .collect()
        })
    })
}

/// Generates a list of groups, and a result with documents of the list and others, some of them
/// returned twice.
fn lists_with_results() -> impl Strategy<Value = (Groups, Vec<String>)> {
    lists(1..8, 1..5).prop_flat_map(|groups| {
        let n: usize = groups.iter().map(Vec::len).sum();
        let document = (0..n + n / 2 + 1).prop_map(|i| format!("d{i}"));
        (Just(groups), prop::collection::vec(document, 0..2 * n))
    })
}

/// Returns the score of a result by a variant of ADR, such as `ADR@5`.
fn adr(text: &str, groups: &Groups, result: &[String]) -> f64 {
    let truth = grouped(groups);
    score(text, &truth, &ranking(&truth, result)).expect("a list that is not empty")
}

/// Returns the result with only the first copy of each document.
fn without_repeats(result: &[String]) -> Vec<String> {
    let mut seen = HashSet::new();
    let mut copies = result.to_vec();
    copies.retain(|document| seen.insert(document.clone()));
    copies
}

proptest! {
    #[test]
    fn adr_with_every_option_equals_its_definition((groups, result) in lists_with_results(), k in 1usize..60) {
        let n: usize = groups.iter().map(Vec::len).sum();
        let copies = without_repeats(&result);
        let short = |documents: &[String], k: usize| documents.len().min(k).min(n);
        // Measure, result that is scored, last position of the sum, and divisor.
        let forms = [
            ("ADR".to_owned(), &result, n, n),
            (format!("ADR@{k}"), &result, k, k),
            (format!("ADR(beyond=stop)@{k}"), &result, k.min(n), k),
            (format!("ADR(beyond=cap)@{k}"), &result, k.min(n), k.min(n)),
            ("ADR(short=truncate)".to_owned(), &result, short(&result, n), short(&result, n)),
            (format!("ADR(short=truncate)@{k}"), &result, short(&result, k), short(&result, k)),
            ("ADR(dedup=first)".to_owned(), &copies, n, n),
            (format!("ADR(dedup=first)@{k}"), &copies, k, k),
            (
                format!("ADR(dedup=first,short=truncate)@{k}"),
                &copies,
                short(&copies, k),
                short(&copies, k),
            ),
        ];
        for (text, scored, last, divisor) in forms {
            let got = adr(&text, &groups, &result);
            let expected = adr_by_definition(&groups, scored, last, divisor);
            prop_assert!((got - expected).abs() < 1e-12, "{text}: {got}, not {expected}");
        }
    }

    #[test]
    fn dynamic_recall_equals_its_definition((groups, result) in lists_with_results(), k in 1usize..60) {
        let expected = dynamic_recall_by_definition(&groups, &result, k);
        let truth = grouped(&groups);
        let ranking = ranking(&truth, &result);
        let found = found_per_position(&truth, &ranking, k);
        prop_assert_eq!(found.len(), k);
        for (i, recall) in (1..).zip(&expected) {
            prop_assert!((found[i - 1] / i as f64 - recall).abs() < 1e-15);
        }
        let at = score(&format!("DR@{k}"), &truth, &ranking).unwrap();
        prop_assert!((at - expected[k - 1]).abs() < 1e-15);
    }

    #[test]
    fn adr_inv_equals_its_definition((groups, result) in lists_with_results()) {
        let got = adr("ADRinv", &groups, &result);
        prop_assert!((got - adr_inv_by_definition(&groups, &result)).abs() < 1e-12);
    }

    #[test]
    fn adr_is_1_for_every_ideal_order_and_never_exceeds_1(
        groups in lists(1..8, 1..5),
        (others, result) in lists_with_results(),
        k in 1usize..40,
    ) {
        let n: usize = groups.iter().map(Vec::len).sum();
        // `lists` shuffles the documents, so their order within a group is random.
        let ideal = groups.concat();
        prop_assert_eq!(adr("ADR", &groups, &ideal), 1.0);
        prop_assert_eq!(adr(&format!("ADR@{}", k.min(n)), &groups, &ideal), 1.0);
        prop_assert_eq!(adr(&format!("ADR(beyond=cap)@{k}"), &groups, &ideal), 1.0);
        prop_assert_eq!(adr(&format!("ADR(short=truncate)@{k}"), &groups, &ideal), 1.0);
        let cut = &ideal[..k.min(n)];
        prop_assert_eq!(adr("ADR(short=truncate)", &groups, cut), 1.0);
        for text in ["ADR".to_owned(), format!("ADR@{k}"), format!("ADR(short=truncate)@{k}")] {
            prop_assert!((0.0..=1.0).contains(&adr(&text, &others, &result)));
        }
    }

    #[test]
    fn only_an_ideal_order_has_an_adr_of_1((groups, result) in lists_with_results()) {
        let n: usize = groups.iter().map(Vec::len).sum();
        let sorted = |documents: &[String]| {
            let mut documents = documents.to_vec();
            documents.sort();
            documents
        };
        let mut left = &result[..n.min(result.len())];
        let ideal = left.len() == n && groups.iter().all(|group| {
            let (head, tail) = left.split_at(group.len());
            left = tail;
            sorted(head) == sorted(group)
        });
        prop_assert_eq!(adr("ADR", &groups, &result) == 1.0, ideal);
    }

    #[test]
    fn swapping_items_inside_a_group_leaves_adr_unchanged(
        (groups, result) in lists_with_results(),
        group in any::<prop::sample::Index>(),
        one in any::<prop::sample::Index>(),
        other in any::<prop::sample::Index>(),
        k in 1usize..40,
    ) {
        let group = &groups[group.index(groups.len())];
        let (one, other) = (&group[one.index(group.len())], &group[other.index(group.len())]);
        let swap = |document: &String| match document {
            d if d == one => other.clone(),
            d if d == other => one.clone(),
            d => d.clone(),
        };
        // Two documents of a group are swapped in the ground truth, and in the result.
        let swapped: Groups = groups.iter().map(|g| g.iter().map(swap).collect()).collect();
        let result_swapped: Vec<String> = result.iter().map(swap).collect();
        for text in ["ADR".to_owned(), format!("ADR@{k}"), format!("DR@{k}")] {
            let before = adr(&text, &groups, &result);
            prop_assert_eq!(before, adr(&text, &swapped, &result));
            prop_assert_eq!(before, adr(&text, &groups, &result_swapped));
        }
    }

    #[test]
    fn adr_never_rises_if_a_less_relevant_document_is_swapped_forward(
        (groups, result) in lists_with_results(),
        one in any::<prop::sample::Index>(),
        other in any::<prop::sample::Index>(),
    ) {
        let mut result = without_repeats(&result);
        if result.len() < 2 {
            return Ok(());
        }
        let (w, v) = (one.index(result.len()), other.index(result.len()));
        let (w, v) = (w.min(v), w.max(v));
        // Number of documents in the groups before that of a document; `None` for a document
        // outside the list, which never counts.
        let start = |document: &String| {
            let c = groups.iter().position(|group| group.contains(document))?;
            Some(groups[..c].iter().map(Vec::len).sum::<usize>())
        };
        let (Some(first), Some(second)) = (start(&result[w]), start(&result[v])) else {
            return Ok(());
        };
        let before = adr("ADR", &groups, &result);
        result.swap(w, v);
        let after = adr("ADR", &groups, &result);
        // If both groups start at index w or before, or neither before index v, the order of the
        // two documents does not matter: the weakness of ADR that section 4 of Typke, Veltkamp and
        // Wiering (2006) describes. Otherwise the order with the more relevant document first
        // scores at least as high.
        if first.max(second) <= w || first.min(second) >= v {
            prop_assert_eq!(before, after);
        } else if first < second {
            prop_assert!(after <= before);
        } else {
            prop_assert!(before <= after);
        }
    }

    #[test]
    fn a_false_positive_never_raises_adr(
        (groups, result) in lists_with_results(),
        place in any::<prop::sample::Index>(),
        tied in any::<bool>(),
        k in 1usize..40,
    ) {
        let place = place.index(result.len() + 1);
        let mut with = result.clone();
        with.insert(place, "false positive".to_owned());
        let texts = ["ADR", "ADR(dedup=first)"].map(|adr| [adr.to_owned(), format!("{adr}@{k}")]);
        for text in texts.concat() {
            let (before, after) = (adr(&text, &groups, &result), adr(&text, &groups, &with));
            // Short results are summed in another way, with other rounding errors.
            prop_assert!(after <= before + 1e-15, "{text}: {before}, then {after}");
        }
        if tied {
            // The false positive may also be inserted into a group of tied documents.
            let truth = grouped(&groups);
            let halves = |result: &[String], at: usize| vec![result[..at].to_vec(), result[at..].to_vec()];
            let before = tied_ranking(&truth, &halves(&result, place));
            let after = tied_ranking(&truth, &halves(&with, place + 1));
            let (before, after) = (score("ADR", &truth, &before), score("ADR", &truth, &after));
            prop_assert!(after.unwrap() <= before.unwrap() + 1e-15);
        }
    }
}

proptest! {
    // Only 16 cases, because the definition is slow on long lists.
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn adr_of_a_short_result_for_a_long_list_equals_its_definition(
        groups in lists(50..400, 1..10),
        result in prop::collection::vec(0usize..3000, 0..60),
        beyond in 0usize..2000,
    ) {
        let result: Vec<String> = result.iter().map(|i| format!("d{i}")).collect();
        let n: usize = groups.iter().map(Vec::len).sum();
        let got = adr("ADR", &groups, &result);
        prop_assert!((got - adr_by_definition(&groups, &result, n, n)).abs() < 1e-12);
        let k = n + beyond;
        let got = adr(&format!("ADR@{k}"), &groups, &result);
        prop_assert!((got - adr_by_definition(&groups, &result, k, k)).abs() < 1e-12);
    }
}

#[test]
fn an_item_returned_early_counts_from_the_start_of_its_group()
-> Result<(), Box<dyn std::error::Error>> {
    use partita_core::{QueryTruth, Ranking, measure::found_per_position};

    let truth = QueryTruth::from_groups([["a"].as_slice(), &["b", "c"]])?;
    // b is returned before its group starts, so it counts from position 2 on; x never counts.
    let ranking = Ranking::from_names(truth.names(), ["b", "a", "x", "c"]);
    assert_eq!(
        found_per_position(&truth, &ranking, 5),
        [0.0, 2.0, 2.0, 3.0, 3.0]
    );
    // At position 1, a is found in one of the two orders; at position 2, both documents are found.
    let tied = Ranking::from_name_groups(truth.names(), [["b", "a"]]);
    assert_eq!(found_per_position(&truth, &tied, 2), [0.5, 2.0]);
    Ok(())
}

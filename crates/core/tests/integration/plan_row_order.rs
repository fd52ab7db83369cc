//! Planning does not depend on the order of rows in a file.

use partita_core::plan::{AssessorGStudy, DifferenceVariance, QueryGStudy, VarianceChoice};
use partita_core::{AssessorScores, ScoreMatrix};
use partita_stats::random::{shuffle, standard_normal, stream};

#[test]
fn the_order_of_queries_systems_and_assessors_changes_no_result() {
    let mut random = stream(8, &[]);
    let names = |letter: char, count: usize| (0..count).map(move |n| format!("{letter}{n}"));
    let values = (0..48 * 12 * 3)
        .map(|_| standard_normal(&mut random))
        .collect();
    let block = AssessorScores::new("AP", names('s', 48), names('q', 12), names('j', 3), values);
    let block = block.unwrap();
    let mut order = |count: usize| {
        let mut order: Vec<usize> = (0..count).collect();
        shuffle(&mut random, &mut order);
        order
    };
    let [systems, queries, judges] = [48, 12, 3].map(&mut order);
    let mut values = Vec::new();
    for &query in &queries {
        for &system in &systems {
            values.extend(
                judges
                    .iter()
                    .map(|&judge| block.value(system, query, judge)),
            );
        }
    }
    let named = |names: &[String], order: &[usize]| -> Vec<String> {
        order.iter().map(|&number| names[number].clone()).collect()
    };
    let other = AssessorScores::new(
        "AP",
        named(block.systems(), &systems),
        named(block.queries(), &queries),
        named(block.assessors(), &judges),
        values,
    )
    .unwrap();
    let found = |block: &AssessorScores| {
        let study = AssessorGStudy::new(block).unwrap();
        format!(
            "{:?} {:?}",
            study,
            study.draw_variances(0.9, 20, 3).unwrap()
        )
    };
    assert_eq!(found(&block), found(&other));
    let (scores, other) = (block.means(), other.means());
    let study = |scores| format!("{:?}", QueryGStudy::new(scores).unwrap());
    assert_eq!(study(scores), study(other));
    for which in [VarianceChoice::Mean, VarianceChoice::Largest] {
        let variance = |scores: &ScoreMatrix| {
            let found = DifferenceVariance::estimate(scores, which, 0.95).unwrap();
            let mut pair: Vec<String> = found
                .pair
                .map(|(a, b)| {
                    [a, b]
                        .map(|system| scores.systems()[system].clone())
                        .to_vec()
                })
                .unwrap_or_default();
            pair.sort();
            (found.variance, pair)
        };
        assert_eq!(variance(scores), variance(other));
    }
}

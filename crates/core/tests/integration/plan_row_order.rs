//! Planning does not depend on the order of rows in a file.

use partita_core::plan::{DifferenceVariance, JudgeStudy, QueryStudy, Variance};
use partita_core::{JudgedScores, Scores};
use partita_stats::streams::{shuffle, standard_normal, stream};

#[test]
fn the_order_of_queries_systems_and_judges_changes_nothing() {
    let mut random = stream(8, &[]);
    let names = |letter: char, count: usize| (0..count).map(move |n| format!("{letter}{n}"));
    let values = (0..48 * 12 * 3)
        .map(|_| standard_normal(&mut random))
        .collect();
    let block = JudgedScores::new("AP", names('s', 48), names('q', 12), names('j', 3), values);
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
    let other = JudgedScores::new(
        "AP",
        named(block.systems(), &systems),
        named(block.queries(), &queries),
        named(block.judges(), &judges),
        values,
    )
    .unwrap();
    let found = |block: &JudgedScores| {
        let study = JudgeStudy::of(block).unwrap();
        format!("{:?} {:?}", study, study.uncertain(0.9, 20, 3).unwrap())
    };
    assert_eq!(found(&block), found(&other));
    let (scores, other) = (block.means(), other.means());
    let study = |scores| format!("{:?}", QueryStudy::of(scores).unwrap());
    assert_eq!(study(scores), study(other));
    for which in [Variance::Mean, Variance::Largest] {
        let variance = |scores: &Scores| {
            let found = DifferenceVariance::of(scores, which, 0.95).unwrap();
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

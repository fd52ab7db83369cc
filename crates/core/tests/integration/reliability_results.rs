//! Complete reliability studies: requests and the resulting numbers.

use partita_core::reliability::{ReliabilityRequest, ReliabilityStudy, StratifiedScores, study};
use partita_core::work::SequentialWork;
use partita_core::{ScoreMatrix, Strata};
use partita_stats::friedman::friedman;
use partita_stats::random::{standard_normal, stream};

/// Draws scores in which later systems are better.
fn scores(systems: usize, queries: usize) -> ScoreMatrix {
    let mut random = stream(17, &[]);
    let score = |cell: usize| {
        let score = 0.4 + 0.04 * (cell % systems) as f64 + 0.1 * standard_normal(&mut random);
        (score * 1000.0).round() / 1000.0
    };
    let values = (0..systems * queries).map(score).collect();
    let names = |letter: char, count: usize| (0..count).map(move |n| format!("{letter}{n}"));
    ScoreMatrix::new("score", names('s', systems), names('q', queries), values).unwrap()
}

fn studied(
    scores: &ScoreMatrix,
    trials: u64,
    sizes: Option<&str>,
    tests: &[&str],
) -> ReliabilityStudy {
    let mut request = ReliabilityRequest {
        trials,
        sizes: sizes.map(|sizes| sizes.parse().unwrap()),
        ..ReliabilityRequest::default()
    };
    if !tests.is_empty() {
        request.tests = tests.iter().map(|&test| test.to_owned()).collect();
    }
    let strata = Strata::new((0..scores.queries().len()).map(|query| format!("g{}", query % 4)));
    let evidence = StratifiedScores {
        scores: scores.clone(),
        strata: Some(strata),
    };
    study(&request, &[evidence], &SequentialWork).unwrap()
}

#[test]
fn the_power_on_all_queries_equals_that_of_one_test_on_all_queries() {
    let scores = scores(6, 20);
    let found = studied(&scores, 1, Some("20"), &[]);
    let rows: Vec<&[f64]> = scores.rows().collect();
    let tukey = friedman(&rows).unwrap().tukey(0.05).unwrap();
    let significant = tukey.pairs.iter().filter(|pair| pair.significant).count();
    assert!(significant > 0);
    assert_eq!(found.cells[0].shares.power, significant as f64 / 15.0);
    assert_eq!(found.smaller[0].significant, significant);
    let p_values = &found.discriminative[0].p_values;
    let below = p_values.iter().filter(|p| **p < 0.05).count();
    assert_eq!((p_values.len(), below), (15, significant));
}

#[test]
fn stable_share_is_power_on_all_queries_minus_conflicts_with_half() {
    let found = studied(&scores(6, 40), 50, None, &[]);
    assert_eq!(found.table_1.len(), 2);
    for row in &found.table_1 {
        let (half, all) = (row.half.unwrap(), row.all);
        assert_eq!((half.size, all.size), (20, 40));
        assert!((all.stable.unwrap() - (all.power - half.conflicts)).abs() < 1e-12);
        assert!((half.stable - (half.power - half.conflicts)).abs() < 1e-12);
    }
}

#[test]
fn the_best_query_set_misses_the_reported_number_of_pairs() {
    let scores = scores(6, 20);
    let found = studied(&scores, 60, Some("10,20"), &["t"]);
    let best = &found.cells[0];
    assert_eq!(best.best_queries.len(), 10);
    // Scores on the queries of the best set only.
    let chosen: Vec<usize> = (0..20)
        .filter(|&query| best.best_queries.contains(&scores.queries()[query]))
        .collect();
    let rows: Vec<&[f64]> = chosen.iter().map(|&query| scores.row(query)).collect();
    let names = chosen.iter().map(|&query| scores.queries()[query].clone());
    let alone = ScoreMatrix::new("score", scores.systems().to_vec(), names, rows.concat()).unwrap();
    let alone = studied(&alone, 1, Some("10"), &["t"]);
    let significant = |found: &ReliabilityStudy| found.smaller[0].significant as u64;
    assert!(significant(&alone) >= significant(&found) - best.shares.missed.fewest);
}

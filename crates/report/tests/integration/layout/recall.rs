//! The figures of dynamic recall, whose curves are clipped to their plots.

use partita_report::{RecallCurve, RecallPanel, dynamic_recall_figure, mean_recall_figure};
use proptest::prelude::*;

use super::assert_words_are_apart;

fn panel(query: &str, positions: usize, runs: &[String]) -> RecallPanel {
    let curves = runs.iter().enumerate().map(|(number, run)| {
        let share = 1.0 / (number + 1) as f64;
        RecallCurve::new(run, vec![share; positions])
    });
    let ends = (1..=positions).filter(|end| end % 3 == 0 || *end == positions);
    RecallPanel::new(query, ends.collect(), curves.collect())
}

#[test]
fn words_are_apart_for_every_number_of_queries_runs_and_positions() {
    for queries in [1, 2, 3, 4, 5, 7, 10, 12, 13] {
        for runs in [1, 2, 5, 8, 40] {
            for positions in [1, 2, 7, 13, 48, 5432] {
                let runs: Vec<String> = (0..runs).map(|run| format!("system {run}")).collect();
                let panels: Vec<RecallPanel> = (0..queries)
                    .map(|query| panel(&format!("query {query}"), positions + query, &runs))
                    .collect();
                assert_words_are_apart(&dynamic_recall_figure(&panels));
                assert_words_are_apart(&mean_recall_figure(&panels));
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn words_are_apart_for_every_name(
        queries in proptest::collection::vec("\\PC{0,80}", 1..13),
        runs in proptest::collection::hash_set("\\PC{0,80}", 1..12),
        positions in 1_usize..60,
    ) {
        let mut runs: Vec<String> = runs.into_iter().collect();
        runs.sort();
        let panels: Vec<RecallPanel> = queries
            .iter()
            .enumerate()
            .map(|(index, query)| panel(query, positions + index, &runs))
            .collect();
        assert_words_are_apart(&dynamic_recall_figure(&panels));
        assert_words_are_apart(&mean_recall_figure(&panels));
    }
}

//! Layout of the figures of dynamic recall. Only texts are checked, because the curves are clipped
//! to their plots.

use partita_report::{RecallCurve, RecallPanel, dynamic_recall_figure, mean_recall_figure};
use proptest::prelude::*;

use super::{assert_texts_do_not_overlap, elements, named};

fn panel(query: &str, positions: usize, runs: &[String]) -> RecallPanel {
    let curves = runs.iter().enumerate().map(|(number, run)| {
        let share = 1.0 / (number + 1) as f64;
        RecallCurve::new(run, vec![share; positions])
    });
    let ends = (1..=positions).filter(|end| end % 3 == 0 || *end == positions);
    RecallPanel::new(query, ends.collect(), curves.collect())
}

#[test]
fn texts_do_not_overlap_for_any_number_of_queries_runs_and_positions() {
    for queries in [1, 2, 3, 5, 12, 13] {
        for runs in [1, 2, 8, 40] {
            for positions in [1, 2, 13, 5432] {
                let runs: Vec<String> = (0..runs).map(|run| format!("system {run}")).collect();
                let panels: Vec<RecallPanel> = (0..queries)
                    .map(|query| panel(&format!("query {query}"), positions + query, &runs))
                    .collect();
                assert_texts_do_not_overlap(&dynamic_recall_figure(&panels));
                assert_texts_do_not_overlap(&mean_recall_figure(&panels));
            }
        }
    }
}

#[test]
fn the_legend_names_up_to_ten_runs_within_the_width_of_the_figure() {
    for count in (2..60).filter(|count| *count < 16 || count % 9 == 0) {
        for name in ["EMD", "a rather long name of a system with many parameters"] {
            let runs: Vec<String> = (0..count).map(|run| format!("{name} {run}")).collect();
            let elements = elements(&dynamic_recall_figure(&[panel("query", 9, &runs)]));
            let mut names = named(&elements, "text");
            names.retain(|text| text.words.starts_with(&name[..3]) && text.area.top < 300.0);
            assert_eq!(names.len(), count.min(10), "each of the best has a place");
            assert!(names.iter().all(|text| text.area.right <= 584.02));
            let in_one_row = names.iter().all(|text| text.area.top == names[0].area.top);
            assert!(count > 3 || name != "EMD" || in_one_row);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn texts_do_not_overlap_for_any_names(
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
        assert_texts_do_not_overlap(&dynamic_recall_figure(&panels));
        assert_texts_do_not_overlap(&mean_recall_figure(&panels));
    }
}

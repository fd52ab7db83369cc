//! Tests of the figures of dynamic recall.

use std::collections::HashSet;

use crate::svg::{assert_self_contained, words};
use partita_core::evaluation::{EvaluationRequest, evaluate};
use partita_core::work::SequentialWork;
use partita_core::{GroundTruth, QueryTruth, Run, TruthScale};
use partita_report::{
    MAX_RECALL_PANELS, RecallCurve, RecallPanel, dynamic_recall_figure, mean_recall_figure,
    recall_figure,
};
use proptest::prelude::*;

/// Creates the dynamic recall of a run that finds a relevant document at the positions for which
/// `finds` returns true.
fn curve(run: &str, positions: usize, finds: impl Fn(usize) -> bool) -> RecallCurve {
    let mut count = 0.0;
    let recall = (1..=positions).map(|position| {
        count += f64::from(finds(position));
        count / position as f64
    });
    RecallCurve::new(run, recall.collect())
}

fn panel(query: &str, positions: usize, runs: &[String]) -> RecallPanel {
    let curves = runs.iter().enumerate().map(|(number, run)| {
        curve(run, positions, |position| {
            (position * 7 + number * 3) % (2 + number % 5) == 0
        })
    });
    RecallPanel::new(query, vec![positions], curves.collect())
}

fn run_names(count: usize) -> Vec<String> {
    (1..=count).map(|number| format!("run {number}")).collect()
}

#[test]
fn the_example_of_the_paper_is_drawn_with_both_scales() {
    let query = QueryTruth::from_groups([["1", "2"].as_slice(), &["3", "4", "5"]]).unwrap();
    let name = "⟨(1, 2), (3, 4, 5)⟩";
    let truth = GroundTruth::new(TruthScale::Groups, vec![(name.to_owned(), query)]).unwrap();
    let run = Run::from_lists("EMD", [(name, ["2", "3", "1", "5", "7", "8", "9", "4"])]);
    let request = EvaluationRequest {
        dynamic_recall: true,
        ..EvaluationRequest::default()
    };
    let evaluation = evaluate(&request, &truth, &[run], &SequentialWork).unwrap();
    let figure = recall_figure(&evaluation, &truth);
    let words = words(&figure);
    for expected in [
        "ADR 0.860",
        "relevant documents found",
        "dynamic recall",
        "ground truth: 5 documents in 2 groups",
    ] {
        assert!(
            words.iter().any(|word| word == expected),
            "{expected} in {words:?}"
        );
    }
    assert!(figure.description.contains("EMD 0.860"));
}

#[test]
fn relevant_documents_found_are_drawn_for_a_single_run_only() {
    let found = |runs| {
        let figure = dynamic_recall_figure(&[panel("q", 9, &run_names(runs))]);
        words(&figure)
            .iter()
            .any(|word| word == "relevant documents found")
    };
    assert!(found(1));
    assert!(!found(2));
}

#[test]
fn the_legend_of_one_query_names_up_to_ten_runs_and_their_averages() {
    let panel = panel("q", 9, &run_names(10));
    let words = words(&dynamic_recall_figure(std::slice::from_ref(&panel)));
    for curve in &panel.curves {
        assert!(words.contains(&curve.run));
        assert!(words.contains(&format!("{:.3}", curve.adr())));
    }
}

#[test]
fn the_best_ten_runs_have_colours_and_all_others_are_grey() {
    let panel = panel("q", 9, &run_names(42));
    let figure = dynamic_recall_figure(std::slice::from_ref(&panel));
    let svg = figure.to_svg();
    let samples = svg
        .lines()
        .filter(|line| line.contains("stroke-width=\"1.6\""));
    let samples = samples.filter(|line| line.starts_with("<line"));
    let strokes: Vec<&str> = samples
        .filter_map(|line| line.split(" stroke=").nth(1))
        .collect();
    let distinct = |strokes: &[&str]| strokes.iter().collect::<HashSet<_>>().len();
    assert_eq!((strokes.len(), distinct(&strokes)), (10, 10));
    let rhythms: Vec<&str> = strokes[..6].iter().map(|stroke| &stroke[9..]).collect();
    assert_eq!(distinct(&rhythms), 6, "{rhythms:?}");
    assert_eq!(
        svg.matches("stroke=\"#BBBBBB\"").count(),
        32 + 1,
        "and in the legend"
    );
    let mut averages: Vec<f64> = panel.curves.iter().map(RecallCurve::adr).collect();
    averages.sort_by(f64::total_cmp);
    let words = words(&figure);
    assert!(words.contains(&"32 other runs".to_owned()));
    let named = panel
        .curves
        .iter()
        .filter(|curve| words.contains(&curve.run));
    assert!(named.into_iter().all(|curve| curve.adr() >= averages[32]));
}

#[test]
fn positions_after_the_end_of_the_runs_are_not_drawn_and_a_note_says_so() {
    let mut short = panel("q", 90, &run_names(2));
    short.depth = Some(20);
    for figure in [
        dynamic_recall_figure(&[short.clone()]),
        mean_recall_figure(&[short]),
    ] {
        let words = words(&figure);
        assert!(words.contains(&"20".to_owned()) && !words.contains(&"90".to_owned()));
        let note = "Runs end after position 20, ground truths after as many as 90";
        assert!(words.iter().any(|word| word.starts_with(note)), "{words:?}");
    }
}

#[test]
fn the_axis_of_query_counts_ends_at_the_number_of_queries() {
    let panels: Vec<RecallPanel> = (1..=53)
        .map(|number| panel(&number.to_string(), number, &run_names(1)))
        .collect();
    let words = words(&mean_recall_figure(&panels));
    assert!(words.contains(&"53".to_owned()), "{words:?}");
    assert!(!words.contains(&"100".to_owned()));
}

#[test]
fn groups_and_positions_are_marked() {
    let figure = dynamic_recall_figure(&[panel("q", 9, &run_names(2))]);
    let words = words(&figure);
    assert!(words.iter().any(|word| word == "Dynamic recall for q"));
    assert!(
        words.iter().any(|word| word.starts_with("group ")),
        "{words:?}"
    );
    assert_eq!(figure.to_svg().matches("<circle").count(), 2 * 9);
}

/// Returns the whole numbers among the texts of a figure: tick labels of positions, and of counts
/// if the figure has an axis of counts.
fn whole_numbers(figure: &partita_report::Figure) -> Vec<usize> {
    let words = words(figure);
    words.iter().filter_map(|word| word.parse().ok()).collect()
}

#[test]
fn the_position_axis_labels_the_first_the_last_and_round_positions() {
    for positions in [1, 4, 12, 48, 99, 101, 1234, 19_999] {
        let named = whole_numbers(&dynamic_recall_figure(&[panel(
            "q",
            positions,
            &run_names(2),
        )]));
        assert_eq!((named[0], named[named.len() - 1]), (1, positions));
        assert!(named.windows(2).all(|pair| pair[0] < pair[1]) && named.len() <= 14);
        let between = &named[1..named.len().max(2) - 1];
        assert!(
            positions <= 12 || between.iter().all(|named| named % 5 == 0),
            "{named:?}"
        );
    }
}

#[test]
fn the_count_axis_covers_the_documents_found_and_little_more() {
    for positions in [1, 3, 10, 47, 500] {
        let all = dynamic_recall_figure(&[RecallPanel::new(
            "q",
            Vec::new(),
            vec![curve("EMD", positions, |_| true)],
        )]);
        // The first label of the count axis is the whole number 0.
        let numbers = whole_numbers(&all);
        let from = numbers
            .iter()
            .position(|number| *number == 0)
            .expect("an axis");
        let last = numbers[from + 5];
        assert!(
            last >= positions && last <= (positions * 5).div_ceil(2).max(5),
            "{numbers:?}"
        );
    }
}

#[test]
fn a_figure_without_queries_says_so() {
    for figure in [dynamic_recall_figure(&[]), mean_recall_figure(&[])] {
        assert_eq!(words(&figure), ["There are no queries to draw."]);
    }
}

#[test]
fn only_the_first_of_too_many_queries_are_drawn_and_a_note_says_so() {
    let panels: Vec<_> = (0..50)
        .map(|q| panel(&format!("query {q}"), 9, &run_names(2)))
        .collect();
    let words = words(&dynamic_recall_figure(&panels));
    let queries = words.iter().filter(|word| word.starts_with("query "));
    assert_eq!(queries.count(), MAX_RECALL_PANELS);
    assert!(words.contains(&"The first 12 of 50 queries.".to_owned()));
}

#[test]
fn the_same_data_give_the_same_bytes() {
    let draw = || {
        let panels: Vec<_> = (1..9).map(|n| panel("q", n * 5, &run_names(n))).collect();
        dynamic_recall_figure(&panels).to_svg() + &mean_recall_figure(&panels).to_svg()
    };
    assert_eq!(draw(), draw());
}

#[test]
fn the_largest_figures_stay_under_a_megabyte() {
    // Recall that jumps at every position has no points that can be dropped without a visible
    // change.
    let jumping = |run: &String| {
        let positions = 3000_u64;
        let recall = (1..=positions).map(|i| (i * i % 97) as f64 / 97.0);
        RecallCurve::new(run, recall.collect())
    };
    let curves: Vec<_> = run_names(40).iter().map(jumping).collect();
    let panels: Vec<_> = (0..12)
        .map(|q| RecallPanel::new(format!("q{q}"), (1..=3000).collect(), curves.clone()))
        .collect();
    for figure in [
        dynamic_recall_figure(&panels),
        dynamic_recall_figure(&panels[..1]),
        mean_recall_figure(&panels),
    ] {
        assert!(
            figure.to_svg().len() < 1_000_000,
            "{}",
            figure.to_svg().len()
        );
    }
}

#[test]
fn the_mean_is_over_the_queries_that_reach_a_position() {
    let long = RecallCurve::new("EMD", vec![1., 0.5]);
    let short = RecallCurve::new("EMD", vec![0.]);
    let panels = [
        RecallPanel::new("q1", vec![2], vec![long]),
        RecallPanel::new("q2", vec![1], vec![short]),
    ];
    let svg = mean_recall_figure(&panels).to_svg();
    // The mean is ½ at position 1 (two queries) and at position 2 (one query): a horizontal line.
    let document = roxmltree::Document::parse(&svg).unwrap();
    let line = document
        .descendants()
        .find(|node| node.has_tag_name("polyline"))
        .unwrap();
    let points = line.attribute("points").unwrap();
    let heights: Vec<&str> = points
        .split(' ')
        .filter_map(|p| p.split_once(','))
        .map(|p| p.1)
        .collect();
    assert_eq!(heights.len(), 2);
    assert_eq!(heights[0], heights[1]);
}

#[test]
fn the_legend_of_the_mean_names_the_query_count_of_incomplete_runs() {
    let panels = [panel("q1", 5, &run_names(2)), panel("q2", 5, &run_names(1))];
    let words = words(&mean_recall_figure(&panels));
    assert!(words.contains(&"run 1".to_owned()));
    assert!(
        words.contains(&"run 2 (of 1 query)".to_owned()),
        "{words:?}"
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_svg_is_well_formed_and_self_contained_for_any_names(
        queries in proptest::collection::vec(any::<String>(), 1..5),
        runs in proptest::collection::hash_set(any::<String>(), 1..5),
        positions in 1_usize..40,
    ) {
        let mut runs: Vec<String> = runs.into_iter().collect();
        runs.sort();
        let panels: Vec<_> = queries.iter().map(|query| panel(query, positions, &runs)).collect();
        for figure in [
            dynamic_recall_figure(&panels),
            dynamic_recall_figure(&panels[..1]),
            mean_recall_figure(&panels),
        ] {
            assert_self_contained(&figure);
        }
    }
}

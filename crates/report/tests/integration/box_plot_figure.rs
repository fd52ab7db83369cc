//! Tests of the figure of notched box plots.

use crate::svg::{assert_self_contained, points, words};
use partita_core::AssessorRankings;
use partita_core::truth::{AggregationStudyOptions, study_aggregations};
use partita_core::work::SequentialWork;
use partita_report::{BoxPlots, Figure, box_plot_figure};
use proptest::prelude::*;

/// Draws the box plot of one sample.
fn box_plot_of(sample: &[f64]) -> Figure {
    let mut plots = BoxPlots::new("title", ["sample"]);
    plots.push("quantity", vec![sample.to_vec()]);
    box_plot_figure(&plots)
}

/// Returns the SVG lines of all elements with a tag name.
fn svg_elements(figure: &Figure, name: &str) -> Vec<String> {
    let svg = figure.to_svg();
    let lines = svg.lines();
    lines
        .filter(|line| line.starts_with(&format!("<{name} ")))
        .map(str::to_owned)
        .collect()
}

/// Returns the corners of the box, which is the first polygon of the figure.
fn corners(figure: &Figure) -> Vec<(f64, f64)> {
    let boxes = points(figure, "polygon").into_iter();
    boxes.take(1).flatten().collect()
}

#[test]
fn the_notch_of_a_box_is_the_median_plus_minus_1_57_iqr_over_root_n() {
    // The quartiles of 1..=25 are 7, 13 and 19, and √n is 5.
    let sample: Vec<f64> = (1..=25).map(f64::from).collect();
    let heights: Vec<f64> = corners(&box_plot_of(&sample)).iter().map(|c| c.1).collect();
    let half_notch = 1.57 * 12.0 / 5.0;
    let per_unit = (heights[0] - heights[4]) / 12.0;
    let expected = [0.0, 6.0 - half_notch, 6.0, 6.0 + half_notch, 12.0];
    for (found, expected) in heights.iter().zip(expected) {
        let found = (heights[0] - found) / per_unit;
        assert!((found - expected).abs() < 0.01, "{found} for {expected}");
    }
}

/// The expected values are those of `numpy.quantile` (NumPy 2.4.6).
#[test]
fn quartiles_are_type_7_quantiles() {
    let cases: [(&[f64], [f64; 3]); 6] = [
        (&[7.0], [7.0, 7.0, 7.0]),
        (&[1.0, 2.0], [1.25, 1.5, 1.75]),
        (&[3.0, 1.0, 2.0], [1.5, 2.0, 2.5]),
        (&[4.0, 1.0, 3.0, 2.0], [1.75, 2.5, 3.25]),
        (
            &[10.0, 2.0, 38.0, 23.0, 38.0, 23.0, 21.0],
            [15.5, 23.0, 30.5],
        ),
        // Ten values; both quartiles are interpolated.
        (
            &[3.0, 6.0, 7.0, 8.0, 8.0, 10.0, 13.0, 15.0, 16.0, 20.0],
            [7.25, 9.0, 14.5],
        ),
    ];
    for (values, [lower, median, upper]) in cases {
        let title = format!("median {median}, quartiles {lower} and {upper}, mean");
        assert!(box_plot_of(values).to_svg().contains(&title), "{values:?}");
    }
}

/// Returns the heights in the drawing, counted upwards, of the ends of both whiskers, of the
/// outliers, and of the corners on one side of the box.
fn heights(figure: &Figure) -> [Vec<f64>; 3] {
    let svg = figure.to_svg();
    let drawn = svg.split("<title>sample: ").nth(1).expect("a box plot");
    let drawn = drawn.split("</g>").next().expect("a group");
    let numbers = |element: &str, name: &str| -> Vec<f64> {
        let lines = drawn.lines().filter(|line| line.starts_with(element));
        let values = lines.map(|line| line.split(&format!(" {name}=\"")).nth(1));
        let values = values.map(|value| value.and_then(|value| value.split('"').next()));
        let number = |value: Option<&str>| -value.expect("a number").parse::<f64>().expect("one");
        values.map(number).collect()
    };
    let ends = numbers("<line", "y2");
    let corners = corners(figure);
    let corners = corners[..5].iter().map(|corner| -corner.1);
    [
        vec![ends[0], ends[2]],
        numbers("<circle", "cy"),
        corners.collect(),
    ]
}

#[test]
fn whiskers_end_at_values_of_the_sample_outside_the_box() {
    // With quartiles 2 and 8, whiskers reach at most to −7 and 17 (1.5 IQR); they end at 1 and 8.
    let [whiskers, outliers, corners] = heights(&box_plot_of(&[
        1.0, 2.0, 3.0, 4.0, 5.0, 8.0, 20.0, -9.0, 20.0,
    ]));
    let per_unit = (corners[4] - corners[0]) / 6.0;
    let value = |height: f64| 2.0 + (height - corners[0]) / per_unit;
    for (height, expected) in whiskers.iter().chain(&outliers).zip([1.0, 8.0, -9.0, 20.0]) {
        assert!((value(*height) - expected).abs() < 0.01, "{expected}");
    }
    // The lower quartile, −25, lies between an outlier and the rest.
    let [whiskers, outliers, corners] = heights(&box_plot_of(&[-100.0, 0.0, 0.0, 0.0]));
    assert_eq!(whiskers, [corners[0], corners[4]]);
    assert_eq!(outliers.len(), 1);
}

#[test]
fn a_notch_is_cut_off_at_the_quartiles() {
    let figure = box_plot_of(&[0.3, 0.6]);
    let heights: Vec<f64> = corners(&figure).iter().map(|c| c.1).collect();
    // The notch of two values would go far beyond both quartiles.
    assert_eq!([heights[1], heights[3]], [heights[0], heights[4]]);
}

#[test]
fn one_value_and_equal_values_give_a_box_without_height() {
    for sample in [vec![0.5], vec![0.5; 12], vec![0.0; 3], vec![-2e9; 2]] {
        let corners = corners(&box_plot_of(&sample));
        assert!(corners.iter().all(|c| c.1 == corners[0].1), "{sample:?}");
    }
}

#[test]
fn values_beyond_the_whiskers_are_drawn_as_points() {
    let sample = [1.0, 2.0, 3.0, 4.0, 5.0, 8.0, 20.0, -9.0, 20.0];
    // −9 and 20; the two equal values are one point.
    assert_eq!(svg_elements(&box_plot_of(&sample), "circle").len(), 2);
    assert!(svg_elements(&box_plot_of(&sample[..6]), "circle").is_empty());
}

#[test]
fn an_empty_sample_has_a_label_but_no_box() {
    let mut plots = BoxPlots::new("title", ["some", "none"]);
    plots.push("quantity", vec![vec![1.0, 2.0], vec![]]);
    let figure = box_plot_figure(&plots);
    assert_eq!(
        svg_elements(&figure, "polygon").len(),
        2,
        "a box and its mean"
    );
    let words = words(&figure);
    for expected in ["some", "n = 2", "none", "n = 0"] {
        assert!(
            words.iter().any(|w| w == expected),
            "{expected} in {words:?}"
        );
    }
    let mut nothing = BoxPlots::new("title", ["none"]);
    nothing.push("quantity", vec![vec![]]);
    assert_self_contained(&box_plot_figure(&nothing));
}

#[test]
fn every_panel_names_its_quantity_and_its_categories() {
    let mut plots = BoxPlots::new("title", ["All-2", "Any-1"]);
    for label in ["ADR-1 consistency", "ADR-2 consistency", "items per group"] {
        plots.push(label, vec![vec![0.5, 0.6, 0.9]; 2]);
    }
    let words = words(&box_plot_figure(&plots));
    let times = |wanted: &str| words.iter().filter(|word| *word == wanted).count();
    assert_eq!([times("All-2"), times("Any-1")], [3, 3]);
    assert_eq!(
        [times("n = 3"), times("3 in each box")],
        [0, 1],
        "once for all"
    );
    assert_eq!(
        [times("ADR-1 consistency"), times("items per group")],
        [1, 1]
    );
    // The footnote is wrapped into several lines.
    let all = words.join(" ");
    assert!(all.contains("quartiles (type 7) and the median; notches: the median ± 1.57 IQR/√n"));
    assert!(
        all.ends_with("diamonds: the mean. IQR: interquartile range."),
        "{all}"
    );
}

#[test]
fn the_tooltip_of_a_box_has_its_summary_statistics() {
    let figure = box_plot_of(&[3.0, 6.0, 7.0, 8.0, 8.0, 10.0, 13.0, 15.0, 16.0, 20.0]);
    let title = "sample: n = 10, median 9, quartiles 7.25 and 14.5, mean 10.6, from 3 to 20";
    assert!(figure.to_svg().contains(title));
}

#[test]
fn a_figure_without_panels_says_that_there_are_no_samples() {
    let plots = BoxPlots::new("title", ["a"]);
    let figure = box_plot_figure(&plots);
    assert_eq!(words(&figure), ["There are no samples to draw."]);
}

#[test]
fn a_sample_of_200000_values_gives_a_small_file() {
    let mut sample = vec![0.5; 100_000];
    sample.extend((0..50_000).map(|i| 10.0 + f64::from(i)));
    sample.extend((0..50_000).map(|i| -f64::from(i) * 0.77));
    assert!(box_plot_of(&sample).to_svg().len() < 300_000);
}

#[test]
fn the_same_data_give_the_same_bytes() {
    let draw = || box_plot_of(&[0.1, 0.7, 0.3]).to_svg();
    assert_eq!(draw(), draw());
    assert_eq!(
        box_plot_of(&[0.7, 0.3, 0.1]).to_svg(),
        draw(),
        "in whatever order"
    );
}

#[test]
fn a_study_of_aggregation_functions_has_a_panel_for_each_quantity() {
    let rankings = AssessorRankings::new([
        ("ann", "a", Some(1.0)),
        ("ann", "b", Some(2.0)),
        ("bob", "a", Some(1.0)),
        ("bob", "b", Some(2.0)),
    ]);
    let rankings = rankings.expect("possible ranks");
    let queries = [("q", &rankings)];
    let found = study_aggregations(
        &queries,
        &AggregationStudyOptions::default(),
        &[],
        &SequentialWork,
    )
    .expect("a study");
    let words = words(&box_plot_figure(&BoxPlots::from_study(&found)));
    let times = |wanted: &str| words.iter().filter(|word| *word == wanted).count();
    assert_eq!(
        [times("all-2"), times("prev-1"), times("1 in each box")],
        [3, 3, 1]
    );
    assert_eq!(times("Six aggregation functions over 1 list"), 1);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn whiskers_quartiles_and_median_are_in_order_and_outliers_lie_beyond(
        values in proptest::collection::vec(-1e6..1e6_f64, 1..60),
    ) {
        let [whiskers, outliers, corners] = heights(&box_plot_of(&values));
        let order = [whiskers[0], corners[0], corners[2], corners[4], whiskers[1]];
        prop_assert!(order.windows(2).all(|pair| pair[0] <= pair[1]), "{order:?}");
        let within = |height: &f64| (whiskers[0]..=whiskers[1]).contains(height);
        prop_assert!(!outliers.iter().any(within));
    }

    #[test]
    fn every_svg_is_well_formed_and_self_contained_for_any_names_and_values(
        title in any::<String>(),
        label in any::<String>(),
        categories in proptest::collection::hash_set(any::<String>(), 1..9),
        sample in proptest::collection::vec(-1e12..1e12_f64, 0..20),
        tiny in proptest::collection::vec(-1e-12..1e-12_f64, 0..5),
    ) {
        let mut categories: Vec<String> = categories.into_iter().collect();
        categories.sort();
        let count = categories.len();
        let mut plots = BoxPlots::new(title, categories);
        for sample in [sample, tiny] {
            plots.push(&*label, vec![sample; count]);
        }
        assert_self_contained(&box_plot_figure(&plots));
    }
}

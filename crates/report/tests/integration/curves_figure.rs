//! Tests of line charts.

use crate::svg::{assert_self_contained, attributes, points, words};
use partita_report::{Figure, FigureError, LineChart, LinePanel, LineSeries, line_chart_figure};
use proptest::prelude::*;

fn curve(name: &str, points: &[(f64, f64)]) -> LineSeries {
    LineSeries {
        name: name.to_owned(),
        points: points.to_vec(),
        band: None,
    }
}

fn charts(panels: Vec<Vec<LineSeries>>) -> LineChart {
    let panels = panels
        .into_iter()
        .zip(1..)
        .map(|(curves, number)| LinePanel {
            title: format!("test {number}"),
            curves,
            references: vec![],
        });
    LineChart {
        title: "power".to_owned(),
        x_label: "queries".to_owned(),
        y_label: "significant pairs".to_owned(),
        y_is_percent: true,
        panels: panels.collect(),
    }
}

fn draw(curves: &LineChart) -> Figure {
    line_chart_figure(curves).expect("possible curves")
}

const RISING: [(f64, f64); 4] = [(5.0, 0.1), (25.0, 0.35), (50.0, 0.5), (100.0, 0.6)];

#[test]
fn points_are_at_their_values_on_both_axes() {
    let line = &points(&draw(&charts(vec![vec![curve("AG", &RISING)]])), "polyline")[0];
    let (first, last) = (line[0], line[3]);
    for ((x, y), (px, py)) in RISING.iter().zip(line) {
        let along = (x - 5.0) / 95.0;
        let up = (y - 0.1) / 0.5;
        assert!((px - first.0 - along * (last.0 - first.0)).abs() < 0.02);
        assert!((py - first.1 - up * (last.1 - first.1)).abs() < 0.02);
    }
    assert!(last.0 > first.0 && last.1 < first.1);
}

/// Returns the distance of a point from the line segment between two others.
fn distance(point: (f64, f64), from: (f64, f64), to: (f64, f64)) -> f64 {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let (px, py) = (point.0 - from.0, point.1 - from.1);
    let along = ((px * dx + py * dy) / (dx * dx + dy * dy)).clamp(0.0, 1.0);
    (px - along * dx).hypot(py - along * dy)
}

#[test]
fn inner_points_of_a_straight_line_are_not_drawn() {
    let level: Vec<(f64, f64)> = (0..500).map(|x| (f64::from(x), 0.5)).collect();
    let figure = draw(&charts(vec![vec![curve("AG", &level)]]));
    assert_eq!(points(&figure, "polyline")[0].len(), 2);
}

#[test]
fn points_are_joined_in_the_order_of_x() {
    let mut shuffled = RISING;
    shuffled.swap(0, 2);
    shuffled.swap(1, 3);
    let [one, other] = [RISING, shuffled].map(|points| {
        let mut curve = curve("AG", &points);
        curve.band = Some(points.iter().map(|(_, y)| (y - 0.05, y + 0.1)).collect());
        draw(&charts(vec![vec![curve]])).to_svg()
    });
    assert_eq!(one, other);
}

#[test]
fn panels_share_both_axes_and_series_of_one_name_share_a_style() {
    let low = [(10.0, 0.1), (20.0, 0.2)];
    let panels = vec![
        vec![curve("AG", &RISING)],
        vec![curve("ADR", &low), curve("AG", &RISING)],
    ];
    let figure = draw(&charts(panels));
    let lines = points(&figure, "polyline");
    assert_eq!(lines.len(), 3);
    let heights = |line: &[(f64, f64)]| line.iter().map(|point| point.1).collect::<Vec<_>>();
    assert_eq!(heights(&lines[0]), heights(&lines[2]));
    let svg = figure.to_svg();
    let looks: Vec<&str> = svg
        .lines()
        .filter(|line| line.starts_with("<polyline"))
        .filter_map(|line| line.split_once("stroke-linejoin").map(|parts| parts.1))
        .collect();
    assert_eq!(looks[0], looks[2]);
    assert_ne!(looks[0], looks[1]);
    let words = words(&figure);
    let times = |wanted: &str| words.iter().filter(|word| *word == wanted).count();
    assert_eq!([times("AG"), times("ADR")], [1, 1], "in the legend");
    assert_eq!(
        [times("60%"), times("0%")],
        [1, 1],
        "at the first panel only"
    );
    assert_eq!(
        [times("test 1"), times("test 2"), times("queries")],
        [1, 1, 1]
    );
}

#[test]
fn a_band_surrounds_its_line() {
    let mut curve = curve("AG", &RISING);
    curve.band = Some(RISING.iter().map(|(_, y)| (y - 0.05, y + 0.1)).collect());
    let figure = draw(&charts(vec![vec![curve]]));
    let line = &points(&figure, "polyline")[0];
    let bands = points(&figure, "polygon");
    let band = bands.iter().find(|band| band.len() == 8).expect("a band");
    for (place, (x, y)) in line.iter().enumerate() {
        let (lower, upper) = (band[place], band[7 - place]);
        assert_eq!([lower.0, upper.0], [*x, *x]);
        assert!(lower.1 > *y && upper.1 < *y);
    }
}

#[test]
fn a_reference_is_a_dotted_line_that_the_legend_names() {
    let mut charts = charts(vec![vec![curve("AG", &RISING)]]);
    charts.panels[0].references = vec![(0.6, "all queries".to_owned())];
    let figure = draw(&charts);
    let svg = figure.to_svg();
    let dotted: Vec<&str> = svg
        .lines()
        .filter(|line| line.starts_with("<line") && line.contains("stroke-dasharray=\"1.5 2.5\""))
        .collect();
    assert_eq!(dotted.len(), 2, "in the legend and in the plot");
    let height = points(&figure, "polyline")[0][3].1;
    assert!(
        attributes(&figure, "line", "y1")
            .iter()
            .any(|y| (y - height).abs() < 0.02)
    );
    assert!(words(&figure).iter().any(|word| word == "all queries"));
    assert!(svg.contains("<title>all queries: 60%</title>"));
}

#[test]
fn a_series_with_one_point_has_no_line_in_the_legend() {
    let samples = |points: &[(f64, f64)]| {
        let other = curve("AG", &RISING);
        let svg = draw(&charts(vec![vec![other, curve("end", points)]])).to_svg();
        let dashed = svg.lines().filter(|line| line.starts_with("<line"));
        dashed.filter(|line| line.contains("#D55E00")).count()
    };
    assert_eq!([samples(&RISING), samples(&RISING[..1])], [1, 0]);
}

#[test]
fn y_values_are_percentages_only_if_requested() {
    let mut charts = charts(vec![vec![curve("AG", &[(1.0, 0.0), (2.0, 1.0)])]]);
    assert!(words(&draw(&charts)).iter().any(|word| word == "100%"));
    charts.y_is_percent = false;
    let words = words(&draw(&charts));
    assert!(words.iter().all(|word| !word.contains('%')));
    assert!(words.iter().any(|word| word == "0.8"));
}

#[test]
fn single_points_and_constant_series_are_drawn() {
    for points in [
        &[(3.0, 0.5)][..],
        &[(3.0, 0.0), (4.0, 0.0)],
        &[(0.0, 1.0); 3],
    ] {
        let mut level = curve("AG", points);
        level.band = Some(vec![(0.0, 1.0); points.len()]);
        for curve in [curve("AG", points), level] {
            let figure = draw(&charts(vec![vec![curve]]));
            assert_self_contained(&figure);
            assert_eq!(attributes(&figure, "circle", "r").len(), points.len() + 1);
        }
    }
}

#[test]
fn a_chart_without_points_says_that_there_are_no_curves() {
    for panels in [vec![], vec![vec![]], vec![vec![curve("AG", &[])]]] {
        let figure = draw(&charts(panels));
        assert_eq!(words(&figure), ["There are no curves to draw."]);
    }
    let some = draw(&charts(vec![
        vec![curve("AG", &RISING), curve("ADR", &[])],
        vec![],
    ]));
    assert!(words(&some).iter().any(|word| word == "test 2"));
}

#[test]
fn a_chart_of_100000_points_gives_a_small_file() {
    let walk = |seed: u64| {
        let mut state = seed;
        let points = (0..20_000).map(|x| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (f64::from(x), (state >> 40) as f64)
        });
        curve(&format!("walk {seed}"), &points.collect::<Vec<_>>())
    };
    let figure = draw(&charts(vec![(1..=5).map(walk).collect()]));
    assert!(figure.to_svg().len() < 600_000);
}

#[test]
fn values_that_cannot_be_drawn_and_incomplete_bands_are_refused() {
    for value in [f64::NAN, f64::INFINITY, -1e13] {
        let mut banded = charts(vec![vec![curve("AG", &RISING)]]);
        banded.panels[0].curves[0].band =
            Some(vec![(0.0, 1.0), (0.0, value), (0.0, 1.0), (0.0, 1.0)]);
        let mut referring = charts(vec![vec![curve("AG", &RISING)]]);
        referring.panels[0].references = vec![(value, "all".to_owned())];
        for charts in [
            charts(vec![vec![curve("AG", &[(value, 0.1)])]]),
            charts(vec![vec![curve("AG", &[(0.1, value)])]]),
            banded,
            referring,
        ] {
            let refused = line_chart_figure(&charts);
            assert!(matches!(refused, Err(FigureError::NotDrawable { .. })));
        }
    }
    let mut short = curve("AG", &RISING);
    short.band = Some(vec![(0.0, 1.0)]);
    assert_eq!(
        line_chart_figure(&charts(vec![vec![short]])),
        Err(FigureError::BandLength {
            curve: "AG".to_owned(),
            band: 1,
            points: 4
        })
    );
}

/// Draws a line from `low` to `low + range`, and asserts that the y axis has two to seven round
/// numbers, and that the numbers and the ends of the line are on one linear scale.
fn assert_ticks_are_round_and_at_their_values(low: f64, range: f64) {
    let mut charts = charts(vec![vec![curve("AG", &[(0.0, low), (1.0, low + range)])]]);
    charts.y_is_percent = false;
    let figure = draw(&charts);
    let heights = attributes(&figure, "text", "y").into_iter();
    let numbers = words(&figure)
        .into_iter()
        .zip(heights)
        .filter_map(|(word, y)| {
            let value: f64 = word.replace('−', "-").parse().ok()?;
            Some((value, y - 0.36 * 11.0))
        });
    let mut numbers: Vec<(f64, f64)> = numbers.collect();
    // Drop the tick labels of the x axis, which are in one row below all others.
    let below = numbers.iter().map(|(_, y)| *y).fold(0.0, f64::max);
    numbers.retain(|(_, y)| *y < below - 1.0);
    assert!((2..=7).contains(&numbers.len()), "{numbers:?}");
    let step = numbers[1].0 - numbers[0].0;
    let mut digits = step * 1e9;
    while digits > 9.5 {
        digits /= 10.0;
    }
    assert!(
        [1.0, 2.0, 5.0].iter().any(|d| (digits - d).abs() < 1e-3),
        "{step}"
    );
    let (first, last) = (numbers[0], numbers[numbers.len() - 1]);
    let slope = (last.1 - first.1) / (last.0 - first.0);
    let line = &points(&figure, "polyline")[0];
    let ends = [(low, line[0].1), (low + range, line[1].1)];
    for (value, y) in numbers.into_iter().chain(ends) {
        let expected = first.1 + (value - first.0) * slope;
        assert!(
            (y - expected).abs() < 0.04,
            "{value} at {y}, not {expected}"
        );
    }
}

#[test]
fn an_axis_has_several_ticks_even_if_the_values_are_nearly_equal() {
    // The axis starts at 0 with ticks at 0, 500,000 and 1,000,000, two of them below the line.
    assert_ticks_are_round_and_at_their_values(576_106.0, 640_000.0);
    // Nearly equal values: the axis covers a tenth of their size, with the line in its middle.
    assert_ticks_are_round_and_at_their_values(576_106.0, 1e-3);
    assert_ticks_are_round_and_at_their_values(133_218.79, 0.093);
    // A range just large enough that the values are not treated as equal.
    assert_ticks_are_round_and_at_their_values(576_106.0, 0.6);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn ticks_are_round_and_at_their_values(
        low in -1e6..1e6_f64,
        range in 1e-3..1e6_f64,
    ) {
        assert_ticks_are_round_and_at_their_values(low, range);
    }

    #[test]
    fn every_simplified_line_stays_close_to_its_points(
        heights in proptest::collection::vec(0.0..1.0_f64, 3..200),
    ) {
        let values: Vec<(f64, f64)> =
            (0..).zip(&heights).map(|(x, y): (u32, _)| (f64::from(x), *y)).collect();
        let line = &points(&draw(&charts(vec![vec![curve("AG", &values)]])), "polyline")[0];
        let (first, last) = (line[0], line[line.len() - 1]);
        let across = (last.0 - first.0) / (values.len() - 1) as f64;
        // The highest and the lowest point determine the scale of y.
        let least = |all: Vec<f64>| all.into_iter().fold(f64::INFINITY, f64::min);
        let most = |all: Vec<f64>| all.into_iter().fold(f64::NEG_INFINITY, f64::max);
        let (low, high) = (least(heights.clone()), most(heights.clone()));
        let drawn: Vec<f64> = line.iter().map(|point| point.1).collect();
        let (top, bottom) = (least(drawn.clone()), most(drawn));
        for (x, y) in &values {
            let up = (y - low) / (high - low).max(1e-9);
            let place = (first.0 + x * across, bottom - up * (bottom - top));
            let near = line.windows(2).map(|pair| distance(place, pair[0], pair[1]));
            let nearest = near.fold(f64::INFINITY, f64::min);
            prop_assert!(nearest <= 0.25, "{nearest} at {place:?}");
        }
    }

    #[test]
    fn higher_values_are_drawn_higher_for_all_names(
        title in any::<String>(),
        name in any::<String>(),
        values in proptest::collection::vec(-1e9..1e9_f64, 2..30),
        percent in any::<bool>(),
    ) {
        let rising: Vec<(f64, f64)> = (0..).zip(&values).map(|(x, y)| (f64::from(x), *y)).collect();
        let mut charts = charts(vec![vec![curve(&name, &rising)]]);
        charts.title = title;
        charts.y_is_percent = percent;
        let figure = draw(&charts);
        assert_self_contained(&figure);
        prop_assert_eq!(figure.to_svg(), draw(&charts).to_svg());
        let markers: Vec<(f64, f64)> = attributes(&figure, "circle", "cx")
            .into_iter()
            .zip(attributes(&figure, "circle", "cy"))
            // The first marker belongs to the legend.
            .skip(1)
            .collect();
        prop_assert_eq!(markers.len(), values.len());
        for (one, marker) in values.iter().zip(&markers) {
            for (other, beside) in values.iter().zip(&markers) {
                prop_assert!(one <= other || marker.1 <= beside.1);
            }
        }
        prop_assert!(markers.windows(2).all(|pair| pair[0].0 < pair[1].0));
    }
}

//! What the figures that compare systems promise.

use crate::svg::{assert_self_contained, attributes, points, words};
use partita_report::{
    CriticalDifference, Figure, FigureError, Hasse, MAX_DIAGRAM_SYSTEMS, MAX_MATRIX_SYSTEMS,
    MatrixCell, PairwiseMatrix, critical_difference_figure, hasse_figure, pairwise_matrix_figure,
};
use proptest::prelude::*;

fn ranks(values: &[f64], cliques: &[&[usize]]) -> CriticalDifference {
    CriticalDifference {
        title: "ranks".to_owned(),
        systems: named(values),
        critical_difference: Some(0.5),
        cliques: cliques.iter().map(|clique| clique.to_vec()).collect(),
    }
}

fn order(values: &[f64], edges: &[(usize, usize)]) -> Hasse {
    Hasse {
        title: "order".to_owned(),
        systems: named(values),
        edges: edges.to_vec(),
    }
}

fn named(values: &[f64]) -> Vec<(String, f64)> {
    let numbered = values.iter().enumerate();
    numbered
        .map(|(i, value)| (format!("S{i}"), *value))
        .collect()
}

fn cell(p: f64, difference: f64, significant: bool) -> Option<MatrixCell> {
    Some(MatrixCell {
        p,
        difference,
        significant,
    })
}

/// A matrix in which a smaller number is better, significantly if by 2 or more.
fn matrix(systems: usize) -> PairwiseMatrix {
    let of = |i: usize, j: usize| {
        let difference = j as f64 - i as f64;
        cell(0.04 / difference.abs(), difference, difference.abs() >= 2.0)
    };
    PairwiseMatrix {
        title: "pairs".to_owned(),
        systems: (0..systems).map(|i| format!("S{i}")).collect(),
        cells: (0..systems)
            .map(|i| {
                (0..systems)
                    .map(|j| if i == j { None } else { of(i, j) })
                    .collect()
            })
            .collect(),
    }
}

/// The height of the words of each system in a figure.
fn heights(figure: &Figure, systems: usize) -> Vec<f64> {
    let texts = attributes(figure, "text", "y");
    let words = words(figure);
    let height = |i: usize| {
        let place = words.iter().position(|word| *word == format!("S{i}"));
        texts[place.expect("every system is named")]
    };
    (0..systems).map(height).collect()
}

#[test]
fn an_elbow_stands_where_the_mean_rank_is_on_the_axis() {
    let values = [2.5, 1.0, 4.0, 3.75];
    let figure = critical_difference_figure(&ranks(&values, &[])).expect("possible ranks");
    let mut places: Vec<f64> = points(&figure, "polyline").iter().map(|p| p[0].0).collect();
    assert_eq!(places.len(), 4);
    places.sort_by(f64::total_cmp);
    let unit = (places[3] - places[0]) / 3.0;
    for (place, rank) in places.iter().zip([1.0, 2.5, 3.75, 4.0]) {
        assert!((place - places[0] - (rank - 1.0) * unit).abs() < 0.02);
    }
    // The bar of the critical difference, 0.5, is the first line.
    let from = attributes(&figure, "line", "x1")[0];
    let to = attributes(&figure, "line", "x2")[0];
    assert!((to - from - 0.5 * unit).abs() < 0.02);
}

#[test]
fn a_bar_reaches_over_the_systems_that_do_not_differ() {
    let values = [1.0, 2.0, 3.0, 4.0];
    let thick = |cliques: &[&[usize]]| {
        let figure = critical_difference_figure(&ranks(&values, cliques)).expect("possible ranks");
        let widths = attributes(&figure, "line", "stroke-width");
        let [from, to] = ["x1", "x2"].map(|name| attributes(&figure, "line", name));
        let lines = widths.iter().zip(from.iter().zip(&to));
        let bars: Vec<(f64, f64)> = lines
            .filter(|(width, _)| **width > 3.0)
            .map(|(_, (from, to))| (*from, *to))
            .collect();
        let elbows: Vec<f64> = points(&figure, "polyline").iter().map(|p| p[0].0).collect();
        (bars, elbows)
    };
    let (bars, elbows) = thick(&[&[2, 1], &[3]]);
    assert_eq!(bars.len(), 1, "a set of one system has no bar");
    // Elbows from the worst to the best.
    assert!(bars[0].0 < elbows[1] && bars[0].0 > elbows[0]);
    assert!(bars[0].1 > elbows[2] && bars[0].1 < elbows[3]);
    assert!(thick(&[]).0.is_empty());
    assert!(thick(&[&[0, 2]]).0.is_empty(), "a set with a gap has dots");
}

#[test]
fn the_diagram_says_which_end_is_better() {
    let figure = critical_difference_figure(&ranks(&[1.0, 2.0], &[&[0, 1]])).expect("ranks");
    let words = words(&figure);
    let place = |wanted: &str| {
        let at = words.iter().position(|word| word == wanted);
        attributes(&figure, "text", "x")[at.expect("it is written")]
    };
    assert!(place("better →") > place("← worse"));
    assert!(place("S1") > place("S0"), "the better is at the better end");
    assert!(words.iter().any(|word| word == "critical difference 0.50"));
}

#[test]
fn cells_show_direction_and_significance() {
    let figure = pairwise_matrix_figure(&matrix(4)).expect("a square");
    let count = |colour: &str| {
        let svg = figure.to_svg();
        let cells = svg.lines().filter(|line| line.starts_with("<rect x="));
        cells.filter(|line| line.contains(colour)).count()
    };
    // One more of each is in the legend.
    assert_eq!(
        count("#0072B2"),
        3 + 1,
        "1 is better than 3 and 4, 2 than 4"
    );
    assert_eq!(count("#F0B040"), 3 + 1);
    assert_eq!(count("#E9E9E9"), 6 + 1);
    assert!(words(&figure).iter().any(|word| word == ".013"));
    let title = "S0 against S3: difference 3, p = 0.013333333333333334, significant";
    assert!(figure.to_svg().contains(title));
}

#[test]
fn only_a_small_matrix_has_words_in_its_cells() {
    let count = |systems: usize| {
        let figure = pairwise_matrix_figure(&matrix(systems)).expect("a square");
        words(&figure)
            .iter()
            .filter(|word| word.starts_with('.'))
            .count()
    };
    assert_eq!([count(20), count(21), count(130)], [380, 0, 0]);
}

#[test]
fn the_cells_of_a_large_matrix_are_few_shapes() {
    let figure = pairwise_matrix_figure(&matrix(130)).expect("a square");
    assert!(figure.to_svg().len() < 150_000);
    let mut empty = matrix(MAX_MATRIX_SYSTEMS);
    empty.cells = vec![vec![None; MAX_MATRIX_SYSTEMS]; MAX_MATRIX_SYSTEMS];
    let figure = pairwise_matrix_figure(&empty).expect("a square");
    assert!(figure.to_svg().len() < 1_500_000);
    assert!(words(&figure).iter().any(|word| word == "not compared"));
}

#[test]
fn p_values_are_short_and_never_zero() {
    let mut pair = matrix(2);
    for (p, written) in [
        (0.0, "<.001"),
        (0.000_49, "<.001"),
        (0.0123, ".012"),
        (0.9999, "1"),
        (1.0, "1"),
    ] {
        pair.cells[0][1] = cell(p, 0.1, p < 0.05);
        let words = words(&pairwise_matrix_figure(&pair).expect("a p-value"));
        assert!(words.iter().any(|word| word == written), "{p} in {words:?}");
    }
}

#[test]
fn better_systems_stand_higher() {
    let edges = [(4, 0), (0, 1), (1, 2), (4, 3), (3, 2)];
    let figure = hasse_figure(&order(&[0.5, 0.4, 0.1, 0.3, 0.9], &edges)).expect("an order");
    let heights = heights(&figure, 5);
    for (better, worse) in edges {
        assert!(heights[better] < heights[worse]);
    }
}

#[test]
fn a_system_without_lines_stands_where_its_score_is() {
    let chain = [(0, 1), (1, 2), (2, 3)];
    for (mean, beside) in [(0.85, 0), (0.62, 1), (0.38, 2), (0.02, 3)] {
        let figure = hasse_figure(&order(&[0.8, 0.6, 0.4, 0.2, mean], &chain)).expect("an order");
        let heights = heights(&figure, 5);
        assert_eq!(heights[4], heights[beside], "{mean}");
    }
}

#[test]
fn a_circle_of_systems_is_said_and_not_drawn() {
    for (edges, said) in [
        (vec![(0, 1), (1, 2), (2, 3), (3, 1)], "S1 > S2 > S3 > S1"),
        (vec![(0, 1), (2, 2)], "S2 > S2"),
    ] {
        let figure = hasse_figure(&order(&[0.5; 5], &edges)).expect("a figure that says so");
        let rotations = |said: &str| -> Vec<String> {
            // A circle begins anywhere.
            let names: Vec<&str> = said.split(" > ").collect();
            let names = &names[1..];
            (0..names.len())
                .map(|first| {
                    let around = (0..=names.len()).map(|i| names[(first + i) % names.len()]);
                    around.collect::<Vec<_>>().join(" > ")
                })
                .collect()
        };
        let description = figure.description();
        assert!(description.contains("leads in a circle"), "{description}");
        assert!(
            rotations(said)
                .iter()
                .any(|circle| description.contains(circle))
        );
        assert!(points(&figure, "polyline").is_empty());
    }
}

#[test]
fn edges_given_twice_are_drawn_once() {
    let once = hasse_figure(&order(&[2.0, 1.0], &[(0, 1)])).expect("an order");
    let twice = hasse_figure(&order(&[2.0, 1.0], &[(0, 1), (0, 1)])).expect("an order");
    assert_eq!(once.to_svg(), twice.to_svg());
}

#[test]
fn no_systems_give_figures_that_say_so_and_one_is_drawn() {
    let empty = [
        critical_difference_figure(&ranks(&[], &[])),
        pairwise_matrix_figure(&matrix(0)),
        hasse_figure(&order(&[], &[])),
    ];
    for figure in empty {
        let figure = figure.expect("a figure that says so");
        assert_eq!(words(&figure), ["There are no systems to draw."]);
    }
    let one = [
        critical_difference_figure(&ranks(&[1.0], &[&[0]])),
        pairwise_matrix_figure(&matrix(1)),
        hasse_figure(&order(&[0.5], &[])),
    ];
    for figure in one {
        let figure = figure.expect("one system");
        assert!(words(&figure).iter().any(|word| word == "S0"));
        assert_self_contained(&figure);
    }
}

#[test]
fn what_is_not_a_number_is_refused() {
    for value in [f64::NAN, f64::INFINITY, -1e13] {
        let mut difference = ranks(&[1.0, 2.0], &[]);
        difference.critical_difference = Some(value);
        let [mut p, mut d] = [matrix(2), matrix(2)];
        p.cells[1][0] = cell(value, 0.1, false);
        d.cells[0][1] = cell(0.5, value, false);
        for refused in [
            critical_difference_figure(&ranks(&[1.0, value], &[])),
            critical_difference_figure(&difference),
            pairwise_matrix_figure(&p),
            pairwise_matrix_figure(&d),
            hasse_figure(&order(&[value, 0.2], &[])),
        ] {
            assert!(matches!(refused, Err(FigureError::NotDrawable { .. })));
        }
    }
    let mut beyond = matrix(2);
    beyond.cells[0][1] = cell(1.01, 0.1, false);
    let refused = pairwise_matrix_figure(&beyond).expect_err("1.01 is no p-value");
    assert_eq!(
        refused.to_string(),
        "\"pairs\", S0 and S1: 1.01 cannot be drawn as a p-value"
    );
}

#[test]
fn systems_that_are_not_there_and_too_many_are_refused() {
    for refused in [
        critical_difference_figure(&ranks(&[1.0, 2.0], &[&[0, 2]])),
        hasse_figure(&order(&[1.0, 2.0], &[(0, 2)])),
        hasse_figure(&order(&[1.0, 2.0], &[(2, 0)])),
    ] {
        assert!(matches!(
            refused,
            Err(FigureError::NoSuchSystem { index: 2, .. })
        ));
    }
    let many = vec![0.5; MAX_DIAGRAM_SYSTEMS + 1];
    for refused in [
        critical_difference_figure(&ranks(&many, &[])),
        hasse_figure(&order(&many, &[])),
        pairwise_matrix_figure(&matrix(MAX_MATRIX_SYSTEMS + 1)),
    ] {
        assert!(matches!(refused, Err(FigureError::TooManySystems { .. })));
    }
    let mut ragged = matrix(3);
    ragged.cells[1].pop();
    let mut short = matrix(3);
    short.cells.pop();
    for refused in [&ragged, &short].map(pairwise_matrix_figure) {
        assert!(matches!(
            refused,
            Err(FigureError::NotSquare { cells: 2, .. })
        ));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn every_svg_is_well_formed_and_the_same_each_time_whatever_the_names(
        title in any::<String>(),
        names in proptest::collection::vec(any::<String>(), 1..12),
        values in proptest::collection::vec(-1e12..1e12_f64, 12),
        cliques in proptest::collection::vec(proptest::collection::vec(0..12_usize, 0..5), 0..6),
        edges in proptest::collection::vec((0..12_usize, 0..12_usize), 0..20),
    ) {
        let count = names.len();
        let systems: Vec<(String, f64)> = names.into_iter().zip(values).collect();
        let within = |index: usize| index % count;
        let ranks = CriticalDifference {
            title: title.clone(),
            systems: systems.clone(),
            critical_difference: Some(1e6),
            cliques: cliques
                .into_iter()
                .map(|clique| clique.into_iter().map(within).collect())
                .collect(),
        };
        // Some of these have circles.
        let order = Hasse {
            title,
            systems,
            edges: edges.into_iter().map(|(i, j)| (within(i), within(j))).collect(),
        };
        let mut pairs = matrix(count);
        pairs.systems = order.systems.iter().map(|(name, _)| name.clone()).collect();
        let draw = || [
            critical_difference_figure(&ranks),
            hasse_figure(&order),
            pairwise_matrix_figure(&pairs),
        ];
        for (figure, again) in draw().into_iter().zip(draw()) {
            let figure = figure.expect("possible data");
            assert_self_contained(&figure);
            prop_assert_eq!(figure.to_svg(), again.expect("possible data").to_svg());
        }
    }
}

//! Comparisons of systems.

use proptest::prelude::*;

use super::super::critical_difference::{self, CriticalDifference};
use super::super::hasse::{self, Hasse};
use super::super::pairwise_matrix::{self, MatrixCell, PairwiseMatrix};
use super::super::scene::{Area, Figure, Point, Shape};
use super::{assert_well_laid_out, shapes_within};

/// Values in an order that is neither theirs nor random, some of them equal.
fn valued(names: &[String], size: f64) -> Vec<(String, f64)> {
    let value = |place: usize| size * ((place * 37) % 29) as f64 / 7.0;
    let values = (0..names.len()).map(value);
    names.iter().cloned().zip(values).collect()
}

fn numbered(count: usize) -> Vec<String> {
    (0..count).map(|i| format!("system {i}")).collect()
}

/// Cliques of neighbours in the order of ranks, or with `skip`, of every second.
fn diagram(title: &str, systems: Vec<(String, f64)>, cd: Option<f64>, skip: usize) -> Figure {
    let mut order: Vec<usize> = (0..systems.len()).collect();
    order.sort_by(|one, other| systems[*one].1.total_cmp(&systems[*other].1));
    let windows = order.windows(5.min(order.len()).max(1));
    let cliques = windows.map(|window| window.iter().copied().step_by(skip).collect());
    let ranks = CriticalDifference {
        title: title.to_owned(),
        cliques: cliques.collect(),
        systems,
        critical_difference: cd,
    };
    critical_difference::draw(&ranks).unwrap()
}

fn matrix(title: &str, names: &[String], missing: usize) -> Figure {
    let cell = |i: usize, j: usize| {
        let p = ((i + 2 * j) % 11) as f64 / 10.0;
        (!(i + j).is_multiple_of(missing)).then_some(MatrixCell {
            p: p * p * p * p,
            difference: i as f64 - j as f64,
            significant: p < 0.5,
            better: (i != j).then_some(i > j),
        })
    };
    let row = |i: usize| (0..names.len()).map(|j| cell(i, j)).collect();
    pairwise_matrix::draw(&PairwiseMatrix {
        title: title.to_owned(),
        systems: names.to_vec(),
        cells: (0..names.len()).map(row).collect(),
    })
    .unwrap()
}

fn hasse(title: &str, systems: Vec<(String, f64)>, edges: &[(usize, usize)]) -> Figure {
    let count = systems.len();
    // From a smaller to a larger number there is no circle.
    let edges = edges.iter().map(|(i, j)| (i % count, j % count));
    let edges = edges.filter(|(i, j)| i < j);
    hasse::draw(&Hasse {
        title: title.to_owned(),
        systems,
        edges: edges.collect(),
        circles: Vec::new(),
    })
    .unwrap()
}

/// Every number is better than those that are larger by at least `least`, without
/// what follows.
fn thresholds(count: usize, least: usize) -> Vec<(usize, usize)> {
    let pairs = (0..count).flat_map(|i| (i + 1..count).map(move |j| (i, j)));
    pairs
        .filter(|(i, j)| (least..2 * least).contains(&(j - i)))
        .collect()
}

/// The boxes of a diagram of an order, and its lines.
fn boxes_and_lines(figure: &Figure) -> (Vec<Area>, Vec<Vec<Point>>) {
    let (mut boxes, mut lines) = (Vec::new(), Vec::new());
    for shape in shapes_within(&figure.shapes) {
        match shape {
            Shape::Rect { area, .. } => boxes.push(*area),
            Shape::Polyline { points, .. } => lines.push(points.clone()),
            _ => {}
        }
    }
    (boxes, lines)
}

/// Boxes are apart, and lines go downwards around them.
fn assert_lines_avoid_boxes(figure: &Figure) {
    let (boxes, lines) = boxes_and_lines(figure);
    for (index, area) in boxes.iter().enumerate() {
        assert!(boxes[..index].iter().all(|other| !other.meets(area)));
    }
    for pair in lines.iter().flat_map(|line| line.windows(2)) {
        assert!(pair[0].y < pair[1].y, "{pair:?} does not go down");
        for area in boxes.iter().map(|area| area.grown(-0.01)) {
            let places = (0..=50).map(|step| {
                let share = f64::from(step) / 50.0;
                let x = pair[0].x + share * (pair[1].x - pair[0].x);
                (x, pair[0].y + share * (pair[1].y - pair[0].y))
            });
            for (x, y) in places {
                let inside = (area.left..=area.right()).contains(&x)
                    && (area.top..=area.bottom()).contains(&y);
                assert!(!inside, "{pair:?} runs through {area:?}");
            }
        }
    }
}

#[test]
fn diagrams_of_every_number_of_systems_are_well_laid_out() {
    for count in (1..=60).filter(|count| *count < 10 || count % 7 < 2) {
        for size in [0.0, 1e-3, 1.0, 1e9] {
            for cd in [None, Some(0.0), Some(0.7 * size), Some(1e3)] {
                for skip in [1, 2] {
                    let systems = valued(&numbered(count), size);
                    assert_well_laid_out(&diagram("ranks", systems, cd, skip));
                }
            }
        }
    }
}

#[test]
fn elbows_do_not_cross() {
    for count in [2, 3, 15, 60] {
        let figure = diagram("ranks", valued(&numbered(count), 1.0), Some(1.0), 1);
        let (_, elbows) = boxes_and_lines(&figure);
        assert_eq!(elbows.len(), count);
        let upright = |elbow: &[Point]| (elbow[0].x, elbow[0].y, elbow[1].y);
        for one in &elbows {
            for other in &elbows {
                let (x, top, bottom) = upright(one);
                let (from, to, y) = (other[1].x, other[2].x, other[1].y);
                let within = x > from.min(to) + 1e-9 && x < from.max(to) - 1e-9;
                assert!(
                    !(within && y > top && y < bottom),
                    "{one:?} crosses {other:?}"
                );
            }
        }
    }
}

#[test]
fn matrices_of_every_size_are_well_laid_out() {
    for count in [1, 2, 3, 8, 9, 20, 21, 40, 41, 80, 81, 130, 200] {
        for missing in [1, 5, 1000] {
            assert_well_laid_out(&matrix("pairs", &numbered(count), missing));
        }
    }
}

#[test]
fn orders_of_every_number_of_systems_are_well_laid_out() {
    for count in [1, 2, 3, 7, 15, 24, 25, 40, 60] {
        for least in [1, 2, 5, 11, 90] {
            let systems = valued(&numbered(count), 0.1);
            let figure = hasse("order", systems, &thresholds(count, least));
            assert_well_laid_out(&figure);
            assert_lines_avoid_boxes(&figure);
        }
    }
}

#[test]
fn all_pairs_of_a_complete_order_are_drawn_around_the_boxes() {
    let pairs = (0..30).flat_map(|i| (i + 1..30).map(move |j| (i, j)));
    let pairs: Vec<(usize, usize)> = pairs.collect();
    let figure = hasse("order", valued(&numbered(30), 0.1), &pairs);
    assert_well_laid_out(&figure);
    assert_lines_avoid_boxes(&figure);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn diagrams_are_well_laid_out_for_every_name(
        title in "\\PC{0,90}",
        names in proptest::collection::vec("\\PC{0,80}", 1..40),
        size in -1e6..1e6_f64,
        cd in proptest::option::of(0.0..1e6_f64),
        skip in 1_usize..4,
    ) {
        assert_well_laid_out(&diagram(&title, valued(&names, size), cd, skip));
    }

    #[test]
    fn matrices_are_well_laid_out_for_every_name(
        title in "\\PC{0,90}",
        names in proptest::collection::vec("\\PC{0,80}", 1..50),
        missing in 1_usize..9,
    ) {
        assert_well_laid_out(&matrix(&title, &names, missing));
    }

    #[test]
    fn orders_are_well_laid_out_for_every_name(
        title in "\\PC{0,90}",
        names in proptest::collection::vec("\\PC{0,80}", 1..40),
        edges in proptest::collection::vec((0..40_usize, 0..40_usize), 0..90),
    ) {
        let figure = hasse(&title, valued(&names, 0.1), &edges);
        assert_well_laid_out(&figure);
        assert_lines_avoid_boxes(&figure);
    }

    #[test]
    fn circles_are_named_in_a_well_laid_out_figure(
        title in "\\PC{0,90}",
        names in proptest::collection::vec("\\PC{0,200}", 1..30),
    ) {
        let order = Hasse {
            title,
            circles: names.chunks(3).map(|names| names.join(", ")).collect(),
            systems: valued(&names, 0.1),
            edges: Vec::new(),
        };
        assert_well_laid_out(&hasse::draw(&order).unwrap());
    }
}

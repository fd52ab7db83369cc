//! Layout of the figures of comparisons.

use partita_core::significance::{ComparedQuantity, CriticalDifference};
use partita_report::{
    Figure, critical_difference_figure, forest_figure, hasse_figure, mean_ranks_figure,
    means_figure, pairwise_matrix_figure,
};
use proptest::prelude::*;

use super::{Area, assert_well_laid_out, elements, named};
use crate::comparison_figures::{comparison, pair, with_baseline};

/// Returns one deterministic value per name, in no particular order and with ties.
fn values(names: &[String], size: f64) -> Vec<f64> {
    let value = |place: usize| size * ((place * 37) % 29) as f64 / 7.0;
    (0..names.len()).map(value).collect()
}

fn numbered(count: usize) -> Vec<String> {
    (0..count).map(|i| format!("system {i}")).collect()
}

/// Appends a number to each name, because systems must have distinct names.
fn distinct(names: Vec<String>) -> Vec<String> {
    let names = names.iter().zip(0..);
    names.map(|(name, i)| format!("{name}{i}")).collect()
}

/// Draws a critical difference diagram. Its cliques are made of each five systems in a row in the
/// order of mean ranks, of which every `skip`-th is a member. `cd` is the critical difference.
fn diagram(title: &str, names: &[String], size: f64, cd: Option<f64>, skip: usize) -> Figure {
    let mut made = comparison(names, &values(names, size));
    made.measure = title.to_owned();
    made.critical_difference = cd.map(|value| CriticalDifference {
        of: ComparedQuantity::MeanRank,
        value,
    });
    let mut systems = made.systems.clone();
    systems.sort_by(|one, other| one.mean_rank.total_cmp(&other.mean_rank));
    let windows = systems.windows(5.min(systems.len()).max(1));
    let name = |system: &partita_core::comparison::ComparedSystem| system.name.clone();
    let cliques = windows.map(|window| window.iter().step_by(skip).map(name).collect());
    made.groups = Some(cliques.collect());
    // Also check the diagram of the same systems with mean scores on the axis.
    assert_well_laid_out(&means_figure(&made).expect("possible means"));
    critical_difference_figure(&made).expect("possible ranks")
}

/// Draws a matrix of all pairs of systems, except those whose indices add up to a multiple of
/// `missing`.
fn matrix(title: &str, names: &[String], missing: usize) -> Figure {
    let mut made = comparison(names, &vec![0.5; names.len()]);
    made.measure = title.to_owned();
    let pairs = (0..names.len()).flat_map(|j| (0..j).map(move |i| (i, j)));
    let pairs = pairs.filter(|(i, j)| !(i + j).is_multiple_of(missing));
    let pairs = pairs.map(|(i, j)| {
        let p = ((i + 2 * j) % 11) as f64 / 10.0;
        pair(&made.systems, (i, j), p * p * p * p, i as f64 - j as f64)
    });
    made.pairs = pairs.collect();
    pairwise_matrix_figure(&made).expect("a square")
}

fn hasse(title: &str, names: &[String], edges: &[(usize, usize)]) -> Figure {
    let mut made = comparison(names, &values(names, 0.1));
    made.measure = title.to_owned();
    // Edges from a smaller to a larger index cannot form a cycle.
    let count = names.len();
    let edges = edges.iter().map(|(i, j)| (i % count, j % count));
    let edges = edges.filter(|(i, j)| i < j);
    let edges = edges.map(|(i, j)| [i, j].map(|system| made.systems[system].name.clone()));
    made.hasse.as_mut().expect("an order").edges = edges.collect();
    hasse_figure(&made).expect("an order")
}

/// Returns the edges of an order in which each system is better than those whose index is larger by
/// at least `least`. Edges that follow by transitivity are left out.
fn threshold_order_edges(count: usize, least: usize) -> Vec<(usize, usize)> {
    let pairs = (0..count).flat_map(|i| (i + 1..count).map(move |j| (i, j)));
    pairs
        .filter(|(i, j)| (least..2 * least).contains(&(j - i)))
        .collect()
}

/// Asserts that the boxes of a Hasse diagram do not overlap and that edges run downwards and avoid
/// them.
fn assert_lines_avoid_boxes(figure: &Figure) {
    let elements = elements(figure);
    let boxes: Vec<Area> = named(&elements, "rect").iter().map(|e| e.area).collect();
    for (index, area) in boxes.iter().enumerate() {
        assert!(boxes[..index].iter().all(|other| !other.overlaps(area)));
    }
    let lines = named(&elements, "polyline");
    for pair in lines.iter().flat_map(|line| line.points.windows(2)) {
        let [(from_x, from_y), (to_x, to_y)] = [pair[0], pair[1]];
        assert!(from_y < to_y, "{pair:?} does not go down");
        for area in boxes.iter().map(|area| area.enlarged(-0.02)) {
            for step in 0..=50 {
                let share = f64::from(step) / 50.0;
                let (x, y) = (
                    from_x + share * (to_x - from_x),
                    from_y + share * (to_y - from_y),
                );
                let inside =
                    (area.left..=area.right).contains(&x) && (area.top..=area.bottom).contains(&y);
                assert!(!inside, "{pair:?} runs through {area:?}");
            }
        }
    }
}

#[test]
fn critical_difference_diagrams_of_all_sizes_are_well_laid_out() {
    for count in (1..=25).filter(|count| *count < 10 || count % 7 < 2) {
        for size in [0.0, 1e-3, 1.0, 1e9] {
            for cd in [None, Some(0.0), Some(0.7 * size), Some(1e3)] {
                for skip in [1, 2] {
                    assert_well_laid_out(&diagram("ranks", &numbered(count), size, cd, skip));
                }
            }
        }
    }
}

#[test]
fn forest_plots_and_mean_rank_plots_are_well_laid_out() {
    for count in [3, 18, 40, 100] {
        for name in [
            "system",
            "a system with a name that is much too long for the rows of a figure",
        ] {
            let names: Vec<String> = (0..count).map(|i| format!("{name} {i}")).collect();
            let forest = forest_figure(&with_baseline(&names));
            assert_well_laid_out(&forest.expect("differences"));
            let mut made = comparison(&names, &values(&names, 1.0));
            made.critical_difference = Some(CriticalDifference {
                of: ComparedQuantity::MeanRank,
                value: 1.5,
            });
            assert_well_laid_out(&mean_ranks_figure(&made).expect("mean ranks"));
        }
    }
}

#[test]
fn elbow_lines_do_not_cross() {
    for count in [2, 3, 15, 25] {
        let elements = elements(&diagram("ranks", &numbered(count), 1.0, Some(1.0), 1));
        let elbows = named(&elements, "polyline");
        assert_eq!(elbows.len(), count);
        for one in elbows.iter().map(|elbow| &elbow.points) {
            for other in elbows.iter().map(|elbow| &elbow.points) {
                let (x, top, bottom) = (one[0].0, one[0].1, one[1].1);
                let ((from, y), to) = (other[1], other[2].0);
                let within = x > from.min(to) + 0.01 && x < from.max(to) - 0.01;
                let crosses = within && y > top && y < bottom;
                assert!(!crosses, "{one:?} crosses {other:?}");
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
fn hasse_diagrams_of_all_sizes_are_well_laid_out() {
    for count in [1, 2, 3, 7, 15, 18, 24, 25] {
        for least in [1, 2, 5, 11, 90] {
            let figure = hasse(
                "order",
                &numbered(count),
                &threshold_order_edges(count, least),
            );
            assert_well_laid_out(&figure);
            assert_lines_avoid_boxes(&figure);
        }
    }
}

#[test]
fn all_edges_of_a_total_order_avoid_the_boxes() {
    let pairs = (0..25).flat_map(|i| (i + 1..25).map(move |j| (i, j)));
    let pairs: Vec<(usize, usize)> = pairs.collect();
    let figure = hasse("order", &numbered(25), &pairs);
    assert_well_laid_out(&figure);
    assert_lines_avoid_boxes(&figure);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn critical_difference_diagrams_are_well_laid_out_for_every_name(
        title in "\\PC{0,90}",
        names in proptest::collection::vec("\\PC{0,80}", 1..25),
        size in -1e6..1e6_f64,
        cd in proptest::option::of(0.0..1e6_f64),
        skip in 1_usize..4,
    ) {
        assert_well_laid_out(&diagram(&title, &distinct(names), size, cd, skip));
    }

    #[test]
    fn matrices_are_well_laid_out_for_every_name(
        title in "\\PC{0,90}",
        names in proptest::collection::vec("\\PC{0,80}", 1..50),
        missing in 1_usize..9,
    ) {
        assert_well_laid_out(&matrix(&title, &distinct(names), missing));
    }

    #[test]
    fn hasse_diagrams_are_well_laid_out_for_every_name(
        title in "\\PC{0,90}",
        names in proptest::collection::vec("\\PC{0,80}", 1..25),
        edges in proptest::collection::vec((0..40_usize, 0..40_usize), 0..90),
    ) {
        let figure = hasse(&title, &distinct(names), &edges);
        assert_well_laid_out(&figure);
        assert_lines_avoid_boxes(&figure);
    }

    #[test]
    fn hasse_diagrams_with_cycles_are_well_laid_out(
        title in "\\PC{0,90}",
        names in proptest::collection::vec("\\PC{0,200}", 1..25),
    ) {
        let names = distinct(names);
        let mut made = comparison(&names, &values(&names, 0.1));
        made.measure = title;
        let names: Vec<_> = made.systems.iter().map(|system| system.name.clone()).collect();
        let circles = names.chunks(3).map(<[_]>::to_vec).collect();
        made.hasse.as_mut().expect("an order").cycles = circles;
        assert_well_laid_out(&hasse_figure(&made).expect("an order"));
    }
}

//! Words never overlap and never leave the figure, whatever the names are.

use proptest::prelude::*;

use super::scene::{Anchor, Area, Figure, Shape, Text};
use super::{RecallCurve, RecallPanel, dynamic_recall_figure, mean_recall_figure};

fn words<'a>(shapes: &'a [Shape], found: &mut Vec<&'a Text>) {
    for shape in shapes {
        match shape {
            Shape::Text(text) => found.push(text),
            Shape::Group { shapes, .. } => words(shapes, found),
            _ => {}
        }
    }
}

/// The rectangle a line of words takes.
fn extent(text: &Text) -> Area {
    let (width, height) = (text.width(), 0.75 * text.size);
    let before = match text.anchor {
        Anchor::Start => 0.0,
        Anchor::Middle => width / 2.0,
        Anchor::End => width,
    };
    if text.turn == 0.0 {
        Area {
            left: text.at.x - before,
            top: text.at.y - height,
            width,
            height,
        }
    } else {
        // A quarter turn to the left: the words run upwards.
        Area {
            left: text.at.x - height,
            top: text.at.y - (width - before),
            width: height,
            height: width,
        }
    }
}

fn overlap(one: &Area, other: &Area) -> bool {
    one.left < other.right()
        && other.left < one.right()
        && one.top < other.bottom()
        && other.top < one.bottom()
}

fn assert_words_are_apart(figure: &Figure) {
    let mut texts = Vec::new();
    words(&figure.shapes, &mut texts);
    let extents: Vec<Area> = texts.iter().map(|text| extent(text)).collect();
    for (index, area) in extents.iter().enumerate() {
        let inside = area.left >= 0.0
            && area.top >= 0.0
            && area.right() <= figure.width
            && area.bottom() <= figure.height;
        assert!(inside, "{:?} leaves the figure", texts[index]);
        for (other, place) in extents[..index].iter().enumerate() {
            assert!(
                !overlap(area, place),
                "{:?} overlaps {:?}",
                texts[index],
                texts[other]
            );
        }
    }
}

fn panel(query: &str, positions: usize, runs: &[String]) -> RecallPanel {
    let curves = runs.iter().enumerate().map(|(number, run)| {
        let share = 1.0 / (number + 1) as f64;
        let found = (1..=positions).map(|i| share * i as f64).collect();
        RecallCurve::new(run, share, found, vec![share; positions]).unwrap()
    });
    let ends = (1..=positions).filter(|end| end % 3 == 0 || *end == positions);
    RecallPanel::new(query, ends.collect(), curves.collect()).unwrap()
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

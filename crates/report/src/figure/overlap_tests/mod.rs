//! Words never overlap and nothing leaves the figure, whatever the names are.

mod boxes;
mod lists;
mod recall;

use super::scene::{Anchor, Area, Figure, Point, Shape, Text};

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

/// The rectangle that a shape other than words takes, without its line.
fn extent_of_shape(shape: &Shape) -> Option<Area> {
    let around = |points: &[Point]| {
        let x = || points.iter().map(|point| point.x);
        let y = || points.iter().map(|point| point.y);
        let (left, top) = (
            x().fold(f64::INFINITY, f64::min),
            y().fold(f64::INFINITY, f64::min),
        );
        Area {
            left,
            top,
            width: x().fold(left, f64::max) - left,
            height: y().fold(top, f64::max) - top,
        }
    };
    match shape {
        Shape::Line { from, to, .. } => Some(around(&[*from, *to])),
        Shape::Polyline { points, .. } | Shape::Polygon { points, .. } => Some(around(points)),
        Shape::Rect { area, .. } => Some(*area),
        Shape::Circle { centre, radius, .. } => Some(around(&[*centre]).grown(*radius)),
        Shape::Arc {
            from, to, reach, ..
        } => {
            let farthest = Point::new(from.x + reach, from.y);
            Some(around(&[*from, *to, farthest]))
        }
        Shape::Text(_) | Shape::Group { .. } => None,
    }
}

fn assert_nothing_is_cut(figure: &Figure, shapes: &[Shape]) {
    for shape in shapes {
        if let Shape::Group { shapes, .. } = shape {
            assert_nothing_is_cut(figure, shapes);
        }
        if let Some(area) = extent_of_shape(shape) {
            let area = area.grown(1.0);
            let inside = area.left >= 0.0
                && area.top >= 0.0
                && area.right() <= figure.width
                && area.bottom() <= figure.height;
            assert!(inside, "{shape:?} leaves the figure");
        }
    }
}

fn assert_well_laid_out(figure: &Figure) {
    assert_words_are_apart(figure);
    assert_nothing_is_cut(figure, &figure.shapes);
}

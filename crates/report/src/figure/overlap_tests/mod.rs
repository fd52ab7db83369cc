//! Words never overlap and nothing leaves the figure, whatever the names are.

mod boxes;
mod comparisons;
mod curves;
mod lists;
mod recall;

use super::scene::{Area, Figure, Point, Shape, Text};

/// All shapes, those of groups instead of the groups.
fn shapes_within(shapes: &[Shape]) -> Vec<&Shape> {
    let mut found = Vec::new();
    for shape in shapes {
        match shape {
            Shape::Group { shapes, .. } => found.extend(shapes_within(shapes)),
            _ => found.push(shape),
        }
    }
    found
}

fn words(figure: &Figure) -> Vec<&Text> {
    let shapes = shapes_within(&figure.shapes).into_iter();
    let words = shapes.filter_map(|shape| match shape {
        Shape::Text(text) => Some(text),
        _ => None,
    });
    words.collect()
}

fn assert_words_are_apart(figure: &Figure) {
    let texts = words(figure);
    let extents: Vec<Area> = texts.iter().map(|text| text.extent()).collect();
    for (index, area) in extents.iter().enumerate() {
        let inside = area.left >= 0.0
            && area.top >= 0.0
            && area.right() <= figure.width
            && area.bottom() <= figure.height;
        assert!(inside, "{:?} leaves the figure", texts[index]);
        for (other, place) in extents[..index].iter().enumerate() {
            assert!(
                !area.meets(place),
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

fn assert_nothing_is_cut(figure: &Figure) {
    for shape in shapes_within(&figure.shapes) {
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
    assert_nothing_is_cut(figure);
}

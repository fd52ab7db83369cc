//! Small signs at the points of a curve, which tell curves apart without colour.

use super::scene::{Colour, Fill, Point, Shape, Stroke};

/// The sign of a series.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Marker {
    form: Form,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Circle,
    Square,
    Triangle,
    Diamond,
    TriangleDown,
}

const FORMS: [Form; 5] = [
    Form::Circle,
    Form::Square,
    Form::Triangle,
    Form::Diamond,
    Form::TriangleDown,
];

impl Marker {
    /// The marker of the series with this number.
    pub(super) fn of(number: usize) -> Self {
        Self {
            form: FORMS[number % FORMS.len()],
        }
    }

    /// The marker in a colour with its middle at a point.
    pub(super) fn at(self, middle: Point, colour: Colour) -> Shape {
        let fill = Fill::opaque(colour);
        let corners: &[(f64, f64)] = match self.form {
            Form::Circle => {
                return Shape::Circle {
                    centre: middle,
                    radius: 3.0,
                    fill,
                };
            }
            Form::Square => &[(-2.7, -2.7), (2.7, -2.7), (2.7, 2.7), (-2.7, 2.7)],
            Form::Triangle => &[(0.0, -3.9), (3.5, 2.5), (-3.5, 2.5)],
            Form::Diamond => &[(0.0, -4.0), (4.0, 0.0), (0.0, 4.0), (-4.0, 0.0)],
            Form::TriangleDown => &[(0.0, 3.9), (3.5, -2.5), (-3.5, -2.5)],
        };
        Shape::Polygon {
            points: corners
                .iter()
                .map(|(x, y)| Point::new(middle.x + x, middle.y + y))
                .collect(),
            fill,
            // A white edge keeps markers apart that lie over each other.
            outline: Some(Stroke::solid("#FFFFFF", 0.4)),
        }
    }
}

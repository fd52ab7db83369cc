//! The scene: everything a figure can show, before a format writes it.
//!
//! Lengths are in points of the drawing; y grows downwards, as in SVG.

use super::{caption, typeface};

/// A finished drawing with a title and a description for those who cannot see it.
///
/// ```
/// use partita_report::dynamic_recall_figure;
///
/// let figure = dynamic_recall_figure(&[]);
/// assert_eq!(figure.title, "Dynamic recall");
/// assert!(figure.to_svg().starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    /// What it is, in a few words.
    pub title: String,
    /// What it shows, in words.
    pub description: String,
    /// The width of the drawing.
    pub width: f64,
    /// The height of the drawing.
    pub height: f64,
    pub(super) shapes: Vec<Shape>,
}

impl Figure {
    pub(super) fn new(
        title: impl Into<String>,
        description: String,
        (width, height): (f64, f64),
        mut shapes: Vec<Shape>,
    ) -> Self {
        Self {
            title: title.into(),
            description,
            width,
            height: caption::append_full_names(width, height, &mut shapes),
            shapes,
        }
    }

    /// A figure that only says why there is nothing to see.
    pub(super) fn message(title: &str, words: &str) -> Self {
        let (width, margin, size, row) = (480.0, 16.0, 13.0, 18.0);
        let room = width - 2.0 * margin;
        let lines = typeface::lines(words, room, size, false);
        let line = |(number, line): (usize, &String)| {
            let at = (width / 2.0, 52.0 + row * number as f64);
            Text::new(line, at, size).middle().quiet().into()
        };
        let height = 96.0 + row * lines.len().saturating_sub(1) as f64;
        let shapes = lines.iter().enumerate().map(line).collect();
        Self::new(title, words.to_owned(), (width, height), shapes)
    }
}

/// A colour as `#RRGGBB`.
pub(super) type Colour = &'static str;

/// The colour of words and axes.
pub(super) const INK: Colour = "#222222";
/// The colour of words that say less than others.
pub(super) const QUIET: Colour = "#666666";
/// The colour of gridlines.
pub(super) const FAINT: Colour = "#DDDDDD";
pub(super) const WHITE: Colour = "#FFFFFF";

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Point {
    pub(super) x: f64,
    pub(super) y: f64,
}

impl From<(f64, f64)> for Point {
    fn from((x, y): (f64, f64)) -> Self {
        Self { x, y }
    }
}

/// A rectangle parallel to the axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Area {
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) width: f64,
    pub(super) height: f64,
}

impl Area {
    pub(super) fn new((left, top): (f64, f64), (width, height): (f64, f64)) -> Self {
        Self {
            left,
            top,
            width,
            height,
        }
    }

    pub(super) fn right(&self) -> f64 {
        self.left + self.width
    }

    pub(super) fn bottom(&self) -> f64 {
        self.top + self.height
    }

    /// The x of the middle.
    pub(super) fn middle(&self) -> f64 {
        self.left + self.width / 2.0
    }

    /// The same rectangle, larger by `margin` on every side.
    pub(super) fn grown(&self, margin: f64) -> Self {
        let size = (self.width + 2.0 * margin, self.height + 2.0 * margin);
        Self::new((self.left - margin, self.top - margin), size)
    }
}

/// How a line is drawn. No dashes means a solid line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Stroke {
    pub(super) colour: Colour,
    pub(super) width: f64,
    pub(super) dashes: &'static [f64],
    pub(super) opacity: f64,
}

impl Stroke {
    pub(super) const fn solid(colour: Colour, width: f64) -> Self {
        Self {
            colour,
            width,
            dashes: &[],
            opacity: 1.0,
        }
    }

    pub(super) fn dashed(self, dashes: &'static [f64]) -> Self {
        Self { dashes, ..self }
    }

    pub(super) fn wide(self, width: f64) -> Self {
        Self { width, ..self }
    }

    pub(super) fn faded(self, opacity: f64) -> Self {
        Self { opacity, ..self }
    }
}

/// The line of axes.
pub(super) const AXIS: Stroke = Stroke::solid(INK, 0.8);

/// How a surface is drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Fill {
    pub(super) colour: Colour,
    pub(super) opacity: f64,
}

impl From<Colour> for Fill {
    fn from(colour: Colour) -> Self {
        let opacity = 1.0;
        Self { colour, opacity }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// A line of words.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Text {
    pub(super) text: String,
    /// The whole text, where `text` had to be shortened.
    pub(super) whole: Option<String>,
    /// Where the baseline begins, has its middle or ends.
    pub(super) at: Point,
    pub(super) anchor: Anchor,
    pub(super) size: f64,
    pub(super) colour: Colour,
    pub(super) bold: bool,
    /// Whether the words run upwards from `at`.
    pub(super) upwards: bool,
    /// Whether a white edge keeps the words apart from the lines behind them.
    pub(super) halo: bool,
}

impl Text {
    pub(super) fn new(text: impl Into<String>, at: impl Into<Point>, size: f64) -> Self {
        Self {
            text: text.into(),
            whole: None,
            at: at.into(),
            anchor: Anchor::Start,
            size,
            colour: INK,
            bold: false,
            upwards: false,
            halo: false,
        }
    }

    pub(super) fn anchored(self, anchor: Anchor) -> Self {
        Self { anchor, ..self }
    }

    pub(super) fn middle(self) -> Self {
        self.anchored(Anchor::Middle)
    }

    pub(super) fn end(self) -> Self {
        self.anchored(Anchor::End)
    }

    pub(super) fn coloured(self, colour: Colour) -> Self {
        Self { colour, ..self }
    }

    pub(super) fn quiet(self) -> Self {
        self.coloured(QUIET)
    }

    pub(super) fn bold(self) -> Self {
        Self { bold: true, ..self }
    }

    pub(super) fn upwards(self) -> Self {
        let upwards = true;
        Self { upwards, ..self }
    }

    pub(super) fn with_halo(self) -> Self {
        Self { halo: true, ..self }
    }

    /// The same words, shortened until they are at most `width` wide.
    pub(super) fn fitted(self, width: f64) -> Self {
        match typeface::shortened(&self.text, width, self.size, self.bold) {
            Some(short) => Self {
                whole: Some(self.text),
                text: short,
                ..self
            },
            None => self,
        }
    }

    pub(super) fn width(&self) -> f64 {
        typeface::width(&self.text, self.size, self.bold)
    }
}

/// One thing to be drawn, over all that was drawn before it.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Shape {
    Line(Point, Point, Stroke),
    Polyline(Vec<Point>, Stroke),
    Polygon(Vec<Point>, Fill, Option<Stroke>),
    /// The radius of its corners is 0 for sharp ones.
    Rect(Area, f64, Fill, Option<Stroke>),
    /// Half an ellipse between two places one above the other, and how far it goes to the right, or
    /// to the left when negative.
    Arc(Point, Point, f64, Stroke),
    /// Its centre and its radius.
    Circle(Point, f64, Colour),
    Text(Text),
    /// Shapes of which a reader who points at them is told something.
    WithTooltip(String, Vec<Shape>),
    /// Shapes of which is not drawn what lies outside.
    Clip(Area, Vec<Shape>),
}

impl From<Text> for Shape {
    fn from(text: Text) -> Self {
        Self::Text(text)
    }
}

impl Shape {
    pub(super) fn line(from: impl Into<Point>, to: impl Into<Point>, stroke: Stroke) -> Self {
        Self::Line(from.into(), to.into(), stroke)
    }

    /// A surface with sharp corners.
    pub(super) fn rect(area: Area, fill: impl Into<Fill>, outline: Option<Stroke>) -> Self {
        Self::Rect(area, 0.0, fill.into(), outline)
    }

    pub(super) fn circle(centre: impl Into<Point>, radius: f64, colour: Colour) -> Self {
        Self::Circle(centre.into(), radius, colour)
    }

    /// The surface whose corners stand around a point.
    pub(super) fn around(middle: Point, corners: &[(f64, f64)], fill: Colour, edge: f64) -> Self {
        let corner = |(x, y): &(f64, f64)| (middle.x + x, middle.y + y).into();
        // A white edge keeps those apart that lie over each other.
        let edge = Some(Stroke::solid(WHITE, edge));
        Self::Polygon(corners.iter().map(corner).collect(), fill.into(), edge)
    }

    pub(super) fn titled(title: impl Into<String>, shapes: Vec<Self>) -> Self {
        Self::WithTooltip(title.into(), shapes)
    }
}

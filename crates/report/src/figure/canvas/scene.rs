//! The scene: everything a figure can show, before a format writes it.
//!
//! Lengths are in points of the drawing; y grows downwards, as in SVG.

use super::{caption, text_metrics};

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
    pub(crate) shapes: Vec<Shape>,
}

impl Figure {
    pub(crate) fn new(
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
    pub(crate) fn message(title: &str, words: &str) -> Self {
        let (width, margin, size, row) = (480.0, 16.0, 13.0, 18.0);
        let room = width - 2.0 * margin;
        let lines = text_metrics::lines(words, room, size, false);
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
pub(crate) type Colour = &'static str;

/// The colour of words and axes.
pub(crate) const INK: Colour = "#222222";
/// The colour of words that say less than others.
pub(crate) const QUIET: Colour = "#666666";
/// The colour of gridlines.
pub(crate) const FAINT: Colour = "#DDDDDD";
pub(crate) const WHITE: Colour = "#FFFFFF";

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Point {
    pub(crate) x: f64,
    pub(crate) y: f64,
}

impl From<(f64, f64)> for Point {
    fn from((x, y): (f64, f64)) -> Self {
        Self { x, y }
    }
}

/// A rectangle parallel to the axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Area {
    pub(crate) left: f64,
    pub(crate) top: f64,
    pub(crate) width: f64,
    pub(crate) height: f64,
}

impl Area {
    pub(crate) fn new((left, top): (f64, f64), (width, height): (f64, f64)) -> Self {
        Self {
            left,
            top,
            width,
            height,
        }
    }

    pub(crate) fn right(&self) -> f64 {
        self.left + self.width
    }

    pub(crate) fn bottom(&self) -> f64 {
        self.top + self.height
    }

    /// The x of the middle.
    pub(crate) fn middle(&self) -> f64 {
        self.left + self.width / 2.0
    }

    /// The same rectangle, larger by `margin` on every side.
    pub(crate) fn grown(&self, margin: f64) -> Self {
        let size = (self.width + 2.0 * margin, self.height + 2.0 * margin);
        Self::new((self.left - margin, self.top - margin), size)
    }
}

/// How a line is drawn. No dashes means a solid line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Stroke {
    pub(crate) colour: Colour,
    pub(crate) width: f64,
    pub(crate) dashes: &'static [f64],
    pub(crate) opacity: f64,
}

impl Stroke {
    pub(crate) const fn solid(colour: Colour, width: f64) -> Self {
        Self {
            colour,
            width,
            dashes: &[],
            opacity: 1.0,
        }
    }

    pub(crate) fn dashed(self, dashes: &'static [f64]) -> Self {
        Self { dashes, ..self }
    }

    pub(crate) fn wide(self, width: f64) -> Self {
        Self { width, ..self }
    }

    pub(crate) fn faded(self, opacity: f64) -> Self {
        Self { opacity, ..self }
    }
}

/// The line of axes.
pub(crate) const AXIS: Stroke = Stroke::solid(INK, 0.8);

/// How a surface is drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Fill {
    pub(crate) colour: Colour,
    pub(crate) opacity: f64,
}

impl From<Colour> for Fill {
    fn from(colour: Colour) -> Self {
        let opacity = 1.0;
        Self { colour, opacity }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

/// A line of words.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Text {
    pub(crate) text: String,
    /// The whole text, where `text` had to be shortened.
    pub(crate) whole: Option<String>,
    /// Where the baseline begins, has its middle or ends.
    pub(crate) at: Point,
    pub(crate) anchor: Anchor,
    pub(crate) size: f64,
    pub(crate) colour: Colour,
    pub(crate) bold: bool,
    /// Whether the words run upwards from `at`.
    pub(crate) upwards: bool,
    /// Whether a white edge keeps the words apart from the lines behind them.
    pub(crate) halo: bool,
}

impl Text {
    pub(crate) fn new(text: impl Into<String>, at: impl Into<Point>, size: f64) -> Self {
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

    pub(crate) fn anchored(self, anchor: Anchor) -> Self {
        Self { anchor, ..self }
    }

    pub(crate) fn middle(self) -> Self {
        self.anchored(Anchor::Middle)
    }

    pub(crate) fn end(self) -> Self {
        self.anchored(Anchor::End)
    }

    pub(crate) fn coloured(self, colour: Colour) -> Self {
        Self { colour, ..self }
    }

    pub(crate) fn quiet(self) -> Self {
        self.coloured(QUIET)
    }

    pub(crate) fn bold(self) -> Self {
        Self { bold: true, ..self }
    }

    pub(crate) fn upwards(self) -> Self {
        let upwards = true;
        Self { upwards, ..self }
    }

    pub(crate) fn with_halo(self) -> Self {
        Self { halo: true, ..self }
    }

    /// The same words, shortened until they are at most `width` wide.
    pub(crate) fn fitted(self, width: f64) -> Self {
        match text_metrics::shortened(&self.text, width, self.size, self.bold) {
            Some(short) => Self {
                whole: Some(self.text),
                text: short,
                ..self
            },
            None => self,
        }
    }

    pub(crate) fn width(&self) -> f64 {
        text_metrics::width(&self.text, self.size, self.bold)
    }
}

/// One thing to be drawn, over all that was drawn before it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Shape {
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
    pub(crate) fn line(from: impl Into<Point>, to: impl Into<Point>, stroke: Stroke) -> Self {
        Self::Line(from.into(), to.into(), stroke)
    }

    /// A surface with sharp corners.
    pub(crate) fn rect(area: Area, fill: impl Into<Fill>, outline: Option<Stroke>) -> Self {
        Self::Rect(area, 0.0, fill.into(), outline)
    }

    pub(crate) fn circle(centre: impl Into<Point>, radius: f64, colour: Colour) -> Self {
        Self::Circle(centre.into(), radius, colour)
    }

    /// The surface whose corners stand around a point.
    pub(crate) fn around(middle: Point, corners: &[(f64, f64)], fill: Colour, edge: f64) -> Self {
        let corner = |(x, y): &(f64, f64)| (middle.x + x, middle.y + y).into();
        // A white edge keeps those apart that lie over each other.
        let edge = Some(Stroke::solid(WHITE, edge));
        Self::Polygon(corners.iter().map(corner).collect(), fill.into(), edge)
    }

    pub(crate) fn titled(title: impl Into<String>, shapes: Vec<Self>) -> Self {
        Self::WithTooltip(title.into(), shapes)
    }
}

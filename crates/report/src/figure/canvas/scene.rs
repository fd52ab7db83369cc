//! Scene: the shapes of a figure, independent of the file format.
//!
//! Lengths are in figure units; y grows downwards, as in SVG.

use super::{caption, text_metrics};

/// Finished drawing with a title and a text description for readers who cannot see it.
///
/// ```
/// use partita_report::dynamic_recall_figure;
///
/// let figure = dynamic_recall_figure(&[]);
/// assert_eq!(figure.title, "Dynamic recall");
/// assert!(figure.to_svg().starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// Short title of the figure.
    pub title: String,
    /// Text description of what the figure shows, for screen readers.
    pub description: String,
    /// Width of the figure in CSS pixels.
    pub width: f64,
    /// Height of the figure in CSS pixels.
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

    /// Creates a figure that contains only the text `words`, which says why there is nothing to
    /// draw.
    pub(crate) fn message(title: &str, words: &str) -> Self {
        let (width, margin, size, row) = (480.0, 16.0, 13.0, 18.0);
        let available = width - 2.0 * margin;
        let lines = text_metrics::lines(words, available, size, false);
        let line = |(number, line): (usize, &String)| {
            let at = (width / 2.0, 52.0 + row * number as f64);
            Text::new(line, at, size).middle().quiet().into()
        };
        let height = 96.0 + row * lines.len().saturating_sub(1) as f64;
        let shapes = lines.iter().enumerate().map(line).collect();
        Self::new(title, words.to_owned(), (width, height), shapes)
    }
}

/// Colour as `#RRGGBB`.
pub(crate) type Colour = &'static str;

/// Colour of text and axes.
pub(crate) const TEXT_COLOUR: Colour = "#222222";
/// Grey of secondary text.
pub(crate) const SECONDARY_COLOUR: Colour = "#666666";
/// Light grey of grid lines.
pub(crate) const GRID_COLOUR: Colour = "#DDDDDD";
pub(crate) const WHITE: Colour = "#FFFFFF";

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Point {
    pub(crate) x: f64,
    pub(crate) y: f64,
}

impl From<(f64, f64)> for Point {
    fn from((x, y): (f64, f64)) -> Self {
        Self { x, y }
    }
}

/// Axis-parallel rectangle.
#[derive(Clone, Copy, Debug, PartialEq)]
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

    /// Returns the x of the right edge.
    pub(crate) fn right(&self) -> f64 {
        self.left + self.width
    }

    /// Returns the y of the lower edge.
    pub(crate) fn bottom(&self) -> f64 {
        self.top + self.height
    }

    /// Returns the x of the centre of the rectangle.
    pub(crate) fn middle(&self) -> f64 {
        self.left + self.width / 2.0
    }

    /// Returns the rectangle enlarged by `margin` on every side.
    pub(crate) fn enlarged(&self, margin: f64) -> Self {
        let size = (self.width + 2.0 * margin, self.height + 2.0 * margin);
        Self::new((self.left - margin, self.top - margin), size)
    }
}

/// Line style. An empty dash pattern is a solid line.
#[derive(Clone, Copy, Debug, PartialEq)]
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

    /// Returns the stroke with a dash pattern: lengths of dashes and gaps in turn.
    pub(crate) fn with_dashes(self, dashes: &'static [f64]) -> Self {
        Self { dashes, ..self }
    }

    /// Returns the stroke with another width.
    pub(crate) fn with_width(self, width: f64) -> Self {
        Self { width, ..self }
    }

    /// Returns the stroke with another opacity, from 0 to 1.
    pub(crate) fn with_opacity(self, opacity: f64) -> Self {
        Self { opacity, ..self }
    }
}

/// Stroke of axes.
pub(crate) const AXIS_STROKE: Stroke = Stroke::solid(TEXT_COLOUR, 0.8);
/// Stroke of grid lines.
pub(crate) const GRID_STROKE: Stroke = Stroke::solid(GRID_COLOUR, 0.6);

/// Fill style.
#[derive(Clone, Copy, Debug, PartialEq)]
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

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

/// Single line of text.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Text {
    pub(crate) text: String,
    /// Full text if `text` was shortened; shown as a tooltip and below the figure.
    pub(crate) whole: Option<String>,
    /// Start, middle or end of the text's baseline, depending on its anchor.
    pub(crate) at: Point,
    pub(crate) anchor: Anchor,
    pub(crate) size: f64,
    pub(crate) colour: Colour,
    pub(crate) bold: bool,
    /// True if the text is rotated to run upwards from `at`.
    pub(crate) upwards: bool,
    /// True if a white outline separates the text from lines behind it.
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
            colour: TEXT_COLOUR,
            bold: false,
            upwards: false,
            halo: false,
        }
    }

    /// Returns the text anchored to its position by its start, middle or end.
    pub(crate) fn anchored(self, anchor: Anchor) -> Self {
        Self { anchor, ..self }
    }

    /// Returns the text centred at its position.
    pub(crate) fn middle(self) -> Self {
        self.anchored(Anchor::Middle)
    }

    /// Returns the text ending at its position.
    pub(crate) fn end(self) -> Self {
        self.anchored(Anchor::End)
    }

    pub(crate) fn coloured(self, colour: Colour) -> Self {
        Self { colour, ..self }
    }

    /// Returns the text in the grey of secondary text.
    pub(crate) fn quiet(self) -> Self {
        self.coloured(SECONDARY_COLOUR)
    }

    pub(crate) fn bold(self) -> Self {
        Self { bold: true, ..self }
    }

    /// Returns the text rotated to run upwards.
    pub(crate) fn upwards(self) -> Self {
        let upwards = true;
        Self { upwards, ..self }
    }

    /// Returns the text with a white outline, which separates it from lines behind it.
    pub(crate) fn with_halo(self) -> Self {
        Self { halo: true, ..self }
    }

    /// Shortens the text to at most `width` figure units.
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

/// Drawn element of a figure. Later shapes cover earlier ones.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Shape {
    Line(Point, Point, Stroke),
    Polyline(Vec<Point>, Stroke),
    Polygon(Vec<Point>, Fill, Option<Stroke>),
    /// Rectangle with a corner radius, which is 0 for sharp corners.
    Rect(Area, f64, Fill, Option<Stroke>),
    /// Half an ellipse between two points, one above the other, with its horizontal extent
    /// (negative: to the left).
    Arc(Point, Point, f64, Stroke),
    /// Circle with centre and radius.
    Circle(Point, f64, Colour),
    Text(Text),
    /// Shapes with a tooltip.
    WithTooltip(String, Vec<Shape>),
    /// Shapes clipped to a rectangle.
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

    /// Creates a rectangle with sharp corners.
    pub(crate) fn rect(area: Area, fill: impl Into<Fill>, outline: Option<Stroke>) -> Self {
        Self::Rect(area, 0.0, fill.into(), outline)
    }

    pub(crate) fn circle(centre: impl Into<Point>, radius: f64, colour: Colour) -> Self {
        Self::Circle(centre.into(), radius, colour)
    }

    /// Creates a polygon with corners given relative to its centre, and a white outline of width
    /// `edge`.
    pub(crate) fn polygon_around(
        middle: Point,
        corners: &[(f64, f64)],
        fill: Colour,
        edge: f64,
    ) -> Self {
        let corner = |(x, y): &(f64, f64)| (middle.x + x, middle.y + y).into();
        // A white outline separates overlapping markers.
        let edge = Some(Stroke::solid(WHITE, edge));
        Self::Polygon(corners.iter().map(corner).collect(), fill.into(), edge)
    }

    /// Creates a group of shapes with a tooltip.
    pub(crate) fn with_tooltip(title: impl Into<String>, shapes: Vec<Self>) -> Self {
        Self::WithTooltip(title.into(), shapes)
    }
}

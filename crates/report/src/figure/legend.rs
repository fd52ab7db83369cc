//! What the lines of a figure mean.

use super::marker::Marker;
use super::scene::{Anchor, Area, FAINT, Fill, Point, QUIET, Shape, Stroke, Text};
use super::typeface;

const SAMPLE_GAP: f64 = 6.0;
const VALUE_GAP: f64 = 8.0;
const COLUMN_GAP: f64 = 18.0;
/// Longer legends are set smaller.
const MANY: usize = 12;

/// What stands before a name.
#[derive(Clone, Copy)]
pub(super) enum Sample {
    Line(Stroke),
    MarkedLine(Stroke, Marker),
    Surface(Fill),
    /// An empty surface with a line through it.
    Struck(Stroke),
}

/// One line of a legend: a sample, a name and perhaps a value.
pub(super) struct Entry {
    pub(super) sample: Sample,
    pub(super) name: String,
    pub(super) value: Option<String>,
}

/// The sizes of a legend.
#[derive(Clone, Copy)]
struct Style {
    size: f64,
    row: f64,
    sample: f64,
    longest_name: f64,
}

const ROOMY: Style = Style {
    size: 11.0,
    row: 16.0,
    sample: 32.0,
    longest_name: 190.0,
};

const COMPACT: Style = Style {
    size: 9.5,
    row: 13.0,
    sample: 26.0,
    longest_name: 150.0,
};

/// A legend, laid out in columns that are read downwards.
pub(super) struct Legend {
    entries: Vec<Entry>,
    /// What the values are, over each column.
    value_name: Option<&'static str>,
    style: Style,
    rows: usize,
    /// Where the values of each column end, measured from its left.
    column_widths: Vec<f64>,
}

impl Legend {
    /// Lays out the entries in as few rows as `width` has room for.
    pub(super) fn new(entries: Vec<Entry>, value_name: Option<&'static str>, width: f64) -> Self {
        let style = if entries.len() > MANY { COMPACT } else { ROOMY };
        let widths = |rows: usize| -> Vec<f64> {
            entries
                .chunks(rows)
                .map(|column| column_width(column, value_name, style))
                .collect()
        };
        let fits = |rows: &usize| {
            let columns = widths(*rows);
            columns
                .iter()
                .map(|column| column + COLUMN_GAP)
                .sum::<f64>()
                <= width + COLUMN_GAP
        };
        let rows = (1..entries.len()).find(fits).unwrap_or(entries.len());
        Self {
            column_widths: widths(rows.max(1)),
            entries,
            value_name,
            style,
            rows,
        }
    }

    fn heading_height(&self) -> f64 {
        self.value_name.map_or(0.0, |_| self.style.row)
    }

    pub(super) fn height(&self) -> f64 {
        self.heading_height() + self.rows as f64 * self.style.row
    }

    /// Draws the legend with its upper left corner at a point.
    pub(super) fn shapes(&self, corner: Point) -> Vec<Shape> {
        let mut shapes = Vec::new();
        let mut left = corner.x;
        let columns = self.entries.chunks(self.rows.max(1));
        for (column, width) in columns.zip(&self.column_widths) {
            let mut baseline = corner.y + 0.7 * self.style.row;
            if let Some(name) = self.value_name {
                let value = self.value(name, Point::new(left + width, baseline));
                shapes.push(Shape::Text(value.coloured(QUIET)));
                baseline += self.style.row;
            }
            for entry in column {
                self.draw(entry, Point::new(left, baseline), *width, &mut shapes);
                baseline += self.style.row;
            }
            left += width + COLUMN_GAP;
        }
        shapes
    }

    fn draw(&self, entry: &Entry, at: Point, width: f64, shapes: &mut Vec<Shape>) {
        let middle = at.y - 0.35 * self.style.size;
        let name_left = at.x + self.style.sample + SAMPLE_GAP;
        shapes.extend(self.sample(entry.sample, Point::new(at.x, middle)));
        let name = Text::new(&entry.name, Point::new(name_left, at.y), self.style.size);
        shapes.push(Shape::Text(name.fitted(self.style.longest_name)));
        if let Some(value) = &entry.value {
            shapes.push(Shape::Text(
                self.value(value, Point::new(at.x + width, at.y)),
            ));
        }
    }

    /// A sample whose left end has its middle at a point.
    fn sample(&self, sample: Sample, left: Point) -> Vec<Shape> {
        let line = |stroke: Stroke| Shape::Line {
            from: left,
            to: Point::new(left.x + self.style.sample, left.y),
            stroke,
        };
        match sample {
            Sample::Line(stroke) => vec![line(stroke)],
            Sample::MarkedLine(stroke, marker) => {
                let middle = Point::new(left.x + self.style.sample / 2.0, left.y);
                vec![line(stroke), marker.at(middle, stroke.colour)]
            }
            Sample::Surface(fill) => vec![self.surface(left, fill)],
            Sample::Struck(stroke) => {
                let area = self.area(left);
                let through = Shape::Line {
                    from: Point::new(area.left, area.bottom()),
                    to: Point::new(area.right(), area.top),
                    stroke,
                };
                vec![self.surface(left, Fill::opaque("#FFFFFF")), through]
            }
        }
    }

    /// Where a surface is, whose left edge has its middle at a point.
    fn area(&self, left: Point) -> Area {
        Area {
            left: left.x,
            top: left.y - self.style.size / 2.0,
            width: self.style.sample,
            height: self.style.size,
        }
    }

    fn surface(&self, left: Point, fill: Fill) -> Shape {
        Shape::Rect {
            area: self.area(left),
            corner: 0.0,
            fill,
            outline: Some(Stroke::solid(FAINT, 0.6)),
        }
    }

    fn value(&self, text: &str, at: Point) -> Text {
        Text::new(text, at, self.style.size).anchored(Anchor::End)
    }
}

fn column_width(column: &[Entry], value_name: Option<&str>, style: Style) -> f64 {
    let width = |text: &str| typeface::width(text, style.size, false);
    let names = column.iter().map(|entry| width(&entry.name));
    let name = names.fold(0.0, f64::max).min(style.longest_name);
    let values = column.iter().filter_map(|entry| entry.value.as_deref());
    let value = values
        .chain(value_name)
        .map(|value| VALUE_GAP + width(value))
        .fold(0.0, f64::max);
    style.sample + SAMPLE_GAP + name + value
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entries(count: usize, name: &str) -> Vec<Entry> {
        let entry = |number| Entry {
            sample: Sample::Line(super::super::palette::series(number)),
            name: format!("{name} {number}"),
            value: Some("0.740".to_owned()),
        };
        (0..count).map(entry).collect()
    }

    #[test]
    fn a_legend_stays_within_its_width() {
        for count in 1..60 {
            for name in ["EMD", "a rather long name of a system with many parameters"] {
                let legend = Legend::new(entries(count, name), Some("ADR"), 560.0);
                let columns = legend.column_widths.len();
                let gaps = COLUMN_GAP * (columns - 1) as f64;
                assert!(legend.column_widths.iter().sum::<f64>() + gaps <= 560.0);
                assert!(legend.rows * columns >= count, "every entry has a place");
            }
        }
    }

    #[test]
    fn a_short_legend_is_one_row() {
        assert_eq!(Legend::new(entries(3, "EMD"), None, 560.0).rows, 1);
    }
}

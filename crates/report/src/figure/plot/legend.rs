//! Legend of a figure, in columns of entries.

use crate::figure::canvas::caption::MARGIN;
use crate::figure::canvas::marker::marker;
use crate::figure::canvas::scene::{Area, Colour, GRID_COLOUR, Point, Shape, Stroke, Text};
use crate::figure::canvas::text_metrics;

/// Distance between the symbol and the name of an entry, in figure units.
const SYMBOL_GAP: f64 = 6.0;
/// Distance between the name and the value of an entry.
const VALUE_GAP: f64 = 8.0;
const COLUMN_GAP: f64 = 18.0;
/// Number of entries above which a legend uses a smaller font.
const MAX_LARGE_FONT_ENTRIES: usize = 12;

/// Symbol in front of the name of a legend entry.
#[derive(Clone, Copy)]
pub(crate) enum LegendKey {
    Line(Stroke),
    /// Line with the marker of the series with this number, counted from 0.
    MarkedLine(Stroke, usize),
    Surface(Colour),
    /// Marker of the series with this number, counted from 0, without a line.
    Marker(Colour, usize),
}

/// Entry of a legend: a symbol, a name, and an optional value such as the mean of a run.
pub(crate) struct LegendEntry {
    pub(crate) sample: LegendKey,
    pub(crate) name: String,
    pub(crate) value: Option<String>,
}

impl LegendEntry {
    pub(crate) fn new(sample: LegendKey, name: impl Into<String>) -> Self {
        let (name, value) = (name.into(), None);
        Self {
            sample,
            name,
            value,
        }
    }
}

/// Font size, row height, symbol width and maximum name width of a legend.
#[derive(Clone, Copy)]
struct Style {
    size: f64,
    row: f64,
    sample: f64,
    longest_name: f64,
}

/// Legend whose entries are read down its columns.
pub(crate) struct Legend {
    entries: Vec<LegendEntry>,
    /// Heading above the values of each column.
    value_name: Option<&'static str>,
    style: Style,
    rows: usize,
    /// Width of each column, from the symbols to the right end of the values.
    column_widths: Vec<f64>,
}

impl Legend {
    /// Creates a legend without values; `sample` returns the symbol of an entry given its index.
    pub(crate) fn from_names(names: &[&str], sample: fn(usize) -> LegendKey, width: f64) -> Self {
        let entries = names.iter().enumerate();
        let entries = entries.map(|(number, name)| LegendEntry::new(sample(number), *name));
        Self::new(entries.collect(), None, width)
    }

    /// Arranges the entries in as few rows as fit the width of the figure.
    pub(crate) fn new(
        entries: Vec<LegendEntry>,
        value_name: Option<&'static str>,
        width: f64,
    ) -> Self {
        let style = Style::for_entries(entries.len());
        let room = width - 2.0 * MARGIN;
        let widths = |rows: usize| -> Vec<f64> {
            let width = |column: &[LegendEntry]| style.column_width(column, value_name);
            entries.chunks(rows).map(width).collect()
        };
        let fits = |rows: &usize| {
            let columns = widths(*rows).into_iter();
            columns.map(|column| column + COLUMN_GAP).sum::<f64>() <= room + COLUMN_GAP
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

    /// Draws the legend from y `top` downwards, and returns the y of its lower end.
    pub(crate) fn draw(&self, top: f64, shapes: &mut Vec<Shape>) -> f64 {
        let Style { size, row, .. } = self.style;
        let mut left = MARGIN;
        let columns = self.entries.chunks(self.rows.max(1));
        for (column, width) in columns.zip(&self.column_widths) {
            let mut baseline = top + 0.7 * row;
            let value = |text: &str, y: f64| Text::new(text, (left + width, y), size).end();
            if let Some(name) = self.value_name {
                shapes.push(value(name, baseline).quiet().into());
                baseline += row;
            }
            for entry in column {
                let middle = Point::from((left, baseline - 0.35 * size));
                shapes.extend(self.style.symbol_shapes(entry.sample, middle));
                let at = (left + self.style.sample + SYMBOL_GAP, baseline);
                let name = Text::new(&entry.name, at, size);
                shapes.push(name.fitted(self.style.longest_name).into());
                shapes.extend(entry.value.iter().map(|v| value(v, baseline).into()));
                baseline += row;
            }
            left += width + COLUMN_GAP;
        }
        let heading = self.value_name.map_or(0.0, |_| row);
        top + (heading + self.rows as f64 * row)
    }
}

impl Style {
    fn for_entries(entries: usize) -> Self {
        let [size, row, sample, longest_name] = match entries {
            0..=MAX_LARGE_FONT_ENTRIES => [11.0, 16.0, 32.0, 280.0],
            _ => [9.5, 13.0, 26.0, 210.0],
        };
        Self {
            size,
            row,
            sample,
            longest_name,
        }
    }

    /// Draws the symbol of an entry. `left` is the middle of its left edge.
    fn symbol_shapes(self, sample: LegendKey, left: Point) -> Vec<Shape> {
        let line = |stroke: Stroke| Shape::line(left, (left.x + self.sample, left.y), stroke);
        let corner = (left.x, left.y - self.size / 2.0);
        let area = Area::new(corner, (self.sample, self.size));
        let middle = (left.x + self.sample / 2.0, left.y).into();
        match sample {
            LegendKey::Line(stroke) => vec![line(stroke)],
            LegendKey::MarkedLine(stroke, number) => {
                vec![line(stroke), marker(number, middle, stroke.colour)]
            }
            LegendKey::Marker(colour, number) => vec![marker(number, middle, colour)],
            LegendKey::Surface(fill) => {
                let edge = Some(Stroke::solid(GRID_COLOUR, 0.6));
                vec![Shape::rect(area, fill, edge)]
            }
        }
    }

    /// Returns the width of a column with these entries.
    fn column_width(self, column: &[LegendEntry], value_name: Option<&str>) -> f64 {
        let names = column.iter().map(|entry| &entry.name);
        let name = text_metrics::widest(names, self.size).min(self.longest_name);
        let values = column.iter().filter_map(|entry| entry.value.as_deref());
        let width = |value: &str| VALUE_GAP + text_metrics::width(value, self.size, false);
        let value = values.chain(value_name).map(width).fold(0.0, f64::max);
        self.sample + SYMBOL_GAP + name + value
    }
}

//! Bar charts with one row per name and one column of bars per quantity.

use super::legend::{Legend, LegendEntry, LegendKey};
use crate::figure::canvas::caption::{MARGIN, footnote, heading};
use crate::figure::canvas::scene::{Area, Colour, Figure, GRID_COLOUR, Shape, Stroke, Text};
use crate::figure::canvas::text_metrics;
use crate::figure::canvas::text_metrics::widest;
use crate::phrases::join;

/// Maximum number of rows in a bar chart.
pub const MAX_BAR_ROWS: usize = 60;

/// Width of the figure, in figure units. It is narrow so that the text stays readable in a
/// two-column layout.
const WIDTH: f64 = 520.0;
/// Maximum width of a row name; longer names are shortened.
const MAX_NAME_WIDTH: f64 = 110.0;
/// Font size of names and values.
const FONT_SIZE: f64 = 11.0;
/// Line height of wrapped text.
const LINE_HEIGHT: f64 = 14.0;
/// Height of a row with one line of text.
const ROW_HEIGHT: f64 = 18.0;
/// Height of a bar.
const BAR_HEIGHT: f64 = 10.0;
/// Distance between a bar and its text.
const TEXT_GAP: f64 = 5.0;
const COLUMN_GAP: f64 = 14.0;
/// Minimum width that a column reserves for its bars, besides their text.
const MIN_BAR_WIDTH: f64 = 24.0;

/// Content of a bar chart: a legend, row names, and columns of bars.
pub(crate) struct Bars<'a> {
    pub(crate) title: String,
    pub(crate) subtitle: String,
    /// Colours of bar segments with their meaning.
    pub(crate) legend: Vec<(Colour, &'static str)>,
    /// Names of the rows, from top to bottom.
    pub(crate) names: Vec<&'a str>,
    pub(crate) columns: Vec<BarColumn>,
    /// Footnote of the chart; empty for none.
    pub(crate) note: String,
}

/// Column of a bar chart: a quantity with one bar per row.
pub(crate) struct BarColumn {
    pub(crate) label: String,
    pub(crate) bars: Vec<Bar>,
    /// Value of a full-length bar, unless a bar is longer; `None` if the longest bar has full length.
    pub(crate) whole: Option<f64>,
    /// Width of the column relative to the others; an ordinary column has 1.
    pub(crate) weight: f64,
}

/// Bar: coloured segments as (length in units of the quantity, colour), and the text after them.
#[derive(Clone, Default)]
pub(crate) struct Bar {
    pub(crate) parts: Vec<(f64, Colour)>,
    pub(crate) words: String,
}

impl Bar {
    pub(crate) fn new(length: f64, colour: Colour, words: String) -> Self {
        let parts = vec![(length, colour)];
        Self { parts, words }
    }

    /// Creates a bar for a value, shown with `decimals` decimals; a missing value is shown as a
    /// dash.
    pub(crate) fn from_value(value: Option<f64>, colour: Colour, decimals: usize) -> Self {
        let none = || Self {
            words: "–".to_owned(),
            ..Self::default()
        };
        value.map_or_else(none, |value| {
            Self::new(value, colour, format!("{value:.decimals$}"))
        })
    }

    /// Returns the lines of the bar's text: one line next to a bar, or wrapped lines if there is no
    /// bar.
    fn lines(&self, width: f64) -> Vec<String> {
        if self.length() > 0.0 {
            vec![self.words.clone()]
        } else {
            text_metrics::lines(&self.words, width, FONT_SIZE, false)
        }
    }

    /// Returns the total length of all segments, in units of the quantity.
    fn length(&self) -> f64 {
        self.parts.iter().map(|(length, _)| length).sum()
    }
}

impl Bars<'_> {
    /// Draws the bar chart. Only the first rows of a long chart are shown, and the figure says so.
    pub(crate) fn figure(&self) -> Figure {
        let shown = self.names.len().min(MAX_BAR_ROWS);
        let (mut shapes, mut top) = heading(&self.title, &self.subtitle, WIDTH);
        if !self.legend.is_empty() {
            let entries = self.legend.iter();
            let entries =
                entries.map(|(colour, words)| LegendEntry::new(LegendKey::Surface(colour), *words));
            top = Legend::new(entries.collect(), None, WIDTH).draw(top, &mut shapes);
        }
        let names = &self.names[..shown];
        let name_width = widest(names, FONT_SIZE).min(MAX_NAME_WIDTH);
        let left = MARGIN + name_width + COLUMN_GAP;
        let places = self.column_positions(left);
        top += 7.0 + self.draw_labels(&places, top, &mut shapes);
        let mut bottom = top;
        let mut rows = Vec::with_capacity(shown);
        for (row, name) in names.iter().enumerate() {
            let middle = bottom + ROW_HEIGHT / 2.0;
            rows.push(middle);
            let word = Text::new(*name, (MARGIN, middle + 0.36 * FONT_SIZE), FONT_SIZE);
            shapes.push(word.fitted(name_width).into());
            let columns = self.columns.iter().zip(&places);
            let lines = columns.map(|(column, (_, width))| column.bars[row].lines(*width).len());
            let lines = lines.max().unwrap_or(1).max(1);
            bottom += ROW_HEIGHT + (lines - 1) as f64 * LINE_HEIGHT;
            let stroke = Stroke::solid(GRID_COLOUR, 0.5);
            shapes.push(Shape::line(
                (MARGIN, bottom),
                (WIDTH - MARGIN, bottom),
                stroke,
            ));
        }
        for (column, place) in self.columns.iter().zip(&places) {
            column.draw(&rows, *place, &mut shapes);
        }
        let mut note = self.note.clone();
        if shown < self.names.len() {
            note += &format!(" The first {shown} of {} rows.", self.names.len());
        }
        let bottom = bottom + 20.0;
        let height = match note.trim() {
            "" => bottom,
            note => footnote(note, WIDTH, bottom, &mut shapes),
        };
        let description = format!("{}. {}", self.subtitle, self.in_words());
        Figure::new(&*self.title, description, (WIDTH, height), shapes)
    }

    /// Returns the x and width of each column. The columns begin at x `left`, right of the row
    /// names.
    fn column_positions(&self, left: f64) -> Vec<(f64, f64)> {
        let gaps = COLUMN_GAP * self.columns.len().saturating_sub(1) as f64;
        let all: f64 = self.columns.iter().map(|column| column.weight).sum();
        let unit = (WIDTH - MARGIN - left - gaps) / all;
        let mut x = left;
        let place = |column: &BarColumn| {
            let (place, width) = (x, unit * column.weight);
            x += width + COLUMN_GAP;
            (place, width)
        };
        self.columns.iter().map(place).collect()
    }

    /// Draws the wrapped column labels from y `top` on, and returns their height.
    fn draw_labels(&self, places: &[(f64, f64)], top: f64, shapes: &mut Vec<Shape>) -> f64 {
        let columns = self.columns.iter().zip(places);
        let labels = columns.map(|(column, &(x, width))| {
            (
                x,
                text_metrics::lines(&column.label, width, FONT_SIZE, false),
            )
        });
        let labels: Vec<(f64, Vec<String>)> = labels.collect();
        let most = labels
            .iter()
            .map(|(_, lines)| lines.len())
            .max()
            .unwrap_or(0);
        for (x, lines) in labels {
            let empty = most - lines.len();
            for (row, words) in lines.into_iter().enumerate() {
                let y = top + (empty + row + 1) as f64 * LINE_HEIGHT;
                shapes.push(Text::new(words, (x, y), FONT_SIZE).quiet().into());
            }
        }
        most as f64 * LINE_HEIGHT
    }

    /// Returns the text description of the chart.
    fn in_words(&self) -> String {
        let row = |(row, name): (usize, &&str)| {
            let columns = self.columns.iter();
            let cells =
                columns.map(|column| format!("{} {}", column.label, column.bars[row].words));
            format!("{name}: {}", join(cells, ", "))
        };
        join(self.names.iter().enumerate().map(row), "; ") + "."
    }
}

impl BarColumn {
    pub(crate) fn new(label: impl Into<String>, bars: Vec<Bar>) -> Self {
        Self {
            label: label.into(),
            bars,
            whole: None,
            weight: 1.0,
        }
    }

    /// Draws the bars of the column at the row centres `rows`, from x `left` on.
    fn draw(&self, rows: &[f64], (left, width): (f64, f64), shapes: &mut Vec<Shape>) {
        let bars = &self.bars[..rows.len()];
        let words = widest(bars.iter().map(|bar| &bar.words), FONT_SIZE);
        let lengths = bars.iter().map(Bar::length);
        let longest = lengths.chain(self.whole).fold(0.0, f64::max);
        // Without bars the text gets the full width.
        let room = if longest > 0.0 {
            (width - words - TEXT_GAP).max(MIN_BAR_WIDTH)
        } else {
            0.0
        };
        for (bar, middle) in bars.iter().zip(rows.iter().copied()) {
            let mut x = left;
            for (length, colour) in bar.parts.iter().filter(|(length, _)| *length > 0.0) {
                let area = Area::new(
                    (x, middle - BAR_HEIGHT / 2.0),
                    (room * length / longest, BAR_HEIGHT),
                );
                shapes.push(Shape::rect(area, *colour, None));
                x = area.right();
            }
            let after = if x > left { x + TEXT_GAP } else { left };
            let mut baseline = middle + 0.36 * FONT_SIZE;
            for line in bar.lines(width) {
                let text = Text::new(line, (after, baseline), FONT_SIZE);
                shapes.push(text.fitted(left + width - after).into());
                baseline += LINE_HEIGHT;
            }
        }
    }
}

//! Bar charts in rows, one column per quantity.

use super::legend::{Legend, LegendEntry, LegendKey};
use crate::figure::canvas::caption::{MARGIN, footnote, heading};
use crate::figure::canvas::scene::{Area, Colour, FAINT, Figure, Shape, Stroke, Text};
use crate::figure::canvas::text_metrics;
use crate::figure::canvas::text_metrics::widest;
use crate::phrases::join;

/// Maximum number of rows in a bar chart.
pub const MAX_BAR_ROWS: usize = 60;

/// Figure width. It is narrow so that the text stays readable in a two-column layout.
const WIDTH: f64 = 520.0;
const LONGEST_NAME: f64 = 110.0;
const SIZE: f64 = 11.0;
const LINE: f64 = 14.0;
const ROW: f64 = 18.0;
const BAR: f64 = 10.0;
const GAP: f64 = 5.0;
const COLUMN_GAP: f64 = 14.0;
/// Minimum width of a bar.
const LEAST_BAR: f64 = 24.0;

/// Content of a bar chart.
pub(crate) struct Bars<'a> {
    pub(crate) title: String,
    pub(crate) subtitle: String,
    /// Meaning of the colours.
    pub(crate) legend: Vec<(Colour, &'static str)>,
    /// Names of the rows, from top to bottom.
    pub(crate) names: Vec<&'a str>,
    pub(crate) columns: Vec<BarColumn>,
    /// Footnote; empty for none.
    pub(crate) note: String,
}

/// Quantity with one bar per row.
pub(crate) struct BarColumn {
    pub(crate) label: &'static str,
    pub(crate) bars: Vec<Bar>,
    /// Value of a full-length bar, if there is a fixed maximum.
    pub(crate) whole: Option<f64>,
    /// Relative width; an ordinary column has 1.
    pub(crate) weight: f64,
}

/// Coloured segments of a bar, and the text after it.
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

    /// Creates a bar for a value; a missing value is shown as a dash.
    pub(crate) fn from_value(value: Option<f64>, colour: Colour, decimals: usize) -> Self {
        let none = || Self {
            words: "–".to_owned(),
            ..Self::default()
        };
        value.map_or_else(none, |value| {
            Self::new(value, colour, format!("{value:.decimals$}"))
        })
    }

    /// Returns the text: one line next to a bar, or wrapped lines if there is no bar.
    fn lines(&self, width: f64) -> Vec<String> {
        if self.length() > 0.0 {
            vec![self.words.clone()]
        } else {
            text_metrics::lines(&self.words, width, SIZE, false)
        }
    }

    fn length(&self) -> f64 {
        self.parts.iter().map(|(length, _)| length).sum()
    }
}

impl Bars<'_> {
    /// Draws the figure. Only the first rows of a long chart are shown, and the figure says so.
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
        let name_width = widest(names, SIZE).min(LONGEST_NAME);
        let left = MARGIN + name_width + COLUMN_GAP;
        let places = self.places(left);
        top += 7.0 + self.draw_labels(&places, top, &mut shapes);
        let mut bottom = top;
        let mut rows = Vec::with_capacity(shown);
        for (row, name) in names.iter().enumerate() {
            let middle = bottom + ROW / 2.0;
            rows.push(middle);
            let word = Text::new(*name, (MARGIN, middle + 0.36 * SIZE), SIZE);
            shapes.push(word.fitted(name_width).into());
            let columns = self.columns.iter().zip(&places);
            let lines = columns.map(|(column, (_, width))| column.bars[row].lines(*width).len());
            let lines = lines.max().unwrap_or(1).max(1);
            bottom += ROW + (lines - 1) as f64 * LINE;
            let stroke = Stroke::solid(FAINT, 0.5);
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

    /// Returns the x and width of each column, right of the row names.
    fn places(&self, left: f64) -> Vec<(f64, f64)> {
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

    /// Draws the wrapped column labels and returns their height.
    fn draw_labels(&self, places: &[(f64, f64)], top: f64, shapes: &mut Vec<Shape>) -> f64 {
        let columns = self.columns.iter().zip(places);
        let labels = columns.map(|(column, &(x, width))| {
            (x, text_metrics::lines(column.label, width, SIZE, false))
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
                let y = top + (empty + row + 1) as f64 * LINE;
                shapes.push(Text::new(words, (x, y), SIZE).quiet().into());
            }
        }
        most as f64 * LINE
    }

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
    pub(crate) fn new(label: &'static str, bars: Vec<Bar>) -> Self {
        Self {
            label,
            bars,
            whole: None,
            weight: 1.0,
        }
    }

    /// Draws the bars at these row centres in a column of this x and width.
    fn draw(&self, rows: &[f64], (left, width): (f64, f64), shapes: &mut Vec<Shape>) {
        let bars = &self.bars[..rows.len()];
        let words = widest(bars.iter().map(|bar| &bar.words), SIZE);
        let lengths = bars.iter().map(Bar::length);
        let longest = lengths.chain(self.whole).fold(0.0, f64::max);
        // Without bars the text gets the full width.
        let room = if longest > 0.0 {
            (width - words - GAP).max(LEAST_BAR)
        } else {
            0.0
        };
        for (bar, middle) in bars.iter().zip(rows.iter().copied()) {
            let mut x = left;
            for (length, colour) in bar.parts.iter().filter(|(length, _)| *length > 0.0) {
                let area = Area::new((x, middle - BAR / 2.0), (room * length / longest, BAR));
                shapes.push(Shape::rect(area, *colour, None));
                x = area.right();
            }
            let after = if x > left { x + GAP } else { left };
            let mut baseline = middle + 0.36 * SIZE;
            for line in bar.lines(width) {
                let text = Text::new(line, (after, baseline), SIZE);
                shapes.push(text.fitted(left + width - after).into());
                baseline += LINE;
            }
        }
    }
}

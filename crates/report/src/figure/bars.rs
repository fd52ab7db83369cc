//! Bars in rows, a column for each quantity.

use super::caption::{MARGIN, footnote, heading};
use super::legend::{Entry, Legend, Sample};
use super::scene::{Area, Colour, FAINT, Figure, Shape, Stroke, Text};
use super::typeface::{self, widest};
use crate::words::joined;

/// The most rows that figures of bars have.
pub const MAX_BAR_ROWS: usize = 60;

const WIDTH: f64 = 720.0;
const LONGEST_NAME: f64 = 180.0;
const SIZE: f64 = 10.5;
const ROW: f64 = 18.0;
const BAR: f64 = 10.0;
const GAP: f64 = 5.0;
const COLUMN_GAP: f64 = 16.0;
/// A bar has at least as much room.
const LEAST_BAR: f64 = 24.0;

/// What a figure of bars shows.
pub(super) struct Bars<'a> {
    pub(super) title: String,
    pub(super) subtitle: String,
    /// What colours mean.
    pub(super) legend: Vec<(Colour, &'static str)>,
    /// What rows are called, and how many there are.
    pub(super) names: Vec<&'a str>,
    pub(super) columns: Vec<BarColumn>,
    /// What is to be said below.
    pub(super) note: String,
}

/// A quantity and its bar in every row.
pub(super) struct BarColumn {
    pub(super) label: &'static str,
    pub(super) bars: Vec<Bar>,
    /// The length of a whole bar, if that is known.
    pub(super) whole: Option<f64>,
}

/// Parts of a bar with their colours, and the words after it.
#[derive(Clone, Default)]
pub(super) struct Bar {
    pub(super) parts: Vec<(f64, Colour)>,
    pub(super) words: String,
}

impl Bar {
    pub(super) fn new(length: f64, colour: Colour, words: String) -> Self {
        let parts = vec![(length, colour)];
        Self { parts, words }
    }

    /// A dash where there is no value.
    pub(super) fn of(value: Option<f64>, colour: Colour, decimals: usize) -> Self {
        let none = || Self {
            words: "–".to_owned(),
            ..Self::default()
        };
        value.map_or_else(none, |value| {
            Self::new(value, colour, format!("{value:.decimals$}"))
        })
    }

    fn length(&self) -> f64 {
        self.parts.iter().map(|(length, _)| length).sum()
    }
}

impl Bars<'_> {
    /// The figure; of very many rows the first, which it says.
    pub(super) fn figure(&self) -> Figure {
        let shown = self.names.len().min(MAX_BAR_ROWS);
        let (mut shapes, mut top) = heading(&self.title, &self.subtitle, WIDTH);
        if !self.legend.is_empty() {
            let entries = self.legend.iter();
            let entry = |(colour, words): &(Colour, &'static str)| {
                Entry::new(Sample::Surface(colour), *words)
            };
            let legend = Legend::new(entries.map(entry).collect(), None, WIDTH - 2.0 * MARGIN);
            shapes.extend(legend.shapes((MARGIN, top)));
            top += legend.height();
        }
        let names = &self.names[..shown];
        let name_width = widest(names, SIZE).min(LONGEST_NAME);
        let left = MARGIN + name_width + COLUMN_GAP;
        let many = self.columns.len().max(1) as f64;
        let width = (WIDTH - MARGIN - left - COLUMN_GAP * (many - 1.0)) / many;
        top += 7.0 + self.draw_labels((left, top), width, &mut shapes);
        for (row, name) in names.iter().enumerate() {
            let middle = top + (row as f64 + 0.5) * ROW;
            let word = Text::new(*name, (MARGIN, middle + 0.36 * SIZE), SIZE);
            shapes.push(word.fitted(name_width).into());
            let line = middle + ROW / 2.0;
            let stroke = Stroke::solid(FAINT, 0.5);
            shapes.push(Shape::line((MARGIN, line), (WIDTH - MARGIN, line), stroke));
        }
        for (number, column) in self.columns.iter().enumerate() {
            let left = left + number as f64 * (width + COLUMN_GAP);
            column.draw(shown, (left, top), width, &mut shapes);
        }
        let mut note = self.note.clone();
        if shown < self.names.len() {
            note += &format!(" The first {shown} of {} rows.", self.names.len());
        }
        let bottom = top + shown as f64 * ROW + 20.0;
        let height = match note.trim() {
            "" => bottom,
            note => footnote(note, WIDTH, bottom, &mut shapes),
        };
        let description = format!("{}. {}", self.subtitle, self.in_words());
        Figure::new(&*self.title, description, (WIDTH, height), shapes)
    }

    /// The labels of the columns, in as many lines as they need, and the height of these.
    fn draw_labels(&self, (left, top): (f64, f64), width: f64, shapes: &mut Vec<Shape>) -> f64 {
        let lines = |column: &BarColumn| typeface::lines(column.label, width, SIZE, false);
        let labels: Vec<Vec<String>> = self.columns.iter().map(lines).collect();
        let most = labels.iter().map(Vec::len).max().unwrap_or(0);
        let line = SIZE + 2.5;
        for (number, lines) in labels.into_iter().enumerate() {
            let x = left + number as f64 * (width + COLUMN_GAP);
            let empty = most - lines.len();
            for (row, words) in lines.into_iter().enumerate() {
                let y = top + (empty + row + 1) as f64 * line;
                shapes.push(Text::new(words, (x, y), SIZE).quiet().into());
            }
        }
        most as f64 * line
    }

    fn in_words(&self) -> String {
        let row = |(row, name): (usize, &&str)| {
            let columns = self.columns.iter();
            let cells =
                columns.map(|column| format!("{} {}", column.label, column.bars[row].words));
            format!("{name}: {}", joined(cells, ", "))
        };
        joined(self.names.iter().enumerate().map(row), "; ") + "."
    }
}

impl BarColumn {
    pub(super) fn new(label: &'static str, bars: Vec<Bar>) -> Self {
        let whole = None;
        Self { label, bars, whole }
    }

    fn draw(&self, shown: usize, (left, top): (f64, f64), width: f64, shapes: &mut Vec<Shape>) {
        let bars = &self.bars[..shown];
        let words = widest(bars.iter().map(|bar| &bar.words), SIZE);
        let lengths = bars.iter().map(Bar::length);
        let longest = lengths.chain(self.whole).fold(0.0, f64::max);
        // Without anything to draw, the words have all the room.
        let room = if longest > 0.0 {
            (width - words - GAP).max(LEAST_BAR)
        } else {
            0.0
        };
        for (row, bar) in bars.iter().enumerate() {
            let middle = top + (row as f64 + 0.5) * ROW;
            let mut x = left;
            for (length, colour) in bar.parts.iter().filter(|(length, _)| *length > 0.0) {
                let area = Area::new((x, middle - BAR / 2.0), (room * length / longest, BAR));
                shapes.push(Shape::rect(area, *colour, None));
                x = area.right();
            }
            let after = if x > left { x + GAP } else { left };
            let text = Text::new(&bar.words, (after, middle + 0.36 * SIZE), SIZE);
            shapes.push(text.fitted(left + width - after).into());
        }
    }
}

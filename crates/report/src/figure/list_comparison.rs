//! Two lists side by side, with a line between the two positions of each item.

use std::collections::HashMap;

use partita_core::NamedGroups;

use super::canvas::caption::{MARGIN, footnote, heading};
use super::canvas::palette;
use super::canvas::scene::{Area, Figure, QUIET, Shape, Stroke, Text};
use super::canvas::text_metrics::widest;
use super::plot::legend::{Legend, LegendEntry, LegendKey};
use crate::phrases::plural;

/// Maximum number of items in [`list_comparison_figure`], per list.
pub const MAX_COMPARED_ITEMS: usize = 100;

const SIZE: f64 = 11.0;
const ROW: f64 = 17.0;
const PAD: f64 = 3.0;
const GAP: f64 = 6.0;
const LONGEST_NAME: f64 = 200.0;
/// Distance between the two lists, used by the lines.
const BETWEEN: f64 = 180.0;
const NARROWEST: f64 = 420.0;
const NOTE: &str = "Boxes: groups. Items of a group have no order; they are drawn so that lines cross \
                    little.";

/// Draws the two lists of a query, with groups as boxes and a line between the positions of each
/// item in both lists. The line is blue if the item overtakes more items than overtake it in the
/// second list, orange if it is the other way round, and grey otherwise. For longer lists only the
/// first [`MAX_COMPARED_ITEMS`] items are shown, and the figure says so.
pub fn list_comparison_figure(query: &str, names: [&str; 2], lists: [&NamedGroups; 2]) -> Figure {
    let title = format!("Two lists for {query}");
    let columns = columns(lists);
    let shared = columns[0]
        .items
        .iter()
        .filter(|item| columns[1].place(item).is_some());
    let shared = shared.count();
    let name_width = columns
        .iter()
        .map(ListColumn::name_width)
        .fold(0.0, f64::max);
    let inner = 3.0 * GAP + widest(["100"], SIZE) + name_width;
    let width = (2.0 * (MARGIN + inner) + BETWEEN).max(NARROWEST);
    let sizes = columns.each_ref().map(|column| plural(column.all, "item"));
    let subtitle = format!(
        "{} of {} and {} of {}; {} in both",
        sizes[0],
        names[0],
        sizes[1],
        names[1],
        plural(shared, "item")
    );
    let (mut shapes, mut top) = heading(&title, &subtitle, width);
    let entries = [ItemMove::Earlier, ItemMove::Later, ItemMove::Same];
    let entries =
        entries.map(|moved| LegendEntry::new(LegendKey::Line(moved.stroke()), moved.in_words()));
    top = Legend::new(entries.into(), None, width).draw(top, &mut shapes) + 20.0;
    let lefts = [MARGIN, width - MARGIN - inner];
    let mut bottom = top;
    for ((column, left), name) in columns.iter().zip(lefts).zip(names) {
        let word = Text::new(name, (left, top - 6.0), SIZE).bold();
        shapes.push(word.fitted(inner).into());
        bottom = column.draw((left, top), inner, &mut shapes).max(bottom);
    }
    let ends = [lefts[0] + inner, lefts[1]];
    shapes.extend(lines(&columns, ends, top));
    let mut height = footnote(NOTE, width, bottom + 20.0, &mut shapes);
    if columns.iter().any(|column| column.all > column.items.len()) {
        let words = format!("The first {MAX_COMPARED_ITEMS} items of each list.");
        height = footnote(&words, width, height, &mut shapes);
    }
    let description = format!("{subtitle}. {}", in_words(&columns, names));
    Figure::new(title, description, (width, height), shapes)
}

/// Column of a list, from top to bottom.
struct ListColumn<'a> {
    items: Vec<&'a str>,
    /// Index of the first item and number of items of each shown group.
    groups: Vec<(usize, usize)>,
    places: HashMap<&'a str, (usize, usize)>,
    /// Number of items in the whole list.
    all: usize,
}

impl<'a> ListColumn<'a> {
    /// Creates the column. Items within a group are sorted by `order`.
    fn new(list: &'a NamedGroups, mut order: impl FnMut(&str) -> f64) -> Self {
        let (mut items, mut groups) = (Vec::new(), Vec::new());
        let mut places = HashMap::new();
        for (number, group) in list.iter().enumerate() {
            let mut group: Vec<&str> = group.iter().map(String::as_str).collect();
            group.sort_by(|one, other| order(one).total_cmp(&order(other)));
            group.truncate(MAX_COMPARED_ITEMS - items.len());
            if group.is_empty() {
                break;
            }
            groups.push((items.len(), group.len()));
            for item in group {
                places.insert(item, (items.len(), number));
                items.push(item);
            }
        }
        Self {
            items,
            groups,
            places,
            all: list.iter().map(Vec::len).sum(),
        }
    }

    /// Returns the position of an item and the index of its group.
    fn place(&self, item: &str) -> Option<(usize, usize)> {
        self.places.get(item).copied()
    }

    fn name_width(&self) -> f64 {
        widest(&self.items, SIZE).min(LONGEST_NAME)
    }

    /// Returns the y of the centre of an item's row.
    fn y(&self, (place, group): (usize, usize), top: f64) -> f64 {
        let groups = group as f64;
        top + groups * (2.0 * PAD + GAP) + PAD + (place as f64 + 0.5) * ROW
    }

    /// Draws groups and names, and returns the bottom.
    fn draw(&self, (left, top): (f64, f64), width: f64, shapes: &mut Vec<Shape>) -> f64 {
        let mut bottom = top;
        let name_left = left + 2.0 * GAP + widest(["100"], SIZE);
        for (number, (first, count)) in self.groups.iter().enumerate() {
            let y = self.y((*first, number), top);
            let height = *count as f64 * ROW + 2.0 * PAD;
            let area = Area::new((left, y - ROW / 2.0 - PAD), (width, height));
            let edge = Some(Stroke::solid("#AAAAAA", 0.8));
            shapes.push(Shape::Rect(area, 6.0, "#F5F5F5".into(), edge));
            let word = |words: &str, x: f64, y: f64| Text::new(words, (x, y + 0.36 * SIZE), SIZE);
            let group = word(&(number + 1).to_string(), name_left - GAP, y);
            shapes.push(group.end().quiet().into());
            for (row, item) in self.items[*first..first + count].iter().enumerate() {
                let name = word(item, name_left, y + row as f64 * ROW);
                shapes.push(name.fitted(self.name_width().max(20.0)).into());
            }
            bottom = area.bottom();
        }
        bottom
    }
}

/// Creates both columns. Items within a group follow the order of the other list.
fn columns(lists: [&NamedGroups; 2]) -> [ListColumn<'_>; 2] {
    let rough = lists.map(|list| ListColumn::new(list, |_| 0.0));
    let place = |column: &ListColumn, item: &str| {
        // Items that the other list lacks come last.
        column
            .place(item)
            .map_or(f64::INFINITY, |(place, _)| place as f64)
    };
    let first = ListColumn::new(lists[0], |item| place(&rough[1], item));
    let second = ListColumn::new(lists[1], |item| place(&first, item));
    [first, second]
}

/// Direction in which an item moves relative to the other items of both lists.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ItemMove {
    Earlier,
    Later,
    Same,
}

impl ItemMove {
    /// Classifies an item by whether it overtakes more items, by group, than overtake it.
    fn classify(item: &str, columns: &[ListColumn; 2]) -> Self {
        let group = |column: &ListColumn, item: &str| column.place(item).map(|(_, group)| group);
        let own = columns.each_ref().map(|column| group(column, item));
        let mut balance = 0_i64;
        for other in &columns[0].items {
            let other = columns.each_ref().map(|column| group(column, other));
            if let ([Some(own_1), Some(own_2)], [Some(other_1), Some(other_2)]) = (own, other) {
                let overtakes = own_1 > other_1 && own_2 < other_2;
                let overtaken = own_1 < other_1 && own_2 > other_2;
                balance += i64::from(overtakes) - i64::from(overtaken);
            }
        }
        match balance {
            1.. => Self::Earlier,
            0 => Self::Same,
            _ => Self::Later,
        }
    }

    fn stroke(self) -> Stroke {
        match self {
            Self::Earlier => Stroke::solid(palette::series(0).colour, 1.3),
            Self::Later => Stroke::solid(palette::series(1).colour, 1.3).dashed(&[5.0, 2.5]),
            Self::Same => Stroke::solid(QUIET, 0.8),
        }
    }

    fn in_words(self) -> &'static str {
        match self {
            Self::Earlier => "overtakes others",
            Self::Later => "overtaken by others",
            Self::Same => "neither",
        }
    }
}

/// Draws a line for each item in both lists.
fn lines(columns: &[ListColumn; 2], ends: [f64; 2], top: f64) -> Vec<Shape> {
    let line = |item: &&str| {
        let [from, to] = [columns[0].place(item)?, columns[1].place(item)?];
        let moved = ItemMove::classify(item, columns);
        let heights = [columns[0].y(from, top), columns[1].y(to, top)];
        let title = format!("{item}: group {}, then {}", from.1 + 1, to.1 + 1);
        let line = Shape::line((ends[0], heights[0]), (ends[1], heights[1]), moved.stroke());
        Some(Shape::titled(title, vec![line]))
    };
    columns[0].items.iter().filter_map(line).collect()
}

fn in_words(columns: &[ListColumn; 2], names: [&str; 2]) -> String {
    let list = |column: &ListColumn| {
        let group = |(first, count): &(usize, usize)| {
            format!("({})", column.items[*first..first + count].join(", "))
        };
        column
            .groups
            .iter()
            .map(group)
            .collect::<Vec<_>>()
            .join(", ")
    };
    format!(
        "{}: {}. {}: {}.",
        names[0],
        list(&columns[0]),
        names[1],
        list(&columns[1])
    )
}

//! Two lists side by side, with a line between the two positions of each item.

use std::collections::HashMap;

use partita_core::NamedGroups;

use super::canvas::caption::{MARGIN, footnote, heading};
use super::canvas::palette;
use super::canvas::scene::{Area, Figure, SECONDARY_COLOUR, Shape, Stroke, Text};
use super::canvas::text_metrics::widest;
use super::plot::legend::{Legend, LegendEntry, LegendKey};
use crate::phrases::plural;

/// Maximum number of items in [`list_comparison_figure`], per list.
pub const MAX_COMPARED_ITEMS: usize = 100;

/// Font size of names and numbers, in figure units.
const FONT_SIZE: f64 = 11.0;
/// Height of the row of an item.
const ROW_HEIGHT: f64 = 17.0;
/// Distance between the border of a group and its rows.
const GROUP_PADDING: f64 = 3.0;
/// Vertical distance between two groups, and horizontal distance between two texts.
const GAP: f64 = 6.0;
/// Maximum width of an item name; longer names are shortened.
const MAX_NAME_WIDTH: f64 = 200.0;
/// Horizontal distance between the two lists, for the lines between them.
const LIST_DISTANCE: f64 = 180.0;
/// Minimum width of the figure.
const MIN_FIGURE_WIDTH: f64 = 420.0;
/// Footnote of the figure.
const FOOTNOTE: &str = "Boxes: groups. Items of a group have no order; they are drawn so that lines cross \
     little.";

/// Draws the two lists of a query, with groups as boxes and a line between the positions of each
/// item in both lists. The line is blue if the item overtakes more items than overtake it in the
/// second list, orange if it is the other way round, and grey otherwise. For longer lists only the
/// first [`MAX_COMPARED_ITEMS`] items are shown, and the figure says so.
pub fn list_comparison_figure(query: &str, names: [&str; 2], lists: [&NamedGroups; 2]) -> Figure {
    let title = format!("Two lists for {query}");
    let columns = list_columns(lists);
    let shared = columns[0]
        .items
        .iter()
        .filter(|item| columns[1].position(item).is_some());
    let shared = shared.count();
    let name_width = columns
        .iter()
        .map(ListColumn::name_width)
        .fold(0.0, f64::max);
    let inner = 3.0 * GAP + widest(["100"], FONT_SIZE) + name_width;
    let width = (2.0 * (MARGIN + inner) + LIST_DISTANCE).max(MIN_FIGURE_WIDTH);
    let sizes = columns
        .each_ref()
        .map(|column| plural(column.total_items, "item"));
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
        let word = Text::new(name, (left, top - 6.0), FONT_SIZE).bold();
        shapes.push(word.fitted(inner).into());
        bottom = column.draw((left, top), inner, &mut shapes).max(bottom);
    }
    let ends = [lefts[0] + inner, lefts[1]];
    shapes.extend(lines(&columns, ends, top));
    let mut height = footnote(FOOTNOTE, width, bottom + 20.0, &mut shapes);
    if columns
        .iter()
        .any(|column| column.total_items > column.items.len())
    {
        let words = format!("The first {MAX_COMPARED_ITEMS} items of each list.");
        height = footnote(&words, width, height, &mut shapes);
    }
    let description = format!("{subtitle}. {}", in_words(&columns, names));
    Figure::new(title, description, (width, height), shapes)
}

/// One of the two lists as drawn: items from top to bottom.
struct ListColumn<'a> {
    items: Vec<&'a str>,
    /// Index of the first item, and number of items, of each shown group.
    groups: Vec<(usize, usize)>,
    places: HashMap<&'a str, (usize, usize)>,
    /// Number of items in the whole list, including those that are not shown.
    total_items: usize,
}

impl<'a> ListColumn<'a> {
    /// Creates the column of a list. `order` returns the sort key of an item within its group.
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
            total_items: list.iter().map(Vec::len).sum(),
        }
    }

    /// Returns the row of an item and the index of its group, or `None` if it is not shown.
    fn position(&self, item: &str) -> Option<(usize, usize)> {
        self.places.get(item).copied()
    }

    fn name_width(&self) -> f64 {
        widest(&self.items, FONT_SIZE).min(MAX_NAME_WIDTH)
    }

    /// Returns the y of the centre of a row, given the row and the group of its item.
    fn y(&self, (position, group): (usize, usize), top: f64) -> f64 {
        let groups = group as f64;
        top + groups * (2.0 * GROUP_PADDING + GAP)
            + GROUP_PADDING
            + (position as f64 + 0.5) * ROW_HEIGHT
    }

    /// Draws the groups and item names of the column; returns the y of its lower end.
    fn draw(&self, (left, top): (f64, f64), width: f64, shapes: &mut Vec<Shape>) -> f64 {
        let mut bottom = top;
        let name_left = left + 2.0 * GAP + widest(["100"], FONT_SIZE);
        for (number, (first, count)) in self.groups.iter().enumerate() {
            let y = self.y((*first, number), top);
            let height = *count as f64 * ROW_HEIGHT + 2.0 * GROUP_PADDING;
            let area = Area::new(
                (left, y - ROW_HEIGHT / 2.0 - GROUP_PADDING),
                (width, height),
            );
            let edge = Some(Stroke::solid("#AAAAAA", 0.8));
            shapes.push(Shape::Rect(area, 6.0, "#F5F5F5".into(), edge));
            let word = |words: &str, x: f64, y: f64| {
                Text::new(words, (x, y + 0.36 * FONT_SIZE), FONT_SIZE)
            };
            let group = word(&(number + 1).to_string(), name_left - GAP, y);
            shapes.push(group.end().quiet().into());
            for (row, item) in self.items[*first..first + count].iter().enumerate() {
                let name = word(item, name_left, y + row as f64 * ROW_HEIGHT);
                shapes.push(name.fitted(self.name_width().max(20.0)).into());
            }
            bottom = area.bottom();
        }
        bottom
    }
}

/// Creates the columns of both lists. Items within a group follow the order of the other list.
fn list_columns(lists: [&NamedGroups; 2]) -> [ListColumn<'_>; 2] {
    let rough = lists.map(|list| ListColumn::new(list, |_| 0.0));
    let position = |column: &ListColumn, item: &str| {
        // Items that the other list lacks come last.
        column
            .position(item)
            .map_or(f64::INFINITY, |(position, _)| position as f64)
    };
    let first = ListColumn::new(lists[0], |item| position(&rough[1], item));
    let second = ListColumn::new(lists[1], |item| position(&first, item));
    [first, second]
}

/// Direction in which an item moves from the first list to the second, relative to the items that
/// both columns show.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ItemMove {
    Earlier,
    Later,
    Same,
}

impl ItemMove {
    /// Compares the number of items that the item overtakes, by group, with the number that
    /// overtake it.
    fn classify(item: &str, columns: &[ListColumn; 2]) -> Self {
        let group = |column: &ListColumn, item: &str| column.position(item).map(|(_, group)| group);
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
            Self::Later => Stroke::solid(palette::series(1).colour, 1.3).with_dashes(&[5.0, 2.5]),
            Self::Same => Stroke::solid(SECONDARY_COLOUR, 0.8),
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

/// Draws a line between the two positions of each item that both columns show.
fn lines(columns: &[ListColumn; 2], ends: [f64; 2], top: f64) -> Vec<Shape> {
    let line = |item: &&str| {
        let [from, to] = [columns[0].position(item)?, columns[1].position(item)?];
        let moved = ItemMove::classify(item, columns);
        let heights = [columns[0].y(from, top), columns[1].y(to, top)];
        let title = format!("{item}: group {}, then {}", from.1 + 1, to.1 + 1);
        let line = Shape::line((ends[0], heights[0]), (ends[1], heights[1]), moved.stroke());
        Some(Shape::with_tooltip(title, vec![line]))
    };
    columns[0].items.iter().filter_map(line).collect()
}

/// Returns the text description of the figure.
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

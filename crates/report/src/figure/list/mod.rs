//! The figure of a list made from many people's rankings.

mod arcs;
mod data;
mod layout;
mod rows;

use partita_core::Rankings;
use partita_core::truth::{CheckSettings, CheckedList};

use arcs::Family;
use data::DrawnList;
use layout::{HEADING_SIZE, Layout, WIDTH};

use super::axes::{LABEL_SIZE, bottom_axis};
use super::caption::{self, MARGIN, footnote};
use super::scene::{Area, FAINT, Figure, Shape, Stroke, Text};
use super::three_decimals;
use crate::words::{joined, plural};

/// The most items [`list_figure`] shows.
pub const MAX_LIST_ITEMS: usize = 100;

const FOOTNOTE: &str = "Boxes: the quartiles of the ranks (type 7) and the median; dots: the \
                        mean; whiskers: the farthest ranks within 1.5 interquartile ranges of the \
                        box; small points: ranks beyond. n: how many people ranked the item.";

/// The list of one query, drawn with the rankings that it was made from and with
/// every pair of items that contradicts it.
///
/// The items stand in order in rows, the groups are rounded boxes around them, and each item has a
/// box plot of its ranks. Arcs join inconsistent pairs (Urbano et al. 2010, section 3): at the
/// left, solid, items of the same group that differ; at the right, dashed, items of different
/// groups that do not. Many arcs are drawn thinner and lighter. Long names are shortened; who
/// points at one reads all of it. Of a very long list the first [`MAX_LIST_ITEMS`] items are shown
/// and the figure says so; the counts are always of the whole.
///
/// ```
/// use partita_core::Rankings;
/// use partita_core::truth::{Alpha, CheckRequest, Contradictions, Recipe, Tails, check};
/// use partita_core::work::InTurn;
/// use partita_report::list_figure;
///
/// let rankings = Rankings::new([
///     ("ann", "a", Some(1.0)), ("ann", "b", Some(2.0)),
///     ("bob", "a", Some(1.0)), ("bob", "b", Some(2.0)),
/// ])?;
/// let found = check(&CheckRequest {
///     queries: &[("000.111.706-1.1.1", &rankings)],
///     truth: None,
///     recipe: Recipe::default(),
///     alpha: Alpha::TYPKE,
///     tails: Tails::One,
///     triples: Contradictions::LISTED,
///     trust: None,
/// }, &InTurn)?;
/// let figure = list_figure(&rankings, &found.lists[0], &found.settings);
/// assert_eq!(figure.title, "Audit of the list for 000.111.706-1.1.1");
/// assert!(figure.to_svg().contains("0 of 0 pairs in the same group differ"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Panics
/// When the list holds an item that the rankings do not know.
pub fn list_figure(rankings: &Rankings, list: &CheckedList, settings: &CheckSettings) -> Figure {
    let title = format!("Audit of the list for {}", list.query);
    if list.list.is_empty() {
        return Figure::saying(&title, "The list has no items.");
    }
    let list = &DrawnList::new(rankings, list, settings);
    let shown = list.items.len().min(MAX_LIST_ITEMS);
    let (mut shapes, below_heading) = heading(list);
    let layout = Layout::new(list, shown, below_heading);
    shapes.extend(groups(list, &layout));
    shapes.extend(rank_lines(&layout));
    for (index, item) in list.items[..shown].iter().enumerate() {
        shapes.push(rows::row(index, item, &layout));
    }
    for family in Family::BOTH {
        shapes.extend(arcs::shapes(family, list, &layout));
    }
    shapes.extend(rank_axis(&layout));
    let mut baseline = layout.bottom() + 54.0;
    for words in footnotes(list, shown) {
        baseline = footnote(&words, WIDTH, baseline, &mut shapes);
    }
    Figure::new(title, description(list), (WIDTH, baseline), shapes)
}

/// The words above the list, and where they end.
fn heading(list: &DrawnList<'_>) -> (Vec<Shape>, f64) {
    let width = WIDTH - 2.0 * MARGIN;
    let line = |words: &str, y: f64| Text::new(words, (MARGIN, y), LABEL_SIZE).fitted(width);
    let mut shapes = vec![
        caption::heading(&list.list.query, WIDTH),
        line(&size_and_consistency(list), 42.0).into(),
        line(&list.note, 58.0).quiet().into(),
    ];
    let mut baseline = 62.0;
    for family in Family::BOTH {
        baseline += 17.0;
        shapes.extend(family.legend(list, baseline));
    }
    (shapes, baseline + 8.0)
}

fn size_and_consistency(list: &DrawnList<'_>) -> String {
    let items = plural(list.items.len(), "item");
    let mut words = format!("{items} in {}", plural(list.group_ends.len(), "group"));
    let consistency = &list.list.consistency;
    if let (Some(adr_1), Some(adr_2)) = (consistency.adr1, consistency.adr2) {
        let [adr_1, adr_2] = [adr_1, adr_2].map(three_decimals);
        words += &format!("; ADR-1 consistency {adr_1}, ADR-2 consistency {adr_2}");
    }
    words
}

fn groups(list: &DrawnList<'_>, layout: &Layout) -> Vec<Shape> {
    let numbered = (1..).zip(list.groups().zip(&layout.groups));
    let group = |(number, ((from, to), area)): (usize, ((usize, usize), &Area))| {
        let edge = Some(Stroke::solid("#AAAAAA", 0.8));
        let surface = Shape::Rect(*area, 6.0, "#F5F5F5".into(), edge);
        let title = format!("group {number}: {} to {to}", from + 1);
        Shape::titled(title, vec![surface])
    };
    numbered.map(group).collect()
}

/// A light line down the list at every rank that the axis names.
fn rank_lines(layout: &Layout) -> Vec<Shape> {
    let line = |rank: &f64| {
        let (x, stroke) = (layout.ranks.at(*rank), Stroke::solid(FAINT, 0.6));
        Shape::line((x, layout.top()), (x, layout.bottom()), stroke)
    };
    layout.ticks.values().iter().map(line).collect()
}

/// The ranks below the list, and above it when it is long.
fn rank_axis(layout: &Layout) -> Vec<Shape> {
    let area = Area {
        height: layout.bottom() + 5.0 - layout.top(),
        top: layout.top(),
        ..layout.plot
    };
    let mut shapes = bottom_axis(&area, layout.ranks, &layout.ticks, HEADING_SIZE);
    let below = (area.middle(), layout.bottom() + 34.0);
    let label = Text::new("rank (1 is the best)", below, LABEL_SIZE);
    shapes.push(label.middle().into());
    let above = layout.top() - 6.0;
    let small = |words: &str, x: f64| Text::new(words, (x, above), HEADING_SIZE).quiet();
    shapes.push(small("n", layout.count_right).end().into());
    if layout.is_long() {
        shapes.extend(layout.ticks.labels().map(|(rank, label)| {
            let number = small(&label, layout.ranks.at(rank));
            number.middle().into()
        }));
    }
    shapes
}

fn footnotes(list: &DrawnList<'_>, shown: usize) -> Vec<String> {
    let mut notes = vec![FOOTNOTE.to_owned()];
    if arcs::some_are_lighter(list, shown) {
        notes[0] += " Arcs are lighter where there are many.";
    }
    let items = list.items.len();
    if shown < items {
        let ends = list.group_ends.contains(&shown);
        let goes_on = if ends {
            ""
        } else {
            "; the last group shown goes on"
        };
        notes.push(format!(
            "The first {shown} of {items} items, and the pairs among them{goes_on}."
        ));
    }
    notes
}

fn description(list: &DrawnList<'_>) -> String {
    let groups = list.list.list.iter();
    let groups = groups.map(|items| format!("({})", items.join(", ")));
    format!(
        "A list made from the rankings of many people: {}. {}; {}. The groups in order: {}.",
        size_and_consistency(list),
        Family::Intra.in_words(list),
        Family::Inter.in_words(list),
        joined(groups, ", ")
    )
}

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
use super::recall_plot::three_decimals;
use super::scene::{Anchor, Area, FAINT, Figure, Point, QUIET, Shape, Stroke, Text};

/// The most items [`list_figure`] shows.
pub const MAX_LIST_ITEMS: usize = 100;

const FOOTNOTE: &str = "Boxes: the quartiles of the ranks (type 7) and the median; dots: the \
                        mean; whiskers: the farthest ranks within 1.5 interquartile ranges of the \
                        box; small points: ranks beyond. n: how many people ranked the item.";

/// The list of one query, drawn with the rankings that it was made from and with
/// every pair of items that contradicts it.
///
/// The items stand in order in rows, the groups are rounded boxes around them,
/// and each item has a box plot of its ranks. Arcs join inconsistent pairs
/// (Urbano et al. 2010, section 3): at the left, solid, items of the same group
/// that differ; at the right, dashed, items of different groups that do not.
/// Many arcs are drawn thinner and lighter. Long names are shortened; who points
/// at one reads all of it. Of a very long list the first [`MAX_LIST_ITEMS`]
/// items are shown and the figure says so; the counts are always of the whole.
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
/// assert_eq!(figure.title(), "Audit of the list for 000.111.706-1.1.1");
/// assert!(figure.to_svg().contains("0 of 0 pairs in the same group differ"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Panics
/// When the list holds an item that the rankings do not know.
#[must_use]
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
    for family in [Family::Intra, Family::Inter] {
        shapes.extend(arcs::shapes(family, list, &layout));
    }
    shapes.extend(rank_axis(&layout));
    let mut baseline = layout.bottom() + 54.0;
    for words in footnotes(list, shown) {
        let (lines, below) = footnote(&words, WIDTH, baseline);
        shapes.extend(lines);
        baseline = below;
    }
    Figure {
        title,
        description: description(list),
        width: WIDTH,
        height: baseline,
        shapes,
    }
}

/// The words above the list, and where they end.
fn heading(list: &DrawnList<'_>) -> (Vec<Shape>, f64) {
    let width = WIDTH - 2.0 * MARGIN;
    let line =
        |words: &str, y: f64| Text::new(words, Point::new(MARGIN, y), LABEL_SIZE).fitted(width);
    let mut shapes = vec![caption::heading(&list.list.query, WIDTH)];
    let mut baseline = 42.0;
    shapes.push(Shape::Text(line(&size_and_consistency(list), baseline)));
    baseline += 16.0;
    shapes.push(Shape::Text(line(&list.note, baseline).coloured(QUIET)));
    baseline += 4.0;
    for family in [Family::Intra, Family::Inter] {
        baseline += 17.0;
        shapes.extend(family.legend(list, baseline));
    }
    (shapes, baseline + 8.0)
}

fn size_and_consistency(list: &DrawnList<'_>) -> String {
    let plural = |number| if number == 1 { "" } else { "s" };
    let (items, groups) = (list.items.len(), list.group_ends.len());
    let mut words = format!(
        "{items} item{} in {groups} group{}",
        plural(items),
        plural(groups)
    );
    let consistency = &list.list.consistency;
    if let (Some(adr_1), Some(adr_2)) = (consistency.adr1, consistency.adr2) {
        words += &format!(
            "; ADR-1 consistency {}, ADR-2 consistency {}",
            three_decimals(adr_1),
            three_decimals(adr_2)
        );
    }
    words
}

fn groups(list: &DrawnList<'_>, layout: &Layout) -> Vec<Shape> {
    let numbered = list.groups().zip(&layout.groups).enumerate();
    numbered
        .map(|(index, ((from, to), area))| Shape::Group {
            title: Some(format!("group {}: {} to {}", index + 1, from + 1, to)),
            clip: None,
            shapes: vec![layout::group_box(*area)],
        })
        .collect()
}

/// A light line down the list at every rank that the axis names.
fn rank_lines(layout: &Layout) -> Vec<Shape> {
    let lines = layout.ticks.values().iter().map(|rank| {
        let x = layout.ranks.at(*rank);
        Shape::Line {
            from: Point::new(x, layout.top()),
            to: Point::new(x, layout.bottom()),
            stroke: Stroke::solid(FAINT, 0.6),
        }
    });
    lines.collect()
}

/// The ranks below the list, and above it when it is long.
fn rank_axis(layout: &Layout) -> Vec<Shape> {
    let area = Area {
        height: layout.bottom() + 5.0 - layout.top(),
        top: layout.top(),
        ..layout.plot
    };
    let mut shapes = bottom_axis(&area, layout.ranks, &layout.ticks, HEADING_SIZE);
    let middle = area.left + area.width / 2.0;
    let below = Point::new(middle, layout.bottom() + 34.0);
    shapes.push(Shape::Text(
        Text::new("rank (1 is the best)", below, LABEL_SIZE).anchored(Anchor::Middle),
    ));
    let above = layout.top() - 6.0;
    let small = |words: String, x: f64| {
        Text::new(words, Point::new(x, above), HEADING_SIZE).coloured(QUIET)
    };
    shapes.push(Shape::Text(
        small("n".to_owned(), layout.count_right).anchored(Anchor::End),
    ));
    if layout.is_long() {
        for rank in layout.ticks.values() {
            let number = small(layout.ticks.label(*rank), layout.ranks.at(*rank));
            shapes.push(Shape::Text(number.anchored(Anchor::Middle)));
        }
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
        let goes_on = match list.group_ends.contains(&shown) {
            true => "",
            false => "; the last group shown goes on",
        };
        notes.push(format!(
            "The first {shown} of {items} items, and the pairs among them{goes_on}."
        ));
    }
    notes
}

fn description(list: &DrawnList<'_>) -> String {
    let groups: Vec<String> = list
        .groups()
        .map(|(from, to)| {
            let names: Vec<&str> = list.items[from..to].iter().map(|item| item.name).collect();
            format!("({})", names.join(", "))
        })
        .collect();
    format!(
        "A list made from the rankings of many people: {}. {}; {}. The groups in order: {}.",
        size_and_consistency(list),
        Family::Intra.in_words(list),
        Family::Inter.in_words(list),
        groups.join(", ")
    )
}

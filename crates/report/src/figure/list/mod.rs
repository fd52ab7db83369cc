//! The figure of a list made from many people's rankings.

mod arcs;
mod data;
mod layout;
mod rows;

pub use data::{ListAudit, ListError, ListItem};

use arcs::Family;
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
/// use partita_report::{ListAudit, ListError, ListItem, list_figure};
///
/// let items = vec![
///     ListItem::new("A", vec![1., 1., 2.])?,
///     ListItem::new("B", vec![2., 3., 1.])?,
///     ListItem::new("C", vec![3., 2., 3.])?,
/// ];
/// let audit = ListAudit::new("000.111.706-1.1.1", items, vec![2, 3])?
///     .with_inconsistent_pairs(vec![], vec![(1, 2)])?
///     .with_consistency(0.75, 0.75)?;
/// let figure = list_figure(&audit);
/// assert_eq!(figure.title(), "Audit of the list for 000.111.706-1.1.1");
/// assert!(figure.to_svg().contains("0 of 1 pairs in the same group differ"));
/// # Ok::<(), ListError>(())
/// ```
#[must_use]
pub fn list_figure(audit: &ListAudit) -> Figure {
    let shown = audit.items().len().min(MAX_LIST_ITEMS);
    let (mut shapes, below_heading) = heading(audit);
    let layout = Layout::new(audit, shown, below_heading);
    shapes.extend(groups(audit, &layout));
    shapes.extend(rank_lines(&layout));
    for (index, item) in audit.items()[..shown].iter().enumerate() {
        shapes.push(rows::row(index, item, &layout));
    }
    for family in [Family::Intra, Family::Inter] {
        shapes.extend(arcs::shapes(family, audit, &layout));
    }
    shapes.extend(rank_axis(&layout));
    let mut baseline = layout.bottom() + 54.0;
    for words in footnotes(audit, shown) {
        let (lines, below) = footnote(&words, WIDTH, baseline);
        shapes.extend(lines);
        baseline = below;
    }
    Figure {
        title: format!("Audit of the list for {}", audit.query()),
        description: description(audit),
        width: WIDTH,
        height: baseline,
        shapes,
    }
}

/// The words above the list, and where they end.
fn heading(audit: &ListAudit) -> (Vec<Shape>, f64) {
    let width = WIDTH - 2.0 * MARGIN;
    let line =
        |words: &str, y: f64| Text::new(words, Point::new(MARGIN, y), LABEL_SIZE).fitted(width);
    let mut shapes = vec![caption::heading(audit.query(), WIDTH)];
    let mut baseline = 42.0;
    shapes.push(Shape::Text(line(&size_and_consistency(audit), baseline)));
    if let Some(note) = audit.note() {
        baseline += 16.0;
        shapes.push(Shape::Text(line(note, baseline).coloured(QUIET)));
    }
    baseline += 4.0;
    for family in [Family::Intra, Family::Inter] {
        baseline += 17.0;
        shapes.extend(family.legend(audit, baseline));
    }
    (shapes, baseline + 8.0)
}

fn size_and_consistency(audit: &ListAudit) -> String {
    let plural = |number| if number == 1 { "" } else { "s" };
    let (items, groups) = (audit.items().len(), audit.group_ends().len());
    let mut words = format!(
        "{items} item{} in {groups} group{}",
        plural(items),
        plural(groups)
    );
    if let Some((adr_1, adr_2)) = audit.consistency() {
        words += &format!(
            "; ADR-1 consistency {}, ADR-2 consistency {}",
            three_decimals(adr_1),
            three_decimals(adr_2)
        );
    }
    words
}

fn groups(audit: &ListAudit, layout: &Layout) -> Vec<Shape> {
    let numbered = audit.groups().zip(&layout.groups).enumerate();
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

fn footnotes(audit: &ListAudit, shown: usize) -> Vec<String> {
    let mut notes = vec![FOOTNOTE.to_owned()];
    if arcs::some_are_lighter(audit, shown) {
        notes[0] += " Arcs are lighter where there are many.";
    }
    let items = audit.items().len();
    if shown < items {
        let goes_on = match audit.group_ends().contains(&shown) {
            true => "",
            false => "; the last group shown goes on",
        };
        notes.push(format!(
            "The first {shown} of {items} items, and the pairs among them{goes_on}."
        ));
    }
    notes
}

fn description(audit: &ListAudit) -> String {
    let groups: Vec<String> = audit
        .groups()
        .map(|(from, to)| {
            let names: Vec<&str> = audit.items()[from..to].iter().map(ListItem::name).collect();
            format!("({})", names.join(", "))
        })
        .collect();
    format!(
        "A list made from the rankings of many people: {}. {}; {}. The groups in order: {}.",
        size_and_consistency(audit),
        Family::Intra.in_words(audit),
        Family::Inter.in_words(audit),
        groups.join(", ")
    )
}

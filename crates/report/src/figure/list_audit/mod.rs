//! The figure of a list made from many people's rankings.

mod arcs;
mod data;
mod layout;
mod rows;

use partita_core::truth::{CheckedList, TruthCheck};
use partita_core::{AssessorRankings, QueryPreferences};
use partita_judging::{PreferenceCheck, PreferenceCheckedList};

use arcs::ContradictionKind;
use data::ListFigureData;
use layout::{GROUP, HEADING_SIZE, Layout, WIDTH};
use rows::VOTES;

use super::canvas::caption;
use super::canvas::caption::footnote;
use super::canvas::scene::{Area, FAINT, Figure, Shape, Stroke, Text};
use super::plot::axes::bottom_axis;
use super::plot::legend::{Legend, LegendKey};
use crate::phrases::join;

/// The most items [`list_figure`] shows.
pub const MAX_LIST_ITEMS: usize = 100;

const BY_RANKINGS: &str = "Boxes: the quartiles of the ranks (type 7) and the median; dots: the \
                        mean; whiskers: the farthest ranks within 1.5 interquartile ranges of the \
                        box; small points: ranks beyond. n: how many people ranked the item.";

const BY_ANSWERS: &str = "Bars: of all answers about an item, how many prefer it, neither, and the \
                          other item. n: the number of answers.";

/// The list of one query, drawn with the rankings that it was made from and with
/// every pair of items that contradicts it.
///
/// The items stand in order in rows, the groups are rounded boxes around them, and each item has a
/// box plot of its ranks. Arcs join inconsistent pairs (Urbano et al. 2010, section 3): at the
/// left, solid, items of the same group that differ; at the right, dashed, items of different
/// groups that do not. Many arcs are drawn thinner and lighter. Of a very long list the first [`MAX_LIST_ITEMS`] items are shown
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
/// let figure = list_figure(&rankings, &found.lists[0], &found);
/// assert_eq!(figure.title, "Audit of the list for 000.111.706-1.1.1");
/// assert!(figure.to_svg().contains("0 of 0 pairs in the same group differ"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Panics
/// When the list holds an item that the rankings do not know.
pub fn ranking_list_figure(
    rankings: &AssessorRankings,
    list: &CheckedList,
    check: &TruthCheck,
) -> Figure {
    figure(&ListFigureData::from_rankings(rankings, list, check))
}

/// The list of one query, drawn with the answers to questions about its pairs: as [`list_figure`],
/// with the shares of answers that prefer each item, neither, and the other one.
pub fn preference_list_figure(
    answers: &QueryPreferences,
    list: &PreferenceCheckedList,
    check: &PreferenceCheck,
) -> Figure {
    figure(&ListFigureData::from_preferences(answers, list, check))
}

fn figure(list: &ListFigureData<'_>) -> Figure {
    let title = format!("Audit of the list for {}", list.query);
    if list.items.is_empty() {
        return Figure::message(&title, "The list has no items.");
    }
    let shown = list.items.len().min(MAX_LIST_ITEMS);
    let (mut shapes, below_heading) = heading(list, &title);
    let layout = Layout::new(list, shown, below_heading);
    shapes.extend(groups(list, &layout));
    shapes.extend(rank_lines(&layout));
    for (index, item) in list.items[..shown].iter().enumerate() {
        let mut groups = (1..).zip(list.spans());
        let group = groups.find(|(_, (from, _))| *from == index);
        shapes.push(rows::row(
            index,
            group.map(|(number, _)| number),
            item,
            &layout,
        ));
    }
    for family in ContradictionKind::BOTH {
        shapes.extend(arcs::shapes(family, list, &layout));
    }
    shapes.extend(rank_axis(list, &layout));
    let mut baseline = layout.bottom() + 54.0;
    for words in footnotes(list, shown) {
        baseline = footnote(&words, WIDTH, baseline, &mut shapes);
    }
    Figure::new(title, description(list), (WIDTH, baseline), shapes)
}

/// The words above the list, and where they end.
fn heading(list: &ListFigureData<'_>, title: &str) -> (Vec<Shape>, f64) {
    let words = format!("{}; {}", list.summary, list.note);
    let (mut shapes, mut baseline) = caption::heading(title, &words, WIDTH);
    baseline -= 6.0;
    for family in ContradictionKind::BOTH {
        baseline += 17.0;
        shapes.extend(family.legend(list, baseline));
    }
    if list.is_by_answers() {
        let names = ["item preferred", "equal", "other preferred"];
        let legend = Legend::from_names(&names, |place| LegendKey::Surface(VOTES[place]), WIDTH);
        baseline = legend.draw(baseline + 8.0, &mut shapes);
    }
    (shapes, baseline + 8.0)
}

fn groups(list: &ListFigureData<'_>, layout: &Layout) -> Vec<Shape> {
    let numbered = (1..).zip(list.spans().zip(&layout.groups));
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
fn rank_axis(list: &ListFigureData<'_>, layout: &Layout) -> Vec<Shape> {
    let along = |plot: Area| Area {
        height: layout.bottom() + 5.0 - layout.top(),
        top: layout.top(),
        ..plot
    };
    let area = along(layout.plot);
    let mut shapes = bottom_axis(&area, layout.ranks, &layout.ticks, HEADING_SIZE);
    let below = |words: String, area: &Area| {
        let at = (area.middle(), layout.bottom() + 34.0);
        Shape::from(Text::new(words, at, HEADING_SIZE).middle())
    };
    let label = if list.is_by_answers() {
        "share of answers"
    } else {
        "rank (1 is the best)"
    };
    shapes.push(below(label.to_owned(), &area));
    if let (Some((plot, scale, ticks)), Some(confidence)) = (&layout.places, list.confidence) {
        shapes.extend(bottom_axis(&along(*plot), *scale, ticks, HEADING_SIZE));
        shapes.push(below(format!("groups, {}%", 100.0 * confidence), plot));
    }
    let above = layout.top() - 6.0;
    let small = |words: &str, x: f64| Text::new(words, (x, above), HEADING_SIZE).quiet();
    shapes.push(small(GROUP, layout.number_right).end().into());
    shapes.push(small("n", layout.count_right).end().into());
    if layout.is_long() {
        shapes.extend(layout.ticks.labels().map(|(rank, label)| {
            let number = small(&label, layout.ranks.at(rank));
            number.middle().into()
        }));
    }
    shapes
}

fn footnotes(list: &ListFigureData<'_>, shown: usize) -> Vec<String> {
    let note = if list.is_by_answers() {
        BY_ANSWERS
    } else {
        BY_RANKINGS
    };
    let mut notes = vec![note.to_owned()];
    if let Some(confidence) = list.confidence {
        let percent = 100.0 * confidence;
        notes[0] += &format!(
            " Blue lines: the groups in which an item stands in {percent}% of the lists of other \
             people; black dots: its group here."
        );
    }
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

fn description(list: &ListFigureData<'_>) -> String {
    let groups = list.groups.iter();
    let groups = groups.map(|items| format!("({})", items.join(", ")));
    format!(
        "A list made of what many people said: {}. {}; {}. The groups in order: {}.",
        list.summary,
        ContradictionKind::Intra.in_words(list),
        ContradictionKind::Inter.in_words(list),
        join(groups, ", ")
    )
}

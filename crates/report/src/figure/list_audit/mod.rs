//! Figure of a list with the rankings or preferences that it was audited against.

mod arcs;
mod data;
mod layout;
mod rows;

use partita_core::evidence::CheckedList;
use partita_core::truth::{RankTestDetail, TruthCheck};
use partita_core::{AssessorRankings, QueryPreferences};
use partita_judging::{PreferenceCheck, VoteDetail};

use arcs::ContradictionKind;
use data::ListFigureData;
use layout::{AXIS_FONT_SIZE, GROUP_HEADING, Layout, WIDTH};
use rows::VOTE_COLOURS;

use super::canvas::caption;
use super::canvas::caption::footnote;
use super::canvas::scene::{AXIS_STROKE, Area, Figure, Shape, Stroke, Text};
use super::plot::axes::{bottom_axis, vertical_gridlines};
use super::plot::legend::{Legend, LegendKey};
use crate::phrases::join;

/// Maximum number of items in [`ranking_list_figure`] and [`preference_list_figure`].
pub const MAX_LIST_ITEMS: usize = 100;

/// Footnote on the boxes of a list audited by rankings.
const NOTE_ON_RANK_BOXES: &str = "Boxes: the quartiles of the ranks (type 7) and the median; dots: the \
     mean; whiskers: the farthest ranks within 1.5 interquartile ranges of the \
     box; small points: ranks beyond. n: how many people ranked the item.";

/// Footnote on the bars of a list audited by preferences.
const NOTE_ON_VOTE_BARS: &str = "Bars: of all answers about an item, how many prefer it, neither, and the \
     other item. n: the number of answers.";

/// Draws the list of one query with the assessors' rankings and every pair of items that
/// contradicts it.
///
/// Items are rows in list order, groups are rounded boxes around them, and each item has a box plot
/// of its ranks. Arcs connect inconsistent pairs (Urbano et al. 2010, section 3): solid at the left
/// for items of the same group that differ, dashed at the right for items of different groups that
/// do not. Many arcs are drawn thinner and lighter. For longer lists only the first
/// [`MAX_LIST_ITEMS`] items are shown and the figure says so; counts always refer to the whole
/// list.
///
/// ```
/// use partita_core::AssessorRankings;
/// use partita_core::truth::{Alpha, IntransitiveTriples, Recipe, Tails, TruthCheckRequest, check};
/// use partita_core::work::SequentialWork;
/// use partita_report::ranking_list_figure;
///
/// let rankings = AssessorRankings::new([
///     ("ann", "a", Some(1.0)), ("ann", "b", Some(2.0)),
///     ("bob", "a", Some(1.0)), ("bob", "b", Some(2.0)),
/// ])?;
/// let checked = check(&TruthCheckRequest {
///     queries: &[("000.111.706-1.1.1", &rankings)],
///     truth: None,
///     recipe: Recipe::default(),
///     alpha: Alpha::TYPKE,
///     tails: Tails::One,
///     max_triples: IntransitiveTriples::MAX_LISTED,
///     bootstrap: None,
/// }, &SequentialWork)?;
/// let figure = ranking_list_figure(&rankings, &checked.lists[0], &checked);
/// assert_eq!(figure.title, "Audit of the list for 000.111.706-1.1.1");
/// assert!(figure.to_svg().contains("0 of 0 pairs in the same group differ"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Panics
/// Panics if the list has an item that the rankings do not contain.
pub fn ranking_list_figure(
    rankings: &AssessorRankings,
    list: &CheckedList<RankTestDetail>,
    check: &TruthCheck,
) -> Figure {
    figure(&ListFigureData::from_rankings(rankings, list, check))
}

/// Draws the list of one query with the preferences on its pairs, like [`ranking_list_figure`].
/// Each item has a bar with the shares of votes for the item, for neither, and for the other item.
pub fn preference_list_figure(
    answers: &QueryPreferences,
    list: &CheckedList<VoteDetail>,
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
        let mut groups = (1..).zip(list.group_ranges());
        let group = groups.find(|(_, (from, _))| *from == index);
        shapes.push(rows::row(
            index,
            group.map(|(number, _)| number),
            item,
            &layout,
        ));
    }
    for kind in ContradictionKind::BOTH {
        shapes.extend(arcs::shapes(kind, list, &layout));
    }
    shapes.extend(rank_axis(list, &layout));
    let mut baseline = layout.bottom() + 54.0;
    for words in footnotes(list, shown) {
        baseline = footnote(&words, WIDTH, baseline, &mut shapes);
    }
    Figure::new(title, description(list), (WIDTH, baseline), shapes)
}

/// Draws the title and legend, and returns the shapes and the y where they end.
fn heading(list: &ListFigureData<'_>, title: &str) -> (Vec<Shape>, f64) {
    let words = format!("{}; {}", list.summary, list.note);
    let (mut shapes, mut baseline) = caption::heading(title, &words, WIDTH);
    baseline -= 6.0;
    for kind in ContradictionKind::BOTH {
        baseline += 17.0;
        shapes.extend(kind.legend(list, baseline));
    }
    if list.is_by_preferences() {
        let names = ["item preferred", "equal", "other preferred"];
        let legend = Legend::from_names(
            &names,
            |place| LegendKey::Surface(VOTE_COLOURS[place]),
            WIDTH,
        );
        baseline = legend.draw(baseline + 8.0, &mut shapes);
    }
    (shapes, baseline + 8.0)
}

/// Draws the rounded boxes around the groups of the list.
fn groups(list: &ListFigureData<'_>, layout: &Layout) -> Vec<Shape> {
    let numbered = (1..).zip(list.group_ranges().zip(&layout.groups));
    let group = |(number, ((from, to), area)): (usize, ((usize, usize), &Area))| {
        let edge = Some(Stroke::solid("#AAAAAA", 0.8));
        let surface = Shape::Rect(*area, 6.0, "#F5F5F5".into(), edge);
        let title = format!("group {number}: {} to {to}", from + 1);
        Shape::with_tooltip(title, vec![surface])
    };
    numbered.map(group).collect()
}

/// Draws a light vertical line at every tick of the rank axis.
fn rank_lines(layout: &Layout) -> Vec<Shape> {
    let size = (layout.plot.width, layout.bottom() - layout.top());
    let area = Area::new((layout.plot.left, layout.top()), size);
    vertical_gridlines(&area, layout.ranks, &layout.ticks)
}

/// Draws the rank axis below the list, and also above a long list.
fn rank_axis(list: &ListFigureData<'_>, layout: &Layout) -> Vec<Shape> {
    let along = |plot: Area| Area {
        height: layout.bottom() + 5.0 - layout.top(),
        top: layout.top(),
        ..plot
    };
    let area = along(layout.plot);
    let mut shapes = bottom_axis(&area, layout.ranks, &layout.ticks, AXIS_FONT_SIZE);
    let below = |words: String, area: &Area| {
        let at = (area.middle(), layout.bottom() + 34.0);
        Shape::from(Text::new(words, at, AXIS_FONT_SIZE).middle())
    };
    let label = if list.is_by_preferences() {
        "share of answers"
    } else {
        "rank (1 is the best)"
    };
    shapes.push(below(label.to_owned(), &area));
    if let (Some((plot, scale, ticks)), Some(confidence)) = (&layout.places, list.confidence) {
        let axis = along(*plot);
        shapes.extend(bottom_axis(&axis, *scale, ticks, AXIS_FONT_SIZE));
        shapes.extend(list.group_places().map(|place| {
            let x = scale.at(place);
            Shape::line((x, axis.bottom()), (x, axis.bottom() - 3.0), AXIS_STROKE)
        }));
        shapes.push(below(format!("place, {}%", 100.0 * confidence), plot));
    }
    let above = layout.top() - 6.0;
    let small = |words: &str, x: f64| Text::new(words, (x, above), AXIS_FONT_SIZE).quiet();
    shapes.push(small(GROUP_HEADING, layout.number_right).end().into());
    shapes.push(small("n", layout.count_right).end().into());
    if layout.is_long() {
        shapes.extend(layout.ticks.labels().map(|(rank, label)| {
            let number = small(&label, layout.ranks.at(rank));
            number.middle().into()
        }));
    }
    shapes
}

/// Returns the footnotes of the figure.
fn footnotes(list: &ListFigureData<'_>, shown: usize) -> Vec<String> {
    let note = if list.is_by_preferences() {
        NOTE_ON_VOTE_BARS
    } else {
        NOTE_ON_RANK_BOXES
    };
    let mut notes = vec![note.to_owned()];
    if let Some(confidence) = list.confidence {
        let percent = 100.0 * confidence;
        notes[0] += &format!(
            " Blue lines: the places, from 1 to {}, that an item has in {percent}% of the lists of \
             other people, where the items of a group share the middle of their places; black dots: \
             its place here; upper ticks: the places of the groups.",
            list.items.len()
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

//! Arcs between the items of pairs that contradict a list.

use std::collections::BTreeSet;

use super::data::ListFigureData;
use super::layout::Layout;
use crate::figure::canvas::caption::MARGIN;
use crate::figure::canvas::palette;
use crate::figure::canvas::scene::{Shape, Stroke, Text};
use crate::figure::canvas::text_metrics;
use crate::figure::plot::axes::LABEL_SIZE;
use crate::phrases::plural;

/// Width of the sample line in the legend, in figure units.
const LEGEND_SAMPLE_WIDTH: f64 = 32.0;
/// Radius of the dot at the end of an arc.
const END_DOT_RADIUS: f64 = 1.6;
/// Number of arcs side by side above which each arc is drawn thinner and lighter.
const MAX_DARK_ARCS: f64 = 12.0;
/// Maximum number of arcs with tooltips; among more, a reader could not point at one.
const MAX_TOOLTIPS: usize = 1000;
/// Maximum width of an item name in a tooltip.
const MAX_TOOLTIP_NAME_WIDTH: f64 = 300.0;

/// Kind of contradiction between the assessors' judgments of a pair and its position in a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ContradictionKind {
    /// Items of the same group that differ according to the judgments.
    Intra,
    /// Items of different groups that do not differ according to the judgments.
    Inter,
}

impl ContradictionKind {
    pub(super) const BOTH: [Self; 2] = [Self::Intra, Self::Inter];

    /// Returns the contradicting pairs of this kind, by item index.
    fn pairs<'l>(self, list: &'l ListFigureData<'_>) -> &'l [(usize, usize)] {
        &list.pairs[self as usize]
    }

    /// Returns the contradicting pairs of this kind among the first `shown` items of the list.
    pub(super) fn pairs_among(
        self,
        list: &ListFigureData<'_>,
        shown: usize,
    ) -> impl Iterator<Item = (usize, usize)> {
        let pairs = self.pairs(list).iter().copied();
        pairs.filter(move |(_, later)| *later < shown)
    }

    /// Returns the number of contradicting pairs of this kind as a phrase.
    pub(super) fn in_words(self, list: &ListFigureData<'_>) -> String {
        let (count, all) = (self.pairs(list).len(), list.compared[self as usize]);
        let verdict = match self {
            Self::Intra => "the same group",
            Self::Inter => "different groups do not",
        };
        format!("{count} of {} in {verdict} differ", plural(all, "pair"))
    }

    /// Returns the line style of an arc. `parallel_arcs` is the largest number of arcs side by side
    /// along it, including the arc itself.
    fn stroke(self, parallel_arcs: usize) -> Stroke {
        let share = MAX_DARK_ARCS / (parallel_arcs as f64).max(MAX_DARK_ARCS);
        // `share` to the power 3/4, by square roots because `powf` differs between machines.
        let strength = share.sqrt() * share.sqrt().sqrt();
        let stroke = match self {
            Self::Intra => palette::series(1).with_dashes(&[]),
            Self::Inter => palette::series(0).with_dashes(&[4.0, 2.5]),
        };
        let stroke = stroke.with_width(0.5 + 0.8 * strength);
        stroke.with_opacity(0.06 + 0.84 * strength)
    }

    /// Draws a sample line, and the number of contradicting pairs that this kind of arc shows.
    pub(super) fn legend(self, list: &ListFigureData<'_>, baseline: f64) -> [Shape; 2] {
        let side = match self {
            _ if self.pairs(list).is_empty() => "",
            Self::Intra => " (arcs at the left)",
            Self::Inter => " (arcs at the right)",
        };
        let words = self.in_words(list) + side;
        let middle = baseline - 0.35 * LABEL_SIZE;
        let stroke = self.stroke(1).with_width(1.6).with_opacity(1.0);
        [
            Shape::line(
                (MARGIN, middle),
                (MARGIN + LEGEND_SAMPLE_WIDTH, middle),
                stroke,
            ),
            Text::new(
                words,
                (MARGIN + LEGEND_SAMPLE_WIDTH + 8.0, baseline),
                LABEL_SIZE,
            )
            .into(),
        ]
    }
}

/// Draws the arcs of one kind of contradiction, short arcs on top of long ones, with a dot at each
/// end.
pub(super) fn shapes(
    kind: ContradictionKind,
    list: &ListFigureData<'_>,
    layout: &Layout,
) -> Vec<Shape> {
    let mut pairs: Vec<(usize, usize)> = kind.pairs_among(list, layout.rows.len()).collect();
    pairs.sort_by_key(|(earlier, later)| std::cmp::Reverse(later - earlier));
    let crowds = arcs_per_row(&pairs, layout.rows.len());
    let titled = pairs.len() <= MAX_TOOLTIPS;
    let x = layout.arc_edge(kind);
    let mut shapes = Vec::new();
    let mut ends = BTreeSet::new();
    for pair in pairs {
        let (top, bottom) = (layout.rows[pair.0], layout.rows[pair.1]);
        let crowd = crowds[pair.0..pair.1].iter().copied().max().unwrap_or(1);
        let (from, to) = ((x, top).into(), (x, bottom).into());
        let reach = layout.arc_extent(kind, bottom - top);
        let arc = Shape::Arc(from, to, reach, kind.stroke(crowd));
        shapes.push(if titled {
            Shape::with_tooltip(arc_tooltip(kind, list, pair), vec![arc])
        } else {
            arc
        });
        ends.extend([pair.0, pair.1]);
    }
    let dot =
        |row: usize| Shape::circle((x, layout.rows[row]), END_DOT_RADIUS, kind.stroke(1).colour);
    shapes.extend(ends.into_iter().map(dot));
    shapes
}

/// Returns true if arcs among the first `shown` items are drawn lighter because they are many.
pub(super) fn some_are_lighter(list: &ListFigureData<'_>, shown: usize) -> bool {
    ContradictionKind::BOTH.into_iter().any(|kind| {
        let pairs: Vec<(usize, usize)> = kind.pairs_among(list, shown).collect();
        let mut crowds = arcs_per_row(&pairs, shown).into_iter();
        crowds.any(|crowd| crowd as f64 > MAX_DARK_ARCS)
    })
}

/// Counts for each row the arcs that pass from it to the next row.
fn arcs_per_row(pairs: &[(usize, usize)], rows: usize) -> Vec<usize> {
    let mut crowds = vec![0; rows];
    for (earlier, later) in pairs {
        for crowd in &mut crowds[*earlier..*later] {
            *crowd += 1;
        }
    }
    crowds
}

/// Returns the tooltip of an arc: the two items and how they contradict the list.
fn arc_tooltip(
    kind: ContradictionKind,
    list: &ListFigureData<'_>,
    (earlier, later): (usize, usize),
) -> String {
    let name = |index: usize| {
        let name = list.items[index].name;
        let short = text_metrics::shortened(name, MAX_TOOLTIP_NAME_WIDTH, LABEL_SIZE, false);
        format!("{}. {}", index + 1, short.as_deref().unwrap_or(name))
    };
    let verdict = match kind {
        ContradictionKind::Intra => "in the same group, but they differ",
        ContradictionKind::Inter => "in different groups, but they do not differ",
    };
    format!("{} and {}: {verdict}", name(earlier), name(later))
}

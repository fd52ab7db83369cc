//! Arcs that connect the items of inconsistent pairs.

use std::collections::BTreeSet;

use super::data::ListFigureData;
use super::layout::Layout;
use crate::figure::canvas::caption::MARGIN;
use crate::figure::canvas::palette;
use crate::figure::canvas::scene::{Shape, Stroke, Text};
use crate::figure::canvas::text_metrics;
use crate::figure::plot::axes::LABEL_SIZE;
use crate::phrases::plural;

const SAMPLE: f64 = 32.0;
/// Radius of the dot at the end of an arc.
const END: f64 = 1.6;
/// Number of arcs side by side above which each is drawn thinner and lighter.
const MANY: f64 = 12.0;
/// Maximum number of arcs with tooltips; among more, a reader cannot point at one.
const MOST_TITLES: usize = 1000;
/// Maximum width of a name in a tooltip.
const NAME_IN_TITLE: f64 = 300.0;

/// Kind of contradiction between a pair and a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ContradictionKind {
    /// Items of the same group that differ.
    Intra,
    /// Items of different groups that do not differ.
    Inter,
}

impl ContradictionKind {
    pub(super) const BOTH: [Self; 2] = [Self::Intra, Self::Inter];

    fn pairs<'l>(self, list: &'l ListFigureData<'_>) -> &'l [(usize, usize)] {
        &list.pairs[self as usize]
    }

    /// Returns the pairs among the first `shown` items.
    pub(super) fn pairs_among(
        self,
        list: &ListFigureData<'_>,
        shown: usize,
    ) -> impl Iterator<Item = (usize, usize)> {
        let pairs = self.pairs(list).iter().copied();
        pairs.filter(move |(_, later)| *later < shown)
    }

    pub(super) fn in_words(self, list: &ListFigureData<'_>) -> String {
        let (count, all) = (self.pairs(list).len(), list.compared[self as usize]);
        let verdict = match self {
            Self::Intra => "the same group",
            Self::Inter => "different groups do not",
        };
        format!("{count} of {} in {verdict} differ", plural(all, "pair"))
    }

    /// Returns the stroke of an arc. `crowd` is the largest number of arcs side by side along it,
    /// including the arc itself.
    fn stroke(self, crowd: usize) -> Stroke {
        let share = MANY / (crowd as f64).max(MANY);
        // share^(3/4) by square roots, because `powf` differs between machines.
        let strength = share.sqrt() * share.sqrt().sqrt();
        let stroke = match self {
            Self::Intra => palette::series(1).dashed(&[]),
            Self::Inter => palette::series(0).dashed(&[4.0, 2.5]),
        };
        let stroke = stroke.wide(0.5 + 0.8 * strength);
        stroke.faded(0.06 + 0.84 * strength)
    }

    /// Draws a sample arc and its meaning.
    pub(super) fn legend(self, list: &ListFigureData<'_>, baseline: f64) -> [Shape; 2] {
        let side = match self {
            _ if self.pairs(list).is_empty() => "",
            Self::Intra => " (arcs at the left)",
            Self::Inter => " (arcs at the right)",
        };
        let words = self.in_words(list) + side;
        let middle = baseline - 0.35 * LABEL_SIZE;
        let stroke = self.stroke(1).wide(1.6).faded(1.0);
        [
            Shape::line((MARGIN, middle), (MARGIN + SAMPLE, middle), stroke),
            Text::new(words, (MARGIN + SAMPLE + 8.0, baseline), LABEL_SIZE).into(),
        ]
    }
}

/// Draws the arcs of a kind, short ones on top of long ones, with a dot at each end.
pub(super) fn shapes(
    kind: ContradictionKind,
    list: &ListFigureData<'_>,
    layout: &Layout,
) -> Vec<Shape> {
    let mut pairs: Vec<(usize, usize)> = kind.pairs_among(list, layout.rows.len()).collect();
    pairs.sort_by_key(|(earlier, later)| std::cmp::Reverse(later - earlier));
    let crowds = crowds(&pairs, layout.rows.len());
    let titled = pairs.len() <= MOST_TITLES;
    let x = layout.arc_edge(kind);
    let mut shapes = Vec::new();
    let mut ends = BTreeSet::new();
    for pair in pairs {
        let (top, bottom) = (layout.rows[pair.0], layout.rows[pair.1]);
        let crowd = crowds[pair.0..pair.1].iter().copied().max().unwrap_or(1);
        let (from, to) = ((x, top).into(), (x, bottom).into());
        let reach = layout.reach(kind, bottom - top);
        let arc = Shape::Arc(from, to, reach, kind.stroke(crowd));
        shapes.push(if titled {
            Shape::titled(title(kind, list, pair), vec![arc])
        } else {
            arc
        });
        ends.extend([pair.0, pair.1]);
    }
    let dot = |row: usize| Shape::circle((x, layout.rows[row]), END, kind.stroke(1).colour);
    shapes.extend(ends.into_iter().map(dot));
    shapes
}

/// Returns true if some of the arcs among the first `shown` items are drawn lighter.
pub(super) fn some_are_lighter(list: &ListFigureData<'_>, shown: usize) -> bool {
    ContradictionKind::BOTH.into_iter().any(|kind| {
        let pairs: Vec<(usize, usize)> = kind.pairs_among(list, shown).collect();
        let mut crowds = crowds(&pairs, shown).into_iter();
        crowds.any(|crowd| crowd as f64 > MANY)
    })
}

/// Counts the arcs that pass from each row to the next.
fn crowds(pairs: &[(usize, usize)], rows: usize) -> Vec<usize> {
    let mut crowds = vec![0; rows];
    for (earlier, later) in pairs {
        for crowd in &mut crowds[*earlier..*later] {
            *crowd += 1;
        }
    }
    crowds
}

fn title(
    kind: ContradictionKind,
    list: &ListFigureData<'_>,
    (earlier, later): (usize, usize),
) -> String {
    let name = |index: usize| {
        let name = list.items[index].name;
        let short = text_metrics::shortened(name, NAME_IN_TITLE, LABEL_SIZE, false);
        format!("{}. {}", index + 1, short.as_deref().unwrap_or(name))
    };
    let verdict = match kind {
        ContradictionKind::Intra => "in the same group, but they differ",
        ContradictionKind::Inter => "in different groups, but they do not differ",
    };
    format!("{} and {}: {verdict}", name(earlier), name(later))
}

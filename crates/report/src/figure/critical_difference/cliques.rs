//! Bars over systems that do not differ significantly.

use std::sync::Arc;

use super::super::comparison::Groups;
use super::SystemMark;
use crate::figure::canvas::scene::{Shape, Stroke, TEXT_COLOUR};
use crate::figure::plot::axes::Scale;
use crate::phrases::join;

/// Vertical distance between two lanes of bars, in figure units.
const LANE_HEIGHT: f64 = 8.0;
/// Thickness of a bar.
const BAR_THICKNESS: f64 = 3.6;
/// Length by which a bar extends beyond its first and last system.
const BAR_OVERHANG: f64 = 3.0;
/// Minimum horizontal distance between two bars in the same lane, so that they do not look like
/// one.
const MIN_BAR_DISTANCE: f64 = 10.0;
/// Maximum number of lanes of bars; a reader could not follow more.
const MAX_LANES: usize = 40;

/// Bar over a clique of systems that do not differ significantly. `members` holds the x of each
/// system, from the worst.
struct Bar {
    members: Vec<f64>,
    /// For each two consecutive members, true if systems between them are not in the clique.
    skips: Vec<bool>,
    title: String,
    lane: usize,
}

/// Bars of all cliques, in lanes without overlap.
pub(super) struct Cliques {
    bars: Vec<Bar>,
    lanes: usize,
    left_out: usize,
}

impl Cliques {
    /// Creates the bars of all cliques. `systems` are ordered from the worst to the best.
    pub(super) fn new(groups: &Groups, systems: &[SystemMark], scale: Scale) -> Self {
        let bar = |group: &Vec<Arc<str>>| Bar::new(group, systems, scale);
        let mut bars: Vec<Bar> = groups.iter().filter_map(bar).collect();
        // From left to right; among bars with the same start, the longest first.
        bars.sort_by(|one, other| {
            let begin = one.left().total_cmp(&other.left());
            begin.then(other.right().total_cmp(&one.right()))
        });
        let mut lane_ends: Vec<f64> = Vec::new();
        for bar in &mut bars {
            let free = lane_ends
                .iter()
                .position(|end| end + MIN_BAR_DISTANCE <= bar.left());
            bar.lane = free.unwrap_or(lane_ends.len());
            match lane_ends.get_mut(bar.lane) {
                Some(end) => *end = bar.right(),
                None => lane_ends.push(bar.right()),
            }
        }
        let all = bars.len();
        bars.retain(|bar| bar.lane < MAX_LANES);
        Self {
            left_out: all - bars.len(),
            bars,
            lanes: lane_ends.len().min(MAX_LANES),
        }
    }

    pub(super) fn height(&self) -> f64 {
        self.lanes as f64 * LANE_HEIGHT
    }

    pub(super) fn shapes(&self, top: f64) -> Vec<Shape> {
        self.bars.iter().map(|bar| bar.shape(top)).collect()
    }

    /// Returns the footnote that explains what the bars mean.
    pub(super) fn note(&self) -> String {
        if self.bars.is_empty() {
            return "No set of systems is without significant differences.".to_owned();
        }
        let mut words = "Thick bars join systems that do not differ significantly.".to_owned();
        if self.bars.iter().any(|bar| bar.skips.contains(&true)) {
            words += " A bar with dots joins only the systems at its dots; its dashed parts pass \
                      over others.";
        }
        if self.left_out > 0 {
            words += &format!(" {} more bars are left out.", self.left_out);
        }
        words
    }
}

impl Bar {
    /// Creates the bar of a clique; returns `None` for fewer than two systems.
    fn new(clique: &[Arc<str>], systems: &[SystemMark], scale: Scale) -> Option<Self> {
        let rank = |place: usize| scale.at(systems[place].value);
        let is_member = |place: &usize| clique.iter().any(|name| **name == *systems[*place].name);
        let places: Vec<usize> = (0..systems.len()).filter(is_member).collect();
        if places.len() < 2 {
            return None;
        }
        // A system with the same mean as a member is at the same x, so it cannot be shown as
        // skipped.
        let skips = places.windows(2).map(|pair| {
            let mut between = pair[0] + 1..pair[1];
            between.any(|place| rank(place) > rank(pair[0]) && rank(place) < rank(pair[1]))
        });
        let names = places.iter().rev().map(|place| systems[*place].name);
        Some(Self {
            skips: skips.collect(),
            members: places.iter().map(|place| rank(*place)).collect(),
            title: format!("not significantly different: {}", join(names, ", ")),
            lane: 0,
        })
    }

    fn left(&self) -> f64 {
        self.members[0] - BAR_OVERHANG
    }

    fn right(&self) -> f64 {
        self.members[self.members.len() - 1] + BAR_OVERHANG
    }

    fn shape(&self, top: f64) -> Shape {
        let y = top + self.lane as f64 * LANE_HEIGHT;
        let line = |from, to, stroke| Shape::line((from, y), (to, y), stroke);
        let thick = Stroke::solid(TEXT_COLOUR, BAR_THICKNESS);
        let shapes = if self.skips.contains(&true) {
            let pairs = self.members.windows(2).zip(&self.skips);
            let parts = pairs.map(|(pair, skips)| {
                let thin = Stroke::solid(TEXT_COLOUR, 0.9).with_dashes(&[2.0, 2.0]);
                line(
                    pair[0],
                    pair[1],
                    if *skips { thin } else { thick.with_width(2.4) },
                )
            });
            let dots = self.members.iter();
            let dots = dots.map(|x| Shape::circle((*x, y), BAR_OVERHANG, TEXT_COLOUR));
            parts.chain(dots).collect()
        } else {
            vec![line(self.left(), self.right(), thick)]
        };
        Shape::with_tooltip(&self.title, shapes)
    }
}

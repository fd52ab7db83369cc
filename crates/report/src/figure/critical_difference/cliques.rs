//! Bars over systems that do not differ.

use super::super::axes::Scale;
use super::super::scene::{Fill, INK, Point, Shape, Stroke};
use super::CriticalDifference;

/// From one lane of bars to the next.
const LANE: f64 = 8.0;
const THICK: f64 = 3.6;
/// How far a bar goes beyond its first and last system.
const BEYOND: f64 = 3.0;
/// Between two bars of a lane, lest they look like one.
const APART: f64 = 10.0;
/// Of more lanes than these nobody could follow a bar.
const MOST_LANES: usize = 40;

/// One bar: where its systems are, from the worst, and what it skips.
struct Bar {
    members: Vec<f64>,
    /// For each two neighbours, whether the bar skips systems between them.
    skips: Vec<bool>,
    title: String,
    lane: usize,
}

/// The bars, in lanes where they do not meet.
pub(super) struct Cliques {
    bars: Vec<Bar>,
    lanes: usize,
    left_out: usize,
}

impl Cliques {
    pub(super) fn new(ranks: &CriticalDifference, order: &[usize], scale: Scale) -> Self {
        let mut bars: Vec<Bar> = ranks
            .cliques
            .iter()
            .filter_map(|clique| Bar::new(ranks, order, clique, scale))
            .collect();
        // From the left; of those that begin together, the longest first.
        bars.sort_by(|one, other| {
            let begin = one.left().total_cmp(&other.left());
            begin.then(other.right().total_cmp(&one.right()))
        });
        let mut lane_ends: Vec<f64> = Vec::new();
        for bar in &mut bars {
            let free = lane_ends.iter().position(|end| end + APART <= bar.left());
            bar.lane = free.unwrap_or(lane_ends.len());
            match lane_ends.get_mut(bar.lane) {
                Some(end) => *end = bar.right(),
                None => lane_ends.push(bar.right()),
            }
        }
        let all = bars.len();
        bars.retain(|bar| bar.lane < MOST_LANES);
        Self {
            left_out: all - bars.len(),
            bars,
            lanes: lane_ends.len().min(MOST_LANES),
        }
    }

    pub(super) fn height(&self) -> f64 {
        self.lanes as f64 * LANE
    }

    pub(super) fn shapes(&self, top: f64) -> Vec<Shape> {
        self.bars.iter().map(|bar| bar.shape(top)).collect()
    }

    /// What the bars mean.
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
    /// The bar of a clique; `None` of fewer than two systems.
    fn new(
        ranks: &CriticalDifference,
        order: &[usize],
        clique: &[usize],
        scale: Scale,
    ) -> Option<Self> {
        let rank = |place: usize| ranks.systems[order[place]].1;
        let places: Vec<usize> = (0..order.len())
            .filter(|place| clique.contains(&order[*place]))
            .collect();
        if places.len() < 2 {
            return None;
        }
        // A system that is not in the clique but has the same mean rank as one
        // that is cannot be skipped visibly.
        let skips = places.windows(2).map(|pair| {
            let mut between = pair[0] + 1..pair[1];
            between.any(|place| rank(place) > rank(pair[0]) && rank(place) < rank(pair[1]))
        });
        let names = places.iter().rev();
        let names: Vec<&str> = names.map(|p| ranks.systems[order[*p]].0.as_str()).collect();
        Some(Self {
            skips: skips.collect(),
            members: places.iter().map(|place| scale.at(rank(*place))).collect(),
            title: format!("not significantly different: {}", names.join(", ")),
            lane: 0,
        })
    }

    fn left(&self) -> f64 {
        self.members[0] - BEYOND
    }

    fn right(&self) -> f64 {
        self.members[self.members.len() - 1] + BEYOND
    }

    fn shape(&self, top: f64) -> Shape {
        let y = top + self.lane as f64 * LANE;
        let whole = !self.skips.contains(&true);
        let line = |from: f64, to: f64, stroke: Stroke| Shape::Line {
            from: Point::new(from, y),
            to: Point::new(to, y),
            stroke,
        };
        let thick = Stroke::solid(INK, THICK);
        let shapes = if whole {
            vec![line(self.left(), self.right(), thick)]
        } else {
            let pairs = self.members.windows(2).zip(&self.skips);
            let parts = pairs.map(|(pair, skips)| {
                let stroke = match skips {
                    true => Stroke::solid(INK, 0.9).dashed(&[2.0, 2.0]),
                    false => thick.wide(2.4),
                };
                line(pair[0], pair[1], stroke)
            });
            let dots = self.members.iter().map(|x| Shape::Circle {
                centre: Point::new(*x, y),
                radius: BEYOND,
                fill: Fill::opaque(INK),
            });
            parts.chain(dots).collect()
        };
        Shape::Group {
            title: Some(self.title.clone()),
            clip: None,
            shapes,
        }
    }
}

//! Trials of the coverage simulation: each computes the intervals of one panel and compares them
//! with the true values.

use partita_core::Item;
use partita_core::truth::{Alpha, ListBootstrap, ListBootstrapResult, SystemBootstrap, Tails};
use partita_stats::bootstrap::Interval;

use super::world::{PanelStatistics, SYSTEMS, World};

const CONFIDENCE: f64 = 0.95;

/// Number of compared pairs of systems: each system and the next one.
const PAIRS: usize = SYSTEMS.len() - 1;

/// Numbers of intervals that contain the true value, lie above it, or lie below it.
#[derive(Clone, Copy, Default)]
pub(crate) struct Tally {
    inside: u32,
    above: u32,
    below: u32,
}

impl Tally {
    fn add(&mut self, (lower, upper): (f64, f64), truth: f64) {
        // Tolerance for rounding error in the true value, which is a mean itself.
        let slack = 1e-9;
        self.above += u32::from(truth < lower - slack);
        self.below += u32::from(truth > upper + slack);
        self.inside += u32::from((lower - slack..=upper + slack).contains(&truth));
    }

    /// Adds up several tallies.
    pub(crate) fn pooled(tallies: &[Self]) -> Self {
        tallies.iter().fold(Self::default(), |sum, tally| Self {
            inside: sum.inside + tally.inside,
            above: sum.above + tally.above,
            below: sum.below + tally.below,
        })
    }

    /// Returns the percentages of intervals that contain the true value, lie above it, and lie
    /// below it.
    pub(crate) fn percent(self) -> [f64; 3] {
        let all = f64::from(self.inside + self.above + self.below);
        [self.inside, self.above, self.below].map(|count| 100.0 * f64::from(count) / all)
    }
}

/// Tallies of the intervals for systems and for the first list.
#[derive(Default)]
pub(crate) struct Coverage {
    /// Intervals of the ADR of each system.
    pub(crate) scores: [Tally; SYSTEMS.len()],
    /// Intervals of the ADR difference between each system and the next.
    pub(crate) differences: [Tally; PAIRS],
    /// Intervals of the consistencies ADR-1 and ADR-2 of the first list.
    pub(crate) consistency: [Tally; 2],
    /// Intervals of the group of each item of the first list, compared with the median group over
    /// the simulated panels.
    pub(crate) usual_group: Tally,
    /// Intervals of the group of each item of the first list, compared with its group in one other
    /// panel.
    pub(crate) next_group: Tally,
}

/// True values: means or medians over many simulated panels.
pub(crate) struct Truth {
    /// Mean ADR of each system.
    scores: Vec<f64>,
    /// Mean consistencies ADR-1 and ADR-2 of the first list.
    consistency: [f64; 2],
    /// Median group number of each item in the first list.
    groups: Vec<usize>,
}

impl Truth {
    /// Estimates the true values from this number of simulated panels.
    pub(crate) fn estimate(world: &World, panels: u64) -> Self {
        let statistics: Vec<PanelStatistics> = (0..panels)
            .map(|p| world.statistics(&world.panel(0, p)))
            .collect();
        let mean = |value: &dyn Fn(&PanelStatistics) -> f64| {
            statistics.iter().map(value).sum::<f64>() / panels as f64
        };
        let median = |item: usize| {
            let mut groups: Vec<usize> = statistics.iter().filter_map(|s| s.groups[item]).collect();
            groups.sort_unstable();
            groups[groups.len() / 2]
        };
        Self {
            scores: (0..SYSTEMS.len())
                .map(|system| mean(&|s| s.scores[system]))
                .collect(),
            consistency: [0, 1].map(|index| mean(&|s| s.consistency[index])),
            groups: (0..world.scenario.items).map(median).collect(),
        }
    }
}

fn ends(interval: Option<Interval>) -> (f64, f64) {
    let interval = interval.unwrap();
    (interval.lower, interval.upper)
}

impl Coverage {
    /// Runs one trial of the intervals for systems. The trial number seeds the bootstrap.
    pub(crate) fn add_scores(&mut self, world: &World, truth: &Truth, trial: u64, replicates: u64) {
        let rankings = world.panel(1, trial);
        let (panels, runs) = (world.panels(&rankings), world.runs(&rankings));
        let mut systems = SystemBootstrap::new(&panels, world.recipe, &runs);
        let drawn: Vec<_> = (0..replicates)
            .map(|r| systems.replicate(trial, r))
            .collect();
        let trust = systems.summarize(&drawn);
        for (system, tally) in self.scores.iter_mut().enumerate() {
            let found = trust.interval(system, CONFIDENCE);
            tally.add(ends(found), truth.scores[system]);
        }
        for (a, tally) in self.differences.iter_mut().enumerate() {
            let found = trust.difference(a, a + 1, CONFIDENCE);
            tally.add(ends(found), truth.scores[a] - truth.scores[a + 1]);
        }
    }

    /// Runs one trial of the intervals for the first list. The trial number seeds the bootstrap.
    pub(crate) fn add_list(&mut self, world: &World, truth: &Truth, trial: u64, replicates: u64) {
        let rankings = world.panel(1, trial);
        let panels = world.panels(&rankings);
        let alpha = Alpha::TYPKE;
        let mut bootstrap = ListBootstrap::new(&panels[0], world.recipe, alpha);
        let drawn: Vec<_> = (0..replicates)
            .map(|r| bootstrap.replicate(trial, r))
            .collect();
        let trust = ListBootstrapResult::new(&panels[0], &world.recipe, alpha, &drawn);
        for (index, tails) in [Tails::One, Tails::Two].into_iter().enumerate() {
            let found = trust.consistency(tails, CONFIDENCE);
            self.consistency[index].add(ends(found), truth.consistency[index]);
        }
        let next = world.statistics(&world.panel(2, trial)).groups;
        let names = world.queries[0].names[..world.scenario.items].iter();
        for (item, name) in names.enumerate() {
            let known: Option<Item> = rankings[0].items().get(name);
            if let Some((low, high)) =
                known.and_then(|known| trust.shares().group_interval(known, CONFIDENCE))
            {
                let ends = (low as f64, high as f64);
                self.usual_group.add(ends, truth.groups[item] as f64);
                if let Some(group) = next[item] {
                    self.next_group.add(ends, group as f64);
                }
            }
        }
    }
}

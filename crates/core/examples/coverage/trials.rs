//! Trials: a panel is drawn, its intervals are computed from it alone, and the truth is looked up.

use partita_core::Item;
use partita_core::truth::{Alpha, ListBootstrap, ListBootstrapResult, SystemBootstrap, Tails};
use partita_stats::bootstrap::Interval;

use super::world::{SYSTEMS, Said, World};

const CONFIDENCE: f64 = 0.95;

/// Adjacent systems are compared.
const PAIRS: usize = SYSTEMS.len() - 1;

/// How often intervals held the truth, and how often they lay above or below it.
#[derive(Clone, Copy, Default)]
pub(crate) struct Tally {
    held: u32,
    above: u32,
    below: u32,
}

impl Tally {
    fn add(&mut self, (lower, upper): (f64, f64), truth: f64) {
        // The truth is itself a mean, with rounding in its last digits.
        let slack = 1e-9;
        self.above += u32::from(truth < lower - slack);
        self.below += u32::from(truth > upper + slack);
        self.held += u32::from((lower - slack..=upper + slack).contains(&truth));
    }

    /// All of these together.
    pub(crate) fn pooled(tallies: &[Self]) -> Self {
        tallies.iter().fold(Self::default(), |sum, tally| Self {
            held: sum.held + tally.held,
            above: sum.above + tally.above,
            below: sum.below + tally.below,
        })
    }

    /// The percentages of intervals that held the truth, lay above it and lay below it.
    pub(crate) fn percent(self) -> [f64; 3] {
        let all = f64::from(self.held + self.above + self.below);
        [self.held, self.above, self.below].map(|count| 100.0 * f64::from(count) / all)
    }
}

#[derive(Default)]
pub(crate) struct Coverage {
    /// Of each system's ADR.
    pub(crate) scores: [Tally; SYSTEMS.len()],
    /// Of the difference of each system and the next.
    pub(crate) differences: [Tally; PAIRS],
    /// Of ADR-1 and ADR-2 of the first list.
    pub(crate) consistency: [Tally; 2],
    /// Of the group that an item of the first list has in the median panel.
    pub(crate) usual_group: Tally,
    /// Of the group that it has in one other panel.
    pub(crate) next_group: Tally,
}

/// What panels say on average.
pub(crate) struct Truth {
    scores: Vec<f64>,
    consistency: [f64; 2],
    groups: Vec<usize>,
}

impl Truth {
    pub(crate) fn of(world: &World, panels: u64) -> Self {
        let said: Vec<Said> = (0..panels)
            .map(|p| world.said(&world.panel(0, p)))
            .collect();
        let mean =
            |value: &dyn Fn(&Said) -> f64| said.iter().map(value).sum::<f64>() / panels as f64;
        let median = |item: usize| {
            let mut groups: Vec<usize> = said.iter().filter_map(|s| s.groups[item]).collect();
            groups.sort_unstable();
            groups[groups.len() / 2]
        };
        Self {
            scores: (0..SYSTEMS.len())
                .map(|system| mean(&|s| s.scores[system]))
                .collect(),
            consistency: [0, 1].map(|which| mean(&|s| s.consistency[which])),
            groups: (0..world.scenario.items).map(median).collect(),
        }
    }
}

fn ends(interval: Option<Interval>) -> (f64, f64) {
    let interval = interval.unwrap();
    (interval.lower, interval.upper)
}

impl Coverage {
    /// One trial of what is said of systems; its number is the seed of its bootstrap.
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

    /// One trial of what is said of the first list.
    pub(crate) fn add_list(&mut self, world: &World, truth: &Truth, trial: u64, replicates: u64) {
        let rankings = world.panel(1, trial);
        let panels = world.panels(&rankings);
        let alpha = Alpha::TYPKE;
        let mut bootstrap = ListBootstrap::new(&panels[0], world.recipe, alpha);
        let drawn: Vec<_> = (0..replicates)
            .map(|r| bootstrap.replicate(trial, r))
            .collect();
        let trust = ListBootstrapResult::new(&panels[0], &world.recipe, alpha, &drawn);
        for (which, tails) in [Tails::One, Tails::Two].into_iter().enumerate() {
            let found = trust.consistency(tails, CONFIDENCE);
            self.consistency[which].add(ends(found), truth.consistency[which]);
        }
        let next = world.said(&world.panel(2, trial)).groups;
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

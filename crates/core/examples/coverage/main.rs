//! How often the intervals of `truth` hold what they are meant to hold.
//!
//! People are simulated, so that the truth is known: it is the mean over thousands of fresh panels
//! of the same size. Each trial draws one panel, computes the intervals from it alone, and looks.
//!
//! `cargo run --release -p partita-core --example coverage -- TRIALS REPLICATES [SCENARIO]`

#![allow(clippy::print_stdout, clippy::unwrap_used)]

mod world;

use partita_core::Item;
use partita_core::truth::{Alpha, ListBootstrap, ListTrust, Systems, Tails};
use world::{SCENARIOS, SYSTEMS, Said, Scenario, World};

const CONFIDENCE: f64 = 0.95;

/// Hits and misses.
#[derive(Clone, Copy, Default)]
struct Tally(u32, u32);

impl Tally {
    fn add(&mut self, hit: bool) {
        self.0 += u32::from(hit);
        self.1 += 1;
    }

    fn percent(self) -> f64 {
        100.0 * f64::from(self.0) / f64::from(self.1)
    }
}

/// Adjacent systems are compared.
const PAIRS: usize = SYSTEMS.len() - 1;

#[derive(Clone, Default)]
struct Coverage {
    scores: [Tally; SYSTEMS.len()],
    differences: [Tally; PAIRS],
    consistency: [Tally; 2],
    usual_group: Tally,
    next_group: Tally,
}

impl Coverage {
    fn merge(mut self, other: &Self) -> Self {
        let merge = |a: &mut Tally, b: &Tally| *a = Tally(a.0 + b.0, a.1 + b.1);
        self.scores
            .iter_mut()
            .zip(&other.scores)
            .for_each(|(a, b)| merge(a, b));
        self.differences
            .iter_mut()
            .zip(&other.differences)
            .for_each(|(a, b)| merge(a, b));
        self.consistency
            .iter_mut()
            .zip(&other.consistency)
            .for_each(|(a, b)| merge(a, b));
        merge(&mut self.usual_group, &other.usual_group);
        merge(&mut self.next_group, &other.next_group);
        self
    }
}

struct Truth {
    scores: Vec<f64>,
    consistency: [f64; 2],
    groups: Vec<usize>,
}

impl Truth {
    fn of(world: &World, panels: u64) -> Self {
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

fn trial(world: &World, truth: &Truth, trial: u64, replicates: u64, coverage: &mut Coverage) {
    let rankings = world.panel(1, trial);
    let (panels, runs) = (world.panels(&rankings), world.runs(&rankings));
    let systems = Systems::new(&panels, world.recipe, &runs);
    let scores: Vec<_> = (0..replicates)
        .map(|r| systems.replicate(trial, r))
        .collect();
    let trust = systems.trust(&scores);
    let holds = |interval: partita_stats::bootstrap::Interval, value: f64| {
        interval.lower <= value && value <= interval.upper
    };
    for (system, tally) in coverage.scores.iter_mut().enumerate() {
        tally.add(holds(
            trust.interval(system, CONFIDENCE).unwrap(),
            truth.scores[system],
        ));
    }
    for (a, tally) in coverage.differences.iter_mut().enumerate() {
        let difference = truth.scores[a] - truth.scores[a + 1];
        tally.add(holds(
            trust.difference(a, a + 1, CONFIDENCE).unwrap(),
            difference,
        ));
    }
    let alpha = Alpha::TYPKE;
    let mut bootstrap = ListBootstrap::new(&panels[0], world.recipe, alpha);
    let lists: Vec<_> = (0..replicates)
        .map(|r| bootstrap.replicate(trial, r))
        .collect();
    let trust = ListTrust::new(&panels[0], &world.recipe, alpha, &lists);
    for (which, tails) in [Tails::One, Tails::Two].into_iter().enumerate() {
        let interval = trust.consistency(tails, CONFIDENCE).unwrap();
        coverage.consistency[which].add(holds(interval, truth.consistency[which]));
    }
    let next = world.said(&world.panel(2, trial)).groups;
    for (item, name) in world.queries[0].names[..world.scenario.items]
        .iter()
        .enumerate()
    {
        let known: Option<Item> = rankings[0].items().get(name);
        if let Some((low, high)) = known.and_then(|known| trust.groups(known, CONFIDENCE)) {
            coverage
                .usual_group
                .add((low..=high).contains(&truth.groups[item]));
            coverage
                .next_group
                .add(next[item].is_some_and(|g| (low..=high).contains(&g)));
        }
    }
}

fn run(scenario: Scenario, trials: u64, replicates: u64) -> Coverage {
    let world = World::new(scenario);
    let truth = Truth::of(&world, 4000);
    let half = |start: u64| {
        let mut coverage = Coverage::default();
        for number in (start..trials).step_by(2) {
            trial(&world, &truth, number, replicates, &mut coverage);
        }
        coverage
    };
    std::thread::scope(|threads| {
        let other = threads.spawn(|| half(1));
        half(0).merge(&other.join().unwrap())
    })
}

fn main() {
    let arguments: Vec<u64> = std::env::args()
        .skip(1)
        .map(|a| a.parse().unwrap())
        .collect();
    let (trials, replicates) = (arguments[0], arguments[1]);
    println!("{trials} trials of {replicates} replicates; coverage of 95% intervals in percent");
    for (number, scenario) in SCENARIOS.into_iter().enumerate() {
        if arguments
            .get(2)
            .is_some_and(|&wanted| wanted != number as u64)
        {
            continue;
        }
        let found = run(scenario, trials, replicates);
        let list = |tallies: &[Tally]| {
            let all: Vec<String> = tallies
                .iter()
                .map(|t| format!("{:.1}", t.percent()))
                .collect();
            all.join(" ")
        };
        println!(
            "{} ({}): {} items, {} assessors, {} queries\n  ADR {}  difference {}  ADR-1, ADR-2 {}  usual group {:.1}  next panel's group {:.1}",
            scenario.name,
            scenario.aggregation,
            scenario.items,
            scenario.assessors,
            scenario.queries,
            list(&found.scores),
            list(&found.differences),
            list(&found.consistency),
            found.usual_group.percent(),
            found.next_group.percent(),
        );
    }
}

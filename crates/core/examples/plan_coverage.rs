//! How often the intervals of `plan` hold what they are meant to hold.
//!
//! Evaluations are simulated, so that the truth is known. Each trial draws one evaluation,
//! computes the intervals from it alone, and looks.
//!
//! `cargo run --release -p partita-core --example plan_coverage -- TRIALS`

#![allow(clippy::print_stdout, clippy::unwrap_used)]

use partita_core::AssessorScores;
use partita_core::plan::{
    AssessorGStudy, Design, DifferenceVariance, EffectDistribution, GCoefficient, PlanEstimate,
    QueryGStudy, VarianceChoice, VarianceDecomposition,
};
use partita_stats::random::{ChaCha8Rng, chi_squared, standard_normal, stream};

/// How effects are distributed, all with mean 0 and variance 1.
#[derive(Clone, Copy)]
enum Law {
    Normal,
    /// Skewed like retrieval scores: chi-squared on 4 degrees of freedom.
    Skewed,
}

impl Law {
    fn draw(self, rng: &mut ChaCha8Rng) -> f64 {
        match self {
            Self::Normal => standard_normal(rng),
            Self::Skewed => (chi_squared(rng, 4.0) - 4.0) / 8f64.sqrt(),
        }
    }
}

/// Sizes (systems, queries, judges) and variances (s, q, j, sq, sj, qj, sqj).
struct World {
    name: &'static str,
    sizes: [usize; 3],
    variances: [f64; 7],
}

/// Like TREC-8 ad hoc and TREC 2013 Web (components measured on them), like MIREX, and with judges.
const WORLDS: [World; 6] = [
    World {
        name: "ad hoc: 60 systems, 50 queries",
        sizes: [60, 50, 1],
        variances: [0.185, 0.538, 0.0, 0.277, 0.0, 0.0, 0.0],
    },
    World {
        name: "web: 34 systems, 50 queries",
        sizes: [34, 50, 1],
        variances: [0.065, 0.447, 0.0, 0.489, 0.0, 0.0, 0.0],
    },
    World {
        name: "small: 8 systems, 20 queries",
        sizes: [8, 20, 1],
        variances: [0.05, 0.4, 0.0, 0.55, 0.0, 0.0, 0.0],
    },
    World {
        name: "2 judges, 10 systems, 30 queries",
        sizes: [10, 30, 2],
        variances: [0.08, 0.35, 0.03, 0.2, 0.02, 0.1, 0.22],
    },
    World {
        name: "5 judges, 10 systems, 30 queries",
        sizes: [10, 30, 5],
        variances: [0.08, 0.35, 0.03, 0.2, 0.02, 0.1, 0.22],
    },
    World {
        name: "3 judges that hardly matter, 15 systems, 20 queries",
        sizes: [15, 20, 3],
        variances: [0.1, 0.4, 0.0, 0.4, 0.0, 0.02, 0.05],
    },
];

fn draw(world: &World, law: Law, seed: u64) -> AssessorScores {
    let mut rng = stream(seed, &[7]);
    let [s, q, j] = world.sizes;
    let counts = [s, q, j, s * q, s * j, q * j, s * q * j];
    let effects: Vec<Vec<f64>> = counts
        .iter()
        .zip(world.variances)
        .map(|(&count, variance)| {
            let deviation = variance.sqrt();
            (0..count).map(|_| deviation * law.draw(&mut rng)).collect()
        })
        .collect();
    let mut values = Vec::with_capacity(s * q * j);
    for query in 0..q {
        for system in 0..s {
            for judge in 0..j {
                let places = [
                    system,
                    query,
                    judge,
                    system * q + query,
                    system * j + judge,
                    query * j + judge,
                    (system * q + query) * j + judge,
                ];
                values.push(effects.iter().zip(places).map(|(e, at)| e[at]).sum());
            }
        }
    }
    let name = |n: usize| n.to_string();
    let (systems, queries) = ((0..s).map(name), (0..q).map(name));
    AssessorScores::new("m", systems, queries, (0..j).map(name), values).unwrap()
}

#[derive(Default)]
struct Tally {
    hits: u32,
    below: u32,
    above: u32,
}

impl Tally {
    fn add(&mut self, interval: PlanEstimate, truth: f64) {
        self.hits += u32::from((interval.lower..=interval.upper).contains(&truth));
        self.below += u32::from(interval.upper < truth);
        self.above += u32::from(interval.lower > truth);
    }

    fn show(&self, what: &str) {
        let total = f64::from(self.hits + self.below + self.above);
        let percent = |count: u32| 100.0 * f64::from(count) / total;
        println!(
            "    {what:<32} {:5.1}%  (too low {:.1}%, too high {:.1}%)",
            percent(self.hits),
            percent(self.below),
            percent(self.above)
        );
    }
}

fn spreads(world: &World) -> (VarianceDecomposition, VarianceDecomposition) {
    let [system, query, judge, sq, sj, qj, rest] = world.variances;
    let relative = VarianceDecomposition {
        system,
        per_query: sq,
        per_judge: sj,
        per_cell: rest,
    };
    let absolute = VarianceDecomposition {
        per_query: sq + query,
        per_judge: sj + judge,
        per_cell: rest + qj,
        ..relative
    };
    (relative, absolute)
}

fn components(trials: u64, shape: EffectDistribution) {
    for law in [Law::Normal, Law::Skewed] {
        let name = match law {
            Law::Normal => "normal",
            Law::Skewed => "skewed",
        };
        println!("{name} effects, intervals {shape:?}");
        for world in &WORLDS {
            println!("  {}", world.name);
            let (relative, absolute) = spreads(world);
            let (n, m) = (world.sizes[1] as f64, world.sizes[2] as f64);
            let mut tallies: [Tally; 4] = Default::default();
            for trial in 0..trials {
                let scores = draw(world, law, trial);
                if world.sizes[2] == 1 {
                    let study = QueryGStudy::new(scores.means())
                        .unwrap()
                        .with_effect_distribution(shape);
                    tallies[0].add(
                        study.coefficient(GCoefficient::Erho2, n, 0.95).unwrap(),
                        relative.coefficient(n, 1.0),
                    );
                    tallies[1].add(
                        study.coefficient(GCoefficient::Phi, n, 0.95).unwrap(),
                        absolute.coefficient(n, 1.0),
                    );
                    let needed = study.queries_for(GCoefficient::Erho2, 0.9, 0.95).unwrap();
                    tallies[2].add(needed, relative.queries_for(0.9, 1.0));
                    let found =
                        DifferenceVariance::estimate(scores.means(), VarianceChoice::Mean, 0.95)
                            .unwrap();
                    tallies[3].add(found.variance, 2.0 * relative.per_query);
                } else {
                    let study = AssessorGStudy::new(&scores)
                        .unwrap()
                        .with_effect_distribution(shape);
                    let uncertain = study.draw_variances(0.95, 1000, trial).unwrap();
                    let design = Design::Crossed;
                    let found =
                        uncertain.estimate(GCoefficient::Erho2, design, |s| s.coefficient(n, m));
                    tallies[0].add(found, relative.coefficient(n, m));
                    let found =
                        uncertain.estimate(GCoefficient::Phi, design, |s| s.coefficient(n, m));
                    tallies[1].add(found, absolute.coefficient(n, m));
                    let found =
                        uncertain.estimate(GCoefficient::Erho2, design, |s| s.queries_for(0.8, m));
                    tallies[2].add(found, relative.queries_for(0.8, m));
                    let found = uncertain.estimate(GCoefficient::Erho2, design, |s| {
                        s.per_query + s.per_cell / m
                    });
                    tallies[3].add(found, relative.per_query + relative.per_cell / m);
                }
            }
            let names = ["Eρ²", "Φ", "queries for Eρ²", "variance of differences"];
            for (tally, name) in tallies.iter().zip(names) {
                tally.show(name);
            }
        }
    }
}

fn main() {
    let first = std::env::args().nth(1);
    let trials = first.and_then(|text| text.parse().ok()).unwrap_or(1000);
    components(trials, EffectDistribution::Normal);
    components(trials, EffectDistribution::AsObserved);
}

//! Coverage of the confidence intervals of `plan`, measured by simulation.
//!
//! Evaluations are simulated, so that the true variances are known. Each trial draws one
//! evaluation, computes the intervals from it alone, and checks whether they contain the true
//! values.
//!
//! `cargo run --release -p partita-core --example plan_coverage -- TRIALS`

#![allow(clippy::print_stdout, clippy::unwrap_used)]

use partita_core::AssessorScores;
use partita_core::plan::{
    AssessorGStudy, Design, DifferenceVariance, EffectDistribution, GCoefficient, PlanEstimate,
    QueryGStudy, VarianceChoice, VarianceDecomposition,
};
use partita_stats::random::{RandomStream, chi_squared, standard_normal, stream};

/// Distribution of the simulated effects, with mean 0 and variance 1.
#[derive(Clone, Copy)]
enum SimulatedDistribution {
    Normal,
    /// Chi-squared with 4 degrees of freedom, about as skewed as retrieval scores.
    Skewed,
}

impl SimulatedDistribution {
    fn draw(self, rng: &mut RandomStream) -> f64 {
        match self {
            Self::Normal => standard_normal(rng),
            Self::Skewed => (chi_squared(rng, 4.0) - 4.0) / 8f64.sqrt(),
        }
    }
}

/// Simulated population: numbers of systems, queries and judges, and variances of the effects in
/// the order system, query, judge, system:query, system:judge, query:judge, residual.
struct Population {
    name: &'static str,
    sizes: [usize; 3],
    variances: [f64; 7],
}

/// Populations with the variance components of TREC-8 ad hoc and TREC 2013 Web, with those of a
/// small evaluation like MIREX, and three with judges.
const POPULATIONS: [Population; 6] = [
    Population {
        name: "ad hoc: 60 systems, 50 queries",
        sizes: [60, 50, 1],
        variances: [0.185, 0.538, 0.0, 0.277, 0.0, 0.0, 0.0],
    },
    Population {
        name: "web: 34 systems, 50 queries",
        sizes: [34, 50, 1],
        variances: [0.065, 0.447, 0.0, 0.489, 0.0, 0.0, 0.0],
    },
    Population {
        name: "small: 8 systems, 20 queries",
        sizes: [8, 20, 1],
        variances: [0.05, 0.4, 0.0, 0.55, 0.0, 0.0, 0.0],
    },
    Population {
        name: "2 judges, 10 systems, 30 queries",
        sizes: [10, 30, 2],
        variances: [0.08, 0.35, 0.03, 0.2, 0.02, 0.1, 0.22],
    },
    Population {
        name: "5 judges, 10 systems, 30 queries",
        sizes: [10, 30, 5],
        variances: [0.08, 0.35, 0.03, 0.2, 0.02, 0.1, 0.22],
    },
    Population {
        name: "3 judges that hardly matter, 15 systems, 20 queries",
        sizes: [15, 20, 3],
        variances: [0.1, 0.4, 0.0, 0.4, 0.0, 0.02, 0.05],
    },
];

/// Draws the scores of one evaluation.
fn draw(population: &Population, distribution: SimulatedDistribution, seed: u64) -> AssessorScores {
    let mut rng = stream(seed, &[7]);
    let [s, q, j] = population.sizes;
    let counts = [s, q, j, s * q, s * j, q * j, s * q * j];
    let effects: Vec<Vec<f64>> = counts
        .iter()
        .zip(population.variances)
        .map(|(&count, variance)| {
            let deviation = variance.sqrt();
            (0..count)
                .map(|_| deviation * distribution.draw(&mut rng))
                .collect()
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

/// Numbers of intervals that contain the true value, lie below it, or lie above it.
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

/// Returns the true variances that determine Eρ² (relative error) and Φ (absolute error).
fn true_variances(population: &Population) -> (VarianceDecomposition, VarianceDecomposition) {
    let [system, query, judge, sq, sj, qj, rest] = population.variances;
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

/// Measures and prints the coverage in all populations for intervals of this kind.
fn measure_coverage(trials: u64, shape: EffectDistribution) {
    for distribution in [SimulatedDistribution::Normal, SimulatedDistribution::Skewed] {
        let name = match distribution {
            SimulatedDistribution::Normal => "normal",
            SimulatedDistribution::Skewed => "skewed",
        };
        println!("{name} effects, intervals {shape:?}");
        for population in &POPULATIONS {
            println!("  {}", population.name);
            let (relative, absolute) = true_variances(population);
            let (n, m) = (population.sizes[1] as f64, population.sizes[2] as f64);
            let mut tallies: [Tally; 4] = Default::default();
            for trial in 0..trials {
                let scores = draw(population, distribution, trial);
                if population.sizes[2] == 1 {
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
    measure_coverage(trials, EffectDistribution::Normal);
    measure_coverage(trials, EffectDistribution::AsObserved);
}

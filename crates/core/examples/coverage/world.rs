//! Simulated assessors who rank simulated melodies.

use partita_core::truth::{
    Aggregation, NullDistribution, Panel, RankEvidence, RankTestOptions, Recipe, SystemBootstrap,
    Tails, consistency,
};
use partita_core::{AssessorRankings, Ranking};
use partita_stats::random::{standard_normal, stream, uniform};

/// Scenario of the simulation: sizes, and differences between assessors.
#[derive(Clone, Copy)]
pub(crate) struct Scenario {
    pub(crate) name: &'static str,
    pub(crate) items: usize,
    pub(crate) assessors: usize,
    pub(crate) queries: usize,
    pub(crate) aggregation: Aggregation,
    /// Smallest share of the items that an assessor ranks.
    pub(crate) ranked: f64,
    /// Standard deviation of the difference between two schools of taste. The taste of each
    /// assessor is a weighted mean of the two.
    pub(crate) schools: f64,
    /// True if the same assessors rank all queries.
    pub(crate) shared: bool,
}

const BASE: Scenario = Scenario {
    name: "panels of 12",
    items: 12,
    assessors: 12,
    queries: 6,
    aggregation: Aggregation::Any1,
    ranked: 1.0,
    schools: 0.0,
    shared: false,
};

pub(crate) const SCENARIOS: [Scenario; 9] = [
    BASE,
    Scenario {
        name: "panels of 35",
        assessors: 35,
        queries: 4,
        ..BASE
    },
    Scenario {
        name: "panels of 8",
        assessors: 8,
        aggregation: Aggregation::Prev1,
        ..BASE
    },
    Scenario {
        name: "panels of 12",
        aggregation: Aggregation::All2,
        ..BASE
    },
    Scenario {
        name: "panels of 25",
        assessors: 25,
        queries: 4,
        aggregation: Aggregation::All2,
        ..BASE
    },
    Scenario {
        name: "unranked, two schools",
        assessors: 20,
        ranked: 0.4,
        schools: 1.0,
        ..BASE
    },
    Scenario {
        name: "same people, two schools",
        assessors: 15,
        schools: 1.5,
        shared: true,
        ..BASE
    },
    Scenario {
        name: "one query",
        assessors: 20,
        queries: 1,
        ..BASE
    },
    Scenario {
        name: "lists of 30",
        items: 30,
        assessors: 20,
        queries: 2,
        aggregation: Aggregation::Any2,
        ..BASE
    },
];

/// Standard deviation of the noise in the ranking of each system; the last two systems are equally
/// good.
pub(crate) const SYSTEMS: [f64; 4] = [0.5, 0.7, 1.0, 1.0];

/// Simulated query with its items and the results of the systems.
pub(crate) struct Query {
    /// Dissimilarity of each item to the query, by each of the two schools of taste.
    pub(crate) tastes: [Vec<f64>; 2],
    pub(crate) names: Vec<String>,
    /// Indices of the items that each system returns, in order. Indices beyond the items of the
    /// scenario are irrelevant items.
    pub(crate) results: Vec<Vec<usize>>,
}

/// Returns the indices of the keys in ascending order of the keys.
fn sorted(keys: impl Iterator<Item = f64>) -> Vec<usize> {
    let mut order: Vec<(f64, usize)> = keys.zip(0..).collect();
    order.sort_by(|a, b| a.0.total_cmp(&b.0));
    order.into_iter().map(|(_, item)| item).collect()
}

/// Simulates the query with this number.
fn query(scenario: &Scenario, number: u64) -> Query {
    let mut random = stream(99, &[number, scenario.items as u64]);
    let mut normal = || standard_normal(&mut random);
    let taste: Vec<f64> = (0..scenario.items).map(|_| normal()).collect();
    let other = taste
        .iter()
        .map(|t| t + scenario.schools * normal())
        .collect();
    let all = scenario.items * 3 / 2;
    let results = SYSTEMS
        .map(|noise| sorted((0..all).map(|i| taste.get(i).unwrap_or(&1.0) + noise * normal())));
    Query {
        tastes: [taste, other],
        names: (0..all).map(|i| format!("i{i:02}")).collect(),
        results: results.into(),
    }
}

/// Simulates the rankings of one query by one panel. `path` contains the kind of panel, the number
/// of the trial and that of the query.
fn rankings(scenario: &Scenario, query: &Query, path: [u64; 3]) -> AssessorRankings {
    let mut entries = Vec::new();
    let who: Vec<String> = (0..scenario.assessors)
        .map(|a| format!("p{a:02}"))
        .collect();
    for (number, person) in who.iter().enumerate() {
        // The characteristics of an assessor do not depend on the query if assessors are shared.
        let assessor_query = if scenario.shared { u64::MAX } else { path[2] };
        let mut assessor_random = stream(7, &[path[0], path[1], assessor_query, number as u64]);
        let (weight, noise) = (
            uniform(&mut assessor_random),
            0.5 + uniform(&mut assessor_random),
        );
        let mut random = stream(8, &[path[0], path[1], path[2], number as u64]);
        let [one, other] = &query.tastes;
        let order = sorted((one.iter().zip(other)).map(|(one, other)| {
            weight * one + (1.0 - weight) * other + noise * standard_normal(&mut random)
        }));
        let share = scenario.ranked + (1.0 - scenario.ranked) * uniform(&mut assessor_random);
        let ranked = (share * scenario.items as f64).ceil() as usize;
        for (place, item) in order.into_iter().enumerate() {
            let rank = (place < ranked).then_some(place as f64 + 1.0);
            entries.push((person.as_str(), query.names[item].as_str(), rank));
        }
    }
    AssessorRankings::new(entries).unwrap()
}

/// Simulated evaluation: a scenario with its queries.
pub(crate) struct World {
    pub(crate) scenario: Scenario,
    pub(crate) recipe: Recipe,
    pub(crate) queries: Vec<Query>,
}

/// Statistics of one panel: scores of the systems, and consistency and groups of the first list.
pub(crate) struct PanelStatistics {
    /// ADR of each system.
    pub(crate) scores: Vec<f64>,
    /// Consistencies ADR-1 and ADR-2 of the first list.
    pub(crate) consistency: [f64; 2],
    /// Group number of each item in the first list; `None` for an item outside the list.
    pub(crate) groups: Vec<Option<usize>>,
}

impl World {
    pub(crate) fn new(scenario: Scenario, null_distribution: NullDistribution) -> Self {
        let queries = (0..scenario.queries as u64).map(|number| query(&scenario, number));
        Self {
            scenario,
            recipe: Recipe {
                aggregation: scenario.aggregation,
                reading: RankTestOptions {
                    null_distribution,
                    ..RankTestOptions::default()
                },
                ..Recipe::default()
            },
            queries: queries.collect(),
        }
    }

    /// Simulates the rankings of all queries by one panel. `kind` separates the random streams.
    pub(crate) fn panel(&self, kind: u64, trial: u64) -> Vec<AssessorRankings> {
        let queries = self.queries.iter().zip(0..);
        queries
            .map(|(q, number)| rankings(&self.scenario, q, [kind, trial, number]))
            .collect()
    }

    /// Returns the rankings by each system of the items of all queries.
    pub(crate) fn runs(&self, rankings: &[AssessorRankings]) -> Vec<Vec<Ranking>> {
        let result = |query: &Query, rankings: &AssessorRankings, system: usize| {
            let names = query.results[system]
                .iter()
                .map(|&i| query.names[i].as_str());
            Ranking::from_names(rankings.items(), names)
        };
        let of_one = |system| {
            let queries = self.queries.iter().zip(rankings);
            queries
                .map(|(query, rankings)| result(query, rankings, system))
                .collect()
        };
        (0..SYSTEMS.len()).map(of_one).collect()
    }

    /// Groups the rankings into panels: one for all queries if assessors are shared, else one per
    /// query.
    pub(crate) fn panels<'r>(&self, rankings: &'r [AssessorRankings]) -> Vec<Panel<'r>> {
        if self.scenario.shared {
            return Panel::shared(&rankings.iter().collect::<Vec<_>>());
        }
        let queries = rankings.iter().enumerate();
        queries
            .map(|(number, rankings)| Panel::new(&format!("q{number}"), rankings))
            .collect()
    }

    /// Computes the statistics of one panel from its rankings of all queries.
    pub(crate) fn statistics(&self, rankings: &[AssessorRankings]) -> PanelStatistics {
        let (panels, runs) = (self.panels(rankings), self.runs(rankings));
        let evidence = RankEvidence::new(&rankings[0], self.recipe.alpha, self.recipe.reading);
        let list = evidence.list(self.recipe.aggregation);
        let group = |name: &String| {
            let item = rankings[0].items().get(name)?;
            let place = list.items().iter().position(|&i| i == item)?;
            Some(list.group_ends().partition_point(|&end| end <= place) + 1)
        };
        PanelStatistics {
            scores: SystemBootstrap::new(&panels, self.recipe, &runs).scores(),
            consistency: [Tails::One, Tails::Two].map(|tails| {
                consistency(&list, evidence.pair_tests(), tails)
                    .unwrap()
                    .value
            }),
            groups: self.queries[0].names[..self.scenario.items]
                .iter()
                .map(group)
                .collect(),
        }
    }
}

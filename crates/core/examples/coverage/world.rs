//! Simulated people who rank simulated melodies.

use partita_core::truth::{
    Aggregation, NullDistribution, Panel, RankEvidence, RankTestOptions, Recipe, SystemBootstrap,
    Tails, consistency,
};
use partita_core::{AssessorRankings, Ranking};
use partita_stats::random::{standard_normal, stream, uniform};

/// A world in which people rank melodies.
#[derive(Clone, Copy)]
pub(crate) struct Scenario {
    pub(crate) name: &'static str,
    pub(crate) items: usize,
    pub(crate) assessors: usize,
    pub(crate) queries: usize,
    pub(crate) aggregation: Aggregation,
    /// The smallest share of the items that an assessor ranks.
    pub(crate) ranked: f64,
    /// How far two schools of taste differ; each person leans to one or the other.
    pub(crate) schools: f64,
    /// Whether the same people rank all queries.
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

/// The noise of the systems; the last two are equally good.
pub(crate) const SYSTEMS: [f64; 4] = [0.5, 0.7, 1.0, 1.0];

pub(crate) struct Query {
    pub(crate) tastes: [Vec<f64>; 2],
    pub(crate) names: Vec<String>,
    /// What each system returns, items beyond the list being irrelevant.
    pub(crate) results: Vec<Vec<usize>>,
}

fn sorted(keys: impl Iterator<Item = f64>) -> Vec<usize> {
    let mut order: Vec<(f64, usize)> = keys.zip(0..).collect();
    order.sort_by(|a, b| a.0.total_cmp(&b.0));
    order.into_iter().map(|(_, item)| item).collect()
}

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

/// The rankings of one panel for one query.
fn rankings(scenario: &Scenario, query: &Query, path: [u64; 3]) -> AssessorRankings {
    let mut entries = Vec::new();
    let who: Vec<String> = (0..scenario.assessors)
        .map(|a| format!("p{a:02}"))
        .collect();
    for (number, person) in who.iter().enumerate() {
        // What a person is like does not depend on the query if people are shared.
        let life = if scenario.shared { u64::MAX } else { path[2] };
        let mut nature = stream(7, &[path[0], path[1], life, number as u64]);
        let (lean, noise) = (uniform(&mut nature), 0.5 + uniform(&mut nature));
        let mut random = stream(8, &[path[0], path[1], path[2], number as u64]);
        let [one, other] = &query.tastes;
        let order = sorted((one.iter().zip(other)).map(|(one, other)| {
            lean * one + (1.0 - lean) * other + noise * standard_normal(&mut random)
        }));
        let share = scenario.ranked + (1.0 - scenario.ranked) * uniform(&mut nature);
        let ranked = (share * scenario.items as f64).ceil() as usize;
        for (place, item) in order.into_iter().enumerate() {
            let rank = (place < ranked).then_some(place as f64 + 1.0);
            entries.push((person.as_str(), query.names[item].as_str(), rank));
        }
    }
    AssessorRankings::new(entries).unwrap()
}

pub(crate) struct World {
    pub(crate) scenario: Scenario,
    pub(crate) recipe: Recipe,
    pub(crate) queries: Vec<Query>,
}

/// What a panel says: scores, the consistency of the first list, and the groups of its items.
pub(crate) struct Said {
    pub(crate) scores: Vec<f64>,
    pub(crate) consistency: [f64; 2],
    pub(crate) groups: Vec<Option<usize>>,
}

impl World {
    pub(crate) fn new(scenario: Scenario, law: NullDistribution) -> Self {
        let queries = (0..scenario.queries as u64).map(|number| query(&scenario, number));
        Self {
            scenario,
            recipe: Recipe {
                aggregation: scenario.aggregation,
                reading: RankTestOptions {
                    null_distribution: law,
                    ..RankTestOptions::default()
                },
                ..Recipe::default()
            },
            queries: queries.collect(),
        }
    }

    pub(crate) fn panel(&self, kind: u64, trial: u64) -> Vec<AssessorRankings> {
        let queries = self.queries.iter().zip(0..);
        queries
            .map(|(q, number)| rankings(&self.scenario, q, [kind, trial, number]))
            .collect()
    }

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

    pub(crate) fn panels<'r>(&self, rankings: &'r [AssessorRankings]) -> Vec<Panel<'r>> {
        if self.scenario.shared {
            return Panel::shared(&rankings.iter().collect::<Vec<_>>());
        }
        let queries = rankings.iter().enumerate();
        queries
            .map(|(number, rankings)| Panel::new(&format!("q{number}"), rankings))
            .collect()
    }

    pub(crate) fn said(&self, rankings: &[AssessorRankings]) -> Said {
        let (panels, runs) = (self.panels(rankings), self.runs(rankings));
        let evidence = RankEvidence::new(&rankings[0], self.recipe.alpha, self.recipe.reading);
        let list = evidence.list(self.recipe.aggregation);
        let group = |name: &String| {
            let item = rankings[0].items().get(name)?;
            let place = list.items().iter().position(|&i| i == item)?;
            Some(list.group_ends().partition_point(|&end| end <= place) + 1)
        };
        Said {
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

//! A whole simulation: what is asked, and what is answered.

use partita_core::work::{Stopped, Work};
use partita_stats::streams::{index_below, shuffle, stream};
use schemars::JsonSchema;
use serde::Serialize;

use super::assessors::{Calibration, SimulatedAssessors, SimulatedList, Traits};
use super::contenders::UnknownContender;
use super::recorded::{Recorded, RecordedList};
use super::reference::references_outside;
use super::run::Oracle;
use super::study::{Contender, ListUnderStudy, Observation, Outcome, Spending, observe, study};
use crate::cost::Price;
use crate::decision::Rule;
use crate::model::Grouping;
use crate::range::{OutOfRange, require, require_size};

/// What is asked of a simulation.
#[derive(Clone, Debug)]
pub struct SimulationRequest {
    /// The strategies by their names ([`Contender::named`]), the first being the baseline.
    pub strategies: Vec<String>,
    /// The number of lists.
    pub lists: usize,
    /// The least and the most items of a list.
    pub items: (usize, usize),
    /// The number of votes on a pair if none is saved.
    pub votes: u32,
    /// How the votes on a pair decide it in the sort.
    pub rule: Rule,
    /// The mean vote from which on a difference matters, in units of the spread of votes.
    pub matters: f64,
    /// What an answer costs.
    pub price: Price,
    /// The seconds that an answer takes.
    pub seconds: f64,
    /// The number of times the lists are drawn again for intervals.
    pub resamples: usize,
    /// The seed of all that is drawn.
    pub seed: u64,
}

/// Who answers in a simulation.
#[derive(Clone, Copy, Debug)]
pub enum Answering<'a> {
    /// Simulated assessors with these traits, who are like the goal in what is not known of them.
    Simulated {
        /// Their traits.
        traits: Traits,
        /// What they are like.
        goal: Calibration,
    },
    /// Those whose votes were recorded.
    Recorded(&'a Recorded),
}

/// What came of a simulation.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Simulation {
    /// The seed of all that was drawn.
    pub seed: u64,
    /// The number of lists.
    pub lists: usize,
    /// The least and the most items of a list.
    pub items: [usize; 2],
    /// The number of votes on a pair if none is saved.
    pub votes_per_pair: u32,
    /// How the votes on a pair decide it in the sort.
    pub decide: String,
    /// The level of that rule, if it is a test.
    pub alpha: Option<f64>,
    /// The mean vote from which on a difference matters, in units of the spread of votes.
    pub matters: f64,
    /// What the simulated assessors are like; nothing where recorded votes answer.
    pub assessors: Option<SimulatedAssessors>,
    /// By how many references lists are measured.
    pub references: usize,
    /// The strategy that the others are put beside.
    pub baseline: String,
    /// What came of each strategy.
    pub strategies: Vec<Outcome>,
}

/// Why there is no simulation.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SimulationError {
    /// A number cannot be asked for.
    #[error(transparent)]
    OutOfRange(#[from] OutOfRange),
    /// No strategy has a name.
    #[error(transparent)]
    Strategy(#[from] UnknownContender),
    /// There are too few recorded items.
    #[error("lists of {most} items cannot be drawn from {collection} and be compared with others")]
    TooFewItems {
        /// The most items of a list.
        most: usize,
        /// The items that there are.
        collection: usize,
    },
    /// The work was not finished.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

/// The number of lists that the same people judge, where people are known.
pub const LISTS_PER_CAMPAIGN: usize = 10;

/// The random streams of this file.
const SIZES: u64 = partita_stats::streams::stream_id::SIMULATED_SIZES;
const PARTITION: u64 = partita_stats::streams::stream_id::RECORDED_PARTITION;

/// Tries strategies on the same lists, which get the same answers.
pub fn simulate(
    request: &SimulationRequest,
    answering: Answering<'_>,
    work: &dyn Work,
) -> Result<Simulation, SimulationError> {
    let contenders = request.contenders()?;
    match answering {
        Answering::Simulated { traits, goal } => {
            let assessors = SimulatedAssessors::with(traits, goal, request.seed)?;
            let lists: Vec<_> = (0..request.lists)
                .map(|number| request.simulated(number, assessors))
                .collect();
            simulate_lists(request, &contenders, &lists, Some(assessors), work)
        }
        Answering::Recorded(answers) => {
            let lists = request.recorded(answers, request.votes as usize, work)?;
            simulate_lists(request, &contenders, &lists, None, work)
        }
    }
}

/// Tries strategies on lists that have been drawn, at least one, each with the same number of references.
///
/// # Errors
/// If the work is stopped.
pub fn simulate_lists<O: Oracle + Sync>(
    request: &SimulationRequest,
    contenders: &[Contender],
    lists: &[ListUnderStudy<O>],
    assessors: Option<SimulatedAssessors>,
    work: &dyn Work,
) -> Result<Simulation, SimulationError> {
    let observed = observe_all(lists, contenders, work)?;
    let references = lists[0].references.len();
    let spending = Spending {
        price: request.price,
        votes: request.votes,
        seconds: request.seconds,
    };
    let (times, seed) = (request.resamples, request.seed);
    let strategies = study(contenders, &observed, references, &spending, times, seed);
    Ok(Simulation {
        seed,
        lists: request.lists,
        items: request.items.into(),
        votes_per_pair: request.votes,
        decide: request.rule.to_string(),
        alpha: request.rule.alpha().map(|alpha| alpha.value()),
        matters: request.matters,
        assessors,
        references,
        baseline: strategies[0].strategy.clone(),
        strategies,
    })
}

impl SimulationRequest {
    fn check(&self) -> Result<(), OutOfRange> {
        let (lists, strategies) = (self.lists, self.strategies.len());
        let (least, most) = self.items;
        let (votes, matters) = (self.votes, self.matters);
        for (what, count) in [("strategies", strategies), ("lists", lists)] {
            require(what, count as f64, "at least 1", count > 0)?;
        }
        let sizes = 2 <= least && least <= most && most <= 500;
        require("items", most as f64, "between 2 and 500", sizes)?;
        let few = (1..=100).contains(&votes);
        require("votes", votes.into(), "between 1 and 100", few)?;
        Grouping::mattering(matters)?;
        require_size("seconds", self.seconds)
    }

    /// Returns the number of items of a list.
    pub fn size(&self, list: usize) -> usize {
        let (least, most) = self.items;
        let mut random = stream(self.seed, &[SIZES, list as u64]);
        least + index_below(&mut random, most - least + 1)
    }

    /// Returns the seed of a list.
    pub fn list_seed(&self, list: usize) -> u64 {
        (self.seed)
            .wrapping_mul(1_000_003)
            .wrapping_add(list as u64)
    }

    /// Checks the request and returns its strategies.
    ///
    /// # Errors
    /// If a number is out of range, or no strategy has a name.
    pub fn contenders(&self) -> Result<Vec<Contender>, SimulationError> {
        self.check()?;
        let names = self.strategies.iter();
        let named =
            |name: &String| Contender::named(name.trim(), self.votes, self.rule, self.matters);
        Ok(names.map(named).collect::<Result<_, _>>()?)
    }

    fn simulated(
        &self,
        number: usize,
        people: SimulatedAssessors,
    ) -> ListUnderStudy<SimulatedList> {
        let seed = self.list_seed(number);
        let oracle = SimulatedList::new(people, self.size(number), seed);
        ListUnderStudy {
            references: vec![oracle.reference().clone()],
            oracle,
            seed,
        }
    }

    /// Draws lists of recorded items, with at most `most` answers about a pair.
    ///
    /// # Errors
    /// If there are too few items, or the work is stopped.
    pub fn recorded(
        &self,
        answers: &Recorded,
        most: usize,
        work: &dyn Work,
    ) -> Result<Vec<ListUnderStudy<RecordedList>>, SimulationError> {
        let drawn = self.drawn(answers.items())?;
        let matters = self.matters * answers.spread();
        let lists = work.map("references", drawn.len(), |number| {
            let seed = self.list_seed(number);
            let items = &drawn[number];
            ListUnderStudy {
                oracle: answers.list(items, most, seed),
                references: references_outside(answers, items, matters).into(),
                seed,
            }
        })?;
        Ok(lists)
    }

    /// Lists from random partitions of a collection, so that none share an item too often.
    fn drawn(&self, collection: usize) -> Result<Vec<Vec<usize>>, SimulationError> {
        let most = self.items.1;
        if most >= collection {
            return Err(SimulationError::TooFewItems { most, collection });
        }
        let mut drawn: Vec<Vec<usize>> = Vec::new();
        let mut round = 0;
        while drawn.len() < self.lists {
            let mut order: Vec<usize> = (0..collection).collect();
            shuffle(&mut stream(self.seed, &[PARTITION, round]), &mut order);
            let mut rest = order.as_slice();
            while drawn.len() < self.lists {
                let Some((list, others)) = rest.split_at_checked(self.size(drawn.len())) else {
                    break;
                };
                drawn.push(list.to_vec());
                rest = others;
            }
            round += 1;
        }
        Ok(drawn)
    }
}

/// What each strategy makes of each list.
fn observe_all<O: Oracle + Sync>(
    lists: &[ListUnderStudy<O>],
    contenders: &[Contender],
    work: &dyn Work,
) -> Result<Vec<Vec<Vec<Observation>>>, Stopped> {
    work.begin("simulating", lists.len() * contenders.len());
    let campaigns: Vec<&[ListUnderStudy<O>]> = lists.chunks(LISTS_PER_CAMPAIGN).collect();
    let of_each = |contender: &Contender| {
        let seen = work.map_quietly(campaigns.len(), |number| {
            let seen = observe(campaigns[number], contender);
            work.advance(seen.len());
            seen
        })?;
        Ok(seen.into_iter().flatten().collect())
    };
    contenders.iter().map(of_each).collect()
}

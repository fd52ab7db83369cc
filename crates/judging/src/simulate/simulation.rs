//! Simulation that compares strategies: its options, its run and its result.

use std::fmt::Display;
use std::str::FromStr;

use partita_core::truth::Alpha;
use partita_core::work::{Work, WorkError};
use partita_stats::random::{shuffle, stream, uniform_index};
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, de};

use super::contenders::{DEFAULT_CONTENDERS, UnknownContenderError};
use super::recorded::{RecordedAnswers, RecordedList};
use super::reference::held_out_references;
use super::run::Oracle;
use super::study::{
    Contender, ContenderObservations, CostModel, ListUnderStudy, StrategyOutcome,
    compare_strategies, observe,
};
use crate::analysis::price::{
    Currency, Fee, Price, PriceOptions, PriceOptionsError, PricePreset, Surcharge,
};
use crate::model::GroupingRule;
use crate::model::assessor_model::{
    AssessorModel, AssessorTraits, CalibrationTarget, SimulatedList,
};
use crate::range_error::{RangeError, require, require_nonnegative};
use crate::strategy::PooledStrategy;
use crate::votes::decision_rule::DecisionRule;

/// Request for a simulation: the options of `partita campaign simulate` on strategies and votes. It is read
/// from JSON by the names of the options.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "SimulationOptions")]
pub struct SimulationRequest {
    /// Names of the strategies to compare ([`Contender::parse`]); the first is the baseline.
    pub strategies: Vec<String>,
    /// Number of lists on which the strategies are compared.
    pub lists: usize,
    /// Minimum and maximum number of items of a list.
    pub items: (usize, usize),
    /// Maximum number of votes per pair.
    pub votes: u32,
    /// Rule by which the sorting strategies decide a pair from its votes.
    pub rule: DecisionRule,
    /// Smallest relevant difference between two items: the mean vote (each vote is -1, 0 or 1) in
    /// standard deviations of a vote.
    pub matters: f64,
    /// Expected share of pairs in the wrong order at which a campaign with the strategy `pooled`
    /// stops asking about a list.
    pub settled: f64,
    /// Price paid for one answer: the assessor's reward and the platform's fee; `None` if costs
    /// are not wanted.
    pub price: Option<Price>,
    /// Time that an assessor needs for one answer, in seconds.
    pub seconds: f64,
    /// Number of bootstrap resamples of the lists, from which the confidence intervals are
    /// computed.
    pub resamples: usize,
    /// Seed of all random draws of the simulation.
    pub seed: u64,
}

/// Named options of a simulation, as the command line has them.
#[derive(Deserialize)]
#[serde(default, deny_unknown_fields)]
struct SimulationOptions {
    strategies: Vec<String>,
    lists: usize,
    #[serde(deserialize_with = "read_list_sizes")]
    items: (usize, usize),
    votes: u32,
    #[serde(deserialize_with = "read_text")]
    decide: DecisionRule,
    alpha: Alpha,
    matters: f64,
    settled: f64,
    like: Option<PricePreset>,
    reward: Option<f64>,
    #[serde(deserialize_with = "read_optional_text")]
    fee: Option<Fee>,
    minimum_fee: Option<f64>,
    #[serde(deserialize_with = "read_optional_text")]
    surcharge: Option<Surcharge>,
    currency: Option<Currency>,
    seconds: f64,
    resamples: usize,
    seed: u64,
}

impl Default for SimulationOptions {
    fn default() -> Self {
        Self {
            strategies: DEFAULT_CONTENDERS.split(',').map(str::to_owned).collect(),
            lists: 60,
            items: (14, 24),
            votes: 10,
            decide: DecisionRule::default(),
            alpha: Alpha::new(0.25).expect("0.25 lies between 0 and 1"),
            matters: GroupingRule::DEFAULT_MATTERS,
            settled: PooledStrategy::DEFAULT_SETTLED,
            like: None,
            reward: None,
            fee: None,
            minimum_fee: None,
            surcharge: None,
            currency: None,
            seconds: 21.75,
            resamples: 300,
            seed: 1,
        }
    }
}

impl TryFrom<SimulationOptions> for SimulationRequest {
    type Error = PriceOptionsError;

    fn try_from(options: SimulationOptions) -> Result<Self, PriceOptionsError> {
        let price = PriceOptions {
            like: options.like,
            reward: options.reward,
            fee: options.fee,
            minimum_fee: options.minimum_fee,
            surcharge: options.surcharge,
            currency: options.currency,
        };
        Ok(Self {
            strategies: options.strategies,
            lists: options.lists,
            items: options.items,
            votes: options.votes,
            rule: options.decide.with_alpha(options.alpha),
            matters: options.matters,
            settled: options.settled,
            price: price.price()?,
            seconds: options.seconds,
            resamples: options.resamples,
            seed: options.seed,
        })
    }
}

impl Default for SimulationRequest {
    fn default() -> Self {
        Self::try_from(SimulationOptions::default()).expect("the defaults set no price")
    }
}

/// Parses the number of items of a list: one number, or the least and the most as in `14:24`.
///
/// # Errors
/// Returns a message for any other text, and for numbers outside of 2 to 500.
pub fn parse_list_sizes(text: &str) -> Result<(usize, usize), String> {
    let wrong = || format!("expected a number of items such as 20 or 14:24, not `{text}`");
    let (least, most) = text.split_once(':').unwrap_or((text, text));
    let number = |text: &str| text.trim().parse::<usize>().map_err(|_| wrong());
    let (least, most) = (number(least)?, number(most)?);
    match least {
        2.. if least <= most && most <= 500 => Ok((least, most)),
        _ => Err(wrong()),
    }
}

/// Reads the number of items of a list from its text.
fn read_list_sizes<'de, D: Deserializer<'de>>(from: D) -> Result<(usize, usize), D::Error> {
    parse_list_sizes(&String::deserialize(from)?).map_err(de::Error::custom)
}

/// Reads an optional value from the text that the command line takes for it.
fn read_optional_text<'de, D: Deserializer<'de>, T: FromStr<Err: Display>>(
    from: D,
) -> Result<Option<T>, D::Error> {
    read_text(from).map(Some)
}

/// Reads a value from the text that the command line takes for it.
fn read_text<'de, D: Deserializer<'de>, T: FromStr<Err: Display>>(from: D) -> Result<T, D::Error> {
    let text = String::deserialize(from)?;
    text.parse().map_err(de::Error::custom)
}

/// Source of the answers in a simulation.
#[derive(Clone, Copy, Debug)]
pub enum AnswerSource<'a> {
    /// Simulated assessors with these parameters; parameters that are not given are calibrated to
    /// `goal`.
    Simulated {
        /// Known parameters of the assessors.
        traits: AssessorTraits,
        /// Agreement and share of equal answers to which unknown parameters are calibrated.
        goal: CalibrationTarget,
    },
    /// Recorded answers, which are replayed.
    Recorded(&'a RecordedAnswers),
}

/// Result of a simulation that compares strategies.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Simulation {
    /// Seed of all random draws of the simulation.
    pub seed: u64,
    /// Number of lists on which the strategies were compared.
    pub lists: usize,
    /// Minimum and maximum number of items of a list.
    pub items: [usize; 2],
    /// Maximum number of votes per pair.
    pub votes_per_pair: u32,
    /// Name of the rule by which the sorting strategies decide a pair from its votes.
    pub decide: String,
    /// Significance level of the decision rule, if it is a test.
    pub alpha: Option<f64>,
    /// Smallest relevant difference between two items: the mean vote (each vote is -1, 0 or 1) in
    /// standard deviations of a vote.
    pub matters: f64,
    /// Expected share of pairs in the wrong order at which a campaign with the strategy `pooled`
    /// stops asking about a list.
    pub settled: f64,
    /// Parameters of the simulated assessors; null if the answers are recorded votes.
    pub assessors: Option<AssessorModel>,
    /// Number of reference lists against which the quality of each list is measured.
    pub references: usize,
    /// Name of the strategy with which the others are compared.
    pub baseline: String,
    /// Currency of the costs, if the price names it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub currency: Option<Currency>,
    /// Result of each strategy.
    pub strategies: Vec<StrategyOutcome>,
}

/// Reason why a simulation failed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SimulationError {
    /// An option is out of range.
    #[error(transparent)]
    OutOfRange(#[from] RangeError),
    /// A strategy name is unknown.
    #[error(transparent)]
    Strategy(#[from] UnknownContenderError),
    /// The recorded collection has too few items for lists of the requested length.
    #[error("lists of {most} items cannot be drawn from {collection} and be compared with others")]
    TooFewItems {
        /// Maximum number of items of a list.
        most: usize,
        /// Number of recorded items.
        collection: usize,
    },
    /// The work was cancelled.
    #[error(transparent)]
    Stopped(#[from] WorkError),
}

/// Number of lists that are judged by the same assessors and fitted together, as in one campaign.
/// It matters only if the assessors of the answers are known.
pub const LISTS_PER_CAMPAIGN: usize = 10;

/// Id of the random stream that draws the number of items of a list.
const LIST_SIZE_STREAM: u64 = partita_stats::random::stream_id::SIMULATED_SIZES;
/// Id of the random stream that divides the recorded items into lists.
const PARTITION_STREAM: u64 = partita_stats::random::stream_id::RECORDED_PARTITION;

/// Compares strategies on the same lists with the same answers.
///
/// # Errors
/// Returns [`SimulationError`] if the request is invalid, or if the work is cancelled.
pub fn simulate(
    request: &SimulationRequest,
    answering: AnswerSource<'_>,
    work: &dyn Work,
) -> Result<Simulation, SimulationError> {
    let contenders = request.contenders()?;
    match answering {
        AnswerSource::Simulated { traits, goal } => {
            let assessors = AssessorModel::from_traits(traits, goal, request.seed)?;
            let lists: Vec<_> = (0..request.lists)
                .map(|number| request.simulated_list(number, assessors))
                .collect();
            simulate_lists(request, &contenders, &lists, Some(assessors), work)
        }
        AnswerSource::Recorded(answers) => {
            let lists = request.recorded_lists(answers, request.votes as usize, work)?;
            simulate_lists(request, &contenders, &lists, None, work)
        }
    }
}

/// Compares strategies on given lists: at least one, each with the same number of reference lists.
///
/// # Errors
/// Returns [`SimulationError`] if the work is cancelled.
pub fn simulate_lists<O: Oracle + Sync>(
    request: &SimulationRequest,
    contenders: &[Contender],
    lists: &[ListUnderStudy<O>],
    assessors: Option<AssessorModel>,
    work: &dyn Work,
) -> Result<Simulation, SimulationError> {
    let observed = run_strategies_on_lists(lists, contenders, work)?;
    let references = lists[0].references.len();
    let spending = CostModel {
        price: request.price,
        votes: request.votes,
        seconds: request.seconds,
    };
    let (times, seed) = (request.resamples, request.seed);
    let strategies = compare_strategies(contenders, &observed, references, &spending, times, seed);
    Ok(Simulation {
        seed,
        lists: request.lists,
        items: request.items.into(),
        votes_per_pair: request.votes,
        decide: request.rule.to_string(),
        alpha: request.rule.alpha().map(partita_core::truth::Alpha::value),
        matters: request.matters,
        settled: request.settled,
        assessors,
        references,
        baseline: strategies[0].strategy.clone(),
        currency: request.price.and_then(|price| price.currency),
        strategies,
    })
}

impl SimulationRequest {
    /// Checks that all options are in range.
    fn check(&self) -> Result<(), RangeError> {
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
        GroupingRule::with_matters(matters)?;
        let settled = self.settled;
        let is_share = settled > 0.0 && settled < 1.0;
        require("settled", settled, "above 0 and below 1", is_share)?;
        require_nonnegative("seconds", self.seconds)
    }

    /// Draws the number of items of the list with this index; equal for equal seeds.
    pub fn list_size(&self, list: usize) -> usize {
        let (least, most) = self.items;
        let mut random = stream(self.seed, &[LIST_SIZE_STREAM, list as u64]);
        least + uniform_index(&mut random, most - least + 1)
    }

    /// Returns the seed of the random draws on the list with this index.
    pub fn list_seed(&self, list: usize) -> u64 {
        (self.seed)
            .wrapping_mul(1_000_003)
            .wrapping_add(list as u64)
    }

    /// Checks the options and returns the strategies to compare.
    ///
    /// # Errors
    /// Returns [`SimulationError`] if a number is out of range, or if a strategy name is unknown.
    pub fn contenders(&self) -> Result<Vec<Contender>, SimulationError> {
        self.check()?;
        let names = self.strategies.iter();
        let named = |name: &String| {
            let (votes, rule) = (self.votes, self.rule);
            Contender::parse(name.trim(), votes, rule, self.matters, self.settled)
        };
        Ok(names.map(named).collect::<Result<_, _>>()?)
    }

    /// Creates the list with this index, answered by simulated assessors.
    fn simulated_list(
        &self,
        number: usize,
        people: AssessorModel,
    ) -> ListUnderStudy<SimulatedList> {
        let seed = self.list_seed(number);
        let oracle = SimulatedList::new(people, self.list_size(number), seed);
        ListUnderStudy {
            references: vec![oracle.reference().clone()],
            oracle,
            seed,
        }
    }

    /// Draws lists of recorded items, with at most `most` recorded answers about a pair and two
    /// reference lists each.
    ///
    /// # Errors
    /// Returns [`SimulationError`] if there are too few items, or if the work is cancelled.
    pub fn recorded_lists(
        &self,
        answers: &RecordedAnswers,
        most: usize,
        work: &dyn Work,
    ) -> Result<Vec<ListUnderStudy<RecordedList>>, SimulationError> {
        let drawn = self.draw_lists(answers.items())?;
        let matters = self.matters * answers.spread();
        let lists = work.map("references", drawn.len(), |number| {
            let seed = self.list_seed(number);
            let items = &drawn[number];
            ListUnderStudy {
                oracle: answers.list(items, most, seed),
                references: held_out_references(answers, items, matters).into(),
                seed,
            }
        })?;
        Ok(lists)
    }

    /// Draws the item numbers of each list from random partitions of a collection of `collection`
    /// items. Partitions limit the overlap between lists.
    fn draw_lists(&self, collection: usize) -> Result<Vec<Vec<usize>>, SimulationError> {
        let most = self.items.1;
        if most >= collection {
            return Err(SimulationError::TooFewItems { most, collection });
        }
        let mut drawn: Vec<Vec<usize>> = Vec::new();
        let mut round = 0;
        while drawn.len() < self.lists {
            let mut order: Vec<usize> = (0..collection).collect();
            shuffle(
                &mut stream(self.seed, &[PARTITION_STREAM, round]),
                &mut order,
            );
            let mut rest = order.as_slice();
            while drawn.len() < self.lists {
                let Some((list, others)) = rest.split_at_checked(self.list_size(drawn.len()))
                else {
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

/// Runs each strategy on each list. Returns the observations of each strategy.
fn run_strategies_on_lists<O: Oracle + Sync>(
    lists: &[ListUnderStudy<O>],
    contenders: &[Contender],
    work: &dyn Work,
) -> Result<Vec<ContenderObservations>, WorkError> {
    work.begin_stage("simulating", lists.len() * contenders.len());
    let campaigns: Vec<&[ListUnderStudy<O>]> = lists.chunks(LISTS_PER_CAMPAIGN).collect();
    let of_each = |contender: &Contender| {
        let seen = work.map_without_progress(campaigns.len(), |number| {
            let seen = observe(campaigns[number], contender);
            work.advance(campaigns[number].len());
            seen
        })?;
        let mut all = ContenderObservations::default();
        all.extend(seen);
        Ok(all)
    };
    contenders.iter().map(of_each).collect()
}

//! Several strategies side by side on the same lists.

use partita_core::OrderedMap;
use partita_stats::random::{stream, uniform_index};
use schemars::JsonSchema;
use serde::Serialize;

use super::quality::list_quality;
use super::reference::ReferenceList;
use super::run::{Oracle, SimulatedListRun, StrategyCheckpoint, run_strategy_on_lists};
use crate::analysis::price::Price;
use crate::strategy::Strategy;

/// A list on which strategies are tried.
pub struct ListUnderStudy<O> {
    /// Who answers.
    pub oracle: O,
    /// What the lists are measured by.
    pub references: Vec<ReferenceList>,
    /// The seed of what strategies draw.
    pub seed: u64,
}

/// A strategy that is tried, in one way or in several that spend more and more votes.
pub struct Contender {
    /// What it is called.
    pub name: String,
    /// The ways, those first that spend fewer votes.
    pub ways: Vec<StrategyVariant>,
}

/// One way to run a strategy.
pub struct StrategyVariant {
    /// The strategy.
    pub strategy: Box<dyn Strategy>,
    /// The votes after which its list is looked at before it ends, as multiples of n log₂ n.
    pub along: Vec<f64>,
}

/// What was seen of one strategy on one list after so many votes.
#[derive(Clone, Debug, PartialEq)]
pub struct Observation {
    /// The votes, pairs and rounds.
    pub spent: [f64; 3],
    /// The votes that call two items equal.
    pub equal: f64,
    /// The measures, in the order of [`measures`].
    pub quality: Vec<f64>,
}

/// The names of the measures of quality with so many references.
///
/// The inversions are the share of pairs in the wrong order, the strict ones only between groups; ADR
/// and the relations are by each reference.
pub fn measures(references: usize) -> Vec<String> {
    let mut names: Vec<String> = ["inversions", "strict_inversions", "groups", "consistency"]
        .map(str::to_owned)
        .into();
    for name in ["adr", "relations"] {
        match references {
            1 => names.push(name.to_owned()),
            _ => names.extend((1..=references).map(|number| format!("{name}_{number}"))),
        }
    }
    names
}

/// The measures by which strategies are compared, and whether more is better.
fn compared(names: &[String]) -> Vec<(usize, bool)> {
    let better = |name: &String| match name.as_str() {
        "inversions" => Some(false),
        "strict_inversions" | "groups" | "consistency" => None,
        _ => Some(true),
    };
    let names = names.iter().enumerate();
    names
        .filter_map(|(at, name)| Some((at, better(name)?)))
        .collect()
}

/// What one strategy makes of lists that the same people judge, of each at each of its points.
pub fn observe<O: Oracle>(
    lists: &[ListUnderStudy<O>],
    contender: &Contender,
) -> Vec<Vec<Observation>> {
    let mut observations: Vec<Vec<Observation>> = vec![Vec::new(); lists.len()];
    for way in &contender.ways {
        let judging = lists.iter().map(|list| {
            let n = list.oracle.items() as f64;
            let scale = n * n.log2();
            SimulatedListRun {
                oracle: &list.oracle,
                seed: list.seed,
                marks: (way.along.iter())
                    .map(|multiple| (multiple * scale).round() as usize)
                    .collect(),
            }
        });
        let judging: Vec<SimulatedListRun<'_>> = judging.collect();
        let checkpoints = run_strategy_on_lists(way.strategy.as_ref(), &judging);
        let ordered = way.strategy.orders_inside_groups();
        for ((list, seen), checkpoints) in lists.iter().zip(&mut observations).zip(checkpoints) {
            let checkpoints = checkpoints.iter();
            seen.extend(checkpoints.map(|c| observation(c, ordered, &list.references)));
        }
    }
    observations
}

fn observation(
    checkpoint: &StrategyCheckpoint,
    ordered: bool,
    references: &[ReferenceList],
) -> Observation {
    let by_each: Vec<_> = (references.iter())
        .map(|reference| list_quality(&checkpoint.list, ordered, reference))
        .collect();
    let first = by_each.first();
    let first = first.expect("a list under study has a reference");
    let mut measured = vec![first.inversions, first.strict_inversions, first.groups];
    measured.push(checkpoint.consistency);
    measured.extend(by_each.iter().map(|quality| quality.adr));
    measured.extend(by_each.iter().map(|quality| quality.relations));
    Observation {
        spent: [checkpoint.votes, checkpoint.pairs, checkpoint.rounds].map(|n| n as f64),
        equal: checkpoint.equal as f64,
        quality: measured,
    }
}

/// A mean with its 95% interval over lists.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct MeanEstimate {
    /// The mean.
    pub mean: f64,
    /// Where the interval begins; NaN, which is null in JSON, where there is none.
    #[schemars(with = "Option<f64>")]
    pub lower: f64,
    /// Where it ends; NaN, which is null in JSON, where there is none or it is open.
    #[schemars(with = "Option<f64>")]
    pub upper: f64,
}

/// Where a strategy stands after so many votes, in the mean over lists.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct CostQualityPoint {
    /// The votes on a list.
    pub votes: MeanEstimate,
    /// The share of these votes that call two items equal.
    pub equal: f64,
    /// Its pairs that were asked.
    pub pairs: MeanEstimate,
    /// Its rounds of questions.
    pub rounds: MeanEstimate,
    /// What the votes on a list cost.
    pub cost: f64,
    /// How many hours people need for them.
    pub hours: f64,
    /// How good the list is, by each of the [`measures`].
    #[serde(flatten)]
    pub quality: OrderedMap<MeanEstimate>,
}

/// How many votes a strategy needs to be as good as the baseline, as a share of the baseline's.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct VotesNeeded {
    /// The share; none if it is never as good.
    pub share: Option<MeanEstimate>,
    /// Whether it was as good at its first point already, so that it needs no more than this.
    pub at_most: bool,
    /// The share of the draws of lists in which it was never as good. From 2.5% on the interval of the
    /// share is open.
    pub never: f64,
}

/// How many votes a strategy needs to be as good as a baseline.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct BaselineComparison {
    /// The votes that it needs, by each measure that is compared, as a share of the baseline's.
    pub needed: OrderedMap<VotesNeeded>,
    /// The mean of those shares over the measures; none if it is never as good by one of them.
    pub needed_mean: Option<MeanEstimate>,
    /// The share of the draws of lists in which it was never as good by one of the measures.
    pub needed_mean_never: f64,
}

/// What came of one strategy.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct StrategyOutcome {
    /// What it is called.
    pub strategy: String,
    /// Its points, those first that spend fewer votes.
    pub points: Vec<CostQualityPoint>,
    /// The votes that it needs beside the first strategy; nothing for that one itself.
    #[serde(flatten)]
    pub beside_first: BaselineComparison,
    /// The votes that it needs beside each other baseline, by its name.
    pub beside: OrderedMap<BaselineComparison>,
}

/// What votes cost, in money and time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CostModel {
    /// What an answer costs.
    pub price: Price,
    /// The number of votes on a pair if none is saved.
    pub votes: u32,
    /// The seconds that an answer takes.
    pub seconds: f64,
}

impl CostModel {
    fn cost(&self, votes: f64, pairs: f64) -> f64 {
        let answers_a_pair = (votes / pairs).round() as usize;
        self.price.cost(1, answers_a_pair.min(self.votes as usize)) * votes
    }
}

/// The random stream of the lists that are drawn again.
const RESAMPLE: u64 = partita_stats::random::stream_id::SIMULATION_RESAMPLES;

/// The strategy that is a baseline wherever it is tried: the paper's sort with its ties broken by its
/// own votes, which costs nothing.
pub const SECOND_BASELINE: &str = "sort-ordered";

/// Puts strategies side by side, the first being the baseline, and [`SECOND_BASELINE`] another where it
/// is among them; `observed[c][l]` is what contender c made of list l ([`observe`]).
///
/// Intervals come from drawing the lists again with replacement, the same for all strategies.
pub fn compare_strategies(
    contenders: &[Contender],
    observed: &[Vec<Vec<Observation>>],
    references: usize,
    spending: &CostModel,
    resamples: usize,
    seed: u64,
) -> Vec<StrategyOutcome> {
    let names = measures(references);
    let lists = observed.first().map_or(0, Vec::len);
    let everyone: Vec<usize> = (0..lists).collect();
    let draws = bootstrap_lists(lists, resamples as u64, seed, RESAMPLE);
    let mut outcomes = Vec::new();
    for (number, contender) in contenders.iter().enumerate() {
        let mine = &observed[number];
        let ends = mine.first().map_or(0, Vec::len);
        let points = (0..ends).map(|point| {
            let value = |which: &dyn Fn(&Observation) -> f64| {
                let of = |lists: &[usize]| mean(mine, point, lists, which);
                estimate(of(&everyone), draws.iter().map(|draw| of(draw)).collect())
            };
            let [votes, pairs, rounds] = [0, 1, 2].map(|which| value(&|o| o.spent[which]));
            let equal = mean(mine, point, &everyone, &|o| o.equal);
            let quality = names.iter().enumerate();
            let quality = quality.map(|(at, name)| (name.clone(), value(&|o| o.quality[at])));
            CostQualityPoint {
                votes,
                equal: equal / votes.mean,
                pairs,
                rounds,
                cost: spending.cost(votes.mean, pairs.mean),
                hours: votes.mean * spending.seconds / 3600.0,
                quality: quality.collect(),
            }
        });
        let points = points.collect();
        let beside = |baseline: usize| {
            let other = baseline != number;
            other.then(|| needed(&names, &observed[baseline], mine, &everyone, &draws))
        };
        let named = (contenders.iter().enumerate().skip(1))
            .filter(|(_, other)| other.name == SECOND_BASELINE)
            .filter_map(|(baseline, other)| Some((other.name.clone(), beside(baseline)?)));
        outcomes.push(StrategyOutcome {
            strategy: contender.name.clone(),
            points,
            beside: named.collect(),
            beside_first: beside(0).unwrap_or_default(),
        });
    }
    outcomes
}

/// Lists drawn again with replacement, so many times.
pub fn bootstrap_lists(lists: usize, times: u64, seed: u64, path: u64) -> Vec<Vec<usize>> {
    let draw = |number: u64| {
        let mut random = stream(seed, &[path, number]);
        let lists = 0..lists;
        lists
            .clone()
            .map(|_| uniform_index(&mut random, lists.len()))
            .collect()
    };
    (0..times).map(draw).collect()
}

fn mean(
    observed: &[Vec<Observation>],
    point: usize,
    lists: &[usize],
    which: &dyn Fn(&Observation) -> f64,
) -> f64 {
    let values = lists.iter().map(|&list| which(&observed[list][point]));
    values.sum::<f64>() / lists.len() as f64
}

/// The interval of 95% of what was drawn. A NaN is beyond all numbers: where the interval ends at one
/// it is open.
pub fn estimate(mean: f64, mut drawn: Vec<f64>) -> MeanEstimate {
    let size = |value: f64| if value.is_nan() { f64::INFINITY } else { value };
    drawn.sort_by(|&x, &y| size(x).total_cmp(&size(y)));
    let at = |level: f64| {
        let place = (level * drawn.len() as f64) as usize;
        let last = drawn.len().saturating_sub(1);
        drawn.get(place.min(last)).copied().unwrap_or(mean)
    };
    MeanEstimate {
        mean,
        lower: at(0.025),
        upper: at(0.975),
    }
}

/// The votes at which a strategy's curve reaches the baseline's end, as a share of its votes; beyond
/// the last point NaN.
fn share(
    baseline: &[Vec<Observation>],
    mine: &[Vec<Observation>],
    lists: &[usize],
    (measure, more): (usize, bool),
) -> (f64, bool) {
    let end = baseline.first().map_or(1, Vec::len) - 1;
    let sign = if more { 1.0 } else { -1.0 };
    let goal = sign * mean(baseline, end, lists, &|o| o.quality[measure]);
    let votes = mean(baseline, end, lists, &|o| o.spent[0]);
    let mut before: Option<(f64, f64)> = None;
    for point in 0..mine.first().map_or(0, Vec::len) {
        let x = mean(mine, point, lists, &|o| o.spent[0]);
        let y = sign * mean(mine, point, lists, &|o| o.quality[measure]);
        if y >= goal {
            return match before {
                None => (x / votes, true),
                Some((x0, y0)) => ((x0 + (x - x0) * (goal - y0) / (y - y0)) / votes, false),
            };
        }
        before = Some((x, y));
    }
    (f64::NAN, false)
}

fn needed(
    names: &[String],
    baseline: &[Vec<Observation>],
    mine: &[Vec<Observation>],
    everyone: &[usize],
    draws: &[Vec<usize>],
) -> BaselineComparison {
    let compared = compared(names);
    let of = |lists: &[usize]| -> Vec<(f64, bool)> {
        let measures = compared.iter();
        measures
            .map(|&measure| share(baseline, mine, lists, measure))
            .collect()
    };
    let found = of(everyone);
    let drawn: Vec<Vec<(f64, bool)>> = draws.iter().map(|draw| of(draw)).collect();
    let each = compared.iter().enumerate().map(|(at, &(measure, _))| {
        let (share, at_most) = found[at];
        let drawn: Vec<f64> = drawn.iter().map(|shares| shares[at].0).collect();
        let needed = VotesNeeded {
            never: share_of_never(&drawn),
            share: (!share.is_nan()).then(|| estimate(share, drawn)),
            at_most,
        };
        (names[measure].clone(), needed)
    });
    let average = |shares: &[(f64, bool)]| {
        shares.iter().map(|(share, _)| share).sum::<f64>() / shares.len() as f64
    };
    let overall = average(&found);
    let averages: Vec<f64> = drawn.iter().map(|shares| average(shares)).collect();
    BaselineComparison {
        needed: each.collect(),
        needed_mean_never: share_of_never(&averages),
        needed_mean: (!overall.is_nan()).then(|| estimate(overall, averages)),
    }
}

/// The share of draws without a number.
pub fn share_of_never(drawn: &[f64]) -> f64 {
    let never = drawn.iter().filter(|share| share.is_nan()).count();
    never as f64 / drawn.len().max(1) as f64
}

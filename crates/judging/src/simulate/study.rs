//! Comparison of several strategies on the same lists.

use partita_core::OrderedMap;
use partita_stats::random::{stream, uniform_index};
use schemars::JsonSchema;
use serde::Serialize;

use super::quality::list_quality;
use super::reference::ReferenceList;
use super::run::{Oracle, SimulatedListRun, StrategyCheckpoint, run_strategy_on_lists};
use crate::analysis::price::Price;
use crate::strategy::Strategy;

/// List on which strategies are compared.
pub struct ListUnderStudy<O> {
    /// Source of answers.
    pub oracle: O,
    /// Reference lists against which quality is measured.
    pub references: Vec<ReferenceList>,
    /// Seed of the strategies' random draws.
    pub seed: u64,
}

/// Strategy under comparison, in one or several variants with increasing numbers of votes.
pub struct Contender {
    /// Contender name.
    pub name: String,
    /// Variants in ascending order of votes.
    pub variants: Vec<StrategyVariant>,
}

/// Variant of a strategy.
pub struct StrategyVariant {
    /// Strategy of the variant.
    pub strategy: Box<dyn Strategy>,
    /// Numbers of votes at which a list of n items is evaluated before the end, as multiples of
    /// n log₂ n.
    pub checkpoints: Vec<f64>,
}

/// Cost and quality of one strategy on one list after a number of votes.
#[derive(Clone, Debug, PartialEq)]
pub struct Observation {
    /// Cost: numbers of votes, pairs and rounds.
    pub spent: [f64; 3],
    /// Number of equal votes.
    pub equal: f64,
    /// Quality measures, in the order of [`measures`].
    pub quality: Vec<f64>,
}

/// Returns the names of the quality measures for this many references.
///
/// Inversions are the share of pairs in the wrong order; strict inversions count only pairs of
/// different groups. ADR (average dynamic recall) and relations are measured against each
/// reference.
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

/// Returns the indices of the measures by which strategies are compared, each with true if larger
/// values are better.
fn compared_measures(names: &[String]) -> Vec<(usize, bool)> {
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

/// Runs all variants of a contender on lists judged by the same assessors. Returns, for each list,
/// an observation at each evaluated number of votes.
pub fn observe<O: Oracle>(
    lists: &[ListUnderStudy<O>],
    contender: &Contender,
) -> Vec<Vec<Observation>> {
    let mut observations: Vec<Vec<Observation>> = vec![Vec::new(); lists.len()];
    for variant in &contender.variants {
        let judging = lists.iter().map(|list| {
            let n = list.oracle.items() as f64;
            let scale = n * n.log2();
            SimulatedListRun {
                oracle: &list.oracle,
                seed: list.seed,
                marks: (variant.checkpoints.iter())
                    .map(|multiple| (multiple * scale).round() as usize)
                    .collect(),
            }
        });
        let judging: Vec<SimulatedListRun<'_>> = judging.collect();
        let checkpoints = run_strategy_on_lists(variant.strategy.as_ref(), &judging);
        let ordered = variant.strategy.orders_inside_groups();
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

/// Mean with its 95% interval over lists.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct MeanEstimate {
    /// Mean over lists.
    pub mean: f64,
    /// Lower bound; NaN (null in JSON) if there is none.
    #[schemars(with = "Option<f64>")]
    pub lower: f64,
    /// Upper bound; NaN (null in JSON) if there is none or the interval is open.
    #[schemars(with = "Option<f64>")]
    pub upper: f64,
}

/// Mean cost and quality of a strategy over lists after a number of votes.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct CostQualityPoint {
    /// Votes per list.
    pub votes: MeanEstimate,
    /// Share of equal votes.
    pub equal: f64,
    /// Pairs asked per list.
    pub pairs: MeanEstimate,
    /// Rounds of questions per list.
    pub rounds: MeanEstimate,
    /// Cost of the votes on a list.
    pub cost: f64,
    /// Working hours of assessors for a list.
    pub hours: f64,
    /// Quality of the list by each of the [`measures`].
    #[serde(flatten)]
    pub quality: OrderedMap<MeanEstimate>,
}

/// Votes that a strategy needs to reach the baseline's quality, as a share of the baseline's votes.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct VotesNeeded {
    /// Share of votes; `None` if the quality is never reached.
    pub share: Option<MeanEstimate>,
    /// True if the first evaluated number of votes already reaches the quality, so that the share
    /// is an upper bound.
    pub at_most: bool,
    /// Share of bootstrap resamples in which the quality was never reached. If it is 2.5% or more,
    /// the interval of `share` has no upper bound.
    pub never: f64,
}

/// Votes that a strategy needs to reach the quality of a baseline.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct BaselineComparison {
    /// Votes needed to reach the baseline's quality, by each measure that is compared.
    pub needed: OrderedMap<VotesNeeded>,
    /// Mean of these shares over the measures; `None` if the baseline's quality is never reached by
    /// one of the measures.
    pub needed_mean: Option<MeanEstimate>,
    /// Share of bootstrap resamples in which the baseline's quality was never reached by at least
    /// one measure.
    pub needed_mean_never: f64,
}

/// Result of one strategy.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct StrategyOutcome {
    /// Strategy name.
    pub strategy: String,
    /// Evaluated points in ascending order of votes.
    pub points: Vec<CostQualityPoint>,
    /// Comparison with the first strategy, which is the baseline; empty for the baseline itself.
    #[serde(flatten)]
    pub beside_first: BaselineComparison,
    /// Comparison with each additional baseline, by name.
    pub beside: OrderedMap<BaselineComparison>,
}

/// Cost of votes in money and time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CostModel {
    /// Price of an answer.
    pub price: Price,
    /// Number of votes on a pair without early stopping.
    pub votes: u32,
    /// Seconds per answer.
    pub seconds: f64,
}

impl CostModel {
    fn cost(&self, votes: f64, pairs: f64) -> f64 {
        let answers_a_pair = (votes / pairs).round() as usize;
        self.price.cost(1, answers_a_pair.min(self.votes as usize)) * votes
    }
}

/// Random stream of the bootstrap over lists.
const RESAMPLE: u64 = partita_stats::random::stream_id::SIMULATION_RESAMPLES;

/// Additional baseline, used whenever it is among the strategies: the paper's sort with ties broken
/// by its own votes, which costs no extra votes.
pub const SECOND_BASELINE: &str = "sort-ordered";

/// Compares strategies. The first is the baseline, and [`SECOND_BASELINE`] is an additional
/// baseline if it is among the contenders. `observed[c][l]` is the result of contender c on list l
/// ([`observe`]).
///
/// Intervals come from a bootstrap over lists, with the same resamples for all strategies.
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
            other.then(|| {
                compare_with_baseline(&names, &observed[baseline], mine, &everyone, &draws)
            })
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

/// Draws `times` bootstrap resamples of the lists.
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

/// Returns the mean with the 95% percentile interval of the resampled values. NaN sorts above all
/// numbers; an upper bound of NaN means an open interval.
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

/// Returns the number of votes at which a strategy's curve reaches the baseline's final quality, as
/// a share of the baseline's votes; NaN if no point reaches it. The flag is true if the first point
/// already reaches it.
fn votes_needed_share(
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

fn compare_with_baseline(
    names: &[String],
    baseline: &[Vec<Observation>],
    mine: &[Vec<Observation>],
    everyone: &[usize],
    draws: &[Vec<usize>],
) -> BaselineComparison {
    let compared = compared_measures(names);
    let of = |lists: &[usize]| -> Vec<(f64, bool)> {
        let measures = compared.iter();
        measures
            .map(|&measure| votes_needed_share(baseline, mine, lists, measure))
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

/// Returns the share of resamples in which the quality was never reached (NaN).
pub fn share_of_never(drawn: &[f64]) -> f64 {
    let never = drawn.iter().filter(|share| share.is_nan()).count();
    never as f64 / drawn.len().max(1) as f64
}

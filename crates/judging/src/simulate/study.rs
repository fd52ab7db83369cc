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

/// List on which strategies are compared, with its answers and references.
pub struct ListUnderStudy<O> {
    /// Source of the answers about the list's pairs.
    pub oracle: O,
    /// Reference lists against which the quality of the strategies' lists is measured.
    pub references: Vec<ReferenceList>,
    /// Seed of the strategies' random draws.
    pub seed: u64,
}

/// Strategy under comparison, in one or several variants.
pub struct Contender {
    /// Name of the contender, as parsed by [`Contender::parse`].
    pub name: String,
    /// Variants of the strategy, which should be in ascending order of their numbers of votes.
    pub variants: Vec<StrategyVariant>,
    /// Strategy as a campaign runs it, if the variants are evaluated beyond the number of votes at
    /// which a campaign stops.
    pub campaign_strategy: Option<Box<dyn Strategy>>,
}

/// Strategy with fixed options, and the numbers of votes at which its lists are evaluated.
pub struct StrategyVariant {
    /// Strategy with the options of this variant.
    pub strategy: Box<dyn Strategy>,
    /// Numbers of votes at which a list of n items is evaluated, as multiples of n log₂ n. The list
    /// is always evaluated at the end of the run too.
    pub checkpoints: Vec<f64>,
}

/// Cost and quality of one strategy on one list after a number of votes.
#[derive(Clone, Debug, PartialEq)]
pub struct Observation {
    /// Numbers of votes, of different pairs, and of rounds in which the strategy chose pairs.
    pub spent: [f64; 3],
    /// Number of votes that prefer neither item.
    pub equal: f64,
    /// Values of the quality measures, in the order of [`measure_names`].
    pub quality: Vec<f64>,
}

/// Observations of one contender on all lists.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ContenderObservations {
    /// Observations of each list at each evaluated number of votes.
    pub points: Vec<Vec<Observation>>,
    /// Observation of each list where a campaign stops asking about it; empty if the contender has
    /// several variants, which stop at different numbers of votes.
    pub stops: Vec<Observation>,
}

impl Extend<Self> for ContenderObservations {
    /// Adds the observations of further lists.
    fn extend<I: IntoIterator<Item = Self>>(&mut self, others: I) {
        for other in others {
            self.points.extend(other.points);
            self.stops.extend(other.stops);
        }
    }
}

/// Returns the names of the quality measures when lists have this many reference lists.
///
/// `inversions` is the share of pairs in the wrong order; `strict_inversions` counts only pairs of
/// different groups. `groups` is the number of groups, and `consistency` the agreement of the votes
/// with the list. `adr` (average dynamic recall) and `relations` (share of pairs with the right
/// relation) are measured against each reference.
pub fn measure_names(references: usize) -> Vec<String> {
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

/// Returns the indices of the measures by which strategies are compared with a baseline, each with
/// true if larger values are better.
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

/// Runs all variants of a strategy on lists judged by the same assessors. The stops come from a run
/// of the campaign's own strategy if there is one, else from the end of the only variant; several
/// variants have none.
pub fn observe<O: Oracle>(
    lists: &[ListUnderStudy<O>],
    contender: &Contender,
) -> ContenderObservations {
    let mut points: Vec<Vec<Observation>> = vec![Vec::new(); lists.len()];
    for variant in &contender.variants {
        let observed = observe_strategy(lists, variant.strategy.as_ref(), &variant.checkpoints);
        for (points, of_variant) in points.iter_mut().zip(observed) {
            points.extend(of_variant);
        }
    }
    let stops = match (&contender.campaign_strategy, contender.variants.len()) {
        (Some(strategy), _) => {
            let ends = observe_strategy(lists, strategy.as_ref(), &[]);
            ends.into_iter().flatten().collect()
        }
        (None, 1) => points.iter().filter_map(|of| of.last().cloned()).collect(),
        (None, _) => Vec::new(),
    };
    ContenderObservations { points, stops }
}

/// Runs a strategy on lists judged by the same assessors. Returns the observations of each list at
/// each of the `checkpoints` (multiples of n log₂ n votes for n items) and at the end.
fn observe_strategy<O: Oracle>(
    lists: &[ListUnderStudy<O>],
    strategy: &dyn Strategy,
    checkpoints: &[f64],
) -> Vec<Vec<Observation>> {
    let judging = lists.iter().map(|list| {
        let n = list.oracle.items() as f64;
        let scale = n * n.log2();
        SimulatedListRun {
            oracle: &list.oracle,
            seed: list.seed,
            marks: (checkpoints.iter())
                .map(|multiple| (multiple * scale).round() as usize)
                .collect(),
        }
    });
    let judging: Vec<SimulatedListRun<'_>> = judging.collect();
    let ordered = strategy.orders_inside_groups();
    let observed = run_strategy_on_lists(strategy, &judging).into_iter();
    let of_list = |(list, found): (&ListUnderStudy<O>, Vec<StrategyCheckpoint>)| {
        let found = found.iter();
        found
            .map(|checkpoint| observation_at(checkpoint, ordered, &list.references))
            .collect()
    };
    lists.iter().zip(observed).map(of_list).collect()
}

/// Measures cost and quality of a list at a checkpoint. `ordered` is true if the order within its
/// groups is meaningful.
fn observation_at(
    checkpoint: &StrategyCheckpoint,
    ordered: bool,
    references: &[ReferenceList],
) -> Observation {
    let by_each: Vec<_> = (references.iter())
        .map(|reference| list_quality(&checkpoint.list, ordered, reference))
        .collect();
    let first = by_each.first();
    let first = first.expect("every list has at least one reference");
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

/// Mean over lists with its 95% bootstrap interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct MeanEstimate {
    /// Mean over the lists of the simulation.
    pub mean: f64,
    /// Lower bound of the 95% interval; NaN (null in JSON) if there is none.
    #[schemars(with = "Option<f64>")]
    pub lower: f64,
    /// Upper bound of the 95% interval; NaN (null in JSON) if there is none or the interval is
    /// open.
    #[schemars(with = "Option<f64>")]
    pub upper: f64,
}

impl MeanEstimate {
    /// Returns the ends of the interval; `None` if there is none.
    pub fn interval(&self) -> Option<(f64, f64)> {
        (!self.lower.is_nan()).then_some((self.lower, self.upper))
    }
}

/// Mean cost and quality of a strategy over lists after a number of votes.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct CostQualityPoint {
    /// Number of votes per list.
    pub votes: MeanEstimate,
    /// Share of votes that prefer neither item.
    pub equal: f64,
    /// Number of different pairs asked per list.
    pub pairs: MeanEstimate,
    /// Number of rounds per list in which the strategy chose pairs.
    pub rounds: MeanEstimate,
    /// Cost of the votes on one list; absent without a price.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
    /// Working time of all assessors on one list, in hours.
    pub hours: f64,
    /// Mean quality of the lists by each of the [`measure_names`].
    #[serde(flatten)]
    pub quality: OrderedMap<MeanEstimate>,
}

/// Mean cost and quality of a strategy where a campaign stops by itself: each list where it is
/// settled or its budget is spent.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct StoppingPoint {
    /// Number of votes per list, divided by that of the baseline.
    pub share: MeanEstimate,
    /// Mean cost and quality.
    #[serde(flatten)]
    pub point: CostQualityPoint,
}

/// Votes that a strategy needs to reach the baseline's quality by one measure, as a share of the
/// baseline's votes.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct VotesNeeded {
    /// Votes that the strategy needs, divided by the baseline's votes; `None` if the strategy never
    /// reaches the baseline's quality.
    pub share: Option<MeanEstimate>,
    /// True if the strategy reaches the baseline's quality already at its first evaluated number of
    /// votes, so that `share` is an upper bound.
    pub at_most: bool,
    /// Share of bootstrap resamples in which the strategy never reached the baseline's quality. If
    /// it is 2.5% or more, the interval of `share` has no upper bound.
    pub never: f64,
}

/// Votes that a strategy needs to reach the quality of a baseline, as shares of the baseline's
/// votes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct BaselineComparison {
    /// Share of the baseline's votes that the strategy needs, by each measure that is compared.
    pub needed: OrderedMap<VotesNeeded>,
    /// Mean over the measures of the shares in `needed`; `None` if the baseline's quality is never
    /// reached by one of the measures.
    pub needed_mean: Option<MeanEstimate>,
    /// Share of bootstrap resamples in which `needed_mean` is undefined, because the strategy never
    /// reached the baseline's quality by one of the measures or more.
    pub needed_mean_never: f64,
}

/// Cost and quality of one strategy, and its comparison with baselines.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct StrategyOutcome {
    /// Strategy name.
    pub strategy: String,
    /// Mean cost and quality at each evaluated number of votes, in the order of the variants.
    pub points: Vec<CostQualityPoint>,
    /// Point at which a campaign with this strategy stops; null if the name stands for several
    /// variants of a strategy.
    pub stops: Option<StoppingPoint>,
    /// Comparison with the first strategy, which is the baseline; empty for the baseline itself.
    #[serde(flatten)]
    pub baseline_comparison: BaselineComparison,
    /// Comparison with each additional baseline, keyed by the name of its strategy.
    pub beside: OrderedMap<BaselineComparison>,
}

/// Cost of votes in money and in working time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CostModel {
    /// Price paid for one answer: the assessor's reward and the platform's fee; `None` if costs
    /// are not wanted.
    pub price: Option<Price>,
    /// Maximum number of votes per pair.
    pub votes: u32,
    /// Time that an assessor needs for one answer, in seconds.
    pub seconds: f64,
}

impl CostModel {
    /// Returns the cost of this many votes on this many pairs. The price of an answer can depend on
    /// the number of answers per pair.
    fn cost(&self, votes: f64, pairs: f64) -> Option<f64> {
        let answers_a_pair = (votes / pairs).round() as usize;
        let price = self.price?;
        Some(price.cost(1, answers_a_pair.min(self.votes as usize)) * votes)
    }
}

/// Id of the random stream of the bootstrap over lists.
const RESAMPLE_STREAM: u64 = partita_stats::random::stream_id::SIMULATION_RESAMPLES;

/// Name of an additional baseline, used whenever it is among the strategies: the sort of Urbano et
/// al. (2010) with the items of a group in the order of their votes, which takes no extra votes.
pub const SECOND_BASELINE: &str = "sort-ordered";

/// Compares strategies by cost and quality. The first is the baseline, and [`SECOND_BASELINE`] is
/// an additional baseline if it is among the contenders. `observed` has the observations of each
/// contender ([`observe`]).
///
/// Intervals come from a bootstrap over lists, with the same resamples for all strategies.
pub fn compare_strategies(
    contenders: &[Contender],
    observed: &[ContenderObservations],
    references: usize,
    spending: &CostModel,
    resamples: usize,
    seed: u64,
) -> Vec<StrategyOutcome> {
    let lists = observed.first().map_or(0, |first| first.points.len());
    let study = StudySummary {
        names: measure_names(references),
        everyone: (0..lists).collect(),
        draws: bootstrap_lists(lists, resamples as u64, seed, RESAMPLE_STREAM),
        spending,
    };
    let mut outcomes = Vec::new();
    for (number, contender) in contenders.iter().enumerate() {
        let mine = &observed[number].points;
        let ends = mine.first().map_or(0, Vec::len);
        let points = (0..ends).map(|point| study.mean_point(mine, point));
        let beside = |baseline: usize| {
            let other = baseline != number;
            other.then(|| study.compare_with_baseline(&observed[baseline].points, mine))
        };
        let named = (contenders.iter().enumerate().skip(1))
            .filter(|(_, other)| other.name == SECOND_BASELINE)
            .filter_map(|(baseline, other)| Some((other.name.clone(), beside(baseline)?)));
        let stops = &observed[number].stops;
        outcomes.push(StrategyOutcome {
            strategy: contender.name.clone(),
            points: points.collect(),
            stops: (!stops.is_empty()).then(|| study.stopping_point(&observed[0].points, stops)),
            beside: named.collect(),
            baseline_comparison: beside(0).unwrap_or_default(),
        });
    }
    outcomes
}

/// Names of the measures, bootstrap resamples of the lists and prices, by which the observations of
/// a study are summarised.
struct StudySummary<'a> {
    names: Vec<String>,
    /// Indices of all lists.
    everyone: Vec<usize>,
    /// Indices of the lists of each resample.
    draws: Vec<Vec<usize>>,
    spending: &'a CostModel,
}

impl StudySummary<'_> {
    /// Returns a function of lists for all of them, with its interval over the resamples.
    fn estimate(&self, of: &dyn Fn(&[usize]) -> f64) -> MeanEstimate {
        let drawn = self.draws.iter().map(|draw| of(draw)).collect();
        mean_with_interval(of(&self.everyone), drawn)
    }

    /// Returns the mean cost and quality over the lists at the observation with this index.
    fn mean_point(&self, observed: &[Vec<Observation>], point: usize) -> CostQualityPoint {
        let value = |which: &dyn Fn(&Observation) -> f64| {
            self.estimate(&|lists| mean_over_lists(observed, point, lists, which))
        };
        let [votes, pairs, rounds] = [0, 1, 2].map(|which| value(&|o| o.spent[which]));
        let equal = mean_over_lists(observed, point, &self.everyone, &|o| o.equal);
        let quality = self.names.iter().enumerate();
        let quality = quality.map(|(at, name)| (name.clone(), value(&|o| o.quality[at])));
        CostQualityPoint {
            votes,
            equal: equal / votes.mean,
            pairs,
            rounds,
            cost: self.spending.cost(votes.mean, pairs.mean),
            hours: votes.mean * self.spending.seconds / 3600.0,
            quality: quality.collect(),
        }
    }

    /// Returns the mean cost and quality over the lists where a campaign stops, given the
    /// observation of each list there.
    fn stopping_point(
        &self,
        baseline: &[Vec<Observation>],
        stops: &[Observation],
    ) -> StoppingPoint {
        let stops: Vec<Vec<Observation>> = stops.iter().map(|stop| vec![stop.clone()]).collect();
        let end = baseline.first().map_or(1, Vec::len) - 1;
        let votes = |observed: &[Vec<Observation>], point, lists: &[usize]| {
            mean_over_lists(observed, point, lists, &|o| o.spent[0])
        };
        StoppingPoint {
            share: self.estimate(&|lists| votes(&stops, 0, lists) / votes(baseline, end, lists)),
            point: self.mean_point(&stops, 0),
        }
    }

    /// Compares the votes that a strategy (`mine`) needs with the votes of a baseline.
    fn compare_with_baseline(
        &self,
        baseline: &[Vec<Observation>],
        mine: &[Vec<Observation>],
    ) -> BaselineComparison {
        compare_with_baseline(&self.names, baseline, mine, &self.everyone, &self.draws)
    }
}

/// Draws `times` bootstrap resamples of the indices of `lists` lists. `path` is the id of the
/// random stream.
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

/// Returns the mean over lists of a value of the observation at index `point`. `which` selects the
/// value.
fn mean_over_lists(
    observed: &[Vec<Observation>],
    point: usize,
    lists: &[usize],
    which: &dyn Fn(&Observation) -> f64,
) -> f64 {
    let values = lists.iter().map(|&list| which(&observed[list][point]));
    values.sum::<f64>() / lists.len() as f64
}

/// Returns the mean with the 95% percentile interval of its bootstrap values `drawn`, widened to
/// contain the mean. NaN sorts above all numbers; an upper bound of NaN means an open interval. If the
/// values do not vary, both bounds are NaN.
pub fn mean_with_interval(mean: f64, mut drawn: Vec<f64>) -> MeanEstimate {
    let size = |value: f64| if value.is_nan() { f64::INFINITY } else { value };
    drawn.sort_by(|&x, &y| size(x).total_cmp(&size(y)));
    let at = |level: f64| {
        let place = (level * drawn.len() as f64) as usize;
        let last = drawn.len().saturating_sub(1);
        drawn.get(place.min(last)).copied().unwrap_or(mean)
    };
    let (lower, upper) = (at(0.025), at(0.975));
    let (lower, upper) = if lower == upper {
        (f64::NAN, f64::NAN)
    } else if upper.is_nan() {
        (lower.min(mean), upper)
    } else {
        (lower.min(mean), upper.max(mean))
    };
    MeanEstimate { mean, lower, upper }
}

/// Returns the number of votes at which a strategy reaches the baseline's final quality by one
/// measure, interpolated between its observations, as a share of the baseline's votes; NaN if it
/// never does. The flag is true if the first observation already reaches it.
fn votes_needed_share(
    baseline: &[Vec<Observation>],
    mine: &[Vec<Observation>],
    lists: &[usize],
    (measure, more): (usize, bool),
) -> (f64, bool) {
    let end = baseline.first().map_or(1, Vec::len) - 1;
    let sign = if more { 1.0 } else { -1.0 };
    let goal = sign * mean_over_lists(baseline, end, lists, &|o| o.quality[measure]);
    let votes = mean_over_lists(baseline, end, lists, &|o| o.spent[0]);
    let mut before: Option<(f64, f64)> = None;
    for point in 0..mine.first().map_or(0, Vec::len) {
        let x = mean_over_lists(mine, point, lists, &|o| o.spent[0]);
        let y = sign * mean_over_lists(mine, point, lists, &|o| o.quality[measure]);
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

/// Compares the votes that a strategy (`mine`) needs with the votes of a baseline. `draws` are the
/// bootstrap resamples of the lists.
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
            never: share_of_nan(&drawn),
            share: (!share.is_nan()).then(|| mean_with_interval(share, drawn)),
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
        needed_mean_never: share_of_nan(&averages),
        needed_mean: (!overall.is_nan()).then(|| mean_with_interval(overall, averages)),
    }
}

/// Returns the share of values that are NaN: resamples in which the baseline's quality was never
/// reached.
pub fn share_of_nan(drawn: &[f64]) -> f64 {
    let never = drawn.iter().filter(|share| share.is_nan()).count();
    never as f64 / drawn.len().max(1) as f64
}

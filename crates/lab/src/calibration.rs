//! Whether what is said to be likely happens as often as is said.

use partita_core::Item;
use partita_core::work::Work;
use partita_judging::simulate::{
    AssessorModel, Contender, LISTS_PER_CAMPAIGN, ListUnderStudy, MeanEstimate, Oracle,
    RecordedAnswers, SimulationError, SimulationRequest, ask, bootstrap_lists, estimate,
};
use partita_judging::{
    DecisionRule, DecisionTable, ListVotes, PooledStrategy, PredictiveModel, Strategy, Votes,
    estimate_pair_spread,
};
use serde::Serialize;

use crate::world_simulation::world_lists;
use crate::worlds::World;

/// Source of the answers in a calibration study.
#[derive(Clone, Copy, Debug)]
pub enum CalibrationSource<'a> {
    /// The people of a world.
    World(&'a World),
    /// Recorded votes.
    Recorded(&'a RecordedAnswers),
}

/// How far probabilities came true.
///
/// Each strategy asks its questions. Then, for every pair of a list, the odds of its order and of how
/// as many new votes decide it ([`Predictive`]) are put beside the true order, and beside decisions by
/// votes that the strategy has not seen.
#[derive(Clone, Debug, Serialize)]
pub struct ProbabilityCalibration {
    /// The seed of all that was drawn.
    pub seed: u64,
    /// The number of lists.
    pub lists: usize,
    /// The lists that are judged together: what pairs have of their own, and how scales and equal answers are
    /// spread over lists, is learnt from all of them.
    pub lists_per_campaign: usize,
    /// The least and the most items of a list.
    pub items: [usize; 2],
    /// The number of votes on a pair if none is saved, and of the new ones that decide it again.
    pub votes_per_pair: u32,
    /// How the votes on a pair decide it.
    pub decide: String,
    /// The level of that rule, if it is a test.
    pub alpha: Option<f64>,
    /// The world that was simulated, if one was named.
    pub world: Option<String>,
    /// What the simulated assessors are like; nothing where recorded votes answer.
    pub assessors: Option<AssessorModel>,
    /// What came of each strategy.
    pub strategies: Vec<StrategyCalibration>,
}

/// How far the probabilities came true that the votes of a strategy lead to.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StrategyCalibration {
    /// What it is called.
    pub strategy: String,
    /// The votes on a list, in the mean.
    pub votes: f64,
    /// What pairs were found to have of their own, in the mean over campaigns.
    pub pair_spread: f64,
    /// That of two items the one is better: pairs of different worth.
    pub order: CalibrationResult,
    /// That new votes decide a pair in the likeliest of three ways.
    pub relations: CalibrationResult,
}

/// How far some probabilities came true.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CalibrationResult {
    /// The pairs.
    pub pairs: usize,
    /// The expected calibration error: by how much what was said differs from what happened, in the
    /// mean over tenths of what was said, by their numbers of pairs.
    pub expected_error: f64,
    /// The mean of -ln of the probability of what happened.
    pub log_loss: f64,
    /// By tenths of what was said, those that have pairs, how often it happened.
    pub bins: Vec<CalibrationBin>,
}

/// What was said with about the same probability.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct CalibrationBin {
    /// The least probability.
    pub from: f64,
    /// The first above.
    pub to: f64,
    /// The pairs.
    pub pairs: usize,
    /// The mean of what was said.
    #[serde(rename = "said")]
    pub predicted: f64,
    /// How often it happened, with its interval over lists.
    #[serde(rename = "happened")]
    pub observed: MeanEstimate,
}

/// Tenths of a probability.
const BINS: usize = 10;

/// As many times is a pair decided by new votes, where there are enough.
const DECISIONS: u32 = 10;

/// No probability counts for less in a logarithm.
const LEAST: f64 = 1e-12;

/// The random stream of the lists that are drawn again.
const RESAMPLE: u64 = partita_stats::random::stream_id::CALIBRATION_RESAMPLES;

/// What was said of some pairs of a list, added up.
#[derive(Clone, Debug, Default)]
struct Sums {
    /// By tenths: what was said, what happened, and pairs.
    bins: [[f64; 3]; BINS],
    log_loss: f64,
}

impl Sums {
    /// Something was said to be so likely, and happened in this share of cases.
    fn add(&mut self, said: f64, happened: f64) {
        let bin = ((said * BINS as f64) as usize).min(BINS - 1);
        let [sum, outcomes, pairs] = &mut self.bins[bin];
        *sum += said;
        *outcomes += happened;
        *pairs += 1.0;
    }

    fn and(mut self, other: &Self) -> Self {
        for (bin, more) in self.bins.iter_mut().zip(&other.bins) {
            (bin.iter_mut().zip(more)).for_each(|(sum, more)| *sum += more);
        }
        self.log_loss += other.log_loss;
        self
    }
}

/// What came of one list: the votes, and what was said of order and relations.
struct ListCalibration {
    votes: usize,
    spread: f64,
    order: Sums,
    relations: Sums,
}

/// Says how far probabilities come true.
///
/// # Errors
/// If the request is out of range, names an unknown strategy, or the work is stopped.
pub fn calibrate_probabilities(
    request: &SimulationRequest,
    source: CalibrationSource<'_>,
    work: &dyn Work,
) -> Result<ProbabilityCalibration, SimulationError> {
    let contenders = request.contenders()?;
    let (found, world, assessors) = match source {
        CalibrationSource::World(world) => {
            let lists = world_lists(request, world);
            let found = seen_of_each(request, &contenders, &lists, work)?;
            (found, Some(world.name.to_owned()), Some(world.assessors))
        }
        CalibrationSource::Recorded(answers) => {
            let lists = request.recorded(answers, usize::MAX, work)?;
            (
                seen_of_each(request, &contenders, &lists, work)?,
                None,
                None,
            )
        }
    };
    let draws = bootstrap_lists(
        request.lists,
        request.resamples as u64,
        request.seed,
        RESAMPLE,
    );
    let strategies = contenders.iter().zip(found);
    Ok(ProbabilityCalibration {
        seed: request.seed,
        lists: request.lists,
        lists_per_campaign: LISTS_PER_CAMPAIGN.min(request.lists),
        items: request.items.into(),
        votes_per_pair: request.votes,
        decide: request.rule.to_string(),
        alpha: request.rule.alpha().map(|alpha| alpha.value()),
        world,
        assessors,
        strategies: strategies
            .map(|(contender, seen)| calibrated_strategy(&contender.name, &seen, &draws))
            .collect(),
    })
}

/// What came of the lists with each strategy, campaign by campaign.
fn seen_of_each<O: Oracle + Sync>(
    request: &SimulationRequest,
    contenders: &[Contender],
    lists: &[ListUnderStudy<O>],
    work: &dyn Work,
) -> Result<Vec<Vec<ListCalibration>>, SimulationError> {
    let tables: Vec<Option<DecisionTable>> = (0..=request.votes)
        .map(|votes| DecisionTable::new(request.rule, votes))
        .collect();
    let campaigns: Vec<&[ListUnderStudy<O>]> = lists.chunks(LISTS_PER_CAMPAIGN).collect();
    work.begin_stage("simulating", campaigns.len() * contenders.len());
    let of_each = |contender: &Contender| {
        let way = contender.ways.last().expect("a strategy has a way");
        let seen = work.map_without_progress(campaigns.len(), |number| {
            let partly = !way.along.is_empty();
            let seen = campaign(
                campaigns[number],
                way.strategy.as_ref(),
                partly,
                &tables,
                request.rule,
            );
            work.advance(1);
            seen
        })?;
        Ok(seen.into_iter().flatten().collect())
    };
    contenders.iter().map(of_each).collect()
}

/// An oracle that gives so many answers.
struct Limited<'a, O> {
    oracle: &'a O,
    left: std::cell::Cell<usize>,
}

impl<O: Oracle> Oracle for Limited<'_, O> {
    fn items(&self) -> usize {
        self.oracle.items()
    }

    fn answer(&self, a: Item, b: Item, before: u32) -> Option<partita_core::Preference> {
        self.left.set(self.left.get().checked_sub(1)?);
        self.oracle.answer(a, b, before)
    }
}

/// What came of the lists of a campaign. A strategy that is looked at along its way is asked as far as
/// a campaign goes that sets no budget.
fn campaign<O: Oracle>(
    lists: &[ListUnderStudy<O>],
    strategy: &dyn Strategy,
    partly: bool,
    tables: &[Option<DecisionTable>],
    rule: DecisionRule,
) -> Vec<ListCalibration> {
    let asked = |list: &ListUnderStudy<O>| {
        let budget = PooledStrategy::default().budget(list.oracle.items());
        let oracle = Limited {
            oracle: &list.oracle,
            left: std::cell::Cell::new(if partly { budget } else { usize::MAX }),
        };
        ask(strategy, &oracle, list.seed, |_, _| ()).0
    };
    let votes: Vec<ListVotes> = lists.iter().map(asked).collect();
    let spread = estimate_pair_spread(&votes);
    let predictives = PredictiveModel::fit_lists(&votes, spread);
    let seen = lists.iter().zip(&votes).zip(&predictives);
    let seen = seen.map(|((list, votes), predictive)| ListCalibration {
        votes: votes.len(),
        spread,
        order: order(predictive, &list.references[0].worths),
        relations: relations(predictive, votes, &list.oracle, tables, rule),
    });
    seen.collect()
}

/// The pairs of so many items.
fn pairs(items: usize) -> impl Iterator<Item = (Item, Item)> {
    let all = (0..items).flat_map(|b| (0..b).map(move |a| (a, b)));
    all.filter_map(|(a, b)| Some((Item::from_index(a)?, Item::from_index(b)?)))
}

/// What is said of the order of pairs of different worth.
fn order(predictive: &PredictiveModel, worths: &[f64]) -> Sums {
    let mut sums = Sums::default();
    for (a, b) in pairs(worths.len()) {
        let apart = worths[a.index()] - worths[b.index()];
        // Equal worths that were computed may differ by rounding.
        if apart.abs() < 1e-6 {
            continue;
        }
        let better = predictive.order_probability(a, b);
        let said = better.max(1.0 - better);
        let happened = (better >= 0.5) == (apart > 0.0);
        sums.add(said, f64::from(u8::from(happened)));
        let of_truth = if happened { said } else { 1.0 - said };
        sums.log_loss -= of_truth.max(LEAST).ln();
    }
    sums
}

/// What is said of how new votes decide pairs. Where fewer are left, they are as many as are left, but
/// at least half of those that decide a pair.
fn relations<O: Oracle>(
    predictive: &PredictiveModel,
    votes: &ListVotes,
    oracle: &O,
    tables: &[Option<DecisionTable>],
    rule: DecisionRule,
) -> Sums {
    let mut sums = Sums::default();
    let whole = tables.len() - 1;
    for (a, b) in pairs(votes.items()) {
        let before = votes.get(a, b).len();
        let wanted = whole as u32 * DECISIONS;
        let fresh = (before..before + wanted).map_while(|number| oracle.answer(a, b, number));
        let fresh: Vec<_> = fresh.collect();
        let size = fresh.len().min(whole);
        let Some(table) = tables.get(size).and_then(Option::as_ref) else {
            continue;
        };
        if 2 * size < whole {
            continue;
        }
        let mut happened = [0.0; 3];
        let decisions = fresh.chunks_exact(size);
        let share = 1.0 / decisions.len() as f64;
        for answers in decisions {
            let decided = rule.decide(Votes::from_preferences(answers.iter().copied()));
            happened[decided as usize] += share;
        }
        let odds = predictive.relation_probabilities(a, b, table);
        let likeliest = (0..3).fold(0, |best, at| if odds[at] > odds[best] { at } else { best });
        sums.add(odds[likeliest], happened[likeliest]);
        let losses = odds.iter().zip(happened);
        sums.log_loss -= losses
            .map(|(said, happened)| happened * said.max(LEAST).ln())
            .sum::<f64>();
    }
    sums
}

fn calibrated_strategy(
    name: &str,
    seen: &[ListCalibration],
    draws: &[Vec<usize>],
) -> StrategyCalibration {
    let mean =
        |of: &dyn Fn(&ListCalibration) -> f64| seen.iter().map(of).sum::<f64>() / seen.len() as f64;
    let order: Vec<&Sums> = seen.iter().map(|list| &list.order).collect();
    let relations: Vec<&Sums> = seen.iter().map(|list| &list.relations).collect();
    StrategyCalibration {
        strategy: name.to_owned(),
        votes: mean(&|list| list.votes as f64),
        pair_spread: mean(&|list| list.spread),
        order: calibrated(&order, draws),
        relations: calibrated(&relations, draws),
    }
}

fn calibrated(lists: &[&Sums], draws: &[Vec<usize>]) -> CalibrationResult {
    let all = lists
        .iter()
        .fold(Sums::default(), |all, list| all.and(list));
    let pairs: f64 = all.bins.iter().map(|bin| bin[2]).sum();
    let gaps = all
        .bins
        .iter()
        .map(|[said, happened, _]| (said - happened).abs());
    let share = |number: usize, lists: &mut dyn Iterator<Item = &&Sums>| {
        let (happened, pairs) = lists.fold((0.0, 0.0), |(happened, pairs), list| {
            let bin = list.bins[number];
            (happened + bin[1], pairs + bin[2])
        });
        happened / pairs
    };
    let bins = all.bins.iter().enumerate().filter(|(_, bin)| bin[2] > 0.0);
    let bins = bins.map(|(number, [said, happened, count])| CalibrationBin {
        from: number as f64 / BINS as f64,
        to: (number + 1) as f64 / BINS as f64,
        pairs: *count as usize,
        predicted: said / count,
        observed: estimate(
            happened / count,
            (draws.iter())
                .map(|draw| share(number, &mut draw.iter().map(|&list| &lists[list])))
                // A draw without such a pair says nothing.
                .filter(|share| !share.is_nan())
                .collect(),
        ),
    });
    CalibrationResult {
        pairs: pairs as usize,
        expected_error: gaps.sum::<f64>() / f64::max(pairs, 1.0),
        log_loss: all.log_loss / f64::max(pairs, 1.0),
        bins: bins.collect(),
    }
}

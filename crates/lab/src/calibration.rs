//! Calibration study: compares predicted probabilities with observed frequencies.

use std::collections::BTreeMap;

use partita_core::work::Work;
use partita_core::{Item, Preference, Preferences};
use partita_judging::simulate::{
    AssessorModel, Contender, LISTS_PER_CAMPAIGN, ListUnderStudy, MeanEstimate, Oracle,
    RecordedAnswers, RecordedList, SimulationError, SimulationRequest, bootstrap_lists,
    collect_votes, held_out_references, mean_with_interval,
};
use partita_judging::{
    DavidsonModel, DecisionRule, DecisionTable, LAPSE_RATE, ListVotes, PooledStrategy,
    PredictiveModel, Strategy, Votes, estimate_pair_spread, with_lapses,
};
use partita_stats::random::{shuffle, stream, uniform_index};
use serde::Serialize;

use crate::world_simulation::world_lists;
use crate::worlds::World;

/// Source of the answers that strategies get in a calibration study.
#[derive(Clone, Copy, Debug)]
pub enum CalibrationSource<'a> {
    /// Assessors of a simulated world.
    World(&'a World),
    /// Recorded votes of real assessors, which are replayed.
    Recorded(&'a RecordedAnswers),
    /// The same, on lists of items that lie next to each other in the order of all votes.
    CloseItems(&'a RecordedAnswers),
}

/// Parameters of the predictions that are calibrated.
#[derive(Clone, Copy, Debug)]
pub struct PredictionModel {
    /// Lapse rate of the predicted decisions.
    pub lapse_rate: f64,
    /// Lower bound of the standard deviation of the pair effects.
    pub least_spread: f64,
}

impl Default for PredictionModel {
    fn default() -> Self {
        Self {
            lapse_rate: LAPSE_RATE,
            least_spread: 0.0,
        }
    }
}

/// Calibration of predicted probabilities.
///
/// Each strategy asks its questions. Then, for every pair of a list, the predicted probabilities of
/// its order and of the decision by as many new votes ([`PredictiveModel`]) are compared with the
/// true order, and with decisions by votes that the strategy has not seen.
#[derive(Clone, Debug, Serialize)]
pub struct ProbabilityCalibration {
    /// Seed of all random draws.
    pub seed: u64,
    /// Number of lists in the study.
    pub lists: usize,
    /// Number of lists judged together. The standard deviation of pair effects and the prior
    /// distributions of the model's parameters are estimated from all of them.
    pub lists_per_campaign: usize,
    /// Minimum and maximum number of items of a list.
    pub items: [usize; 2],
    /// Number of votes on a pair if the strategy does not stop early, and number of new votes that
    /// decide the pair again, to check the predicted decision.
    pub votes_per_pair: u32,
    /// Name of the decision rule for the votes on a pair.
    pub decide: String,
    /// Significance level of the decision rule, if it is a test.
    pub alpha: Option<f64>,
    /// Name of the simulated world; null if recorded votes answer.
    pub world: Option<String>,
    /// Response model of the simulated assessors; null if recorded votes answer.
    pub assessors: Option<AssessorModel>,
    /// Calibration for each strategy.
    pub strategies: Vec<StrategyCalibration>,
}

/// Calibration of the probabilities predicted from the votes that a strategy asked for.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StrategyCalibration {
    /// Strategy name.
    pub strategy: String,
    /// Mean number of votes per list that the strategy asked for.
    pub votes: f64,
    /// Estimated standard deviation of pair effects (deviations of a pair from the difference in
    /// worth of its items), averaged over campaigns.
    pub pair_spread: f64,
    /// Calibration of the predictions of which item of a pair is better, for pairs whose worths in
    /// the reference list differ.
    pub order: CalibrationResult,
    /// Calibration of the predictions of how new votes decide a pair: first item better, second
    /// better, or equal. The bins use the most likely of the three decisions.
    pub relations: CalibrationResult,
    /// Lapse rate with the highest likelihood of the observed decisions.
    pub best_lapse_rate: f64,
}

/// Calibration of a set of predicted probabilities, one for each pair.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CalibrationResult {
    /// Number of pairs for which a probability was predicted.
    pub pairs: usize,
    /// Expected calibration error: mean absolute difference between predicted probability and
    /// observed frequency over the bins, weighted by their numbers of pairs.
    pub expected_error: f64,
    /// Log loss: mean over the pairs of -ln of the probability that was predicted for the observed
    /// outcome.
    pub log_loss: f64,
    /// Observed frequencies, one bin for each tenth of the predicted probability that has pairs.
    pub bins: Vec<CalibrationBin>,
}

/// Bin of pairs with similar predicted probabilities.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct CalibrationBin {
    /// Lower bound of the predicted probabilities in the bin (inclusive).
    pub from: f64,
    /// Upper bound of the predicted probabilities in the bin (exclusive, but inclusive if it is 1).
    pub to: f64,
    /// Number of pairs in the bin.
    pub pairs: usize,
    /// Mean of the predicted probabilities in the bin.
    #[serde(rename = "said")]
    pub predicted: f64,
    /// Observed frequency of the predicted outcome, with its bootstrap interval over lists.
    #[serde(rename = "happened")]
    pub observed: MeanEstimate,
}

/// Number of equal bins into which predicted probabilities from 0 to 1 are sorted.
const BINS: usize = 10;

/// Maximum number of times that each pair is decided again, each time by new votes, to observe how
/// often a prediction comes true.
const MAX_DECISIONS_PER_PAIR: u32 = 10;

/// Lower bound of a probability whose logarithm is taken, so that the log loss stays finite.
const MIN_PROBABILITY: f64 = 1e-12;

/// Number of bootstrap resamples of the lists in a study of recorded answers.
const ANSWER_RESAMPLES: u64 = 300;

/// Id of the random stream that draws the first item of a list of close items.
const CLOSE_LIST_STREAM: u64 = partita_stats::random::stream_id::CLOSE_LISTS;

/// Id of the random stream that splits the answers about a pair.
const SPLIT_STREAM: u64 = partita_stats::random::stream_id::CALIBRATION_SPLIT;

/// Id of the random stream of the bootstrap that resamples lists.
const RESAMPLE_STREAM: u64 = partita_stats::random::stream_id::CALIBRATION_RESAMPLES;

/// Sums over the predictions for the pairs of a list, from which the calibration is computed.
#[derive(Clone, Debug, Default)]
struct CalibrationSums {
    /// For each bin: sum of predicted probabilities, sum of observed frequencies, and number of
    /// pairs.
    bins: [[f64; 3]; BINS],
    log_loss: f64,
}

impl CalibrationSums {
    /// Adds the predicted probability of a pair, and the frequency with which the predicted outcome
    /// occurred.
    fn add(&mut self, forecast: f64, happened: f64) {
        let bin = ((forecast * BINS as f64) as usize).min(BINS - 1);
        let [sum, outcomes, pairs] = &mut self.bins[bin];
        *sum += forecast;
        *outcomes += happened;
        *pairs += 1.0;
    }

    /// Adds the predicted probabilities of the three decisions on a pair, and the frequencies with
    /// which they occurred. The bin is that of the likeliest decision.
    fn add_decision(&mut self, probabilities: [f64; 3], happened: [f64; 3]) {
        let likeliest = (0..3).fold(0, |best, at| {
            if probabilities[at] > probabilities[best] {
                at
            } else {
                best
            }
        });
        self.add(probabilities[likeliest], happened[likeliest]);
        let losses = probabilities.iter().zip(happened);
        self.log_loss -= losses
            .map(|(forecast, happened)| happened * forecast.max(MIN_PROBABILITY).ln())
            .sum::<f64>();
    }

    /// Adds the sums of another list.
    fn add_list(mut self, other: &Self) -> Self {
        for (bin, more) in self.bins.iter_mut().zip(&other.bins) {
            (bin.iter_mut().zip(more)).for_each(|(sum, more)| *sum += more);
        }
        self.log_loss += other.log_loss;
        self
    }
}

/// Result of one list: number of votes, standard deviation of pair effects as estimated from all
/// lists of its campaign, and calibration sums for the order and for the decisions of its pairs.
struct ListCalibration {
    votes: usize,
    spread: f64,
    order: CalibrationSums,
    relations: CalibrationSums,
    /// Probabilities of the three decisions on each pair without lapses, and their observed
    /// frequencies.
    decisions: Vec<([f64; 3], [f64; 3])>,
}

/// Measures the calibration of probabilities that are predicted from the votes of each strategy.
///
/// # Errors
/// Returns [`SimulationError`] if the request is out of range, if it names an unknown strategy, if
/// there are too few recorded items, or if the work is cancelled.
pub fn calibrate_probabilities(
    request: &SimulationRequest,
    source: CalibrationSource<'_>,
    model: PredictionModel,
    work: &dyn Work,
) -> Result<ProbabilityCalibration, SimulationError> {
    let contenders = request.contenders()?;
    let (found, world, assessors) = match source {
        CalibrationSource::World(world) => {
            let lists = world_lists(request, world);
            let found = calibrate_strategies(request, &contenders, &lists, model, work)?;
            (found, Some(world.name.to_owned()), Some(world.assessors))
        }
        CalibrationSource::Recorded(answers) => {
            let lists = request.recorded_lists(answers, usize::MAX, work)?;
            let found = calibrate_strategies(request, &contenders, &lists, model, work)?;
            (found, None, None)
        }
        CalibrationSource::CloseItems(answers) => {
            let lists = close_lists(request, answers)?;
            let found = calibrate_strategies(request, &contenders, &lists, model, work)?;
            (found, None, None)
        }
    };
    let draws = bootstrap_lists(
        request.lists,
        request.resamples as u64,
        request.seed,
        RESAMPLE_STREAM,
    );
    let strategies = contenders.iter().zip(found);
    Ok(ProbabilityCalibration {
        seed: request.seed,
        lists: request.lists,
        lists_per_campaign: LISTS_PER_CAMPAIGN.min(request.lists),
        items: request.items.into(),
        votes_per_pair: request.votes,
        decide: request.rule.to_string(),
        alpha: request.rule.alpha().map(partita_core::truth::Alpha::value),
        world,
        assessors,
        strategies: strategies
            .map(|(contender, seen)| summarise_strategy(&contender.name, &seen, &draws))
            .collect(),
    })
}

/// Draws lists of items that lie next to each other in the order of all recorded votes, so that
/// they are hard to tell apart.
fn close_lists(
    request: &SimulationRequest,
    answers: &RecordedAnswers,
) -> Result<Vec<ListUnderStudy<RecordedList>>, SimulationError> {
    let (most, collection) = (request.items.1, answers.items());
    if most >= collection {
        return Err(SimulationError::TooFewItems { most, collection });
    }
    let mut votes = ListVotes::new(collection);
    for (a, b, given) in answers.pairs() {
        if let (Some(a), Some(b)) = (Item::from_index(a), Item::from_index(b)) {
            given.iter().for_each(|&answer| votes.add(a, b, answer));
        }
    }
    // With thousands of votes the scale of the prior hardly matters.
    let order = DavidsonModel::with_scale(0.7).fit(&votes).order();
    let list = |number: usize| {
        let (items, seed) = (request.list_size(number), request.list_seed(number));
        let start = uniform_index(
            &mut stream(seed, &[CLOSE_LIST_STREAM]),
            order.len() - items + 1,
        );
        let items: Vec<usize> = (order[start..start + items].iter())
            .map(|item| item.index())
            .collect();
        ListUnderStudy {
            oracle: answers.list(&items, usize::MAX, seed),
            references: held_out_references(answers, &items, request.matters).into(),
            seed,
        }
    };
    Ok((0..request.lists).map(list).collect())
}

/// Calibrates the predicted decisions on pairs with recorded answers by named people: a model of
/// one half of the answers about each pair predicts the decision by the other half.
///
/// # Errors
/// Returns [`SimulationError`] if the work is cancelled.
pub fn calibrate_answers(
    preferences: &Preferences,
    (rule, trials, seed): (DecisionRule, u32, u64),
    model: PredictionModel,
    work: &dyn Work,
) -> Result<ProbabilityCalibration, SimulationError> {
    let preferences = preferences.by_name();
    let queries = preferences.queries();
    let found = work.map("calibrating", trials as usize, |trial| {
        calibrate_split(&preferences, rule, model, seed.wrapping_add(trial as u64))
    })?;
    let mut lists: Vec<ListCalibration> = Vec::new();
    for of_trial in found {
        if lists.is_empty() {
            lists = of_trial;
            continue;
        }
        for (list, more) in lists.iter_mut().zip(of_trial) {
            list.relations = std::mem::take(&mut list.relations).add_list(&more.relations);
            list.decisions.extend(more.decisions);
        }
    }
    let draws = bootstrap_lists(queries.len(), ANSWER_RESAMPLES, seed, RESAMPLE_STREAM);
    let sizes = || queries.iter().map(|query| query.items().len());
    Ok(ProbabilityCalibration {
        seed,
        lists: queries.len(),
        lists_per_campaign: queries.len(),
        items: [sizes().min().unwrap_or(0), sizes().max().unwrap_or(0)],
        votes_per_pair: 0,
        decide: rule.to_string(),
        alpha: rule.alpha().map(partita_core::truth::Alpha::value),
        world: None,
        assessors: None,
        strategies: vec![summarise_strategy("half of the answers", &lists, &draws)],
    })
}

/// Splits the answers about each pair at random, fits the model to one half and sums up its
/// predictions of the decisions by the other half.
fn calibrate_split(
    preferences: &Preferences,
    rule: DecisionRule,
    model: PredictionModel,
    seed: u64,
) -> Vec<ListCalibration> {
    let mut known = Vec::new();
    let mut held: Vec<Vec<((Item, Item), Votes)>> = Vec::new();
    for (number, query) in preferences.queries().iter().enumerate() {
        let mut pairs: BTreeMap<(Item, Item), Vec<Preference>> = BTreeMap::new();
        for vote in query.votes() {
            let (pair, answer) = match vote.a < vote.b {
                true => ((vote.a, vote.b), vote.preference),
                false => ((vote.b, vote.a), vote.preference.mirrored()),
            };
            pairs.entry(pair).or_default().push(answer);
        }
        let mut votes = ListVotes::new(query.items().len());
        let mut rest = Vec::new();
        for (place, ((a, b), mut answers)) in pairs.into_iter().enumerate() {
            answers.sort_unstable();
            let path = [SPLIT_STREAM, number as u64, place as u64];
            shuffle(&mut stream(seed, &path), &mut answers);
            let (first, second) = answers.split_at(answers.len() / 2);
            first.iter().for_each(|&answer| votes.add(a, b, answer));
            rest.push(((a, b), Votes::from_preferences(second.iter().copied())));
        }
        known.push(votes);
        held.push(rest);
    }
    let spread = estimate_pair_spread(&known).max(model.least_spread);
    let predictives = PredictiveModel::fit_lists(&known, spread);
    let lists = known.iter().zip(&predictives).zip(held);
    let calibrated = lists.map(|((votes, predictive), held)| {
        let mut sums = CalibrationSums::default();
        let mut decisions = Vec::new();
        for ((a, b), votes) in held {
            let table = DecisionTable::new(rule, votes.len()).expect("few answers about a pair");
            let mut happened = [0.0; 3];
            happened[rule.decide(votes) as usize] = 1.0;
            let found = predictive.relation_probabilities_without_lapses(a, b, &table);
            sums.add_decision(with_lapses(found, model.lapse_rate), happened);
            decisions.push((found, happened));
        }
        ListCalibration {
            votes: votes.len(),
            spread,
            order: CalibrationSums::default(),
            relations: sums,
            decisions,
        }
    });
    calibrated.collect()
}

/// Returns the lapse rate with the highest likelihood of the observed decisions, in thousandths.
fn best_lapse_rate<'a>(decisions: impl Iterator<Item = &'a ([f64; 3], [f64; 3])> + Clone) -> f64 {
    let log_likelihood = |rate: f64| {
        let decisions = decisions.clone();
        let each = decisions.map(|(found, happened)| {
            let mixed = with_lapses(*found, rate);
            let parts = mixed.iter().zip(happened);
            parts
                .map(|(p, share)| share * p.max(MIN_PROBABILITY).ln())
                .sum::<f64>()
        });
        each.sum::<f64>()
    };
    let rates = (0..=500).map(|thousandths| f64::from(thousandths) / 1_000.0);
    let found = rates.map(|rate| (rate, log_likelihood(rate)));
    let best = found.max_by(|one, other| one.1.total_cmp(&other.1));
    best.map_or(0.0, |(rate, _)| rate)
}

/// Runs each strategy on the lists, campaign by campaign. Returns the results by strategy and list.
fn calibrate_strategies<O: Oracle + Sync>(
    request: &SimulationRequest,
    contenders: &[Contender],
    lists: &[ListUnderStudy<O>],
    model: PredictionModel,
    work: &dyn Work,
) -> Result<Vec<Vec<ListCalibration>>, SimulationError> {
    let tables: Vec<Option<DecisionTable>> = (0..=request.votes)
        .map(|votes| DecisionTable::new(request.rule, votes))
        .collect();
    let campaigns: Vec<&[ListUnderStudy<O>]> = lists.chunks(LISTS_PER_CAMPAIGN).collect();
    work.begin_stage("simulating", campaigns.len() * contenders.len());
    let of_each = |contender: &Contender| {
        let variant = contender.variants.last().expect("a strategy has a variant");
        let seen = work.map_without_progress(campaigns.len(), |number| {
            let partly = !variant.checkpoints.is_empty();
            let seen = calibrate_campaign(
                campaigns[number],
                variant.strategy.as_ref(),
                partly,
                &tables,
                (request.rule, model),
            );
            work.advance(1);
            seen
        })?;
        Ok(seen.into_iter().flatten().collect())
    };
    contenders.iter().map(of_each).collect()
}

/// Oracle that refuses to answer after a total number of answers.
struct LimitedOracle<'a, O> {
    oracle: &'a O,
    remaining: std::cell::Cell<usize>,
}

impl<O: Oracle> Oracle for LimitedOracle<'_, O> {
    fn items(&self) -> usize {
        self.oracle.items()
    }

    fn answer(&self, a: Item, b: Item, before: u32) -> Option<partita_core::Preference> {
        self.remaining.set(self.remaining.get().checked_sub(1)?);
        self.oracle.answer(a, b, before)
    }
}

/// Runs a strategy on the lists of a campaign and sums up its predictions. If `partly` is true,
/// each list gets at most the default budget of votes of the strategy `pooled`.
fn calibrate_campaign<O: Oracle>(
    lists: &[ListUnderStudy<O>],
    strategy: &dyn Strategy,
    partly: bool,
    tables: &[Option<DecisionTable>],
    (rule, model): (DecisionRule, PredictionModel),
) -> Vec<ListCalibration> {
    let asked = |list: &ListUnderStudy<O>| {
        let budget = PooledStrategy::default().budget(list.oracle.items());
        let oracle = LimitedOracle {
            oracle: &list.oracle,
            remaining: std::cell::Cell::new(if partly { budget } else { usize::MAX }),
        };
        collect_votes(strategy, &oracle, list.seed, |_, _| ()).0
    };
    let votes: Vec<ListVotes> = lists.iter().map(asked).collect();
    let spread = estimate_pair_spread(&votes).max(model.least_spread);
    let predictives = PredictiveModel::fit_lists(&votes, spread);
    let seen = lists.iter().zip(&votes).zip(&predictives);
    let seen = seen.map(|((list, votes), predictive)| {
        let decisions = observed_decisions(predictive, votes, &list.oracle, tables, rule);
        let mut relations = CalibrationSums::default();
        for (found, happened) in &decisions {
            relations.add_decision(with_lapses(*found, model.lapse_rate), *happened);
        }
        ListCalibration {
            votes: votes.len(),
            spread,
            order: order_sums(predictive, &list.references[0].worths),
            relations,
            decisions,
        }
    });
    seen.collect()
}

/// Returns all pairs of the items 0 to `items` - 1.
fn all_pairs(items: usize) -> impl Iterator<Item = (Item, Item)> {
    let all = (0..items).flat_map(|b| (0..b).map(move |a| (a, b)));
    all.filter_map(|(a, b)| Some((Item::from_index(a)?, Item::from_index(b)?)))
}

/// Sums the predictions of which item of a pair is better, over pairs whose `worths` differ.
fn order_sums(predictive: &PredictiveModel, worths: &[f64]) -> CalibrationSums {
    let mut sums = CalibrationSums::default();
    for (a, b) in all_pairs(worths.len()) {
        let apart = worths[a.index()] - worths[b.index()];
        // Worths that should be equal may differ by rounding.
        if apart.abs() < 1e-6 {
            continue;
        }
        let better = predictive.order_probability(a, b);
        let forecast = better.max(1.0 - better);
        let happened = (better >= 0.5) == (apart > 0.0);
        sums.add(forecast, f64::from(u8::from(happened)));
        let of_truth = if happened { forecast } else { 1.0 - forecast };
        sums.log_loss -= of_truth.max(MIN_PROBABILITY).ln();
    }
    sums
}

/// Returns the predicted probabilities of how new votes decide each pair, without lapses, and the
/// observed frequencies. A pair with too few remaining answers is decided by those that remain, or
/// skipped if they are less than half of the votes that decide a pair.
fn observed_decisions<O: Oracle>(
    predictive: &PredictiveModel,
    votes: &ListVotes,
    oracle: &O,
    tables: &[Option<DecisionTable>],
    rule: DecisionRule,
) -> Vec<([f64; 3], [f64; 3])> {
    let mut found = Vec::new();
    let whole = tables.len() - 1;
    for (a, b) in all_pairs(votes.items()) {
        let before = votes.get(a, b).len();
        let wanted = whole as u32 * MAX_DECISIONS_PER_PAIR;
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
        let predicted = predictive.relation_probabilities_without_lapses(a, b, table);
        found.push((predicted, happened));
    }
    found
}

/// Computes the calibration for a strategy from the results of its lists.
fn summarise_strategy(
    name: &str,
    seen: &[ListCalibration],
    draws: &[Vec<usize>],
) -> StrategyCalibration {
    let mean =
        |of: &dyn Fn(&ListCalibration) -> f64| seen.iter().map(of).sum::<f64>() / seen.len() as f64;
    let order: Vec<&CalibrationSums> = seen.iter().map(|list| &list.order).collect();
    let relations: Vec<&CalibrationSums> = seen.iter().map(|list| &list.relations).collect();
    StrategyCalibration {
        strategy: name.to_owned(),
        votes: mean(&|list| list.votes as f64),
        pair_spread: mean(&|list| list.spread),
        order: calibration_from_sums(&order, draws),
        relations: calibration_from_sums(&relations, draws),
        best_lapse_rate: best_lapse_rate(seen.iter().flat_map(|list| &list.decisions)),
    }
}

/// Computes the calibration from the sums of the lists; `draws` are bootstrap samples of list
/// indices.
fn calibration_from_sums(lists: &[&CalibrationSums], draws: &[Vec<usize>]) -> CalibrationResult {
    let all = lists
        .iter()
        .fold(CalibrationSums::default(), |all, list| all.add_list(list));
    let pairs: f64 = all.bins.iter().map(|bin| bin[2]).sum();
    let gaps = all
        .bins
        .iter()
        .map(|[forecast, happened, _]| (forecast - happened).abs());
    let share = |number: usize, lists: &mut dyn Iterator<Item = &&CalibrationSums>| {
        let (happened, pairs) = lists.fold((0.0, 0.0), |(happened, pairs), list| {
            let bin = list.bins[number];
            (happened + bin[1], pairs + bin[2])
        });
        happened / pairs
    };
    let bins = all.bins.iter().enumerate().filter(|(_, bin)| bin[2] > 0.0);
    let bins = bins.map(|(number, [forecast, happened, count])| CalibrationBin {
        from: number as f64 / BINS as f64,
        to: (number + 1) as f64 / BINS as f64,
        pairs: *count as usize,
        predicted: forecast / count,
        observed: mean_with_interval(
            happened / count,
            (draws.iter())
                .map(|draw| share(number, &mut draw.iter().map(|&list| &lists[list])))
                // Skip resamples without a pair in this bin.
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

//! Prediction of held-out answers about a pair, from the pair's own votes and from pooled votes of
//! all pairs of the list.

use std::collections::BTreeMap;

use partita_core::work::{self, Work};
use partita_core::{Item, OrderedMap, Preference, Preferences, QueryPreferences};
use partita_judging::simulate::{VotesNeeded, bootstrap_lists, mean_with_interval, share_of_nan};
use partita_judging::{
    DavidsonModel, DecisionRule, ListVotes, RangeError, StoppingRule, Votes, require,
};
use partita_stats::random::{shuffle, stream};
use serde::Serialize;

use crate::stopping::{StoppingResult, simulate_stopping};

/// Errors of the predicted mean votes on pairs, compared with held-out answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct PredictionLoss {
    /// Share of pairs predicted in the wrong direction (the other item preferred), among pairs
    /// whose held-out mean vote is not 0. A predicted mean vote of 0 counts one half.
    pub direction: f64,
    /// Mean squared difference between the predicted mean vote, from -1 to 1, and that of the
    /// held-out answers.
    pub mean_square: f64,
}

/// Prediction errors if a given number of votes on each pair is known.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PredictionPoint {
    /// Number of known votes on each pair.
    pub votes: u32,
    /// Errors of the prediction from the pair's own votes only: posterior mean with a uniform prior
    /// over the shares of the three answers.
    pub own: PredictionLoss,
    /// Errors of the prediction by [Davidson's model](DavidsonModel), fitted to the known votes on
    /// all pairs of the list.
    pub pooled: PredictionLoss,
}

/// Results of predicting held-out answers about a pair from other recorded answers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Prediction {
    /// Number of pairs that have held-out answers.
    pub pairs: usize,
    /// Number of held-out answers.
    pub held_out: usize,
    /// Prediction errors with one known vote on each pair, with two, and so on.
    pub points: Vec<PredictionPoint>,
    /// Number of known votes per pair with which the pooled model predicts as well as the maximum
    /// number of a pair's own votes does, as a share of that maximum; keyed by error measure,
    /// `direction` and `mean_square`. The intervals come from a bootstrap over lists.
    pub needed: OrderedMap<VotesNeeded>,
}

/// Options of the study that predicts held-out answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PredictionOptions {
    /// Maximum number of known votes on a pair to predict from; all further votes are held out.
    pub votes: u32,
    /// Number of random orders of the answers to average over.
    pub splits: u32,
    /// Number of bootstrap resamples of the lists.
    pub resamples: u32,
    /// Seed of all random draws.
    pub seed: u64,
}

impl Default for PredictionOptions {
    /// Returns options that predict from five votes per pair, half of the ten in Urbano et al.
    /// (2010).
    fn default() -> Self {
        Self {
            votes: 5,
            splits: 20,
            resamples: 300,
            seed: 1,
        }
    }
}

/// Options of a study of recorded answers: how well they predict each other, and the effect of
/// early stopping.
#[derive(Clone, Debug, PartialEq)]
pub struct PredictionRequest {
    /// Options for predicting held-out answers.
    pub settings: PredictionOptions,
    /// Decision rule for the votes on a pair.
    pub rule: DecisionRule,
    /// Confidence levels of the predictive stopping rules: a pair is stopped when its outcome is
    /// predicted with at least this probability.
    pub confidence: Vec<f64>,
}

/// Report on how many votes a pair is worth: how well answers predict each other, and the effect of
/// early stopping.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct VotesPerPairReport {
    /// Seed of all random draws.
    pub seed: u64,
    /// Number of random orders of the answers that were averaged.
    pub splits: u32,
    /// Maximum number of known votes on a pair to predict from.
    pub votes: u32,
    /// Name of the decision rule for the votes on a pair.
    pub decide: String,
    /// Significance level of the decision rule, if it is a test.
    pub alpha: Option<f64>,
    /// Results of predicting held-out answers from the other answers.
    #[serde(flatten)]
    pub prediction: Prediction,
    /// Effect of each early stopping rule on votes and decisions.
    pub stops: Vec<StoppingRuleResult>,
}

/// Effect of one early stopping rule, replayed on recorded answers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StoppingRuleResult {
    /// Name of the stopping rule: `full`, `curtailed` or `predictive:` and the confidence.
    pub stop: String,
    /// Share of votes used, and shares of decisions kept and reversed.
    #[serde(flatten)]
    pub found: StoppingResult,
}

/// Error of the study that predicts held-out answers.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum PredictionError {
    /// A number in the request is out of range.
    #[error(transparent)]
    OutOfRange(#[from] RangeError),
    /// No pair has more answers than `votes`, so no answers are held out.
    #[error(
        "no pair has more than {votes} answers, so that none is left to be predicted by {votes}; {most} are the most"
    )]
    NothingHeldOut {
        /// Number of votes on a pair to predict from.
        votes: u32,
        /// Maximum number of answers about a pair in the data.
        most: u32,
    },
    /// The work was cancelled by the caller.
    #[error(transparent)]
    Stopped(#[from] work::WorkError),
}

/// Measures how many votes a pair is worth, by how well recorded answers [predict each
/// other](predict) and by the effect of [early stopping](simulate_stopping).
///
/// # Errors
/// Returns [`PredictionError`] if a number is out of range, if there is nothing to predict, or if
/// the work is cancelled.
pub fn measure_vote_value(
    preferences: &Preferences,
    request: &PredictionRequest,
    work: &dyn Work,
) -> Result<VotesPerPairReport, PredictionError> {
    let settings = request.settings;
    let (votes, splits, seed) = (settings.votes, settings.splits, settings.seed);
    for &confidence in &request.confidence {
        let holds = confidence > 0.0 && confidence <= 1.0;
        require("stop_at", confidence, "above 0 and at most 1", holds)?;
    }
    let prediction = predict(preferences, settings, work)?;
    let mut ways = vec![
        ("full".to_owned(), StoppingRule::AllVotes),
        ("curtailed".to_owned(), StoppingRule::Curtailed),
    ];
    let levels = request.confidence.iter();
    ways.extend(levels.map(|&p| (format!("predictive:{p}"), StoppingRule::Predictive(p))));
    let found = work.map("stopping early", ways.len(), |way| {
        simulate_stopping(preferences, request.rule, ways[way].1, splits, seed)
    })?;
    let stops = ways.into_iter().zip(found);
    Ok(VotesPerPairReport {
        seed,
        splits,
        votes,
        decide: request.rule.to_string(),
        alpha: request.rule.alpha().map(partita_core::truth::Alpha::value),
        prediction,
        stops: stops
            .map(|((stop, _), found)| StoppingRuleResult { stop, found })
            .collect(),
    })
}

/// Id of the random stream of the order of a pair's answers.
const ORDER_STREAM: u64 = partita_stats::random::stream_id::PREDICTION_ORDER;
/// Id of the random stream of the bootstrap that resamples lists.
const RESAMPLE_STREAM: u64 = partita_stats::random::stream_id::PREDICTION_RESAMPLES;

/// Prediction errors of a list, summed over its pairs and random orders: squared errors, number of
/// pairs, pairs in the wrong direction, and pairs with a nonzero held-out mean vote.
type ErrorSums = [f64; 4];

/// Function that selects one of the two errors of a [`PredictionLoss`].
type ErrorMeasure = fn(PredictionLoss) -> f64;

/// Measures how well k votes on each pair of a list predict its other answers, for each k: from the
/// pair's own votes, and from one model of k votes on every pair of the list.
///
/// Pairs with no more answers than `votes` are used by the model but have nothing to predict.
///
/// # Errors
/// Returns [`PredictionError`] if a number is out of range, if no pair has more answers than
/// `votes`, or if the work is cancelled.
pub fn predict(
    preferences: &Preferences,
    settings: PredictionOptions,
    work: &dyn Work,
) -> Result<Prediction, PredictionError> {
    let PredictionOptions { votes, splits, .. } = settings;
    let few = (1..=1_000).contains(&votes);
    require("votes", votes.into(), "between 1 and 1000", few)?;
    let few = (1..=100_000).contains(&splits);
    require("trials", splits.into(), "between 1 and 100000", few)?;
    let preferences = preferences.by_name();
    let lists: Vec<ListAnswers> = preferences.queries().iter().map(ListAnswers::new).collect();
    let counts = || lists.iter().flat_map(|list| &list.pairs);
    let wanted = settings.votes as usize;
    let held = || counts().filter_map(|(_, answers)| answers.len().checked_sub(wanted + 1));
    if held().count() == 0 {
        let most = counts()
            .map(|(_, answers)| answers.len())
            .max()
            .unwrap_or(0);
        return Err(PredictionError::NothingHeldOut {
            votes,
            most: most as u32,
        });
    }
    // sums[list][k - 1] for the pair's own votes and for the model.
    let sums: Vec<Vec<[ErrorSums; 2]>> = work.map("predicting", lists.len(), |list| {
        lists[list].error_sums(list as u64, settings)
    })?;
    let everyone: Vec<usize> = (0..lists.len()).collect();
    let points: Vec<PredictionPoint> = (0..settings.votes)
        .map(|k| {
            let [own, pooled] = prediction_losses(&sums, &everyone, k as usize);
            PredictionPoint {
                votes: k + 1,
                own,
                pooled,
            }
        })
        .collect();
    let draws = bootstrap_lists(
        lists.len(),
        settings.resamples.into(),
        settings.seed,
        RESAMPLE_STREAM,
    );
    let measures: [(&str, ErrorMeasure); 2] = [
        ("direction", |error| error.direction),
        ("mean_square", |error| error.mean_square),
    ];
    let needed = measures.map(|(name, which)| {
        let share = |lists: &[usize]| votes_needed_share(&sums, lists, wanted, which);
        let (found, at_most) = share(&everyone);
        let drawn: Vec<f64> = draws.iter().map(|draw| share(draw).0).collect();
        let needed = VotesNeeded {
            never: share_of_nan(&drawn),
            share: (!found.is_nan()).then(|| mean_with_interval(found, drawn)),
            at_most,
        };
        (name, needed)
    });
    Ok(Prediction {
        pairs: held().count(),
        held_out: held().map(|more| more + 1).sum(),
        points,
        needed: needed.into_iter().collect(),
    })
}

/// Answers about the pairs of one list. The first item of a pair is the one with the lower number.
struct ListAnswers {
    items: usize,
    pairs: Vec<((Item, Item), Vec<Preference>)>,
}

impl ListAnswers {
    fn new(query: &QueryPreferences) -> Self {
        let mut by_pair: BTreeMap<(Item, Item), Vec<Preference>> = BTreeMap::new();
        for given in query.votes() {
            let (a, b, mut answer) = (given.a, given.b, given.preference);
            if a > b {
                answer = answer.mirrored();
            }
            by_pair
                .entry((a.min(b), a.max(b)))
                .or_default()
                .push(answer);
        }
        Self {
            items: query.items().len(),
            pairs: by_pair.into_iter().collect(),
        }
    }

    /// Returns the summed errors with 1, 2, ... known votes on each pair: those of the prediction
    /// from the pair's own votes, and those of the pooled model. `number` is the index of the list.
    fn error_sums(&self, number: u64, settings: PredictionOptions) -> Vec<[ErrorSums; 2]> {
        let most = settings.votes as usize;
        let mut sums = vec![[ErrorSums::default(); 2]; most];
        for split in 0..u64::from(settings.splits) {
            let mut shuffled: Vec<Vec<Preference>> = Vec::new();
            for ((a, b), answers) in &self.pairs {
                let path = [
                    ORDER_STREAM,
                    split,
                    number,
                    a.index() as u64,
                    b.index() as u64,
                ];
                let mut answers = answers.clone();
                shuffle(&mut stream(settings.seed, &path), &mut answers);
                shuffled.push(answers);
            }
            let mut known = ListVotes::new(self.items);
            for (k, sums) in sums.iter_mut().enumerate() {
                for (((a, b), _), answers) in self.pairs.iter().zip(&shuffled) {
                    if let Some(&answer) = answers.get(k) {
                        known.add(*a, *b, answer);
                    }
                }
                let fit = DavidsonModel::default().fit(&known);
                for (((a, b), _), answers) in self.pairs.iter().zip(&shuffled) {
                    let Some(later) = answers.get(most..).filter(|later| !later.is_empty()) else {
                        continue;
                    };
                    let later = mean_vote(later);
                    let own = shrunken_mean(&answers[..=k]);
                    for (sums, predicted) in sums.iter_mut().zip([own, fit.mean_vote(*a, *b)]) {
                        add_error(sums, predicted, later);
                    }
                }
            }
        }
        sums
    }
}

/// Returns the mean of the votes, from -1 (all for the second item) to 1 (all for the first).
fn mean_vote(answers: &[Preference]) -> f64 {
    let votes = Votes::from_preferences(answers.iter().copied());
    votes.margin() as f64 / f64::from(votes.len())
}

/// Returns the posterior mean of the mean vote, with a uniform Dirichlet prior for the shares of
/// the three answers. It is shrunk towards 0, because a mean of few votes is often extreme.
fn shrunken_mean(answers: &[Preference]) -> f64 {
    let votes = Votes::from_preferences(answers.iter().copied());
    votes.margin() as f64 / (f64::from(votes.len()) + 3.0)
}

/// Adds the error of a predicted mean vote, compared with the mean of the held-out ("later") votes.
fn add_error(sums: &mut ErrorSums, predicted: f64, later: f64) {
    sums[0] += (predicted - later).powi(2);
    sums[1] += 1.0;
    if later != 0.0 {
        sums[2] += match predicted * later {
            0.0 => 0.5,
            product => f64::from(u8::from(product < 0.0)),
        };
        sums[3] += 1.0;
    }
}

/// Returns the errors over the given lists with k + 1 known votes: from the pair's own votes, and
/// from the pooled model.
fn prediction_losses(
    sums: &[Vec<[ErrorSums; 2]>],
    lists: &[usize],
    k: usize,
) -> [PredictionLoss; 2] {
    [0, 1].map(|which| {
        let mut all = ErrorSums::default();
        for &list in lists {
            let more = sums[list][k][which];
            (all.iter_mut().zip(more)).for_each(|(sum, more)| *sum += more);
        }
        PredictionLoss {
            direction: all[2] / all[3],
            mean_square: all[0] / all[1],
        }
    })
}

/// Returns the number of known votes at which the error of the pooled model falls to the error of
/// `votes` own votes, as a share of `votes`; NaN if it never does. The flag is true if one vote is
/// already enough.
fn votes_needed_share(
    sums: &[Vec<[ErrorSums; 2]>],
    lists: &[usize],
    votes: usize,
    which: ErrorMeasure,
) -> (f64, bool) {
    let at = |k: usize| prediction_losses(sums, lists, k).map(which);
    let [goal, _] = at(votes - 1);
    let mut before = f64::NAN;
    for k in 0..votes {
        let [_, error] = at(k);
        if error <= goal {
            let (needed, at_most) = match k {
                0 => (1.0, true),
                _ => (k as f64 + (before - goal) / (before - error), false),
            };
            return (needed / votes as f64, at_most);
        }
        before = error;
    }
    (f64::NAN, false)
}

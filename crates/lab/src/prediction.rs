//! How well some answers predict the others, by themselves and pooled.

use std::collections::BTreeMap;

use partita_core::work::{self, Work};
use partita_core::{Item, OrderedMap, Preference, Preferences, QueryPreferences};
use partita_judging::simulate::{
    MeanEstimate, VotesNeeded, bootstrap_lists, estimate, share_of_never,
};
use partita_judging::{
    DavidsonModel, DecisionRule, ListVotes, RangeError, StoppingRule, Votes, require,
};
use partita_stats::random::{shuffle, stream};
use serde::Serialize;

use crate::stopping::{StoppingResult, simulate_stopping};

/// How far predictions of held-out answers are off.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct PredictionLoss {
    /// The share of pairs that differ by the held-out answers and are predicted the other way round;
    /// those that are predicted to be equal count one half.
    pub direction: f64,
    /// The mean squared difference of the predicted mean vote, from -1 to 1, and that of the held-out
    /// answers.
    pub mean_square: f64,
}

/// How well so many votes on each pair predict others.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PredictionPoint {
    /// The votes on a pair.
    pub votes: u32,
    /// The errors of what the pair's own votes let expect, by the uniform prior of the three shares.
    pub own: PredictionLoss,
    /// The errors of [Davidson's model](Davidson) of as many votes on every pair of the list.
    pub pooled: PredictionLoss,
}

/// What some answers say of others.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Prediction {
    /// The pairs with answers to hold out.
    pub pairs: usize,
    /// The held-out answers about them.
    pub held_out: usize,
    /// The errors with one vote on a pair, with two, and so on.
    pub points: Vec<PredictionPoint>,
    /// The votes with which the model is as good as all of a pair's own, as a share of
    /// those, by `direction` and by `mean_square`; the intervals come from drawing the lists again.
    pub needed: OrderedMap<VotesNeeded>,
}

/// How predictions are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PredictionOptions {
    /// The most votes on a pair to predict by; all others are held out.
    pub votes: u32,
    /// How often it is drawn which answers come first.
    pub splits: u32,
    /// How often the lists are drawn again.
    pub resamples: u32,
    /// The seed of what is drawn.
    pub seed: u64,
}

impl Default for PredictionOptions {
    /// Half of ten votes.
    fn default() -> Self {
        Self {
            votes: 5,
            splits: 20,
            resamples: 300,
            seed: 1,
        }
    }
}

/// What is asked of recorded answers: how well some predict the others, and what stopping early would
/// have made of them.
#[derive(Clone, Debug, PartialEq)]
pub struct PredictionRequest {
    /// How predictions are tried.
    pub settings: PredictionOptions,
    /// How the votes on a pair decide it.
    pub rule: DecisionRule,
    /// How confident of the outcome one has to be to stop early.
    pub confidence: Vec<f64>,
}

/// How many votes a pair is worth.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct VoteValueReport {
    /// The seed of what was drawn.
    pub seed: u64,
    /// How often it was drawn which answers come first.
    pub splits: u32,
    /// The most votes on a pair to predict by.
    pub votes: u32,
    /// How the votes on a pair decide it.
    pub decide: String,
    /// The level of that rule, if it is a test.
    pub alpha: Option<f64>,
    /// How well some answers predict the others.
    #[serde(flatten)]
    pub prediction: Prediction,
    /// What each way to stop would have made of the answers.
    pub stops: Vec<StoppingRuleResult>,
}

/// What a way to stop would have made of answers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StoppingRuleResult {
    /// The way: `full`, `curtailed` or `predictive:` and the confidence.
    pub stop: String,
    /// What came of it.
    #[serde(flatten)]
    pub found: StoppingResult,
}

/// Why there is no prediction.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum PredictionError {
    /// A number cannot be asked for.
    #[error(transparent)]
    OutOfRange(#[from] RangeError),
    /// There is nothing to predict.
    #[error(
        "no pair has more than {votes} answers, so that none is left to be predicted by {votes}; {most} are the most"
    )]
    NothingHeldOut {
        /// The votes to predict by.
        votes: u32,
        /// The most answers to a pair.
        most: u32,
    },
    /// The work was not finished.
    #[error(transparent)]
    Stopped(#[from] work::WorkError),
}

/// Says how many votes a pair is worth, by how well recorded answers [predict each other](predict) and
/// by what [stopping early](stopped) would have made of them.
pub fn measure_vote_value(
    preferences: &Preferences,
    request: &PredictionRequest,
    work: &dyn Work,
) -> Result<VoteValueReport, PredictionError> {
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
    Ok(VoteValueReport {
        seed,
        splits,
        votes,
        decide: request.rule.to_string(),
        alpha: request.rule.alpha().map(|alpha| alpha.value()),
        prediction,
        stops: stops
            .map(|((stop, _), found)| StoppingRuleResult { stop, found })
            .collect(),
    })
}

/// The random streams of this file: the order of a pair's answers, and the lists drawn again.
const ORDER: u64 = partita_stats::random::stream_id::PREDICTION_ORDER;
const RESAMPLE: u64 = partita_stats::random::stream_id::PREDICTION_RESAMPLES;

/// The errors of a list, added up over its pairs and splits: squares and pairs, wrong directions and
/// pairs that have one.
type Sums = [f64; 4];

/// One of the two errors.
type Measure = fn(PredictionLoss) -> f64;

/// How well k votes on each pair of a list predict its other answers, for each k: by the pair's own
/// votes, and by one model of k votes on every pair of the list.
///
/// Pairs with no more answers than `votes` help the model, but there is nothing about them to predict.
///
/// # Errors
/// If no pair has more answers than `votes`, or the work is stopped.
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
    let lists: Vec<List> = preferences.queries().iter().map(List::new).collect();
    let counts = || lists.iter().flat_map(|list| &list.pairs);
    let wanted = settings.votes as usize;
    let held = || counts().filter_map(|(_, said)| said.len().checked_sub(wanted + 1));
    if held().count() == 0 {
        let most = counts().map(|(_, said)| said.len()).max().unwrap_or(0);
        return Err(PredictionError::NothingHeldOut {
            votes,
            most: most as u32,
        });
    }
    // sums[list][k - 1] of the own votes and of the model.
    let sums: Vec<Vec<[Sums; 2]>> = work.map("predicting", lists.len(), |list| {
        lists[list].sums(list as u64, settings)
    })?;
    let everyone: Vec<usize> = (0..lists.len()).collect();
    let points: Vec<PredictionPoint> = (0..settings.votes)
        .map(|k| {
            let [own, pooled] = errors(&sums, &everyone, k as usize);
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
        RESAMPLE,
    );
    let measures: [(&str, Measure); 2] = [
        ("direction", |error| error.direction),
        ("mean_square", |error| error.mean_square),
    ];
    let needed = measures.map(|(name, which)| {
        let share = |lists: &[usize]| share(&sums, lists, wanted, which);
        let (found, at_most) = share(&everyone);
        let drawn: Vec<f64> = draws.iter().map(|draw| share(draw).0).collect();
        let needed = VotesNeeded {
            never: share_of_never(&drawn),
            share: (!found.is_nan()).then(|| match lists.len() {
                // One list drawn again is the same list.
                1 => MeanEstimate {
                    mean: found,
                    lower: f64::NAN,
                    upper: f64::NAN,
                },
                _ => estimate(found, drawn),
            }),
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

/// The answers about the pairs of one list, the item with the lower number first.
struct List {
    items: usize,
    pairs: Vec<((Item, Item), Vec<Preference>)>,
}

impl List {
    fn new(query: &QueryPreferences) -> Self {
        let mut said: BTreeMap<(Item, Item), Vec<Preference>> = BTreeMap::new();
        for given in query.votes() {
            let (a, b, mut answer) = (given.a, given.b, given.preference);
            if a > b {
                answer = answer.mirrored();
            }
            said.entry((a.min(b), a.max(b))).or_default().push(answer);
        }
        Self {
            items: query.items().len(),
            pairs: said.into_iter().collect(),
        }
    }

    /// The errors with 1, 2, ... votes on a pair.
    fn sums(&self, number: u64, settings: PredictionOptions) -> Vec<[Sums; 2]> {
        let most = settings.votes as usize;
        let mut sums = vec![[Sums::default(); 2]; most];
        for split in 0..u64::from(settings.splits) {
            let mut said: Vec<Vec<Preference>> = Vec::new();
            for ((a, b), answers) in &self.pairs {
                let path = [ORDER, split, number, a.index() as u64, b.index() as u64];
                let mut answers = answers.clone();
                shuffle(&mut stream(settings.seed, &path), &mut answers);
                said.push(answers);
            }
            let mut known = ListVotes::new(self.items);
            for (k, sums) in sums.iter_mut().enumerate() {
                for (((a, b), _), answers) in self.pairs.iter().zip(&said) {
                    if let Some(&answer) = answers.get(k) {
                        known.add(*a, *b, answer);
                    }
                }
                let fit = DavidsonModel::default().fit(&known);
                for (((a, b), _), answers) in self.pairs.iter().zip(&said) {
                    let Some(later) = answers.get(most..).filter(|later| !later.is_empty()) else {
                        continue;
                    };
                    let later = mean(later);
                    let own = expected(&answers[..=k]);
                    for (sums, predicted) in sums.iter_mut().zip([own, fit.mean_vote(*a, *b)]) {
                        count(sums, predicted, later);
                    }
                }
            }
        }
        sums
    }
}

/// The mean vote, from -1 to 1.
fn mean(said: &[Preference]) -> f64 {
    let votes = Votes::from_preferences(said.iter().copied());
    votes.margin() as f64 / f64::from(votes.len())
}

/// The mean vote to be expected after these, whose three shares had the uniform prior. It is nearer to
/// 0 than their mean, which few votes exaggerate.
fn expected(said: &[Preference]) -> f64 {
    let votes = Votes::from_preferences(said.iter().copied());
    votes.margin() as f64 / (f64::from(votes.len()) + 3.0)
}

fn count(sums: &mut Sums, predicted: f64, later: f64) {
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

/// The errors of the own votes and of the model over some lists.
fn errors(sums: &[Vec<[Sums; 2]>], lists: &[usize], k: usize) -> [PredictionLoss; 2] {
    [0, 1].map(|which| {
        let mut all = Sums::default();
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

/// The votes at which the model's error falls to that of all own votes, as a share of
/// those; NaN if it never does.
fn share(sums: &[Vec<[Sums; 2]>], lists: &[usize], votes: usize, which: Measure) -> (f64, bool) {
    let at = |k: usize| errors(sums, lists, k).map(which);
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

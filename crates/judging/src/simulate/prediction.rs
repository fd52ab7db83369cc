//! How well some answers foretell the others, by themselves and pooled.

use partita_core::{Answer, Item, Preferences, QueryPreferences};
use partita_stats::streams::{index_below, shuffle, stream};

use super::study::{Estimate, Needed, estimate};
use crate::list_votes::ListVotes;
use crate::model::Davidson;
use crate::votes::Votes;

/// How far predictions of held-out answers are off.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PredictionError {
    /// The share of pairs that differ by the held-out answers and are foretold the other way round;
    /// those that are foretold to be equal count one half.
    pub direction: f64,
    /// The mean squared difference of the foretold mean vote, from -1 to 1, and that of the held-out
    /// answers.
    pub mean_square: f64,
}

/// How well so many votes on each pair foretell others.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PredictionPoint {
    /// The votes on a pair.
    pub votes: u32,
    /// The errors of what the pair's own votes let expect, by the uniform prior of the three shares.
    pub own: PredictionError,
    /// The errors of [Davidson's model](Davidson) of as many votes on every pair of the list.
    pub pooled: PredictionError,
}

/// What some answers say of others.
#[derive(Clone, Debug, PartialEq)]
pub struct Prediction {
    /// The pairs with answers to hold out.
    pub pairs: usize,
    /// The held-out answers about them.
    pub held_out: usize,
    /// The errors with one vote on a pair, with two, and so on.
    pub points: Vec<PredictionPoint>,
    /// The votes with which the model is as good as all of a pair's own, as a share of
    /// those, by `direction` and by `mean_square`; the intervals come from drawing the lists again.
    pub needed: Vec<Needed>,
}

/// How predictions are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PredictionSettings {
    /// The most votes on a pair to foretell by; all others are held out.
    pub votes: u32,
    /// How often it is drawn which answers come first.
    pub splits: u32,
    /// How often the lists are drawn again.
    pub resamples: u32,
    /// The seed of what is drawn.
    pub seed: u64,
}

impl Default for PredictionSettings {
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

/// There is nothing to foretell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "no pair has more than {votes} answers, so that none is left to be foretold by {votes}; {most} are the most"
)]
pub struct NothingHeldOut {
    /// The votes to foretell by.
    pub votes: u32,
    /// The most answers to a pair.
    pub most: u32,
}

/// The random streams of this file: the order of a pair's answers, and the lists drawn again.
const ORDER: u64 = 0x004_060;
const RESAMPLE: u64 = 0x004_061;

/// The errors of a list, added up over its pairs and splits: squares and pairs, wrong directions and
/// pairs that have one.
type Sums = [f64; 4];

/// One of the two errors.
type Measure = fn(PredictionError) -> f64;

/// How well k votes on each pair of a list foretell its other answers, for each k: by the pair's own
/// votes, and by one model of k votes on every pair of the list.
///
/// Pairs with no more answers than `votes` help the model, but there is nothing about them to foretell.
///
/// ```
/// use partita_core::{Answer, Given, Preferences};
/// use partita_judging::simulate::{PredictionSettings, predict};
///
/// let mut preferences = Preferences::new();
/// for who in ["ann", "bob", "cy"] {
///     for (a, b) in [("x", "y"), ("y", "z"), ("x", "z")] {
///         preferences.add(Given::new("q", a, b, who, Answer::A))?;
///     }
/// }
/// let settings = PredictionSettings { votes: 2, ..PredictionSettings::default() };
/// let found = predict(&preferences, settings)?;
/// assert_eq!((found.pairs, found.held_out), (3, 3));
/// // Everybody says the same.
/// assert_eq!(found.points[0].own.direction, 0.0);
/// assert_eq!(found.points[0].pooled.direction, 0.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If no pair has more answers than `votes`.
pub fn predict(
    preferences: &Preferences,
    settings: PredictionSettings,
) -> Result<Prediction, NothingHeldOut> {
    let preferences = preferences.by_name();
    let lists: Vec<List> = preferences.queries().iter().map(List::new).collect();
    let counts = || lists.iter().flat_map(|list| &list.pairs);
    let wanted = settings.votes as usize;
    let held = || counts().filter_map(|(_, _, said)| said.len().checked_sub(wanted + 1));
    if wanted == 0 || held().count() == 0 {
        let most = counts().map(|(_, _, said)| said.len()).max().unwrap_or(0);
        return Err(NothingHeldOut {
            votes: settings.votes,
            most: most as u32,
        });
    }
    // sums[list][k - 1] of the own votes and of the model.
    let sums: Vec<Vec<[Sums; 2]>> = (lists.iter().zip(0u64..))
        .map(|(list, number)| list.sums(number, settings))
        .collect();
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
    let draws: Vec<Vec<usize>> = (0..u64::from(settings.resamples))
        .map(|number| {
            let mut random = stream(settings.seed, &[RESAMPLE, number]);
            let draw = everyone.iter();
            draw.map(|_| index_below(&mut random, lists.len()))
                .collect()
        })
        .collect();
    let measures: [(&str, Measure); 2] = [
        ("direction", |error| error.direction),
        ("mean_square", |error| error.mean_square),
    ];
    let needed = measures.map(|(name, which)| {
        let share = |lists: &[usize]| share(&sums, lists, wanted, which);
        let (found, at_most) = share(&everyone);
        let drawn = || draws.iter().map(|draw| share(draw).0).collect();
        Needed {
            measure: name.to_owned(),
            share: (!found.is_nan()).then(|| match lists.len() {
                // One list drawn again is the same list.
                1 => Estimate {
                    mean: found,
                    lower: f64::NAN,
                    upper: f64::NAN,
                },
                _ => estimate(found, drawn()),
            }),
            at_most,
        }
    });
    Ok(Prediction {
        pairs: held().count(),
        held_out: held().map(|more| more + 1).sum(),
        points,
        needed: needed.into(),
    })
}

/// The answers about the pairs of one list, the item with the lower number first.
struct List {
    items: usize,
    pairs: Vec<(Item, Item, Vec<Answer>)>,
}

impl List {
    fn new(query: &QueryPreferences) -> Self {
        let items = query.items().len();
        let mut said: std::collections::BTreeMap<(Item, Item), Vec<Answer>> = Default::default();
        for given in query.answers() {
            let (key, answer) = match given.a < given.b {
                true => ((given.a, given.b), given.answer),
                false => ((given.b, given.a), given.answer.mirrored()),
            };
            said.entry(key).or_default().push(answer);
        }
        let pairs = said.into_iter().map(|((a, b), said)| (a, b, said));
        Self {
            items,
            pairs: pairs.collect(),
        }
    }

    /// The errors with 1, 2, ... votes on a pair.
    fn sums(&self, number: u64, settings: PredictionSettings) -> Vec<[Sums; 2]> {
        let most = settings.votes as usize;
        let mut sums = vec![[Sums::default(); 2]; most];
        for split in 0..u64::from(settings.splits) {
            let mut said: Vec<Vec<Answer>> = Vec::new();
            for (a, b, answers) in &self.pairs {
                let path = [ORDER, split, number, a.index() as u64, b.index() as u64];
                let mut answers = answers.clone();
                shuffle(&mut stream(settings.seed, &path), &mut answers);
                said.push(answers);
            }
            let mut known = ListVotes::new(self.items);
            for (k, sums) in sums.iter_mut().enumerate() {
                for ((a, b, _), answers) in self.pairs.iter().zip(&said) {
                    if let Some(&answer) = answers.get(k) {
                        known.add(*a, *b, answer);
                    }
                }
                let fit = Davidson::default().fit(&known);
                for ((a, b, _), answers) in self.pairs.iter().zip(&said) {
                    let Some(later) = answers.get(most..).filter(|later| !later.is_empty()) else {
                        continue;
                    };
                    let later = mean(later);
                    let own = expected(&answers[..=k]);
                    for (sums, foretold) in sums.iter_mut().zip([own, fit.mean_vote(*a, *b)]) {
                        count(sums, foretold, later);
                    }
                }
            }
        }
        sums
    }
}

/// The mean vote, from -1 to 1.
fn mean(said: &[Answer]) -> f64 {
    let votes = Votes::of(said.iter().copied());
    votes.margin() as f64 / f64::from(votes.len())
}

/// The mean vote to be expected after these, whose three shares had the uniform prior. It is nearer to
/// 0 than their mean, which few votes exaggerate.
fn expected(said: &[Answer]) -> f64 {
    let votes = Votes::of(said.iter().copied());
    votes.margin() as f64 / (f64::from(votes.len()) + 3.0)
}

fn count(sums: &mut Sums, foretold: f64, later: f64) {
    sums[0] += (foretold - later).powi(2);
    sums[1] += 1.0;
    if later != 0.0 {
        sums[2] += match foretold * later {
            0.0 => 0.5,
            product => f64::from(u8::from(product < 0.0)),
        };
        sums[3] += 1.0;
    }
}

/// The errors of the own votes and of the model over some lists.
fn errors(sums: &[Vec<[Sums; 2]>], lists: &[usize], k: usize) -> [PredictionError; 2] {
    [0, 1].map(|which| {
        let mut all = Sums::default();
        for &list in lists {
            let more = sums[list][k][which];
            all.iter_mut()
                .zip(more)
                .for_each(|(sum, more)| *sum += more);
        }
        PredictionError {
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

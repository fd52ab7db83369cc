//! Recorded votes, replayed as the answers of a simulation.

use std::collections::{BTreeMap, HashMap};

use partita_core::{Item, Names, Preference};
use partita_stats::random::{shuffle, stream};

use super::run::Oracle;
use crate::model::vote_spread;
use crate::range_error::{RangeError, require_nonnegative};

/// All recorded preference answers about the pairs of a collection of items. Items are numbered in
/// the order of their names.
#[derive(Clone, Debug, Default)]
pub struct RecordedAnswers {
    /// Number of items of the collection.
    items: usize,
    /// Answers about each pair of item numbers, the lower number first.
    answers: BTreeMap<(usize, usize), Vec<Preference>>,
}

/// Id of the random stream that shuffles the recorded answers about a pair before they are
/// replayed.
const REPLAY_ORDER_STREAM: u64 = partita_stats::random::stream_id::RECORDED_ORDER;

impl RecordedAnswers {
    /// Creates the record from answers about pairs of items; the order of the answers does not
    /// matter.
    pub fn new(names: &Names, given: impl IntoIterator<Item = (Item, Item, Preference)>) -> Self {
        let mut numbers = vec![0; names.len()];
        for (number, item) in names.sorted_items().into_iter().enumerate() {
            numbers[item.index()] = number;
        }
        let mut answers: BTreeMap<(usize, usize), Vec<Preference>> = BTreeMap::new();
        for (a, b, answer) in given {
            let [a, b] = [a, b].map(|item| numbers[item.index()]);
            let answer = if a < b { answer } else { answer.mirrored() };
            answers
                .entry((a.min(b), a.max(b)))
                .or_default()
                .push(answer);
        }
        for given in answers.values_mut() {
            given.sort_unstable();
        }
        Self {
            items: names.len(),
            answers,
        }
    }

    /// Creates the record from votes on a numeric scale: positive numbers prefer the first item,
    /// negative ones the second, and absolute values up to `equal` mean that neither is preferred.
    pub fn from_vote_sizes(
        names: &Names,
        pairs: &[(Item, Item, Vec<f64>)],
        equal: f64,
    ) -> Result<Self, RangeError> {
        require_nonnegative("equal", equal)?;
        let answer = |vote: f64| match vote {
            // Tolerance for decimal fractions with rounding errors.
            _ if vote.abs() <= equal + 1e-9 => Preference::Equal,
            _ if vote > 0.0 => Preference::A,
            _ => Preference::B,
        };
        let given = (pairs.iter()).flat_map(|(a, b, votes)| {
            let votes = votes.iter();
            votes.map(move |&vote| (*a, *b, answer(vote)))
        });
        Ok(Self::new(names, given))
    }

    /// Returns the recorded answers about two items. [`Preference::A`] prefers the item `a`.
    fn answers(&self, a: usize, b: usize) -> impl Iterator<Item = Preference> {
        let found = self.answers.get(&(a.min(b), a.max(b)));
        let found = found.into_iter().flatten().copied();
        found.map(move |answer| if a < b { answer } else { answer.mirrored() })
    }

    /// Returns every pair of item numbers with its answers, the lower number first.
    pub fn pairs(&self) -> impl Iterator<Item = (usize, usize, &[Preference])> {
        let pairs = self.answers.iter();
        pairs.map(|(&(a, b), answers)| (a, b, answers.as_slice()))
    }

    /// Returns the [spread](crate::vote_spread) of all answers: the root mean square of answers
    /// coded as -1, 0 and 1, with a prior for the share of equal answers.
    pub fn spread(&self) -> f64 {
        let answers = self.answers.values().flatten();
        let equal = answers
            .filter(|&&answer| answer == Preference::Equal)
            .count();
        let all: usize = self.answers.values().map(Vec::len).sum();
        vote_spread(equal as f64, all as f64)
    }

    /// Returns the number of items of the collection.
    pub fn items(&self) -> usize {
        self.items
    }

    /// Returns a list of the items with these numbers. The recorded answers about a pair are
    /// replayed in a random order that is the same for every strategy. Each answer is used once,
    /// and at most `most` per pair.
    pub fn list(&self, items: &[usize], most: usize, seed: u64) -> RecordedList {
        let mut answers = HashMap::new();
        for (place, &b) in items.iter().enumerate() {
            for (before, &a) in items[..place].iter().enumerate() {
                let mut given: Vec<Preference> = self.answers(a, b).collect();
                let (low, high) = (a.min(b) as u64, a.max(b) as u64);
                shuffle(
                    &mut stream(seed, &[REPLAY_ORDER_STREAM, low, high]),
                    &mut given,
                );
                given.truncate(most);
                answers.insert((before, place), given);
            }
        }
        RecordedList {
            items: items.len(),
            answers,
        }
    }
}

/// List of items with their recorded answers in the order of replay.
#[derive(Clone, Debug)]
pub struct RecordedList {
    items: usize,
    answers: HashMap<(usize, usize), Vec<Preference>>,
}

impl Oracle for RecordedList {
    fn items(&self) -> usize {
        self.items
    }

    fn answer(&self, a: Item, b: Item, before: u32) -> Option<Preference> {
        let (low, high) = (a.min(b), a.max(b));
        let given = self.answers.get(&(low.index(), high.index()))?;
        let answer = *given.get(before as usize)?;
        Some(if a == low { answer } else { answer.mirrored() })
    }
}

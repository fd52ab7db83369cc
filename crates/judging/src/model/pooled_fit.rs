//! Joint fit of all lists and of the reliability of the assessors.

use partita_core::{Item, Preference, Preferences};

use super::davidson::{DavidsonModel, PairWeights, Worths};
use super::davidson_fit::DavidsonFit;
use super::grouping::vote_spread;

/// Fits of all lists with the reliability of their assessors.
///
/// An assessor attends to a question with an individual probability, the same for all lists, and
/// then answers according to [Davidson's model](DavidsonModel). Otherwise they answer by habit,
/// independent of the items: equal with their overall frequency, and either item with the same
/// probability. Following Dawid and Skene (1979) both parts are estimated in alternation: a vote is
/// weighted by the probability that it was attentive, and an assessor's reliability is the mean
/// weight of their votes.
#[derive(Clone, Debug)]
pub struct PooledFit {
    /// Fit of each query's list.
    pub fits: Vec<DavidsonFit>,
    /// Probability that each assessor attends, by assessor number.
    pub reliability: Vec<f64>,
    /// [Spread](vote_spread) of all votes.
    pub spread: f64,
}

/// Vote with its assessor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct AssessorVote {
    /// First item.
    pub(crate) a: Item,
    /// Second item.
    pub(crate) b: Item,
    /// Assessor number.
    pub(crate) person: usize,
    /// Preference between a and b.
    pub(crate) answer: Preference,
}

/// Votes on the pairs of one list, with their assessors.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ListAssessorVotes {
    /// Number of items.
    pub(crate) items: usize,
    /// Votes on the list.
    pub(crate) votes: Vec<AssessorVote>,
}

/// Beta prior of an assessor's attention, as pseudo-counts: (attentive, all).
const ATTENTION_PRIOR: (f64, f64) = (3.6, 4.0);

/// Beta prior of an assessor's share of equal answers by habit, as pseudo-counts: (equal, all).
const EQUAL_HABIT_PRIOR: (f64, f64) = (4.0, 10.0);

/// Change of reliability below which the iteration has converged. Lists do not differ from those
/// after many more iterations.
const TOLERANCE: f64 = 1e-3;

/// Relative difference below which two scales are treated as the same.
const SAME_SCALE: f64 = 0.05;

/// Limit of iterations; more have never been needed.
const MAX_ITERATIONS: usize = 60;

/// Fits all lists and the reliability of the assessors.
pub fn fit_pooled(preferences: &Preferences) -> PooledFit {
    let lists = preferences.queries().iter().map(|query| ListAssessorVotes {
        items: query.items().len(),
        votes: (query.votes().iter())
            .map(|given| AssessorVote {
                a: given.a,
                b: given.b,
                person: given.assessor.index(),
                answer: given.preference,
            })
            .collect(),
    });
    let lists: Vec<ListAssessorVotes> = lists.collect();
    fit_pooled_votes(&lists, preferences.assessors().len())
}

/// Fits votes of assessors numbered below `people`. Sums are taken in the order of lists and votes.
pub(crate) fn fit_pooled_votes(lists: &[ListAssessorVotes], people: usize) -> PooledFit {
    let mut reliability = vec![ATTENTION_PRIOR.0 / ATTENTION_PRIOR.1; people];
    let votes: usize = lists.iter().map(|list| list.votes.len()).sum();
    let all = || lists.iter().flat_map(|list| &list.votes);
    let equal = all()
        .filter(|vote| vote.answer == Preference::Equal)
        .count();
    let spread = vote_spread(equal as f64, votes as f64);
    let lists: Vec<WeightedVotes> = lists.iter().map(WeightedVotes::new).collect();
    // If every assessor gave a single answer, reliability cannot be estimated.
    if people == votes {
        let unweighted_fit = |list: &WeightedVotes| list.fit(&list.weights(|_| 1.0));
        let fits = lists.iter().map(unweighted_fit).collect();
        return PooledFit {
            fits,
            reliability,
            spread,
        };
    }
    let habits = habits(&lists, people);
    let unweighted_worths = |list: &WeightedVotes| {
        let weights = list.weights(|_| 1.0);
        DavidsonModel::worths(list.source.items, &weights)
    };
    let mut worths: Vec<Worths> = lists.iter().map(unweighted_worths).collect();
    let mut left = MAX_ITERATIONS;
    loop {
        let mut attended = vec![ATTENTION_PRIOR; people];
        for (list, worths) in lists.iter().zip(&worths) {
            for vote in &list.source.votes {
                let (sum, count) = &mut attended[vote.person];
                *sum += attention_probability(worths, vote, &reliability, &habits);
                *count += 1.0;
            }
        }
        let mut change: f64 = 0.0;
        for (reliable, (sum, count)) in reliability.iter_mut().zip(attended) {
            change = change.max((sum / count - *reliable).abs());
            *reliable = sum / count;
        }
        left = left.saturating_sub(1);
        let is_last = change < TOLERANCE || left == 0;
        let mut fits = Vec::with_capacity(lists.len());
        let mut moved = false;
        for (list, worths) in lists.iter().zip(&mut worths) {
            let weights =
                list.weights(|vote| attention_probability(worths, vote, &reliability, &habits));
            // The covariance and the scale are computed only in the last iteration.
            if is_last {
                let fit = list.fit(&weights);
                moved |= (fit.scale / worths.scale - 1.0).abs() > SAME_SCALE;
                *worths = Worths::from_fit(&fit);
                fits.push(fit);
            } else {
                *worths = worths.refit(&weights);
            }
        }
        // Continue iterating if the scale changed.
        if is_last && (!moved || left == 0) {
            return PooledFit {
                fits,
                reliability,
                spread,
            };
        }
    }
}

/// Estimates the distribution of each assessor's inattentive answers, independent of the items.
fn habits(lists: &[WeightedVotes], people: usize) -> Vec<[f64; 3]> {
    let mut counts = vec![EQUAL_HABIT_PRIOR; people];
    for vote in lists.iter().flat_map(|list| &list.source.votes) {
        let (equal, all) = &mut counts[vote.person];
        *equal += f64::from(u8::from(vote.answer == Preference::Equal));
        *all += 1.0;
    }
    let habit = |(equal, all): (f64, f64)| {
        let side = (1.0 - equal / all) / 2.0;
        [side, equal / all, side]
    };
    counts.into_iter().map(habit).collect()
}

/// Returns the probability that a vote was attentive.
fn attention_probability(
    worths: &Worths,
    vote: &AssessorVote,
    reliability: &[f64],
    habits: &[[f64; 3]],
) -> f64 {
    let (reliable, answer) = (reliability[vote.person], vote.answer as usize);
    let likely = reliable * worths.vote_probabilities(vote.a, vote.b)[answer];
    likely / (likely + (1.0 - reliable) * habits[vote.person][answer])
}

/// Votes on a list, each with the index of its pair, so that they can be reweighted in each
/// iteration.
struct WeightedVotes<'p> {
    source: &'p ListAssessorVotes,
    /// Pairs, lower item number first, in ascending order.
    pairs: Vec<(Item, Item)>,
    /// Index of the pair and of the answer of each vote, oriented with the lower item number first.
    places: Vec<(usize, usize)>,
}

impl<'p> WeightedVotes<'p> {
    fn new(source: &'p ListAssessorVotes) -> Self {
        let pair = |vote: &AssessorVote| (vote.a.min(vote.b), vote.a.max(vote.b));
        let mut pairs: Vec<(Item, Item)> = source.votes.iter().map(pair).collect();
        pairs.sort_unstable();
        pairs.dedup();
        let place = |vote: &AssessorVote| {
            let number = pairs.binary_search(&pair(vote));
            let number = number.expect("every vote is on one of the pairs");
            let answer = if vote.a > vote.b {
                vote.answer.mirrored()
            } else {
                vote.answer
            };
            (number, answer as usize)
        };
        Self {
            source,
            places: source.votes.iter().map(place).collect(),
            pairs,
        }
    }

    /// Returns the weighted votes on every pair.
    fn weights(&self, weight: impl Fn(&AssessorVote) -> f64) -> Vec<PairWeights> {
        let mut weights: Vec<PairWeights> = (self.pairs.iter())
            .map(|(a, b)| PairWeights {
                a: a.index(),
                b: b.index(),
                weights: [0.0; 3],
            })
            .collect();
        for (vote, &(pair, answer)) in self.source.votes.iter().zip(&self.places) {
            weights[pair].weights[answer] += weight(vote);
        }
        weights.retain(|pair| pair.weights.iter().sum::<f64>() > 0.0);
        weights
    }

    fn fit(&self, weights: &[PairWeights]) -> DavidsonFit {
        DavidsonModel::default().fit_weighted(self.source.items, weights)
    }
}

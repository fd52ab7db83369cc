//! Joint fit of all lists and of the reliability of the assessors.

use partita_core::{Item, Preference, Preferences};

use super::davidson::{DavidsonModel, PairWeights, Worths};
use super::davidson_fit::DavidsonFit;
use super::grouping::vote_spread;

/// Fits of Davidson's model to all lists, with the reliability of the assessors.
///
/// An assessor attends to a question with an individual probability, the same for all lists, and
/// then answers according to [Davidson's model](DavidsonModel). Otherwise they answer by habit,
/// independent of the items: equal with their overall frequency, and either item with the same
/// probability. Following Dawid and Skene (1979) both parts are estimated in alternation: a vote is
/// weighted by the probability that it was attentive, and an assessor's reliability is the mean
/// weight of their votes.
#[derive(Clone, Debug)]
pub struct PooledFit {
    /// Fit of Davidson's model to each query's list, by query number.
    pub fits: Vec<DavidsonFit>,
    /// Probability that each assessor attends to a question, by assessor number.
    pub reliability: Vec<f64>,
    /// Root mean square of all votes as -1, 0 or 1 ([`vote_spread`]).
    pub spread: f64,
    /// Weight of each vote in the fit of its list, by query number and number of the vote.
    pub(crate) vote_weights: Vec<Vec<f64>>,
}

/// Vote on a pair, with the assessor who gave it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct AssessorVote {
    /// First item of the pair.
    pub(crate) a: Item,
    /// Second item of the pair.
    pub(crate) b: Item,
    /// Number of the assessor.
    pub(crate) person: usize,
    /// Preference of the assessor between a and b.
    pub(crate) answer: Preference,
}

/// Votes on the pairs of one list, with their assessors.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ListAssessorVotes {
    /// Number of items of the list.
    pub(crate) items: usize,
    /// Votes on pairs of the list.
    pub(crate) votes: Vec<AssessorVote>,
}

/// Beta prior of the probability that an assessor attends to a question, as pseudo-counts:
/// (attentive, all).
const ATTENTION_PRIOR: (f64, f64) = (3.6, 4.0);

/// Beta prior of the share of equal among an assessor's inattentive answers, as pseudo-counts:
/// (equal, all).
const EQUAL_HABIT_PRIOR: (f64, f64) = (4.0, 10.0);

/// Change of the assessors' reliability below which the iteration has converged. The lists do not
/// differ from those after many more iterations.
const RELIABILITY_TOLERANCE: f64 = 1e-3;

/// Relative difference below which two fitted scales of worths are treated as the same.
const SCALE_TOLERANCE: f64 = 0.05;

/// Limit of the iterations of reliability and worths; more have never been needed.
const MAX_ITERATIONS: usize = 60;

/// Fits Davidson's model to all lists, jointly with the reliability of the assessors.
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

/// Fits Davidson's model to votes of assessors numbered below `people`, jointly with their
/// reliability. Sums are taken in the order of lists and votes, so that results are reproducible.
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
        let ones = lists.iter().map(|list| vec![1.0; list.source.votes.len()]);
        let vote_weights: Vec<Vec<f64>> = ones.collect();
        let fits = lists.iter().zip(&vote_weights);
        return PooledFit {
            fits: fits
                .map(|(list, ones)| list.fit(&list.weights(ones)))
                .collect(),
            reliability,
            spread,
            vote_weights,
        };
    }
    let habits = inattentive_answer_probabilities(&lists, people);
    let unweighted_worths = |list: &WeightedVotes| {
        let weights = list.weights(&vec![1.0; list.source.votes.len()]);
        DavidsonModel::fit_worths(list.source.items, &weights)
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
        let is_last = change < RELIABILITY_TOLERANCE || left == 0;
        let mut fits = Vec::with_capacity(lists.len());
        let mut vote_weights = Vec::with_capacity(lists.len());
        let mut moved = false;
        for (list, worths) in lists.iter().zip(&mut worths) {
            let votes = list.source.votes.iter();
            let attended =
                votes.map(|vote| attention_probability(worths, vote, &reliability, &habits));
            let attended: Vec<f64> = attended.collect();
            let weights = list.weights(&attended);
            // The covariance and the scale are computed only in the last iteration.
            if is_last {
                let fit = list.fit(&weights);
                moved |= (fit.scale / worths.scale - 1.0).abs() > SCALE_TOLERANCE;
                *worths = Worths::from_fit(&fit);
                fits.push(fit);
                vote_weights.push(attended);
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
                vote_weights,
            };
        }
    }
}

/// Estimates the probabilities of an assessor's inattentive answers, independent of the items, for
/// each assessor.
fn inattentive_answer_probabilities(lists: &[WeightedVotes], people: usize) -> Vec<[f64; 3]> {
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

/// Returns the posterior probability that a vote was given with attention.
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
/// iteration of the joint fit and in each replicate of a bootstrap.
#[derive(Clone, Debug)]
pub(crate) struct WeightedVotes<'p> {
    source: &'p ListAssessorVotes,
    /// Compared pairs in ascending order, the lower item number first.
    pairs: Vec<(Item, Item)>,
    /// Pair index and answer index of each vote; the answer is oriented with the lower item number
    /// first.
    vote_positions: Vec<(usize, usize)>,
}

impl<'p> WeightedVotes<'p> {
    pub(crate) fn new(source: &'p ListAssessorVotes) -> Self {
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
            vote_positions: source.votes.iter().map(place).collect(),
            pairs,
        }
    }

    /// Returns the sums of the vote weights on every pair by answer, given the weight of each vote.
    /// Pairs with a total weight of 0 are left out.
    pub(crate) fn weights(&self, vote_weights: &[f64]) -> Vec<PairWeights> {
        let mut weights: Vec<PairWeights> = (self.pairs.iter())
            .map(|(a, b)| PairWeights {
                a: a.index(),
                b: b.index(),
                weights: [0.0; 3],
            })
            .collect();
        for (weight, &(pair, answer)) in vote_weights.iter().zip(&self.vote_positions) {
            weights[pair].weights[answer] += weight;
        }
        weights.retain(|pair| pair.weights.iter().sum::<f64>() > 0.0);
        weights
    }

    /// Fits Davidson's model to weighted votes, with the scale of worths and the covariance.
    pub(crate) fn fit(&self, weights: &[PairWeights]) -> DavidsonFit {
        DavidsonModel::default().fit_weighted(self.source.items, weights)
    }
}

//! How far each assessor can be relied on.

use partita_core::{Item, Preference, Preferences};

use super::davidson::{DavidsonModel, PairWeights, Worths};
use super::davidson_fit::DavidsonFit;
use super::grouping::vote_spread;

/// All lists fitted together with the reliability of their assessors.
///
/// An assessor attends to a question with a probability of their own, the same for all lists, and then
/// answers as [Davidson's model](Davidson) says; otherwise they answer as is their habit, whatever the
/// items: equal as often as they say it altogether, and either item alike. In the spirit of Dawid and
/// Skene (1979) both are estimated in turn: a vote counts as far as it is likely to have been attentive,
/// and an assessor is as reliable as their votes are in the mean.
#[derive(Clone, Debug)]
pub struct PooledFit {
    /// The fit of each query's list.
    pub fits: Vec<DavidsonFit>,
    /// The probability that each assessor attends, by the number of their name.
    pub reliability: Vec<f64>,
    /// The [spread](spread_of_votes) of all votes.
    pub spread: f64,
}

/// A vote, and who gave it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct AssessorVote {
    /// One item.
    pub(crate) a: Item,
    /// The other.
    pub(crate) b: Item,
    /// Who gave it, by a number.
    pub(crate) person: usize,
    /// What was said.
    pub(crate) answer: Preference,
}

/// The votes on a list of so many items.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ListAssessorVotes {
    /// The number of items.
    pub(crate) items: usize,
    /// The votes.
    pub(crate) votes: Vec<AssessorVote>,
}

/// What is believed of an assessor before their answers: that they attend to nine questions of ten, as
/// firmly as after four answers.
const PRIOR: (f64, f64) = (3.6, 4.0);

/// What is believed of an assessor's habits before their answers: that four answers of ten are equal, as
/// firmly as after ten.
const HABIT: (f64, f64) = (4.0, 10.0);

/// Reliabilities that change by less in a turn are found: lists do not differ from those of many more turns.
const CLOSE: f64 = 1e-3;

/// Scales that differ by less, as a share, are the same.
const SAME_SCALE: f64 = 0.05;

/// More turns than this have never been needed.
const MOST_TURNS: usize = 60;

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

/// The same of votes by people who go by numbers below `people`. Sums are taken in the order of lists and
/// votes.
pub(crate) fn fit_pooled_votes(lists: &[ListAssessorVotes], people: usize) -> PooledFit {
    let mut reliability = vec![PRIOR.0 / PRIOR.1; people];
    let votes: usize = lists.iter().map(|list| list.votes.len()).sum();
    let all = || lists.iter().flat_map(|list| &list.votes);
    let equal = all()
        .filter(|vote| vote.answer == Preference::Equal)
        .count();
    let spread = vote_spread(equal as f64, votes as f64);
    let lists: Vec<WeightedVotes> = lists.iter().map(WeightedVotes::new).collect();
    // Where everybody answered once, nothing is known of anybody.
    if people == votes {
        let all_alike = |list: &WeightedVotes| list.fit(&list.weights(|_| 1.0));
        let fits = lists.iter().map(all_alike).collect();
        return PooledFit {
            fits,
            reliability,
            spread,
        };
    }
    let habits = habits(&lists, people);
    let at_first = |list: &WeightedVotes| {
        let weights = list.weights(|_| 1.0);
        DavidsonModel::worths(list.of.items, &weights)
    };
    let mut worths: Vec<Worths> = lists.iter().map(at_first).collect();
    let mut left = MOST_TURNS;
    loop {
        let mut attended = vec![PRIOR; people];
        for (list, worths) in lists.iter().zip(&worths) {
            for vote in &list.of.votes {
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
        let is_last = change < CLOSE || left == 0;
        let mut fits = Vec::with_capacity(lists.len());
        let mut moved = false;
        for (list, worths) in lists.iter().zip(&mut worths) {
            let weights =
                list.weights(|vote| attention_probability(worths, vote, &reliability, &habits));
            // How sure worths are is asked at the end, and so is their scale.
            if is_last {
                let fit = list.fit(&weights);
                moved |= (fit.scale / worths.scale - 1.0).abs() > SAME_SCALE;
                *worths = Worths::from_fit(&fit);
                fits.push(fit);
            } else {
                *worths = worths.refit(&weights);
            }
        }
        // At another scale the turns go on.
        if is_last && (!moved || left == 0) {
            return PooledFit {
                fits,
                reliability,
                spread,
            };
        }
    }
}

/// How each person answers whatever the items.
fn habits(lists: &[WeightedVotes], people: usize) -> Vec<[f64; 3]> {
    let mut counts = vec![HABIT; people];
    for vote in lists.iter().flat_map(|list| &list.of.votes) {
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

/// The probability that a vote was attentive.
fn attention_probability(
    worths: &Worths,
    vote: &AssessorVote,
    reliability: &[f64],
    habits: &[[f64; 3]],
) -> f64 {
    let (reliable, answer) = (reliability[vote.person], vote.answer as usize);
    let likely = reliable * worths.answers(vote.a, vote.b)[answer];
    likely / (likely + (1.0 - reliable) * habits[vote.person][answer])
}

/// The votes on a list, each with the pair that it is about, so that they can be weighed again and
/// again.
struct WeightedVotes<'p> {
    of: &'p ListAssessorVotes,
    /// The pairs, the lower number first, in ascending order.
    pairs: Vec<(Item, Item)>,
    /// Of each vote the number of its pair, and the answer as of the lower number first.
    places: Vec<(usize, usize)>,
}

impl<'p> WeightedVotes<'p> {
    fn new(of: &'p ListAssessorVotes) -> Self {
        let pair = |vote: &AssessorVote| (vote.a.min(vote.b), vote.a.max(vote.b));
        let mut pairs: Vec<(Item, Item)> = of.votes.iter().map(pair).collect();
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
            of,
            places: of.votes.iter().map(place).collect(),
            pairs,
        }
    }

    /// The votes on every pair, each counted by its weight.
    fn weights(&self, weight: impl Fn(&AssessorVote) -> f64) -> Vec<PairWeights> {
        let mut weights: Vec<PairWeights> = (self.pairs.iter())
            .map(|(a, b)| PairWeights {
                a: a.index(),
                b: b.index(),
                weights: [0.0; 3],
            })
            .collect();
        for (vote, &(pair, answer)) in self.of.votes.iter().zip(&self.places) {
            weights[pair].weights[answer] += weight(vote);
        }
        weights.retain(|pair| pair.weights.iter().sum::<f64>() > 0.0);
        weights
    }

    fn fit(&self, weights: &[PairWeights]) -> DavidsonFit {
        DavidsonModel::default().fit_weighted(self.of.items, weights)
    }
}

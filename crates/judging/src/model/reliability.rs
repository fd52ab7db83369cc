//! How far each assessor can be relied on.

use partita_core::{Answer, Item, Preference, Preferences, QueryPreferences};

use super::davidson::{Davidson, MANY, PairWeights, Worths};
use super::fit::Fit;
use super::grouping::spread_of_votes;

/// All lists fitted together with the reliability of their assessors.
///
/// An assessor attends to a question with a probability of their own, the same for all lists, and then
/// answers as [Davidson's model](Davidson) says; otherwise they give any of the three answers. In the
/// spirit of Dawid and Skene (1979) both are estimated in turn: a vote counts as far as it is likely
/// to have been attentive, and an assessor is as reliable as their votes are in the mean.
#[derive(Clone, Debug)]
pub struct PooledLists {
    /// The fit of each query's list.
    pub fits: Vec<Fit>,
    /// The probability that each assessor attends, by the number of their name.
    pub reliability: Vec<f64>,
    /// The [spread](spread_of_votes) of all votes.
    pub spread: f64,
}

/// What is believed of an assessor before their answers: that they attend to nine questions of ten, as
/// firmly as after four answers.
const PRIOR: (f64, f64) = (3.6, 4.0);

/// More turns than this have never been needed.
const MOST_TURNS: usize = 60;

/// Fits all lists and the reliability of the assessors.
pub fn pooled_lists(preferences: &Preferences) -> PooledLists {
    let people = preferences.assessors().len();
    let mut reliability = vec![PRIOR.0 / PRIOR.1; people];
    let spread = spread(preferences);
    let lists: Vec<Weighing> = preferences.queries().iter().map(Weighing::new).collect();
    let all_alike = |list: &Weighing| list.fit(&list.weights(|_| 1.0));
    let mut fits: Vec<Fit> = lists.iter().map(all_alike).collect();
    // Where everybody answered once, nothing is known of anybody.
    if people == preferences.len() {
        return PooledLists {
            fits,
            reliability,
            spread,
        };
    }
    let mut worths: Vec<Worths> = fits.iter().map(Worths::of).collect();
    for _ in 0..MOST_TURNS {
        let mut attended = vec![PRIOR; people];
        for (list, worths) in lists.iter().zip(&worths) {
            for given in list.query.answers() {
                let (sum, count) = &mut attended[given.assessor.index()];
                *sum += attention(worths, given, &reliability);
                *count += 1.0;
            }
        }
        let mut change: f64 = 0.0;
        for (reliable, (sum, count)) in reliability.iter_mut().zip(attended) {
            change = change.max((sum / count - *reliable).abs());
            *reliable = sum / count;
        }
        let is_last = change < 1e-4;
        let mut moved = false;
        for ((list, fit), worths) in lists.iter().zip(&mut fits).zip(&mut worths) {
            let weights = list.weights(|given| attention(worths, given, &reliability));
            // How sure the worths of many items are is asked at the end, and so is their scale.
            if list.items() < MANY || is_last {
                *fit = list.fit(&weights);
                moved |= list.items() >= MANY && fit.scale != worths.scale;
                *worths = Worths::of(fit);
            } else {
                *worths = worths.moved(&weights);
            }
        }
        // At another scale the turns go on.
        if is_last && !moved {
            return PooledLists {
                fits,
                reliability,
                spread,
            };
        }
    }
    for ((list, fit), worths) in lists.iter().zip(&mut fits).zip(&worths) {
        if list.items() >= MANY {
            *fit = list.fit(&list.weights(|given| attention(worths, given, &reliability)));
        }
    }
    PooledLists {
        fits,
        reliability,
        spread,
    }
}

/// The spread of all votes.
fn spread(preferences: &Preferences) -> f64 {
    let answers = preferences
        .queries()
        .iter()
        .flat_map(|query| query.answers());
    let equal = answers
        .filter(|given| given.answer == Answer::Equal)
        .count();
    spread_of_votes(equal as f64, preferences.len() as f64)
}

/// The probability that a vote was attentive.
fn attention(worths: &Worths, given: &Preference, reliability: &[f64]) -> f64 {
    let reliable = reliability[given.assessor.index()];
    let likely = reliable * worths.answers(given.a, given.b)[given.answer as usize];
    likely / (likely + (1.0 - reliable) / 3.0)
}

/// The answers to a query, each with the pair that it is about, so that they can be weighed again and
/// again.
struct Weighing<'p> {
    query: &'p QueryPreferences,
    /// The pairs, the lower number first, in ascending order.
    pairs: Vec<(Item, Item)>,
    /// Of each answer the number of its pair, and the answer as of the lower number first.
    places: Vec<(usize, usize)>,
}

impl<'p> Weighing<'p> {
    fn new(query: &'p QueryPreferences) -> Self {
        let pair = |given: &Preference| (given.a.min(given.b), given.a.max(given.b));
        let mut pairs: Vec<(Item, Item)> = query.answers().iter().map(pair).collect();
        pairs.sort_unstable();
        pairs.dedup();
        let place = |given: &Preference| {
            let number = pairs.binary_search(&pair(given));
            let number = number.expect("every answer is about one of the pairs");
            let swapped = given.a > given.b;
            let answer = if swapped {
                given.answer.mirrored()
            } else {
                given.answer
            };
            (number, answer as usize)
        };
        Self {
            query,
            places: query.answers().iter().map(place).collect(),
            pairs,
        }
    }

    fn items(&self) -> usize {
        self.query.items().len()
    }

    /// The votes on every pair, each answer counted by its weight.
    fn weights(&self, weight: impl Fn(&Preference) -> f64) -> Vec<PairWeights> {
        let mut weights: Vec<PairWeights> = (self.pairs.iter())
            .map(|(a, b)| PairWeights {
                a: a.index(),
                b: b.index(),
                weights: [0.0; 3],
            })
            .collect();
        for (given, &(pair, answer)) in self.query.answers().iter().zip(&self.places) {
            weights[pair].weights[answer] += weight(given);
        }
        weights.retain(|pair| pair.weights.iter().sum::<f64>() > 0.0);
        weights
    }

    fn fit(&self, weights: &[PairWeights]) -> Fit {
        Davidson::default().fit_weighted(self.items(), weights)
    }
}

//! How far each assessor can be relied on.

use partita_core::{Item, Preferences, QueryPreferences};

use super::davidson::{Davidson, Fit, PairWeights};

/// All lists fitted together with the reliability of their assessors.
///
/// An assessor attends to a question with a probability of his own, the same for all lists, and then
/// answers as [Davidson's model](Davidson) says; otherwise he gives any of the three answers. In the
/// spirit of Dawid and Skene (1979) both are estimated in turn: a vote counts as far as it is likely
/// to have been attentive, and an assessor is as reliable as his votes are in the mean.
#[derive(Clone, Debug)]
pub struct PooledLists {
    /// The fit of each query's list.
    pub fits: Vec<Fit>,
    /// The probability that each assessor attends, by the number of his name.
    pub reliability: Vec<f64>,
}

/// What is believed of an assessor before his answers: that he attends to nine questions of ten, as
/// firmly as after four answers.
const PRIOR: (f64, f64) = (3.6, 4.0);

/// More turns than this have never been needed.
const MOST_TURNS: usize = 60;

/// Fits all lists and the reliability of the assessors.
///
/// ```
/// use partita_core::{Answer, Given, Preferences};
/// use partita_judging::pooled_lists;
///
/// let mut preferences = Preferences::new();
/// let items: Vec<String> = (0..8).map(|number| number.to_string()).collect();
/// for (place, b) in items.iter().enumerate() {
///     for a in &items[..place] {
///         for who in ["ann", "bob", "cy"] {
///             preferences.add(Given::new("q", a, b, who, Answer::A))?;
///         }
///         // Somebody who says the opposite of everybody else.
///         preferences.add(Given::new("q", a, b, "contrary", Answer::B))?;
///     }
/// }
/// let found = pooled_lists(&preferences);
/// let who = |name| preferences.assessors().get(name).unwrap().index();
/// assert!(found.reliability[who("ann")] > 0.9);
/// assert!(found.reliability[who("contrary")] < 0.5);
/// # Ok::<(), partita_core::PreferenceError>(())
/// ```
pub fn pooled_lists(preferences: &Preferences) -> PooledLists {
    let people = preferences.assessors().len();
    let mut reliability = vec![PRIOR.0 / PRIOR.1; people];
    let mut fits = fit_all(preferences, |_, _| 1.0);
    // Where everybody answered once, nothing is known of anybody.
    if people == preferences.len() {
        return PooledLists { fits, reliability };
    }
    for _ in 0..MOST_TURNS {
        let mut attended = vec![PRIOR; people];
        for (query, fit) in preferences.queries().iter().zip(&fits) {
            for given in query.answers() {
                let (sum, count) = &mut attended[given.assessor.index()];
                *sum += attention(fit, given, &reliability);
                *count += 1.0;
            }
        }
        let next: Vec<f64> = attended.iter().map(|(sum, count)| sum / count).collect();
        let change = next
            .iter()
            .zip(&reliability)
            .map(|(new, old)| (new - old).abs());
        let change = change.fold(0.0, f64::max);
        reliability = next;
        fits = fit_all(preferences, |query, given| {
            attention(&fits[query], given, &reliability)
        });
        if change < 1e-4 {
            break;
        }
    }
    PooledLists { fits, reliability }
}

/// The probability that a vote was attentive.
fn attention(fit: &Fit, given: &partita_core::Preference, reliability: &[f64]) -> f64 {
    let reliable = reliability[given.assessor.index()];
    let likely = reliable * fit.answers(given.a, given.b)[given.answer as usize];
    likely / (likely + (1.0 - reliable) / 3.0)
}

fn fit_all(
    preferences: &Preferences,
    weight: impl Fn(usize, &partita_core::Preference) -> f64,
) -> Vec<Fit> {
    let queries = preferences.queries().iter().enumerate();
    let fit = |(number, query): (usize, &QueryPreferences)| {
        let n = query.items().len();
        let mut weights = vec![[0.0; 3]; n * n];
        for given in query.answers() {
            let (low, high) = (given.a.min(given.b), given.a.max(given.b));
            let answer = match given.a == low {
                true => given.answer,
                false => given.answer.mirrored(),
            };
            weights[low.index() * n + high.index()][answer as usize] += weight(number, given);
        }
        let pairs: Vec<PairWeights> = (weights.into_iter().enumerate())
            .filter(|(_, weights)| weights.iter().sum::<f64>() > 0.0)
            .map(|(place, weights)| PairWeights {
                a: place / n,
                b: place % n,
                weights,
            })
            .collect();
        Davidson::default().fit_weighted(n, &pairs)
    };
    queries.map(fit).collect()
}

impl PooledLists {
    /// The probability that the next answer of a reliable person to a question is each of the three.
    ///
    /// # Panics
    /// If there is no such query or item.
    pub fn answers(&self, query: usize, a: Item, b: Item) -> [f64; 3] {
        self.fits[query].answers(a, b)
    }
}

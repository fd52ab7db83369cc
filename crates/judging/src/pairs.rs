//! The votes of every pair of a query.

use std::collections::HashMap;

use partita_core::{Answer, Item, QueryPreferences};

use crate::votes::Votes;

/// The votes on one pair, a being the item that was shown first the first time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PairVotes {
    /// One item.
    pub a: Item,
    /// The other.
    pub b: Item,
    /// What people say of the two.
    pub votes: Votes,
    /// The batch in which it was first asked, counted from 0.
    pub batch: usize,
}

/// The pairs of a query in the order in which they were first asked, with their votes.
///
/// ```
/// use partita_core::{Answer, Given, Preferences};
/// use partita_judging::{Votes, pair_votes};
///
/// let mut preferences = Preferences::new();
/// preferences.add(Given::new("q", "x", "y", "ann", Answer::A))?;
/// preferences.add(Given::new("q", "y", "x", "bob", Answer::A))?;
/// let pairs = pair_votes(&preferences.queries()[0]);
/// assert_eq!(pairs[0].votes, Votes { a: 1, equal: 0, b: 1 });
/// # Ok::<(), partita_core::PreferenceError>(())
/// ```
pub fn pair_votes(query: &QueryPreferences) -> Vec<PairVotes> {
    let mut pairs: Vec<PairVotes> = Vec::new();
    let mut places: HashMap<(Item, Item), usize> = HashMap::new();
    for given in query.answers() {
        let key = (given.a.min(given.b), given.a.max(given.b));
        let place = *places.entry(key).or_insert_with(|| {
            pairs.push(PairVotes {
                a: given.a,
                b: given.b,
                votes: Votes::default(),
                batch: given.batch,
            });
            pairs.len() - 1
        });
        let pair = &mut pairs[place];
        let answer: Answer = match pair.a == given.a {
            true => given.answer,
            false => given.answer.mirrored(),
        };
        pair.votes.add(answer);
        pair.batch = pair.batch.min(given.batch);
    }
    pairs
}

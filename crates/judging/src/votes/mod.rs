//! Votes on one pair: counts, relations, decision rules and stopping rules.
//!
//! Does not depend on `campaign`. Imports only `model::vote_spread` from the other folders.

pub(crate) mod decision_rule;
pub(crate) mod list_votes;
pub(crate) mod pair_votes;
pub(crate) mod relation;
pub(crate) mod stopping;

use partita_core::Preference;

/// Votes on a pair of items a and b: number of assessors who prefer a, call the items equal, or
/// prefer b.
///
/// ```
/// use partita_core::Preference;
/// use partita_judging::Votes;
///
/// let votes = Votes::from_preferences([Preference::A, Preference::Equal, Preference::A]);
/// assert_eq!(votes, Votes { a: 2, equal: 1, b: 0 });
/// assert_eq!(votes.margin(), 2);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Votes {
    /// Number of votes that prefer a.
    pub a: u32,
    /// Number of votes that call the items equal.
    pub equal: u32,
    /// Number of votes that prefer b.
    pub b: u32,
}

impl Votes {
    /// Counts the preferences of assessors as votes.
    pub fn from_preferences(answers: impl IntoIterator<Item = Preference>) -> Self {
        let mut votes = Self::default();
        answers.into_iter().for_each(|answer| votes.add(answer));
        votes
    }

    /// Adds one vote.
    pub fn add(&mut self, answer: Preference) {
        self.add_times(answer, 1);
    }

    /// Adds the vote `answer` `times` times, as in a bootstrap sample with repeated assessors.
    pub(crate) fn add_times(&mut self, answer: Preference, times: u32) {
        *self.count_mut(answer) += times;
    }

    /// Returns the votes without one vote `answer`.
    #[must_use]
    pub(crate) fn without_one(mut self, answer: Preference) -> Self {
        let count = self.count_mut(answer);
        *count = count.checked_sub(1).expect("the answer is among the votes");
        self
    }

    /// Returns the count of the votes that equal `answer`.
    fn count_mut(&mut self, answer: Preference) -> &mut u32 {
        match answer {
            Preference::A => &mut self.a,
            Preference::Equal => &mut self.equal,
            Preference::B => &mut self.b,
        }
    }

    /// Returns the sums of the votes for a, equal, and b.
    #[must_use]
    pub(crate) fn plus(self, more: Self) -> Self {
        Self {
            a: self.a + more.a,
            equal: self.equal + more.equal,
            b: self.b + more.b,
        }
    }

    /// Returns the numbers of votes for a, equal, and b.
    pub fn counts(&self) -> [u32; 3] {
        [self.a, self.equal, self.b]
    }

    /// Returns the total number of votes.
    pub fn len(&self) -> u32 {
        self.a + self.equal + self.b
    }

    /// Returns true if there are no votes.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the number of votes for a minus the number for b.
    pub fn margin(&self) -> i64 {
        i64::from(self.a) - i64::from(self.b)
    }

    /// Returns the votes with the items a and b swapped.
    #[must_use]
    pub fn mirrored(self) -> Self {
        Self {
            a: self.b,
            b: self.a,
            ..self
        }
    }

    /// Returns the mean agreement of two assessors: 1 for the same vote, ½ if exactly one votes
    /// equal, 0 if they prefer different items (Urbano et al. 2010, section 5.3). Returns `None`
    /// for fewer than two votes.
    ///
    /// ```
    /// use partita_judging::Votes;
    ///
    /// let votes = Votes { a: 9, equal: 1, b: 0 };
    /// assert_eq!(votes.agreement(), Some(0.9));
    /// ```
    pub fn agreement(&self) -> Option<f64> {
        let [a, equal, b] = [self.a, self.equal, self.b].map(u64::from);
        let n = a + equal + b;
        let pairs = n * n.checked_sub(1).filter(|&rest| rest > 0)?;
        let same: u64 = [a, equal, b].iter().map(|&k| k * k.saturating_sub(1)).sum();
        Some((same + equal * (a + b)) as f64 / pairs as f64)
    }
}

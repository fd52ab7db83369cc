//! The answers to one question, counted.

pub(crate) mod decision_rule;
pub(crate) mod list_votes;
pub(crate) mod pair_votes;
pub(crate) mod relation;
pub(crate) mod stopping;

use partita_core::Preference;

/// How many people prefer a, neither, or b.
///
/// ```
/// use partita_core::Answer;
/// use partita_judging::Votes;
///
/// let votes = Votes::of([Answer::A, Answer::Equal, Answer::A]);
/// assert_eq!(votes, Votes { a: 2, equal: 1, b: 0 });
/// assert_eq!(votes.margin(), 2);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Votes {
    /// How many prefer a.
    pub a: u32,
    /// How many prefer neither.
    pub equal: u32,
    /// How many prefer b.
    pub b: u32,
}

impl Votes {
    /// These answers, counted.
    pub fn from_preferences(answers: impl IntoIterator<Item = Preference>) -> Self {
        let mut votes = Self::default();
        answers.into_iter().for_each(|answer| votes.add(answer));
        votes
    }

    /// Counts one more answer.
    pub fn add(&mut self, answer: Preference) {
        self.add_times(answer, 1);
    }

    /// Counts an answer so many times.
    pub(crate) fn add_times(&mut self, answer: Preference, times: u32) {
        match answer {
            Preference::A => self.a += times,
            Preference::Equal => self.equal += times,
            Preference::B => self.b += times,
        }
    }

    /// All but one answer that is among them.
    #[must_use]
    pub(crate) fn without(self, answer: Preference) -> Self {
        let count = |votes: u32| votes.checked_sub(1).expect("the answer is among the votes");
        match answer {
            Preference::A => Self {
                a: count(self.a),
                ..self
            },
            Preference::Equal => Self {
                equal: count(self.equal),
                ..self
            },
            Preference::B => Self {
                b: count(self.b),
                ..self
            },
        }
    }

    /// These votes and others.
    #[must_use]
    pub(crate) fn plus(self, more: Self) -> Self {
        Self {
            a: self.a + more.a,
            equal: self.equal + more.equal,
            b: self.b + more.b,
        }
    }

    /// How many prefer a, neither, and b.
    pub fn counts(&self) -> [u32; 3] {
        [self.a, self.equal, self.b]
    }

    /// The number of answers.
    pub fn len(&self) -> u32 {
        self.a + self.equal + self.b
    }

    /// Whether nobody answered.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// By how many more a is preferred than b.
    pub fn margin(&self) -> i64 {
        i64::from(self.a) - i64::from(self.b)
    }

    /// The same votes with a and b swapped.
    #[must_use]
    pub fn mirrored(self) -> Self {
        Self {
            a: self.b,
            b: self.a,
            ..self
        }
    }

    /// The mean agreement of two of the people: 1 if they say the same, ½ if one of them prefers
    /// neither, 0 if they prefer different items (Urbano et al. 2010, section 5.3). `None` for fewer
    /// than two answers.
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

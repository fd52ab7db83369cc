//! Pairwise preferences: which of two items is closer to the query.

use std::collections::HashSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::names::{Item, Names};

/// Judgment of a pair of items a and b: which one is closer to the query, or neither.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Preference {
    /// a is closer to the query.
    A,
    /// Both items are equally close to the query.
    Equal,
    /// b is closer to the query.
    B,
}

impl Preference {
    /// All three values, in the order of declaration.
    pub const ALL: [Self; 3] = [Self::A, Self::Equal, Self::B];

    /// Returns the word for the preference in CSV and JSON files.
    pub fn name(self) -> &'static str {
        match self {
            Self::A => "a",
            Self::Equal => "equal",
            Self::B => "b",
        }
    }

    /// Returns the preference for the pair in reverse order: `A` becomes `B`, `B` becomes `A`.
    #[must_use]
    pub fn mirrored(self) -> Self {
        match self {
            Self::A => Self::B,
            Self::Equal => Self::Equal,
            Self::B => Self::A,
        }
    }
}

/// Position of a data row in a file, for error messages.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct FilePosition {
    /// Name of the file that contains the row.
    pub file: String,
    /// First line of the row, counted from 1.
    pub line: u64,
}

/// Vote: valid preference of one assessor for a pair of items. [`Preferences`] stores votes with
/// interned names; [`Preferences::add`] takes votes with the names as text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Vote<Name = Item> {
    /// First item of the pair.
    pub a: Name,
    /// Second item of the pair.
    pub b: Name,
    /// Assessor who judged the pair.
    pub assessor: Name,
    /// Item that the assessor found closer to the query, or neither.
    pub preference: Preference,
    /// Time from showing the question to the answer, in seconds.
    pub seconds: Option<f64>,
    /// Number of the batch of questions that the question belongs to, counted from 0.
    pub batch: usize,
}

impl<'a> Vote<&'a str> {
    /// Creates a vote that belongs to batch 0 and has no time to answer.
    pub fn new(a: &'a str, b: &'a str, assessor: &'a str, preference: Preference) -> Self {
        Self {
            a,
            b,
            assessor,
            preference,
            seconds: None,
            batch: 0,
        }
    }
}

impl Vote {
    /// Returns the key that identifies the question regardless of the order of the items: the two
    /// items, the one with the lower index first, and the assessor.
    fn question_key(&self) -> (Item, Item, Item) {
        (self.a.min(self.b), self.a.max(self.b), self.assessor)
    }
}

/// Votes on pairs of items for one query.
#[derive(Clone, Debug, Default)]
pub struct QueryPreferences {
    name: String,
    items: Names,
    votes: Vec<Vote>,
    /// Keys of the answered questions: two items, the one with the lower index first, and the
    /// assessor.
    answered_questions: HashSet<(Item, Item, Item)>,
}

impl QueryPreferences {
    /// Returns the name of the query.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the compared items, in the order of first appearance.
    pub fn items(&self) -> &Names {
        &self.items
    }

    /// Returns the votes, in the order in which they were added.
    pub fn votes(&self) -> &[Vote] {
        &self.votes
    }
}

/// Summary of a batch of questions: its name, numbers of rows, and times (`None` if unknown).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BatchRecord {
    /// Name of the batch: its number, counted from 1, or its name in the batch column of the file.
    pub name: String,
    /// Number of rows of the batch, including blank answers.
    pub rows: usize,
    /// Number of rows of the batch whose answer was left blank.
    pub blanks: usize,
    /// Time when the first question of the batch was shown, in seconds since 1970; time of the
    /// first answer if the source does not record when questions were shown.
    pub first_asked_at: Option<f64>,
    /// Time of the first answer in the batch, in seconds since 1970.
    pub first_answered_at: Option<f64>,
    /// Time of the last answer in the batch, in seconds since 1970.
    pub last_answered_at: Option<f64>,
}

/// Votes of many assessors on the question "which of these two is closer to the query?".
///
/// ```
/// use partita_core::{Preference, Preferences, Vote};
///
/// let mut preferences = Preferences::new();
/// for (assessor, preference) in [("ann", Preference::A), ("bob", Preference::Equal)] {
///     preferences.add("q1", Vote::new("x", "y", assessor, preference))?;
/// }
/// let query = &preferences.queries()[0];
/// assert_eq!(query.votes().len(), 2);
/// assert_eq!(preferences.assessors().len(), 2);
/// # Ok::<(), partita_core::PreferenceError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Preferences {
    queries: Vec<QueryPreferences>,
    query_names: Names,
    assessors: Names,
}

/// Error of a vote that cannot be added to [`Preferences`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "a message names its fields")]
pub enum PreferenceError {
    /// The item is compared with itself.
    #[error("the item `{0}` is compared with itself")]
    SameItem(String),
    /// The assessor has already voted on the same pair of items for the query.
    #[error("`{assessor}` has compared `{a}` and `{b}` already for the query `{query}`")]
    RepeatedVote {
        assessor: String,
        query: String,
        a: String,
        b: String,
    },
    /// There are more than [`Item::MAX_COUNT`] names.
    #[error("there are too many names")]
    TooManyNames,
}

impl Preferences {
    /// Creates a collection without votes.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a vote on a pair of items of a query.
    ///
    /// # Errors
    /// Returns [`PreferenceError`] and adds no vote if an item is compared with itself, if the
    /// assessor has already answered the question with the items in either order, or if there are
    /// too many names.
    pub fn add(&mut self, query: &str, vote: Vote<&str>) -> Result<(), PreferenceError> {
        if vote.a == vote.b {
            return Err(PreferenceError::SameItem(vote.a.to_owned()));
        }
        let intern = |names: &mut Names, name| {
            let item = names.intern(name);
            item.ok_or(PreferenceError::TooManyNames)
        };
        let assessor = intern(&mut self.assessors, vote.assessor)?;
        let number = intern(&mut self.query_names, query)?.index();
        if number == self.queries.len() {
            self.queries.push(QueryPreferences {
                name: query.to_owned(),
                ..QueryPreferences::default()
            });
        }
        let entry = &mut self.queries[number];
        let (a, b) = (
            intern(&mut entry.items, vote.a)?,
            intern(&mut entry.items, vote.b)?,
        );
        let vote_of_items = Vote {
            a,
            b,
            assessor,
            preference: vote.preference,
            seconds: vote.seconds,
            batch: vote.batch,
        };
        if !entry
            .answered_questions
            .insert(vote_of_items.question_key())
        {
            return Err(PreferenceError::RepeatedVote {
                assessor: vote.assessor.to_owned(),
                query: query.to_owned(),
                a: vote.a.to_owned(),
                b: vote.b.to_owned(),
            });
        }
        entry.votes.push(vote_of_items);
        Ok(())
    }

    /// Returns the same votes with queries, items and assessors numbered in the order of their
    /// names, and votes sorted by query, batch, items and assessor. Random draws from them then do
    /// not depend on the order of rows in a file.
    #[must_use]
    pub fn by_name(&self) -> Self {
        let renumbered = |names: &Names| -> (Names, Vec<Item>) {
            let order = names.sorted_items();
            let mut sorted = Names::with_capacity(order.len());
            let mut numbers = order.clone();
            for item in order {
                let number = sorted.intern(names.name(item));
                numbers[item.index()] = number.expect("sorting adds no names");
            }
            (sorted, numbers)
        };
        let (assessors, assessor_numbers) = renumbered(&self.assessors);
        let mut queries: Vec<&QueryPreferences> = self.queries.iter().collect();
        queries.sort_by_key(|query| query.name());
        let mut names = Names::with_capacity(queries.len());
        let queries = queries.into_iter().map(|query| {
            names.intern(&query.name).expect("sorting adds no names");
            let (items, number) = renumbered(&query.items);
            let votes = query.votes.iter().map(|vote| Vote {
                a: number[vote.a.index()],
                b: number[vote.b.index()],
                assessor: assessor_numbers[vote.assessor.index()],
                ..*vote
            });
            let mut votes: Vec<Vote> = votes.collect();
            votes.sort_by_key(|vote| (vote.batch, vote.question_key()));
            QueryPreferences {
                name: query.name.clone(),
                answered_questions: votes.iter().map(Vote::question_key).collect(),
                items,
                votes,
            }
        });
        let queries = queries.collect();
        Self {
            queries,
            query_names: names,
            assessors,
        }
    }

    /// Returns the queries, in the order of their first vote.
    pub fn queries(&self) -> &[QueryPreferences] {
        &self.queries
    }

    /// Returns the assessors, in the order of their first vote.
    pub fn assessors(&self) -> &Names {
        &self.assessors
    }

    /// Returns the number of votes on all queries.
    pub fn len(&self) -> usize {
        self.queries.iter().map(|query| query.votes.len()).sum()
    }

    /// Returns true if there are no votes.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the number of batches of questions: one more than the highest batch number of a
    /// vote, or 0 without votes.
    pub fn batches(&self) -> usize {
        let votes = self.queries.iter().flat_map(|query| &query.votes);
        votes.map(|vote| vote.batch + 1).max().unwrap_or(0)
    }
}

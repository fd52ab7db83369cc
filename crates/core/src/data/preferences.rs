//! Which of two items people prefer.

use std::collections::HashSet;

use schemars::JsonSchema;
use serde::Serialize;

use super::names::{Item, Names};

/// What somebody said of two items, a and b: which is closer to the query, or that neither is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Preference {
    /// a is preferred.
    A,
    /// Both are equally good, or equally bad.
    Equal,
    /// b is preferred.
    B,
}

impl Preference {
    /// All three, in their order.
    pub const ALL: [Self; 3] = [Self::A, Self::Equal, Self::B];

    /// The word in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::A => "a",
            Self::Equal => "equal",
            Self::B => "b",
        }
    }

    /// The same answer with a and b swapped.
    #[must_use]
    pub fn mirrored(self) -> Self {
        match self {
            Self::A => Self::B,
            Self::Equal => Self::Equal,
            Self::B => Self::A,
        }
    }
}

/// Where an answer stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct FilePosition {
    /// The file.
    pub file: String,
    /// The line on which it begins, counted from 1.
    pub line: u64,
}

/// One answer by the names of all that it is about, as a file or a form hands it in: what columns do not
/// say is not known of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PreferenceRow {
    /// Where it stands, if it is in a file.
    pub position: Option<FilePosition>,
    /// The campaign that it says it belongs to.
    pub campaign: Option<String>,
    /// The query, if it says which; where there is one only it can be left out.
    pub query: Option<String>,
    /// The item shown first.
    pub a: String,
    /// The item shown second.
    pub b: String,
    /// Who answered, if it says who.
    pub assessor: Option<String>,
    /// What was answered; nothing if it was left blank.
    pub preference: Option<Preference>,
    /// How many seconds it took.
    pub seconds: Option<f64>,
    /// The name of the batch that it belonged to where it comes from.
    pub batch: Option<String>,
    /// When the question was put, in seconds since 1970.
    pub asked_at: Option<f64>,
    /// When it was answered.
    pub answered_at: Option<f64>,
    /// What the platform calls it.
    pub id: Option<String>,
    /// What the assessor says of their background.
    pub background: Option<String>,
    /// How many seconds the clips of the question last.
    pub clip_seconds: Option<f64>,
}

/// One answer that counts, of a known person to a known query: by numbers of names, as it is kept, or by
/// the names themselves, as it is [added](Preferences::add).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Vote<Name = Item> {
    /// The item shown first.
    pub a: Name,
    /// The item shown second.
    pub b: Name,
    /// Who answered.
    pub assessor: Name,
    /// What was answered.
    pub preference: Preference,
    /// How many seconds it took.
    pub seconds: Option<f64>,
    /// The batch of questions it belongs to, counted from 0.
    pub batch: usize,
}

impl<'a> Vote<&'a str> {
    /// An answer of which no more is known.
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

/// The answers of one query.
#[derive(Clone, Debug)]
pub struct QueryPreferences {
    name: String,
    items: Names,
    answers: Vec<Vote>,
    asked: HashSet<(Item, Item, Item)>,
}

impl QueryPreferences {
    /// The query.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The items that were compared, in the order of their first appearance.
    pub fn items(&self) -> &Names {
        &self.items
    }

    /// The answers in the order in which they were added.
    pub fn votes(&self) -> &[Vote] {
        &self.answers
    }
}

/// What is recorded of a batch of questions beyond its answers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BatchRecord {
    /// What the batch is called: a number from 1, or what its column says.
    pub name: String,
    /// The number of rows, blank answers included.
    pub rows: usize,
    /// The number of rows without an answer.
    pub blanks: usize,
    /// When the first question was put, in seconds since 1970.
    pub first_asked_at: Option<f64>,
    /// When the first answer was given.
    pub first_answered_at: Option<f64>,
    /// When the last answer was given.
    pub last_answered_at: Option<f64>,
}

/// The answers of many people to "which of these two is closer to the query?".
///
/// ```
/// use partita_core::{Answer, Preference, Preferences};
///
/// let mut preferences = Preferences::new();
/// for (who, answer) in [("ann", Answer::A), ("bob", Answer::Equal)] {
///     preferences.add("q1", Preference::new("x", "y", who, answer))?;
/// }
/// let query = &preferences.queries()[0];
/// assert_eq!(query.answers().len(), 2);
/// assert_eq!(preferences.assessors().len(), 2);
/// # Ok::<(), partita_core::PreferenceError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Preferences {
    queries: Vec<QueryPreferences>,
    names: Names,
    assessors: Names,
}

/// Why an answer is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "a message names its fields")]
pub enum PreferenceError {
    /// An item cannot be compared with itself.
    #[error("the item `{0}` is compared with itself")]
    SameItem(String),
    /// A person's second answer to a question does not count.
    #[error("`{assessor}` has compared `{a}` and `{b}` already for the query `{query}`")]
    RepeatedVote {
        assessor: String,
        query: String,
        a: String,
        b: String,
    },
    /// There are more names than can be numbered.
    #[error("there are too many names")]
    TooManyNames,
}

impl Preferences {
    /// No answers yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds an answer about a query.
    ///
    /// # Errors
    /// An item against itself, or a person's second answer to the same question, whichever item
    /// was shown first; nothing is added then.
    pub fn add(&mut self, query: &str, given: Vote<&str>) -> Result<(), PreferenceError> {
        if given.a == given.b {
            return Err(PreferenceError::SameItem(given.a.to_owned()));
        }
        let too_many = PreferenceError::TooManyNames;
        let assessor = self.assessors.intern(given.assessor);
        let assessor = assessor.ok_or_else(|| too_many.clone())?;
        let number = self.names.intern(query);
        let number = number.ok_or_else(|| too_many.clone())?.index();
        if number == self.queries.len() {
            self.queries.push(QueryPreferences {
                name: query.to_owned(),
                items: Names::new(),
                answers: Vec::new(),
                asked: HashSet::new(),
            });
        }
        let of_query = &mut self.queries[number];
        let mut item = |name| of_query.items.intern(name).ok_or_else(|| too_many.clone());
        let (a, b) = (item(given.a)?, item(given.b)?);
        if !of_query.asked.insert((a.min(b), a.max(b), assessor)) {
            return Err(PreferenceError::RepeatedVote {
                assessor: given.assessor.to_owned(),
                query: query.to_owned(),
                a: given.a.to_owned(),
                b: given.b.to_owned(),
            });
        }
        of_query.answers.push(Vote {
            a,
            b,
            assessor,
            preference: given.preference,
            seconds: given.seconds,
            batch: given.batch,
        });
        Ok(())
    }

    /// The same answers with queries, items and people numbered in the order of their names, and
    /// answers in the order of query, batch, items and person: what is drawn from them does not
    /// depend on the order of a file.
    #[must_use]
    pub fn by_name(&self) -> Self {
        let renumbered = |names: &Names| -> (Names, Vec<Item>) {
            let order = names.sorted_items();
            let mut sorted = Names::with_capacity(order.len());
            let mut numbers = order.clone();
            for item in order {
                let number = sorted.intern(names.name(item));
                numbers[item.index()] = number.expect("no more names than before");
            }
            (sorted, numbers)
        };
        let (assessors, person) = renumbered(&self.assessors);
        let mut queries: Vec<&QueryPreferences> = self.queries.iter().collect();
        queries.sort_by_key(|query| query.name());
        let mut names = Names::with_capacity(queries.len());
        let queries = queries.into_iter().map(|query| {
            names
                .intern(&query.name)
                .expect("no more names than before");
            let (items, number) = renumbered(&query.items);
            let answers = query.answers.iter().map(|given| Vote {
                a: number[given.a.index()],
                b: number[given.b.index()],
                assessor: person[given.assessor.index()],
                ..*given
            });
            let mut answers: Vec<Vote> = answers.collect();
            answers.sort_by_key(|given| {
                let pair = (given.a.min(given.b), given.a.max(given.b));
                (given.batch, pair, given.assessor)
            });
            QueryPreferences {
                name: query.name.clone(),
                asked: (answers.iter())
                    .map(|given| (given.a.min(given.b), given.a.max(given.b), given.assessor))
                    .collect(),
                items,
                answers,
            }
        });
        let queries = queries.collect();
        Self {
            queries,
            names,
            assessors,
        }
    }

    /// The queries in the order of their first answer.
    pub fn queries(&self) -> &[QueryPreferences] {
        &self.queries
    }

    /// The people, in the order of their first answer.
    pub fn assessors(&self) -> &Names {
        &self.assessors
    }

    /// The number of answers.
    pub fn len(&self) -> usize {
        self.queries.iter().map(|query| query.answers.len()).sum()
    }

    /// Whether there is no answer.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of batches.
    pub fn batches(&self) -> usize {
        let answers = self.queries.iter().flat_map(|query| &query.answers);
        answers.map(|answer| answer.batch + 1).max().unwrap_or(0)
    }
}

//! Questions and leases.

use std::collections::HashMap;

use partita_core::Item;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::pair::{PairKey, pair_key};
use crate::campaign::Campaign;
use crate::campaign::input_error::InputError;
use crate::campaign::spec::JudgmentKind;

/// Question for one assessor, with everything the assessor sees of it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Question {
    /// Choose which of two items is closer to the query.
    Preference {
        /// Query name.
        query: String,
        /// The item shown first.
        a: String,
        /// The item shown second.
        b: String,
    },
    /// Order the items of a list.
    Ranking {
        /// Query name.
        query: String,
    },
    /// Grade the similarity of an item to the query.
    #[serde(rename = "grading")]
    Grade {
        /// Query name.
        query: String,
        /// Item name.
        item: String,
    },
}

impl Question {
    /// Returns the kind of judgment that the question asks for.
    pub fn kind(&self) -> JudgmentKind {
        match self {
            Self::Preference { .. } => JudgmentKind::Preference,
            Self::Ranking { .. } => JudgmentKind::Ranking,
            Self::Grade { .. } => JudgmentKind::Grading,
        }
    }

    /// Returns the query name.
    pub fn query(&self) -> &str {
        match self {
            Self::Preference { query, .. } | Self::Ranking { query } => query,
            Self::Grade { query, .. } => query,
        }
    }
}

/// Assignment that was handed out and is not yet answered, returned or expired.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Lease {
    /// Assessor who has the question.
    #[serde(rename = "person")]
    pub assessor: String,
    /// Question that was assigned.
    pub task: Question,
    /// True for a gold pair, whose answer will not be a vote.
    pub gold: bool,
}

/// Subject of a question, by indices instead of names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum QuestionSubject {
    /// Pair; `high_first` is true if the class with the higher number is shown first.
    Pair {
        pair: PairKey,
        high_first: bool,
    },
    Ranking,
    Item(Item),
}

/// Lease of one assessor, with the subject of its question by indices.
#[derive(Clone, Debug)]
pub(crate) struct LeaseRecord {
    pub(crate) list: usize,
    pub(crate) subject: QuestionSubject,
    pub(crate) gold: bool,
    task: Question,
}

/// Number of leases of a pair, and how many of them show the class with the lower number first.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LeaseCount {
    pub(crate) people: u32,
    pub(crate) low_first: u32,
}

/// All current leases.
///
/// Leases are not part of a campaign: they start and end by a clock, and losing them only means
/// that a question is asked again. The driver of a campaign keeps them and passes them to
/// [`Campaign::choose_assignment`].
#[derive(Clone, Debug, Default)]
pub struct Leases {
    people: HashMap<String, Vec<LeaseRecord>>,
    pairs: HashMap<(usize, PairKey), LeaseCount>,
    /// Number of requested votes that are on lease, by list.
    lists: HashMap<usize, u32>,
    rankings: HashMap<usize, u32>,
    items: HashMap<(usize, Item), u32>,
    count: usize,
}

impl Leases {
    /// Creates an empty set of leases.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a lease.
    ///
    /// # Errors
    /// Returns [`InputError`] for a question that does not belong to the campaign.
    pub fn add(&mut self, campaign: &Campaign, lease: Lease) -> Result<(), InputError> {
        let (list, subject) = campaign.subject(&lease.task)?;
        let held = LeaseRecord {
            list,
            subject,
            gold: lease.gold,
            task: lease.task,
        };
        self.count(&held, 1);
        let person = campaign.canonical_name(&lease.assessor);
        self.people.entry(person).or_default().push(held);
        self.count += 1;
        Ok(())
    }

    /// Removes a lease that was answered, returned or has expired. Returns true if it existed.
    pub fn remove(&mut self, campaign: &Campaign, person: &str, task: &Question) -> bool {
        let person = campaign.canonical_name(person);
        let Some(theirs) = self.people.get_mut(&person) else {
            return false;
        };
        let Some(place) = theirs.iter().position(|held| held.task == *task) else {
            return false;
        };
        let held = theirs.remove(place);
        if theirs.is_empty() {
            self.people.remove(&person);
        }
        self.count(&held, -1);
        self.count -= 1;
        true
    }

    fn count(&mut self, held: &LeaseRecord, by: i32) {
        let list = held.list;
        match held.subject {
            // A gold pair takes up none of the requested votes.
            QuestionSubject::Pair { .. } if held.gold => {}
            QuestionSubject::Pair { pair, high_first } => {
                let shown = self.pairs.entry((list, pair)).or_default();
                shown.people = shown.people.wrapping_add_signed(by);
                if !high_first {
                    shown.low_first = shown.low_first.wrapping_add_signed(by);
                }
                if shown.people == 0 {
                    self.pairs.remove(&(list, pair));
                }
                add(&mut self.lists, list, by);
            }
            QuestionSubject::Ranking => add(&mut self.rankings, list, by),
            QuestionSubject::Item(item) => add(&mut self.items, (list, item), by),
        }
    }

    /// Returns the number of leases.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Returns true if there are no leases.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Returns the questions that an assessor has on lease, in the order of assignment. Takes the
    /// canonical name of the assessor.
    pub fn questions_of(&self, person: &str) -> impl Iterator<Item = &Question> {
        self.leases_of(person).iter().map(|held| &held.task)
    }

    pub(crate) fn leases_of(&self, person: &str) -> &[LeaseRecord] {
        self.people.get(person).map_or(&[], Vec::as_slice)
    }

    /// Returns the number of leases of a pair, gold pairs excluded.
    pub(crate) fn count_on_pair(&self, list: usize, pair: PairKey) -> LeaseCount {
        self.pairs.get(&(list, pair)).copied().unwrap_or_default()
    }

    /// Returns the number of requested votes of a list that are on lease.
    pub(crate) fn votes_on_list(&self, list: usize) -> u32 {
        self.lists.get(&list).copied().unwrap_or(0)
    }

    /// Returns the number of leases that ask for a ranking of this list.
    pub(crate) fn ranking_count(&self, list: usize) -> u32 {
        self.rankings.get(&list).copied().unwrap_or(0)
    }

    /// Returns the number of leases that ask for a grade of this item.
    pub(crate) fn grade_count(&self, list: usize, item: Item) -> u32 {
        self.items.get(&(list, item)).copied().unwrap_or(0)
    }
}

/// Adds `by` to a count and removes entries that reach 0.
fn add<K: std::hash::Hash + Eq + Copy>(counts: &mut HashMap<K, u32>, key: K, by: i32) {
    let count = counts.entry(key).or_insert(0);
    *count = count.wrapping_add_signed(by);
    if *count == 0 {
        counts.remove(&key);
    }
}

impl Campaign {
    /// Looks up the names in a question and returns the list index and the subject by indices.
    pub(crate) fn subject(&self, task: &Question) -> Result<(usize, QuestionSubject), InputError> {
        let list = self.query(task.query())?;
        let of_list = &self.lists[list];
        let subject = match task {
            Question::Preference { a, b, .. } => {
                let (a, b) = of_list.two_items(a, b)?;
                let (a, b) = (of_list.class(a), of_list.class(b));
                QuestionSubject::Pair {
                    pair: pair_key(a, b),
                    high_first: a > b,
                }
            }
            Question::Ranking { .. } => QuestionSubject::Ranking,
            Question::Grade { item, .. } => QuestionSubject::Item(of_list.item(item)?),
        };
        Ok((list, subject))
    }
}

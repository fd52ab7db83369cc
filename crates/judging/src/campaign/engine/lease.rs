//! What one person is asked, and what is with people now.

use std::collections::HashMap;

use partita_core::Item;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::answer_status::InputError;
use super::pair::{PairKey, pair_key};
use crate::campaign::Campaign;
use crate::campaign::log::event::PreferenceChoice;
use crate::campaign::spec::JudgmentKind;

/// What one person is asked: all that they see of it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Question {
    /// Which of two items is closer to the query.
    Preference {
        /// The query.
        query: String,
        /// The item shown first.
        a: String,
        /// The item shown second.
        b: String,
    },
    /// To put the items of a list in order.
    Ranking {
        /// The query.
        query: String,
    },
    /// How close an item is to the query.
    #[serde(rename = "grading")]
    Grade {
        /// The query.
        query: String,
        /// The item.
        item: String,
    },
}

impl Question {
    /// What is asked.
    pub fn kind(&self) -> JudgmentKind {
        match self {
            Self::Preference { .. } => JudgmentKind::Preference,
            Self::Ranking { .. } => JudgmentKind::Ranking,
            Self::Grade { .. } => JudgmentKind::Grading,
        }
    }

    /// The query that it is about.
    pub fn query(&self) -> &str {
        match self {
            Self::Preference { query, .. } | Self::Ranking { query } => query,
            Self::Grade { query, .. } => query,
        }
    }
}

/// A task that was chosen for a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assignment {
    /// What they are asked.
    pub task: Question,
    /// What is to be said if the answer is known, with the items as they are shown. It is for the
    /// driver alone: nothing that the person sees tells such a question from the others.
    pub gold: Option<PreferenceChoice>,
}

/// A task that is with somebody: given out, not answered, not given back, not expired.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Lease {
    /// Who has it.
    #[serde(rename = "person")]
    pub assessor: String,
    /// What they are asked.
    pub task: Question,
    /// Whether its answer is known, so that it will be no vote.
    pub gold: bool,
}

/// What a lease is about, by the numbers of a campaign.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum QuestionSubject {
    /// A pair; whether the class with the higher number is shown first.
    Pair {
        pair: PairKey,
        high_first: bool,
    },
    Ranking,
    Item(Item),
}

/// A lease of one person.
#[derive(Clone, Debug)]
pub(crate) struct LeaseRecord {
    pub(crate) list: usize,
    pub(crate) subject: QuestionSubject,
    pub(crate) gold: bool,
    task: Question,
}

/// How often a pair is with somebody, and how often with the class of the lower number first.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LeaseCount {
    pub(crate) people: u32,
    pub(crate) low_first: u32,
}

/// All that is with people now.
///
/// Leases are no part of a campaign: they begin and end by a clock, and what is lost with them is only
/// that a question is put again. Whoever drives a campaign keeps them and hands them in wherever
/// something is [chosen](Campaign::choose).
#[derive(Clone, Debug, Default)]
pub struct Leases {
    people: HashMap<String, Vec<LeaseRecord>>,
    pairs: HashMap<(usize, PairKey), LeaseCount>,
    /// The votes of each list that are with people.
    lists: HashMap<usize, u32>,
    rankings: HashMap<usize, u32>,
    items: HashMap<(usize, Item), u32>,
    count: usize,
}

impl Leases {
    /// Nothing is with anybody.
    pub fn new() -> Self {
        Self::default()
    }

    /// All of these, of a campaign.
    ///
    /// # Errors
    /// A task that is none of the campaign.
    pub fn from_leases(
        campaign: &Campaign,
        leases: impl IntoIterator<Item = Lease>,
    ) -> Result<Self, InputError> {
        let mut all = Self::new();
        for lease in leases {
            all.add(campaign, lease)?;
        }
        Ok(all)
    }

    /// Takes note that somebody has a task.
    ///
    /// # Errors
    /// A task that is none of the campaign.
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

    /// Takes note that somebody has a task no more, because it was answered, given back or expired.
    /// Whether they had it.
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
            // What is known already takes no vote from anybody.
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

    /// How many tasks are with people.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether nothing is with anybody.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// What somebody has, in the order in which they got it; the name as the campaign knows it.
    pub fn questions_of(&self, person: &str) -> impl Iterator<Item = &Question> {
        self.held_by(person).iter().map(|held| &held.task)
    }

    pub(crate) fn held_by(&self, person: &str) -> &[LeaseRecord] {
        self.people.get(person).map_or(&[], Vec::as_slice)
    }

    /// With how many people a pair is that is to have their votes.
    pub(crate) fn on_pair(&self, list: usize, pair: PairKey) -> LeaseCount {
        self.pairs.get(&(list, pair)).copied().unwrap_or_default()
    }

    /// How many votes on a list are with people.
    pub(crate) fn on_list(&self, list: usize) -> u32 {
        self.lists.get(&list).copied().unwrap_or(0)
    }

    /// How many people are ranking a list.
    pub(crate) fn rankings(&self, list: usize) -> u32 {
        self.rankings.get(&list).copied().unwrap_or(0)
    }

    /// How many people are grading an item.
    pub(crate) fn grades(&self, list: usize, item: Item) -> u32 {
        self.items.get(&(list, item)).copied().unwrap_or(0)
    }
}

/// Counts one more or one fewer, and forgets what is at 0.
fn add<K: std::hash::Hash + Eq + Copy>(counts: &mut HashMap<K, u32>, key: K, by: i32) {
    let count = counts.entry(key).or_insert(0);
    *count = count.wrapping_add_signed(by);
    if *count == 0 {
        counts.remove(&key);
    }
}

impl Campaign {
    /// What a task is about.
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

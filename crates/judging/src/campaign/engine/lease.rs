//! Leases: questions that are handed out to an assessor and not yet answered.

use std::collections::HashMap;

use partita_core::Item;
use partita_core::judgment::{JudgmentKind, Question};

use super::pair::{PairKey, pair_key};
use crate::campaign::Campaign;
use crate::campaign::input_error::InputError;

/// Assignment that was handed out and is not yet answered, returned or expired.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lease {
    /// Assessor who has the question.
    pub assessor: String,
    /// Question that was assigned.
    pub task: Question,
    /// True for a gold pair, whose answer will not be a vote.
    pub gold: bool,
}

/// Subject of a question within its list, by indices instead of names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum QuestionSubject {
    /// Pair to compare. `higher_class_first` is true if the class with the higher number is shown
    /// first. A class consists of all items with the same content.
    Pair {
        pair: PairKey,
        higher_class_first: bool,
    },
    /// All items of the list, to be ranked.
    Ranking,
    /// Item to be graded.
    Item(Item),
}

/// Lease of one assessor, with list and subject of its question as indices.
#[derive(Clone, Debug)]
pub(crate) struct LeaseRecord {
    pub(crate) list: usize,
    pub(crate) subject: QuestionSubject,
    pub(crate) gold: bool,
    task: Question,
}

/// Number of current leases of a pair.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LeaseCount {
    /// Number of assessors who have the pair on lease.
    pub(crate) total: u32,
    /// Number of assessors who have the pair on lease with the class of the lower number shown
    /// first. A class consists of all items with the same content.
    pub(crate) lower_class_first: u32,
}

/// All current leases: questions that are handed out to an assessor and not yet answered.
///
/// Leases are not part of a campaign's state: they start and end by a clock, and losing them only
/// means that a question is asked again. The program that runs a campaign keeps them and passes
/// them to [`Campaign::choose_assignment`].
#[derive(Clone, Debug, Default)]
pub struct Leases {
    /// Leases of each assessor by canonical name, in the order of assignment.
    by_assessor: HashMap<String, Vec<LeaseRecord>>,
    /// Number of leases of each pair, keyed by list index and pair; gold pairs are not counted.
    pairs: HashMap<(usize, PairKey), LeaseCount>,
    /// Number of requested votes that are on lease, by list index.
    votes_by_list: HashMap<usize, u32>,
    /// Number of leases that ask for a ranking, by list index.
    rankings: HashMap<usize, u32>,
    /// Number of leases that ask for a grade of an item, keyed by list index and item.
    items: HashMap<(usize, Item), u32>,
    /// Number of all leases.
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
        let (list, subject) = campaign.question_subject(&lease.task)?;
        let held = LeaseRecord {
            list,
            subject,
            gold: lease.gold,
            task: lease.task,
        };
        self.add_to_counts(&held, 1);
        let person = campaign.canonical_name(&lease.assessor);
        self.by_assessor.entry(person).or_default().push(held);
        self.count += 1;
        Ok(())
    }

    /// Removes a lease that was answered, returned or has expired. Returns true if it existed.
    pub fn remove(&mut self, campaign: &Campaign, person: &str, task: &Question) -> bool {
        let person = campaign.canonical_name(person);
        let Some(theirs) = self.by_assessor.get_mut(&person) else {
            return false;
        };
        let Some(place) = theirs.iter().position(|held| held.task == *task) else {
            return false;
        };
        let held = theirs.remove(place);
        if theirs.is_empty() {
            self.by_assessor.remove(&person);
        }
        self.add_to_counts(&held, -1);
        self.count -= 1;
        true
    }

    /// Adds `by` (1 or -1) to the numbers of leases of the question's pair, list or item.
    fn add_to_counts(&mut self, held: &LeaseRecord, by: i32) {
        let list = held.list;
        match held.subject {
            // A gold pair takes up none of the requested votes.
            QuestionSubject::Pair { .. } if held.gold => {}
            QuestionSubject::Pair {
                pair,
                higher_class_first,
            } => {
                let shown = self.pairs.entry((list, pair)).or_default();
                shown.total = shown.total.wrapping_add_signed(by);
                if !higher_class_first {
                    shown.lower_class_first = shown.lower_class_first.wrapping_add_signed(by);
                }
                if shown.total == 0 {
                    self.pairs.remove(&(list, pair));
                }
                add_to_count(&mut self.votes_by_list, list, by);
            }
            QuestionSubject::Ranking => add_to_count(&mut self.rankings, list, by),
            QuestionSubject::Item(item) => add_to_count(&mut self.items, (list, item), by),
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

    /// Returns the leases of an assessor by canonical name, in the order of assignment.
    pub(crate) fn leases_of(&self, person: &str) -> &[LeaseRecord] {
        self.by_assessor.get(person).map_or(&[], Vec::as_slice)
    }

    /// Returns the number of assessors who have a pair on lease, gold pairs excluded.
    pub(crate) fn pair_lease_count(&self, list: usize, pair: PairKey) -> LeaseCount {
        self.pairs.get(&(list, pair)).copied().unwrap_or_default()
    }

    /// Returns the number of requested votes of a list that are on lease.
    pub(crate) fn leased_votes_on_list(&self, list: usize) -> u32 {
        self.votes_by_list.get(&list).copied().unwrap_or(0)
    }

    /// Returns the number of leases that ask for a ranking of this list.
    pub(crate) fn ranking_lease_count(&self, list: usize) -> u32 {
        self.rankings.get(&list).copied().unwrap_or(0)
    }

    /// Returns the number of leases that ask for a grade of this item.
    pub(crate) fn grade_lease_count(&self, list: usize, item: Item) -> u32 {
        self.items.get(&(list, item)).copied().unwrap_or(0)
    }
}

/// Adds `by` to the count of a key, and removes the key if its count reaches 0.
fn add_to_count<K: std::hash::Hash + Eq + Copy>(counts: &mut HashMap<K, u32>, key: K, by: i32) {
    let count = counts.entry(key).or_insert(0);
    *count = count.wrapping_add_signed(by);
    if *count == 0 {
        counts.remove(&key);
    }
}

impl Campaign {
    /// Looks up the names in a question. Returns the list index, and the pair or item by indices.
    pub(crate) fn question_subject(
        &self,
        task: &Question,
    ) -> Result<(usize, QuestionSubject), InputError> {
        let list = self.find_list(&task.query)?;
        let of_list = &self.lists[list];
        let subject = match (task.kind, &task.items[..]) {
            (JudgmentKind::Preference, [a, b]) => {
                let (a, b) = of_list.find_two_items(a, b)?;
                let (a, b) = (of_list.class(a), of_list.class(b));
                QuestionSubject::Pair {
                    pair: pair_key(a, b),
                    higher_class_first: a > b,
                }
            }
            (JudgmentKind::Ranking, []) => QuestionSubject::Ranking,
            (JudgmentKind::Grading, [item]) => QuestionSubject::Item(of_list.find_item(item)?),
            _ => return Err(InputError::WrongKind),
        };
        Ok((list, subject))
    }
}

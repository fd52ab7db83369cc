//! Leases: questions that are handed out to an assessor and not yet answered.

use std::collections::HashMap;

use partita_core::judgment::{JudgmentKind, Question};

use super::subject::Subject;
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

/// Lease of one assessor, with the subject of its question.
#[derive(Clone, Debug)]
pub(crate) struct LeaseRecord {
    pub(crate) subject: Subject,
    pub(crate) gold: bool,
    task: Question,
}

/// Number of current leases of a subject.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LeaseCount {
    /// Number of assessors who have the subject on lease.
    pub(crate) total: u32,
    /// Number of assessors who have a pair on lease with the class of the lower number shown first.
    /// A class consists of all items with the same content.
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
    /// Number of leases of each subject; gold pairs are not counted.
    subjects: HashMap<Subject, LeaseCount>,
    /// Number of requested votes that are on lease, by list index.
    votes_by_list: HashMap<usize, u32>,
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
        let held = LeaseRecord {
            subject: campaign.question_subject(&lease.task)?,
            gold: lease.gold,
            task: lease.task,
        };
        self.add_to_counts(campaign, &held, 1);
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
        self.add_to_counts(campaign, &held, -1);
        self.count -= 1;
        true
    }

    /// Adds `by` (1 or -1) to the numbers of leases of the question's subject and list.
    fn add_to_counts(&mut self, campaign: &Campaign, held: &LeaseRecord, by: i32) {
        // A gold pair takes up none of the requested votes.
        if held.gold {
            return;
        }
        let subject = &held.subject;
        let shown = self.subjects.entry(subject.clone()).or_default();
        shown.total = shown.total.wrapping_add_signed(by);
        if subject.kind == JudgmentKind::Preference {
            if is_lower_class_first(campaign, held) {
                shown.lower_class_first = shown.lower_class_first.wrapping_add_signed(by);
            }
            let votes = self.votes_by_list.entry(subject.list).or_insert(0);
            *votes = votes.wrapping_add_signed(by);
        }
        if shown.total == 0 {
            self.subjects.remove(subject);
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

    /// Returns the number of assessors who have this subject on lease, gold pairs excluded.
    pub(crate) fn lease_count(&self, subject: &Subject) -> LeaseCount {
        self.subjects.get(subject).copied().unwrap_or_default()
    }

    /// Returns the number of requested votes of a list that are on lease.
    pub(crate) fn leased_votes_on_list(&self, list: usize) -> u32 {
        self.votes_by_list.get(&list).copied().unwrap_or(0)
    }
}

/// Returns true if the item of a pair that is shown first belongs to the class with the lower
/// number.
fn is_lower_class_first(campaign: &Campaign, held: &LeaseRecord) -> bool {
    let list = &campaign.lists[held.subject.list];
    let first = list.find_item(&held.task.items[0]);
    first.is_ok_and(|first| list.class(first) == held.subject.items[0])
}

//! History of the questions that an assessor has answered or reported, so that nobody is asked
//! twice.

use std::collections::{BTreeSet, HashSet};

use partita_core::Item;
use partita_core::judgment::{JudgmentKind, Question};

use super::subject::Subject;
use crate::campaign::Campaign;
use crate::campaign::log::event::DefectReport;

/// Questions that an assessor has answered and defects that they reported, whether the answers
/// count or not. Imported answers are not included.
#[derive(Clone, Debug, Default)]
pub(crate) struct AssessorHistory {
    /// Number of pair questions that the assessor answered, gold pairs included.
    pub(crate) pair_answers: u32,
    /// Number of questions of any kind that the assessor answered.
    pub(crate) answered_questions: u32,
    /// Index of the list of the question that the assessor answered last.
    pub(crate) last_list: Option<usize>,
    /// Number of gold pairs that the assessor answered.
    pub(crate) gold_pairs: u32,
    /// Subjects of the questions that the assessor answered, except ordinary pairs, whose answers
    /// the lists store.
    pub(crate) answered_subjects: HashSet<Subject>,
    /// Defects that the assessor reported: list index, and class of the defective item or `None`
    /// for the query itself. A class consists of all items with the same content.
    reported_defects: BTreeSet<(usize, Option<Item>)>,
}

impl AssessorHistory {
    /// Counts an answered question of any kind about this list.
    fn count_question(&mut self, list: usize) {
        self.answered_questions += 1;
        self.last_list = Some(list);
    }

    /// Counts an answered pair question about this list.
    pub(crate) fn record_pair_answer(&mut self, list: usize) {
        self.pair_answers += 1;
        self.count_question(list);
    }

    /// Returns true if the assessor reported the query of this list as defective.
    pub(crate) fn has_reported_query(&self, list: usize) -> bool {
        self.reported_defects.contains(&(list, None))
    }

    /// Returns true if the assessor reported an item of this class (items with the same content) as
    /// defective.
    pub(crate) fn has_reported_item(&self, list: usize, class: Item) -> bool {
        !self.reported_defects.is_empty() && self.reported_defects.contains(&(list, Some(class)))
    }
}

impl Campaign {
    /// Returns the history of an assessor by canonical name, or `None` if they have neither
    /// answered (imported answers do not count) nor reported anything.
    pub(crate) fn history(&self, person: &str) -> Option<&AssessorHistory> {
        let position = self.history_names.get(person)?;
        self.histories.get(position.index())
    }

    /// Returns the history of an assessor by canonical name for updating; creates it if needed.
    pub(crate) fn history_mut(&mut self, person: &str) -> &mut AssessorHistory {
        let position = self.history_names.intern(person);
        let position = position.expect("validation limits the number of assessors");
        if position.index() == self.histories.len() {
            self.histories.push(AssessorHistory::default());
        }
        &mut self.histories[position.index()]
    }

    /// Updates the history of an assessor after an answer to a gold pair, or a judgment other than
    /// a preference. Takes the canonical name of the assessor.
    pub(crate) fn record_answered_question(&mut self, person: &str, question: &Question) {
        let subject = self.question_subject(question);
        let subject =
            subject.expect("validation checked that the question belongs to the campaign");
        let (list, kind) = (subject.list, subject.kind);
        let history = self.history_mut(person);
        history.answered_subjects.insert(subject);
        if kind == JudgmentKind::Preference {
            history.gold_pairs += 1;
            history.record_pair_answer(list);
        } else {
            history.count_question(list);
        }
    }

    /// Returns true if the assessor has answered a question as a gold pair.
    pub(crate) fn has_answered_gold(&self, question: &Question, assessor: &str) -> bool {
        let history = self.history(&self.canonical_name(assessor));
        let subject = self.question_subject(question);
        history
            .zip(subject.ok())
            .is_some_and(|(history, subject)| history.answered_subjects.contains(&subject))
    }

    /// Updates the history of an assessor after a defect report.
    pub(crate) fn record_defect(&mut self, report: &DefectReport) {
        let list = self.find_list(&report.query);
        let list = list.expect("validation checked that the query exists");
        let class = report.item.as_ref().map(|item| {
            let item = self.lists[list].find_item(item);
            self.lists[list].class(item.expect("validation checked that the item exists"))
        });
        let person = self.canonical_name(&report.assessor);
        self.history_mut(&person)
            .reported_defects
            .insert((list, class));
    }
}

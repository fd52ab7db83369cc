//! History of the questions that an assessor has answered or reported, so that nobody is asked
//! twice.

use std::collections::{BTreeSet, HashSet};

use partita_core::Item;
use partita_core::judgment::{JudgmentKind, Question};

use super::subject::Subject;
use crate::campaign::Campaign;
use crate::campaign::log::event::DefectReport;
use crate::screening::ReportCounts;

/// Number of reports in a row, without an answer between them, after which an assessor gets nothing
/// more until the organiser readmits them. Who reports whatever comes is no help, and must not use
/// up all questions.
pub const MAX_REPORTS_IN_A_ROW: u32 = 5;

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
    /// Number of the assessor's reports.
    pub(crate) reports: u32,
    /// Number of the assessor's reports since their last answer or readmission. Answers no longer
    /// reset it once it has reached [`MAX_REPORTS_IN_A_ROW`].
    reports_in_a_row: u32,
}

impl AssessorHistory {
    /// Counts an answered question of any kind about this list.
    fn count_question(&mut self, list: usize) {
        self.answered_questions += 1;
        self.last_list = Some(list);
        if !self.is_stopped_by_reports() {
            self.reports_in_a_row = 0;
        }
    }

    /// Returns true if the assessor has made [`MAX_REPORTS_IN_A_ROW`] reports in a row and was not
    /// readmitted since.
    pub(crate) fn is_stopped_by_reports(&self) -> bool {
        self.reports_in_a_row >= MAX_REPORTS_IN_A_ROW
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
        let history = self.history_mut(&person);
        history.reported_defects.insert((list, class));
        history.reports += 1;
        history.reports_in_a_row += 1;
    }

    /// Lets an assessor go on whom their reports had stopped. Takes the canonical name.
    pub(crate) fn forget_reports_in_a_row(&mut self, person: &str) {
        if let Some(position) = self.history_names.get(person) {
            self.histories[position.index()].reports_in_a_row = 0;
        }
    }

    /// Returns the numbers of questions that each assessor answered and reported, in the order of
    /// their first answer or report.
    pub(crate) fn report_counts(&self) -> impl Iterator<Item = (&str, ReportCounts)> {
        let people = self.history_names.items().zip(&self.histories);
        people.map(|(person, history)| {
            let reports = history.reports as usize;
            let questions = history.answered_questions as usize + reports;
            let counts = ReportCounts { questions, reports };
            (self.history_names.name(person), counts)
        })
    }

    /// Returns the number of reports of an assessor.
    pub fn report_count(&self, assessor: &str) -> u32 {
        let history = self.history(&self.canonical_name(assessor));
        history.map_or(0, |history| history.reports)
    }

    /// Returns true if an assessor gets nothing more because of [`MAX_REPORTS_IN_A_ROW`] reports in
    /// a row. A readmission ends this.
    pub fn is_stopped_by_reports(&self, assessor: &str) -> bool {
        let history = self.history(&self.canonical_name(assessor));
        history.is_some_and(AssessorHistory::is_stopped_by_reports)
    }
}

//! History of the questions that an assessor has answered or reported, so that nobody is asked
//! twice.

use std::collections::BTreeSet;

use partita_core::Item;
use partita_core::judgment::{AnswerRole, JudgmentKind};

use super::pair::{PairKey, pair_key};
use crate::campaign::Campaign;
use crate::campaign::log::event::Event;

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
    /// Gold pairs that the assessor answered, each as list index and pair.
    pub(crate) gold_pairs: Vec<(usize, PairKey)>,
    /// Defects that the assessor reported: list index, and class of the defective item or `None`
    /// for the query itself. A class consists of all items with the same content.
    reported_defects: BTreeSet<(usize, Option<Item>)>,
    /// Indices of the lists that the assessor ranked.
    pub(crate) ranked_lists: BTreeSet<usize>,
    /// Items that the assessor graded, each with its list index.
    pub(crate) graded_items: BTreeSet<(usize, Item)>,
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

    /// Updates the history of an assessor after an answer to a gold pair, a ranking, a grade or a
    /// defect report. Other events are ignored.
    pub(crate) fn update_history(&mut self, event: &Event) {
        let (person, query) = match event {
            Event::Answered { answer, .. } => (&answer.assessor, &answer.question.query),
            Event::Reported(reported) => (&reported.assessor, &reported.query),
            _ => return,
        };
        let list = self
            .find_list(query)
            .expect("validation checked that the query exists");
        let item = |name: &str| {
            let item = self.lists[list].find_item(name);
            item.expect("validation checked that the item exists")
        };
        let class = |name: &str| self.lists[list].class(item(name));
        let subject = match event {
            Event::Answered { answer, role } => {
                let items = &answer.question.items;
                match (answer.question.kind, role) {
                    (JudgmentKind::Preference, AnswerRole::Gold { .. }) => {
                        HistoryEntry::GoldPair(pair_key(class(&items[0]), class(&items[1])))
                    }
                    (JudgmentKind::Ranking, _) => HistoryEntry::RankedList,
                    (JudgmentKind::Grading, _) => HistoryEntry::GradedItem(item(&items[0])),
                    _ => return,
                }
            }
            Event::Reported(reported) => HistoryEntry::Defect(reported.item.as_deref().map(class)),
            _ => return,
        };
        let person = self.canonical_name(person);
        let history = self.history_mut(&person);
        match subject {
            HistoryEntry::GoldPair(pair) => {
                history.gold_pairs.push((list, pair));
                history.record_pair_answer(list);
            }
            HistoryEntry::RankedList => {
                history.ranked_lists.insert(list);
                history.count_question(list);
            }
            HistoryEntry::GradedItem(item) => {
                history.graded_items.insert((list, item));
                history.count_question(list);
            }
            HistoryEntry::Defect(item) => drop(history.reported_defects.insert((list, item))),
        }
    }
}

/// Entry that an event adds to the history of an assessor.
enum HistoryEntry {
    /// Gold pair that the assessor answered.
    GoldPair(PairKey),
    /// List that the assessor ranked.
    RankedList,
    /// Item that the assessor graded.
    GradedItem(Item),
    /// Reported defect of a class of items, or of the query if `None`.
    Defect(Option<Item>),
}

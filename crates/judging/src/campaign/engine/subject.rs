//! Subjects of questions: questions by indices instead of names.

use partita_core::Item;
use partita_core::judgment::{JudgmentKind, Question};
use smallvec::SmallVec;

use super::pair::PairKey;
use crate::campaign::Campaign;
use crate::campaign::input_error::InputError;
use crate::campaign::kinds::protocol;

/// Items of a subject. Most subjects have at most two, which are stored inline.
pub(crate) type SubjectItems = SmallVec<[Item; 2]>;

/// Subject of a question. Two questions with the same subject ask for the same judgment, even if
/// they show the items in another order.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Subject {
    /// Index of the list.
    pub(crate) list: usize,
    /// Kind of judgment that is asked for.
    pub(crate) kind: JudgmentKind,
    /// Items that the question is about, in an order that does not depend on the order shown. The
    /// items of a pair are classes: all items with the same content.
    pub(crate) items: SubjectItems,
}

impl Subject {
    /// Returns the subject of the question which item of a pair is closer to the query.
    pub(crate) fn from_pair(list: usize, (low, high): PairKey) -> Self {
        Self {
            list,
            kind: JudgmentKind::Preference,
            items: [low, high].into(),
        }
    }
}

impl Campaign {
    /// Looks up the names in a question.
    ///
    /// # Errors
    /// Returns [`InputError`] for a question that does not belong to the campaign.
    pub(crate) fn question_subject(&self, question: &Question) -> Result<Subject, InputError> {
        let list = self.find_list(&question.query)?;
        let kind = question.kind;
        let items = protocol(kind).subject_items(&self.lists[list], &question.items)?;
        Ok(Subject { list, kind, items })
    }
}

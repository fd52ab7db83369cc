//! Lists estimated from the votes on all lists together, with votes weighted by the reliability of
//! their assessors.

use partita_core::{GroupedList, Item};

use super::answer_status::AnswerStatus;
use super::list::ListRecord;
use crate::campaign::Campaign;
use crate::model::{AssessorVote, ListAssessorVotes, fit_pooled_votes};

/// Fitted list of each query, in which items with the same content count as one. `None` if the
/// strategy does not build the list from a model.
pub(crate) type FittedLists = Vec<Option<GroupedList>>;

impl Campaign {
    /// Returns the current list of a query, in which items with the same content count as one.
    ///
    /// If the strategy builds lists from a model, the votes on all lists are fitted together with
    /// the reliability of the assessors ([`fit_pooled`](crate::fit_pooled)). The fit is computed on
    /// first access and cached until the next event other than a pair request. The choice of pairs
    /// to request does not depend on it.
    pub(crate) fn current_list(&self, list: usize) -> &GroupedList {
        let fitted = self.fitted_lists.get_or_init(|| self.fit_all_lists());
        let fitted = fitted[list].as_ref();
        fitted.unwrap_or_else(|| self.lists[list].grouped(&self.list_context()))
    }

    /// Fits one model to the votes on all lists whose strategy builds lists from a model.
    fn fit_all_lists(&self) -> FittedLists {
        let grouping = |list: &ListRecord| {
            let strategy = list.strategy(self.strategy.as_ref());
            strategy.grouping(list.members.len())
        };
        let mut fitted_lists: FittedLists = vec![None; self.lists.len()];
        let mut order: Vec<usize> = (0..self.lists.len())
            .filter(|&list| grouping(&self.lists[list]).is_some())
            .collect();
        if order.is_empty() {
            return fitted_lists;
        }
        // Lists and assessors are sorted by name, and votes by pair and assessor, so that
        // floating-point sums do not depend on the order of arrival.
        order.sort_by(|&x, &y| self.lists[x].name.cmp(&self.lists[y].name));
        let mut assessor_numbers = vec![0; self.assessors.len()];
        for (place, person) in self.assessors.sorted_items().into_iter().enumerate() {
            assessor_numbers[person.index()] = place;
        }
        let votes: Vec<ListAssessorVotes> = (order.iter())
            .map(|&list| self.lists[list].assessor_votes(&assessor_numbers))
            .collect();
        let pooled = fit_pooled_votes(&votes, assessor_numbers.len());
        for (&list, fit) in order.iter().zip(&pooled.fits) {
            let record = &self.lists[list];
            fitted_lists[list] =
                grouping(record).map(|grouping| grouping.list(fit, record.votes.vote_spread()));
        }
        fitted_lists
    }
}

impl ListRecord {
    /// Returns the votes on this list that the strategy sees, each with its assessor.
    /// `assessor_numbers` gives the assessor number used in the result, by assessor index in the
    /// campaign.
    fn assessor_votes(&self, assessor_numbers: &[usize]) -> ListAssessorVotes {
        let counted = self.answers.iter();
        let counted = counted.filter(|stored| stored.status == AnswerStatus::Counted);
        let vote = counted.filter_map(|stored| {
            let answer = stored.answer?;
            let (a, b): (Item, Item) = (self.class(stored.a), self.class(stored.b));
            let (a, b, answer) = if a < b {
                (a, b, answer)
            } else {
                (b, a, answer.mirrored())
            };
            Some(AssessorVote {
                a,
                b,
                person: assessor_numbers[stored.assessor.index()],
                answer,
            })
        });
        let mut votes: Vec<AssessorVote> = vote.collect();
        votes.sort_unstable();
        ListAssessorVotes {
            items: self.members.len(),
            votes,
        }
    }
}

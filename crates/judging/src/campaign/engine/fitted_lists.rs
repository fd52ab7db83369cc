//! The lists of a campaign, with people counting as far as they can be relied on.

use partita_core::{GroupedList, Item};

use super::answer_status::AnswerStatus;
use super::list::ListRecord;
use crate::campaign::Campaign;
use crate::model::{AssessorVote, ListAssessorVotes, fit_pooled_votes};

/// The lists that a model of all votes makes, by class; nothing for those that are made otherwise.
pub(crate) type FittedLists = Vec<Option<GroupedList>>;

impl Campaign {
    /// A list as it is now, by class.
    ///
    /// Where the strategy makes lists by a model of all votes, the votes on all lists are fitted together
    /// with the reliability of the people who gave them ([`pooled_lists`](crate::pooled_lists)). That is
    /// done when somebody looks at a list, and kept until something else is said; nothing that is asked
    /// depends on it.
    pub(crate) fn current_list(&self, list: usize) -> &GroupedList {
        let fitted = self.fitted_lists.get_or_init(|| self.fitted_lists());
        let fitted = fitted[list].as_ref();
        fitted.unwrap_or_else(|| self.lists[list].grouped(&self.rules()))
    }

    fn fitted_lists(&self) -> FittedLists {
        let grouping = |list: &ListRecord| {
            let strategy = list.strategy(self.strategy.as_ref());
            strategy.grouping(list.members.len())
        };
        let mut made: FittedLists = vec![None; self.lists.len()];
        let mut order: Vec<usize> = (0..self.lists.len())
            .filter(|&list| grouping(&self.lists[list]).is_some())
            .collect();
        if order.is_empty() {
            return made;
        }
        // Lists and people are taken in the order of their names, and votes in that of pairs and people, so
        // that sums are the same to the last digit whatever came first.
        order.sort_by(|&x, &y| self.lists[x].name.cmp(&self.lists[y].name));
        let mut places = vec![0; self.assessors.len()];
        for (place, person) in self.assessors.sorted_items().into_iter().enumerate() {
            places[person.index()] = place;
        }
        let votes: Vec<ListAssessorVotes> = (order.iter())
            .map(|&list| self.lists[list].assessor_votes(&places))
            .collect();
        let found = fit_pooled_votes(&votes, places.len());
        for (&list, fit) in order.iter().zip(&found.fits) {
            let of = &self.lists[list];
            made[list] = grouping(of).map(|grouping| grouping.list(fit, of.votes.vote_spread()));
        }
        made
    }
}

impl ListRecord {
    /// The votes that the strategy knows and who gave them, by the places of people.
    fn assessor_votes(&self, places: &[usize]) -> ListAssessorVotes {
        let counted = self.answers.iter();
        let counted = counted.filter(|kept| kept.flag == AnswerStatus::Counted);
        let vote = counted.filter_map(|kept| {
            let answer = kept.answer?;
            let (a, b): (Item, Item) = (self.class(kept.a), self.class(kept.b));
            let (a, b, answer) = if a < b {
                (a, b, answer)
            } else {
                (b, a, answer.mirrored())
            };
            Some(AssessorVote {
                a,
                b,
                person: places[kept.assessor.index()],
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

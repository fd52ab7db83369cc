//! Lists estimated from the votes on all lists together, with votes weighted by the reliability of
//! their assessors.

use std::collections::HashMap;
use std::sync::Arc;

use partita_core::{GroupedList, Item};

use super::answer_status::AnswerStatus;
use super::list::ListRecord;
use crate::campaign::Campaign;
use crate::lists::strategy_list::{StrategyList, StrategyLists};
use crate::model::{AssessorVote, GroupingRule, ListAssessorVotes, PooledFit, fit_pooled_votes};

/// Fitted list of each query, in which items with the same content count as one. `None` if the
/// strategy does not build the list from a model.
pub(crate) type FittedLists = Vec<Option<GroupedList>>;

impl Campaign {
    /// Returns the current list of a query, in which items with the same content count as one.
    ///
    /// If the strategy builds lists from a model, the votes on all lists are fitted together with
    /// the reliability of the assessors ([`fit_pooled`](crate::fit_pooled)). A list that is not
    /// settled gets a new group only where votes separate items
    /// ([`GroupingRule::for_open_list`](crate::GroupingRule::for_open_list)). The fit is computed on
    /// first access and cached until the next event other than a pair request, which settles no
    /// list. The choice of pairs to request does not depend on it.
    pub(crate) fn current_list(&self, list: usize) -> &GroupedList {
        let fitted = self.fitted_lists.get_or_init(|| self.fit_all_lists());
        let fitted = fitted[list].as_ref();
        fitted.unwrap_or_else(|| self.lists[list].grouped(&self.list_context()))
    }

    /// Fits one model to the votes on all lists whose strategy builds lists from a model.
    fn fit_all_lists(&self) -> FittedLists {
        let mut fitted_lists: FittedLists = vec![None; self.lists.len()];
        let Some((modelled, _, pooled)) = self.fit_modelled_lists() else {
            return fitted_lists;
        };
        for (list, fit) in modelled.into_iter().zip(&pooled.fits) {
            let record = &self.lists[list];
            let grouping = self.current_grouping(list);
            fitted_lists[list] = grouping.map(|grouping| grouping.list(fit, &record.votes));
        }
        fitted_lists
    }

    /// Returns the rule that groups the items of a list if its strategy builds it from a model.
    fn list_grouping(&self, list: usize) -> Option<GroupingRule> {
        let record = &self.lists[list];
        let strategy = record.strategy(self.strategy.as_ref());
        strategy.grouping(record.members.len())
    }

    /// Returns the rule that groups the items of a list by the votes so far, if its strategy builds
    /// it from a model. Votes that do not separate items yet must not look like an order.
    fn current_grouping(&self, list: usize) -> Option<GroupingRule> {
        let grouping = self.list_grouping(list)?;
        Some(match self.is_list_settled(list) {
            true => grouping,
            false => grouping.for_open_list(),
        })
    }

    /// Returns the lists that are built from a model, their votes, and the fit of the model to all
    /// of them; `None` if there is no such list.
    fn fit_modelled_lists(&self) -> Option<(Vec<usize>, Vec<ListAssessorVotes>, PooledFit)> {
        let mut modelled: Vec<usize> = (0..self.lists.len())
            .filter(|&list| self.list_grouping(list).is_some())
            .collect();
        if modelled.is_empty() {
            return None;
        }
        // Lists and assessors are sorted by name, and votes by pair and assessor, so that
        // floating-point sums do not depend on the order of arrival.
        modelled.sort_by(|&x, &y| self.lists[x].name.cmp(&self.lists[y].name));
        let numbers = self.numbers_by_name();
        let votes: Vec<ListAssessorVotes> = (modelled.iter())
            .map(|&list| self.lists[list].assessor_votes(&numbers))
            .collect();
        let pooled = fit_pooled_votes(&votes, numbers.len());
        Some((modelled, votes, pooled))
    }

    /// Returns the number of each assessor in the order of their names, by assessor index.
    fn numbers_by_name(&self) -> Vec<usize> {
        let mut numbers = vec![0; self.assessors.len()];
        for (place, person) in self.assessors.sorted_items().into_iter().enumerate() {
            numbers[person.index()] = place;
        }
        numbers
    }

    /// Returns the lists that the strategy of the campaign makes of the votes that count, with what
    /// a bootstrap of them needs. Only votes on preferences make such lists.
    pub fn strategy_lists(&self) -> StrategyLists {
        let by_name = self.assessors.sorted_items();
        let names = by_name.iter().map(|&person| self.assessors.name(person));
        let mut of_models: HashMap<usize, (ListAssessorVotes, Vec<f64>)> = HashMap::new();
        if let Some((modelled, votes, pooled)) = self.fit_modelled_lists() {
            let weighted = votes.into_iter().zip(pooled.vote_weights);
            of_models.extend(modelled.into_iter().zip(weighted));
        }
        let numbers = self.numbers_by_name();
        let lists = (0..self.lists.len()).map(|list| {
            let record = &self.lists[list];
            let construction = of_models.remove(&list);
            let (votes, weights) = match construction {
                Some((votes, weights)) => (votes, Some(weights)),
                None => (record.assessor_votes(&numbers), None),
            };
            let strategy = match &record.own_strategy {
                Some(own) => Arc::clone(own),
                None => Arc::clone(&self.strategy),
            };
            let made = StrategyList {
                classes: record.item_classes(),
                list: self.current_list(list).clone(),
                votes,
                weights,
                grouping: self.current_grouping(list),
                strategy,
                seed: record.seed,
            };
            (record.name.clone(), made)
        });
        StrategyLists {
            lists: lists.collect(),
            assessors: names.map(str::to_owned).collect(),
        }
    }
}

impl ListRecord {
    /// Returns the class of each item, by item name. Items with the same content form one class.
    fn item_classes(&self) -> Vec<(String, Item)> {
        let items = self.items.items();
        items
            .map(|item| (self.items.name(item).to_owned(), self.class(item)))
            .collect()
    }

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

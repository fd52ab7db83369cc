//! Predicted decisions of a new panel on each pair of a list.

use std::collections::HashMap;

use partita_core::{Item, QueryPreferences};

use crate::model::{DecisionTable, PredictiveModel, estimate_pair_spread};
use crate::votes::decision_rule::DecisionRule;
use crate::votes::list_votes::ListVotes;

partita_named::named_enum! {
    /// Source of the probabilities of a relation.
    pub enum ProbabilitySource: "source of odds" {
        /// Posterior predictive distribution of as many new votes, by a model of all votes on the
        /// list
        Predictive = "predictive",
        /// Shares of decisions over bootstrap replicates of the assessors
        Bootstrap = "bootstrap",
    }
}

/// Predicted decisions of a new panel for the lists of all queries, by models of their votes.
///
/// Items and lists are processed in the order of their names, so that the order of answers in a
/// file does not change the result.
pub(crate) struct ListPredictions {
    /// Number of each item in the model of its list, by list number and then by the item's number
    /// in the query.
    numbers: Vec<Vec<Item>>,
    /// Predictive model of each list; the models are fitted jointly.
    predictives: Vec<PredictiveModel>,
    /// Standard deviation of the pair effects: deviations of single pairs from the difference of
    /// their items' worths.
    pub(crate) pair_spread: f64,
    tables: HashMap<u32, DecisionTable>,
}

impl ListPredictions {
    /// Fits the models for predicting decisions by `rule` on each of the numbers of new votes.
    /// Numbers above [`DecisionTable::MAX_VOTES`] have no predictions.
    pub(crate) fn new(
        queries: &[&QueryPreferences],
        rule: DecisionRule,
        new_votes: impl IntoIterator<Item = u32>,
    ) -> Self {
        let mut numbers = Vec::with_capacity(queries.len());
        let mut votes = Vec::with_capacity(queries.len());
        for query in queries {
            let mut by_name = query.items().sorted_items();
            for (number, item) in query.items().items().zip(query.items().sorted_items()) {
                by_name[item.index()] = number;
            }
            let mut list = ListVotes::new(by_name.len());
            for given in query.votes() {
                let [a, b] = [given.a, given.b].map(|item| by_name[item.index()]);
                list.add(a, b, given.preference);
            }
            numbers.push(by_name);
            votes.push(list);
        }
        let mut order: Vec<usize> = (0..queries.len()).collect();
        order.sort_by_key(|&query| queries[query].name());
        let in_order: Vec<ListVotes> = order.iter().map(|&query| votes[query].clone()).collect();
        let pair_spread = estimate_pair_spread(&in_order);
        let together = PredictiveModel::fit_lists(&in_order, pair_spread);
        let mut predictives: Vec<_> = order.into_iter().zip(together).collect();
        predictives.sort_by_key(|(query, _)| *query);
        let mut tables = HashMap::new();
        for count in new_votes {
            if !tables.contains_key(&count) {
                tables.extend(DecisionTable::new(rule, count).map(|table| (count, table)));
            }
        }
        Self {
            numbers,
            predictives: predictives.into_iter().map(|(_, found)| found).collect(),
            pair_spread,
            tables,
        }
    }

    /// Returns the predictions for the list with this number.
    pub(crate) fn list(&self, list: usize) -> ListPrediction<'_> {
        ListPrediction {
            tables: &self.tables,
            numbers: &self.numbers[list],
            predictive: &self.predictives[list],
        }
    }
}

/// Predictions for the pairs of one list.
pub(crate) struct ListPrediction<'o> {
    tables: &'o HashMap<u32, DecisionTable>,
    numbers: &'o [Item],
    predictive: &'o PredictiveModel,
}

impl ListPrediction<'_> {
    /// Returns the probabilities that `votes` new votes decide for a, equal, and b. Returns `None`
    /// if there is no decision table for this number of votes.
    pub(crate) fn relation(&self, a: Item, b: Item, votes: u32) -> Option<[f64; 3]> {
        let [a, b] = [a, b].map(|item| self.numbers[item.index()]);
        let table = self.tables.get(&votes)?;
        Some(self.predictive.relation_probabilities(a, b, table))
    }

    /// Returns the expected share of pairs that `order` has in the wrong direction, by the
    /// predictive model; 0 for fewer than two items.
    pub(crate) fn expected_inversions(&self, order: &[Item]) -> f64 {
        let number = |item: &Item| self.numbers[item.index()];
        let order: Vec<Item> = order.iter().map(number).collect();
        let (mut sum, mut pairs) = (0.0, 0.0);
        for (at, &a) in order.iter().enumerate() {
            for &b in &order[at + 1..] {
                sum += self.predictive.order_probability(b, a);
                pairs += 1.0;
            }
        }
        if pairs > 0.0 { sum / pairs } else { 0.0 }
    }
}

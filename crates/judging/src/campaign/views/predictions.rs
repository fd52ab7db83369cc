//! Predicted outcomes of new votes on the pairs of a campaign's lists.

use partita_core::Item;
use schemars::JsonSchema;
use serde::Serialize;

use super::export::ExportRequest;
use super::status::CampaignStatus;
use crate::campaign::Campaign;
use crate::campaign::input_error::InputError;
use crate::lists::build_all::RelationProbabilities;
use crate::lists::predictions::ProbabilitySource;
use crate::model::{DecisionTable, PredictiveModel, estimate_pair_spread};
use crate::votes::list_votes::ListVotes;
use crate::votes::relation::{Relation, group_numbers};

/// Predictive probabilities of the decision on each pair if a new panel cast as many votes per pair
/// as the campaign requests.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct CampaignPredictions {
    /// Number of new votes per pair for which the decisions are predicted.
    pub new_votes: u32,
    /// Model that the probabilities come from.
    pub odds_by: ProbabilitySource,
    /// Standard deviation of the pair effects, that is, of the part of a preference that the worths
    /// of the two items do not explain, on the scale of worths (log odds). It is 0 if all items of
    /// a list lie on one scale.
    pub pair_spread: f64,
    /// Predictions for each selected list with votes.
    pub lists: Vec<CampaignListPrediction>,
}

/// Predicted decisions on the pairs of one list.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct CampaignListPrediction {
    /// Query name.
    pub query: String,
    /// Expected share of the pairs that new votes would decide as the current list orders them.
    pub right: f64,
    /// Probabilities of the three relations of each pair of items, in list order. Items with the
    /// same content are represented by the first of them.
    pub relations: Vec<RelationProbabilities>,
}

impl Campaign {
    /// Predicts how new votes would decide each pair of the selected lists, from the posterior
    /// predictive distribution given all votes on a list. Lists without votes are omitted.
    ///
    /// # Errors
    /// Returns [`InputError`] for a query that does not belong to the campaign.
    pub fn predictions(&self, request: &ExportRequest) -> Result<CampaignPredictions, InputError> {
        let votes = self.spec.settings.votes;
        let table = DecisionTable::new(self.rule(), votes);
        let table = table.expect("validation checked the number of votes per pair");
        // The pair spread and the prior of the lists are estimated from all lists, even if the
        // request selects only some.
        let mut order: Vec<usize> = (0..self.lists.len()).collect();
        order.sort_by(|&x, &y| self.lists[x].name.cmp(&self.lists[y].name));
        let all: Vec<ListVotes> = (order.iter())
            .map(|&list| self.lists[list].votes.clone())
            .collect();
        let spread = estimate_pair_spread(&all);
        let mut predictives = vec![None; self.lists.len()];
        for (list, predictive) in order
            .into_iter()
            .zip(PredictiveModel::fit_lists(&all, spread))
        {
            predictives[list] = Some(predictive);
        }
        let wanted = self.selected_lists(request)?.into_iter();
        let wanted = wanted.filter(|&list| !self.lists[list].votes.is_empty());
        let wanted = wanted.filter_map(|list| Some((list, predictives[list].as_ref()?)));
        Ok(CampaignPredictions {
            new_votes: votes,
            odds_by: ProbabilitySource::Predictive,
            pair_spread: spread,
            lists: wanted
                .map(|(list, predictive)| self.list_prediction(list, predictive, &table))
                .collect(),
        })
    }

    /// Predicts the decisions on all pairs of one list. `table` gives the decision for each outcome
    /// of the votes.
    fn list_prediction(
        &self,
        number: usize,
        predictive: &PredictiveModel,
        table: &DecisionTable,
    ) -> CampaignListPrediction {
        let list = &self.lists[number];
        let grouped = self.current_list(number);
        let groups = group_numbers(grouped, list.members.len());
        let order: &[Item] = grouped.items();
        let mut relations = Vec::new();
        let mut right = 0.0;
        for (place, &a) in order.iter().enumerate() {
            for &b in &order[place + 1..] {
                let [less, equal, greater] = predictive.relation_probabilities(a, b, table);
                right += match Relation::from_group_numbers(groups[a.index()], groups[b.index()]) {
                    Relation::Less => less,
                    Relation::Equal => equal,
                    Relation::Greater => greater,
                };
                relations.push(RelationProbabilities {
                    a: list.class_name(a).to_owned(),
                    b: list.class_name(b).to_owned(),
                    less,
                    equal,
                    greater,
                });
            }
        }
        CampaignListPrediction {
            query: list.name.clone(),
            right: right / f64::max(relations.len() as f64, 1.0),
            relations,
        }
    }
}

impl CampaignStatus {
    /// Sets [`ListStatus::expected_right`](crate::campaign::ListStatus::expected_right) of each
    /// list with votes: the expected share of its pairs that new votes would decide as the list
    /// orders them.
    pub fn add_predictions(&mut self, campaign: &Campaign) {
        let predictions = campaign.predictions(&ExportRequest::default());
        for of_list in predictions
            .expect("a request that names no query cannot fail")
            .lists
        {
            let mut lists = self.lists.iter_mut();
            if let Some(list) = lists.find(|list| list.query == of_list.query) {
                list.expected_right = Some(of_list.right);
            }
        }
    }
}

//! How likely other people would decide the pairs of a campaign's lists in which way.

use partita_core::Item;
use schemars::JsonSchema;
use serde::Serialize;

use super::export::ExportRequest;
use super::status::CampaignStatus;
use crate::campaign::Campaign;
use crate::campaign::engine::answer_status::InputError;
use crate::lists::build_all::RelationProbabilities;
use crate::lists::predictions::ProbabilitySource;
use crate::model::{DecisionTable, PredictiveModel, estimate_pair_spread};
use crate::votes::list_votes::ListVotes;
use crate::votes::relation::{Relation, group_numbers};

/// How likely as many new votes as the campaign wants decide each pair of its lists in which way.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct CampaignPredictions {
    /// The number of new votes on a pair.
    pub new_votes: u32,
    /// Where the probabilities come from.
    pub odds_by: ProbabilitySource,
    /// The standard deviation of what pairs have of their own, on the scale of worths.
    pub pair_spread: f64,
    /// The lists.
    pub lists: Vec<CampaignListPrediction>,
}

/// The same of one list.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct CampaignListPrediction {
    /// The query.
    pub query: String,
    /// The share of pairs that are expected to be decided as they stand in the list.
    pub right: f64,
    /// Every two items, in the order of the list. Items with the same content go by the first of them.
    pub relations: Vec<RelationProbabilities>,
}

impl Campaign {
    /// How likely as many new votes as the campaign wants decide each pair of lists in which way, by the
    /// votes that there are on all pairs of a list (the posterior predictive law). Lists without a vote are
    /// left out.
    ///
    /// # Errors
    /// A query that is not of the campaign.
    pub fn predictions(&self, request: &ExportRequest) -> Result<CampaignPredictions, InputError> {
        let votes = self.settings.votes;
        let table = DecisionTable::new(self.rule(), votes);
        let table = table.expect("a campaign wants few votes on a pair, and at least one");
        // What pairs have of their own, and what lists have in common, is learnt of all lists, whichever
        // are wanted.
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
                .map(|(list, predictive)| self.list_odds(list, predictive, &table))
                .collect(),
        })
    }

    fn list_odds(
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
    /// Adds how many pairs of each list are expected to be decided as they stand in it.
    pub fn add_predictions(&mut self, campaign: &Campaign) {
        let odds = campaign.predictions(&ExportRequest::default());
        for of_list in odds.expect("no query is named").lists {
            let mut lists = self.lists.iter_mut();
            if let Some(list) = lists.find(|list| list.query == of_list.query) {
                list.expected_right = Some(of_list.right);
            }
        }
    }
}

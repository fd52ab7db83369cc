//! Lists of a campaign according to the judgments of one kind so far.

use std::collections::HashMap;

use partita_core::judgment::JudgmentKind;
use partita_core::work::SequentialWork;
use partita_core::{Item, QueryTruth, TruthScale, ZeroGainPolicy};
use schemars::JsonSchema;
use serde::Serialize;

use super::export::ExportRequest;
use crate::campaign::Campaign;
use crate::campaign::kinds::asks_for_votes;
use crate::lists::build_all::RelationProbabilities;

/// List of a query according to the judgments so far.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct CurrentList {
    /// Id of the query.
    pub query: String,
    /// True if the list currently needs no more judgments of this kind.
    pub settled: bool,
    /// Groups of items, most similar first. A list built from preferences contains all items. In
    /// other lists, items without a rank or gain are in no group.
    pub groups: Vec<Vec<String>>,
    /// Gain of each group, if the list is built from grades.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gains: Option<Vec<f64>>,
    /// Predicted decision of a new panel of assessors on each pair of items, as probabilities of
    /// the three relations. Empty if the list has no votes or is not built from preferences.
    pub pairs: Vec<RelationProbabilities>,
    /// Mean agreement of two votes on the same pair, from 0 (opposite) to 1 (the same), averaged
    /// over the pairs with at least two votes; `null` if there is no such pair or the list is not
    /// built from preferences.
    pub agreement: Option<f64>,
}

impl Campaign {
    /// Returns the list of each query according to the judgments of one kind so far.
    pub fn current_lists(&self, kind: JudgmentKind) -> Vec<CurrentList> {
        let every = ExportRequest::default();
        let evidence = self.evidence(kind, &every).expect("no query is named");
        let truth = evidence.ground_truth(None, ZeroGainPolicy::LastGroup, &SequentialWork);
        let truth = truth.expect("sequential work is never cancelled");
        let has_votes = asks_for_votes(kind);
        let mut predicted: HashMap<String, Vec<RelationProbabilities>> = HashMap::new();
        if has_votes {
            let predictions = self.predictions(&every).expect("no query is named");
            let lists = predictions.lists.into_iter();
            predicted.extend(lists.map(|list| (list.query, list.relations)));
        }
        let lists = (0..self.list_count()).map(|list| {
            let query = self.query_name(list);
            let judged = truth
                .query_index(query)
                .map(|index| truth.query_truth(index));
            let is_graded = truth.scale() == TruthScale::Grades;
            CurrentList {
                query: query.to_owned(),
                settled: self.has_all_judgments(list, kind),
                groups: judged.map_or_else(Vec::new, named_groups),
                gains: is_graded.then(|| judged.map_or_else(Vec::new, group_gains)),
                // A list without votes has no predictions.
                pairs: predicted.remove(query).unwrap_or_default(),
                agreement: has_votes.then(|| self.mean_agreement(list)).flatten(),
            }
        });
        lists.collect()
    }

    /// Returns true if a list needs no more judgments of one kind.
    fn has_all_judgments(&self, list: usize, kind: JudgmentKind) -> bool {
        match asks_for_votes(kind) {
            true => self.is_list_settled(list),
            false => self.missing_judgments(list, kind).next().is_none(),
        }
    }

    /// Returns the agreement of the votes on a pair, averaged over the pairs of a list that have at
    /// least two votes; `None` if no pair has.
    fn mean_agreement(&self, list: usize) -> Option<f64> {
        let pairs = self.pair_snapshots(list).into_iter();
        let agreements: Vec<f64> = pairs.filter_map(|pair| pair.agreement).collect();
        let mean = agreements.iter().sum::<f64>() / agreements.len() as f64;
        (!agreements.is_empty()).then_some(mean)
    }
}

/// Returns the groups of a list as item names.
fn named_groups(judged: &QueryTruth) -> Vec<Vec<String>> {
    let name = |item: &Item| judged.names().name(*item).to_owned();
    let groups = judged.list().groups();
    groups
        .map(|group| group.iter().map(name).collect())
        .collect()
}

/// Returns the gain of each group of a list.
fn group_gains(judged: &QueryTruth) -> Vec<f64> {
    let groups = judged.list().groups();
    groups.map(|group| judged.gain(group[0])).collect()
}

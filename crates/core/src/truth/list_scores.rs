//! Scores of systems against lists that were built from rankings.

use crate::data::gains::{Gains, ZeroGainPolicy};
use crate::data::ground_truth::{GroundTruthError, QueryTruth};
use crate::data::grouped_list::GroupedList;
use crate::data::names::Names;
use crate::data::ranking::Ranking;
use crate::measure::average_dynamic_recall;

/// Converts a list to the ground truth of a query with the items `names`. Items that are not in the
/// list, because nobody ranked them, count as judged and not relevant.
pub fn truth_from_list(names: &Names, list: &GroupedList) -> Result<QueryTruth, GroundTruthError> {
    if list.len() == names.len() {
        return QueryTruth::from_list(names.clone(), list.clone());
    }
    let mut listed = vec![false; names.len()];
    for item in list.items() {
        if let Some(listed) = listed.get_mut(item.index()) {
            *listed = true;
        }
    }
    let unlisted = names.items().filter(|item| !listed[item.index()]);
    let gains = (Gains::from_list(list).iter())
        .chain(unlisted.map(|item| (item, 0.0)))
        .collect();
    QueryTruth::from_gains(names.clone(), Gains::new(gains)?, ZeroGainPolicy::LeaveOut)
}

/// Computes the ADR (average dynamic recall) of rankings against a list; `None` where it is
/// undefined.
pub(crate) fn adr_scores(
    names: &Names,
    list: &GroupedList,
    rankings: &[&Ranking],
) -> Vec<Option<f64>> {
    let truth = truth_from_list(names, list).expect("a list made of these names holds no others");
    let adr = |&ranking: &&Ranking| average_dynamic_recall(&truth, ranking);
    rankings.iter().map(adr).collect()
}

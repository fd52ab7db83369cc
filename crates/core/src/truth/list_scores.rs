//! Systems scored against lists that were made of rankings.

use crate::data::gains::{Gains, ZeroGainPolicy};
use crate::data::ground_truth::{GroundTruthError, QueryTruth};
use crate::data::grouped_list::GroupedList;
use crate::data::names::Names;
use crate::data::ranking::Ranking;
use crate::measure::average_dynamic_recall;

/// A list as a ground truth over all the names it was made of. Items that are not in the list,
/// because nobody ranked them, are judged and not relevant.
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
    let rest = names.items().filter(|item| !listed[item.index()]);
    let gains = Gains::from_list(list);
    let gains = gains.iter().chain(rest.map(|item| (item, 0.0)));
    QueryTruth::from_gains(
        names.clone(),
        Gains::new(gains.collect())?,
        ZeroGainPolicy::LeaveOut,
    )
}

/// The ADR of rankings against a list; NaN where it is undefined.
pub(crate) fn adr_scores(names: &Names, list: &GroupedList, rankings: &[&Ranking]) -> Vec<f64> {
    let truth = truth_from_list(names, list).expect("a list made of these names holds no others");
    let adr = |&ranking: &&Ranking| average_dynamic_recall(&truth, ranking);
    rankings
        .iter()
        .map(|ranking| adr(ranking).unwrap_or(f64::NAN))
        .collect()
}

/// The mean of the numbers that are defined; NaN if none is.
pub(crate) fn mean(numbers: impl IntoIterator<Item = f64>) -> f64 {
    let numbers = numbers
        .into_iter()
        .map(|number| Some(number).filter(|n| !n.is_nan()));
    crate::evaluation::mean(numbers).unwrap_or(f64::NAN)
}

//! Result of the check of lists against judgments of any kind.

use std::fmt::Debug;

use schemars::JsonSchema;
use serde::Serialize;

use super::TruthCheckNote;
use crate::data::grouped_list::{GroupedList, NamedGroups};
use crate::data::names::Names;
use crate::truth::Audit;

/// Part of the result of a check.
pub trait ResultPart: Clone + Debug + PartialEq + Send + Sync + Serialize + JsonSchema {}

impl<T: Clone + Debug + PartialEq + Send + Sync + Serialize + JsonSchema> ResultPart for T {}

/// Parts of the result of a check that depend on the kind of judgments.
pub trait CheckDetail: Clone + Debug + PartialEq {
    /// Settings of the check.
    type Settings: ResultPart;
    /// Measures of a list and its judgments.
    type Measures: ResultPart;
    /// Evidence about an inconsistent pair, such as votes.
    type PairDetail: ResultPart;
    /// Counts of the inconsistencies of a list, and of its pairs without evidence.
    type Counts: ResultPart;
    /// Means and sums over the lists.
    type Totals: ResultPart;
    /// Uncertainty of a list.
    type Uncertainty: ResultPart;
    /// Settings of the bootstrap over assessors, with its results beside those of single lists.
    type Bootstrap: ResultPart;
}

/// Result of the check of lists against judgments.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(bound = "")]
#[schemars(rename = "{D}Check")]
pub struct ListCheck<D: CheckDetail> {
    /// Settings of the check.
    pub settings: D::Settings,
    /// Checked lists, one per query.
    pub lists: Vec<CheckedList<D>>,
    /// Means and sums over the lists.
    #[serde(flatten)]
    pub totals: D::Totals,
    /// Settings of the bootstrap over assessors, with its results beside those of single lists; null
    /// if it was not requested.
    pub trust: Option<D::Bootstrap>,
    /// Notes on mismatches between the lists and the judgments.
    #[serde(skip)]
    pub notes: Vec<TruthCheckNote>,
}

/// List of one query with the results of its check.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
#[serde(bound = "")]
#[schemars(rename = "{D}CheckedList")]
pub struct CheckedList<D: CheckDetail> {
    /// Name of the query.
    pub query: String,
    /// Groups of the list, by item name.
    pub list: NamedGroups,
    /// Number of items in the list.
    pub items: usize,
    /// Number of groups in the list.
    pub groups: usize,
    /// Number of assessors who judged the query.
    pub assessors: usize,
    /// Measures of the list and its judgments.
    #[serde(flatten)]
    pub measures: D::Measures,
    /// Inconsistencies of the list with the judgments.
    #[serde(flatten)]
    pub audit: Audit<D::PairDetail>,
    /// Counts of the inconsistencies, and of the pairs without evidence.
    #[serde(flatten)]
    pub counts: D::Counts,
    /// Uncertainty of the list; null if the bootstrap was not requested, or if two
    /// assessors or one make the same list whoever of them is drawn.
    pub trust: Option<D::Uncertainty>,
}

impl<D: CheckDetail> CheckedList<D> {
    /// Creates the result of the check of a list by `assessors` assessors, without its uncertainty.
    pub fn new(
        query: &str,
        (names, list): (&Names, &GroupedList),
        assessors: usize,
        measures: D::Measures,
        (audit, counts): (Audit<D::PairDetail>, D::Counts),
    ) -> Self {
        Self {
            query: query.to_owned(),
            list: list.to_named_groups(names),
            items: list.len(),
            groups: list.group_count(),
            assessors,
            measures,
            audit,
            counts,
            trust: None,
        }
    }
}

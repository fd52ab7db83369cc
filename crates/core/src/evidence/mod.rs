//! Evidence of lists: judgments of several assessors, whatever their kind.
//!
//! [`ListEvidence`] is what rankings, votes and grades have in common. [`check_lists`] checks the
//! lists of all queries against them, and [`bootstrap_lists`] resamples the assessors to estimate
//! the uncertainty of the lists.

mod check;
mod resampler;
mod result;
mod trust;

use crate::data::ground_truth::QueryTruth;
use crate::data::grouped_list::GroupedList;

pub use check::{
    CheckedLists, TruthCheckError, TruthCheckNote, WithNotes, check_lists, common_queries,
};
pub use resampler::AssessorResampler;
pub use result::{CheckDetail, CheckedList, ListCheck, ResultPart};
pub use trust::{BootstrapOptions, MIN_RESAMPLED_ASSESSORS, bootstrap_lists};

/// Judgments of several assessors about the items of queries, against which lists are checked.
pub trait ListEvidence: Sync {
    /// Evidence about the pairs of items of one query.
    type Case: Send + Sync;
    /// Parts of the result of a check that depend on the kind of judgments.
    type Detail: CheckDetail;
    /// Data that the bootstraps of all lists share.
    type Shared: Sync;
    /// Bootstrap of the list of one query.
    type Bootstrap<'e>: ListResampling
    where
        Self: 'e;

    /// Returns the word for the judgments in messages, such as `rankings`.
    fn judgments(&self) -> &'static str;

    /// Returns the words that say how lists are built, such as `any-1 makes of the rankings`.
    fn construction(&self) -> String;

    /// Returns the names of the judged queries.
    fn query_names(&self) -> Vec<&str>;

    /// Converts a list of a ground truth to the item numbers of the judgments of a query. Adds what
    /// does not match, for [`ListEvidence::unmatched_note`].
    ///
    /// # Errors
    /// Returns [`TruthCheckError`] if the list cannot be checked against the judgments.
    fn resolve(
        &self,
        query: usize,
        truth: &QueryTruth,
        unmatched: &mut Vec<String>,
    ) -> Result<GroupedList, TruthCheckError>;

    /// Returns the note on items that do not match between lists and judgments.
    fn unmatched_note(&self, unmatched: Vec<String>) -> TruthCheckNote;

    /// Collects the evidence about a query, with the list to check: the given one, or else the one
    /// that the judgments make.
    fn case(&self, query: usize, given: Option<GroupedList>) -> ListCase<Self::Case>;

    /// Checks a list against its evidence; the uncertainty of the list is not set yet.
    fn check(&self, case: &ListCase<Self::Case>) -> CheckedList<Self::Detail>;

    /// Returns the list that the judgments make.
    fn built_list(&self, case: &ListCase<Self::Case>) -> GroupedList;

    /// Creates the bootstrap of the list that the judgments make. `number` is the number of the list
    /// among the checked ones.
    fn bootstrap<'e>(
        &'e self,
        shared: &'e Self::Shared,
        number: usize,
        case: &'e ListCase<Self::Case>,
    ) -> Self::Bootstrap<'e>;

    /// Returns the uncertainty of a list, by the replicates of its bootstrap.
    fn uncertainty(
        &self,
        shared: &Self::Shared,
        number: usize,
        case: &ListCase<Self::Case>,
        replicates: &[Replicate<'_, Self>],
        confidence: f64,
    ) -> <Self::Detail as CheckDetail>::Uncertainty;
}

/// Replicate of the bootstrap of the lists of `E`.
pub type Replicate<'e, E> = <<E as ListEvidence>::Bootstrap<'e> as ListResampling>::Replicate;

/// List to check, with the evidence about its items.
#[derive(Clone, Debug)]
pub struct ListCase<C> {
    /// Number of the query in the judgments.
    pub query: usize,
    /// List to check, in the item numbers of the judgments.
    pub list: GroupedList,
    /// Evidence about the pairs of items.
    pub evidence: C,
}

/// Bootstrap of a list over the assessors. Each thread needs its own clone, because it caches
/// decisions, which does not affect the results.
pub trait ListResampling: Clone + Send + Sync {
    /// List of a bootstrap sample of the assessors, with what is known about it.
    type Replicate: Send + Sync;

    /// Returns the list of a replicate.
    fn list(replicate: &Self::Replicate) -> &GroupedList;

    /// Computes one replicate, which depends only on the seed, the replicate number and the
    /// judgments.
    fn replicate(&mut self, seed: u64, replicate: u64) -> Self::Replicate;

    /// Returns true if all judgments together make the list that they are known to have made.
    fn reproduces_list(&self) -> bool {
        true
    }
}

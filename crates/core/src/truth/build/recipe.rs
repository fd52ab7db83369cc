//! Recipe: settings that determine which list is built from given rankings.

use schemars::JsonSchema;
use serde::Serialize;

use super::aggregation::{Aggregation, group_by_verdicts};
use super::arrangement::arrange;
use super::item_pair_tests::ItemPairVerdict;
use super::rank_evidence::{RankEvidence, RankTestOptions};
use super::rank_samples::{RankSamples, all_assessors};
use super::test_cache::TestCache;
use crate::data::assessor_rankings::AssessorRankings;
use crate::data::ground_truth::QueryTruth;
use crate::data::grouped_list::GroupedList;
use crate::significance::alpha::Alpha;
use crate::truth::list_scores::truth_from_list;

/// Settings that determine which list is built from given rankings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct Recipe {
    /// Aggregation function that groups the items.
    #[serde(rename = "aggregate")]
    pub aggregation: Aggregation,
    /// Significance level of the tests of the aggregation function.
    pub alpha: Alpha,
    /// Treatment of unranked items, and null distribution of the tests.
    #[serde(flatten)]
    pub reading: RankTestOptions,
}

impl Recipe {
    /// Builds the list from the rankings of the given assessors, some of whom may occur several
    /// times.
    ///
    /// Runs only the tests that the aggregation function needs, so it is faster than
    /// [`RankEvidence::aggregate`] and returns the same list. Panics if there is no such assessor.
    pub fn list(&self, rankings: &AssessorRankings, assessors: &[usize]) -> GroupedList {
        self.list_with_test(rankings, assessors, |a, b| {
            ItemPairVerdict::test(a, b, self.alpha, self.reading.null_distribution)
        })
    }

    /// Builds the list like [`Recipe::list`], but `test` returns the verdict on two rank samples.
    pub(crate) fn list_with_test(
        &self,
        rankings: &AssessorRankings,
        assessors: &[usize],
        mut test: impl FnMut(&[f64], &[f64]) -> ItemPairVerdict,
    ) -> GroupedList {
        let samples = RankSamples::from_assessors(rankings, self.reading.unranked, assessors);
        let arranged = arrange(&samples, rankings.items());
        group_by_verdicts(&arranged, self.aggregation, |a, b| {
            test(samples.sample(a), samples.sample(b))
        })
    }

    /// Creates a cache of test verdicts for many bootstrap draws from the same rankings.
    pub(crate) fn test_cache(&self) -> TestCache {
        TestCache::new(self.alpha, self.reading.null_distribution)
    }

    /// Builds the list from the rankings of all assessors, as the ground truth of a query. Its
    /// names include unranked items.
    pub fn truth(&self, rankings: &AssessorRankings) -> QueryTruth {
        let list = self.list(rankings, &all_assessors(rankings));
        truth_from_list(rankings.items(), &list)
            .expect("a list that was made of these items holds no others")
    }

    /// Collects the rank samples of all assessors and tests them at the significance level of this
    /// recipe.
    pub fn evidence(&self, rankings: &AssessorRankings) -> RankEvidence {
        RankEvidence::new(rankings, self.alpha, self.reading)
    }
}

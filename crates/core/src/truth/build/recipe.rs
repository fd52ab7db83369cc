//! How lists are made of rankings.

use schemars::JsonSchema;
use serde::Serialize;

use super::aggregate::group_by_verdicts;
use super::aggregation::Aggregation;
use super::arrangement::arrange;
use super::item_pair_tests::ItemPairVerdict;
use super::rank_evidence::{RankEvidence, RankTestOptions};
use super::rank_samples::RankSamples;
use super::test_cache::TestCache;
use crate::data::assessor_rankings::AssessorRankings;
use crate::data::ground_truth::QueryTruth;
use crate::data::grouped_list::GroupedList;
use crate::significance::alpha::Alpha;
use crate::truth::list_scores::truth_from_list;

/// All that decides which list is made of given rankings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct Recipe {
    /// The function that groups the items.
    #[serde(rename = "aggregate")]
    pub aggregation: Aggregation,
    /// The level of its tests.
    pub alpha: Alpha,
    /// How the rankings are read.
    #[serde(flatten)]
    pub reading: RankTestOptions,
}

impl Recipe {
    /// The list that these assessors alone would make, some of whom may count several times.
    ///
    /// Only the tests that the aggregation function asks for are made, so this is faster than
    /// [`Evidence::aggregate`] and gives the same list. Panics if there is no such assessor.
    pub fn list(&self, rankings: &AssessorRankings, assessors: &[usize]) -> GroupedList {
        self.list_by(rankings, assessors, |a, b| {
            ItemPairVerdict::test(a, b, self.alpha, self.reading.null_distribution)
        })
    }

    /// The same list by these tests of two samples.
    pub(crate) fn list_by(
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

    /// Its tests, for many draws from the same rankings.
    pub(crate) fn test_cache(&self) -> TestCache {
        TestCache::new(self.alpha, self.reading.null_distribution)
    }

    /// The list that all assessors make, as a ground truth over all that they mention.
    pub fn truth(&self, rankings: &AssessorRankings) -> QueryTruth {
        let everyone: Vec<usize> = (0..rankings.assessors().len()).collect();
        truth_from_list(rankings.items(), &self.list(rankings, &everyone))
            .expect("a list that was made of these items holds no others")
    }

    /// The evidence of all assessors, at the level of this recipe.
    pub fn evidence(&self, rankings: &AssessorRankings) -> RankEvidence {
        RankEvidence::new(rankings, self.alpha, self.reading)
    }
}

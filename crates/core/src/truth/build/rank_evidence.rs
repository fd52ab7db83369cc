//! All that the aggregation functions and the audit look at.

use partita_stats::PValues;
use schemars::JsonSchema;
use serde::{Serialize, Serializer};

use super::arrangement::arrange;
use super::item_pair_tests::{ItemPairTests, NullDistribution, normal_p_values, p_values};
use super::rank_samples::{RankSamples, UnrankedPolicy};
use crate::data::assessor_rankings::AssessorRankings;
use crate::data::names::Item;
use crate::significance::alpha::Alpha;

/// How rankings are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, JsonSchema)]
pub struct RankTestOptions {
    /// What stands in for the rank of an item that an assessor left unranked.
    pub unranked: UnrankedPolicy,
    /// Which law the tests follow; in JSON, whether every test and every p-value is exact.
    #[serde(rename = "exact", serialize_with = "is_exact")]
    #[schemars(with = "bool")]
    pub null_distribution: NullDistribution,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "this is how serde hands it over"
)]
fn is_exact<S: Serializer>(law: &NullDistribution, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_bool(*law == NullDistribution::Exact)
}

impl RankTestOptions {
    /// How much work a p-value is worth by this law.
    pub fn p_value_accuracy(self) -> PValueAccuracy {
        if self.null_distribution == NullDistribution::Exact {
            PValueAccuracy::Exact
        } else {
            PValueAccuracy::Quick
        }
    }
}

/// The rank samples of one query, their arrangement, and the tests of all pairs at one level.
///
/// Building a list, measuring its consistency and auditing it all read the same evidence, in which
/// each pair of items is tested once.
#[derive(Clone, Debug, PartialEq)]
pub struct RankEvidence {
    samples: RankSamples,
    arranged: Vec<Item>,
    comparisons: ItemPairTests,
    law: NullDistribution,
}

impl RankEvidence {
    /// The evidence of these rankings, tested at this level.
    pub fn new(rankings: &AssessorRankings, alpha: Alpha, reading: RankTestOptions) -> Self {
        let everyone: Vec<usize> = (0..rankings.assessors().len()).collect();
        Self::from_assessors(rankings, &everyone, alpha, reading)
    }

    /// The evidence of these assessors alone, some of whom may count several times. Panics if there
    /// is no such assessor.
    pub fn from_assessors(
        rankings: &AssessorRankings,
        assessors: &[usize],
        alpha: Alpha,
        reading: RankTestOptions,
    ) -> Self {
        let samples = RankSamples::from_assessors(rankings, reading.unranked, assessors);
        let arranged = arrange(&samples, rankings.items());
        let comparisons = ItemPairTests::new(&samples, alpha, reading.null_distribution);
        Self {
            samples,
            arranged,
            comparisons,
            law: reading.null_distribution,
        }
    }

    /// The same samples in the same order, tested at another level.
    #[must_use]
    pub fn at_level(&self, alpha: Alpha) -> Self {
        let comparisons = if alpha == self.comparisons.alpha() {
            self.comparisons.clone()
        } else {
            ItemPairTests::new(&self.samples, alpha, self.law)
        };
        Self {
            comparisons,
            ..self.clone()
        }
    }

    /// The rank samples.
    pub fn samples(&self) -> &RankSamples {
        &self.samples
    }

    /// The items that were ranked, in order of their median and mean ranks.
    pub fn arrangement(&self) -> &[Item] {
        &self.arranged
    }

    /// The tests of all pairs.
    pub fn pair_tests(&self) -> &ItemPairTests {
        &self.comparisons
    }

    /// The items without any rank.
    pub fn unranked_items(&self) -> Vec<Item> {
        let items = (0..self.samples.len()).map_while(Item::from_index);
        items
            .filter(|&item| self.samples.sample(item).is_empty())
            .collect()
    }

    /// The p-values of the tests of a against b; `None` where a sample has fewer than 2 ranks.
    pub fn p_values(&self, a: Item, b: Item, exactness: PValueAccuracy) -> Option<ItemPairPValues> {
        let (x, y) = (self.samples.sample(a), self.samples.sample(b));
        if x.len() < 2 || y.len() < 2 {
            return None;
        }
        if exactness == PValueAccuracy::Quick && x.len() + y.len() > MAX_QUICK_EXACT {
            let p = normal_p_values(x, y);
            if self
                .comparisons
                .verdict(a, b)
                .agrees_with(p, self.comparisons.alpha())
            {
                return Some(ItemPairPValues {
                    p,
                    approximate: true,
                });
            }
        }
        let law = if exactness == PValueAccuracy::Exact {
            NullDistribution::Exact
        } else {
            self.law
        };
        let (p, approximate) = p_values(x, y, law);
        Some(ItemPairPValues { p, approximate })
    }
}

/// How much work a p-value is worth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum PValueAccuracy {
    /// Exact for up to [`QUICK_EXACT`] pooled ranks. For more it is that of the normal law with
    /// its corrections, unless that contradicts the verdict, which is always exact for up to 120.
    #[default]
    Quick,
    /// Exact however many ranks there are, as far as memory allows.
    Exact,
}

/// Up to this many pooled ranks, even a quick p-value is exact.
pub const MAX_QUICK_EXACT: usize = 40;

/// The p-values of one pair of items; `p.less` is that the first tends to smaller ranks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ItemPairPValues {
    /// The p-values.
    pub p: PValues,
    /// Whether they are those of the normal law.
    pub approximate: bool,
}

//! Evidence from the rankings of a query: rank samples of its items and tests of its item pairs.

use partita_stats::PValues;
use schemars::JsonSchema;
use serde::{Serialize, Serializer};

use super::arrangement::arrange;
use super::item_pair_tests::{
    ItemPairTests, ItemPairVerdict, NullDistribution, normal_p_values, p_values,
};
use super::rank_samples::{RankSamples, UnrankedPolicy};
use crate::data::assessor_rankings::AssessorRankings;
use crate::data::names::Item;
use crate::significance::alpha::Alpha;

/// Options for the treatment of unranked items and for the tests of ranks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, JsonSchema)]
pub struct RankTestOptions {
    /// Treatment of items that an assessor left unranked.
    pub unranked: UnrankedPolicy,
    /// Null distribution of the Mann-Whitney tests. In JSON a boolean: true if every test and every
    /// p-value is exact.
    #[serde(rename = "exact", serialize_with = "serialize_exact")]
    #[schemars(with = "bool")]
    pub null_distribution: NullDistribution,
}

/// Serializes the null distribution as a boolean: true if it is exact for every test.
#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes the field by reference"
)]
fn serialize_exact<S: Serializer>(
    null: &NullDistribution,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.serialize_bool(*null == NullDistribution::Exact)
}

/// Rank samples of one query, the order of its items, and the tests of all pairs at one
/// significance level.
///
/// Building a list, measuring its consistency and auditing it share this evidence, so each pair of
/// items is tested once.
#[derive(Clone, Debug, PartialEq)]
pub struct RankEvidence {
    samples: RankSamples,
    arrangement: Vec<Item>,
    pair_tests: ItemPairTests,
    null_distribution: NullDistribution,
}

impl RankEvidence {
    /// Collects the rank samples of all assessors and tests all pairs of items at this significance
    /// level.
    pub fn new(rankings: &AssessorRankings, alpha: Alpha, reading: RankTestOptions) -> Self {
        let samples = RankSamples::new(rankings, reading.unranked);
        Self {
            arrangement: arrange(&samples, rankings.items()),
            pair_tests: ItemPairTests::new(&samples, alpha, reading.null_distribution),
            samples,
            null_distribution: reading.null_distribution,
        }
    }

    /// Returns the evidence with the same samples and order of items, but with tests at another
    /// significance level.
    #[must_use]
    pub fn at_level(&self, alpha: Alpha) -> Self {
        let mut evidence = self.clone();
        if alpha != self.pair_tests.alpha() {
            evidence.pair_tests = ItemPairTests::new(&self.samples, alpha, self.null_distribution);
        }
        evidence
    }

    /// Returns the rank samples of the items.
    pub fn samples(&self) -> &RankSamples {
        &self.samples
    }

    /// Returns the ranked items, in order of their median and mean ranks.
    pub fn arrangement(&self) -> &[Item] {
        &self.arrangement
    }

    /// Returns the verdicts of the tests of all pairs of items.
    pub fn pair_tests(&self) -> &ItemPairTests {
        &self.pair_tests
    }

    /// Returns the items without any given or imputed rank.
    pub fn unranked_items(&self) -> Vec<Item> {
        let items = (0..self.samples.item_count()).map_while(Item::from_index);
        items
            .filter(|&item| self.samples.sample(item).is_empty())
            .collect()
    }

    /// Returns the p-values of the tests of item a against item b; `None` if a sample has fewer
    /// than 2 ranks.
    ///
    /// The p-values come from the null distribution of the options, with one exception: with
    /// [`NullDistribution::Auto`] and more than 40 ranks of both items together, the p-values of
    /// the normal approximation are returned if they lead to the same verdict.
    pub fn p_values(&self, a: Item, b: Item) -> Option<ItemPairPValues> {
        let (x, y) = (self.samples.sample(a), self.samples.sample(b));
        if x.len() < 2 || y.len() < 2 {
            return None;
        }
        if self.null_distribution != NullDistribution::Exact
            && x.len() + y.len() > MAX_EXACT_P_VALUES
        {
            let p = normal_p_values(x, y);
            let verdict = ItemPairVerdict::from_p_values(p, self.pair_tests.alpha());
            if verdict == self.pair_tests.verdict(a, b) {
                return Some(ItemPairPValues {
                    p,
                    approximate: true,
                });
            }
        }
        let (p, approximate) = p_values(x, y, self.null_distribution);
        Some(ItemPairPValues { p, approximate })
    }
}

/// Largest number of pooled ranks for which p-values are always exact with
/// [`NullDistribution::Auto`].
const MAX_EXACT_P_VALUES: usize = 40;

/// P-values of one pair of items; `p.less` is for the alternative that the first item has smaller
/// ranks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ItemPairPValues {
    /// P-values of the one-tailed and two-tailed tests.
    pub p: PValues,
    /// True if the p-values are those of the normal approximation.
    pub approximate: bool,
}

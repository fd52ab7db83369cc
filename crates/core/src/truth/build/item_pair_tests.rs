//! Mann-Whitney tests of all pairs of items.

use std::cmp::Ordering;

use partita_stats::Alternative;
use partita_stats::PValues;
use partita_stats::mann_whitney::{MAX_AUTO_EXACT, MannWhitneyMethod, mann_whitney, rejections};

use super::rank_samples::RankSamples;
use crate::data::names::Item;
use crate::significance::alpha::Alpha;
pub use crate::significance::tails::Tails;

/// Null distribution of the Mann-Whitney tests of item pairs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum NullDistribution {
    /// Exact, given the ties, up to [`MAX_AUTO_EXACT`] ranks of both items together. Beyond that,
    /// normal with the corrections for ties and continuity.
    #[default]
    Auto,
    /// Exact for any number of ranks, as far as memory allows.
    Exact,
    /// Normal with the corrections for ties and continuity, for any number of ranks: an
    /// approximation for simulations that build millions of lists.
    Normal,
}

/// Verdict of the Mann-Whitney tests of an item a against an item b at one significance level.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ItemPairVerdict {
    /// True if the one-tailed test finds that the ranks of a tend to be smaller: a is better.
    pub less: bool,
    /// True if the one-tailed test finds that the ranks of a tend to be greater: a is worse.
    pub greater: bool,
    /// True if the two-tailed test finds that the ranks of a and b differ.
    pub two_sided: bool,
    /// True if an item has fewer than 2 ranks. The items then count as not different.
    pub untestable: bool,
}

impl ItemPairVerdict {
    /// Verdict on two items if at least one has fewer than 2 ranks.
    pub const UNTESTABLE: Self = Self {
        less: false,
        greater: false,
        two_sided: false,
        untestable: true,
    };

    /// Returns true if the items differ: by the two-tailed test for [`Tails::Two`], by either of
    /// the one-tailed tests for [`Tails::One`].
    pub fn differs(self, tails: Tails) -> bool {
        match tails {
            Tails::One => self.less || self.greater,
            Tails::Two => self.two_sided,
        }
    }

    /// Returns the relation of a to b: `Less` if they differ and a is better.
    ///
    /// Above an alpha of ½ both one-tailed tests can reject. Two items that differ in both
    /// directions have no direction and are `Equal`, like items that do not differ.
    pub fn relation(self, tails: Tails) -> Ordering {
        match (self.differs(tails), self.less, self.greater) {
            (true, true, false) => Ordering::Less,
            (true, false, true) => Ordering::Greater,
            _ => Ordering::Equal,
        }
    }

    /// Returns the verdict on b against a.
    #[must_use]
    pub fn swapped(self) -> Self {
        Self {
            less: self.greater,
            greater: self.less,
            ..self
        }
    }

    /// Runs the Mann-Whitney tests of two rank samples, both in ascending order.
    pub fn test(a: &[f64], b: &[f64], alpha: Alpha, null: NullDistribution) -> Self {
        if a.len() < 2 || b.len() < 2 {
            return Self::UNTESTABLE;
        }
        if null == NullDistribution::Normal
            || null == NullDistribution::Exact && a.len() + b.len() > MAX_AUTO_EXACT
        {
            return Self::from_p_values(p_values(a, b, null).0, alpha);
        }
        let found =
            rejections(a, b, alpha.value()).expect("no rank is NaN, and alpha is between 0 and 1");
        Self {
            less: found.less,
            greater: found.greater,
            two_sided: found.two_sided,
            untestable: false,
        }
    }

    /// Returns the verdict that follows from these p-values at the given significance level.
    pub(crate) fn from_p_values(p: PValues, alpha: Alpha) -> Self {
        let rejects = |alternative| p.rejects(alpha.value(), alternative);
        Self {
            less: rejects(Alternative::Less),
            greater: rejects(Alternative::Greater),
            two_sided: rejects(Alternative::TwoSided),
            untestable: false,
        }
    }
}

/// Returns the p-values of the Mann-Whitney test of two rank samples by the normal approximation.
pub(crate) fn normal_p_values(a: &[f64], b: &[f64]) -> PValues {
    mann_whitney(a, b, MannWhitneyMethod::Normal).map_or(PValues::NO_EVIDENCE, |test| test.p)
}

/// Returns the p-values of the Mann-Whitney test of two rank samples with at least one rank each.
/// The flag is true if they are approximate.
pub(crate) fn p_values(a: &[f64], b: &[f64], null: NullDistribution) -> (PValues, bool) {
    let exact = match null {
        NullDistribution::Auto => a.len() + b.len() <= MAX_AUTO_EXACT,
        NullDistribution::Exact => true,
        NullDistribution::Normal => false,
    };
    let method = if exact {
        MannWhitneyMethod::ExactConditional
    } else {
        MannWhitneyMethod::Normal
    };
    let test =
        mann_whitney(a, b, method).or_else(|_| mann_whitney(a, b, MannWhitneyMethod::Normal));
    match test {
        Ok(test) => (test.p, test.method == MannWhitneyMethod::Normal),
        // For finite ranks, the normal approximation fails only if a sample is empty.
        Err(_) => (PValues::NO_EVIDENCE, false),
    }
}

/// Verdicts on all pairs of items of one query, at one significance level.
///
/// Each pair is tested once. Building and auditing a list share the verdicts.
#[derive(Clone, Debug, PartialEq)]
pub struct ItemPairTests {
    alpha: Alpha,
    /// Number of items of the query.
    width: usize,
    /// Matrix of verdicts: the item of the row against the item of the column.
    verdicts: Vec<ItemPairVerdict>,
}

impl ItemPairTests {
    /// Runs the Mann-Whitney tests of all pairs of items on their rank samples.
    pub fn new(samples: &RankSamples, alpha: Alpha, null: NullDistribution) -> Self {
        Self::from_fn(samples.item_count(), alpha, |a, b| {
            ItemPairVerdict::test(samples.sample(a), samples.sample(b), alpha, null)
        })
    }

    /// Collects the verdicts that `test` returns. `test` is called once per pair of items, with the
    /// smaller item number first, and may use any kind of evidence.
    pub fn from_fn(
        items: usize,
        alpha: Alpha,
        mut test: impl FnMut(Item, Item) -> ItemPairVerdict,
    ) -> Self {
        let mut verdicts = vec![ItemPairVerdict::default(); items * items];
        let items: Vec<Item> = (0..items).map_while(Item::from_index).collect();
        for &b in &items {
            for &a in &items[..b.index()] {
                let verdict = test(a, b);
                verdicts[a.index() * items.len() + b.index()] = verdict;
                verdicts[b.index() * items.len() + a.index()] = verdict.swapped();
            }
        }
        Self {
            alpha,
            width: items.len(),
            verdicts,
        }
    }

    /// Returns the significance level of the tests.
    pub fn alpha(&self) -> Alpha {
        self.alpha
    }

    /// Returns the verdict on item a against item b. The verdict on an item against itself is
    /// meaningless. Panics if there is no such item.
    pub fn verdict(&self, a: Item, b: Item) -> ItemPairVerdict {
        assert!(b.index() < self.width);
        self.verdicts[a.index() * self.width + b.index()]
    }
}

//! The test of every item against every other, made once.

use std::cmp::Ordering;

use partita_stats::Alternative;
use partita_stats::PValues;
use partita_stats::mann_whitney::{MAX_AUTO_EXACT, MannWhitneyMethod, mann_whitney, rejections};

use super::rank_samples::RankSamples;
use crate::data::names::Item;
use crate::significance::alpha::Alpha;

partita_named::named_enum! {
    /// One-tailed or two-tailed tests.
    pub enum Tails: "number of tails" {
        /// A difference in one direction is asked for
        One = "1",
        /// A difference in any direction is asked for
        Two = "2",
    }
}

impl Tails {
    /// How many they are, as results have it.
    pub fn count(self) -> u8 {
        match self {
            Self::One => 1,
            Self::Two => 2,
        }
    }

    /// The p-value that is compared with a level: where tests are one-tailed both ways, the smaller.
    pub(crate) fn p(self, p: PValues) -> f64 {
        match self {
            Self::One => p.less.min(p.greater),
            Self::Two => p.two_sided,
        }
    }
}

/// Which law the tests follow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum NullDistribution {
    /// Exact given the ties up to [`AUTO_EXACT`] pooled ranks, and normal with the corrections
    /// for ties and continuity beyond.
    #[default]
    Auto,
    /// Exact however many ranks there are, as far as memory allows.
    Exact,
    /// Normal with both corrections however few ranks there are: an approximation, for simulations
    /// that make millions of lists.
    Normal,
}

/// What the Mann-Whitney tests of an item a against an item b say at one level.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ItemPairVerdict {
    /// The ranks of a tend to be smaller: a is better (one-tailed).
    pub less: bool,
    /// The ranks of a tend to be greater: a is worse (one-tailed).
    pub greater: bool,
    /// The ranks differ (two-tailed).
    pub two_sided: bool,
    /// A sample has fewer than 2 ranks. The items then count as not different.
    pub untestable: bool,
}

impl ItemPairVerdict {
    /// The verdict on two items of which at least one has fewer than 2 ranks.
    pub const UNTESTABLE: Self = Self {
        less: false,
        greater: false,
        two_sided: false,
        untestable: true,
    };

    /// Whether the items differ: by the two-tailed test, or by either of the one-tailed ones.
    pub fn differs(self, tails: Tails) -> bool {
        match tails {
            Tails::One => self.less || self.greater,
            Tails::Two => self.two_sided,
        }
    }

    /// How a relates to b: `Less` if they differ and a is the better one.
    ///
    /// Above an alpha of ½ both one-tailed tests can reject. Two items that differ both ways have
    /// no direction, and are `Equal` here as those that do not differ are.
    pub fn relation(self, tails: Tails) -> Ordering {
        match (self.differs(tails), self.less, self.greater) {
            (true, true, false) => Ordering::Less,
            (true, false, true) => Ordering::Greater,
            _ => Ordering::Equal,
        }
    }

    /// The verdict of b against a.
    #[must_use]
    pub fn swapped(self) -> Self {
        Self {
            less: self.greater,
            greater: self.less,
            ..self
        }
    }

    /// The verdict of the tests of two rank samples in ascending order.
    pub fn test(a: &[f64], b: &[f64], alpha: Alpha, law: NullDistribution) -> Self {
        if a.len() < 2 || b.len() < 2 {
            return Self::UNTESTABLE;
        }
        if law == NullDistribution::Normal
            || law == NullDistribution::Exact && a.len() + b.len() > MAX_AUTO_EXACT
        {
            return Self::from_p_values(p_values(a, b, law).0, alpha);
        }
        let found = rejections(a, b, alpha.value()).expect("ranks are numbers, alpha is a level");
        Self {
            less: found.less,
            greater: found.greater,
            two_sided: found.two_sided,
            untestable: false,
        }
    }

    /// Whether these p-values say the same at this level.
    pub(crate) fn agrees_with(self, p: PValues, alpha: Alpha) -> bool {
        self == Self::from_p_values(p, alpha)
    }

    /// What these p-values say at this level.
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

/// The p-values of the normal law.
pub(crate) fn normal_p_values(a: &[f64], b: &[f64]) -> PValues {
    mann_whitney(a, b, MannWhitneyMethod::Normal).map_or(PValues::NO_EVIDENCE, |test| test.p)
}

/// The p-values of two samples of at least one rank each, and whether they are approximate.
pub(crate) fn p_values(a: &[f64], b: &[f64], law: NullDistribution) -> (PValues, bool) {
    let exact = match law {
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
        // An empty sample is evidence of nothing.
        Err(_) => (PValues::NO_EVIDENCE, false),
    }
}

/// The verdicts on all pairs of items of one query, at one level.
///
/// Each pair is tested once. Building and auditing a list share them.
#[derive(Clone, Debug, PartialEq)]
pub struct ItemPairTests {
    alpha: Alpha,
    width: usize,
    /// A row for each item.
    verdicts: Vec<ItemPairVerdict>,
}

impl ItemPairTests {
    /// The Mann-Whitney tests of all pairs of samples.
    pub fn new(samples: &RankSamples, alpha: Alpha, law: NullDistribution) -> Self {
        Self::from_fn(samples.len(), alpha, |a, b| {
            ItemPairVerdict::test(samples.sample(a), samples.sample(b), alpha, law)
        })
    }

    /// The verdicts that `test` gives on pairs of items in ascending order of their numbers, from
    /// whatever evidence.
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

    /// The level of the tests.
    pub fn alpha(&self) -> Alpha {
        self.alpha
    }

    /// The number of items.
    pub fn len(&self) -> usize {
        self.width
    }

    /// Whether there is no item.
    pub fn is_empty(&self) -> bool {
        self.width == 0
    }

    /// The verdict on a against b. Nothing is said of an item against itself. Panics if there is no
    /// such item.
    pub fn verdict(&self, a: Item, b: Item) -> ItemPairVerdict {
        assert!(b.index() < self.width);
        self.verdicts[a.index() * self.width + b.index()]
    }
}

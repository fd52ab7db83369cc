//! Every inconsistency of a list.

use std::fmt;

use super::comparisons::{Comparisons, Tails};
use super::evidence::{Evidence, Exactness, PairPValues};
use super::transitivity::{Contradictions, Relations};
use crate::grouped_list::GroupedList;
use crate::names::Item;

/// The inconsistencies of a list with the tests of its items (Urbano et al. 2010, section 3).
///
/// [`Display`](fmt::Display) sums them up: `178 of 509 pairs in the same group differ`.
#[derive(Clone, Debug, PartialEq)]
pub struct Audit {
    /// Whether items differ by one-tailed tests (either of the two) or by the two-tailed one.
    pub tails: Tails,
    /// The number of pairs of items in the same group.
    pub same_group_pairs: usize,
    /// The number of pairs of items in different groups.
    pub different_group_pairs: usize,
    /// Pairs in the same group that differ.
    pub intra: Vec<Pair>,
    /// Pairs in different groups that do not differ.
    pub inter: Vec<Pair>,
    /// Pairs whose later item has the smaller ranks by a one-tailed test, in whatever groups.
    pub misordered: Vec<Pair>,
    /// The number of pairs that cannot be tested, because an item has fewer than 2 ranks.
    pub untestable_pairs: usize,
    /// Triples for which the tests contradict each other, so that no list can satisfy them.
    pub non_transitive: Contradictions,
}

/// Two items of a list.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pair {
    /// The item that stands first.
    pub earlier: Item,
    /// The item that stands later.
    pub later: Item,
    /// The p-values of their tests, `less` being that the earlier one tends to smaller ranks;
    /// `None` if they cannot be tested.
    pub p: Option<PairPValues>,
}

impl Pair {
    /// The p-value on which the items are said to differ or not: the two-sided one, or the smaller
    /// of the one-tailed ones.
    pub fn p_value(&self, tails: Tails) -> Option<f64> {
        self.p.map(|pair| match tails {
            Tails::One => pair.p.less.min(pair.p.greater),
            Tails::Two => pair.p.two_sided,
        })
    }
}

/// The audit of a list by tests from whatever evidence; `p` gives the p-values of a pair.
///
/// # Panics
/// If the list holds an item that was not tested.
pub fn audit(
    list: &GroupedList,
    tests: &Comparisons,
    tails: Tails,
    mut p: impl FnMut(Item, Item) -> Option<PairPValues>,
) -> Audit {
    let items = list.items();
    let mut audit = Audit {
        tails,
        same_group_pairs: 0,
        different_group_pairs: 0,
        intra: Vec::new(),
        inter: Vec::new(),
        misordered: Vec::new(),
        untestable_pairs: 0,
        non_transitive: Relations::of_items(items, tests, tails)
            .contradictions(Contradictions::LISTED)
            .map(|place| items[place]),
    };
    let mut start = 0;
    for &end in list.group_ends() {
        for place in start..end {
            audit.same_group_pairs += end - place - 1;
            audit.different_group_pairs += items.len() - end;
            for (distance, &later) in items[place + 1..].iter().enumerate() {
                let same_group = place + 1 + distance < end;
                audit.look_at(items[place], later, same_group, tests, &mut p);
            }
        }
        start = end;
    }
    audit
}

impl Audit {
    fn look_at(
        &mut self,
        earlier: Item,
        later: Item,
        same_group: bool,
        tests: &Comparisons,
        p: &mut impl FnMut(Item, Item) -> Option<PairPValues>,
    ) {
        let verdict = tests.verdict(earlier, later);
        let wrongly_grouped = verdict.differs(self.tails) == same_group;
        self.untestable_pairs += usize::from(verdict.untestable);
        if !wrongly_grouped && !verdict.greater {
            return;
        }
        let pair = Pair {
            earlier,
            later,
            p: p(earlier, later),
        };
        if wrongly_grouped {
            let found = if same_group {
                &mut self.intra
            } else {
                &mut self.inter
            };
            found.push(pair);
        }
        if verdict.greater {
            self.misordered.push(pair);
        }
    }
}

impl fmt::Display for Audit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} of {} pairs in the same group differ, {} of {} pairs in different groups do not",
            self.intra.len(),
            self.same_group_pairs,
            self.inter.len(),
            self.different_group_pairs,
        )
    }
}

impl Evidence {
    /// The audit of a list, built from this evidence or from elsewhere.
    ///
    /// ```
    /// use partita_core::Rankings;
    /// use partita_core::truth::{Aggregation, Alpha, Evidence, Exactness, Reading, Tails};
    ///
    /// let rankings = Rankings::new([
    ///     ("ann", "a", Some(1.0)), ("ann", "b", Some(2.0)),
    ///     ("bob", "a", Some(1.0)), ("bob", "b", Some(2.0)),
    /// ])?;
    /// let evidence = Evidence::new(&rankings, Alpha::TYPKE, Reading::default());
    /// let list = evidence.list(Aggregation::ALL_2);
    /// let audit = evidence.audit(&list, Tails::One, Exactness::Quick);
    /// assert!(audit.to_string().starts_with("1 of 1 pairs in the same group differ"));
    /// assert_eq!(audit.intra[0].p_value(Tails::One), Some(1.0 / 6.0));
    /// # Ok::<(), partita_core::RankingsError>(())
    /// ```
    ///
    /// # Panics
    /// If the list holds an item that the rankings do not know.
    pub fn audit(&self, list: &GroupedList, tails: Tails, exactness: Exactness) -> Audit {
        audit(list, self.comparisons(), tails, |a, b| {
            self.p_values(a, b, exactness)
        })
    }
}

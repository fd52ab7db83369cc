//! Audit of a list: all inconsistencies between the list and the evidence about its pairs of items.

use schemars::JsonSchema;
use serde::Serialize;

use crate::data::grouped_list::GroupedList;
use crate::data::names::{Item, Names};
use crate::significance::intransitivity::{
    Intransitivity, IntransitivityCounts, PairwiseRelations,
};
use crate::truth::build::item_pair_tests::{ItemPairTests, Tails};
use crate::truth::build::rank_evidence::RankEvidence;

/// Inconsistencies of a list with the evidence `E` about its pairs (Urbano et al. 2010, section 3):
/// rank tests ([`RankTestEvidence`]), votes, or any other kind.
///
/// A list states for every pair either that both items are equal (same group) or which one is
/// better (earlier group). The order inside groups is audited as well.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct Audit<E> {
    /// Number of pairs of items that the list puts into the same group.
    pub same_group_pairs: usize,
    /// Number of pairs of items that the list puts into different groups.
    pub different_group_pairs: usize,
    /// Pairs in the same group whose items differ according to the evidence.
    pub intra: Vec<AuditedPair<E>>,
    /// Pairs in different groups whose items do not differ according to the evidence. Untestable
    /// pairs are not included.
    pub inter: Vec<AuditedPair<E>>,
    /// Pairs whose later item is better according to the evidence, in the same or in different
    /// groups. Rank tests decide this with one tail. Such a pair can be in `intra` or `inter` as
    /// well.
    pub misordered: Vec<AuditedPair<E>>,
    /// Triples of items whose relations are intransitive, so that no list can satisfy them: first
    /// cycles, then `chain-breaks`, then `equals-differ`. For rank tests, all triples of one-tailed
    /// tests come before those of two-tailed tests.
    pub non_transitive: Vec<AuditedTriple>,
    /// Number of intransitive triples, including those that are not listed. For rank tests, the sum
    /// of the numbers with one-tailed and with two-tailed tests.
    pub non_transitive_count: u64,
}

/// Pair of items that contradicts a list; a comes before b in the list.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct AuditedPair<E> {
    /// Item that comes first in the list.
    pub a: String,
    /// Item that comes later in the list.
    pub b: String,
    /// P-value that decides if the two differ: the two-sided one, or the smaller of the one-tailed
    /// ones; null if nothing was or can be tested.
    pub p: Option<f64>,
    /// One-tailed p-value of the alternative that a is better (has smaller ranks); null if nothing
    /// was or can be tested.
    pub p_less: Option<f64>,
    /// One-tailed p-value of the alternative that b is better; null if nothing was or can be
    /// tested.
    pub p_greater: Option<f64>,
    /// Further evidence about the pair, such as votes or two-tailed p-values.
    #[serde(flatten)]
    pub evidence: E,
}

/// Further results of the Mann-Whitney tests of a pair of items that contradicts a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct RankTestEvidence {
    /// Two-tailed p-value; null if the two items cannot be tested.
    pub p_two_sided: Option<f64>,
    /// True if the p-values are those of the normal approximation.
    pub approximate: bool,
}

/// Pair of items that cannot be tested because one of them has fewer than 2 ranks; a comes before b
/// in the list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct UntestablePair {
    /// Item that comes first in the list.
    pub a: String,
    /// Item that comes later in the list.
    pub b: String,
    /// Numbers of ranks of a and b, including imputed ones.
    pub ranks: [usize; 2],
}

/// Intransitive triple: three items that no partially ordered list can place consistently.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct AuditedTriple {
    /// Kind of contradiction among the three items.
    #[schemars(with = "String")]
    #[serde(rename = "kind")]
    pub intransitivity: Intransitivity,
    /// Items a, b and c of the triple: a = b = c but a < c for `equals-differ`, a < b < c but a = c
    /// for `chain-breaks`, a < b < c < a for `cycle`.
    pub items: [String; 3],
    /// Number of tails of the tests; null if nothing was tested.
    pub tails: Option<u8>,
}

partita_named::named_enum! {
    /// Kind of inconsistency between a list and the evidence about a pair of items.
    pub enum Inconsistency: "kind of inconsistency" {
        /// The two items are in the same group, but they differ
        Intra = "intra",
        /// The two items are in different groups, but they do not differ
        Inter = "inter",
        /// The item that comes later in the list is better
        Misordered = "misordered",
    }
}

/// Numbers of pairs of a list, of inconsistent pairs by kind, and of intransitive triples.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct AuditCounts {
    /// Number of pairs of items in the same group.
    pub same_group_pairs: usize,
    /// Number of pairs in the same group with evidence: compared by assessors, or testable.
    pub same_group_compared: usize,
    /// Number of pairs in the same group whose items differ according to the evidence.
    pub intra: usize,
    /// Number of pairs of items in different groups.
    pub different_group_pairs: usize,
    /// Number of pairs in different groups with evidence: compared by assessors, or testable.
    pub different_group_compared: usize,
    /// Number of pairs in different groups whose items do not differ according to the evidence.
    pub inter: usize,
    /// Number of pairs whose later item in the list is better according to the evidence.
    pub misordered: usize,
    /// Number of pairs that are counted in `intra`, `inter` or `misordered`; each pair counts once.
    pub inconsistent: usize,
    /// Number of pairs without evidence: nobody compared them, or they cannot be tested.
    pub undecided: usize,
    /// Number of intransitive triples of items.
    pub non_transitive: u64,
    /// Number of intransitive triples that form a cycle.
    pub cycles: u64,
    /// Number of triples with a pair that nobody compared or that cannot be tested. They may be
    /// intransitive; the pair is not treated as equal.
    pub undecided_triples: u64,
}

impl AuditCounts {
    /// Returns the number of pairs with evidence: compared by assessors, or testable.
    pub fn compared_pairs(&self) -> usize {
        self.same_group_compared + self.different_group_compared
    }

    /// Returns the fraction of the pairs with evidence that are consistent with the list; `None` if
    /// no pair has evidence.
    pub fn consistent_share(&self) -> Option<f64> {
        let compared = self.compared_pairs();
        (compared > 0).then(|| (compared - self.inconsistent) as f64 / compared as f64)
    }

    /// Returns these counts of pairs, completed by the counts of intransitive and undecided
    /// triples. `relations` are the relations between all pairs of items.
    #[must_use]
    pub fn with_triples(
        self,
        triples: IntransitivityCounts,
        relations: &PairwiseRelations,
    ) -> Self {
        Self {
            non_transitive: triples.total(),
            cycles: triples.cycles,
            undecided_triples: if self.undecided > 0 {
                relations.undecided_triples()
            } else {
                0
            },
            ..self
        }
    }
}

impl std::ops::AddAssign for AuditCounts {
    fn add_assign(&mut self, other: Self) {
        self.same_group_pairs += other.same_group_pairs;
        self.same_group_compared += other.same_group_compared;
        self.intra += other.intra;
        self.different_group_pairs += other.different_group_pairs;
        self.different_group_compared += other.different_group_compared;
        self.inter += other.inter;
        self.misordered += other.misordered;
        self.inconsistent += other.inconsistent;
        self.undecided += other.undecided;
        self.non_transitive += other.non_transitive;
        self.cycles += other.cycles;
        self.undecided_triples += other.undecided_triples;
    }
}

/// Evidence about two items of a list, an earlier one and a later one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PairFinding {
    /// True if the two items differ according to the evidence.
    pub differs: bool,
    /// True if the later item is better according to the evidence.
    pub misordered: bool,
}

/// Passes every inconsistent pair of a list to `report`, in the order of the list, and counts the
/// pairs. `finding` returns the evidence about an earlier and a later item, or `None` if nobody
/// compared them or they cannot be tested; such pairs are never inconsistent.
fn find_inconsistencies(
    list: &GroupedList,
    mut finding: impl FnMut(Item, Item) -> Option<PairFinding>,
    mut report: impl FnMut(Inconsistency, Item, Item),
) -> AuditCounts {
    let items = list.items();
    let mut counts = AuditCounts::default();
    let mut start = 0;
    for &end in list.group_ends() {
        for earlier in start..end {
            for later in earlier + 1..items.len() {
                let same_group = later < end;
                let (pairs, compared, inconsistent, kind) = if same_group {
                    (
                        &mut counts.same_group_pairs,
                        &mut counts.same_group_compared,
                        &mut counts.intra,
                        Inconsistency::Intra,
                    )
                } else {
                    (
                        &mut counts.different_group_pairs,
                        &mut counts.different_group_compared,
                        &mut counts.inter,
                        Inconsistency::Inter,
                    )
                };
                *pairs += 1;
                let (a, b) = (items[earlier], items[later]);
                let Some(pair) = finding(a, b) else {
                    continue;
                };
                *compared += 1;
                let wrongly_grouped = pair.differs == same_group;
                counts.inconsistent += usize::from(wrongly_grouped || pair.misordered);
                if wrongly_grouped {
                    *inconsistent += 1;
                    report(kind, a, b);
                }
                if pair.misordered {
                    counts.misordered += 1;
                    report(Inconsistency::Misordered, a, b);
                }
            }
        }
        start = end;
    }
    let pairs = counts.same_group_pairs + counts.different_group_pairs;
    counts.undecided = pairs - counts.compared_pairs();
    counts
}

impl<E> Audit<E> {
    /// Audits a list. `finding` returns the evidence about an earlier and a later item, or `None`
    /// if nobody compared them or they cannot be tested; such pairs are never inconsistent. `pair`
    /// returns the description of an inconsistent pair.
    pub fn new(
        list: &GroupedList,
        finding: impl FnMut(Item, Item) -> Option<PairFinding>,
        mut pair: impl FnMut(Item, Item) -> AuditedPair<E>,
    ) -> (Self, AuditCounts) {
        let (mut intra, mut inter, mut misordered) = (Vec::new(), Vec::new(), Vec::new());
        let counts = find_inconsistencies(list, finding, |kind, a, b| match kind {
            Inconsistency::Intra => intra.push(pair(a, b)),
            Inconsistency::Inter => inter.push(pair(a, b)),
            Inconsistency::Misordered => misordered.push(pair(a, b)),
        });
        let audit = Self {
            same_group_pairs: counts.same_group_pairs,
            different_group_pairs: counts.different_group_pairs,
            intra,
            inter,
            misordered,
            non_transitive: Vec::new(),
            non_transitive_count: 0,
        };
        (audit, counts)
    }

    /// Counts all intransitive triples among the relations between the items of the list, and adds
    /// the worst ones, at most `most`, to the audit. Cycles are the worst kind.
    pub fn add_triples(
        &mut self,
        (names, list): (&Names, &GroupedList),
        relations: &PairwiseRelations,
        tails: Option<u8>,
        most: usize,
    ) -> IntransitivityCounts {
        let found = relations.worst_intransitive(most);
        let name = |position: usize| names.name(list.items()[position]).to_owned();
        let triples = found.worst.into_iter().map(|triple| AuditedTriple {
            intransitivity: triple.paradox,
            items: triple.items.map(name),
            tails,
        });
        self.non_transitive.extend(triples);
        self.non_transitive_count += found.counts.total();
        found.counts
    }

    /// Returns the inconsistent pairs of items by kind of inconsistency.
    pub fn pairs(&self) -> [(Inconsistency, &[AuditedPair<E>]); 3] {
        [
            (Inconsistency::Intra, &self.intra),
            (Inconsistency::Inter, &self.inter),
            (Inconsistency::Misordered, &self.misordered),
        ]
    }
}

impl ItemPairTests {
    /// Returns the result of the tests for an earlier and a later item, or `None` if they cannot be
    /// tested.
    fn finding(&self, earlier: Item, later: Item, tails: Tails) -> Option<PairFinding> {
        let verdict = self.verdict(earlier, later);
        (!verdict.untestable).then(|| PairFinding {
            differs: verdict.differs(tails),
            misordered: verdict.greater,
        })
    }

    /// Counts the inconsistent pairs of a list according to these tests. Panics if the list holds
    /// an item that was not tested.
    pub fn count_pairs(&self, list: &GroupedList, tails: Tails) -> AuditCounts {
        find_inconsistencies(list, |a, b| self.finding(a, b, tails), |_, _, _| {})
    }
}

impl RankEvidence {
    /// Audits a list, which may be built from these rankings or come from elsewhere.
    ///
    /// # Panics
    /// Panics if the list holds an item that is not in the rankings.
    pub fn audit(
        &self,
        (names, list): (&Names, &GroupedList),
        tails: Tails,
    ) -> (Audit<RankTestEvidence>, AuditCounts) {
        let finding = |a, b| self.pair_tests().finding(a, b, tails);
        Audit::new(list, finding, |a, b| {
            let found = self.p_values(a, b);
            let p = found.map(|found| found.p);
            AuditedPair {
                a: names.name(a).to_owned(),
                b: names.name(b).to_owned(),
                p: p.map(|p| tails.p_value(p)),
                p_less: p.map(|p| p.less),
                p_greater: p.map(|p| p.greater),
                evidence: RankTestEvidence {
                    p_two_sided: p.map(|p| p.two_sided),
                    approximate: found.is_some_and(|found| found.approximate),
                },
            }
        })
    }

    /// Returns the pairs of a list that cannot be tested, in the order of the list.
    pub fn untestable(&self, (names, list): (&Names, &GroupedList)) -> Vec<UntestablePair> {
        let items = list.items();
        let pairs = items.iter().enumerate().flat_map(|(index, &a)| {
            let later = items[index + 1..].iter();
            later.map(move |&b| [a, b])
        });
        pairs
            .filter(|&[a, b]| self.pair_tests().verdict(a, b).untestable)
            .map(|pair| {
                let [a, b] = pair.map(|item| names.name(item).to_owned());
                let ranks = pair.map(|item| self.samples().sample(item).len());
                UntestablePair { a, b, ranks }
            })
            .collect()
    }
}

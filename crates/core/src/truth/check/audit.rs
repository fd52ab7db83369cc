//! Every inconsistency of a list.

use schemars::JsonSchema;
use serde::Serialize;

use crate::data::grouped_list::GroupedList;
use crate::data::names::{Item, Names};
use crate::significance::intransitivity::{
    IntransitiveTriple, Intransitivity, IntransitivityCounts, PairwiseRelations,
};
use crate::truth::build::item_pair_tests::{ItemPairTests, Tails};
use crate::truth::build::rank_evidence::{PValueAccuracy, RankEvidence};

/// The inconsistencies of a list with what is known of its pairs (Urbano et al. 2010, section 3):
/// by tests of ranks ([`Tested`]), by votes, or by whatever evidence `E` there is of a pair.
///
/// A list says of every pair that it is equal (one group) or which of the two is better (an earlier
/// group), and is read in its order inside groups as well.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct Audit<E> {
    /// The number of pairs of items in the same group.
    pub same_group_pairs: usize,
    /// The number of pairs of items in different groups.
    pub different_group_pairs: usize,
    /// Pairs in the same group that differ.
    pub intra: Vec<AuditedPair<E>>,
    /// Pairs in different groups that do not differ; those that cannot be tested are not among them.
    pub inter: Vec<AuditedPair<E>>,
    /// Pairs whose later item is the better one, in whatever groups; one-tailed, where that is a
    /// choice. In the same group such a pair is under `intra` too, since it differs.
    pub misordered: Vec<AuditedPair<E>>,
    /// Triples that contradict themselves, so that no list can satisfy them, the worst first.
    pub non_transitive: Vec<AuditedTriple>,
    /// How many of these there are, whether they are all listed or not.
    pub non_transitive_count: u64,
}

/// Two items that contradict a list, a standing before b.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct AuditedPair<E> {
    /// The item that stands first.
    pub a: String,
    /// The item that stands later.
    pub b: String,
    /// The p-value on which the two are said to differ or not: the two-sided one, or the smaller of
    /// the one-tailed ones; null where nothing was or can be tested.
    pub p: Option<f64>,
    /// The one-tailed p-value of a being the better one: its ranks are less.
    pub p_less: Option<f64>,
    /// The one-tailed p-value of b being the better one.
    pub p_greater: Option<f64>,
    /// What else is known of them.
    #[serde(flatten)]
    pub evidence: E,
}

/// What the Mann-Whitney tests of two items say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct RankTestEvidence {
    /// The two-tailed p-value; null where they cannot be tested.
    pub p_two_sided: Option<f64>,
    /// Whether the p-values are those of the normal law.
    pub approximate: bool,
}

/// Two items that cannot be tested, because fewer than 2 assessors ranked one of them; a stands before b.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct UntestablePair {
    /// The item that stands first.
    pub a: String,
    /// The item that stands later.
    pub b: String,
    /// How many assessors ranked a, and how many b.
    pub ranks: [usize; 2],
}

/// Three items that no partially ordered list can hold consistently.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct AuditedTriple {
    /// What is wrong with them.
    #[schemars(with = "String")]
    #[serde(rename = "kind")]
    pub intransitivity: Intransitivity,
    /// a, b and c as in the description of the paradox.
    pub items: [String; 3],
    /// By 1-tailed or by 2-tailed tests; null where nothing was tested.
    pub tails: Option<u8>,
}

impl AuditedTriple {
    /// A triple of places in a list.
    pub fn new(
        triple: IntransitiveTriple<usize>,
        names: &Names,
        list: &GroupedList,
        tails: Option<u8>,
    ) -> Self {
        let items = triple.items.map(|place| list.items()[place]);
        Self {
            intransitivity: triple.paradox,
            items: items.map(|item| names.name(item).to_owned()),
            tails,
        }
    }
}

partita_named::named_enum! {
    /// What can be wrong with a pair of a list.
    pub enum Inconsistency: "kind of inconsistency" {
        /// In the same group, and different
        Intra = "intra",
        /// In different groups, and not different
        Inter = "inter",
        /// The later item is the better one
        Misordered = "misordered",
    }
}

/// How many pairs there are, and how much is inconsistent in which way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct AuditCounts {
    /// Pairs of items in the same group.
    pub same_group_pairs: usize,
    /// Those of them that people compared, or that can be tested.
    pub same_group_compared: usize,
    /// Pairs in the same group that differ.
    pub intra: usize,
    /// Pairs of items in different groups.
    pub different_group_pairs: usize,
    /// Those of them that people compared, or that can be tested.
    pub different_group_compared: usize,
    /// Pairs in different groups that do not differ.
    pub inter: usize,
    /// Pairs whose later item is the better one.
    pub misordered: usize,
    /// Pairs that were compared and are inconsistent in any of these ways.
    pub inconsistent: usize,
    /// Pairs that nobody compared, or that cannot be tested.
    pub undecided: usize,
    /// Triples that contradict themselves.
    pub non_transitive: u64,
    /// Those of them that run in a circle.
    pub cycles: u64,
    /// Triples with a pair that nobody compared, or that cannot be tested: they may contradict
    /// themselves or not, and are not counted as if the pair were equal.
    pub undecided_triples: u64,
}

impl AuditCounts {
    /// The number of pairs that were compared.
    pub fn compared_pairs(&self) -> usize {
        self.same_group_compared + self.different_group_compared
    }

    /// The share of the compared pairs that stand in the list as they should.
    pub fn consistent_share(&self) -> Option<f64> {
        let (compared, wrong) = (self.compared_pairs(), self.inconsistent);
        (compared > 0).then(|| (compared - wrong) as f64 / compared as f64)
    }

    /// With these triples that contradict themselves, of items that relate so.
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

/// What is known of an earlier and a later item of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PairFinding {
    /// Whether they differ.
    pub differs: bool,
    /// Whether the later one is better.
    pub misordered: bool,
}

/// Goes through the pairs of a list in order, hands over every inconsistent one, and counts them.
/// Pairs that nobody compared, or that cannot be tested, contradict nothing.
pub fn find_inconsistencies(
    list: &GroupedList,
    mut known: impl FnMut(Item, Item) -> Option<PairFinding>,
    mut found: impl FnMut(Inconsistency, Item, Item),
) -> AuditCounts {
    let items = list.items();
    let mut counts = AuditCounts::default();
    let mut start = 0;
    for &end in list.group_ends() {
        for place in start..end {
            for later in place + 1..items.len() {
                let same_group = later < end;
                let (pairs, compared) = if same_group {
                    let compared = &mut counts.same_group_compared;
                    (&mut counts.same_group_pairs, compared)
                } else {
                    let compared = &mut counts.different_group_compared;
                    (&mut counts.different_group_pairs, compared)
                };
                *pairs += 1;
                let (a, b) = (items[place], items[later]);
                let Some(pair) = known(a, b) else {
                    continue;
                };
                *compared += 1;
                let wrongly_grouped = pair.differs == same_group;
                counts.inconsistent += usize::from(wrongly_grouped || pair.misordered);
                if wrongly_grouped && same_group {
                    counts.intra += 1;
                    found(Inconsistency::Intra, a, b);
                } else if wrongly_grouped {
                    counts.inter += 1;
                    found(Inconsistency::Inter, a, b);
                }
                if pair.misordered {
                    counts.misordered += 1;
                    found(Inconsistency::Misordered, a, b);
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
    /// The audit of a list by what is known of its pairs; `pair` says what is kept of an inconsistent
    /// one.
    pub fn new(
        list: &GroupedList,
        known: impl FnMut(Item, Item) -> Option<PairFinding>,
        mut pair: impl FnMut(Item, Item) -> AuditedPair<E>,
    ) -> (Self, AuditCounts) {
        let (mut intra, mut inter, mut misordered) = (Vec::new(), Vec::new(), Vec::new());
        let counts = find_inconsistencies(list, known, |kind, a, b| match kind {
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

    /// Adds the triples that contradict themselves by these relations of the items of the list, up to
    /// `most` of them.
    pub fn add_triples(
        &mut self,
        (names, list): (&Names, &GroupedList),
        relations: &PairwiseRelations,
        tails: Option<u8>,
        most: usize,
    ) -> IntransitivityCounts {
        let found = relations.worst_intransitive(most);
        let triples = found.worst.into_iter();
        let named = triples.map(|triple| AuditedTriple::new(triple, names, list, tails));
        self.non_transitive.extend(named);
        self.non_transitive_count += found.counts.total();
        found.counts
    }

    /// The inconsistent pairs of each kind.
    pub fn pairs(&self) -> [(Inconsistency, &[AuditedPair<E>]); 3] {
        [
            (Inconsistency::Intra, &self.intra),
            (Inconsistency::Inter, &self.inter),
            (Inconsistency::Misordered, &self.misordered),
        ]
    }
}

impl ItemPairTests {
    /// What the tests say of an earlier and a later item, if they can be tested.
    fn known(&self, earlier: Item, later: Item, tails: Tails) -> Option<PairFinding> {
        let verdict = self.verdict(earlier, later);
        (!verdict.untestable).then(|| PairFinding {
            differs: verdict.differs(tails),
            misordered: verdict.greater,
        })
    }

    /// How many pairs of a list are inconsistent by these tests. Panics if the list holds an item that
    /// was not tested.
    pub fn count_pairs(&self, list: &GroupedList, tails: Tails) -> AuditCounts {
        find_inconsistencies(list, |a, b| self.known(a, b, tails), |_, _, _| {})
    }
}

impl RankEvidence {
    /// The inconsistent pairs of a list, built from this evidence or from elsewhere.
    ///
    /// # Panics
    /// If the list holds an item that the rankings do not know.
    pub fn audit(
        &self,
        (names, list): (&Names, &GroupedList),
        tails: Tails,
        exactness: PValueAccuracy,
    ) -> (Audit<RankTestEvidence>, AuditCounts) {
        let known = |a, b| self.pair_tests().known(a, b, tails);
        Audit::new(list, known, |a, b| {
            let found = self.p_values(a, b, exactness);
            let p = found.map(|found| found.p);
            AuditedPair {
                a: names.name(a).to_owned(),
                b: names.name(b).to_owned(),
                p: p.map(|p| tails.p(p)),
                p_less: p.map(|p| p.less),
                p_greater: p.map(|p| p.greater),
                evidence: RankTestEvidence {
                    p_two_sided: p.map(|p| p.two_sided),
                    approximate: found.is_some_and(|found| found.approximate),
                },
            }
        })
    }

    /// The pairs of a list that cannot be tested, in its order.
    pub fn untestable(&self, (names, list): (&Names, &GroupedList)) -> Vec<UntestablePair> {
        let items = list.items();
        let pairs = (0..items.len()).flat_map(|place| {
            let later = items[place + 1..].iter();
            later.map(move |&later| [items[place], later])
        });
        let untestable = pairs.filter(|&[a, b]| self.pair_tests().verdict(a, b).untestable);
        let named = untestable.map(|pair| {
            let [a, b] = pair.map(|item| names.name(item).to_owned());
            let ranks = pair.map(|item| self.samples().sample(item).len());
            UntestablePair { a, b, ranks }
        });
        named.collect()
    }
}

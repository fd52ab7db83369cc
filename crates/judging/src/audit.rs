//! Every inconsistency of a list with the decisions on its pairs.

use std::fmt;

use partita_core::truth::{Contradictions, Relations};
use partita_core::{GroupedList, Item};
use partita_stats::PValues;

use crate::decision::Rule;
use crate::pairs::PairVotes;
use crate::relation::Relation;
use crate::sort::Known;
use crate::votes::Votes;

/// The inconsistencies of a list with the decisions on its pairs.
///
/// A list says of every pair that it is equal (one group) or which of the two is preferred (an
/// earlier group). Only pairs that people compared can contradict it; the sort asks for a part of
/// them. [`Display`](fmt::Display) sums it up.
#[derive(Clone, Debug, PartialEq)]
pub struct PreferenceAudit {
    /// The number of pairs of items in the same group.
    pub same_group_pairs: usize,
    /// Those of them that people compared.
    pub same_group_compared: usize,
    /// The number of pairs of items in different groups.
    pub different_group_pairs: usize,
    /// Those of them that people compared.
    pub different_group_compared: usize,
    /// Pairs in the same group of which one item is preferred.
    pub intra: Vec<AuditedPair>,
    /// Pairs in different groups of which neither item is preferred.
    pub inter: Vec<AuditedPair>,
    /// Pairs in different groups of which the later item is preferred.
    pub misordered: Vec<AuditedPair>,
    /// Triples whose three decisions contradict each other, so that no list can satisfy them.
    pub non_transitive: Contradictions,
}

/// Two items of a list and what people say of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AuditedPair {
    /// The item that stands first, a of the votes.
    pub earlier: Item,
    /// The item that stands later, b of the votes.
    pub later: Item,
    /// The votes.
    pub votes: Votes,
    /// How the earlier relates to the later.
    pub relation: Relation,
    /// The p-values of the rule, if it is a test: `less` is that the later item is preferred by the
    /// votes, `greater` that the earlier is.
    pub p: Option<PValues>,
}

impl PreferenceAudit {
    /// The number of pairs that nobody compared.
    pub fn undecided(&self) -> usize {
        self.same_group_pairs + self.different_group_pairs - self.compared()
    }

    /// The number of pairs that people compared.
    pub fn compared(&self) -> usize {
        self.same_group_compared + self.different_group_compared
    }

    /// The share of the compared pairs that stand in the list as they were decided.
    pub fn consistent(&self) -> Option<f64> {
        let wrong = self.intra.len() + self.inter.len() + self.misordered.len();
        let compared = self.compared();
        (compared > 0).then(|| (compared - wrong) as f64 / compared as f64)
    }
}

impl fmt::Display for PreferenceAudit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} of {} compared pairs in the same group differ; of {} in different groups {} do not, \
             and {} stand in the wrong order",
            self.intra.len(),
            self.same_group_compared,
            self.different_group_compared,
            self.inter.len(),
            self.misordered.len(),
        )
    }
}

/// The audit of a list by the decisions on its pairs. Pairs of items that are not in the list do not
/// count.
///
/// ```
/// use partita_core::{Answer, Given, GroupedList, Preferences};
/// use partita_judging::{Rule, audit_preferences, build};
///
/// let mut preferences = Preferences::new();
/// for (a, b) in [("x", "y"), ("y", "z")] {
///     for who in ["ann", "bob", "cy"] {
///         preferences.add(Given::new("q", a, b, who, Answer::A))?;
///     }
/// }
/// let query = &preferences.queries()[0];
/// let built = build(query, Rule::default(), 1);
/// let item = |name| query.items().get(name).unwrap();
/// let list = GroupedList::new([vec![item("x"), item("y")], vec![item("z")]]).unwrap();
/// let audit = audit_preferences(&list, &built.decisions, Rule::default());
/// assert_eq!((audit.intra.len(), audit.misordered.len(), audit.undecided()), (1, 0, 1));
/// assert_eq!(audit.consistent(), Some(0.5));
/// # Ok::<(), partita_core::PreferenceError>(())
/// ```
pub fn audit_preferences(
    list: &GroupedList,
    decisions: &[(PairVotes, Relation)],
    rule: Rule,
) -> PreferenceAudit {
    let mut place = vec![None; width(list, decisions)];
    for (group, items) in list.groups().enumerate() {
        for item in items {
            place[item.index()] = Some((group, 0));
        }
    }
    for (at, item) in list.items().iter().enumerate() {
        if let Some(place) = &mut place[item.index()] {
            place.1 = at;
        }
    }
    let mut found: Vec<(usize, usize, bool, AuditedPair)> = Vec::new();
    for (pair, relation) in decisions {
        let (Some(a), Some(b)) = (place[pair.a.index()], place[pair.b.index()]) else {
            continue;
        };
        let in_order = a.1 < b.1;
        let (earlier, later, votes, relation) = match in_order {
            true => (pair.a, pair.b, pair.votes, *relation),
            false => (pair.b, pair.a, pair.votes.mirrored(), relation.mirrored()),
        };
        let audited = AuditedPair {
            earlier,
            later,
            votes,
            relation,
            p: None,
        };
        found.push((a.1.min(b.1), a.1.max(b.1), a.0 == b.0, audited));
    }
    let sizes = || list.groups().map(<[Item]>::len);
    let pairs = list.len() * list.len().saturating_sub(1) / 2;
    let same_group_pairs = sizes().map(|size| size * (size - 1) / 2).sum();
    let mut audit = PreferenceAudit {
        same_group_pairs,
        same_group_compared: 0,
        different_group_pairs: pairs - same_group_pairs,
        different_group_compared: 0,
        intra: Vec::new(),
        inter: Vec::new(),
        misordered: Vec::new(),
        non_transitive: decided_relations(list, decisions)
            .contradictions(Contradictions::LISTED)
            .map(|place| list.items()[place]),
    };
    // In the order of the list, whatever the order of the questions.
    found.sort_by_key(|(earlier, later, ..)| (*earlier, *later));
    for (_, _, same_group, pair) in found {
        let counted = match same_group {
            true => &mut audit.same_group_compared,
            false => &mut audit.different_group_compared,
        };
        *counted += 1;
        let wrong = match (same_group, pair.relation) {
            (true, Relation::Less | Relation::Greater) => &mut audit.intra,
            (false, Relation::Equal) => &mut audit.inter,
            (false, Relation::Greater) => &mut audit.misordered,
            _ => continue,
        };
        wrong.push(AuditedPair {
            p: rule.p_values(pair.votes),
            ..pair
        });
    }
    audit
}

/// How the items of a list relate by the decisions on their pairs, each by its place in the list:
/// from these come all triples for which decisions contradict each other. Pairs of items that are not
/// in the list do not count.
pub fn decided_relations(list: &GroupedList, decisions: &[(PairVotes, Relation)]) -> Relations {
    let mut known = Known::nothing(width(list, decisions));
    for (pair, relation) in decisions {
        known.set(pair.a, pair.b, *relation);
    }
    let items = list.items();
    Relations::new(items.len(), |a, b| {
        known.get(items[a], items[b]).map(Relation::ordering)
    })
}

/// One more than the largest number of an item.
fn width(list: &GroupedList, decisions: &[(PairVotes, Relation)]) -> usize {
    let widest = |(pair, _): &(PairVotes, Relation)| pair.a.max(pair.b).index() + 1;
    let listed = list.items().iter().map(|item| item.index() + 1);
    let width = decisions.iter().map(widest).chain(listed).max();
    width.unwrap_or(0)
}

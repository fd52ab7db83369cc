//! Audit of a list: all inconsistencies with the decisions on its pairs.

use std::collections::HashMap;

use partita_core::truth::{Audit, AuditCounts, AuditedPair, PairFinding, PairwiseRelations};
use partita_core::{GroupedList, Item, Names};
use schemars::JsonSchema;
use serde::Serialize;

use crate::votes::Votes;
use crate::votes::decision_rule::DecisionRule;
use crate::votes::pair_votes::PairVotes;
use crate::votes::relation::Relation;

/// Votes on two items of a list, where item a stands before item b in the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct VoteEvidence {
    /// Number of votes for a, equal, and b.
    pub votes: [u32; 3],
    /// Relation of a to b decided from these votes.
    pub relation: Relation,
}

/// Audits a list against the decisions on its pairs and reports up to `triples` contradictory
/// triples. Only compared pairs can contradict a list; the sort asks for a part of all pairs. Pairs
/// with items that are not in the list are ignored.
pub fn audit_preferences(
    (names, list): (&Names, &GroupedList),
    decisions: &[(PairVotes, Relation)],
    rule: DecisionRule,
    triples: usize,
) -> (Audit<VoteEvidence>, AuditCounts) {
    let mut decided: HashMap<(Item, Item), (Votes, Relation)> = HashMap::new();
    for (pair, relation) in decisions {
        decided.insert((pair.a, pair.b), (pair.votes, *relation));
        let mirrored = (pair.votes.mirrored(), relation.mirrored());
        decided.insert((pair.b, pair.a), mirrored);
    }
    let known = |a: Item, b: Item| {
        let &(_, relation) = decided.get(&(a, b))?;
        Some(PairFinding {
            differs: relation != Relation::Equal,
            misordered: relation == Relation::Greater,
        })
    };
    let (mut audit, counts) = Audit::new(list, known, |a, b| {
        let (votes, relation) = decided[&(a, b)];
        let p = rule.p_values(votes);
        AuditedPair {
            a: names.name(a).to_owned(),
            b: names.name(b).to_owned(),
            p: p.map(|p| p.less.min(p.greater)),
            // Votes for a mean a lower rank, so `greater` (more votes for a) is `p_less`.
            p_less: p.map(|p| p.greater),
            p_greater: p.map(|p| p.less),
            evidence: VoteEvidence {
                votes: votes.counts(),
                relation,
            },
        }
    });
    let items = list.items();
    let relations = PairwiseRelations::new(items.len(), |a, b| {
        let (_, relation) = decided.get(&(items[a], items[b]))?;
        Some(relation.cmp(&Relation::Equal))
    });
    let found = audit.add_triples((names, list), &relations, None, triples);
    (audit, counts.with_triples(found, &relations))
}

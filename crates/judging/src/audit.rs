//! Every inconsistency of a list with the decisions on its pairs.

use std::collections::HashMap;

use partita_core::truth::{Audit, AuditCounts, AuditedPair, PairKnowledge, Relations};
use partita_core::{GroupedList, Item, Names};
use schemars::JsonSchema;
use serde::Serialize;

use crate::decision::Rule;
use crate::pairs::PairVotes;
use crate::relation::Relation;
use crate::votes::Votes;

/// What people say of two items of a list, a standing before b.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Voted {
    /// How many prefer a, neither, and b.
    pub votes: [u32; 3],
    /// How a relates to b by these votes.
    pub relation: Relation,
}

/// The audit of a list by the decisions on its pairs, with up to so many of the triples that
/// contradict themselves. Only pairs that people compared can contradict a list; the sort asks for a
/// part of them. Pairs of items that are not in the list do not count.
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
/// let listed = (query.items(), &list);
/// let (audit, counts) = audit_preferences(listed, &built.decisions, Rule::default(), 500);
/// assert_eq!((counts.intra, counts.misordered, counts.undecided), (1, 0, 1));
/// assert!(audit.intra[0].p_less < audit.intra[0].p_greater);
/// # Ok::<(), partita_core::PreferenceError>(())
/// ```
pub fn audit_preferences(
    (names, list): (&Names, &GroupedList),
    decisions: &[(PairVotes, Relation)],
    rule: Rule,
    triples: usize,
) -> (Audit<Voted>, AuditCounts) {
    let mut decided: HashMap<(Item, Item), (Votes, Relation)> = HashMap::new();
    for (pair, relation) in decisions {
        decided.insert((pair.a, pair.b), (pair.votes, *relation));
        let mirrored = (pair.votes.mirrored(), relation.mirrored());
        decided.insert((pair.b, pair.a), mirrored);
    }
    let known = |a: Item, b: Item| {
        let &(_, relation) = decided.get(&(a, b))?;
        Some(PairKnowledge {
            compared: true,
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
            // That a has more votes is that its rank is less.
            p_less: p.map(|p| p.greater),
            p_greater: p.map(|p| p.less),
            evidence: Voted {
                votes: votes.counts(),
                relation,
            },
        }
    });
    let items = list.items();
    let relations = Relations::new(items.len(), |a, b| {
        let (_, relation) = decided.get(&(items[a], items[b]))?;
        Some(relation.cmp(&Relation::Equal))
    });
    let found = audit.add_triples((names, list), &relations, None, triples);
    (audit, counts.with_triples(found))
}

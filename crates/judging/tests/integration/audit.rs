//! Audits of lists against decisions, and cross tables of decisions.

use partita_core::truth::{AuditedPair, Intransitivity};
use partita_core::{GroupedList, Item, Names};
use partita_judging::{
    CrossTable, DecisionRule, PairVotes, Relation, SelfOrganisingSort, SortComparison,
    VoteEvidence, Votes, audit_preferences,
};
use proptest::prelude::*;
use serde_json::Value;

fn items(count: usize) -> Vec<Item> {
    (0..count).filter_map(Item::from_index).collect()
}

/// Item names a, b, c, ...; enough for every list of these tests.
fn item_names() -> Names {
    let mut names = Names::new();
    for name in "abcdefghijkl".chars() {
        names
            .intern(&name.to_string())
            .expect("there is room for more names");
    }
    names
}

/// Returns votes that every rule decides as this relation.
fn votes_for(relation: Relation) -> Votes {
    match relation {
        Relation::Less => Votes {
            a: 9,
            equal: 1,
            b: 0,
        },
        Relation::Equal => Votes {
            a: 1,
            equal: 8,
            b: 1,
        },
        Relation::Greater => Votes {
            a: 0,
            equal: 1,
            b: 9,
        },
    }
}

fn decisions_from(asked: &[SortComparison]) -> Vec<(PairVotes, Relation)> {
    let pair = |pair: &SortComparison| {
        let of_pair = PairVotes {
            a: pair.a,
            b: pair.b,
            votes: votes_for(pair.relation),
            batch: 0,
        };
        (of_pair, pair.relation)
    };
    asked.iter().map(pair).collect()
}

#[test]
fn audit_reports_each_kind_of_inconsistency_once() {
    let [a, b, c, d] = items(4)[..] else {
        unreachable!()
    };
    let list = GroupedList::new([vec![a, b], vec![c], vec![d]]).unwrap();
    let asked = |a, b, relation| SortComparison { a, b, relation };
    let decisions = decisions_from(&[
        asked(b, a, Relation::Less),
        asked(c, b, Relation::Equal),
        asked(d, c, Relation::Less),
        asked(a, d, Relation::Less),
    ]);
    let names = item_names();
    let listed = (&names, &list);
    let (audit, counts) = audit_preferences(listed, &decisions, DecisionRule::default(), 500);
    assert_eq!(
        (counts.same_group_pairs, counts.same_group_compared),
        (1, 1)
    );
    assert_eq!(
        (
            counts.different_group_pairs,
            counts.different_group_compared
        ),
        (5, 3)
    );
    assert_eq!(counts.undecided, 2);
    // The pair is reported in the order of the list, although b was shown first.
    let intra = &audit.intra[0];
    assert_eq!((intra.a.as_str(), intra.b.as_str()), ("a", "b"));
    assert_eq!(intra.evidence.relation, Relation::Greater);
    assert_eq!(intra.evidence.votes, [0, 1, 9]);
    // Item b is better than a: the rank of a is greater.
    assert!(intra.p_greater < Some(0.001) && intra.p_less > Some(0.99));
    let both = |pair: &AuditedPair<VoteEvidence>| [pair.a.clone(), pair.b.clone()].concat();
    assert_eq!(both(&audit.inter[0]), "bc");
    // Misordered pairs within a group count too, because a list is read in its order.
    let misordered: Vec<String> = audit.misordered.iter().map(both).collect();
    assert_eq!(misordered, ["ab", "cd"]);
    // Three of the four compared pairs are inconsistent, each counted once.
    assert_eq!((counts.compared_pairs(), counts.inconsistent), (4, 3));
    // No triple has three compared pairs, so none can be intransitive.
    assert!(audit.non_transitive.is_empty());
    let more = [decisions, decisions_from(&[asked(b, d, Relation::Greater)])].concat();
    let (audit, _) = audit_preferences(listed, &more, DecisionRule::default(), 500);
    // b < a, a < d and d < b are a cycle.
    let triple = audit
        .non_transitive
        .iter()
        .find(|t| t.items.contains(&"a".to_owned()))
        .unwrap();
    assert_eq!(triple.intransitivity, Intransitivity::Cycle);
    assert_eq!(triple.items.concat().chars().max(), Some('d'));
}

#[test]
fn cross_table_scores_match_published_tables() {
    let text = include_str!("../fixtures/paper_tables.json");
    let file: Value = serde_json::from_str(text).unwrap();
    for name in ["T3", "T4", "T5", "T6"] {
        let printed = &file["tables"][name];
        let cell = |row: usize, column: usize| {
            let cell = printed["matrix"][row][column].as_u64();
            cell.unwrap() as usize
        };
        let table = CrossTable::new([0, 1, 2].map(|row| [0, 1, 2].map(|column| cell(row, column))));
        let score = printed["score"].as_f64().unwrap();
        assert!(
            (table.mean_agreement().unwrap() - score).abs() < 1e-12,
            "{name}"
        );
        let agreeing = table.full_agreements() + table.partial_agreements();
        assert_eq!(agreeing + table.opposite_decisions(), table.total());
    }
}

proptest! {
    #[test]
    fn list_sorted_from_consistent_answers_has_no_inconsistency(levels in prop::collection::vec(0_u8..4, 1..12)) {
        let order = items(levels.len());
        let mut sort = SelfOrganisingSort::new(&order);
        let mut asked = Vec::new();
        while !sort.is_done() {
            for (a, b) in sort.questions() {
                let relation = match levels[a.index()].cmp(&levels[b.index()]) {
                    std::cmp::Ordering::Less => Relation::Less,
                    std::cmp::Ordering::Equal => Relation::Equal,
                    std::cmp::Ordering::Greater => Relation::Greater,
                };
                sort.record(a, b, relation);
                asked.push(SortComparison { a, b, relation });
            }
            sort.advance();
        }
        let (names, list) = (item_names(), sort.list());
        let decisions = decisions_from(&asked);
        let (audit, counts) = audit_preferences((&names, &list), &decisions, DecisionRule::default(), 500);
        prop_assert!(counts.inconsistent + counts.intra + counts.inter + counts.misordered == 0);
        prop_assert_eq!(audit.non_transitive_count, 0);
        prop_assert_eq!(counts.compared_pairs(), asked.len());
        // The sort compares all pairs within a group.
        prop_assert_eq!(counts.same_group_compared, counts.same_group_pairs);
    }

    #[test]
    fn transposed_cross_table_has_equal_mean_agreement(counts in prop::array::uniform3(prop::array::uniform3(0_usize..50))) {
        let table = CrossTable::new(counts);
        let mut turned = [[0; 3]; 3];
        for (row, cells) in counts.iter().enumerate() {
            for (column, &cell) in cells.iter().enumerate() {
                turned[column][row] = cell;
            }
        }
        prop_assert_eq!(table.mean_agreement(), CrossTable::new(turned).mean_agreement());
        if let Some(score) = table.mean_agreement() {
            prop_assert!((0.0..=1.0).contains(&score));
        }
    }
}

//! Verdicts on pairs.

use partita_core::truth::*;
use partita_stats::mann_whitney::{MannWhitneyMethod, mann_whitney};
use partita_stats::random::{stream, uniform, uniform_index};

#[test]
fn a_test_may_reject_against_the_direction_of_u() {
    let a = [1.0, 3.0];
    let b: Vec<f64> = std::iter::once(1.0).chain([2.0; 40]).collect();
    let u = mann_whitney(&a, &b, MannWhitneyMethod::Auto).unwrap().u;
    assert!(u > (a.len() * b.len()) as f64 / 2.0);
    let verdict = ItemPairVerdict::test(&a, &b, Alpha::TYPKE, NullDistribution::Auto);
    assert!(verdict.less && verdict.two_sided && !verdict.greater);
}

#[test]
fn two_people_of_one_mind_tell_two_items_apart_by_one_tail_only()
-> Result<(), Box<dyn std::error::Error>> {
    use partita_core::AssessorRankings;
    use partita_core::truth::{
        Alpha, ItemPairTests, NullDistribution, RankSamples, Tails, UnrankedPolicy,
    };

    let rankings = AssessorRankings::new([
        ("ann", "a", Some(1.0)),
        ("ann", "b", Some(2.0)),
        ("bob", "a", Some(1.0)),
        ("bob", "b", Some(2.0)),
    ])?;
    let samples = RankSamples::new(&rankings, UnrankedPolicy::LeftOut);
    let comparisons = ItemPairTests::new(&samples, Alpha::TYPKE, NullDistribution::Auto);
    let (a, b) = (
        rankings.items().get("a").unwrap(),
        rankings.items().get("b").unwrap(),
    );
    // One of the six ways to share out 1, 1, 2, 2 puts both 1s into a: p = 1/6, twice that 1/3.
    let verdict = comparisons.verdict(a, b);
    assert!(verdict.less && !verdict.greater && !verdict.two_sided);
    assert!(verdict.differs(Tails::One) && !verdict.differs(Tails::Two));
    Ok(())
}

#[test]
fn a_pair_that_differs_both_ways_has_no_relation() {
    use partita_core::truth::{Alpha, ItemPairVerdict, NullDistribution, Tails};
    use std::cmp::Ordering;

    // The p-values are 0.33 for less and 0.83 for greater.
    let (a, b) = ([1.0, 3.0], [2.0, 4.0]);
    let verdict =
        |alpha| ItemPairVerdict::test(&a, &b, Alpha::new(alpha).unwrap(), NullDistribution::Auto);
    assert!(verdict(0.9).less && verdict(0.9).greater);
    assert_eq!(verdict(0.9).relation(Tails::One), Ordering::Equal);
    assert_eq!(verdict(0.4).relation(Tails::One), Ordering::Less);
}

#[test]
fn the_tails_of_the_tests_decide_the_groups_and_their_consistency()
-> Result<(), Box<dyn std::error::Error>> {
    use partita_core::AssessorRankings;
    use partita_core::truth::{
        Aggregation, Alpha, RankEvidence, RankTestOptions, Tails, consistency,
    };

    let rankings = AssessorRankings::new([
        ("ann", "a", Some(1.0)),
        ("ann", "b", Some(2.0)),
        ("bob", "a", Some(1.0)),
        ("bob", "b", Some(2.0)),
    ])?;
    let evidence = RankEvidence::new(&rankings, Alpha::TYPKE, RankTestOptions::default());
    let one = evidence.aggregate(Aggregation::Any1).list;
    let two = evidence.aggregate(Aggregation::Any2).list;
    assert_eq!((one.group_count(), two.group_count()), (2, 1));
    assert_eq!(
        consistency(&two, evidence.pair_tests(), Tails::Two)
            .unwrap()
            .value,
        1.0
    );
    assert_eq!(
        consistency(&two, evidence.pair_tests(), Tails::One)
            .unwrap()
            .value,
        0.0
    );
    Ok(())
}

#[test]
fn a_choice_says_why_an_item_opened_a_group() -> Result<(), Box<dyn std::error::Error>> {
    use partita_core::AssessorRankings;
    use partita_core::truth::{Aggregation, Alpha, GroupingOutcome, RankEvidence, RankTestOptions};

    let rankings = AssessorRankings::new([
        ("ann", "a", Some(1.0)),
        ("ann", "b", Some(2.0)),
        ("ann", "c", Some(3.0)),
        ("bob", "a", Some(2.0)),
        ("bob", "b", Some(1.0)),
        ("bob", "c", Some(3.0)),
        ("cy", "a", Some(1.0)),
        ("cy", "b", Some(2.0)),
        ("cy", "c", Some(3.0)),
    ])?;
    let evidence = RankEvidence::new(&rankings, Alpha::TYPKE, RankTestOptions::default());
    let built = evidence.aggregate(Aggregation::All2);
    assert_eq!(built.list.group_ends(), [2, 3]);
    assert_eq!(built.decisions[2].outcome, GroupingOutcome::DiffersFromAll);
    Ok(())
}

#[test]
fn an_audit_names_the_pair_of_one_group_that_differs() -> Result<(), Box<dyn std::error::Error>> {
    use partita_core::AssessorRankings;
    use partita_core::truth::{
        Aggregation, Alpha, PValueAccuracy, RankEvidence, RankTestOptions, Tails,
    };

    let rankings = AssessorRankings::new([
        ("ann", "a", Some(1.0)),
        ("ann", "b", Some(2.0)),
        ("bob", "a", Some(1.0)),
        ("bob", "b", Some(2.0)),
    ])?;
    let evidence = RankEvidence::new(&rankings, Alpha::TYPKE, RankTestOptions::default());
    let list = evidence.list(Aggregation::All2);
    let (audit, counts) =
        evidence.audit((rankings.items(), &list), Tails::One, PValueAccuracy::Quick);
    assert_eq!((counts.intra, counts.same_group_pairs), (1, 1));
    assert_eq!(
        (audit.intra[0].a.as_str(), audit.intra[0].p),
        ("a", Some(1.0 / 6.0))
    );
    Ok(())
}

#[test]
fn verdicts_are_those_of_the_p_values_even_where_the_law_is_lopsided() {
    let random = &mut stream(3, &[]);
    for _ in 0..3000 {
        let (m, n) = (2 + uniform_index(random, 6), 2 + uniform_index(random, 12));
        let crowd = uniform(random);
        let mut sample = |size| {
            let mut ranks: Vec<f64> = (0..size)
                .map(|_| {
                    if uniform(random) < crowd {
                        4.0
                    } else {
                        uniform_index(random, 8) as f64
                    }
                })
                .collect();
            ranks.sort_by(f64::total_cmp);
            ranks
        };
        let (a, b) = (sample(m), sample(n));
        let p = mann_whitney(&a, &b, MannWhitneyMethod::ExactConditional)
            .unwrap()
            .p;
        for alpha in [0.25, 0.05, 0.125, 0.49, 0.51, 0.7, 0.99] {
            let alpha = Alpha::new(alpha).unwrap();
            let verdict = ItemPairVerdict::test(&a, &b, alpha, NullDistribution::Auto);
            let by_p = ItemPairVerdict {
                less: p.less < alpha.value(),
                greater: p.greater < alpha.value(),
                two_sided: p.two_sided < alpha.value(),
                untestable: false,
            };
            assert_eq!(verdict, by_p, "{a:?} {b:?} {alpha:?} {p:?}");
            assert_eq!(
                verdict.swapped(),
                ItemPairVerdict::test(&b, &a, alpha, NullDistribution::Auto)
            );
        }
    }
}

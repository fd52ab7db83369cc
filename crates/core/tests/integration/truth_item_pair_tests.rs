//! Mann-Whitney tests of pairs of items, and their use in grouping, consistency and audits.

use std::cmp::Ordering;

use partita_core::truth::{
    Aggregation, Alpha, GroupingOutcome, ItemPairTests, ItemPairVerdict, NullDistribution,
    RankEvidence, RankSamples, RankTestOptions, Tails, UnrankedPolicy, consistency,
};
use partita_core::{AssessorRankings, Item};
use partita_stats::mann_whitney::{MannWhitneyMethod, mann_whitney};
use partita_stats::random::{Rng, stream, uniform, uniform_index};

use crate::truth_support::{rankings, rankings_with_samples};

fn evidence(rankings: &AssessorRankings) -> RankEvidence {
    RankEvidence::new(rankings, Alpha::TYPKE, RankTestOptions::default())
}

/// Returns the verdict at the level 0.25.
fn verdict(a: &[f64], b: &[f64], null: NullDistribution) -> ItemPairVerdict {
    ItemPairVerdict::test(a, b, Alpha::TYPKE, null)
}

#[test]
fn a_test_may_reject_against_the_direction_of_u() {
    let a = [1.0, 3.0];
    let b: Vec<f64> = std::iter::once(1.0).chain([2.0; 40]).collect();
    let u = mann_whitney(&a, &b, MannWhitneyMethod::Auto).unwrap().u;
    assert!(u > (a.len() * b.len()) as f64 / 2.0);
    let verdict = verdict(&a, &b, NullDistribution::Auto);
    assert!(verdict.less && verdict.two_sided && !verdict.greater);
}

#[test]
fn two_assessors_who_agree_separate_two_items_by_the_one_tailed_test_only() {
    let rankings = rankings(&[[1.0, 2.0], [1.0, 2.0]]);
    let samples = RankSamples::new(&rankings, UnrankedPolicy::LeftOut);
    let tests = ItemPairTests::new(&samples, Alpha::TYPKE, NullDistribution::Auto);
    let [a, b] = ["a", "b"].map(|name| rankings.items().get(name).unwrap());
    // One of the six ways to distribute the ranks 1, 1, 2, 2 gives both 1s to a, so the one-tailed
    // p is 1/6 and the two-tailed p is 1/3.
    let verdict = tests.verdict(a, b);
    assert!(verdict.less && !verdict.greater && !verdict.two_sided);
    assert!(verdict.differs(Tails::One) && !verdict.differs(Tails::Two));
}

#[test]
fn a_pair_that_differs_in_both_directions_has_no_relation() {
    // The one-tailed p-values are 0.33 for less and 0.83 for greater.
    let (a, b) = ([1.0, 3.0], [2.0, 4.0]);
    let verdict =
        |alpha| ItemPairVerdict::test(&a, &b, Alpha::new(alpha).unwrap(), NullDistribution::Auto);
    assert!(verdict(0.9).less && verdict(0.9).greater);
    assert_eq!(verdict(0.9).relation(Tails::One), Ordering::Equal);
    assert_eq!(verdict(0.4).relation(Tails::One), Ordering::Less);
}

#[test]
fn the_number_of_tails_decides_the_groups_and_their_consistency() {
    let evidence = evidence(&rankings(&[[1.0, 2.0], [1.0, 2.0]]));
    let [one, two] = [Aggregation::Any1, Aggregation::Any2].map(|function| evidence.list(function));
    assert_eq!((one.group_count(), two.group_count()), (2, 1));
    let value = |tails| {
        consistency(&two, evidence.pair_tests(), tails)
            .unwrap()
            .value
    };
    assert_eq!((value(Tails::Two), value(Tails::One)), (1.0, 0.0));
}

#[test]
fn a_decision_says_why_an_item_opened_a_group() {
    let evidence = evidence(&rankings(&[
        [1.0, 2.0, 3.0],
        [2.0, 1.0, 3.0],
        [1.0, 2.0, 3.0],
    ]));
    let built = evidence.aggregate(Aggregation::All2);
    assert_eq!(built.list.group_ends(), [2, 3]);
    assert_eq!(built.decisions[2].outcome, GroupingOutcome::DiffersFromAll);
}

#[test]
fn an_audit_lists_the_pair_of_one_group_that_differs() {
    let rankings = rankings(&[[1.0, 2.0], [1.0, 2.0]]);
    let evidence = evidence(&rankings);
    let list = evidence.list(Aggregation::All2);
    let (audit, counts) = evidence.audit((rankings.items(), &list), Tails::One);
    assert_eq!((counts.intra, counts.same_group_pairs), (1, 1));
    let pair = &audit.intra[0];
    assert_eq!((pair.a.as_str(), pair.p), ("a", Some(1.0 / 6.0)));
}

#[test]
fn verdicts_follow_from_exact_p_values_if_many_ranks_are_tied() {
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

/// Draws ranks of one item by `size` assessors, in ascending order, with a random amount of ties.
fn draw_ranks(random: &mut impl Rng, size: usize, shift: f64) -> Vec<f64> {
    let values = 3 + uniform_index(random, 40);
    let crowd = if uniform(random) < 0.3 {
        uniform(random)
    } else {
        0.0
    };
    let mut ranks: Vec<f64> = (0..size)
        .map(|_| match uniform(random) < crowd {
            true => 5.0 + shift,
            false => (1 + uniform_index(random, values)) as f64 + shift,
        })
        .collect();
    ranks.sort_by(f64::total_cmp);
    ranks
}

#[test]
fn verdicts_follow_from_exact_p_values_of_large_samples() {
    for trial in 0..3000 {
        let random = &mut stream(2010, &[trial]);
        let shift = (uniform(random) * 8.0).floor();
        let (m, n) = (2 + uniform_index(random, 34), 2 + uniform_index(random, 34));
        let (a, b) = (draw_ranks(random, m, 0.0), draw_ranks(random, n, shift));
        let p = mann_whitney(&a, &b, MannWhitneyMethod::ExactConditional)
            .unwrap()
            .p;
        for alpha in [0.25, 0.05] {
            let verdict =
                ItemPairVerdict::test(&a, &b, Alpha::new(alpha).unwrap(), NullDistribution::Auto);
            let found = (verdict.less, verdict.greater, verdict.two_sided);
            let expected = (p.less < alpha, p.greater < alpha, p.two_sided < alpha);
            assert_eq!(found, expected, "{a:?} {b:?} {alpha} {p:?}");
        }
    }
}

#[test]
fn quick_p_values_agree_with_the_verdicts_and_are_marked_as_approximate() {
    let mut approximate = 0;
    let random = &mut stream(4, &[]);
    for _ in 0..100 {
        let (a, b) = (draw_ranks(random, 30, 0.0), draw_ranks(random, 30, 1.0));
        let rankings = rankings_with_samples(&[("a", a), ("b", b)]);
        let evidence = evidence(&rankings);
        let [a, b] = ["a", "b"].map(|name| rankings.items().get(name).unwrap());
        let options = RankTestOptions {
            null_distribution: NullDistribution::Exact,
            ..RankTestOptions::default()
        };
        let exact_evidence = RankEvidence::new(&rankings, Alpha::TYPKE, options);
        let [quick, exact] =
            [&evidence, &exact_evidence].map(|evidence| evidence.p_values(a, b).unwrap());
        assert!(!exact.approximate);
        assert!((quick.p.less - exact.p.less).abs() < 0.05);
        approximate += usize::from(quick.approximate);
        let verdict = evidence.pair_tests().verdict(a, b);
        assert_eq!(verdict.less, quick.p.less < 0.25);
        assert_eq!(verdict.two_sided, quick.p.two_sided < 0.25);
    }
    assert!(approximate > 50);
}

#[test]
fn verdicts_on_large_samples_can_be_exact() {
    let random = &mut stream(5, &[]);
    let (a, b) = (draw_ranks(random, 90, 0.0), draw_ranks(random, 90, 1.0));
    let p = mann_whitney(&a, &b, MannWhitneyMethod::ExactConditional)
        .unwrap()
        .p;
    let verdict = verdict(&a, &b, NullDistribution::Exact);
    assert_eq!(verdict.less, p.less < 0.25);
    assert_eq!(verdict.two_sided, p.two_sided < 0.25);
}

#[test]
fn misordered_pairs_in_one_group_are_found() {
    // The medians are 12 and 12.5, as in section 3.1 of the paper, but the test of the ranks points
    // in the other direction.
    let a = vec![12.0, 12.0, 12.0, 12.0, 12.0, 20.0, 21.0, 22.0, 23.0];
    let b = vec![1.0, 2.0, 3.0, 4.0, 12.5, 12.5, 12.5, 12.5, 12.5];
    let rankings = rankings_with_samples(&[("a", a), ("b", b)]);
    let evidence = evidence(&rankings);
    let list = evidence.list(Aggregation::Any1);
    // The one-tailed function tests the other direction only and finds no difference; the audit
    // tests both directions.
    assert_eq!(list.group_count(), 1);
    let (audit, _) = evidence.audit((rankings.items(), &list), Tails::One);
    assert_eq!(audit.misordered[0].a, "a");
    assert!(audit.misordered[0].p_greater.unwrap() < 0.25);
    assert_eq!(audit.intra.len(), 1);
}

#[test]
fn untestable_items_do_not_differ_and_are_counted() {
    let samples = [
        ("a", vec![1.0, 1.0]),
        ("b", vec![2.0, 2.0]),
        ("c", vec![9.0]),
    ];
    let rankings = rankings_with_samples(&samples);
    let evidence = evidence(&rankings);
    let [a, c] = ["a", "c"].map(|name| rankings.items().get(name).unwrap());
    let verdict = evidence.pair_tests().verdict(a, c);
    assert_eq!(verdict, ItemPairVerdict::UNTESTABLE);
    assert_eq!(evidence.p_values(a, c), None);
    let list = evidence.list(Aggregation::All2);
    let counts = evidence.pair_tests().count_pairs(&list, Tails::Two);
    assert_eq!((counts.undecided, counts.intra), (2, 0));
}

#[test]
fn verdicts_of_swapped_items_are_mirrored() {
    let tests = ItemPairTests::from_fn(3, Alpha::TYPKE, |_, _| ItemPairVerdict {
        less: true,
        ..ItemPairVerdict::default()
    });
    let items: Vec<Item> = (0..3).map_while(Item::from_index).collect();
    assert!(tests.verdict(items[0], items[2]).less);
    assert!(tests.verdict(items[2], items[0]).greater);
    assert_eq!(
        tests.verdict(items[1], items[1]),
        ItemPairVerdict::default()
    );
}

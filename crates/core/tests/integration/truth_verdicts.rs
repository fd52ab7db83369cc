//! The tests of pairs of items, and what the audit makes of them.

use partita_core::truth::{
    Aggregation, Alpha, ItemPairTests, ItemPairVerdict, NullDistribution, PValueAccuracy,
    RankEvidence, RankTestOptions, Tails,
};
use partita_core::{AssessorRankings, Item};
use partita_stats::mann_whitney::{MannWhitneyMethod, mann_whitney};
use partita_stats::random::{stream, uniform, uniform_index};

fn evidence(rankings: &AssessorRankings, alpha: f64) -> RankEvidence {
    RankEvidence::new(
        rankings,
        Alpha::new(alpha).unwrap(),
        RankTestOptions::default(),
    )
}

/// Ranks of one item by many assessors, in ascending order, with one of three kinds of ties.
fn sample(random: &mut impl partita_stats::random::Rng, size: usize, shift: f64) -> Vec<f64> {
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
fn verdicts_are_those_of_the_exact_p_values_on_thousands_of_pairs() {
    for trial in 0..3000 {
        let random = &mut stream(2010, &[trial]);
        let shift = (uniform(random) * 8.0).floor();
        let (m, n) = (2 + uniform_index(random, 34), 2 + uniform_index(random, 34));
        let (a, b) = (sample(random, m, 0.0), sample(random, n, shift));
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
fn quick_p_values_never_contradict_the_verdicts_and_say_when_they_are_approximate() {
    let mut approximate = 0;
    let random = &mut stream(4, &[]);
    for _ in 0..100 {
        let (a, b) = (sample(random, 30, 0.0), sample(random, 30, 1.0));
        let who: Vec<String> = (0..30).map(|n| format!("p{n}")).collect();
        let ranks = |item, ranks: &[f64]| -> Vec<(String, &str, Option<f64>)> {
            let given = who.iter().zip(ranks);
            given
                .map(|(who, &rank)| (who.clone(), item, Some(rank)))
                .collect()
        };
        let entries = [ranks("a", &a), ranks("b", &b)].concat();
        let entries = entries
            .iter()
            .map(|(who, item, rank)| (who.as_str(), *item, *rank));
        let rankings = AssessorRankings::new(entries).unwrap();
        let evidence = evidence(&rankings, 0.25);
        let item = |name| rankings.items().get(name).unwrap();
        let quick = evidence
            .p_values(item("a"), item("b"), PValueAccuracy::Quick)
            .unwrap();
        let exact = evidence
            .p_values(item("a"), item("b"), PValueAccuracy::Exact)
            .unwrap();
        assert!(!exact.approximate);
        assert!((quick.p.less - exact.p.less).abs() < 0.05);
        approximate += usize::from(quick.approximate);
        let verdict = evidence.pair_tests().verdict(item("a"), item("b"));
        assert_eq!(verdict.less, quick.p.less < 0.25);
        assert_eq!(verdict.two_sided, quick.p.two_sided < 0.25);
    }
    assert!(approximate > 50);
}

#[test]
fn verdicts_on_samples_of_hundreds_can_be_made_exact() {
    let random = &mut stream(5, &[]);
    let (a, b) = (sample(random, 90, 0.0), sample(random, 90, 1.0));
    let p = mann_whitney(&a, &b, MannWhitneyMethod::ExactConditional)
        .unwrap()
        .p;
    let verdict = ItemPairVerdict::test(&a, &b, Alpha::TYPKE, NullDistribution::Exact);
    assert_eq!(verdict.less, p.less < 0.25);
    assert_eq!(verdict.two_sided, p.two_sided < 0.25);
}

#[test]
fn pairs_arranged_against_the_test_are_found() {
    // Medians 12 and 12.5 as in section 3.1 of the paper, and ranks that say otherwise.
    let a = [12.0, 12.0, 12.0, 12.0, 12.0, 20.0, 21.0, 22.0, 23.0];
    let b = [1.0, 2.0, 3.0, 4.0, 12.5, 12.5, 12.5, 12.5, 12.5];
    let who: Vec<String> = (0..9).map(|n| format!("p{n}")).collect();
    let entries = (who
        .iter()
        .zip(a)
        .map(|(who, rank)| (who.as_str(), "a", Some(rank))))
    .chain(
        who.iter()
            .zip(b)
            .map(|(who, rank)| (who.as_str(), "b", Some(rank))),
    );
    let rankings = AssessorRankings::new(entries).unwrap();
    let evidence = evidence(&rankings, 0.25);
    let list = evidence.list(Aggregation::Any1);
    // The one-tailed function looks the other way and sees nothing, the measure does.
    assert_eq!(list.group_count(), 1);
    let (audit, _) = evidence.audit((rankings.items(), &list), Tails::One, PValueAccuracy::Exact);
    // In the same group: lists are read in their order.
    assert_eq!(audit.misordered[0].a, "a");
    assert!(audit.misordered[0].p_greater.unwrap() < 0.25);
    assert_eq!(audit.intra.len(), 1);
}

#[test]
fn items_that_cannot_be_tested_are_not_different_and_counted() {
    let rankings = AssessorRankings::new([
        ("p", "a", Some(1.0)),
        ("p", "b", Some(2.0)),
        ("p", "c", Some(9.0)),
        ("q", "a", Some(1.0)),
        ("q", "b", Some(2.0)),
    ]);
    let rankings = rankings.unwrap();
    let evidence = evidence(&rankings, 0.25);
    let item = |name| rankings.items().get(name).unwrap();
    assert_eq!(
        evidence.pair_tests().verdict(item("a"), item("c")),
        ItemPairVerdict::UNTESTABLE
    );
    assert_eq!(
        evidence.p_values(item("a"), item("c"), PValueAccuracy::Quick),
        None
    );
    let list = evidence.list(Aggregation::All2);
    let counts = evidence.pair_tests().count_pairs(&list, Tails::Two);
    assert_eq!((counts.undecided, counts.intra), (2, 0));
}

#[test]
fn verdicts_from_elsewhere_are_seen_from_both_sides() {
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

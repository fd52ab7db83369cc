//! Properties of the lists that are built from random rankings.

use partita_core::truth::{
    Aggregation, Alpha, ListBootstrap, ListBootstrapResult, PairwiseRelations, Panel, RankEvidence,
    RankSamples, RankTestOptions, Recipe, SystemBootstrap, Tails, UnrankedPolicy,
    assessor_concordance, consistency,
};
use partita_core::{AssessorRankings, GroupedList, Item, Ranking};
use partita_stats::random::{shuffle, stream};
use proptest::prelude::*;

type Table = Vec<Vec<Option<f64>>>;

/// Generates the ranks of a few items by a few assessors (rows), with ties and with unranked items.
fn table() -> impl Strategy<Value = Table> {
    (1..9usize, 1..9usize).prop_flat_map(|(assessors, items)| {
        let rank = prop_oneof![
            5 => (1..8u8).prop_map(|rank| Some(f64::from(rank))),
            1 => Just(None),
        ];
        prop::collection::vec(prop::collection::vec(rank, items), assessors)
    })
}

fn item_name(item: usize) -> String {
    format!("d{item}")
}

/// Creates the rankings of a table from its cells in random order. `who` names the assessors.
fn rankings(table: &Table, who: impl Fn(usize) -> String, seed: u64) -> AssessorRankings {
    let mut cells: Vec<(String, String, Option<f64>)> = Vec::new();
    for (assessor, row) in table.iter().enumerate() {
        for (item, &rank) in row.iter().enumerate() {
            cells.push((who(assessor), item_name(item), rank));
        }
    }
    shuffle(&mut stream(seed, &[]), &mut cells);
    let cells = cells
        .iter()
        .map(|(who, what, rank)| (who.as_str(), what.as_str(), *rank));
    AssessorRankings::new(cells).unwrap()
}

fn default_rankings(table: &Table) -> AssessorRankings {
    rankings(table, |assessor| format!("a{assessor}"), 0)
}

fn group_names(rankings: &AssessorRankings, list: &GroupedList) -> Vec<Vec<String>> {
    let name = |item: &Item| rankings.items().name(*item).to_owned();
    list.groups()
        .map(|group| group.iter().map(name).collect())
        .collect()
}

fn evidence(rankings: &AssessorRankings, alpha: f64) -> RankEvidence {
    RankEvidence::new(
        rankings,
        Alpha::new(alpha).unwrap(),
        RankTestOptions::default(),
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn relabelling_assessors_and_shuffling_rows_changes_no_result(table in table(), seed: u64) {
        let one = default_rankings(&table);
        let other = rankings(&table, |assessor| format!("z{}", 99 - assessor), seed);
        let (left, right) = (evidence(&one, 0.25), evidence(&other, 0.25));
        for aggregation in Aggregation::ALL_FUNCTIONS {
            let (a, b) = (left.list(aggregation), right.list(aggregation));
            prop_assert_eq!(group_names(&one, &a), group_names(&other, &b));
            for tails in [Tails::One, Tails::Two] {
                prop_assert_eq!(
                    consistency(&a, left.pair_tests(), tails),
                    consistency(&b, right.pair_tests(), tails)
                );
                let (x, y) = (
                    left.audit((one.items(), &a), tails),
                    right.audit((other.items(), &b), tails),
                );
                prop_assert_eq!(x, y);
                let triples = |list: &GroupedList, evidence: &RankEvidence| {
                    PairwiseRelations::from_item_tests(list.items(), evidence.pair_tests(), tails).count_intransitive()
                };
                prop_assert_eq!(triples(&a, &left), triples(&b, &right));
            }
        }
        let (v, w) = (assessor_concordance(&one), assessor_concordance(&other));
        prop_assert_eq!(v.common_items, w.common_items);
        if let (Some(v), Some(w)) = (v.unranked_last, w.unranked_last) {
            prop_assert!((v.w - w.w).abs() < 1e-12);
        }
    }

    #[test]
    fn the_bootstrap_does_not_depend_on_the_names_of_assessors(table in table(), seed: u64) {
        let one = default_rankings(&table);
        let other = rankings(&table, |assessor| format!("z{}", 99 - assessor), seed);
        let lists = |rankings: &AssessorRankings| {
            let panel = Panel::new("q", rankings);
            let mut bootstrap = ListBootstrap::new(&panel, Recipe::default(), Alpha::TYPKE);
            (0..5).map(|r| {
                let replicate = bootstrap.replicate(seed, r);
                (group_names(rankings, &replicate.list), replicate.consistency.map(f64::to_bits))
            }).collect::<Vec<_>>()
        };
        prop_assert_eq!(lists(&one), lists(&other));
    }

    #[test]
    fn every_list_is_a_permutation_of_the_items_that_were_ranked(table in table()) {
        let rankings = default_rankings(&table);
        let evidence = evidence(&rankings, 0.25);
        for aggregation in Aggregation::ALL_FUNCTIONS {
            let built = evidence.aggregate(aggregation);
            prop_assert_eq!(built.list.items(), evidence.arrangement());
            let mut items: Vec<Item> = built.list.items().to_vec();
            items.extend(&built.left_out);
            items.sort_unstable();
            prop_assert_eq!(items, rankings.items().items().collect::<Vec<_>>());
            prop_assert_eq!(&built.list, &evidence.list(aggregation));
            let everyone: Vec<usize> = (0..table.len()).collect();
            let recipe = Recipe { aggregation, ..Recipe::default() };
            prop_assert_eq!(&built.list, &recipe.list(&rankings, &everyone));
            // The recorded decisions must lead to the groups of the list.
            let opened = built.decisions.iter().filter(|decision| decision.outcome.opens_group()).count();
            prop_assert_eq!(opened, built.list.group_count());
        }
    }

    #[test]
    fn swapping_a_pair_swaps_its_one_tailed_p_values(table in table()) {
        let rankings = default_rankings(&table);
        let evidence = evidence(&rankings, 0.25);
        for a in rankings.items().items() {
            for b in rankings.items().items().filter(|&b| b != a) {
                let one = evidence.p_values(a, b);
                let other = evidence.p_values(b, a);
                prop_assert_eq!(one.is_some(), other.is_some());
                if let (Some(one), Some(other)) = (one, other) {
                    prop_assert!((one.p.less - other.p.greater).abs() < 1e-15);
                    prop_assert!((one.p.two_sided - other.p.two_sided).abs() < 1e-15);
                }
                let verdict = evidence.pair_tests().verdict(a, b);
                prop_assert_eq!(verdict, evidence.pair_tests().verdict(b, a).swapped());
            }
        }
    }

    #[test]
    fn adr_1_at_alpha_is_adr_2_at_twice_alpha(table in table(), percent in 1..50u32) {
        let alpha = f64::from(percent) / 100.0;
        let rankings = default_rankings(&table);
        let (half, whole) = (evidence(&rankings, alpha), evidence(&rankings, 2.0 * alpha));
        for aggregation in Aggregation::ALL_FUNCTIONS {
            let list = half.list(aggregation);
            prop_assert_eq!(
                consistency(&list, half.pair_tests(), Tails::One),
                consistency(&list, whole.pair_tests(), Tails::Two)
            );
        }
    }

    #[test]
    fn a_significance_level_near_zero_makes_one_group(table in table()) {
        let rankings = default_rankings(&table);
        let evidence = evidence(&rankings, 1e-12);
        for aggregation in Aggregation::ALL_FUNCTIONS {
            let list = evidence.list(aggregation);
            prop_assert!(list.group_count() <= 1);
            if let Some(found) = consistency(&list, evidence.pair_tests(), Tails::One) {
                prop_assert_eq!(found.value, 1.0);
            }
        }
    }

    #[test]
    fn consistency_is_1_only_without_inconsistent_pairs(table in table()) {
        let rankings = default_rankings(&table);
        let evidence = evidence(&rankings, 0.25);
        for aggregation in Aggregation::ALL_FUNCTIONS {
            let list = evidence.list(aggregation);
            for tails in [Tails::One, Tails::Two] {
                let counts = evidence.pair_tests().count_pairs(&list, tails);
                let pairs = list.len() * list.len().saturating_sub(1) / 2;
                prop_assert_eq!(counts.same_group_pairs + counts.different_group_pairs, pairs);
                if let Some(found) = consistency(&list, evidence.pair_tests(), tails) {
                    // Items that cannot be tested are not different, so they should be in one
                    // group.
                    let apart = counts.different_group_pairs - counts.different_group_compared;
                    let clean = counts.intra + counts.inter + apart == 0;
                    prop_assert_eq!(found.value == 1.0, clean);
                    prop_assert!((0.0..=1.0).contains(&found.value));
                }
            }
        }
    }

    #[test]
    fn groups_of_any_are_within_those_of_all(table in table()) {
        let rankings = default_rankings(&table);
        let evidence = evidence(&rankings, 0.25);
        for (any, all) in [
            (Aggregation::Any1, Aggregation::All1),
            (Aggregation::Any2, Aggregation::All2),
        ] {
            prop_assert!(evidence.list(any).group_count() >= evidence.list(all).group_count());
        }
    }

    #[test]
    fn imputed_samples_have_a_rank_from_everybody(table in table()) {
        let rankings = default_rankings(&table);
        let samples = RankSamples::new(&rankings, UnrankedPolicy::Worst);
        for item in rankings.items().items() {
            prop_assert_eq!(samples.sample(item).len(), table.len());
        }
        let reading = RankTestOptions { unranked: UnrankedPolicy::Worst, ..RankTestOptions::default() };
        prop_assert!(RankEvidence::new(&rankings, Alpha::TYPKE, reading).unranked_items().is_empty());
    }

    #[test]
    fn shares_of_replicates_mirror_and_add_up(table in table(), seed: u64) {
        let rankings = default_rankings(&table);
        let panel = Panel::new("q", &rankings);
        let mut bootstrap = ListBootstrap::new(&panel, Recipe::default(), Alpha::TYPKE);
        let replicates: Vec<_> = (0..20).map(|r| bootstrap.replicate(seed, r)).collect();
        let trust = ListBootstrapResult::new(&panel, &Recipe::default(), Alpha::TYPKE, &replicates);
        for a in rankings.items().items() {
            for b in rankings.items().items().filter(|&b| b != a) {
                let shares = trust.shares();
                let (one, other) = (shares.order_shares(a, b), shares.order_shares(b, a));
                prop_assert_eq!(one.before, other.after);
                prop_assert_eq!(one.same_group, other.same_group);
                prop_assert!(one.before + one.same_group + one.after <= 1.0 + 1e-12);
            }
            if let Some((low, high)) = trust.shares().group_interval(a, 0.95) {
                prop_assert!(1 <= low && low <= high);
            }
        }
    }
}

#[test]
fn replicates_of_scores_do_not_depend_on_the_order_in_which_they_are_computed() {
    let table: Table = (0..7)
        .map(|a| {
            (0..6)
                .map(|i| Some(f64::from((a * 5 + i * 3) % 7 + i + 1)))
                .collect()
        })
        .collect();
    let rankings = [
        default_rankings(&table),
        default_rankings(&table[..5].to_vec()),
    ];
    let panels = [
        Panel::new("q1", &rankings[0]),
        Panel::new("q2", &rankings[1]),
    ];
    let names: Vec<String> = (0..6).map(item_name).collect();
    let good = (rankings.iter())
        .map(|r| Ranking::from_names(r.items(), names.iter().map(String::as_str)))
        .collect();
    let bad = (rankings.iter())
        .map(|r| Ranking::from_names(r.items(), names.iter().rev().map(String::as_str)))
        .collect();
    let runs = [good, bad];
    let mut systems = SystemBootstrap::new(&panels, Recipe::default(), &runs);
    let forward: Vec<_> = (0..50).map(|r| systems.replicate(3, r)).collect();
    let mut backward: Vec<_> = (0..50).rev().map(|r| systems.replicate(3, r)).collect();
    backward.reverse();
    assert_eq!(forward, backward);
    let trust = systems.summarize(&forward);
    let interval = trust.difference(0, 1, 0.95).unwrap();
    assert!(interval.lower > 0.0 && trust.probability_better(0, 1).unwrap() > 0.975);
    assert!(
        (trust.probability_better(0, 1).unwrap() + trust.probability_better(1, 0).unwrap() - 1.0)
            .abs()
            < 1e-12
    );
    assert_eq!(trust.probability_better(1, 1), Some(0.5));
    let own = trust.interval(0, 0.95).unwrap();
    assert!(own.lower <= own.estimate && own.estimate <= own.upper && own.upper <= 1.0);
}

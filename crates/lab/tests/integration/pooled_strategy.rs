//! Savings of the pooled strategy, and its baselines.

use std::collections::HashMap;

use partita_core::{Item, Preference};
use partita_judging::simulate::{
    AssessorModel, Contender, ContenderObservations, CostModel, Observation, Oracle, SimulatedList,
    collect_votes, compare_strategies, list_quality, measure_names, run_strategy,
};
use partita_judging::{
    DecisionRule, GroupingRule, ListVotes, OrderedSortStrategy, PairRequest, PooledStrategy, Price,
    SortStrategy, Strategy, StrategyName, StrategyOptions, vote_spread,
};
use partita_lab::{World, WorldList};
use partita_stats::random::{stream, uniform_index};
use proptest::prelude::*;

fn item(number: usize) -> Item {
    Item::from_index(number).expect("the item number is valid")
}

/// Returns the number of requested votes that are neither present nor pending.
fn new_votes(request: &PairRequest, votes: &ListVotes, out: &[(Item, Item)]) -> u32 {
    let pair = |(a, b): (Item, Item)| (a.min(b), a.max(b));
    let same = |other: &&(Item, Item)| pair(**other) == pair((request.a, request.b));
    let there = votes.get(request.a, request.b).len() + out.iter().filter(same).count() as u32;
    request.votes.saturating_sub(there)
}

/// Runs a strategy with `people` assessors who each hold one pair at a time and answer in random
/// order. Calls `after` with the votes, the pending pairs and the requests after each request.
fn run_with_many_assessors(
    strategy: &dyn Strategy,
    oracle: &dyn Oracle,
    people: usize,
    seed: u64,
    mut after: impl FnMut(&ListVotes, &[(Item, Item)], &[PairRequest]),
) -> ListVotes {
    let mut votes = ListVotes::new(oracle.items());
    let mut asked: HashMap<(Item, Item), u32> = HashMap::new();
    let mut out: Vec<(Item, Item)> = Vec::new();
    let mut random = stream(seed, &[99]);
    loop {
        while out.len() < people {
            let requests = strategy.requests(&votes, &out, seed);
            after(&votes, &out, &requests);
            let next = (requests.iter()).find(|request| new_votes(request, &votes, &out) > 0);
            let Some(next) = next else { break };
            out.push((next.a.min(next.b), next.a.max(next.b)));
        }
        if out.is_empty() {
            return votes;
        }
        let (a, b) = out.swap_remove(uniform_index(&mut random, out.len()));
        let before = asked.entry((a, b)).or_insert(0);
        votes.add(a, b, oracle.answer(a, b, *before).expect("an answer"));
        *before += 1;
    }
}

#[test]
fn simultaneous_assessors_give_lists_as_good_as_rounds() {
    let pooled = PooledStrategy::default();
    let (mut in_rounds, mut at_once) = (0.0, 0.0);
    for seed in 0..16 {
        let list = SimulatedList::new(AssessorModel::default(), 16, seed);
        let inversions = |list_of: &partita_core::GroupedList| {
            list_quality(list_of, true, list.reference()).inversions / 16.0
        };
        let end = run_strategy(&pooled, &list, seed, &[])
            .pop()
            .expect("the run has a last checkpoint");
        in_rounds += inversions(&end.list);
        let votes = run_with_many_assessors(&pooled, &list, 20, seed, |_, _, _| ());
        at_once += inversions(&pooled.list(&votes, seed));
    }
    // The inversions rise by 0.03 if the strategy ignores pending pairs.
    assert!(at_once < in_rounds + 0.015, "{at_once} {in_rounds}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn pending_pairs_stay_requested_and_count_towards_the_budget(
        seed in 0u64..1000, items in 2usize..14, people in 1usize..30,
    ) {
        let list = SimulatedList::new(AssessorModel::default(), items, seed);
        for name in [StrategyName::Pooled, StrategyName::Random] {
            let budget = Some(3 * items);
            let settings = StrategyOptions { votes: 4, budget, ..StrategyOptions::default() };
            let strategy = name.build(&settings);
            let most = (3 * items).min(4 * items * (items - 1) / 2);
            run_with_many_assessors(strategy.as_ref(), &list, people, seed, |votes, out, requests| {
                let new: u32 = requests.iter().map(|r| new_votes(r, votes, out)).sum();
                assert!(votes.len() + out.len() + new as usize <= most);
                // An incomplete list still requests all pending pairs.
                let wanted = |&(a, b): &(Item, Item)| {
                    requests.iter().any(|r| (r.a.min(r.b), r.a.max(r.b)) == (a, b))
                };
                assert!(requests.is_empty() || out.iter().all(wanted));
                assert!(requests.iter().all(|request| request.votes <= 4));
            });
        }
    }

    #[test]
    fn ordered_sort_has_the_pairs_and_groups_of_the_sort(seed in 0u64..1000, items in 2usize..16) {
        let list = SimulatedList::new(AssessorModel::default(), items, seed);
        let sorting = SortStrategy::default();
        let ordered = OrderedSortStrategy { sorting: sorting.clone() };
        let [sorted, ordered] = [&sorting as &dyn Strategy, &ordered].map(|strategy| {
            run_strategy(strategy, &list, seed, &[]).pop().expect("the run has a last checkpoint")
        });
        prop_assert_eq!((sorted.votes, sorted.pairs), (ordered.votes, ordered.pairs));
        let sets = |list: &partita_core::GroupedList| -> Vec<Vec<Item>> {
            let groups = list.groups().map(|group| {
                let mut group = group.to_vec();
                group.sort_unstable();
                group
            });
            groups.collect()
        };
        prop_assert_eq!(sets(&sorted.list), sets(&ordered.list));
    }
}

#[test]
fn ordering_items_within_groups_by_votes_reduces_inversions() {
    let (mut whole, mut broken) = (0.0, 0.0);
    let ordered = OrderedSortStrategy {
        sorting: SortStrategy::default(),
    };
    for seed in 0..30 {
        let list = SimulatedList::new(AssessorModel::default(), 16, seed);
        let sorted = run_strategy(&SortStrategy::default(), &list, seed, &[]).pop();
        whole += list_quality(
            &sorted.expect("the run has a last checkpoint").list,
            false,
            list.reference(),
        )
        .inversions;
        let sorted = run_strategy(&ordered, &list, seed, &[]).pop();
        broken += list_quality(
            &sorted.expect("the run has a last checkpoint").list,
            true,
            list.reference(),
        )
        .inversions;
    }
    assert!(broken < 0.97 * whole, "{broken} {whole}");
}

fn world_lists(name: &str, items: usize, lists: u64) -> Vec<WorldList> {
    let world = World::by_name(name).expect("the world exists");
    let list = |seed| world.list(world.crowd(seed), items, seed);
    (0..lists).map(list).collect()
}

#[test]
fn lists_keep_their_groups_if_most_answers_are_equal() {
    let pooled = PooledStrategy::default();
    let fixed = GroupingRule {
        matters: 0.2,
        probability: 0.25,
    };
    let (mut groups, mut at_a_fixed_vote, mut lists) = (0, 0, 0);
    for list in world_lists("much equal", 20, 8) {
        let votes = run_with_many_assessors(&pooled, &list, 1, lists, |_, _, _| ());
        groups += pooled.list(&votes, lists).group_count();
        let fit = partita_judging::DavidsonModel::default().fit(&votes);
        // Grouping by a fixed mean vote of 0.2 ignores the spread of the votes.
        at_a_fixed_vote += fixed.list_by_spread(&fit, 1.0).group_count();
        lists += 1;
    }
    assert!(groups >= 8 * 8, "{groups}");
    assert!(at_a_fixed_vote < groups / 2, "{at_a_fixed_vote} {groups}");
}

#[test]
fn difference_that_matters_is_in_units_of_vote_spread() {
    // If about a third of the votes are equal, the default is a mean vote of 0.2.
    assert!((GroupingRule::DEFAULT_MATTERS * vote_spread(3170.0, 1e4) - 0.2).abs() < 1e-3);
    // The prior dominates for few votes.
    let (few, many) = (vote_spread(3.0, 3.0), vote_spread(3000.0, 3000.0));
    assert!(many < 0.05 && (0.6..0.8).contains(&few));
    let mut votes = ListVotes::new(2);
    let none = votes.vote_spread();
    votes.add(item(0), item(1), Preference::Equal);
    assert!(votes.vote_spread() < none);
    assert!(GroupingRule::with_matters(1.0).is_err() && GroupingRule::with_matters(-0.1).is_err());
}

#[test]
fn requesting_only_the_top_saves_votes_at_similar_quality() {
    let world = World::by_name("low noise").expect("the world exists");
    let whole = PooledStrategy::default();
    let head = PooledStrategy {
        top: Some(5),
        ..PooledStrategy::default()
    };
    let (mut spent, mut first) = ([0, 0], [0, 0]);
    for seed in 0..12 {
        let list = world.list(world.crowd(seed), 24, seed);
        let mut best: Vec<Item> = (0..24).map(item).collect();
        let worths = &list.reference().worths;
        best.sort_by(|a, b| worths[b.index()].total_cmp(&worths[a.index()]));
        for (at, strategy) in [&whole, &head].into_iter().enumerate() {
            let end = run_strategy(strategy, &list, seed, &[])
                .pop()
                .expect("the run has a last checkpoint");
            spent[at] += end.votes;
            let found = &end.list.items()[..5];
            let least = worths[best[4].index()];
            first[at] += found.iter().filter(|i| worths[i.index()] >= least).count();
        }
    }
    assert!(spent[1] < 4 * spent[0] / 5, "{spent:?}");
    assert!(first[1] + 3 >= first[0] && first[1] >= 50, "{first:?}");
}

#[test]
fn list_with_few_errors_is_complete_before_its_budget_is_spent() {
    let assessors = AssessorModel {
        noise: 0.5,
        tie_threshold: 0.6,
        lapse_rate: 0.05,
        side_bias: 0.0,
    };
    let pooled = PooledStrategy::default();
    let (mut spent, mut most) = (0, 0);
    for seed in 0..8 {
        let list = SimulatedList::new(assessors, 18, seed);
        spent += run_strategy(&pooled, &list, seed, &[])
            .pop()
            .expect("the run has a last checkpoint")
            .votes;
        most += pooled.budget(18);
    }
    assert!(spent < 9 * most / 10, "{spent} {most}");
    // With frequent errors the list stays incomplete until the budget is spent.
    let list = SimulatedList::new(AssessorModel::default(), 18, 1);
    let end = run_strategy(&pooled, &list, 1, &[])
        .pop()
        .expect("the run has a last checkpoint");
    assert_eq!(end.votes, pooled.budget(18));
}

/// Returns observations of a baseline and of a strategy that is better than the baseline on half of
/// the lists and worse on the others.
fn observations_better_on_half_of_the_lists(lists: usize) -> Vec<ContenderObservations> {
    let of = |list: usize, votes: f64, right: f64| {
        let mut quality = vec![0.5; measure_names(1).len()];
        let at = measure_names(1).iter().position(|name| name == "relations");
        quality[at.expect("the measure exists")] = right + 0.001 * (list % 7) as f64;
        Observation {
            spent: [votes, votes, 1.0],
            equal: 0.0,
            quality,
        }
    };
    let baseline = (0..lists).map(|list| vec![of(list, 100.0, 0.5)]).collect();
    let better = |list: usize| if list.is_multiple_of(2) { 0.9 } else { 0.12 };
    let other = (0..lists)
        .map(|list| vec![of(list, 20.0, 0.1), of(list, 60.0, better(list))])
        .collect();
    let observations = |points| ContenderObservations {
        points,
        stops: Vec::new(),
    };
    [baseline, other].map(observations).into()
}

#[test]
fn resamples_that_never_reach_the_baseline_leave_the_upper_bound_undefined() {
    let contenders = ["sort", "pooled"].map(|name| {
        Contender::parse(name, 10, DecisionRule::default(), 0.242, 0.02)
            .expect("the strategy name is valid")
    });
    let spending = CostModel {
        price: Some(Price::URBANO_2010),
        votes: 10,
        seconds: 20.0,
    };
    let observed = observations_better_on_half_of_the_lists(40);
    let found = compare_strategies(&contenders, &observed, 1, &spending, 400, 1);
    let beside = &found[1].baseline_comparison;
    let needed = beside.needed.get("relations").expect("the measure exists");
    let share = needed.share.expect("the mean reaches the baseline quality");
    assert!(share.mean < 0.61 && share.lower <= share.mean);
    assert!(needed.never > 0.2 && needed.never < 0.6, "{needed:?}");
    assert!(share.upper.is_nan(), "{share:?}");
    // The mean over measures has no upper bound if one of them has none.
    assert!(
        beside
            .needed_mean
            .expect("the mean is defined")
            .upper
            .is_nan()
    );
    assert!(beside.needed_mean_never >= needed.never);
    let inversions = beside.needed.get("inversions").expect("the measure exists");
    assert_eq!((inversions.never, inversions.at_most), (0.0, true));
}

/// Returns the mean number of votes per list, for the whole list and for its head of five items.
fn votes_of_whole_and_head(noise: f64) -> [f64; 2] {
    let assessors = AssessorModel {
        noise,
        tie_threshold: 0.5,
        lapse_rate: 0.0,
        side_bias: 0.0,
    };
    let whole = PooledStrategy {
        votes: 3,
        ..PooledStrategy::default()
    };
    let head = PooledStrategy {
        top: Some(5),
        ..whole.clone()
    };
    [&whole, &head].map(|strategy| {
        let votes = (0..12).map(|seed| {
            let list = SimulatedList::new(assessors, 20, 900 + seed);
            let votes = collect_votes(strategy, &list, seed, |votes, _| {
                // What settles the whole list settles its head.
                if votes.len() % 20 == 0 && whole.requests(votes, &[], seed).is_empty() {
                    assert!(head.requests(votes, &[], seed).is_empty(), "{noise}");
                }
            });
            votes.0.len() as f64
        });
        votes.sum::<f64>() / 12.0
    })
}

#[test]
fn numbers_w4_head_takes_no_more_votes_than_the_whole_list() {
    for noise in [0.3, 0.6, 1.2, 3.0] {
        let [whole, head] = votes_of_whole_and_head(noise);
        assert!(head <= whole, "{noise}: {head} {whole}");
    }
}

//! How far the bootstrap over assessors can be trusted, on simulated campaigns.

use std::collections::BTreeMap;

use crate::simulated::{Kind, answer, campaign, panel, people, truly, worlds};
use partita_core::{GroupedList, Item, Preference, Preferences, Vote};
use partita_judging::{
    AssessorResampler, DecisionRule, MissingPairRule, PreferenceBootstrap,
    PreferenceBootstrapResult, Provenance, Relation, Votes, build_list,
};
use partita_stats::random::stream;

/// How often what was said came true.
#[derive(Clone, Copy, Debug, Default)]
struct Coverage {
    /// Items whose group in the list of other people lies in the interval, and all items.
    again: [usize; 2],
    /// Items whose true group lies in the interval, and all items.
    truth: [usize; 2],
    /// The sum of the widths of the intervals.
    width: usize,
    /// For each tenth of the shares of a relation: how often it was so with other people, the sum of
    /// the shares, and the number.
    relations: [[f64; 3]; 5],
    /// The same for before, together and after in the lists.
    places: [[f64; 3]; 5],
    /// The share of the needed pairs that were assumed.
    unasked: f64,
    campaigns: f64,
}

fn group_of(list: &GroupedList, item: Item) -> usize {
    let mut groups = list.groups();
    groups
        .position(|group| group.contains(&item))
        .expect("listed")
        + 1
}

fn note(bins: &mut [[f64; 3]; 5], share: f64, happened: bool) {
    let bin = ((share * 5.0) as usize).min(4);
    bins[bin][0] += f64::from(u8::from(happened));
    bins[bin][1] += share;
    bins[bin][2] += 1.0;
}

fn coverage(
    campaigns: u64,
    replicates: u64,
    items: usize,
    unasked: [MissingPairRule; 2],
    again: bool,
) -> Coverage {
    let mut found = Coverage::default();
    let rule = DecisionRule::default();
    for seed in 0..campaigns {
        let worlds = worlds(seed, 4, items);
        let kinds = [(Kind::Honest, 79)];
        // Both campaigns draw from one population, and have the same initial orders.
        let first = campaign(seed, seed, &worlds, &people(seed, &kinds), 10);
        let others = people(seed + 1_000_000, &kinds);
        let second = campaign(seed + 1_000_000, seed, &worlds, &others, 10);
        let drawn = AssessorResampler::new(&first);
        let mut random = stream(seed, &[9]);
        for (levels, query) in worlds.iter().zip(first.queries()) {
            let built = build_list(query, rule, 1);
            let mut bootstrap = PreferenceBootstrap::new(query, &built, rule);
            assert!(bootstrap.reproduces_list());
            let lists: Vec<_> = (0..replicates)
                .map(|replicate| {
                    let unasked = unasked[replicate as usize % 2];
                    match again {
                        true => {
                            bootstrap.replicate_of(&drawn.draw_nested(seed, replicate), unasked)
                        }
                        false => bootstrap.replicate_of(&drawn.draw(seed, replicate), unasked),
                    }
                })
                .collect();
            let trust =
                PreferenceBootstrapResult::new(query.items().len(), built.decisions.len(), &lists);
            found.unasked += trust.assumed_share().unwrap_or(0.0);
            found.campaigns += 1.0;
            let names = query.items();
            let level = |item: Item| {
                let number = names.name(item).rsplit_once(' ').map(|(_, number)| number);
                levels[number.map_or(0, |number| number.parse::<usize>().expect("a number"))]
            };
            let other = second.queries().iter().find(|q| q.name() == query.name());
            let other = other.expect("the same query");
            let other_list = build_list(other, rule, 1).list;
            let there = |item: Item| {
                let item = other.items().get(names.name(item)).expect("the same item");
                group_of(&other_list, item)
            };
            let mut true_levels: Vec<f64> = levels.clone();
            true_levels.sort_by(f64::total_cmp);
            true_levels.dedup();
            let all: Vec<Item> = names.items().collect();
            for &item in &all {
                let (lower, upper) = trust.shares().groups(item, 0.95).expect("an interval");
                let inside = |group: usize| usize::from((lower..=upper).contains(&group));
                let truth = true_levels.iter().position(|&l| l == level(item));
                found.again[0] += inside(there(item));
                found.truth[0] += inside(truth.expect("a level") + 1);
                found.again[1] += 1;
                found.truth[1] += 1;
                found.width += upper - lower + 1;
            }
            for (place, (pair, _)) in built.decisions.iter().enumerate() {
                let shares = trust.relations()[place];
                let (a, b) = (level(pair.a), level(pair.b));
                let mut votes = Votes::default();
                for who in panel(&mut random, &others, 10) {
                    votes.add(answer(&mut random, who, a, b).0);
                }
                let relation = rule.decide(votes);
                for (share, which) in shares.into_iter().zip(Relation::ALL) {
                    note(&mut found.relations, share, relation == which);
                }
            }
            for (place, &a) in all.iter().enumerate() {
                for &b in &all[place + 1..] {
                    let shares = trust.shares().pair(a, b);
                    let relation = truly(there(a) as f64, there(b) as f64);
                    for (share, which) in [shares.before, shares.same_group, shares.after]
                        .into_iter()
                        .zip(Relation::ALL)
                    {
                        note(&mut found.places, share, relation == which);
                    }
                }
            }
        }
    }
    found
}

fn of([inside, all]: [usize; 2]) -> f64 {
    inside as f64 / all as f64
}

#[test]
fn most_items_stand_with_other_people_where_the_interval_says() {
    let found = coverage(
        3,
        100,
        9,
        [MissingPairRule::AsListed, MissingPairRule::Equal],
        true,
    );
    assert!(of(found.again) > 0.9, "{}", of(found.again));
    assert!(of(found.truth) > 0.9, "{}", of(found.truth));
}

#[test]
fn the_same_seed_gives_the_same_people_whatever_the_order_of_the_answers() {
    let worlds = worlds(5, 1, 8);
    let answers = campaign(5, 5, &worlds, &people(5, &[(Kind::Honest, 30)]), 10);
    let query = &answers.queries()[0];
    let built = build_list(query, DecisionRule::default(), 1);
    let people = AssessorResampler::new(&answers);
    let replicates = || {
        let mut bootstrap = PreferenceBootstrap::new(query, &built, DecisionRule::default());
        (0..20)
            .map(|replicate| bootstrap.replicate(&people, 3, replicate))
            .collect::<Vec<_>>()
    };
    assert_eq!(replicates(), replicates());
    assert_ne!(people.draw(3, 0), people.draw(3, 1));
    let mut reversed = Preferences::new();
    for given in query.votes().iter().rev() {
        let [a, b] = [given.a, given.b].map(|item| query.items().name(item));
        let who = answers.assessors().name(given.assessor);
        let given = Vote::new(a, b, who, given.preference);
        reversed.add(query.name(), given).expect("a new answer");
    }
    let by_name = |preferences: &Preferences| {
        let times = AssessorResampler::new(preferences).draw_nested(3, 0);
        let names = preferences.assessors();
        let named = names
            .items()
            .map(|who| (names.name(who).to_owned(), times[who.index()]));
        named.collect::<BTreeMap<_, _>>()
    };
    assert_eq!(by_name(&answers), by_name(&reversed));
    assert_ne!(people.draw(3, 0), people.draw(4, 0));
}

#[test]
fn lists_from_no_sort_are_sorted_again_from_their_own_order() {
    // Everything is compared at once, which no sort asks for.
    let levels = [0.0, 0.0, 3.0, 6.0, 6.0];
    let people = people(7, &[(Kind::Honest, 12)]);
    let names: Vec<String> = (0..levels.len())
        .map(|item| format!("item {item}"))
        .collect();
    let mut random = stream(7, &[1]);
    let mut preferences = Preferences::new();
    for (b, second) in names.iter().enumerate() {
        for (a, first) in names[..b].iter().enumerate() {
            for who in &people {
                let (answer, _) = answer(&mut random, who, levels[a], levels[b]);
                let given = Vote::new(first, second, &who.name, answer);
                preferences.add("q", given).expect("a new answer");
            }
        }
    }
    let query = &preferences.queries()[0];
    let built = build_list(query, DecisionRule::default(), 1);
    assert!(matches!(built.provenance, Provenance::Resorted { .. }));
    let drawn = AssessorResampler::new(&preferences);
    let mut bootstrap = PreferenceBootstrap::new(query, &built, DecisionRule::default());
    assert!(bootstrap.reproduces_list());
    let lists: Vec<_> = (0..100)
        .map(|replicate| bootstrap.replicate(&drawn, 1, replicate))
        .collect();
    let trust = PreferenceBootstrapResult::new(levels.len(), built.decisions.len(), &lists);
    // All pairs were compared by all, so whoever is drawn knows them.
    assert_eq!(trust.assumed_share(), Some(0.0));
    let item = |number: usize| query.items().get(&names[number]).expect("an item");
    assert!(trust.shares().pair(item(0), item(4)).before > 0.95);
    assert!(trust.shares().pair(item(4), item(2)).after > 0.8);
}

#[test]
fn the_chances_of_one_pair_are_those_of_drawing_twice_from_its_votes() {
    // 400,000 draws by NumPy, decided by the closed form of the exact test: standard errors below
    // 0.001.
    let cases = [
        ([7, 1, 2], [0.7870, 0.1777, 0.0353]),
        ([3, 6, 1], [0.5754, 0.3363, 0.0883]),
    ];
    for (votes, expected) in cases {
        let mut preferences = Preferences::new();
        let given = [Preference::A, Preference::Equal, Preference::B]
            .into_iter()
            .zip(votes);
        let given = given.flat_map(|(answer, count)| std::iter::repeat_n(answer, count));
        for (who, answer) in given.enumerate() {
            let who = who.to_string();
            let given = Vote::new("x", "y", &who, answer);
            preferences.add("q", given).expect("a new answer");
        }
        let query = &preferences.queries()[0];
        let built = build_list(query, DecisionRule::default(), 1);
        let people = AssessorResampler::new(&preferences);
        let mut bootstrap = PreferenceBootstrap::new(query, &built, DecisionRule::default());
        let drawn: Vec<_> = (0..20_000)
            .map(|replicate| bootstrap.replicate(&people, 1, replicate))
            .collect();
        let trust = PreferenceBootstrapResult::new(2, 1, &drawn);
        let found = trust.relations()[0];
        for (found, expected) in found.iter().zip(expected) {
            assert!((found - expected).abs() < 0.012, "{found} {expected}");
        }
        assert_eq!(trust.assumed_share(), Some(0.0));
    }
}

#[test]
#[ignore = "the coverage in the documentation: half a minute in release"]
fn rates() {
    for items in [8, 14, 20] {
        for (unasked, again) in [
            ([MissingPairRule::AsListed; 2], false),
            ([MissingPairRule::AsListed; 2], true),
            ([MissingPairRule::Equal; 2], false),
            ([MissingPairRule::Equal; 2], true),
            // What the program does.
            ([MissingPairRule::AsListed, MissingPairRule::Equal], true),
        ] {
            let found = coverage(40, 200, items, unasked, again);
            eprintln!(
                "{items} items, {unasked:?}, again {again}: other people {:.3}, truth {:.3}, \
                 width {:.2}, assumed {:.3}",
                of(found.again),
                of(found.truth),
                found.width as f64 / found.again[1] as f64,
                found.unasked / found.campaigns,
            );
            for (what, bins) in [("relations", found.relations), ("places", found.places)] {
                for [happened, said, count] in bins {
                    eprintln!(
                        "  {what}: said {:.3}, happened {:.3} of {count}",
                        said / count,
                        happened / count
                    );
                }
            }
        }
    }
}

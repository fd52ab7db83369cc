//! Coverage of the bootstrap over assessors, on simulated campaigns.

use partita_core::evidence::AssessorResampler;
use partita_core::{GroupedList, Item};
use partita_judging::{
    DecisionRule, MissingPairRule, PreferenceBootstrap, PreferenceBootstrapResult, Relation, Votes,
    build_list,
};
use partita_stats::random::stream;

use crate::simulated_campaign::{AssessorKind, answer, campaign, hidden_levels, panel, people};

/// Coverage of the bootstrap's intervals and calibration of its shares, over simulated campaigns.
#[derive(Clone, Copy, Debug, Default)]
struct Coverage {
    /// Number of items whose group in the list of a new panel lies in the interval, and number of
    /// all items.
    new_panel: [usize; 2],
    /// Number of items whose true group lies in the interval, and number of all items.
    truth: [usize; 2],
    /// Sum of the widths of the intervals, in groups.
    width: usize,
    /// Bins of bootstrap shares of relations, each a fifth wide: number of shares whose relation a
    /// new panel decided, sum of the shares, and number of shares.
    relations: [[f64; 3]; 5],
    /// As `relations`, but for the order of two items in the lists (before, same group, after).
    places: [[f64; 3]; 5],
    /// Sum over lists of the share of needed pairs whose relation was assumed.
    assumed: f64,
    lists: f64,
}

fn group_of(list: &GroupedList, item: Item) -> usize {
    let mut groups = list.groups();
    groups
        .position(|group| group.contains(&item))
        .expect("the item is in the list")
        + 1
}

fn add_predicted_share(bins: &mut [[f64; 3]; 5], share: f64, happened: bool) {
    let bin = ((share * 5.0) as usize).min(4);
    bins[bin][0] += f64::from(u8::from(happened));
    bins[bin][1] += share;
    bins[bin][2] += 1.0;
}

/// Measures the coverage on simulated campaigns. `unasked` is the treatment of missing pairs in
/// even and in odd replicates; with `nested`, assessors are drawn twice
/// ([`AssessorResampler::draw_nested`]).
fn coverage(
    campaigns: u64,
    replicates: u64,
    items: usize,
    unasked: [MissingPairRule; 2],
    nested: bool,
) -> Coverage {
    let mut found = Coverage::default();
    let rule = DecisionRule::default();
    for seed in 0..campaigns {
        let worlds = hidden_levels(seed, 4, items);
        let kinds = [(AssessorKind::Honest, 79)];
        // Both campaigns draw from one population, and have the same initial orders.
        let first = campaign(seed, seed, &worlds, &people(seed, &kinds), 10);
        let others = people(seed + 1_000_000, &kinds);
        let second = campaign(seed + 1_000_000, seed, &worlds, &others, 10);
        let drawn = AssessorResampler::new(first.assessors());
        let mut random = stream(seed, &[9]);
        for (levels, query) in worlds.iter().zip(first.queries()) {
            let built = build_list(query, rule, 1);
            let mut bootstrap = PreferenceBootstrap::new(query, &built, rule);
            assert!(bootstrap.reproduces_list());
            let lists: Vec<_> = (0..replicates)
                .map(|replicate| {
                    let unasked = unasked[replicate as usize % 2];
                    let sample = match nested {
                        true => drawn.draw_nested(seed, replicate, None),
                        false => drawn.draw(seed, replicate),
                    };
                    bootstrap.replicate_with_counts(&drawn.multiplicities(&sample), unasked)
                })
                .collect();
            let trust =
                PreferenceBootstrapResult::new(query.items().len(), built.decisions.len(), &lists);
            found.assumed += trust.assumed_share().unwrap_or(0.0);
            found.lists += 1.0;
            let names = query.items();
            let level = |item: Item| {
                let number = names.name(item).rsplit_once(' ').map(|(_, number)| number);
                levels[number.map_or(0, |number| {
                    number.parse::<usize>().expect("the text is a number")
                })]
            };
            let other = second.queries().iter().find(|q| q.name() == query.name());
            let other = other.expect("the other campaign has the same query");
            let other_list = build_list(other, rule, 1).list;
            let there = |item: Item| {
                let item = other
                    .items()
                    .get(names.name(item))
                    .expect("the other campaign has the same item");
                group_of(&other_list, item)
            };
            let mut true_levels: Vec<f64> = levels.clone();
            true_levels.sort_by(f64::total_cmp);
            true_levels.dedup();
            let all: Vec<Item> = names.items().collect();
            for &item in &all {
                let (lower, upper) = trust
                    .shares()
                    .group_interval(item, 0.95)
                    .expect("the item has an interval");
                let inside = |group: usize| usize::from((lower..=upper).contains(&group));
                let truth = true_levels.iter().position(|&l| l == level(item));
                found.new_panel[0] += inside(there(item));
                found.truth[0] += inside(truth.expect("the level is in the list") + 1);
                found.new_panel[1] += 1;
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
                    add_predicted_share(&mut found.relations, share, relation == which);
                }
            }
            for (place, &a) in all.iter().enumerate() {
                for &b in &all[place + 1..] {
                    let shares = trust.shares().order_shares(a, b);
                    let relation = Relation::from(there(a).cmp(&there(b)));
                    for (share, which) in [shares.before, shares.same_group, shares.after]
                        .into_iter()
                        .zip(Relation::ALL)
                    {
                        add_predicted_share(&mut found.places, share, relation == which);
                    }
                }
            }
        }
    }
    found
}

fn covered_share([inside, all]: [usize; 2]) -> f64 {
    inside as f64 / all as f64
}

#[test]
fn bootstrap_intervals_cover_over_90_percent_of_groups() {
    let found = coverage(
        3,
        100,
        9,
        [MissingPairRule::AsListed, MissingPairRule::Equal],
        true,
    );
    assert!(
        covered_share(found.new_panel) > 0.9,
        "{}",
        covered_share(found.new_panel)
    );
    assert!(
        covered_share(found.truth) > 0.9,
        "{}",
        covered_share(found.truth)
    );
}

#[test]
#[ignore = "the coverage in the documentation: half a minute in release"]
fn documented_coverage() {
    for items in [8, 14, 20] {
        for (unasked, nested) in [
            ([MissingPairRule::AsListed; 2], false),
            ([MissingPairRule::AsListed; 2], true),
            ([MissingPairRule::Equal; 2], false),
            ([MissingPairRule::Equal; 2], true),
            // The treatment that the program uses.
            ([MissingPairRule::AsListed, MissingPairRule::Equal], true),
        ] {
            let found = coverage(40, 200, items, unasked, nested);
            eprintln!(
                "{items} items, {unasked:?}, nested {nested}: new panel {:.3}, truth {:.3}, \
                 width {:.2}, assumed {:.3}",
                covered_share(found.new_panel),
                covered_share(found.truth),
                found.width as f64 / found.new_panel[1] as f64,
                found.assumed / found.lists,
            );
            for (what, bins) in [("relations", found.relations), ("places", found.places)] {
                for [observed, predicted, count] in bins {
                    eprintln!(
                        "  {what}: predicted {:.3}, observed {:.3} of {count}",
                        predicted / count,
                        observed / count
                    );
                }
            }
        }
    }
}

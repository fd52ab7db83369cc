//! Bootstrap over panels of assessors.

use partita_core::truth::*;
use partita_core::work::SequentialWork;
use partita_core::{AssessorRankings, GroundTruth, GroupedList, Names, Ranking, SystemRankings};
use partita_stats::random::{shuffle, stream};
use serde_json::Value;

use crate::truth_support::rankings;

#[test]
fn shared_assessors_are_drawn_once_for_all_queries() {
    let one = AssessorRankings::new([("ann", "a", Some(1.0)), ("bob", "a", Some(1.0))]).unwrap();
    let other = [
        ("cy", "x", Some(1.0)),
        ("bob", "x", Some(1.0)),
        ("ann", "x", Some(2.0)),
    ];
    let other = AssessorRankings::new(other).unwrap();
    let panels = Panel::shared(&[&one, &other]);
    for replicate in 0..20 {
        let drawn = [0, 1].map(|query: usize| -> Vec<&str> {
            let panel = &panels[query];
            let assessors = panel.resampler().draw(1, replicate).into_iter();
            assessors
                .map(|assessor| panel.rankings().assessor_name(assessor))
                .collect()
        });
        assert_eq!(drawn[1].len(), 3);
        let without_cy: Vec<&str> = drawn[1].iter().copied().filter(|&n| n != "cy").collect();
        assert_eq!(drawn[0], without_cy);
    }
}

#[test]
fn nested_replicates_draw_from_their_replicate_only() {
    let rankings = rankings(&[[1.0]; 9]);
    let panel = Panel::new("q", &rankings);
    let drawn = panel.resampler().draw(3, 5);
    for number in 0..5 {
        let nested = panel.resampler().draw_nested(3, 5, Some(number));
        assert!(nested.iter().all(|assessor| drawn.contains(assessor)));
    }
    assert_ne!(
        panel.resampler().draw_nested(3, 5, Some(0)),
        panel.resampler().draw_nested(3, 5, Some(1))
    );
    assert_ne!(
        panel.resampler().draw(3, 5),
        Panel::new("other", &rankings).resampler().draw(3, 5)
    );
}

/// Rankings of three items by four assessors, most of whom put a first and c last.
fn four_rankings() -> AssessorRankings {
    rankings(&[
        [1.0, 2.0, 3.0],
        [1.0, 3.0, 2.0],
        [2.0, 1.0, 3.0],
        [1.0, 2.0, 3.0],
    ])
}

#[test]
fn an_item_that_most_assessors_put_first_stays_in_the_first_group() {
    let rankings = four_rankings();
    let (panel, recipe) = (Panel::new("q1", &rankings), Recipe::default());
    let mut bootstrap = ListBootstrap::new(&panel, recipe, Alpha::TYPKE);
    let replicates: Vec<_> = (0..200).map(|r| bootstrap.replicate(1, r)).collect();
    let result = ListBootstrapResult::new(&panel, &recipe, Alpha::TYPKE, &replicates);
    let [a, c] = ["a", "c"].map(|name| rankings.items().get(name).unwrap());
    let shares = result.shares().order_shares(a, c);
    assert!(shares.before > 0.9 && shares.after == 0.0);
    assert!((shares.before + shares.same_group - 1.0).abs() < 1e-12);
    assert_eq!(result.shares().group_interval(a, 0.8), Some((1, 1)));
}

#[test]
fn a_system_in_the_order_of_the_list_is_probably_better() {
    let rankings = four_rankings();
    let runs = [["a", "b", "c"], ["c", "x", "a"]]
        .map(|returned| vec![Ranking::from_names(rankings.items(), returned)]);
    let panels = [Panel::new("q1", &rankings)];
    let mut systems = SystemBootstrap::new(&panels, Recipe::default(), &runs);
    let replicates: Vec<_> = (0..200).map(|r| systems.replicate(1, r)).collect();
    let result = systems.summarize(&replicates);
    assert_eq!(result.interval(0, 0.95).unwrap().estimate, 1.0);
    assert!(result.probability_better(0, 1).unwrap() > 0.9);
}

#[test]
fn shared_assessors_count_once_in_the_degrees_of_freedom() {
    let rankings = rankings(&[[1.0], [2.0]]);
    let apart = [Panel::new("q1", &rankings), Panel::new("q2", &rankings)];
    assert_eq!(Panel::degrees_of_freedom(&apart), 2);
    let shared = Panel::shared(&[&rankings, &rankings]);
    assert_eq!(Panel::degrees_of_freedom(&shared), 1);
}

#[test]
fn the_same_seed_and_replicate_draw_the_same_panel() {
    let rankings = rankings(&[[1.0], [2.0]]);
    let panel = Panel::new("q1", &rankings);
    assert_eq!(panel.resampler().draw(7, 41), panel.resampler().draw(7, 41));
    assert_eq!(panel.resampler().draw(7, 42).len(), 2);
}

#[test]
fn order_shares_and_group_intervals_are_counted_over_lists() {
    let mut names = Names::new();
    let [x, y] = ["x", "y"].map(|name| names.intern(name).unwrap());
    let apart = GroupedList::new([[x], [y]]).unwrap();
    let together = GroupedList::new([[x, y]]).unwrap();
    let shares = PlacementCounts::from_lists(2, [&apart, &apart, &apart, &together]);
    assert_eq!(shares.order_shares(x, y).before, 0.75);
    assert_eq!(shares.order_shares(y, x).same_group, 0.25);
    assert_eq!(shares.group_interval(y, 0.9), Some((1, 2)));
    assert_eq!(shares.place_interval(y, 0.9), Some((1.5, 2.0)));
}

/// Checks the rankings of these rows with a bootstrap and two scored systems, and returns the JSON.
fn check_as_json(rows: &[[(&str, &str, Option<f64>); 40]; 2], shared_assessors: bool) -> Value {
    let rankings = rows.map(|rows| AssessorRankings::new(rows).unwrap());
    let truth = GroundTruth::from_groups([("q1", [vec!["a"]]), ("q2", [vec!["a"]])]).unwrap();
    let ranked = |system: &str, returned: &[&str]| {
        let mut seen = SystemRankings::new(system, &truth);
        for (query, rankings) in rankings.iter().enumerate() {
            let ranking = Ranking::from_names(rankings.items(), returned.iter().copied());
            seen.set(query, ranking);
        }
        seen
    };
    let system = ranked("mine", &["c", "a", "z", "b"]);
    let other = ranked("other", &["e", "d"]);
    let request = TruthCheckRequest {
        queries: &[("q1", &rankings[0]), ("q2", &rankings[1])],
        truth: None,
        recipe: Recipe::default(),
        alpha: Alpha::TYPKE,
        tails: Tails::One,
        max_triples: 10,
        bootstrap: Some(PanelBootstrapRequest {
            replicates: 50,
            seed: 7,
            confidence: 0.9,
            shared_assessors,
            systems: &[system, other],
        }),
    };
    serde_json::to_value(check(&request, &SequentialWork).unwrap()).unwrap()
}

#[test]
fn the_order_of_rows_does_not_change_the_bootstrap() {
    const PEOPLE: [&str; 8] = ["ann", "bob", "cy", "di", "eve", "flo", "gus", "hal"];
    const ITEMS: [&str; 5] = ["a", "b", "c", "d", "e"];
    let row = |query: usize, number: usize| {
        let (who, item) = (number / 5, number % 5);
        // Most assessors rank the items alphabetically, with some deviations.
        let rank = item + (who * (item + query + 2) + query) % 4 + 1;
        let rank = (number % 17 != 3).then_some(rank as f64);
        (PEOPLE[who], ITEMS[item], rank)
    };
    let rows = [0, 1].map(|query| std::array::from_fn(|number| row(query, number)));
    for shared in [false, true] {
        let expected = check_as_json(&rows, shared);
        assert!(expected["trust"]["pairs"][0]["difference"]["lower"].is_f64());
        assert!(!expected["lists"][0]["trust"]["items"][0]["lower"].is_null());
        for seed in 0..5 {
            let mut shuffled = rows;
            for (query, rows) in shuffled.iter_mut().enumerate() {
                shuffle(&mut stream(seed, &[query as u64]), rows);
            }
            assert_ne!(shuffled, rows);
            assert_eq!(check_as_json(&shuffled, shared), expected);
        }
    }
}

//! Panels of assessors.

use partita_core::truth::*;
use partita_core::work::SequentialWork;
use partita_core::{AssessorRankings, GroundTruth, Ranking, SystemRankings};
use partita_stats::random::{shuffle, stream};
use serde_json::Value;

#[test]
fn people_who_rank_several_queries_are_drawn_once_for_all() {
    let one = AssessorRankings::new([("ann", "a", Some(1.0)), ("bob", "a", Some(1.0))]).unwrap();
    let other = [
        ("cy", "x", Some(1.0)),
        ("bob", "x", Some(1.0)),
        ("ann", "x", Some(2.0)),
    ];
    let other = AssessorRankings::new(other).unwrap();
    let panels = Panel::shared(&[&one, &other]);
    for replicate in 0..20 {
        let drawn = [0, 1].map(|query: usize| {
            let panel = &panels[query];
            let seats = panel.draw(1, replicate).into_iter();
            seats
                .map(|a| panel.rankings().assessor_name(a))
                .collect::<Vec<_>>()
        });
        assert_eq!(drawn[1].len(), 3);
        let without_cy: Vec<&str> = drawn[1].iter().copied().filter(|&n| n != "cy").collect();
        assert_eq!(drawn[0], without_cy);
    }
}

#[test]
fn a_replicate_of_a_replicate_holds_nobody_else() {
    let names: Vec<String> = (0..9).map(|n| format!("p{n}")).collect();
    let rankings =
        AssessorRankings::new(names.iter().map(|n| (n.as_str(), "a", Some(1.0)))).unwrap();
    let panel = Panel::new("q", &rankings);
    let drawn = panel.draw(3, 5);
    for turn in 0..5 {
        assert!(
            panel
                .draw_nested(3, 5, turn)
                .iter()
                .all(|a| drawn.contains(a))
        );
    }
    assert_ne!(panel.draw_nested(3, 5, 0), panel.draw_nested(3, 5, 1));
    assert_ne!(panel.draw(3, 5), Panel::new("other", &rankings).draw(3, 5));
}

#[test]
fn an_item_that_nearly_all_put_first_stays_in_the_first_group()
-> Result<(), Box<dyn std::error::Error>> {
    use partita_core::AssessorRankings;
    use partita_core::truth::{Alpha, ListBootstrap, ListBootstrapResult, Panel, Recipe};

    let ranks = [
        [1.0, 2.0, 3.0],
        [1.0, 3.0, 2.0],
        [2.0, 1.0, 3.0],
        [1.0, 2.0, 3.0],
    ];
    let who = ["ann", "bob", "cy", "di"];
    let rankings = AssessorRankings::new(who.iter().zip(&ranks).flat_map(|(&who, ranks)| {
        ["a", "b", "c"]
            .into_iter()
            .zip(ranks)
            .map(move |(item, &rank)| (who, item, Some(rank)))
    }))?;
    let (panel, recipe) = (Panel::new("q1", &rankings), Recipe::default());
    let mut bootstrap = ListBootstrap::new(&panel, recipe, Alpha::TYPKE);
    let replicates: Vec<_> = (0..200).map(|r| bootstrap.replicate(1, r)).collect();
    let trust = ListBootstrapResult::new(&panel, &recipe, Alpha::TYPKE, &replicates);
    let item = |name| rankings.items().get(name).unwrap();
    let shares = trust.shares().pair(item("a"), item("c"));
    assert!(shares.before > 0.9 && shares.after == 0.0);
    assert!((shares.before + shares.same_group - 1.0).abs() < 1e-12);
    assert_eq!(trust.shares().groups(item("a"), 0.8), Some((1, 1)));
    Ok(())
}

#[test]
fn a_system_in_the_order_of_the_list_is_trusted_to_be_better()
-> Result<(), Box<dyn std::error::Error>> {
    use partita_core::truth::{Panel, Recipe, SystemBootstrap};
    use partita_core::{AssessorRankings, Ranking};

    let ranks = [
        [1.0, 2.0, 3.0],
        [1.0, 3.0, 2.0],
        [2.0, 1.0, 3.0],
        [1.0, 2.0, 3.0],
    ];
    let who = ["ann", "bob", "cy", "di"];
    let rankings = AssessorRankings::new(who.iter().zip(&ranks).flat_map(|(&who, ranks)| {
        ["a", "b", "c"]
            .into_iter()
            .zip(ranks)
            .map(move |(item, &rank)| (who, item, Some(rank)))
    }))?;
    let good = vec![Ranking::from_names(rankings.items(), ["a", "b", "c"])];
    let bad = vec![Ranking::from_names(rankings.items(), ["c", "x", "a"])];
    let panels = [Panel::new("q1", &rankings)];
    let runs = [good, bad];
    let mut systems = SystemBootstrap::new(&panels, Recipe::default(), &runs);
    let replicates: Vec<_> = (0..200).map(|r| systems.replicate(1, r)).collect();
    let trust = systems.summarize(&replicates);
    assert_eq!(trust.interval(0, 0.95).unwrap().estimate, 1.0);
    assert!(trust.probability_better(0, 1).unwrap() > 0.9);
    Ok(())
}

#[test]
fn people_of_two_queries_count_once_where_they_are_shared() -> Result<(), Box<dyn std::error::Error>>
{
    use partita_core::AssessorRankings;
    use partita_core::truth::Panel;

    let rankings = AssessorRankings::new([("ann", "a", Some(1.0)), ("bob", "a", Some(2.0))])?;
    let apart = [Panel::new("q1", &rankings), Panel::new("q2", &rankings)];
    assert_eq!(Panel::degrees_of_freedom(&apart), 2);
    assert_eq!(
        Panel::degrees_of_freedom(&Panel::shared(&[&rankings, &rankings])),
        1
    );
    Ok(())
}

#[test]
fn the_same_seed_and_replicate_draw_the_same_panel() -> Result<(), Box<dyn std::error::Error>> {
    use partita_core::AssessorRankings;
    use partita_core::truth::Panel;

    let rankings = AssessorRankings::new([("ann", "a", Some(1.0)), ("bob", "a", Some(2.0))])?;
    let panel = Panel::new("q1", &rankings);
    assert_eq!(panel.draw(7, 41), panel.draw(7, 41));
    assert_eq!(panel.draw(7, 42).len(), 2);
    Ok(())
}

#[test]
fn shares_of_pairs_and_groups_are_counted_over_lists() -> Result<(), Box<dyn std::error::Error>> {
    use partita_core::truth::PlacementCounts;
    use partita_core::{GroupedList, Names};

    let mut names = Names::new();
    let [x, y] = ["x", "y"].map(|name| names.intern(name).unwrap());
    let apart = GroupedList::new([[x], [y]])?;
    let together = GroupedList::new([[x, y]])?;
    let shares = PlacementCounts::from_lists(2, [&apart, &apart, &apart, &together]);
    assert_eq!(shares.pair(x, y).before, 0.75);
    assert_eq!(shares.pair(y, x).same_group, 0.25);
    assert_eq!(shares.groups(y, 0.9), Some((1, 2)));
    Ok(())
}

/// What a check with drawn assessors and a scored system says of these rows.
fn checked(rows: &[[(&str, &str, Option<f64>); 40]; 2], shared_assessors: bool) -> Value {
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
fn the_order_of_rows_changes_nothing_that_a_check_says_with_the_same_seed() {
    const PEOPLE: [&str; 8] = ["ann", "bob", "cy", "di", "eve", "flo", "gus", "hal"];
    const ITEMS: [&str; 5] = ["a", "b", "c", "d", "e"];
    let row = |query: usize, number: usize| {
        let (who, item) = (number / 5, number % 5);
        // Mostly the order of the items, with some of everybody's own.
        let rank = item + (who * (item + query + 2) + query) % 4 + 1;
        let rank = (number % 17 != 3).then_some(rank as f64);
        (PEOPLE[who], ITEMS[item], rank)
    };
    let rows = [0, 1].map(|query| std::array::from_fn(|number| row(query, number)));
    for shared in [false, true] {
        let expected = checked(&rows, shared);
        assert!(expected["trust"]["pairs"][0]["difference"]["lower"].is_f64());
        assert!(!expected["lists"][0]["trust"]["items"][0]["lower"].is_null());
        for seed in 0..5 {
            let mut shuffled = rows;
            for (query, rows) in shuffled.iter_mut().enumerate() {
                shuffle(&mut stream(seed, &[query as u64]), rows);
            }
            assert_ne!(shuffled, rows);
            assert_eq!(checked(&shuffled, shared), expected);
        }
    }
}

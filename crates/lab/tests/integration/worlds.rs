//! Worlds: simulated crowds and lists for campaigns.

use std::collections::BTreeSet;

use partita_core::work::SequentialWork;
use partita_core::{Item, Preference};
use partita_judging::simulate::{
    Oracle, SimulatedListRun, SimulationRequest, list_quality, run_strategy, run_strategy_on_lists,
};
use partita_judging::{DecisionRule, PooledStrategy, Price};
use partita_lab::{InattentiveKind, World, WorldList, simulate_world, worlds};

fn item(number: usize) -> Item {
    Item::from_index(number).expect("the item number is valid")
}

/// Returns the first `votes` answers about a pair of a list.
fn answers_to(list: &WorldList, a: usize, b: usize, votes: u32) -> Vec<Preference> {
    let (a, b) = (item(a), item(b));
    (0..votes).filter_map(|k| list.answer(a, b, k)).collect()
}

#[test]
fn worlds_have_unique_names_and_are_found_by_name() {
    let names: BTreeSet<&str> = worlds().iter().map(|world| world.name).collect();
    assert_eq!((names.len(), worlds().len()), (26, 26));
    for world in worlds() {
        assert_eq!(World::by_name(world.name), Some(world));
    }
    assert_eq!(World::by_name("base"), Some(World::default()));
    assert_eq!(World::by_name("utopia"), None);
}

#[test]
fn assessors_of_a_pair_are_distinct_and_answers_mirror_with_the_pair() {
    for world in worlds() {
        let list = world.list(world.crowd(3), 6, 5);
        let (a, b) = (item(4), item(1));
        let everybody: BTreeSet<usize> = (0..79).map(|k| list.assessor_index(a, b, k)).collect();
        assert_eq!(everybody.len(), list.people());
        for before in 0..20 {
            assert_eq!(
                list.assessor_index(a, b, before),
                list.assessor_index(b, a, before)
            );
            let mirrored = list.answer(b, a, before).map(Preference::mirrored);
            assert_eq!(list.answer(a, b, before), mirrored, "{}", world.name);
        }
    }
}

#[test]
fn inattentive_kinds_give_their_characteristic_answers() {
    let all = |kind| World {
        kinds: vec![(kind, 1.0)],
        assessors: World::by_name("low noise")
            .expect("the world exists")
            .assessors,
        ..World::default()
    };
    let list = |world: &World| world.list(world.crowd(1), 12, 7);
    let share = |list: &WorldList, of: Preference| {
        let pairs = (0..12).flat_map(|b| (0..b).map(move |a| (a, b)));
        let all: Vec<Preference> = pairs
            .flat_map(|(a, b)| answers_to(list, a, b, 40))
            .collect();
        all.iter().filter(|&&answer| answer == of).count() as f64 / all.len() as f64
    };
    assert_eq!(
        share(&list(&all(InattentiveKind::Equal)), Preference::Equal),
        1.0
    );
    assert_eq!(
        share(&list(&all(InattentiveKind::First)), Preference::Equal),
        0.0
    );
    assert!((share(&list(&all(InattentiveKind::First)), Preference::A) - 0.5).abs() < 0.03);
    assert!(
        (share(&list(&all(InattentiveKind::Random)), Preference::Equal) - 1.0 / 3.0).abs() < 0.03
    );
    let (honest, adversaries) = (World::default(), all(InattentiveKind::Adversary));
    let honest = World {
        assessors: adversaries.assessors,
        ..honest
    };
    let (honest, adversaries) = (list(&honest), list(&adversaries));
    let mirrored: Vec<Preference> = answers_to(&honest, 0, 1, 40)
        .into_iter()
        .map(Preference::mirrored)
        .collect();
    assert_eq!(answers_to(&adversaries, 0, 1, 40), mirrored);
}

#[test]
fn pair_effects_are_the_same_for_all_assessors() {
    // Without noise and with large pair effects all assessors agree, whatever the worths.
    let mut world = World::by_name("pair effects 3").expect("the world exists");
    world.assessors.noise = 0.0;
    world.assessors.lapse_rate = 0.0;
    world.assessors.tie_threshold = 0.0;
    let list = world.list(world.crowd(1), 20, 3);
    let worth = |number: usize| list.reference().worths[number];
    let mut against = 0;
    for b in 0..20 {
        for a in 0..b {
            let answers: BTreeSet<Preference> = answers_to(&list, a, b, 10).into_iter().collect();
            assert_eq!(answers.len(), 1);
            let for_a = answers.contains(&Preference::A);
            against += usize::from(worth(a) != worth(b) && for_a != (worth(a) > worth(b)));
        }
    }
    assert!((10..80).contains(&against), "{against}");
}

/// Compares the inversions of the sort of Urbano et al. (2010) between worlds.
#[test]
fn inversions_differ_between_worlds_as_their_names_state() {
    let request = SimulationRequest {
        strategies: vec!["sort".to_owned()],
        lists: 25,
        items: (14, 24),
        votes: 10,
        rule: DecisionRule::default(),
        matters: 0.2,
        settled: 0.02,
        price: Some(Price::URBANO_2010),
        seconds: 10.0,
        resamples: 0,
        seed: 11,
    };
    let inversions = |name: &str| {
        let world = World::by_name(name).expect("the world exists");
        let found =
            simulate_world(&request, &world, &SequentialWork).expect("the simulation succeeds");
        let end = found.simulation.strategies[0]
            .points
            .last()
            .expect("the strategy has a last point")
            .clone();
        let of = |what: &str| end.quality.get(what).expect("the measure exists").mean;
        of("inversions")
    };
    let base = inversions("base");
    assert!((0.10..0.19).contains(&base), "{base}");
    for easier in ["low noise", "heavy-tailed worths"] {
        assert!(inversions(easier) < base, "{easier}");
    }
    for harder in ["high noise", "much equal", "20% adversaries"] {
        assert!(inversions(harder) > base + 0.02, "{harder}");
    }
}

/// Compares lists judged by the same known assessors with lists of unknown assessors.
#[test]
fn lists_of_known_assessors_use_their_reliability() {
    struct AnonymousOracle<'a>(&'a WorldList);
    impl Oracle for AnonymousOracle<'_> {
        fn items(&self) -> usize {
            self.0.items()
        }
        fn answer(&self, a: Item, b: Item, before: u32) -> Option<Preference> {
            self.0.answer(a, b, before)
        }
    }
    let world = World::by_name("30% always first").expect("the world exists");
    let strategy = PooledStrategy::default();
    let lists: Vec<WorldList> = (0..10)
        .map(|seed| world.list(world.crowd(1), 16, seed))
        .collect();
    let strangers: Vec<AnonymousOracle<'_>> = lists.iter().map(AnonymousOracle).collect();
    let made = |oracles: &[&dyn Oracle]| {
        let judging = oracles
            .iter()
            .zip(0..)
            .map(|(&oracle, seed)| SimulatedListRun {
                oracle,
                seed,
                marks: vec![60],
            });
        run_strategy_on_lists(&strategy, &judging.collect::<Vec<_>>())
    };
    let known = made(&lists.iter().map(|list| list as _).collect::<Vec<_>>());
    let unknown = made(&strangers.iter().map(|list| list as _).collect::<Vec<_>>());
    let mut wrong = [0.0, 0.0];
    for (seed, ((known, unknown), list)) in (0..).zip(known.iter().zip(&unknown).zip(&lists)) {
        // The questions and answers are the same. With unknown assessors the list is that of a
        // separate run.
        assert_eq!(*unknown, run_strategy(&strategy, list, seed, &[60]));
        for (at, checkpoints) in [known, unknown].into_iter().enumerate() {
            assert_eq!((checkpoints.len(), checkpoints[0].votes), (2, 60));
            assert_eq!(checkpoints[1].votes, unknown[1].votes);
            let found = list_quality(&checkpoints[1].list, true, list.reference());
            wrong[at] += found.inversions;
        }
    }
    assert!(wrong[0] < 0.9 * wrong[1], "{wrong:?}");
}

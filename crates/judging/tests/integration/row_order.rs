//! The order of answers in a file, and the sides on which items were shown, change nothing.

use partita_core::work::InTurn;
use partita_core::{Answer, Given, GroupedList, Names, Preferences};
use partita_judging::simulate::{PredictionSettings, predict, stopped};
use partita_judging::{
    Agreement, PeopleDrawn, PreferenceBootstrap, Rule, Stop, Votes, Way, batch_agreements, build,
    pair_votes, summarise_batches, summarise_campaign,
};
use partita_stats::streams::{index_below, shuffle, stream};

/// A query, two items, who answered, what, and in which batch.
type Row = (String, String, String, String, Answer, usize);

/// Answers of some people about pairs of six items for two queries, on sides drawn at random.
fn rows(seed: u64) -> Vec<Row> {
    let mut random = stream(seed, &[]);
    let mut rows = Vec::new();
    for query in ["q1", "q2"] {
        for b in 0..6usize {
            for a in 0..b {
                if index_below(&mut random, 5) == 0 {
                    continue;
                }
                let batch = index_below(&mut random, 2);
                for person in 0..4 + index_below(&mut random, 4) {
                    let says = match index_below(&mut random, 10) {
                        0..=5 => Answer::A,
                        6..=7 => Answer::Equal,
                        _ => Answer::B,
                    };
                    let (mut one, mut other, mut says) = (a, b, says);
                    if index_below(&mut random, 3) == 0 {
                        (one, other, says) = (b, a, says.mirrored());
                    }
                    let [one, other] = [one, other].map(|item| format!("item{item}"));
                    let person = format!("person{person}");
                    rows.push((query.to_owned(), one, other, person, says, batch));
                }
            }
        }
    }
    rows
}

fn preferences(rows: &[Row]) -> Preferences {
    let mut preferences = Preferences::new();
    for (query, a, b, who, answer, batch) in rows {
        let given = Given::new(query, a, b, who, *answer);
        let given = Given {
            batch: *batch,
            ..given
        };
        preferences.add(given).expect("a new answer");
    }
    preferences
}

fn shuffled(rows: &[Row], seed: u64) -> Preferences {
    let mut rows = rows.to_vec();
    shuffle(&mut stream(seed, &[7]), &mut rows);
    preferences(&rows)
}

/// Groups by the names of their items, in their order.
fn named(names: &Names, list: &GroupedList) -> Vec<Vec<String>> {
    let name = |item: &partita_core::Item| names.name(*item).to_owned();
    let groups = list.groups().map(|group| group.iter().map(name).collect());
    groups.collect()
}

#[test]
fn agreement_depends_neither_on_the_order_of_rows_nor_on_sides() {
    // Two files with the same four answers.
    let four = [
        ("x", "y", "w1", Answer::A),
        ("y", "x", "w2", Answer::B),
        ("u", "v", "w1", Answer::A),
        ("v", "u", "w2", Answer::B),
    ];
    let of = |order: [usize; 4]| {
        let mut preferences = Preferences::new();
        for (a, b, who, answer) in order.map(|number| four[number]) {
            preferences
                .add(Given::new("q", a, b, who, answer))
                .expect("a new answer");
        }
        summarise_campaign(&preferences).agreement
    };
    assert_eq!(of([0, 1, 2, 3]), of([0, 1, 3, 2]));
    // By name the four answers are all `a`: there is nothing to agree on but by chance.
    let votes = [Votes {
        a: 2,
        equal: 0,
        b: 0,
    }; 2];
    assert_eq!(of([0, 1, 2, 3]), Agreement::of(&votes));

    for seed in 0..20 {
        let rows = rows(seed);
        let given = preferences(&rows);
        let mut turned = rows.clone();
        for (number, (_, a, b, _, answer, _)) in turned.iter_mut().enumerate() {
            if number % 3 == 0 {
                std::mem::swap(a, b);
                *answer = answer.mirrored();
            }
        }
        for other in [shuffled(&rows, seed), preferences(&turned)] {
            assert_eq!(
                summarise_campaign(&given).agreement,
                summarise_campaign(&other).agreement
            );
            assert_eq!(batch_agreements(&given), batch_agreements(&other));
        }
        let other = shuffled(&rows, seed);
        assert_eq!(summarise_batches(&given), summarise_batches(&other));
        assert_eq!(summarise_campaign(&given), summarise_campaign(&other));
    }
}

#[test]
fn lists_and_decisions_do_not_depend_on_the_order_of_rows() {
    let mut sorted = 0;
    for seed in 0..20 {
        let rows = rows(seed);
        let (given, other) = (preferences(&rows), shuffled(&rows, seed));
        for query in given.queries() {
            let same = other.queries().iter().find(|o| o.name() == query.name());
            let same = same.expect("the query");
            let (one, two) = (
                build(query, Rule::default(), 5),
                build(same, Rule::default(), 5),
            );
            assert_eq!(
                named(query.items(), &one.list),
                named(same.items(), &two.list)
            );
            let alternatives = |names: &Names, lists: &[GroupedList]| -> Vec<_> {
                lists.iter().map(|list| named(names, list)).collect()
            };
            assert_eq!(
                alternatives(query.items(), &one.alternatives),
                alternatives(same.items(), &two.alternatives)
            );
            sorted += u32::from(matches!(one.way, Way::Sorted { .. }));
            let decided = |query: &partita_core::QueryPreferences| {
                let name = |item| query.items().name(item).to_owned();
                let pairs = pair_votes(query).into_iter();
                let mut pairs: Vec<_> = pairs
                    .map(|pair| (name(pair.a), name(pair.b), pair.votes.counts(), pair.batch))
                    .collect();
                pairs.sort();
                pairs
            };
            assert_eq!(decided(query), decided(same));
            let trusted = |preferences, query: &partita_core::QueryPreferences, built| {
                let people = PeopleDrawn::new(preferences);
                let mut bootstrap = PreferenceBootstrap::new(query, built, Rule::default());
                let replicates = (0..6).map(|r| bootstrap.replicate(&people, 3, r));
                let lists = replicates.map(|replicate| {
                    let mut groups = named(query.items(), &replicate.list);
                    groups.iter_mut().for_each(|group| group.sort());
                    groups
                });
                lists.collect::<Vec<_>>()
            };
            assert_eq!(trusted(&given, query, &one), trusted(&other, same, &two));
        }
    }
    assert!(sorted > 0, "some records are none of a sort");
}

#[test]
fn what_is_simulated_on_recorded_answers_does_not_depend_on_the_order_of_rows() {
    for seed in 0..4 {
        let rows = rows(seed);
        let (given, other) = (preferences(&rows), shuffled(&rows, seed));
        let settings = PredictionSettings {
            votes: 2,
            splits: 3,
            resamples: 20,
            seed: 4,
        };
        let found =
            |preferences| predict(preferences, settings, &InTurn).expect("held-out answers");
        assert_eq!(
            format!("{:?}", found(&given)),
            format!("{:?}", found(&other))
        );
        let stop = |preferences| stopped(preferences, Rule::default(), Stop::Curtailed, 3, 9);
        assert_eq!(stop(&given), stop(&other));
    }
}

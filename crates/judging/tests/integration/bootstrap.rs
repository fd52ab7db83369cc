//! Bootstrap of lists over assessors.

use std::collections::BTreeMap;

use partita_core::evidence::AssessorResampler;
use partita_core::{Preference, Preferences, Vote};
use partita_judging::{
    DecisionRule, PreferenceBootstrap, PreferenceBootstrapResult, Provenance, build_list,
};
use partita_stats::random::stream;

use crate::simulated_campaign::{AssessorKind, answer, campaign, hidden_levels, people};

#[test]
fn resampling_depends_on_seed_and_not_on_answer_order() {
    let worlds = hidden_levels(5, 1, 8);
    let answers = campaign(5, 5, &worlds, &people(5, &[(AssessorKind::Honest, 30)]), 10);
    let query = &answers.queries()[0];
    let built = build_list(query, DecisionRule::default(), 1);
    let people = AssessorResampler::new(answers.assessors());
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
        reversed
            .add(query.name(), given)
            .expect("the answer is new");
    }
    let by_name = |preferences: &Preferences| {
        let people = AssessorResampler::new(preferences.assessors());
        let times = people.multiplicities(&people.draw_nested(3, 0, None));
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
fn bootstrap_reproduces_list_of_answers_that_no_sort_asked_for() {
    // All pairs are compared in one batch, which the sort never requests.
    let levels = [0.0, 0.0, 3.0, 6.0, 6.0];
    let people = people(7, &[(AssessorKind::Honest, 12)]);
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
                preferences.add("q", given).expect("the answer is new");
            }
        }
    }
    let query = &preferences.queries()[0];
    let built = build_list(query, DecisionRule::default(), 1);
    assert!(matches!(built.provenance, Provenance::Resorted { .. }));
    let drawn = AssessorResampler::new(preferences.assessors());
    let mut bootstrap = PreferenceBootstrap::new(query, &built, DecisionRule::default());
    assert!(bootstrap.reproduces_list());
    let lists: Vec<_> = (0..100)
        .map(|replicate| bootstrap.replicate(&drawn, 1, replicate))
        .collect();
    let trust = PreferenceBootstrapResult::new(levels.len(), built.decisions.len(), &lists);
    // All assessors compared all pairs, so no relation is assumed in any replicate.
    assert_eq!(trust.assumed_share(), Some(0.0));
    let item = |number: usize| query.items().get(&names[number]).expect("the item exists");
    assert!(trust.shares().order_shares(item(0), item(4)).before > 0.95);
    assert!(trust.shares().order_shares(item(4), item(2)).after > 0.8);
}

#[test]
fn nested_bootstrap_shares_of_a_pair_match_numpy_simulation() {
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
            preferences.add("q", given).expect("the answer is new");
        }
        let query = &preferences.queries()[0];
        let built = build_list(query, DecisionRule::default(), 1);
        let people = AssessorResampler::new(preferences.assessors());
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

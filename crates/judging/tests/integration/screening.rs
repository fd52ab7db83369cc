//! Screening of hand-made and simulated answers.

use partita_core::{Preference, Preferences, Vote};
use partita_judging::{
    AnswerCounts, AssessorCard, Screening, ScreeningEvidence, ScreeningOptions, SignalKind,
};

use crate::simulated_campaign::{AssessorKind, campaign, hidden_levels, people};

fn screened_cards(preferences: &Preferences, evidence: &ScreeningEvidence) -> Vec<AssessorCard> {
    let found = Screening::new(preferences, evidence, ScreeningOptions::default());
    found.expect("the settings are valid").assessors
}

/// Crowd with a few inattentive assessors of each kind.
const MIXED_CROWD: [(AssessorKind, usize); 4] = [
    (AssessorKind::Honest, 67),
    (AssessorKind::Robot, 4),
    (AssessorKind::Careless, 4),
    (AssessorKind::OneSided, 4),
];

#[test]
fn swapping_displayed_sides_of_all_pairs_only_mirrors_side_statistics() {
    let people = people(3, &MIXED_CROWD);
    let answers = campaign(3, 3, &hidden_levels(3, 4, 9), &people, 10);
    let mut turned = Preferences::new();
    for query in answers.queries() {
        for given in query.votes() {
            let [a, b] = [given.a, given.b].map(|item| query.items().name(item));
            let who = answers.assessors().name(given.assessor);
            let mirrored = Vote {
                seconds: given.seconds,
                ..Vote::new(b, a, who, given.preference.mirrored())
            };
            turned
                .add(query.name(), mirrored)
                .expect("the answer is new");
        }
    }
    let by_name = |preferences| {
        let mut cards = screened_cards(preferences, &ScreeningEvidence::default());
        cards.sort_by(|a, b| a.assessor.cmp(&b.assessor));
        cards
    };
    for (card, other) in by_name(&answers).iter().zip(&by_name(&turned)) {
        assert_eq!(card.assessor, other.assessor);
        let turned = AnswerCounts {
            a: card.counts.b,
            b: card.counts.a,
            ..card.counts
        };
        assert_eq!(turned, other.counts);
        assert_eq!(card.times, other.times);
        assert_eq!(card.gold, other.gold);
        let z = |card: &AssessorCard| card.agreement.map_or(0.0, |found| found.z);
        assert!((z(card) - z(other)).abs() < 1e-9);
        let kinds = |card: &AssessorCard| card.signals.iter().map(|s| s.kind).collect::<Vec<_>>();
        assert_eq!(kinds(card), kinds(other));
        if let (Some(side), Some(turned)) = (card.side, other.side) {
            assert_eq!((side.first, side.second), (turned.second, turned.first));
            assert!((side.p - turned.p).abs() < 1e-9);
        }
    }
}

#[test]
fn assessor_who_prefers_other_items_to_the_query_itself_is_listed_first() {
    let mut preferences = Preferences::new();
    for pair in 0..20 {
        let item = format!("item {pair}");
        for who in ["ann", "bob", "cy", "di"] {
            let given = Vote::new("q", &item, who, Preference::A);
            preferences.add("q", given).expect("the answer is new");
        }
        // The assessor "robot" always prefers the item shown second.
        let given = Vote::new("q", &item, "robot", Preference::B);
        preferences.add("q", given).expect("the answer is new");
    }
    let found = screened_cards(&preferences, &ScreeningEvidence::default());
    let names: Vec<&str> = found.iter().map(|card| card.assessor.as_str()).collect();
    assert_eq!(names, ["robot", "ann", "bob", "cy", "di"]);
    let kinds: Vec<SignalKind> = found[0].signals.iter().map(|signal| signal.kind).collect();
    assert!(kinds.contains(&SignalKind::Gold) && kinds.contains(&SignalKind::SameAnswer));
    assert_eq!(
        found[0].gold.map(|gold| (gold.answers, gold.wrong)),
        Some((20, 20))
    );
    assert!(found[1..].iter().all(|card| card.signals.is_empty()));
}

#[test]
fn only_gold_questions_on_answered_pairs_are_used() {
    let mut preferences = Preferences::new();
    for pair in 0..20 {
        let item = format!("item {pair}");
        for who in ["ann", "bob", "cy"] {
            let given = Vote::new("q", &item, who, Preference::A);
            preferences.add("q", given).expect("the answer is new");
        }
        let given = Vote::new("q", &item, "robot", Preference::Equal);
        preferences.add("q", given).expect("the answer is new");
    }
    let mut right = Preferences::new();
    for pair in 0..20 {
        let item = format!("item {pair}");
        let given = Vote::new(&item, "q", "gold", Preference::B);
        right.add("q", given).expect("the answer is new");
    }
    right
        .add("q", Vote::new("q", "unheard", "gold", Preference::A))
        .expect("the answer is new");
    // Without gold questions, calling an item equal to the query itself is not an error.
    let alone = screened_cards(&preferences, &ScreeningEvidence::default());
    assert_eq!(alone[0].gold.map(|gold| gold.wrong), Some(0));
    let mut evidence = ScreeningEvidence::default();
    assert_eq!(evidence.add_gold(&preferences, &right), 1);
    let found = screened_cards(&preferences, &evidence);
    assert_eq!(found[0].assessor, "robot");
    assert_eq!(found[0].gold.map(|gold| gold.wrong), Some(20));
}

#[test]
fn robot_raises_its_five_signals_and_attentive_assessors_raise_none() {
    let mut preferences = Preferences::new();
    for pair in 0..20 {
        let item = format!("item {pair}");
        let mut add = |who, answer, seconds| {
            let given = Vote {
                seconds: Some(seconds),
                ..Vote::new("q", &item, who, answer)
            };
            preferences.add("q", given).expect("the answer is new");
        };
        for (who, seconds) in [("ann", 15.0), ("bob", 22.0), ("cy", 31.0), ("di", 18.0)] {
            add(who, Preference::A, seconds + f64::from(pair % 7));
        }
        add("robot", Preference::Equal, 8.0);
    }
    // Each question plays three clips of four seconds.
    let evidence = ScreeningEvidence {
        clips: vec![vec![Some(12.0); 100]],
        ..ScreeningEvidence::default()
    };
    let found = screened_cards(&preferences, &evidence);
    assert_eq!(found[0].assessor, "robot");
    let kinds: Vec<SignalKind> = found[0].signals.iter().map(|signal| signal.kind).collect();
    assert_eq!(
        kinds,
        [
            SignalKind::SameAnswer,
            SignalKind::SameTime,
            SignalKind::TooFast,
            SignalKind::Disagreement,
            SignalKind::Unreliable,
        ]
    );
    assert!(found[1..].iter().all(|card| card.signals.is_empty()));
}

#[test]
fn significance_level_outside_0_to_1_is_an_error() {
    let settings = ScreeningOptions {
        level: 7.0,
        ..ScreeningOptions::default()
    };
    let refused = Screening::new(&Preferences::new(), &ScreeningEvidence::default(), settings);
    let refused = refused.expect_err("the level is not between 0 and 1");
    assert_eq!(refused.to_string(), "alpha must be between 0 and 1, not 7");
}

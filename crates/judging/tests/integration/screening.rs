//! What screening finds among simulated people, and how often it is wrong.

use std::collections::HashMap;

use crate::simulated::{Kind, campaign, people, worlds};
use partita_core::{Given, Preferences};
use partita_judging::{
    AnswerCounts, Card, ScreeningEvidence, ScreeningSettings, SignalKind, screen,
    summarise_campaign,
};
use partita_stats::named::Named;

/// How many people of a kind with at least so many answers were screened and had a signal, by the
/// kind of signal and of any.
#[derive(Default)]
struct Tally {
    people: usize,
    any: usize,
    by: HashMap<&'static str, usize>,
}

/// Screens campaigns with these people, and counts those with at least `least` answers.
fn screened(campaigns: u64, kinds: &[(Kind, usize)], least: usize) -> HashMap<&'static str, Tally> {
    let mut tallies: HashMap<&'static str, Tally> = HashMap::new();
    for seed in 0..campaigns {
        let people = people(seed, kinds);
        let answers = campaign(seed, seed, &worlds(seed, 11, 11), &people, 10);
        if seed == 0 {
            let summary = summarise_campaign(&answers);
            #[expect(clippy::print_stderr, reason = "what was simulated is for people")]
            {
                eprintln!(
                    "{} pairs, agreement {:.3}",
                    summary.pairs,
                    summary.agreement.score.unwrap_or(f64::NAN)
                );
            }
        }
        let clips = answers.queries().iter();
        let evidence = ScreeningEvidence {
            clips: clips
                .map(|query| vec![Some(13.0); query.answers().len()])
                .collect(),
            gold: Vec::new(),
        };
        for card in screen(&answers, &evidence, &ScreeningSettings::default()) {
            if card.answers < least {
                continue;
            }
            let person = people.iter().find(|person| person.name == card.assessor);
            let kind = match person.expect("somebody").kind {
                Kind::Honest => "honest",
                Kind::Robot => "robot",
                Kind::Careless => "careless",
                Kind::OneSided => "one-sided",
            };
            let tally = tallies.entry(kind).or_default();
            tally.people += 1;
            // That somebody is fast is their way, and says nothing of whether they listen.
            let kinds = card.signals.iter().map(|signal| signal.kind);
            let kinds: Vec<SignalKind> = kinds.filter(|&k| k != SignalKind::TooFast).collect();
            tally.any += usize::from(!kinds.is_empty());
            for kind in kinds {
                *tally.by.entry(kind.name()).or_default() += 1;
            }
        }
    }
    tallies
}

const MIXED: [(Kind, usize); 4] = [
    (Kind::Honest, 67),
    (Kind::Robot, 4),
    (Kind::Careless, 4),
    (Kind::OneSided, 4),
];

fn share(tally: &Tally) -> f64 {
    tally.any as f64 / tally.people.max(1) as f64
}

#[test]
fn robots_and_the_careless_are_found_and_the_honest_mostly_left_alone() {
    let found = screened(4, &MIXED, 30);
    assert!(share(&found["robot"]) > 0.9);
    assert!(share(&found["one-sided"]) > 0.8);
    assert!(share(&found["careless"]) > 0.5);
    assert!(share(&found["honest"]) < 0.05);
}

#[test]
#[ignore = "the rates in the documentation: half a minute in release"]
fn rates() {
    for least in [5, 15, 30, 60] {
        for kinds in [&MIXED[..], &[(Kind::Honest, 79)]] {
            for (kind, tally) in screened(40, kinds, least) {
                eprintln!(
                    "at least {least} answers: {} {kind}, {:.3} with a signal: {:?}",
                    tally.people,
                    share(&tally),
                    tally.by
                );
            }
        }
    }
}

#[test]
fn showing_every_pair_the_other_way_round_turns_sides_and_changes_nothing_else() {
    let people = people(3, &MIXED);
    let answers = campaign(3, 3, &worlds(3, 4, 9), &people, 10);
    let mut turned = Preferences::new();
    for query in answers.queries() {
        for given in query.answers() {
            let [a, b] = [given.a, given.b].map(|item| query.items().name(item));
            let who = answers.assessors().name(given.assessor);
            let mirrored = Given {
                seconds: given.seconds,
                ..Given::new(query.name(), b, a, who, given.answer.mirrored())
            };
            turned.add(mirrored).expect("a new answer");
        }
    }
    let cards = |preferences| {
        screen(
            preferences,
            &ScreeningEvidence::default(),
            &ScreeningSettings::default(),
        )
    };
    for (card, other) in cards(&answers).iter().zip(&cards(&turned)) {
        let turned = AnswerCounts {
            a: card.counts.b,
            b: card.counts.a,
            ..card.counts
        };
        assert_eq!(turned, other.counts);
        assert_eq!(card.times, other.times);
        assert_eq!(card.gold, other.gold);
        let z = |card: &Card| card.agreement.map_or(0.0, |found| found.z);
        assert!((z(card) - z(other)).abs() < 1e-9);
        let kinds = |card: &Card| card.signals.iter().map(|s| s.kind).collect::<Vec<_>>();
        assert_eq!(kinds(card), kinds(other));
        if let (Some(side), Some(turned)) = (card.side, other.side) {
            assert_eq!((side.first, side.second), (turned.second, turned.first));
            assert!((side.p - turned.p).abs() < 1e-9);
        }
    }
}

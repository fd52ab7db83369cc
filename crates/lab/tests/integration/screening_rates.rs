//! Detection rates of screening among simulated assessors of known kinds.

use std::collections::HashMap;

use partita_judging::{Screening, ScreeningEvidence, ScreeningOptions, SignalKind};

use crate::simulated_campaign::{Kind, campaign, people, worlds};

/// Number of screened assessors of a kind, and of those with a signal.
#[derive(Default)]
struct Tally {
    people: usize,
    flagged: usize,
}

/// Screens simulated campaigns and counts the assessors with at least `least` answers, by kind.
fn screened(campaigns: u64, kinds: &[(Kind, usize)], least: usize) -> HashMap<&'static str, Tally> {
    let mut tallies: HashMap<&'static str, Tally> = HashMap::new();
    for seed in 0..campaigns {
        let people = people(seed, kinds);
        let answers = campaign(seed, seed, &worlds(seed, 11, 11), &people, 10);
        let clips = answers.queries().iter();
        let evidence = ScreeningEvidence {
            clips: clips
                .map(|query| vec![Some(13.0); query.votes().len()])
                .collect(),
            ..ScreeningEvidence::default()
        };
        let found = Screening::new(&answers, &evidence, ScreeningOptions::default());
        for card in found.expect("settings that are shares").assessors {
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
            // Fast answers are a habit of honest assessors too.
            let kinds = card.signals.iter().map(|signal| signal.kind);
            let kinds: Vec<SignalKind> = kinds.filter(|&k| k != SignalKind::TooFast).collect();
            tally.flagged += usize::from(!kinds.is_empty());
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

fn flagged_share(tally: &Tally) -> f64 {
    tally.flagged as f64 / tally.people.max(1) as f64
}

#[test]
fn robots_and_the_careless_are_found_and_the_honest_mostly_left_alone() {
    let found = screened(4, &MIXED, 30);
    assert!(flagged_share(&found["robot"]) > 0.9);
    assert!(flagged_share(&found["one-sided"]) > 0.8);
    assert!(flagged_share(&found["careless"]) > 0.5);
    assert!(flagged_share(&found["honest"]) < 0.05);
}

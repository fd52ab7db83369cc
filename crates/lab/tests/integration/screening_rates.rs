//! Detection rates of screening among simulated assessors of known kinds.

use std::collections::HashMap;

use partita_judging::{Screening, ScreeningEvidence, ScreeningOptions, SignalKind};

use crate::simulated_campaign::{AssessorKind, campaign, hidden_levels, people};

/// Number of screened assessors of a kind, and number of those with a signal.
#[derive(Default)]
struct Tally {
    people: usize,
    flagged: usize,
}

/// Screens simulated campaigns and counts the assessors with at least `least` answers, by kind.
fn screen_by_kind(
    campaigns: u64,
    kinds: &[(AssessorKind, usize)],
    least: usize,
) -> HashMap<&'static str, Tally> {
    let mut tallies: HashMap<&'static str, Tally> = HashMap::new();
    for seed in 0..campaigns {
        let people = people(seed, kinds);
        let answers = campaign(seed, seed, &hidden_levels(seed, 11, 11), &people, 10);
        let clips = answers.queries().iter();
        let evidence = ScreeningEvidence {
            clips: clips
                .map(|query| vec![Some(13.0); query.votes().len()])
                .collect(),
            ..ScreeningEvidence::default()
        };
        let found = Screening::new(&answers, &evidence, ScreeningOptions::default());
        for card in found.expect("the settings are valid").assessors {
            if card.answers < least {
                continue;
            }
            let person = people.iter().find(|person| person.name == card.assessor);
            let kind = match person.expect("the assessor is known").kind {
                AssessorKind::Honest => "honest",
                AssessorKind::Robot => "robot",
                AssessorKind::Careless => "careless",
                AssessorKind::OneSided => "one-sided",
            };
            let tally = tallies.entry(kind).or_default();
            tally.people += 1;
            // The signal for fast answers is ignored, because honest assessors answer fast too.
            let kinds = card.signals.iter().map(|signal| signal.kind);
            let kinds: Vec<SignalKind> = kinds.filter(|&k| k != SignalKind::TooFast).collect();
            tally.flagged += usize::from(!kinds.is_empty());
        }
    }
    tallies
}

const MIXED_CROWD: [(AssessorKind, usize); 4] = [
    (AssessorKind::Honest, 67),
    (AssessorKind::Robot, 4),
    (AssessorKind::Careless, 4),
    (AssessorKind::OneSided, 4),
];

fn flagged_share(tally: &Tally) -> f64 {
    tally.flagged as f64 / tally.people.max(1) as f64
}

#[test]
fn inattentive_assessors_are_flagged_and_honest_ones_rarely() {
    let found = screen_by_kind(4, &MIXED_CROWD, 30);
    assert!(flagged_share(&found["robot"]) > 0.9);
    assert!(flagged_share(&found["one-sided"]) > 0.8);
    assert!(flagged_share(&found["careless"]) > 0.5);
    assert!(flagged_share(&found["honest"]) < 0.05);
}

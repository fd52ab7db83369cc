//! Whom everybody is compared with.
//!
//! Who does not listen makes others look odd: those who call everything equal make honest people seem to
//! disagree. So screening looks again, with the answers of whoever has a signal left out, until nobody
//! changes sides. It does not eat up the crowd, because
//!
//! - everybody is judged again each time, and comes back where the signal does not last;
//! - who is only taken to be unreliable does not vote, but still counts for how far people of the crowd
//!   differ, so that this does not shrink by its own doing;
//! - at least half of the people who can be judged stay, and of the others those of greatest concern go;
//! - it ends after [`MOST_ROUNDS`] rounds, or when it comes back to where it was.

use partita_core::Preferences;
use schemars::JsonSchema;
use serde::Serialize;

use super::alike::alike;
use super::card::{self, AnswerCounts, Card, SignalKind};
use super::evidence::{
    LogTimes, agreement_excess, counts, fast, frequent, gold_counts, gold_of, side, times,
    with_others,
};
use super::expectation::expect;
use super::judgment::{self, Judgment, Person};
use super::known::ScreeningEvidence;
use super::listening::{Law, Likelihoods};
use super::reliability::{CrowdTraits, reliability};
use super::repeats::repeats;
use super::settings::ScreeningSettings;
use super::signals::signals;
use super::spread::{Spread, Strangers};
use super::tendency;

/// The people with whom everybody is compared.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Crowd {
    /// How many they are.
    pub people: usize,
    /// How many are left out, since they have a signal.
    pub left_out: usize,
    /// How many times everybody was judged, until nobody changed sides.
    pub rounds: usize,
    /// The mean agreement of two of them on a pair.
    pub agreement: Option<f64>,
    /// The mean sharpness of people of the crowd, and its standard deviation.
    pub sharpness: [f64; 2],
    /// The coefficient of variation of the sharpness of those who listen, by its gamma law.
    pub sharpness_variation: f64,
    /// The share of people who do not listen beside them, as far as sharpness tells.
    pub not_listening: f64,
    /// The standard deviation of their tendency to call items equal, on the scale of logarithms of odds.
    pub equal_spread: f64,
    /// The standard deviation of their tendency to prefer the item shown first, on half that scale.
    pub side_spread: f64,
}

/// After so many rounds nobody's card has been seen to change for good.
const MOST_ROUNDS: usize = 10;

/// How far people of a crowd agree more with others than these with each other, before it is known.
const USUAL_AGREEMENT: Spread = Spread {
    mean: 0.0,
    sd: 0.03,
};

/// Whether somebody is of the crowd.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Standing {
    /// Their answers count.
    Member,
    /// Their answers do not count as votes, but for how far people differ.
    Doubtful,
    /// They count for nothing.
    Outsider,
}

impl Standing {
    /// Speed alone leaves nobody out: it has no test.
    fn of(card: &Card) -> Self {
        let tested = || card.signals.iter().filter(|signal| signal.p.is_some());
        let is_doubt = |kind| matches!(kind, SignalKind::Unreliable | SignalKind::Disagreement);
        match tested().count() {
            0 => Self::Member,
            _ if tested().all(|signal| is_doubt(signal.kind)) => Self::Doubtful,
            _ => Self::Outsider,
        }
    }
}

/// The cards of everybody, in the order of their names, and whom they are compared with.
pub(super) fn screen(
    preferences: &Preferences,
    evidence: &ScreeningEvidence,
    settings: &ScreeningSettings,
) -> (Vec<Card>, Crowd) {
    let by_name = preferences.by_name();
    let mut round = Round {
        items: by_name
            .queries()
            .iter()
            .map(|query| query.items().len())
            .collect(),
        people: judgment::people(&by_name, preferences, evidence),
        by_name: &by_name,
        evidence,
        settings,
    };
    let mut seen = vec![vec![Standing::Member; round.people.len()]];
    loop {
        let standing = seen.last().expect("there is a first");
        let (cards, crowd) = round.judge(standing, seen.len());
        let next = next_standing(&cards, settings);
        if seen.contains(&next) || seen.len() == MOST_ROUNDS {
            return (cards, crowd);
        }
        seen.push(next);
    }
}

/// Who is of the crowd in the next round.
fn next_standing(cards: &[Card], settings: &ScreeningSettings) -> Vec<Standing> {
    let mut standing: Vec<Standing> = cards.iter().map(Standing::of).collect();
    let judged = cards
        .iter()
        .filter(|card| card.answers >= settings.least_answers)
        .count();
    let mut concerns: Vec<f64> = (cards.iter().zip(&standing))
        .filter(|(_, standing)| **standing != Standing::Member)
        .map(|(card, _)| card.concern)
        .collect();
    concerns.sort_by(|a, b| b.total_cmp(a));
    // Of people of the same concern all stay.
    if let Some(&most) = concerns.get(judged / 2) {
        for (standing, card) in standing.iter_mut().zip(cards) {
            if card.concern <= most {
                *standing = Standing::Member;
            }
        }
    }
    standing
}

/// What does not change from round to round.
struct Round<'a> {
    items: Vec<usize>,
    people: Vec<Person<'a>>,
    by_name: &'a Preferences,
    evidence: &'a ScreeningEvidence,
    settings: &'a ScreeningSettings,
}

impl Round<'_> {
    /// Judges everybody beside these.
    fn judge(&mut self, standing: &[Standing], rounds: usize) -> (Vec<Card>, Crowd) {
        let is_out: Vec<bool> = standing.iter().map(|of| *of != Standing::Member).collect();
        let agreement = expect(&mut self.people, &self.items, &is_out);
        let (people, settings) = (&self.people, self.settings);
        let is_counted: Vec<bool> = (people.iter().zip(standing))
            .map(|(person, standing)| {
                *standing != Standing::Outsider && person.given.len() >= settings.least_answers
            })
            .collect();
        let counted = |number: &usize| is_counted[*number];
        let crowd: Vec<&[Judgment]> = ((0..people.len()).filter(counted))
            .map(|number| people[number].given.as_slice())
            .collect();
        let excess: Vec<_> = crowd
            .iter()
            .filter_map(|given| agreement_excess(given))
            .collect();
        let agreeing = Spread::of(&excess, Strangers::Anywhere, USUAL_AGREEMENT);
        let crowd = CrowdTraits::of(&crowd);
        let belief = crowd.of_any_sharpness();
        let likelihoods: Vec<Likelihoods> = (people.iter())
            .map(|person| Likelihoods::of(&person.given, &belief))
            .collect();
        let of_crowd = (0..people.len()).filter(counted);
        let law = Law::of(&of_crowd.map(|own| &likelihoods[own]).collect::<Vec<_>>());
        let traits: Vec<tendency::Traits> = (people.iter())
            .map(|person| tendency::fit(&person.given, &tendency::ANYBODY, [false; 3]).traits)
            .collect();
        let log_times = LogTimes::of(people);
        let gold: Vec<[usize; 2]> = people.iter().map(gold_counts).collect();
        let all_gold = [0, 1].map(|which: usize| gold.iter().map(|g| g[which]).sum::<usize>());
        let mut alike = alike(people, &traits, settings).into_iter();
        let mut repeats = repeats(people, self.by_name, &self.evidence.repeats, &crowd).into_iter();
        let cards = people.iter().enumerate().map(|(number, person)| {
            let given = person.given.as_slice();
            let [a, equal, b] = counts(given);
            let mut card = Card {
                assessor: person.name.to_owned(),
                answers: given.len(),
                counts: AnswerCounts { a, equal, b },
                frequent: frequent(given, &crowd),
                side: side(given, &crowd),
                times: times(given, &log_times, number),
                fast: fast(given),
                gold: gold_of(gold[number], all_gold),
                agreement: with_others(given, agreeing),
                reliability: reliability(given, &crowd, law.ratio(&likelihoods[number])),
                alike: alike.next().flatten(),
                repeats: repeats.next().flatten(),
                left_out: is_out[number],
                concern: 0.0,
                signals: Vec::new(),
            };
            card.signals = signals(&card, settings);
            card.concern = card::concern(&card.signals);
            card
        });
        let left_out = is_out.iter().filter(|out| **out).count();
        let found = Crowd {
            people: people.len() - left_out,
            left_out,
            rounds,
            agreement,
            sharpness: [crowd.sharpness.mean, crowd.sharpness.sd],
            sharpness_variation: law.variation,
            not_listening: law.share_without,
            equal_spread: crowd.equal.sd,
            side_spread: crowd.side.sd,
        };
        (cards.collect(), found)
    }
}

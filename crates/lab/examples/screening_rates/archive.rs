//! Recorded answers, with inattentive assessors added.

use std::collections::HashMap;
use std::error::Error;

use partita_core::{Item, Preference, Preferences, Vote};
use partita_judging::Votes;
use partita_stats::random::{sample_without_replacement, stream};

use crate::people::{Kind, Question};

/// Ids of the random streams of this file.
const REPLACED_ASSESSORS_STREAM: u64 = 11;
const REPLACED_ANSWERS_STREAM: u64 = 12;
const CONFEDERATE_STREAM: u64 = 13;

/// Reads answers from a CSV file with the columns `query,a,b,assessor,answer,seconds`.
pub(crate) fn read_answers(file: &str) -> Result<Preferences, Box<dyn Error>> {
    let text = std::fs::read_to_string(file)?;
    let mut preferences = Preferences::new();
    for line in text.lines().skip(1) {
        let columns: Vec<&str> = line.split(',').collect();
        let [query, a, b, assessor, answer, seconds] = columns.as_slice() else {
            return Err(format!("expected query,a,b,assessor,answer,seconds, found {line}").into());
        };
        let answer = Preference::ALL
            .into_iter()
            .find(|known| known.name() == *answer);
        let answer = answer.ok_or_else(|| format!("no answer: {line}"))?;
        let given = Vote {
            seconds: seconds.parse().ok(),
            ..Vote::new(a, b, assessor, answer)
        };
        preferences.add(query, given)?;
    }
    Ok(preferences)
}

/// Returns the recorded answers with a tenth of the assessors replaced by inattentive ones of this
/// kind, and the names of the replaced assessors.
pub(crate) fn replace_assessors(
    recorded: &Preferences,
    kind: Option<Kind>,
    seed: u64,
) -> (Preferences, Vec<String>) {
    let people = recorded.assessors();
    let count = kind.map_or(0, |_| people.len() / 10);
    let drawn = sample_without_replacement(
        &mut stream(seed, &[REPLACED_ASSESSORS_STREAM]),
        people.len(),
        count,
    );
    let mut random = stream(seed, &[REPLACED_ANSWERS_STREAM]);
    let mut preferences = Preferences::new();
    for (list, query) in recorded.queries().iter().enumerate() {
        let mut votes: HashMap<(Item, Item), Votes> = HashMap::new();
        let bad = |person: Item| drawn.iter().position(|&drawn| drawn == person.index());
        let pair = |a: Item, b: Item| (a.min(b), a.max(b));
        for given in query
            .votes()
            .iter()
            .filter(|given| bad(given.assessor).is_none())
        {
            let answer = if given.a < given.b {
                given.preference
            } else {
                given.preference.mirrored()
            };
            votes.entry(pair(given.a, given.b)).or_default().add(answer);
        }
        for given in query.votes() {
            let (mut answer, mut seconds) = (given.preference, given.seconds);
            if let (Some(kind), Some(place)) = (kind, bad(given.assessor)) {
                let others = votes
                    .get(&pair(given.a, given.b))
                    .copied()
                    .unwrap_or_default();
                let question = Question {
                    gap: 0.0,
                    others: if given.a < given.b {
                        others
                    } else {
                        others.mirrored()
                    },
                    confederate: [seed, CONFEDERATE_STREAM, list as u64],
                    a: given.a,
                    b: given.b,
                };
                let human = seconds.unwrap_or(20.0);
                let together = if kind == Kind::CopiedHonest { 3 } else { 2 };
                let group = (place / together) as u64;
                let said = kind.answer(&mut random, &question, group, answer, human);
                (answer, seconds) = (said.0, seconds.and(Some(said.1.round().max(1.0))));
            }
            let name = |item: Item| query.items().name(item);
            let person = people.name(given.assessor);
            let given = Vote {
                seconds,
                ..Vote::new(name(given.a), name(given.b), person, answer)
            };
            preferences
                .add(query.name(), given)
                .expect("nobody answered twice before");
        }
    }
    let names = drawn.into_iter().filter_map(Item::from_index);
    (
        preferences,
        names.map(|person| people.name(person).to_owned()).collect(),
    )
}

//! What `bench/run screening` measures: whom screening finds among people who are known.
//!
//! `screening_rates CAMPAIGNS SEED [ARCHIVE.csv]` simulates so many campaigns of every world, screens their
//! people, and prints a row per person. ARCHIVE.csv (`query,a,b,assessor,answer,seconds`) holds recorded
//! answers, into which the same kinds of people are put.

mod archive;
mod people;

use std::error::Error;
use std::io::Write;

use partita_core::Preferences;
use partita_judging::{Card, Screening, ScreeningEvidence, ScreeningSettings};
use partita_stats::named::Named;

use people::{Abilities, Crowd, Kind, World};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (campaigns, seed, archive) = match arguments.as_slice() {
        [campaigns, seed] => (campaigns, seed, None),
        [campaigns, seed, archive] => (campaigns, seed, Some(archive)),
        _ => return Err("usage: screening_rates CAMPAIGNS SEED [ARCHIVE.csv]".into()),
    };
    let (campaigns, seed): (u64, u64) = (campaigns.parse()?, seed.parse()?);
    let mut out = std::io::stdout().lock();
    writeln!(
        out,
        "crowd,abilities,kind,share,campaign,agreement,bad,answers,z,reliability_z,p_random,pooled,signals"
    )?;
    let only = std::env::var("SCREENING_ONLY").unwrap_or_default();
    for world in worlds() {
        if !world.name().contains(&only) {
            continue;
        }
        for campaign in 0..campaigns {
            let seed = seed.wrapping_mul(1_000_003).wrapping_add(campaign);
            let people = world.people(seed);
            let answers = world.campaign(seed, &people);
            let is_bad = |card: &Card| {
                let person = people.iter().find(|person| person.name == card.assessor);
                person
                    .expect("who answers is one of the people")
                    .kind
                    .is_some()
            };
            write(&mut out, &world.name(), campaign, &answers, is_bad)?;
        }
    }
    let Some(archive) = archive else {
        return Ok(());
    };
    let recorded = archive::read(archive)?;
    for bad in std::iter::once(None).chain(Kind::ALL.iter().copied().map(Some)) {
        let name = format!(
            "recorded,recorded,{}",
            bad.map_or("nobody,0".to_owned(), |kind| format!("{kind},0.1"))
        );
        if !name.contains(&only) {
            continue;
        }
        let times = if bad.is_none() { 1 } else { campaigns };
        for campaign in 0..times {
            let seed = seed.wrapping_mul(1_000_003).wrapping_add(campaign);
            let (answers, replaced) = archive::with(&recorded, bad, seed);
            write(&mut out, &name, campaign, &answers, |card| {
                replaced.contains(&card.assessor)
            })?;
        }
    }
    Ok(())
}

/// Nobody bad among people of equal and unequal abilities, and a tenth and three tenths of each kind.
fn worlds() -> Vec<World> {
    let mut worlds = Vec::new();
    for crowd in Crowd::ALL.iter().copied() {
        let world = |abilities, bad| World {
            crowd,
            abilities,
            bad,
        };
        worlds.extend(
            Abilities::ALL
                .iter()
                .copied()
                .map(|abilities| world(abilities, None)),
        );
        for share in [0.1, 0.3] {
            let bad = |kind| world(Abilities::Unequal, Some((kind, share)));
            worlds.extend(Kind::ALL.iter().copied().map(bad));
        }
    }
    worlds
}

impl World {
    fn name(&self) -> String {
        let bad = match self.bad {
            None => "nobody,0".to_owned(),
            Some((kind, share)) => format!("{kind},{share}"),
        };
        format!("{},{},{bad}", self.crowd, self.abilities)
    }
}

/// A row per person.
fn write(
    out: &mut impl Write,
    world: &str,
    campaign: u64,
    answers: &Preferences,
    is_bad: impl Fn(&Card) -> bool,
) -> Result<(), Box<dyn Error>> {
    let known = ScreeningEvidence::default();
    let found = Screening::new(answers, &known, ScreeningSettings::default())?;
    let pooled = partita_judging::pooled_lists(answers).reliability;
    for card in &found.assessors {
        let kinds: Vec<&str> = card
            .signals
            .iter()
            .map(|signal| signal.kind.name())
            .collect();
        writeln!(
            out,
            "{world},{campaign},{:.3},{},{},{:.3},{:.3},{:.3},{:.3},{}",
            found.crowd.agreement.unwrap_or(0.0),
            u8::from(is_bad(card)),
            card.answers,
            card.agreement.map_or(0.0, |found| found.z),
            card.reliability.map_or(0.0, |found| found.z),
            card.reliability.map_or(1.0, |found| found.p_random),
            answers
                .assessors()
                .get(&card.assessor)
                .map_or(0.0, |who| pooled[who.index()]),
            kinds.join(" ")
        )?;
    }
    Ok(())
}

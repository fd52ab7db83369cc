//! Measurement for `bench/run screening`: detection rates of screening among assessors of known
//! kinds.
//!
//! `screening_rates CAMPAIGNS SEED [--archive FILE] [--only WORDS]` simulates this many campaigns
//! of every world, screens their assessors, and prints a row per assessor. The archive holds
//! recorded answers (`query,a,b,assessor,answer,seconds`), into which the same kinds of assessors
//! are put. `--only` selects the worlds whose first four columns contain these words.

mod archive;
mod people;

use std::error::Error;
use std::io::Write;

use partita_core::Preferences;
use partita_judging::{AssessorCard, Screening, ScreeningEvidence, ScreeningOptions, fit_pooled};
use partita_named::NamedEnum;

use people::{Abilities, Crowd, Kind, World};

const USAGE: &str = "usage: screening_rates CAMPAIGNS SEED [--archive FILE] [--only WORDS]";

const HEADER: &str = "crowd,abilities,kind,share,campaign,agreement,bad,answers,agreement_z,\
                      sharpness_z,pooled_reliability,signals";

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let ([campaigns, seed], options) = arguments.split_first_chunk().ok_or(USAGE)?;
    let (campaigns, seed): (u64, u64) = (campaigns.parse()?, seed.parse()?);
    let (mut archive, mut only) = (None, "");
    for option in options.chunks(2) {
        match option {
            [name, file] if name == "--archive" => archive = Some(archive::read_answers(file)?),
            [name, words] if name == "--only" => only = words.as_str(),
            _ => return Err(USAGE.into()),
        }
    }
    let seeds = move |campaigns: u64| {
        let seed = seed.wrapping_mul(1_000_003);
        (0..campaigns).map(move |campaign| (campaign, seed.wrapping_add(campaign)))
    };
    let mut out = std::io::stdout().lock();
    writeln!(out, "{HEADER}")?;
    for world in worlds().iter().filter(|world| world.name().contains(only)) {
        for (campaign, seed) in seeds(campaigns) {
            let people = world.people(seed);
            let answers = world.campaign(seed, &people);
            let is_bad = |card: &AssessorCard| {
                let person = people.iter().find(|person| person.name == card.assessor);
                let person = person.expect("who answers is one of the people");
                person.kind.is_some()
            };
            write_assessors(&mut out, &world.name(), campaign, &answers, is_bad)?;
        }
    }
    let Some(recorded) = archive else {
        return Ok(());
    };
    for bad in std::iter::once(None).chain(Kind::VARIANTS.iter().copied().map(Some)) {
        let name = world_name("recorded", "recorded", bad.map(|kind| (kind, 0.1)));
        if !name.contains(only) {
            continue;
        }
        // Without added assessors nothing is random, so one campaign is enough.
        for (campaign, seed) in seeds(if bad.is_none() { 1 } else { campaigns }) {
            let (answers, replaced) = archive::replace_assessors(&recorded, bad, seed);
            let is_bad = |card: &AssessorCard| replaced.contains(&card.assessor);
            write_assessors(&mut out, &name, campaign, &answers, is_bad)?;
        }
    }
    Ok(())
}

/// Returns the worlds: no inattentive assessors with equal and unequal abilities, and a tenth and
/// three tenths of each kind.
fn worlds() -> Vec<World> {
    let mut worlds = Vec::new();
    for &crowd in Crowd::VARIANTS {
        let world = |abilities, bad| World {
            crowd,
            abilities,
            bad,
        };
        worlds.extend(
            Abilities::VARIANTS
                .iter()
                .map(|&abilities| world(abilities, None)),
        );
        for share in [0.1, 0.3] {
            let bad = |&kind| world(Abilities::Unequal, Some((kind, share)));
            worlds.extend(Kind::VARIANTS.iter().map(bad));
        }
    }
    worlds
}

impl World {
    fn name(&self) -> String {
        world_name(self.crowd.name(), self.abilities.name(), self.bad)
    }
}

fn world_name(crowd: &str, abilities: &str, bad: Option<(Kind, f64)>) -> String {
    match bad {
        None => format!("{crowd},{abilities},nobody,0"),
        Some((kind, share)) => format!("{crowd},{abilities},{kind},{share}"),
    }
}

/// Screens the answers and writes a CSV row for each assessor.
fn write_assessors(
    out: &mut impl Write,
    world: &str,
    campaign: u64,
    answers: &Preferences,
    is_bad: impl Fn(&AssessorCard) -> bool,
) -> Result<(), Box<dyn Error>> {
    let known = ScreeningEvidence::default();
    let found = Screening::new(answers, &known, ScreeningOptions::default())?;
    let pooled = fit_pooled(answers).reliability;
    for card in &found.assessors {
        let who = answers.assessors().get(&card.assessor);
        let who = who.expect("a card for each who answered");
        let kinds: Vec<&str> = (card.signals.iter())
            .map(|signal| signal.kind.name())
            .collect();
        writeln!(
            out,
            "{world},{campaign},{:.3},{},{},{:.3},{:.3},{:.3},{}",
            found.crowd.agreement.unwrap_or(f64::NAN),
            u8::from(is_bad(card)),
            card.answers,
            card.agreement.map_or(0.0, |found| found.z),
            card.reliability.map_or(0.0, |found| found.z),
            pooled[who.index()],
            kinds.join(" ")
        )?;
    }
    Ok(())
}

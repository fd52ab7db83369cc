//! What bench/melody.py measures of this crate: searches in generated collections, and their incipits as a
//! file. CPU seconds of the one thread that works.
//!
//! `bench_melody incipits FOLDER COUNT`: generated incipits in Plaine & Easie, a line each.
//! `bench_melody search FOLDER COUNT QUERIES SYSTEM`: the system exhaustively and as it searches by itself.
//! `bench_melody bounds FOLDER COUNT QUERIES SYSTEM`: how many scores bounds spare, and whether a result differs.
//!
//! FOLDER has kern files in `krn`: intervals and durations of generated melodies follow each other as theirs do.
//! With COUNT 0, `bounds` searches the folder's own melodies.

#![allow(clippy::print_stdout, reason = "this is what the example is for")]

use std::collections::HashMap;
use std::error::Error;
use std::path::Path;

use partita_core::work::SequentialWork;
use partita_melody::ItemMetadata;
use partita_melody::readers::{MelodyFormat, MelodyReadOptions};
use partita_melody::systems;
use partita_melody::systems::{DocumentScore, SearchOptions, Searcher};
use partita_melody::writers;
use partita_melody::writers::{MelodyExport, PaeCarrier};
use partita_melody::{Beats, Melody, Note, Pitch};
use partita_stats::random;

/// Number of results per query.
const TOP: usize = 50;

/// Queries have numbers from here on: other melodies of the same kind.
const QUERIES: u64 = 1 << 40;

type Answer<T> = Result<T, Box<dyn Error>>;

fn main() -> Answer<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words[..] {
        ["incipits", folder, count] => {
            incipits(&World::of(folder)?, count.parse()?);
            Ok(())
        }
        ["search", folder, count, queries, system] => search(
            &World::of(folder)?,
            count.parse()?,
            queries.parse()?,
            system,
        ),
        ["bounds", folder, count, queries, system] => bounds(
            &World::of(folder)?,
            count.parse()?,
            queries.parse()?,
            system,
        ),
        _ => Err("incipits, search or bounds, and what they take, are expected".into()),
    }
}

/// The CPU seconds of this thread.
fn cpu() -> Answer<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat")?;
    let nanoseconds: f64 = text.split(' ').next().unwrap_or_default().parse()?;
    Ok(nanoseconds / 1e9)
}

/// Generator of pseudo-random melodies.
struct World {
    melodies: Vec<Melody>,
    /// The first intervals, and those that follow each.
    first: Vec<i32>,
    after: HashMap<i32, Vec<i32>>,
    durations: Vec<Beats>,
}

impl World {
    fn of(folder: &str) -> Answer<Self> {
        let entries = std::fs::read_dir(Path::new(folder).join("krn"))?;
        let mut paths = entries
            .map(|entry| Ok(entry?.path()))
            .collect::<std::io::Result<Vec<_>>>()?;
        paths.sort();
        let mut world = Self {
            melodies: Vec::new(),
            first: Vec::new(),
            after: HashMap::new(),
            durations: Vec::new(),
        };
        for path in &paths {
            let read = MelodyFormat::Kern.read_melody(
                "bench",
                &std::fs::read(path)?,
                &MelodyReadOptions::default(),
            );
            let Ok(melody) = read.map(|read| read.melody) else {
                continue;
            };
            let intervals: Vec<i32> = melody.intervals().collect();
            world.first.extend(intervals.first());
            for two in intervals.windows(2) {
                world.after.entry(two[0]).or_default().push(two[1]);
            }
            // Notes of tuplets mean nothing one by one.
            let durations = melody.notes().iter().map(|note| note.duration);
            let plain = durations.filter(|lasts| (lasts.denom() & (lasts.denom() - 1)) == 0);
            world.durations.extend(plain);
            world.melodies.push(melody);
        }
        Ok(world)
    }

    /// The melody of a number: 8 to 24 notes.
    fn melody(&self, number: u64) -> Melody {
        let mut rng = random::stream(12, &[number]);
        let notes = 8 + random::uniform_index(&mut rng, 17);
        let mut pitch = 60i32;
        let mut step = self.first[random::uniform_index(&mut rng, self.first.len())];
        let mut at = Beats::from_integer(0);
        let line = (0..notes).map(|_| {
            let sounding = u8::try_from(pitch).ok().and_then(Pitch::new);
            let sounding = sounding.expect("it turns before it leaves the pitches of MIDI");
            let lasts = self.durations[random::uniform_index(&mut rng, self.durations.len())];
            let note = Note::new(sounding, at, lasts);
            at += lasts;
            if !(20..=107).contains(&(pitch + step)) {
                step = -step;
            }
            pitch += step;
            let next = self.after.get(&step).unwrap_or(&self.first);
            step = next[random::uniform_index(&mut rng, next.len())];
            note
        });
        Melody::new(line.collect()).expect("one note after the other")
    }
}

fn incipits(world: &World, count: usize) {
    let info = ItemMetadata {
        clef: Some("G-2".to_owned()),
        ..ItemMetadata::default()
    };
    let line = |number: u64| {
        let (id, melody) = (format!("i{number:07}"), world.melody(number));
        let written = MelodyExport {
            id: &id,
            melody: &melody,
            info: &info,
        };
        writers::write_pae(written, PaeCarrier::Line).ok()
    };
    // The code has no pitches as low as some that are generated.
    for text in (0..).filter_map(line).take(count) {
        print!("{text}");
    }
}

/// The results of each query, and the CPU seconds of all.
fn found(
    collection: &dyn Searcher,
    queries: &[Melody],
    wanted: SearchOptions,
) -> Answer<(Vec<Vec<DocumentScore>>, f64)> {
    let start = cpu()?;
    let mut all = Vec::with_capacity(queries.len());
    for query in queries {
        let found = collection.search(query, wanted, &SequentialWork)?;
        all.push(found.ok_or("a query is too short")?);
    }
    Ok((all, cpu()? - start))
}

fn search(world: &World, count: u64, queries: u64, system: &str) -> Answer<()> {
    let start = cpu()?;
    let collection = systems::parse(system)?.prepare(&mut (0..count).map(|n| world.melody(n)));
    let ready = cpu()? - start;
    let wanted = |exhaustive| SearchOptions {
        top: TOP,
        exhaustive,
    };
    let queries: Vec<Melody> = (0..queries).map(|n| world.melody(QUERIES + n)).collect();
    // An index is made with the first search.
    let (_, first) = found(&*collection, &queries[..1], wanted(false))?;
    let (exact, slow) = found(&*collection, &queries, wanted(true))?;
    let (indexed, fast) = found(&*collection, &queries, wanted(false))?;
    let shares = exact.iter().zip(&indexed).map(|(exact, indexed)| {
        let least = exact.last().map_or(f64::NEG_INFINITY, |hit| hit.score);
        let good = indexed.iter().filter(|hit| hit.score >= least).count();
        good as f64 / TOP as f64
    });
    let shares: Vec<f64> = shares.collect();
    let each = queries.len() as f64;
    let answer = serde_json::json!({
        "melodies": count, "queries": queries.len(), "ready": ready, "index": first,
        "exhaustive": slow / each, "indexed": fast / each,
        "share": shares.iter().sum::<f64>() / each,
        "worst": shares.iter().copied().fold(1.0, f64::min),
    });
    println!("{answer}");
    Ok(())
}

fn bounds(world: &World, count: u64, queries: usize, system: &str) -> Answer<()> {
    let system = systems::parse(system)?;
    let (collection, queries): (_, Vec<Melody>) = match count {
        0 => {
            let every = world.melodies.len().div_ceil(queries);
            let queries = world.melodies.iter().step_by(every).cloned();
            (
                system.prepare(&mut world.melodies.iter().cloned()),
                queries.collect(),
            )
        }
        count => {
            let queries = (QUERIES..).take(queries).map(|n| world.melody(n));
            (
                system.prepare(&mut (0..count).map(|n| world.melody(n))),
                queries.collect(),
            )
        }
    };
    let wanted = SearchOptions {
        top: TOP,
        exhaustive: true,
    };
    let (bounded, fast) = found(&*collection, &queries, wanted)?;
    let scored = collection.scored_count();
    let (all, slow) = found(&*collection, &queries, SearchOptions::ALL)?;
    let differ = bounded
        .iter()
        .zip(&all)
        .filter(|(some, all)| some[..] != all[..some.len()]);
    let possible = collection.documents() * queries.len();
    let answer = serde_json::json!({
        "melodies": collection.documents(), "queries": queries.len(),
        "skipped": 1.0 - scored as f64 / possible as f64, "differ": differ.count(),
        "bounded": fast / queries.len() as f64, "all": slow / queries.len() as f64,
    });
    println!("{answer}");
    Ok(())
}

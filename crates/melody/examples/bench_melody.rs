//! Benchmark program that `bench/melody.py` runs: it generates melodies and measures searches in
//! them. Times are CPU seconds of the single thread that searches.
//!
//! - `bench_melody incipits FOLDER COUNT` prints generated incipits in Plaine & Easie, one per
//!   line.
//! - `bench_melody search FOLDER COUNT QUERIES SYSTEM` compares an exhaustive search with a search
//!   that may use the index of the system, in COUNT generated melodies.
//! - `bench_melody windows FOLDER NOTES STEP QUERIES SYSTEM` does the same in real melodies: all
//!   windows of NOTES notes of the files, one at every STEP notes. QUERIES of them are the queries.
//! - `bench_melody bounds FOLDER COUNT QUERIES SYSTEM` compares a search that skips documents by
//!   upper bounds on their scores with a search that scores all documents. It prints the share of
//!   skipped documents and the number of queries with different results.
//!
//! The folder `FOLDER/krn` contains `**kern` files. The intervals and durations of generated
//! melodies are sampled from these files, each interval depending on the previous one. If COUNT is
//! 0, `bounds` searches the melodies of these files instead of generated ones.

#![allow(clippy::print_stdout, reason = "the example prints its results")]

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

/// Number of requested results per query.
const RESULTS_PER_QUERY: usize = 50;

/// Number of the first melody that is generated as a query. Documents have lower numbers, so that
/// queries are different melodies.
const FIRST_QUERY_NUMBER: u64 = 1 << 40;

type BenchResult<T> = Result<T, Box<dyn Error>>;

fn main() -> BenchResult<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words[..] {
        ["incipits", folder, count] => {
            print_incipits(&MelodyGenerator::from_folder(folder)?, count.parse()?);
            Ok(())
        }
        ["search", folder, count, queries, system] => bench_search(
            &MelodyGenerator::from_folder(folder)?,
            count.parse()?,
            queries.parse()?,
            system,
        ),
        ["windows", folder, notes, step, queries, system] => {
            let melodies = MelodyGenerator::from_folder(folder)?.melodies;
            let windows = windows(&melodies, notes.parse()?, step.parse()?)?;
            let every = windows.len().div_ceil(queries.parse()?);
            let queries: Vec<Melody> = windows.iter().step_by(every).cloned().collect();
            bench_index(windows.into_iter(), &queries, system)
        }
        ["bounds", folder, count, queries, system] => bench_bounds(
            &MelodyGenerator::from_folder(folder)?,
            count.parse()?,
            queries.parse()?,
            system,
        ),
        _ => Err("usage: bench_melody incipits|search|bounds FOLDER COUNT [QUERIES SYSTEM]".into()),
    }
}

/// Returns the CPU time that this thread has used so far, in seconds.
fn thread_cpu_seconds() -> BenchResult<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat")?;
    let nanoseconds: f64 = text.split(' ').next().unwrap_or_default().parse()?;
    Ok(nanoseconds / 1e9)
}

/// Generator of pseudo-random melodies that resemble given melodies.
struct MelodyGenerator {
    /// Melodies from which intervals and durations are sampled.
    melodies: Vec<Melody>,
    /// First interval of each melody, in semitones.
    first_intervals: Vec<i32>,
    /// Intervals that follow each interval in the melodies, with repetitions, in semitones.
    next_intervals: HashMap<i32, Vec<i32>>,
    /// Durations of notes outside of tuplets, with repetitions, in quarter notes.
    durations: Vec<Beats>,
}

impl MelodyGenerator {
    /// Reads the melodies of the `**kern` files in `folder/krn`. Files that cannot be read are
    /// skipped.
    fn from_folder(folder: &str) -> BenchResult<Self> {
        let entries = std::fs::read_dir(Path::new(folder).join("krn"))?;
        let mut paths = entries
            .map(|entry| Ok(entry?.path()))
            .collect::<std::io::Result<Vec<_>>>()?;
        paths.sort();
        let mut generator = Self {
            melodies: Vec::new(),
            first_intervals: Vec::new(),
            next_intervals: HashMap::new(),
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
            generator.first_intervals.extend(intervals.first());
            for two in intervals.windows(2) {
                generator
                    .next_intervals
                    .entry(two[0])
                    .or_default()
                    .push(two[1]);
            }
            // Notes of tuplets are left out, because a single one does not complete a tuplet.
            let durations = melody.notes().iter().map(|note| note.duration);
            let plain = durations.filter(|lasts| (lasts.denom() & (lasts.denom() - 1)) == 0);
            generator.durations.extend(plain);
            generator.melodies.push(melody);
        }
        Ok(generator)
    }

    /// Generates the melody with this number, which has 8 to 24 notes. The same number always gives
    /// the same melody.
    fn melody(&self, number: u64) -> Melody {
        let mut rng = random::stream(12, &[number]);
        let notes = 8 + random::uniform_index(&mut rng, 17);
        let mut pitch = 60i32;
        let mut step =
            self.first_intervals[random::uniform_index(&mut rng, self.first_intervals.len())];
        let mut at = Beats::from_integer(0);
        let line = (0..notes).map(|_| {
            let sounding = u8::try_from(pitch).ok().and_then(Pitch::new);
            let sounding = sounding.expect("pitches stay between 20 and 107");
            let lasts = self.durations[random::uniform_index(&mut rng, self.durations.len())];
            let note = Note::new(sounding, at, lasts);
            at += lasts;
            if !(20..=107).contains(&(pitch + step)) {
                step = -step;
            }
            pitch += step;
            let next = self
                .next_intervals
                .get(&step)
                .unwrap_or(&self.first_intervals);
            step = next[random::uniform_index(&mut rng, next.len())];
            note
        });
        Melody::new(line.collect()).expect("notes follow each other without overlap")
    }
}

/// Prints `count` generated incipits.
fn print_incipits(generator: &MelodyGenerator, count: usize) {
    let info = ItemMetadata {
        clef: Some("G-2".to_owned()),
        ..ItemMetadata::default()
    };
    let line = |number: u64| {
        let (id, melody) = (format!("i{number:07}"), generator.melody(number));
        let written = MelodyExport {
            id: &id,
            melody: &melody,
            info: &info,
        };
        writers::write_pae(written, PaeCarrier::Line).ok()
    };
    // Melodies with pitches that are too low for Plaine & Easie are skipped.
    for text in (0..).filter_map(line).take(count) {
        print!("{text}");
    }
}

/// Searches for all queries. Returns the results of each query, and the total CPU time in seconds.
fn timed_search(
    collection: &dyn Searcher,
    queries: &[Melody],
    wanted: SearchOptions,
) -> BenchResult<(Vec<Vec<DocumentScore>>, f64)> {
    let start = thread_cpu_seconds()?;
    let mut all = Vec::with_capacity(queries.len());
    for query in queries {
        let found = collection.search(query, wanted, &SequentialWork)?;
        all.push(found.ok_or("a query is too short")?);
    }
    Ok((all, thread_cpu_seconds()? - start))
}

/// Compares exhaustive searches in generated melodies with searches that may use the index of the
/// system.
fn bench_search(
    generator: &MelodyGenerator,
    count: u64,
    queries: u64,
    system: &str,
) -> BenchResult<()> {
    let queries: Vec<Melody> = (0..queries)
        .map(|n| generator.melody(FIRST_QUERY_NUMBER + n))
        .collect();
    bench_index((0..count).map(|n| generator.melody(n)), &queries, system)
}

/// Returns the melodies of `notes` successive notes that begin at every `step`-th note of a melody.
fn windows(melodies: &[Melody], notes: usize, step: usize) -> BenchResult<Vec<Melody>> {
    let mut all = Vec::new();
    for melody in melodies {
        for window in melody.notes().windows(notes).step_by(step) {
            all.push(Melody::new(window.to_vec())?);
        }
    }
    Ok(all)
}

/// Compares exhaustive searches in these melodies with searches that may use the index of the
/// system.
fn bench_index(
    mut melodies: impl Iterator<Item = Melody>,
    queries: &[Melody],
    system: &str,
) -> BenchResult<()> {
    /// Number of first results that are compared one by one.
    const FIRST: usize = 10;
    let start = thread_cpu_seconds()?;
    let collection = systems::parse(system)?.prepare(&mut melodies);
    let ready = thread_cpu_seconds()? - start;
    let wanted = |exhaustive| SearchOptions {
        top: RESULTS_PER_QUERY,
        exhaustive,
    };
    // The first search builds the index, so its time includes that.
    let (_, first) = timed_search(&*collection, &queries[..1], wanted(false))?;
    let (exact, slow) = timed_search(&*collection, queries, wanted(true))?;
    let (indexed, fast) = timed_search(&*collection, queries, wanted(false))?;
    let shares = exact.iter().zip(&indexed).map(|(exact, indexed)| {
        let least = exact.last().map_or(f64::NEG_INFINITY, |hit| hit.score);
        let good = indexed.iter().filter(|hit| hit.score >= least).count();
        good as f64 / RESULTS_PER_QUERY as f64
    });
    let shares: Vec<f64> = shares.collect();
    let same = (exact.iter().zip(&indexed))
        .filter(|(exact, indexed)| {
            exact[..FIRST.min(exact.len())] == indexed[..FIRST.min(indexed.len())]
        })
        .count();
    let each = queries.len() as f64;
    let answer = serde_json::json!({
        "melodies": collection.documents(), "queries": queries.len(), "ready": ready, "index": first,
        "exhaustive": slow / each, "indexed": fast / each,
        "share": shares.iter().sum::<f64>() / each,
        "same_first_ten": same as f64 / each,
        "worst": shares.iter().copied().fold(1.0, f64::min),
    });
    println!("{answer}");
    Ok(())
}

/// Compares searches that skip documents by upper bounds with searches that score all documents.
fn bench_bounds(
    generator: &MelodyGenerator,
    count: u64,
    queries: usize,
    system: &str,
) -> BenchResult<()> {
    let system = systems::parse(system)?;
    let (collection, queries): (_, Vec<Melody>) = match count {
        0 => {
            let every = generator.melodies.len().div_ceil(queries);
            let queries = generator.melodies.iter().step_by(every).cloned();
            (
                system.prepare(&mut generator.melodies.iter().cloned()),
                queries.collect(),
            )
        }
        count => {
            let queries = (FIRST_QUERY_NUMBER..)
                .take(queries)
                .map(|n| generator.melody(n));
            (
                system.prepare(&mut (0..count).map(|n| generator.melody(n))),
                queries.collect(),
            )
        }
    };
    let wanted = SearchOptions {
        top: RESULTS_PER_QUERY,
        exhaustive: true,
    };
    let (bounded, fast) = timed_search(&*collection, &queries, wanted)?;
    let scored = collection.scored_count();
    let (all, slow) = timed_search(&*collection, &queries, SearchOptions::ALL)?;
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

//! Broken files for every reader: none may panic, every error names its file, and whatever is
//! accepted can be written and read back as the same.
//!
//! The n-th file of a seed is always the same. `PARTITA_FUZZ_FILES` says how many are made,
//! `PARTITA_FUZZ_SEED` with which seed.

#![allow(clippy::print_stderr, reason = "the seed of a session is for people")]

pub(crate) mod checks;
mod corpus;
mod mutate;
mod rankings;

use std::panic::{AssertUnwindSafe, catch_unwind};

use partita_core::{GroundTruth, ZeroGainPolicy};
use partita_formats::campaign::{candidates, durations, recorded_votes};
use partita_formats::rankings::RankingsReadOptions;
use partita_formats::run::{self, RunFormat, RunOrder, TieBreaking};
use partita_formats::scores::{MissingScorePolicy, ScoresInput};
use partita_formats::truth::{self, TruthFormat};
use partita_formats::{Source, preferences, scores, strata};
use partita_named::NamedEnum;

use self::mutate::{Rng, broken_file};

/// How many broken files are made unless told otherwise.
const FILES: u64 = 2000;

const NAMES: [&str; 6] = ["f.txt", "f.toc", "f.csv", "folder/f.json", "f.run.gz", "f"];

/// Our own names of columns, and those of Mechanical Turk.
const MAPS: [&str; 2] = [
    "",
    "query=Input.query,a=Input.docA,b=Input.docB,assessor=WorkerId,answer=Answer.radio,equal=s,\
     time=CreationTime,seconds=WorkTimeInSeconds",
];

/// Feeds a file to every reader, with every format flag and without one.
fn feed(bytes: &[u8], rng: &mut Rng, beside: &GroundTruth) {
    let name = *rng.pick(&NAMES);
    let source = Source::from_bytes(name, bytes);
    let zero = *rng.pick(&[ZeroGainPolicy::LeaveOut, ZeroGainPolicy::LastGroup]);
    let label = rng.pick(&[None, None, Some("Crowd".to_owned())]).clone();
    let mut found = None;
    for format in all_or_none(TruthFormat::VARIANTS.iter().copied()) {
        let label = label.clone();
        let options = truth::TruthReadOptions {
            format,
            zero,
            label,
        };
        found = checks::check_truth(&source, &options).or(found);
    }
    let options = run::RunReadOptions {
        format: None,
        name: None,
        order: *rng.pick(&[RunOrder::Score, RunOrder::Rank, RunOrder::File]),
        ties: *rng.pick(&[TieBreaking::Docno, TieBreaking::File, TieBreaking::Average]),
        score_precision: rng.below(2) == 0,
    };
    for format in all_or_none(RunFormat::VARIANTS.iter().copied()) {
        let options = run::RunReadOptions {
            format,
            ..options.clone()
        };
        checks::check_run(&source, &options, beside);
        // A file that is a truth too, or nearly, shares names with itself.
        if let Some(truth) = &found {
            checks::check_run(&source, &options, truth);
        }
    }
    match candidates::read(&source) {
        Ok(read) => assert!(read.lists.iter().all(|(_, rows)| !rows.is_empty())),
        Err(error) => checks::check_error(&error, name),
    }
    match preferences::read_rows(&source, &preferences::ColumnMap::default()) {
        Ok(read) => {
            let bad = read.rows.iter().filter_map(|row| row.as_ref().err());
            bad.for_each(|error| checks::check_error(error, name));
        }
        Err(error) => checks::check_error(&error, name),
    }
    let query = rng.pick(&[None, None, Some("q".to_owned())]).clone();
    for format in rankings::formats() {
        let query = query.clone();
        rankings::check_rankings(&source, &RankingsReadOptions { format, query });
    }
    for map in MAPS {
        let options = preferences::PreferencesReadOptions {
            map: map.parse().unwrap(),
            batch_gap: *rng.pick(&[0.0, 60.0, 3600.0]),
            queries: Vec::new(),
        };
        checks::check_preferences(&source, &options);
    }
    match durations::read(&source) {
        Ok(read) => assert!(read.seconds.values().all(|s| s.is_finite() && *s >= 0.0)),
        Err(error) => checks::check_error(&error, name),
    }
    checks::check_recorded_votes(&source);
    match strata::read(&source) {
        Ok(read) => assert!(!read.strata.is_empty() && !read.stratum_of.is_empty()),
        Err(error) => checks::check_error(&error, name),
    }
    let missing = *rng.pick(&[
        MissingScorePolicy::Refuse,
        MissingScorePolicy::DropQuery,
        MissingScorePolicy::Zero,
    ]);
    let options = scores::ScoresReadOptions {
        measures: Vec::new(),
        missing,
    };
    match scores::read_any(&source, &options) {
        Ok(ScoresInput::Plain(read)) => assert!(!read.tables.is_empty()),
        Ok(ScoresInput::ByAssessor(read)) => assert!(!read.tables.is_empty()),
        Err(error) => checks::check_error(&error, name),
    }
}

fn all_or_none<T>(formats: impl IntoIterator<Item = T>) -> impl Iterator<Item = Option<T>> {
    std::iter::once(None).chain(formats.into_iter().map(Some))
}

/// A truth that shares names with the runs of the corpus.
fn beside() -> GroundTruth {
    let text = "q1: (a, b), (c, d e), (x)\nq2: (c), (a)\nq3: (a)\n";
    let source = Source::from_bytes("beside", text);
    let read = truth::read(&source, &truth::TruthReadOptions::default());
    read.unwrap().truth
}

fn setting(name: &str, default: u64) -> u64 {
    match std::env::var(name) {
        Ok(text) => text
            .parse()
            .unwrap_or_else(|_| panic!("{name} is no number: {text}")),
        Err(_) => default,
    }
}

#[test]
fn no_broken_file_makes_a_reader_panic_or_accept_what_cannot_be_written() {
    let files = setting("PARTITA_FUZZ_FILES", FILES);
    let seed = setting("PARTITA_FUZZ_SEED", 1);
    assert!(files > 0);
    let (corpus, beside) = (corpus::files(), beside());
    for number in 0..files {
        let mut rng = Rng::of(seed, number);
        let bytes = broken_file(&mut rng, &corpus);
        let fed = catch_unwind(AssertUnwindSafe(|| feed(&bytes, &mut rng, &beside)));
        if let Err(why) = fed {
            let kept = format!("{}/fuzz-{seed}-{number}", env!("CARGO_TARGET_TMPDIR"));
            std::fs::write(&kept, &bytes).unwrap();
            eprintln!(
                "file {number} of seed {seed}, kept as {kept}:\n{}",
                bytes.escape_ascii()
            );
            std::panic::resume_unwind(why);
        }
    }
}

#[test]
fn the_files_that_broken_ones_are_made_of_are_read() {
    let beside = beside();
    for (number, bytes) in corpus::files().iter().enumerate() {
        feed(bytes, &mut Rng::of(0, 0), &beside);
        let source = Source::from_bytes("f", bytes.as_slice());
        let truths = all_or_none(TruthFormat::VARIANTS.iter().copied());
        let truths = truths.filter(|&format| {
            let label = (number == 3).then(|| "Crowd".to_owned());
            let options = truth::TruthReadOptions {
                format,
                label,
                ..Default::default()
            };
            truth::read(&source, &options).is_ok()
        });
        let runs = all_or_none(RunFormat::VARIANTS.iter().copied());
        let runs = runs.filter(|&format| {
            let options = run::RunReadOptions {
                format,
                ..Default::default()
            };
            run::read(&source, &options).is_ok()
        });
        let rankings = rankings::formats().filter(|&format| {
            let query = None;
            rankings::check_rankings(&source, &RankingsReadOptions { format, query })
        });
        let groups = strata::read(&source).is_ok();
        let scored = scores::read_any(&source, &scores::ScoresReadOptions::default()).is_ok();
        let answers = MAPS.iter().any(|map| {
            let options = preferences::PreferencesReadOptions {
                map: map.parse().unwrap(),
                ..Default::default()
            };
            preferences::read(&source, &options).is_ok()
        });
        let recorded = recorded_votes::read(&source).is_ok();
        let tables = truths.count() + runs.count() + rankings.count() > 0;
        assert!(
            tables || groups || scored || answers || recorded,
            "{}",
            bytes.escape_ascii()
        );
    }
}

#[test]
fn the_same_seed_makes_the_same_files() {
    let corpus = corpus::files();
    let files = |seed| {
        (0..50)
            .map(|n| broken_file(&mut Rng::of(seed, n), &corpus))
            .collect::<Vec<_>>()
    };
    assert_eq!(files(1), files(1));
    assert_ne!(files(1), files(2));
}

//! Fuzz test of every reader with mutated files: no reader may panic, every error must name its
//! file, and accepted data must be unchanged when they are written and read again.
//!
//! The n-th file of a seed is always the same. The environment variables `PARTITA_FUZZ_FILES` and
//! `PARTITA_FUZZ_SEED` set the number of files and the seed.

#![allow(
    clippy::print_stderr,
    reason = "prints the file that made a reader panic"
)]

pub(crate) mod checks;
mod corpus;
mod mutate;
mod rankings;

use std::panic::{AssertUnwindSafe, catch_unwind};

use partita_core::{GroundTruth, ZeroGainPolicy};
use partita_formats::campaign::{candidates, durations, recorded_votes};
use partita_formats::rankings::RankingsReadOptions;
use partita_formats::run::{self, RunFormat, RunOrder, ScorePrecision, TieBreaking};
use partita_formats::scores::{MissingScorePolicy, ScoresInput};
use partita_formats::truth::{self, TruthFormat};
use partita_formats::{Source, preferences, scores, strata};
use partita_named::NamedEnum;

use self::mutate::{Rng, mutated_file};

/// Number of mutated files if the environment does not set it.
const DEFAULT_FILE_COUNT: u64 = 2000;

/// Names for the mutated files, because some formats are detected by the extension.
const FILE_NAMES: [&str; 6] = ["f.txt", "f.toc", "f.csv", "folder/f.json", "f.run.gz", "f"];

/// Column maps for preferences: an empty one, and one for results of Mechanical Turk.
const COLUMN_MAPS: [&str; 2] = [
    "",
    "query=Input.query,a=Input.docA,b=Input.docB,assessor=WorkerId,answer=Answer.radio,equal=s,\
     time=CreationTime,seconds=WorkTimeInSeconds",
];

/// Reads a file with every reader, in every format and with format detection.
fn read_with_every_reader(bytes: &[u8], rng: &mut Rng, corpus_truth: &GroundTruth) {
    let name = *rng.pick(&FILE_NAMES);
    let source = Source::from_bytes(name, bytes);
    let zero = *rng.pick(&[ZeroGainPolicy::LeaveOut, ZeroGainPolicy::LastGroup]);
    let label = rng.pick(&[None, None, Some("Crowd".to_owned())]).clone();
    let mut found = None;
    for format in detection_and_formats(TruthFormat::VARIANTS.iter().copied()) {
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
        score_precision: *rng.pick(ScorePrecision::VARIANTS),
    };
    for format in detection_and_formats(RunFormat::VARIANTS.iter().copied()) {
        let options = run::RunReadOptions {
            format,
            ..options.clone()
        };
        checks::check_run(&source, &options, corpus_truth);
        // A file that is also read as a ground truth shares names with its own run.
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
    for format in rankings::detection_and_formats() {
        let query = query.clone();
        rankings::check_rankings(
            &source,
            &RankingsReadOptions {
                format,
                query,
                as_ranks: true,
            },
        );
    }
    for map in COLUMN_MAPS {
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

/// Returns `None`, which stands for format detection, and then every format.
fn detection_and_formats<T>(
    formats: impl IntoIterator<Item = T>,
) -> impl Iterator<Item = Option<T>> {
    std::iter::once(None).chain(formats.into_iter().map(Some))
}

/// Returns a ground truth that shares names with the runs of the corpus.
fn truth_of_corpus() -> GroundTruth {
    let text = "q1: (a, b), (c, d e), (x)\nq2: (c), (a)\nq3: (a)\n";
    let source = Source::from_bytes("corpus_truth", text);
    let read = truth::read(&source, &truth::TruthReadOptions::default());
    read.unwrap().truth
}

/// Returns the number that an environment variable holds, or the default if it is not set.
fn number_from_environment(name: &str, default: u64) -> u64 {
    match std::env::var(name) {
        Ok(text) => text
            .parse()
            .unwrap_or_else(|_| panic!("{name} is no number: {text}")),
        Err(_) => default,
    }
}

#[test]
fn no_broken_file_makes_a_reader_panic_or_accept_what_cannot_be_written() {
    let files = number_from_environment("PARTITA_FUZZ_FILES", DEFAULT_FILE_COUNT);
    let seed = number_from_environment("PARTITA_FUZZ_SEED", 1);
    assert!(files > 0);
    let (corpus, corpus_truth) = (corpus::files(), truth_of_corpus());
    for number in 0..files {
        let mut rng = Rng::for_file(seed, number);
        let bytes = mutated_file(&mut rng, &corpus);
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            read_with_every_reader(&bytes, &mut rng, &corpus_truth);
        }));
        if let Err(why) = outcome {
            let saved_path = format!("{}/fuzz-{seed}-{number}", env!("CARGO_TARGET_TMPDIR"));
            std::fs::write(&saved_path, &bytes).unwrap();
            eprintln!(
                "file {number} of seed {seed}, kept as {saved_path}:\n{}",
                bytes.escape_ascii()
            );
            std::panic::resume_unwind(why);
        }
    }
}

#[test]
fn every_valid_file_is_accepted_by_some_reader() {
    let corpus_truth = truth_of_corpus();
    for (number, bytes) in corpus::files().iter().enumerate() {
        read_with_every_reader(bytes, &mut Rng::for_file(0, 0), &corpus_truth);
        let source = Source::from_bytes("f", bytes.as_slice());
        let truths = detection_and_formats(TruthFormat::VARIANTS.iter().copied());
        let truths = truths.filter(|&format| {
            let label = (number == 3).then(|| "Crowd".to_owned());
            let options = truth::TruthReadOptions {
                format,
                label,
                ..Default::default()
            };
            truth::read(&source, &options).is_ok()
        });
        let runs = detection_and_formats(RunFormat::VARIANTS.iter().copied());
        let runs = runs.filter(|&format| {
            let options = run::RunReadOptions {
                format,
                ..Default::default()
            };
            run::read(&source, &options).is_ok()
        });
        let rankings = rankings::detection_and_formats().filter(|&format| {
            let query = None;
            rankings::check_rankings(
                &source,
                &RankingsReadOptions {
                    format,
                    query,
                    as_ranks: true,
                },
            )
        });
        let groups = strata::read(&source).is_ok();
        let scored = scores::read_any(&source, &scores::ScoresReadOptions::default()).is_ok();
        let answers = COLUMN_MAPS.iter().any(|map| {
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
fn mutated_files_depend_only_on_the_seed() {
    let corpus = corpus::files();
    let files = |seed| {
        (0..50)
            .map(|n| mutated_file(&mut Rng::for_file(seed, n), &corpus))
            .collect::<Vec<_>>()
    };
    assert_eq!(files(1), files(1));
    assert_ne!(files(1), files(2));
}

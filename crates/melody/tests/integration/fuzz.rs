//! Fuzzing of all readers with damaged files: no reader may panic, and a melody that a reader
//! accepts must be equal after it is written and read again.
//!
//! The environment variables `PARTITA_FUZZ_FILES` and `PARTITA_FUZZ_SEED` set the number of files
//! and the random seed. The n-th file for a seed is always the same.

#![allow(clippy::print_stderr, reason = "a failure prints its seed and file")]

use std::panic::{AssertUnwindSafe, catch_unwind};

use partita_melody::ItemMetadata;
use partita_melody::audio::decoder;
use partita_melody::collection::Collection;
use partita_melody::readers::{ChordPolicy, MelodyEntry, MelodyFormat, MelodyReadOptions, pae};
use partita_melody::writers;
use partita_melody::writers::{MelodyExport, PaeCarrier};
use partita_named::NamedEnum;

use crate::collection::small_collection;
use crate::readers::wav;

/// Number of damaged files if `PARTITA_FUZZ_FILES` is not set.
const DEFAULT_FILE_COUNT: u64 = 1500;

/// Pseudo-random number generator SplitMix64 (Steele, Lea and Flood 2014), with its state.
struct Rng(u64);

impl Rng {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Returns a number below `bound`, or 0 if `bound` is 0.
    fn number_below(&mut self, bound: usize) -> usize {
        (self.next() % bound.max(1) as u64) as usize
    }
}

/// Byte sequences that are likely to break readers.
const TOKENS: &[&str] = &[
    "(",
    ")",
    "!",
    "f",
    "i",
    "/",
    "qq",
    "r",
    "^",
    "+",
    "_",
    "'",
    ",,,",
    "7.",
    "0....",
    "=9999999",
    "4(",
    ";3)",
    ";999)",
    "%C+3 ",
    "$bBEA ",
    "@3/4 ",
    "@0/0 ",
    "\t",
    "\n",
    "*^\n",
    "*v\t*v\n",
    "*+",
    "*x",
    "**kern",
    "[",
    "]",
    "{",
    "}",
    "\"",
    "\u{feff}",
    "é",
    "<!ENTITY",
    "<a>",
    "</note>",
    "<chord/>",
    "<duration>-1</duration>",
    "&amp;",
    "&#0;",
    "0%0",
    "999999999c",
    "\0",
    "~?",
    ";pe2",
    "@start:",
    "@end:",
    "\"data\"",
    "null",
    "1e999",
];

/// Returns valid files: scores, incipits, a recording and a collection.
fn corpus() -> Vec<Vec<u8>> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/scores");
    let mut names: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    names.sort();
    let mut files: Vec<Vec<u8>> = names
        .iter()
        .map(|name| std::fs::read(name).unwrap())
        .collect();
    let texts = [
        "@start:a\n@clef:G-2\n@keysig:bB\n@timesig:3/4\n@data:=1/4'B(6CDE)4.(8FGA;3)!{8AB}!ff/i/qq6ABr''4xC+C\n@end:a\n",
        "[{\"id\": \"a\", \"clef\": \"G-2\", \"data\": \"4'C\"}, {\"id\": 2, \"data\": \"8.6'CD\"}]",
        "a\t%G-2@c$xF '4FG^A\n;pe2%G-2 2^AxF>_({8ABC};3:2)y{8CD}r4C\n",
        "<collection><record><controlfield tag=\"001\">000111706</controlfield><datafield tag=\"031\">\
         <subfield code=\"a\">1</subfield><subfield code=\"p\">4'C&amp;</subfield></datafield></record></collection>",
        "**kern\t**kern\n*clefG2\t*\n*M3/4\t*\n4c\t[4e\n*^\t*\n4d\t4f\t4e]\n*v\t*v\t*\n8qcc\t8r\n3%2a\t4.g\n*-\t*-\n",
    ];
    files.extend(texts.iter().map(|text| text.as_bytes().to_vec()));
    files.push(wav(200, 200));
    files.push(small_collection());
    files
}

/// Returns a file of the corpus with one to six random changes.
fn damaged_file(rng: &mut Rng, corpus: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = corpus[rng.number_below(corpus.len())].clone();
    for _ in 0..=rng.number_below(6) {
        let at = rng.number_below(bytes.len() + 1);
        match rng.number_below(8) {
            0 | 1 if at < bytes.len() => bytes[at] = rng.next() as u8,
            2 if at < bytes.len() => bytes[at] ^= 1 << rng.number_below(8),
            3 => bytes.truncate(at),
            4 => {
                let end = (at + 1 + rng.number_below(12)).min(bytes.len());
                bytes.drain(at..end);
            }
            5 => {
                let end = (at + rng.number_below(60)).min(bytes.len());
                let copy = bytes[at..end].to_vec();
                bytes.splice(at..at, copy);
            }
            6 => {
                let other = &corpus[rng.number_below(corpus.len())];
                let from = rng.number_below(other.len() + 1);
                bytes.truncate(at);
                bytes.extend_from_slice(&other[from..]);
            }
            _ => {
                let token = TOKENS[rng.number_below(TOKENS.len())].bytes();
                bytes.splice(at..at, token);
            }
        }
    }
    bytes
}

/// Checks the result of a reader: an error must have a message, and a melody must have equal notes
/// after it is written in each format that can represent it and read again.
fn check_entry(entry: &MelodyEntry) {
    let read = match &entry.result {
        Ok(read) => read,
        Err(unread) => {
            assert!(!unread.message.trim().is_empty());
            assert_ne!(unread.line, Some(0));
            return;
        }
    };
    let info = ItemMetadata {
        clef: read.clef.clone(),
        key: read.key.clone(),
        time: read.time.clone(),
        tempo: read.tempo,
        ..ItemMetadata::default()
    };
    let written = MelodyExport {
        id: "x",
        melody: &read.melody,
        info: &info,
    };
    let assert_round_trip = |format: MelodyFormat, bytes: &[u8]| {
        let back = format
            .read_melody("test", bytes, &MelodyReadOptions::default())
            .unwrap();
        assert_eq!(back.melody.checksum(), read.melody.checksum());
    };
    if let Ok(bytes) = writers::write_midi(written) {
        assert_round_trip(MelodyFormat::Midi, &bytes);
    }
    if let Ok(text) = writers::write_kern(written) {
        assert_round_trip(MelodyFormat::Kern, text.as_bytes());
    }
    if let Ok(text) = writers::write_pae(written, PaeCarrier::Json) {
        pae::read(
            "test",
            text.as_bytes(),
            &MelodyReadOptions::default(),
            &mut |back| {
                let back = back
                    .result
                    .unwrap_or_else(|unread| panic!("{unread}: {text}"));
                assert_eq!(back.melody.checksum(), read.melody.checksum(), "{text}");
            },
        );
    }
}

/// Reads bytes in every format and as a collection file.
fn read_in_all_formats(bytes: &[u8], rng: &mut Rng) {
    let options = MelodyReadOptions {
        voice: [None, Some(1), Some(2)][rng.number_below(3)],
        chords: [ChordPolicy::Skip, ChordPolicy::Highest][rng.number_below(2)],
        ..MelodyReadOptions::default()
    };
    let _ = MelodyFormat::detect(bytes, "x");
    for &format in MelodyFormat::VARIANTS {
        match format {
            MelodyFormat::Pae => {
                pae::read("test", bytes, &options, &mut |entry| check_entry(&entry));
            }
            MelodyFormat::Audio => {
                if let Ok(recording) = decoder::read(bytes.to_vec()) {
                    assert!(recording.seconds.is_finite() && recording.seconds > 0.0);
                }
            }
            format => check_entry(&MelodyEntry {
                id: None,
                line: None,
                result: format.read_melody("test", bytes, &options),
            }),
        }
    }
    if let Ok(collection) = Collection::from_reader(Box::new(bytes.to_vec())) {
        let _ = collection.verify();
        let _ = collection.listing(0, None);
        for item in collection.items(0).flatten() {
            let _ = (
                collection.melody(&item),
                collection.metadata(&item),
                collection.recording_bytes(&item),
            );
        }
    }
}

/// Returns the number in an environment variable, or `default` if it is not set.
fn number_from_environment(name: &str, default: u64) -> u64 {
    match std::env::var(name) {
        Ok(text) => text
            .parse()
            .unwrap_or_else(|_| panic!("{name} is no number: {text}")),
        Err(_) => default,
    }
}

#[test]
fn no_damaged_file_makes_a_reader_panic_or_take_what_cannot_be_written() {
    let files = number_from_environment("PARTITA_FUZZ_FILES", DEFAULT_FILE_COUNT);
    let seed = number_from_environment("PARTITA_FUZZ_SEED", 1);
    let corpus = corpus();
    for number in 0..files {
        let mut rng = Rng(seed ^ number.wrapping_mul(0xa076_1d64_78bd_642f));
        let bytes = damaged_file(&mut rng, &corpus);
        let outcome = catch_unwind(AssertUnwindSafe(|| read_in_all_formats(&bytes, &mut rng)));
        if let Err(why) = outcome {
            let path = format!("{}/melody-{seed}-{number}", env!("CARGO_TARGET_TMPDIR"));
            std::fs::write(&path, &bytes).unwrap();
            eprintln!(
                "file {number} of seed {seed}, kept as {path}:\n{}",
                bytes.escape_ascii()
            );
            std::panic::resume_unwind(why);
        }
    }
}

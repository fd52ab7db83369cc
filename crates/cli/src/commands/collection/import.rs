//! `partita collection import`: import of melodies and clips.

use std::path::Path;

use clap::Args;
use partita::melody::collection::{IdScheme, ImportError, ImportRequest, import};
use partita::melody::readers::{ChordPolicy, MelodyFormat, MelodyReadOptions};
use partita::report::phrases::count_noun;

use crate::args::threads::ThreadArgs;
use crate::output::error::CliError;
use crate::output::result::{ResultArgs, named_value_parser};

/// Import melodies and clips into a collection
///
/// A source is a file, a folder or a zip; the format is recognised by content and file name. Files
/// that cannot be read are skipped with a reason. An existing collection is extended; it is
/// replaced in one step, or not changed at all if the command fails.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  partita collection import incipits.pae --into rism.coll\n  partita collection import tunes/ more.zip --into tunes.coll --id path"
)]
pub(crate) struct ImportArgs {
    /// Files, folders and zips
    #[arg(required = true, value_name = "SOURCE")]
    sources: Vec<String>,
    /// Collection to create or extend
    #[arg(long, value_name = "COLL")]
    into: String,
    /// Format of all files, if it is not recognised
    #[arg(long, value_name = "FORMAT", value_parser = named_value_parser::<MelodyFormat>())]
    read: Option<MelodyFormat>,
    /// Ids of melodies that have no name in their file
    #[arg(long, value_parser = named_value_parser::<IdScheme>(), default_value_t)]
    id: IdScheme,
    /// Number of the part, spine or track to read if several have notes, from 1
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    voice: Option<u32>,
    /// How to treat notes that sound at once
    #[arg(long, value_parser = named_value_parser::<ChordPolicy>(), default_value_t)]
    chords: ChordPolicy,
    /// Replace items of the collection that have the same id
    #[arg(long)]
    replace: bool,
    /// Write nothing if any file cannot be read
    #[arg(long)]
    strict: bool,
    /// Maximum number of notes of a melody
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    max_notes: usize,
    /// Maximum size of an unpacked file: 256M, 2G
    #[arg(long, value_name = "SIZE", value_parser = parse_size, default_value = "256M")]
    max_size: u64,
    #[command(flatten)]
    work: ThreadArgs,
    #[command(flatten)]
    show: ResultArgs,
}

/// Parses a number of bytes: `65536`, `64K`, `256M`, `2G`.
fn parse_size(text: &str) -> Result<u64, String> {
    let (number, unit) = match text.to_ascii_uppercase().chars().last() {
        Some('K') => (&text[..text.len() - 1], 1 << 10),
        Some('M') => (&text[..text.len() - 1], 1 << 20),
        Some('G') => (&text[..text.len() - 1], 1 << 30),
        _ => (text, 1),
    };
    let bytes = number
        .parse()
        .ok()
        .and_then(|number: u64| number.checked_mul(unit));
    bytes
        .filter(|&bytes| bytes > 0)
        .ok_or_else(|| "expected a size such as 256M".to_owned())
}

pub(crate) fn run(args: &ImportArgs) -> Result<(), CliError> {
    args.show.title.check(args.show.format())?;
    let request = ImportRequest {
        sources: args.sources.clone(),
        format: args.read,
        ids: args.id,
        options: MelodyReadOptions {
            voice: args.voice.map(|voice| voice as usize),
            chords: args.chords,
            max_notes: args.max_notes.min(u32::MAX as usize),
            max_size: args.max_size,
        },
        replace: args.replace,
        strict: args.strict,
    };
    let workers = args.work.workers();
    let done = import(&request, Path::new(&args.into), &workers).map_err(import_error)?;
    drop(workers);
    (args.show).print(&done.report, &done.report, done.warnings)?;
    let skipped = done.report.skipped.len();
    if done.is_written {
        return Ok(());
    }
    let message = match (args.strict && skipped > 0, skipped) {
        (true, _) => format!(
            "{} could not be read, and nothing was written",
            count_noun(skipped, "melody or file", "melodies or files")
        ),
        (false, 0) => "there is nothing to import".to_owned(),
        (false, _) => "nothing could be read, and nothing was written".to_owned(),
    };
    let error = CliError::input(message);
    Err(if skipped > 1 {
        error.with_hint("--format json lists all reasons")
    } else {
        error
    })
}

/// Converts an import error and adds a hint.
pub(crate) fn import_error(error: ImportError) -> CliError {
    match error {
        ImportError::UnreadableSource(source, error) => {
            CliError::from_read_error(&source, &error).with_hint("check the spelling of the path")
        }
        ImportError::Collection(file, error) => super::collection_error(&file, &error),
        ImportError::WriteFailed(file, error) => CliError::from_write_error(&file, &error),
        ImportError::DuplicateId { .. } => CliError::input(error.to_string())
            .with_hint("use `--id path` for ids from the paths of the files"),
        ImportError::ExistingId { .. } => {
            CliError::input(error.to_string()).with_hint("use --replace to replace it")
        }
        ImportError::Stopped(stopped) => stopped.into(),
    }
}

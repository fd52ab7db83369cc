//! `partita collection render`: audio clips of the items of a collection.

use std::fs;
use std::path::Path;

use clap::Args;
use partita::melody::audio::renderer::{
    AudioFormat, BuiltInInstrument, ClipError, Instrument, RenderError, RenderRequest, Soundfont,
    SoundfontError, Tempo, render_collection,
};

use super::open;
use super::show::item_error;
use crate::args::threads::ThreadArgs;
use crate::output::destination::{Destination, create_folder};
use crate::output::error::CliError;
use crate::output::result::{CaptionArgs, ResultArgs, ResultFormat, named_value_parser};

/// Render items as audio clips
///
/// All clips have the same timbre, tempo and loudness, without the rests around a melody. The
/// output gives the length of each clip; `campaign screen --durations` reads it.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  partita collection render rism.coll --output clips/\n  partita collection render tunes.coll BanishMisfortune --output clips/ \\\n      --audio wav --tempo 90\n  partita collection render rism.coll --output clips/ \\\n      --soundfont piano.sf2 --format csv > clips.csv"
)]
pub(crate) struct RenderArgs {
    /// Collection
    #[arg(value_name = "COLL")]
    collection: String,
    /// Ids of the items [default: all]
    #[arg(value_name = "ITEM")]
    items: Vec<String>,
    /// Folder for the clips
    #[arg(long, short, value_name = "DIR")]
    output: String,
    /// Format of the clips
    #[arg(long, value_parser = named_value_parser::<AudioFormat>(), default_value_t)]
    audio: AudioFormat,
    /// Samples per second
    #[arg(long, value_name = "N", default_value_t = 44_100)]
    rate: u32,
    /// Quarter notes per minute, or `source` for the tempo of each melody
    #[arg(long, value_name = "N|source", default_value = "120")]
    tempo: Tempo,
    /// SoundFont 2 file to use instead of the built-in voice
    #[arg(long, value_name = "FILE")]
    soundfont: Option<String>,
    /// Instrument of the soundfont: General MIDI number from 0 [default: 0]
    #[arg(long, value_name = "N", requires = "soundfont", value_parser = clap::value_parser!(u8).range(..=127))]
    program: Option<u8>,
    /// Loudness of the clips in LUFS
    #[arg(
        long,
        value_name = "LUFS",
        default_value_t = -20.0,
        allow_negative_numbers = true
    )]
    loudness: f64,
    /// Also give the time of each note (JSON)
    #[arg(long)]
    details: bool,
    #[command(flatten)]
    work: ThreadArgs,
    /// Output format [default: table on a terminal, else csv]
    #[arg(long, value_name = "FORMAT", value_parser = ResultFormat::parser(), help_heading = "Output")]
    format: Option<ResultFormat>,
    #[command(flatten)]
    title: CaptionArgs,
}

pub(crate) fn run(args: &RenderArgs) -> Result<(), CliError> {
    let show = ResultArgs {
        format: args.format,
        title: args.title.clone(),
        destination: Destination::default(),
    };
    show.title.check(show.format())?;
    let collection = open(&args.collection)?;
    let instrument = load_instrument(args)?;
    let request = RenderRequest {
        audio: args.audio,
        rate: args.rate,
        tempo: args.tempo,
        loudness: args.loudness,
        with_note_timings: args.details,
    };
    let folder = Path::new(&args.output);
    create_folder(&args.output)?;
    let keep = |file: &str, bytes: &[u8]| fs::write(folder.join(file), bytes);
    let workers = args.work.workers();
    let made = render_collection(
        &collection,
        &args.items,
        &request,
        &*instrument,
        &keep,
        &workers,
    );
    drop(workers);
    let made = made.map_err(|error| render_error(args, error))?;
    show.print(&made, &made, Vec::new())
}

/// Returns the built-in voice, or an instrument of a soundfont.
fn load_instrument(args: &RenderArgs) -> Result<Box<dyn Instrument + Sync>, CliError> {
    let Some(file) = &args.soundfont else {
        return Ok(Box::new(BuiltInInstrument));
    };
    let bytes = fs::read(file).map_err(|error| {
        CliError::from_read_error(file, &error).with_hint("check the spelling of the path")
    })?;
    let font = Soundfont::new(&bytes, args.program.unwrap_or(0)).map_err(|error| {
        let failure = CliError::input(format!("{file}: {error}"));
        match error {
            SoundfontError::NoProgram { .. } => {
                failure.with_hint("choose an instrument with --program")
            }
            SoundfontError::Unreadable(_) => {
                failure.with_hint("leave --soundfont out to use the built-in voice")
            }
        }
    })?;
    Ok(Box::new(font))
}

/// Converts a render error and adds a hint.
fn render_error(args: &RenderArgs, error: RenderError) -> CliError {
    let failure = CliError::input(error.to_string());
    match error {
        RenderError::Lookup(error) => item_error(&args.collection, error),
        RenderError::InvalidSettings(ClipError::Rate(_)) => {
            failure.with_hint("--rate is usually 44100")
        }
        RenderError::InvalidSettings(ClipError::Loudness(_)) => {
            failure.with_hint("--loudness is usually -20")
        }
        RenderError::InvalidSettings(_) | RenderError::ClipWrite { .. } => failure,
        RenderError::Item { .. } => failure.with_hint("give the items to render"),
        RenderError::FileWrite { file, error } => {
            let place = Path::new(&args.output).join(file);
            CliError::from_write_error(&place.to_string_lossy(), &error)
        }
        RenderError::Stopped(stopped) => stopped.into(),
    }
}

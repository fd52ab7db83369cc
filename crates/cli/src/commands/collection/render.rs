//! `partita collection render`: items of a collection as clips that people can listen to.

use std::fs;
use std::path::Path;

use clap::Args;
use partita_melody::sound::{
    AudioFormat, BadSoundfont, NotRendered, RenderError, RenderRequest, Soundfont, Tempo, Timbre,
    Voice, render,
};
use partita_report::sound::RenderingView;

use super::open;
use super::show::not_shown;
use crate::failure::Failure;
use crate::output::Destination;
use crate::show::{Form, ShowArgs, TitleArgs, named};
use crate::work::WorkArgs;

/// Render items as audio clips
///
/// All clips have the same timbre, tempo and loudness, without the rests around a melody. The
/// output gives the length of each clip; `judge screen --durations` reads it.
#[derive(Args, Debug)]
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
    #[arg(long, value_parser = named::<AudioFormat>(), default_value_t)]
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
    work: WorkArgs,
    /// Output format [default: table on a terminal, else csv]
    #[arg(long, value_name = "FORMAT", value_parser = Form::parser(), help_heading = "Output")]
    format: Option<Form>,
    #[command(flatten)]
    title: TitleArgs,
}

pub(crate) fn run(args: &RenderArgs) -> Result<(), Failure> {
    let show = ShowArgs {
        format: args.format,
        title: args.title.clone(),
        destination: Destination::default(),
    };
    show.title.check(show.form())?;
    let collection = open(&args.collection)?;
    let timbre = timbre(args)?;
    let request = RenderRequest {
        audio: args.audio,
        rate: args.rate,
        tempo: args.tempo,
        loudness: args.loudness,
        details: args.details,
    };
    let folder = Path::new(&args.output);
    fs::create_dir_all(folder).map_err(|error| Failure::writing(&args.output, &error))?;
    let keep = |file: &str, bytes: &[u8]| fs::write(folder.join(file), bytes);
    let workers = args.work.workers();
    let made = render(
        &collection,
        &args.items,
        &request,
        &*timbre,
        &keep,
        &workers,
    );
    drop(workers);
    let made = made.map_err(|error| render_failure(args, error))?;
    show.show(&made, &RenderingView { result: &made }, Vec::new())
}

/// The built-in voice, or an instrument of a soundfont.
fn timbre(args: &RenderArgs) -> Result<Box<dyn Timbre + Sync>, Failure> {
    let Some(file) = &args.soundfont else {
        return Ok(Box::new(Voice));
    };
    let bytes = fs::read(file).map_err(|error| {
        let reason = partita_formats::reason(&error);
        Failure::input(format!("{file}: cannot be read: {reason}"))
            .hint("check the spelling of the path")
    })?;
    let font = Soundfont::new(&bytes, args.program.unwrap_or(0)).map_err(|error| {
        let failure = Failure::input(format!("{file}: {error}"));
        match error {
            BadSoundfont::NoProgram { .. } => failure.hint("choose an instrument with --program"),
            BadSoundfont::Unreadable(_) => {
                failure.hint("leave --soundfont out to use the built-in voice")
            }
        }
    })?;
    Ok(Box::new(font))
}

/// Why no clips were made, and what can be done.
fn render_failure(args: &RenderArgs, error: RenderError) -> Failure {
    let failure = Failure::input(error.to_string());
    match error {
        RenderError::NotShown(error) => not_shown(&args.collection, error),
        RenderError::Settings(NotRendered::Rate(_)) => failure.hint("--rate is usually 44100"),
        RenderError::Settings(NotRendered::Loudness(_)) => {
            failure.hint("--loudness is usually -20")
        }
        RenderError::Settings(_) | RenderError::NotWritten { .. } => failure,
        RenderError::Item { .. } => failure.hint("give the items to render"),
        RenderError::Keeping { file, error } => {
            let place = Path::new(&args.output).join(file);
            Failure::writing(&place.to_string_lossy(), &error)
        }
        RenderError::Stopped(stopped) => stopped.into(),
    }
}

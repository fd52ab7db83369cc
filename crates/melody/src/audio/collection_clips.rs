//! The items of a collection as clips.

use std::str::FromStr;
use std::sync::atomic::{AtomicUsize, Ordering};

use partita_core::work::{Work, WorkError};
use schemars::JsonSchema;
use serde::Serialize;

use super::renderer::{
    AudioFormat, Clip, ClipError, ClipRenderer, ClipWriteError, Instrument, NoteTiming,
    RecordingError,
};
use crate::collection::{Collection, CollectionError, CollectionItem, ItemLookupError};
use crate::writers::file_name_for_id;

/// How fast melodies are played.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Tempo {
    /// All alike, in quarter notes per minute: judges should compare melodies, not tempi.
    Fixed(f64),
    /// As the source says, and as all others where it does not.
    Source,
}

/// How fast melodies are played of which nothing is known, in quarter notes per minute.
pub const DEFAULT_TEMPO: f64 = 120.0;

impl FromStr for Tempo {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text.eq_ignore_ascii_case("source") {
            return Ok(Self::Source);
        }
        let number = text.parse().ok();
        let number = number.filter(|number| (1.0..=1_000.0).contains(number));
        let message = "expected quarter notes per minute from 1 to 1,000, or `source`";
        number.map(Self::Fixed).ok_or_else(|| message.to_owned())
    }
}

/// How items become files of sound.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RenderRequest {
    /// The format of the files.
    pub audio: AudioFormat,
    /// Samples per second.
    pub rate: u32,
    /// How fast melodies are played.
    pub tempo: Tempo,
    /// How loud clips are, in LUFS (ITU-R BS.1770).
    pub loudness: f64,
    /// Whether the result says when each note sounds.
    pub with_note_timings: bool,
}

impl Default for RenderRequest {
    /// FLAC with the settings of [`Sound`].
    fn default() -> Self {
        let sound = ClipRenderer::default();
        Self {
            audio: AudioFormat::Flac,
            rate: sound.rate,
            tempo: Tempo::Fixed(sound.tempo),
            loudness: sound.loudness,
            with_note_timings: false,
        }
    }
}

impl RenderRequest {
    /// The sound of an item whose source says this tempo.
    fn sound(&self, said: Option<f64>) -> ClipRenderer {
        ClipRenderer {
            rate: self.rate,
            loudness: self.loudness,
            tempo: match self.tempo {
                Tempo::Fixed(tempo) => tempo,
                Tempo::Source => said.unwrap_or(DEFAULT_TEMPO),
            },
        }
    }
}

/// Clips that were made.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct RenderReport {
    /// The clips, in the order of the items.
    pub clips: Vec<RenderedClip>,
}

/// One clip that was made.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct RenderedClip {
    /// The item.
    pub item: String,
    /// The name of its file.
    pub file: String,
    /// How long it takes to listen to it, in seconds.
    pub seconds: f64,
    /// When the first note begins, in seconds.
    pub lead: f64,
    /// The highest sample, in dB below full scale, to two decimals.
    pub peak: f64,
    /// How loud it is, in LUFS, to two decimals.
    pub loudness: f64,
    /// SHA-256 of the file.
    pub sha256: String,
    /// When each note sounds, where that was asked for; none for a recording.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub notes: Option<Vec<NoteTiming>>,
}

/// Why clips were not made.
#[derive(Debug, thiserror::Error)]
pub enum RenderError {
    /// Something cannot be rendered, whatever the item.
    #[error(transparent)]
    InvalidSettings(ClipError),
    /// An item is not there, or cannot be read.
    #[error(transparent)]
    Lookup(#[from] ItemLookupError),
    /// An item cannot be rendered.
    #[error("{item} cannot be rendered: {why}")]
    Item {
        /// The item.
        item: String,
        /// Why.
        why: RecordingError,
    },
    /// A clip cannot be written in the format.
    #[error("{item}: {why}")]
    ClipWrite {
        /// The item.
        item: String,
        /// Why.
        why: ClipWriteError,
    },
    /// A file cannot be kept.
    #[error("{file} cannot be written: {error}")]
    FileWrite {
        /// Its name.
        file: String,
        /// Why.
        error: std::io::Error,
    },
    /// The work was stopped.
    #[error(transparent)]
    Stopped(#[from] WorkError),
}

impl From<CollectionError> for RenderError {
    fn from(error: CollectionError) -> Self {
        ItemLookupError::from(error).into()
    }
}

/// Takes the name of a file and its bytes.
pub type ClipSink<'a> = dyn Fn(&str, &[u8]) -> std::io::Result<()> + Sync + 'a;

/// Makes clips of the items of these ids, or of all, and hands over their files. Melodies sound as the
/// timbre does, recordings as they are.
///
/// # Errors
/// [`RenderError`] for the first item of which no clip can be made. Files of others may have been handed over.
pub fn render_collection<S: AsRef<str>>(
    collection: &Collection,
    ids: &[S],
    request: &RenderRequest,
    timbre: &(dyn Instrument + Sync),
    keep: &ClipSink<'_>,
    work: &dyn Work,
) -> Result<RenderReport, RenderError> {
    request
        .sound(None)
        .check()
        .map_err(RenderError::InvalidSettings)?;
    let numbers = collection.positions_of(ids)?;
    // The first that fails is reported; none after it need be tried.
    let failed = AtomicUsize::new(usize::MAX);
    let clips = work.map("rendering clips", numbers.len(), |piece| {
        if piece > failed.load(Ordering::Relaxed) {
            return None;
        }
        let made = one(collection, numbers[piece], request, timbre, keep);
        if made.is_err() {
            failed.fetch_min(piece, Ordering::Relaxed);
        }
        Some(made)
    })?;
    let clips = clips.into_iter().flatten();
    let clips = clips.collect::<Result<Vec<RenderedClip>, RenderError>>()?;
    Ok(RenderReport { clips })
}

fn one(
    collection: &Collection,
    number: u64,
    request: &RenderRequest,
    timbre: &dyn Instrument,
    keep: &ClipSink<'_>,
) -> Result<RenderedClip, RenderError> {
    let item = collection.item(number)?;
    let clip = clip(collection, &item, request, timbre)?;
    let bytes = clip.encode(request.audio);
    let bytes = bytes.map_err(|why| RenderError::ClipWrite {
        item: item.id.clone(),
        why,
    })?;
    let file = format!("{}.{}", file_name_for_id(&item.id), request.audio);
    if let Err(error) = keep(&file, &bytes) {
        return Err(RenderError::FileWrite { file, error });
    }
    Ok(RenderedClip {
        item: item.id,
        file,
        seconds: clip.seconds(),
        lead: clip.lead_seconds,
        peak: two_decimals(clip.peak_dbfs),
        loudness: two_decimals(clip.loudness_lufs),
        sha256: super::renderer::sha256_hex(&bytes),
        notes: request.with_note_timings.then_some(clip.notes),
    })
}

/// The last digits of a logarithm are not the same on all machines.
fn two_decimals(level: f64) -> f64 {
    (level * 100.0).round() / 100.0
}

fn clip(
    collection: &Collection,
    item: &CollectionItem,
    request: &RenderRequest,
    timbre: &dyn Instrument,
) -> Result<Clip, RenderError> {
    let sound = request.sound(collection.metadata(item)?.tempo);
    let made = match (collection.melody(item)?, collection.clip(item)?) {
        (Some(melody), _) => sound
            .render_melody(&melody, timbre)
            .map_err(RecordingError::from),
        (None, clip) => sound.normalise_recording(clip.expect("what is no melody is a clip")),
    };
    made.map_err(|why| RenderError::Item {
        item: item.id.clone(),
        why,
    })
}

//! Rendering of the items of a collection as audio clips: melodies are synthesized, recordings are
//! normalised.

use std::str::FromStr;
use std::sync::atomic::{AtomicUsize, Ordering};

use partita_core::work::{Work, WorkError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::renderer::{
    AudioFormat, Clip, ClipError, ClipRenderer, ClipWriteError, Instrument, NoteTiming,
    RecordingError,
};
use crate::collection::{Collection, CollectionError, CollectionItem, ItemLookupError};
use crate::sha256_hex;
use crate::writers::file_name_for_id;

/// Rule for the tempo of rendered melodies.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(try_from = "String")]
pub enum Tempo {
    /// The same tempo for all melodies, in quarter notes per minute, so that differences in tempo
    /// do not affect judgments.
    Fixed(f64),
    /// The first tempo that the source file of the melody states, or [`DEFAULT_TEMPO`] if none.
    Source,
}

/// Tempo of melodies whose source file states no tempo, in quarter notes per minute.
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

impl TryFrom<String> for Tempo {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

/// Request to render items as audio files: the options of `partita collection render`. Its fields are read
/// from JSON by the names of the options.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RenderRequest {
    /// Format of the audio files.
    pub audio: AudioFormat,
    /// Sample rate in Hz.
    pub rate: u32,
    /// Rule that decides the tempo of each melody.
    pub tempo: Tempo,
    /// Target loudness of clips, in LUFS (ITU-R BS.1770).
    pub loudness: f64,
    /// True if the report lists the onset and end of every note of every clip.
    #[serde(rename = "details")]
    pub with_note_timings: bool,
}

impl Default for RenderRequest {
    /// Returns settings for FLAC files with the default rate, tempo and loudness of
    /// [`ClipRenderer`].
    fn default() -> Self {
        let renderer = ClipRenderer::default();
        Self {
            audio: AudioFormat::Flac,
            rate: renderer.rate,
            tempo: Tempo::Fixed(renderer.tempo),
            loudness: renderer.loudness,
            with_note_timings: false,
        }
    }
}

impl RenderRequest {
    /// Returns the renderer for an item. `source_tempo` is the tempo of its source file in quarter
    /// notes per minute, if stated.
    fn renderer(&self, source_tempo: Option<f64>) -> ClipRenderer {
        ClipRenderer {
            rate: self.rate,
            loudness: self.loudness,
            tempo: match self.tempo {
                Tempo::Fixed(tempo) => tempo,
                Tempo::Source => source_tempo.unwrap_or(DEFAULT_TEMPO),
            },
        }
    }
}

/// Report on the clips that were rendered.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct RenderReport {
    /// Rendered clips, in the order of the requested items.
    pub clips: Vec<RenderedClip>,
}

/// Report on one rendered clip and its audio file.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct RenderedClip {
    /// Id of the collection item that was rendered.
    pub item: String,
    /// Name of the audio file, without folder.
    pub file: String,
    /// Duration of the clip, in seconds.
    pub seconds: f64,
    /// Silence before the first note or, in a recording, before the first sound, in seconds.
    pub lead: f64,
    /// Largest absolute sample value, in dB relative to full scale, rounded to two decimals.
    pub peak: f64,
    /// Measured integrated loudness (ITU-R BS.1770), in LUFS, rounded to two decimals.
    pub loudness: f64,
    /// SHA-256 of the audio file, in hexadecimal digits.
    pub sha256: String,
    /// Onset and end of every note, in the clip; empty for a recording, and left out of the JSON if
    /// not requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub notes: Option<Vec<NoteTiming>>,
}

/// Error that stops the rendering of clips.
#[derive(Debug, thiserror::Error)]
pub enum RenderError {
    /// The sample rate, tempo or loudness is out of range.
    #[error(transparent)]
    InvalidSettings(ClipError),
    /// A requested item does not exist or cannot be read.
    #[error(transparent)]
    Lookup(#[from] ItemLookupError),
    /// An item cannot be rendered as a clip.
    #[error("{item} cannot be rendered: {why}")]
    Item {
        /// Id of the item that cannot be rendered.
        item: String,
        /// Reason why the item cannot be rendered.
        why: RecordingError,
    },
    /// A clip cannot be encoded in the requested audio format.
    #[error("{item}: {why}")]
    ClipWrite {
        /// Id of the item whose clip cannot be encoded.
        item: String,
        /// Reason why the clip cannot be encoded.
        why: ClipWriteError,
    },
    /// An audio file cannot be written.
    #[error("{file} cannot be written: {error}")]
    FileWrite {
        /// Name of the file that cannot be written.
        file: String,
        /// Error of the operating system for that file.
        error: std::io::Error,
    },
    /// The rendering was cancelled.
    #[error(transparent)]
    Stopped(#[from] WorkError),
}

impl From<CollectionError> for RenderError {
    fn from(error: CollectionError) -> Self {
        ItemLookupError::from(error).into()
    }
}

/// Callback that receives the name and the bytes of each audio file and stores them.
pub type ClipSink<'a> = dyn Fn(&str, &[u8]) -> std::io::Result<()> + Sync + 'a;

/// Renders the collection items with the given ids, or all items if `ids` is empty, and passes the
/// audio files to `sink`. Melodies are played by the instrument. Recordings are trimmed and
/// normalised in loudness.
///
/// # Errors
/// Returns [`RenderError`] if a setting is out of range, an id is unknown, the work is cancelled or
/// an item fails; the error is that of the first item that fails. The sink may have received files
/// of other items.
pub fn render_collection<S: AsRef<str>>(
    collection: &Collection,
    ids: &[S],
    request: &RenderRequest,
    instrument: &(dyn Instrument + Sync),
    sink: &ClipSink<'_>,
    work: &dyn Work,
) -> Result<RenderReport, RenderError> {
    request
        .renderer(None)
        .check_settings()
        .map_err(RenderError::InvalidSettings)?;
    let positions = collection.positions_of(ids)?;
    // Index of the first item that failed. Items after it are not rendered.
    let failed = AtomicUsize::new(usize::MAX);
    let clips = work.map("rendering clips", positions.len(), |index| {
        if index > failed.load(Ordering::Relaxed) {
            return None;
        }
        let rendered = render_item(collection, positions[index], request, instrument, sink);
        if rendered.is_err() {
            failed.fetch_min(index, Ordering::Relaxed);
        }
        Some(rendered)
    })?;
    let clips = clips.into_iter().flatten().collect::<Result<_, _>>()?;
    Ok(RenderReport { clips })
}

fn render_item(
    collection: &Collection,
    position: u64,
    request: &RenderRequest,
    instrument: &dyn Instrument,
    sink: &ClipSink<'_>,
) -> Result<RenderedClip, RenderError> {
    let item = collection.item(position)?;
    let clip = clip_for_item(collection, &item, request, instrument)?;
    let encoded = clip.encode(request.audio);
    let bytes = encoded.map_err(|why| RenderError::ClipWrite {
        item: item.id.clone(),
        why,
    })?;
    let file = format!("{}.{}", file_name_for_id(&item.id), request.audio);
    if let Err(error) = sink(&file, &bytes) {
        return Err(RenderError::FileWrite { file, error });
    }
    Ok(RenderedClip {
        item: item.id,
        file,
        seconds: clip.seconds(),
        lead: clip.lead_seconds,
        peak: round_to_two_decimals(clip.peak_dbfs),
        loudness: round_to_two_decimals(clip.loudness_lufs),
        sha256: sha256_hex(&bytes),
        notes: request.with_note_timings.then_some(clip.notes),
    })
}

/// Rounds a level in dB or LUFS to two decimals, because the last digits of a logarithm differ
/// between machines.
fn round_to_two_decimals(level: f64) -> f64 {
    (level * 100.0).round() / 100.0
}

fn clip_for_item(
    collection: &Collection,
    item: &CollectionItem,
    request: &RenderRequest,
    instrument: &dyn Instrument,
) -> Result<Clip, RenderError> {
    let renderer = request.renderer(collection.metadata(item)?.tempo);
    let clip = match (collection.melody(item)?, collection.recording_bytes(item)?) {
        (Some(melody), _) => renderer
            .render_melody(&melody, instrument)
            .map_err(RecordingError::from),
        (None, clip) => {
            renderer.normalise_recording(clip.expect("an item without a melody is a recording"))
        }
    };
    clip.map_err(|why| RenderError::Item {
        item: item.id.clone(),
        why,
    })
}

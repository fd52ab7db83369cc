//! Features of melodies, for filtering and for other programs.
//!
//! ```
//! use partita_melody::features;
//! use partita_melody::{Beats, Melody, Note, Pitch};
//!
//! let pitches = [67, 67, 71, 69].map(|number| Pitch::new(number).expect("a key of a piano"));
//! let notes = pitches.iter().zip(0..).map(|(&pitch, beat)| {
//!     Note::new(pitch, Beats::from_integer(beat), Beats::from_integer(1))
//! });
//! let melody = Melody::new(notes.collect())?;
//! assert_eq!(features::contour(&melody), "RUD");
//! assert_eq!((features::pitch_range(&melody), features::interval_max(&melody)), (4, 4));
//! # Ok::<(), partita_melody::MelodyError>(())
//! ```

mod filter;
pub mod key;
mod verovio;

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use crate::collection::{Collection, CollectionError, CollectionItem, ItemKind, ItemLookupError};
use crate::note::beats_to_f64;
use crate::{ItemMetadata, Melody};

pub use filter::{Feature, FeatureFilter, FeatureFilterError, QueryFeatures};

/// Number of successive intervals that form a motive.
const MOTIVE_INTERVALS: usize = 3;

/// Features of several melodies of a collection.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Features {
    /// Features of each melody.
    pub items: Vec<ItemFeatures>,
}

/// Features of one melody.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ItemFeatures {
    /// Item id of the melody.
    pub item: String,
    /// Pitch of each note in Plaine & Easie notation, for example `'G` or `''xF`; same values as in
    /// Verovio.
    #[serde(rename = "pitchesChromatic")]
    pub pitches_chromatic: Vec<String>,
    /// Letter name of the pitch of each note; same values as in Verovio.
    #[serde(rename = "pitchesDiatonic")]
    pub pitches_diatonic: Vec<String>,
    /// Intervals between successive notes in semitones; same values as in Verovio.
    #[serde(rename = "intervalsChromatic")]
    pub intervals_chromatic: Vec<String>,
    /// Intervals between successive notes in diatonic steps; same values as in Verovio.
    #[serde(rename = "intervalsDiatonic")]
    pub intervals_diatonic: Vec<String>,
    /// Direction of each interval: up (U), down (D) or same (s); same values as in Verovio.
    #[serde(rename = "intervalGrossContour")]
    pub interval_gross_contour: Vec<String>,
    /// Direction of each interval, in lower case for intervals of at most two semitones; same
    /// values as in Verovio.
    #[serde(rename = "intervalRefinedContour")]
    pub interval_refined_contour: Vec<String>,
    /// Number of notes.
    pub notes: usize,
    /// Interval from the lowest to the highest pitch, in semitones.
    pub pitch_range: u32,
    /// Largest interval between successive notes in semitones, up or down; 0 for one note.
    pub interval_max: u32,
    /// Relative frequency of each interval between successive notes, by its size in semitones,
    /// which is negative for downward intervals.
    #[schemars(with = "BTreeMap<String, f64>")]
    pub interval_histogram: BTreeMap<i32, f64>,
    /// Number of distinct motives of three intervals that occur more than once.
    pub repeated_motives: usize,
    /// Direction of each interval: up (U), down (D) or repeated (R).
    pub contour: String,
    /// Ratio of the longest to the shortest note duration.
    pub duration_ratio: f64,
    /// Key estimated by the Krumhansl-Schmuckler algorithm, for example `G major`; null if all keys
    /// fit equally well.
    pub key: Option<String>,
    /// First metre of the melody, for example `3/4`; null if the imported file states none.
    pub time: Option<String>,
}

/// Returns the interval from the lowest to the highest pitch, in semitones.
pub fn pitch_range(melody: &Melody) -> u32 {
    let pitches = melody.notes().iter().map(|note| note.pitch.number());
    let (low, high) = pitches.fold((u8::MAX, 0), |(low, high), pitch| {
        (low.min(pitch), high.max(pitch))
    });
    u32::from(high - low)
}

/// Returns the largest interval between successive notes in semitones, up or down; 0 for one note.
pub fn interval_max(melody: &Melody) -> u32 {
    melody.intervals().map(i32::unsigned_abs).max().unwrap_or(0)
}

/// Returns the relative frequency of each interval between successive notes, by its size in
/// semitones, which is negative for downward intervals; empty for one note.
pub fn interval_histogram(melody: &Melody) -> BTreeMap<i32, f64> {
    let mut counts: BTreeMap<i32, f64> = BTreeMap::new();
    for interval in melody.intervals() {
        *counts.entry(interval).or_insert(0.0) += 1.0;
    }
    let all = (melody.len() - 1) as f64;
    counts.values_mut().for_each(|count| *count /= all);
    counts
}

/// Returns the number of distinct motives of three intervals that occur more than once.
pub fn repeated_motives(melody: &Melody) -> usize {
    let intervals: Vec<i32> = melody.intervals().collect();
    let mut motives: Vec<&[i32]> = intervals.windows(MOTIVE_INTERVALS).collect();
    motives.sort_unstable();
    let alike = motives.chunk_by(|one, other| one == other);
    alike.filter(|group| group.len() > 1).count()
}

/// Returns the direction of each interval between successive notes: up (U), down (D) or repeated
/// (R).
pub fn contour(melody: &Melody) -> String {
    let letter = |interval: i32| match interval {
        1.. => 'U',
        0 => 'R',
        _ => 'D',
    };
    melody.intervals().map(letter).collect()
}

/// Returns the ratio of the longest to the shortest note duration.
pub fn duration_ratio(melody: &Melody) -> f64 {
    let durations = || melody.notes().iter().map(|note| note.duration);
    let longest = durations().max().expect("a melody has notes");
    let shortest = durations().min().expect("a melody has notes");
    beats_to_f64(longest) / beats_to_f64(shortest)
}

/// Computes all features of a melody.
fn item_features(item: &CollectionItem, melody: &Melody, info: ItemMetadata) -> ItemFeatures {
    ItemFeatures {
        item: item.id.clone(),
        pitches_chromatic: verovio::pitches_chromatic(melody),
        pitches_diatonic: verovio::pitches_diatonic(melody),
        intervals_chromatic: verovio::intervals_chromatic(melody),
        intervals_diatonic: verovio::intervals_diatonic(melody),
        interval_gross_contour: verovio::gross_contour(melody),
        interval_refined_contour: verovio::refined_contour(melody),
        notes: melody.len(),
        pitch_range: pitch_range(melody),
        interval_max: interval_max(melody),
        interval_histogram: interval_histogram(melody),
        repeated_motives: repeated_motives(melody),
        contour: contour(melody),
        duration_ratio: duration_ratio(melody),
        key: key::estimate_key(melody).map(|key| key.to_string()),
        time: info.time,
    }
}

/// Computes the features of the melodies with the given ids, or of all melodies of the collection
/// if `ids` is empty.
///
/// # Errors
/// Returns [`ItemLookupError`] if an item does not exist, is a recording or cannot be read.
pub fn features<S: AsRef<str>>(
    collection: &Collection,
    ids: &[S],
) -> Result<Features, ItemLookupError> {
    let items: Result<_, CollectionError> = iter_features(collection, ids)?.collect();
    Ok(Features { items: items? })
}

/// Iterates over the features of the melodies with the given ids, or of all melodies of the
/// collection if `ids` is empty, in constant memory.
///
/// # Errors
/// Returns [`ItemLookupError`] if an item does not exist, is a recording or cannot be looked up.
/// The iterator returns [`CollectionError`] if a melody or its metadata cannot be read.
pub fn iter_features<'a, S: AsRef<str>>(
    collection: &'a Collection,
    ids: &[S],
) -> Result<impl Iterator<Item = Result<ItemFeatures, CollectionError>> + use<'a, S>, ItemLookupError>
{
    let all = (ids.is_empty()).then(|| {
        (collection.melodies(0)).map(|found| found.map(|(_, item, melody)| (item, melody)))
    });
    let mut named = Vec::with_capacity(ids.len());
    for id in ids {
        let item = collection.item_by_id(id.as_ref())?;
        if item.kind == ItemKind::Audio {
            return Err(ItemLookupError::NotAMelody(item.id));
        }
        named.push(item);
    }
    let named = named.into_iter().map(|item| {
        let melody = collection.melody(&item)?;
        Ok((item, melody.expect("only recordings have no melody")))
    });
    let found = all.into_iter().flatten().chain(named);
    Ok(found.map(|found: Result<_, CollectionError>| {
        let (item, melody) = found?;
        let info = collection.metadata(&item)?;
        Ok(item_features(&item, &melody, info))
    }))
}

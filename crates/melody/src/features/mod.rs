//! Features: what can be said of a melody in numbers and letters, for filtering and for others' programs.
//!
//! ```
//! use partita_melody::feature;
//! use partita_melody::{Beats, Melody, Note, Pitch};
//!
//! let pitches = [67, 67, 71, 69].map(|number| Pitch::new(number).expect("a key of a piano"));
//! let notes = pitches.iter().zip(0..).map(|(&pitch, beat)| {
//!     Note::new(pitch, Beats::from_integer(beat), Beats::from_integer(1))
//! });
//! let melody = Melody::new(notes.collect())?;
//! assert_eq!(feature::contour(&melody), "RUD");
//! assert_eq!((feature::pitch_range(&melody), feature::interval_max(&melody)), (4, 4));
//! # Ok::<(), partita_melody::MelodyError>(())
//! ```

mod filter;
pub mod key;
mod verovio;

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use crate::Melody;
use crate::collection::{
    Collection, CollectionError, CollectionItem, ItemKind, ItemLookupError, ItemMetadata,
};
use crate::note::beats_to_f64;
use verovio::VerovioFeatures;

pub use filter::{Feature, FeatureFilter, FeatureFilterError, QueryFeatures};

/// How many intervals a motive has.
const MOTIVE: usize = 3;

/// Features of items.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Features {
    /// The items.
    pub items: Vec<ItemFeatures>,
}

/// Features of one melody.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ItemFeatures {
    /// The item.
    pub item: String,
    /// Its pitches as Plaine & Easie writes them, as in Verovio's list: `'G`, `''xF`.
    #[serde(rename = "pitchesChromatic")]
    pub pitches_chromatic: Vec<String>,
    /// The letters of its pitches, as in Verovio's list.
    #[serde(rename = "pitchesDiatonic")]
    pub pitches_diatonic: Vec<String>,
    /// Its intervals in semitones, as in Verovio's list.
    #[serde(rename = "intervalsChromatic")]
    pub intervals_chromatic: Vec<String>,
    /// Its intervals in steps of the staff, as in Verovio's list.
    #[serde(rename = "intervalsDiatonic")]
    pub intervals_diatonic: Vec<String>,
    /// Whether each interval goes up (U), down (D) or nowhere (s), as in Verovio's list.
    #[serde(rename = "intervalGrossContour")]
    pub interval_gross_contour: Vec<String>,
    /// The same with small letters for intervals of at most two semitones, as in Verovio's list.
    #[serde(rename = "intervalRefinedContour")]
    pub interval_refined_contour: Vec<String>,
    /// How many notes it has.
    pub notes: usize,
    /// From its lowest pitch to its highest, in semitones.
    pub pitch_range: u32,
    /// Its largest interval in semitones, up or down; 0 for one note.
    pub interval_max: u32,
    /// The share of each interval, in semitones.
    #[schemars(with = "BTreeMap<String, f64>")]
    pub interval_histogram: BTreeMap<i32, f64>,
    /// How many different motives of three intervals come more than once.
    pub repeated_motives: usize,
    /// Whether each interval goes up (U), goes down (D) or repeats the pitch (R).
    pub contour: String,
    /// How many times as long as its shortest note its longest is.
    pub duration_ratio: f64,
    /// The key that fits best, by Krumhansl and Schmuckler: `G major`; null where all pitches fit alike.
    pub key: Option<String>,
    /// The first metre; null where the source says none.
    pub time: Option<String>,
}

/// From the lowest pitch to the highest, in semitones.
pub fn pitch_range(melody: &Melody) -> u32 {
    let pitches = melody.notes().iter().map(|note| note.pitch.number());
    let (low, high) = pitches.fold((u8::MAX, 0), |(low, high), pitch| {
        (low.min(pitch), high.max(pitch))
    });
    u32::from(high - low)
}

/// The largest interval in semitones, up or down; 0 for one note.
pub fn interval_max(melody: &Melody) -> u32 {
    melody.intervals().map(i32::unsigned_abs).max().unwrap_or(0)
}

/// The share of each interval, in semitones.
pub fn interval_histogram(melody: &Melody) -> BTreeMap<i32, f64> {
    let mut counts: BTreeMap<i32, f64> = BTreeMap::new();
    for interval in melody.intervals() {
        *counts.entry(interval).or_insert(0.0) += 1.0;
    }
    let all = (melody.len() - 1) as f64;
    counts.values_mut().for_each(|count| *count /= all);
    counts
}

/// How many different motives of three intervals come more than once.
pub fn repeated_motives(melody: &Melody) -> usize {
    let intervals: Vec<i32> = melody.intervals().collect();
    let mut motives: Vec<&[i32]> = intervals.windows(MOTIVE).collect();
    motives.sort_unstable();
    let alike = motives.chunk_by(|one, other| one == other);
    alike.filter(|group| group.len() > 1).count()
}

/// Whether each interval goes up (U), goes down (D) or repeats the pitch (R).
pub fn contour(melody: &Melody) -> String {
    let letter = |interval: i32| match interval {
        1.. => 'U',
        0 => 'R',
        _ => 'D',
    };
    melody.intervals().map(letter).collect()
}

/// How many times as long as the shortest note the longest is.
pub fn duration_ratio(melody: &Melody) -> f64 {
    let durations = || melody.notes().iter().map(|note| note.duration);
    let longest = durations().max().expect("a melody has notes");
    let shortest = durations().min().expect("a melody has notes");
    beats_to_f64(longest) / beats_to_f64(shortest)
}

/// All features of a melody.
fn item_features(item: &CollectionItem, melody: &Melody, info: ItemMetadata) -> ItemFeatures {
    let lists = VerovioFeatures::from_melody(melody);
    ItemFeatures {
        item: item.id.clone(),
        pitches_chromatic: lists.pitches_chromatic,
        pitches_diatonic: lists.pitches_diatonic,
        intervals_chromatic: lists.intervals_chromatic,
        intervals_diatonic: lists.intervals_diatonic,
        interval_gross_contour: lists.gross_contour,
        interval_refined_contour: lists.refined_contour,
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

/// The features of the melodies of these ids, or of all; then clips are passed over.
///
/// # Errors
/// [`NotShown`] where one is not there, is a clip, or cannot be read.
pub fn features<S: AsRef<str>>(
    collection: &Collection,
    ids: &[S],
) -> Result<Features, ItemLookupError> {
    let items: Result<_, CollectionError> = iter_features(collection, ids)?.collect();
    Ok(Features { items: items? })
}

/// The same one by one, as they are asked for: of a million melodies only some are held at a time.
///
/// # Errors
/// [`NotShown`] where one of these ids is not there or is a clip; later, where a melody cannot be read.
pub fn iter_features<'a, S: AsRef<str>>(
    collection: &'a Collection,
    ids: &[S],
) -> Result<impl Iterator<Item = Result<ItemFeatures, CollectionError>> + use<'a, S>, ItemLookupError>
{
    let all = (ids.is_empty()).then(|| {
        (collection.melodies(0)).map(|found| found.map(|(_, item, melody)| (item, melody)))
    });
    let mut these = Vec::with_capacity(ids.len());
    for id in ids {
        let item = collection.item_by_id(id.as_ref())?;
        if item.kind == ItemKind::Audio {
            return Err(ItemLookupError::NotAMelody(item.id));
        }
        these.push(item);
    }
    let these = these.into_iter().map(|item| {
        let melody = collection.melody(&item)?;
        let melody = melody.expect("what is no clip is a melody");
        Ok((item, melody))
    });
    let found = all.into_iter().flatten().chain(these);
    Ok(found.map(|found: Result<_, CollectionError>| {
        let (item, melody) = found?;
        let info = collection.metadata(&item)?;
        Ok(item_features(&item, &melody, info))
    }))
}

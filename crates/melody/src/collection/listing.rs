//! What is in a collection, as plain data.

use schemars::JsonSchema;
use serde::Serialize;

use super::{Collection, CollectionError, CollectionItem, ItemKind, ItemMetadata};
use crate::note::beats_to_f64;
use crate::readers::MelodyFormat;
use crate::{Beats, Checksum, Melody};

/// Items of a collection, in the order of their ids.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct CollectionListing {
    /// How many items the collection has.
    pub total: u64,
    /// Those that were asked for.
    pub items: Vec<ItemSummary>,
}

/// One item in a list.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ItemSummary {
    /// What it is called.
    pub item: String,
    /// What it is.
    pub kind: ItemKind,
    /// How many notes it has; null for a clip.
    pub notes: Option<usize>,
    /// How long it is in quarter notes, outer rests left out; null for a clip.
    pub beats: Option<f64>,
    /// How long it sounds, in seconds: a melody at 120 quarter notes per minute, outer rests left out.
    pub seconds: f64,
    /// SHA-256 of its notes or samples.
    pub checksum: Checksum,
    /// The same for melodies that are equal but for transposition and outer rests.
    pub content: Checksum,
    /// The format that it was read from.
    pub format: MelodyFormat,
    /// The file that it was read from, from the place that was imported.
    pub source: String,
}

impl Collection {
    /// The items from a number on, at most so many.
    ///
    /// # Errors
    /// [`CollectionError`] where something cannot be read. Where all items are asked for, every byte of the
    /// collection is checked, also those that a list does not show.
    pub fn listing(
        &self,
        offset: u64,
        limit: Option<u64>,
    ) -> Result<CollectionListing, CollectionError> {
        if limit.is_none() && offset == 0 {
            self.verify()?;
        }
        let most = limit.unwrap_or(u64::MAX).min(self.len());
        let mut items = Vec::new();
        self.each(offset, most, &mut |item, known, _| {
            let source = super::info(&item, known)?.source;
            let melody = item.kind == ItemKind::Melody;
            items.push(ItemSummary {
                kind: item.kind,
                notes: melody.then_some(item.notes),
                beats: melody.then(|| beats_to_f64(item.length)),
                seconds: item.seconds,
                checksum: item.checksum,
                content: item.content_checksum,
                format: item.format,
                source,
                item: item.id,
            });
            Ok(())
        })?;
        Ok(CollectionListing {
            total: self.len(),
            items,
        })
    }

    /// All that is known of the items of these ids, in the order in which they are asked for.
    ///
    /// # Errors
    /// [`NotShown`] where one is not there, or cannot be read.
    pub fn details<S: AsRef<str>>(&self, ids: &[S]) -> Result<ItemDetailsList, ItemLookupError> {
        let items = ids
            .iter()
            .map(|id| Ok(self.shown(&self.item_by_id(id.as_ref())?)?));
        let items = items.collect::<Result<_, ItemLookupError>>()?;
        Ok(ItemDetailsList { items })
    }

    /// Hands over the melodies of these ids in the order in which they are asked for, or all in the order of
    /// ids if none is asked for, until one is refused.
    ///
    /// # Errors
    /// What whoever takes them says, or [`NotShown`] where one is not there, is a clip, or cannot be read.
    pub fn for_each_melody<S: AsRef<str>, E: From<ItemLookupError>>(
        &self,
        ids: &[S],
        take: &mut dyn FnMut(&CollectionItem, &Melody, &ItemMetadata) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut one = |item: &CollectionItem| {
            let known = || -> Result<(Option<Melody>, ItemMetadata), CollectionError> {
                Ok((self.melody(item)?, self.metadata(item)?))
            };
            match known().map_err(ItemLookupError::from)? {
                (Some(melody), info) => take(item, &melody, &info),
                (None, _) => Err(ItemLookupError::NotAMelody(item.id.clone()).into()),
            }
        };
        if ids.is_empty() {
            return self
                .items(0)
                .try_for_each(|item| one(&item.map_err(ItemLookupError::from)?));
        }
        ids.iter()
            .try_for_each(|id| one(&self.item_by_id(id.as_ref())?))
    }

    /// The numbers of the items of these ids, or of all if none is asked for.
    ///
    /// # Errors
    /// [`NotShown`] where one is not there, or ids cannot be read.
    pub fn positions_of<S: AsRef<str>>(&self, ids: &[S]) -> Result<Vec<u64>, ItemLookupError> {
        if ids.is_empty() {
            return Ok((0..self.len()).collect());
        }
        ids.iter().map(|id| self.number(id.as_ref())).collect()
    }

    fn number(&self, id: &str) -> Result<u64, ItemLookupError> {
        match self.position_of(id)? {
            Some(number) => Ok(number),
            None => Err(ItemLookupError::UnknownId {
                id: id.to_owned(),
                nearest: self.nearest_id(id)?,
            }),
        }
    }

    /// The item of this id.
    ///
    /// # Errors
    /// [`NotShown`] where there is none, or it cannot be read.
    pub fn item_by_id(&self, id: &str) -> Result<CollectionItem, ItemLookupError> {
        Ok(self.item(self.number(id)?)?)
    }

    fn shown(&self, item: &CollectionItem) -> Result<ItemDetails, CollectionError> {
        let info = self.metadata(item)?;
        let melody = self.melody(item)?;
        let notes = melody.iter().flat_map(|melody| melody.notes());
        let notes = notes.map(|note| NoteDetails {
            pitch: note.pitch.number(),
            name: note.name(),
            onset: fraction(note.onset),
            duration: fraction(note.duration),
        });
        Ok(ItemDetails {
            notes: notes.collect(),
            id: item.id.clone(),
            kind: item.kind,
            format: item.format,
            source: info.source,
            clef: info.clef,
            key: info.key,
            time: info.time,
            tempo: info.tempo,
            grace_notes: item.grace_notes,
            checksum: item.checksum,
            content: item.content_checksum,
            seconds: item.seconds,
        })
    }

    /// The id that is most like this one, if any is.
    ///
    /// # Errors
    /// [`CollectionError`] where ids cannot be read.
    pub fn nearest_id(&self, id: &str) -> Result<Option<String>, CollectionError> {
        let asked = id.to_lowercase();
        let mut best: Option<(f64, String)> = None;
        for item in self.items(0) {
            let known = item?.id;
            let likeness = strsim::jaro_winkler(&asked, &known.to_lowercase());
            if best.as_ref().is_none_or(|(most, _)| likeness > *most) {
                best = Some((likeness, known));
            }
        }
        Ok(best
            .filter(|(likeness, _)| *likeness > 0.6)
            .map(|(_, id)| id))
    }
}

/// Why items were not shown.
#[derive(Debug, thiserror::Error)]
pub enum ItemLookupError {
    /// None has that id.
    #[error("the collection has no item called {id}")]
    UnknownId {
        /// The id that was asked for.
        id: String,
        /// The one that is most like it.
        nearest: Option<String>,
    },
    /// It is a recording, and notes were asked for.
    #[error("{0} is a recording and has no notes")]
    NotAMelody(String),
    /// The collection cannot be read.
    #[error(transparent)]
    Collection(#[from] CollectionError),
}

/// Items in full.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ItemDetailsList {
    /// The items.
    pub items: Vec<ItemDetails>,
}

/// One item in full.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ItemDetails {
    /// What it is called.
    pub id: String,
    /// What it is.
    pub kind: ItemKind,
    /// The format that it was read from.
    pub format: MelodyFormat,
    /// The file that it was read from, from the place that was imported.
    pub source: String,
    /// The first clef, as Plaine & Easie writes it: `G-2`.
    pub clef: Option<String>,
    /// The first key signature, as Plaine & Easie writes it: `xFC`; `n` for none.
    pub key: Option<String>,
    /// The first metre: `3/4`.
    pub time: Option<String>,
    /// The first tempo, in quarter notes per minute.
    pub tempo: Option<f64>,
    /// How many grace notes were left out.
    pub grace_notes: u32,
    /// SHA-256 of its notes or samples.
    pub checksum: Checksum,
    /// The same for melodies that are equal but for transposition and outer rests.
    pub content: Checksum,
    /// How long it sounds, in seconds: a melody at 120 quarter notes per minute, outer rests left out.
    pub seconds: f64,
    /// Its notes; none for a clip.
    pub notes: Vec<NoteDetails>,
}

/// One note.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct NoteDetails {
    /// Its MIDI number.
    pub pitch: u8,
    /// Its name with the octave.
    pub name: String,
    /// When it begins, in quarter notes: `1/2`.
    pub onset: String,
    /// How long it sounds, in quarter notes.
    pub duration: String,
}

/// A time as a fraction: `3/2`, `2`.
fn fraction(time: Beats) -> String {
    time.to_string()
}

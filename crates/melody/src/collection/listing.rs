//! Listings and item details of a collection, as plain data.

use schemars::JsonSchema;
use serde::Serialize;

use super::{Collection, CollectionError, CollectionItem, ItemKind};
use crate::note::beats_to_f64;
use crate::readers::MelodyFormat;
use crate::{Checksum, ItemMetadata, Melody, Note};

/// Items of a collection, in order of id.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct CollectionListing {
    /// Number of items in the collection.
    pub total: u64,
    /// Listed items, in order of id.
    pub items: Vec<ItemSummary>,
}

/// Summary of one item in a listing.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ItemSummary {
    /// Item id.
    pub item: String,
    /// Kind of the item: melody or recording.
    pub kind: ItemKind,
    /// Number of notes; null for a recording.
    pub notes: Option<usize>,
    /// Length in quarter notes from the first onset to the last end; null for a recording.
    pub beats: Option<f64>,
    /// Duration in seconds. That of a melody is computed at 120 quarter notes per minute, from the
    /// first onset to the last end.
    pub seconds: f64,
    /// SHA-256 of the notes or samples.
    pub checksum: Checksum,
    /// SHA-256 of the notes regardless of transposition and of leading and trailing rests. For a
    /// recording it equals `checksum`.
    pub content: Checksum,
    /// Format of the file from which the item was imported.
    pub format: MelodyFormat,
    /// Path of the imported file, relative to the folder or archive that was imported; only the
    /// file name if the file itself was imported.
    pub source: String,
}

impl Collection {
    /// Lists at most `limit` items in order of id, starting at position `offset`; all remaining
    /// items if there is no limit.
    ///
    /// # Errors
    /// Returns [`CollectionError`] if something cannot be read. A listing of all items checks every
    /// byte of the collection, including those that it does not show.
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
        self.for_each_item(offset, most, &mut |item, metadata, _| {
            let source = super::decode_metadata(&item, metadata)?.source;
            let is_melody = item.kind == ItemKind::Melody;
            items.push(ItemSummary {
                kind: item.kind,
                notes: is_melody.then_some(item.notes),
                beats: is_melody.then(|| beats_to_f64(item.length)),
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

    /// Returns all details of the items with the given ids, in the requested order.
    ///
    /// # Errors
    /// Returns [`ItemLookupError`] if an item does not exist or cannot be read.
    pub fn details<S: AsRef<str>>(&self, ids: &[S]) -> Result<ItemDetailsList, ItemLookupError> {
        let details = |id: &S| Ok(self.item_details(&self.item_by_id(id.as_ref())?)?);
        let items: Result<_, ItemLookupError> = ids.iter().map(details).collect();
        Ok(ItemDetailsList { items: items? })
    }

    /// Passes the melodies with the given ids to `take` in the requested order, or those of all
    /// items in order of id if `ids` is empty. Stops at the first error.
    ///
    /// # Errors
    /// Returns the error of the callback, or [`ItemLookupError`] if an item does not exist, is a
    /// recording or cannot be read.
    pub fn for_each_melody<S: AsRef<str>, E: From<ItemLookupError>>(
        &self,
        ids: &[S],
        take: &mut dyn FnMut(&CollectionItem, &Melody, &ItemMetadata) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut take_item = |item: &CollectionItem| {
            let read = || -> Result<_, ItemLookupError> {
                let melody = self.melody(item)?;
                let not_a_melody = || ItemLookupError::NotAMelody(item.id.clone());
                Ok((melody.ok_or_else(not_a_melody)?, self.metadata(item)?))
            };
            let (melody, metadata) = read()?;
            take(item, &melody, &metadata)
        };
        if ids.is_empty() {
            return self
                .items(0)
                .try_for_each(|item| take_item(&item.map_err(ItemLookupError::from)?));
        }
        ids.iter()
            .try_for_each(|id| take_item(&self.item_by_id(id.as_ref())?))
    }

    /// Returns the position of each item with the given ids, in the requested order, or the
    /// positions of all items if `ids` is empty. Position 0 has the first item in order of id.
    ///
    /// # Errors
    /// Returns [`ItemLookupError`] if an item does not exist or ids cannot be read.
    pub fn positions_of<S: AsRef<str>>(&self, ids: &[S]) -> Result<Vec<u64>, ItemLookupError> {
        if ids.is_empty() {
            return Ok((0..self.len()).collect());
        }
        let position = |id: &S| self.existing_position_of(id.as_ref());
        ids.iter().map(position).collect()
    }

    /// Returns the position of the item with this id in order of id, or an error if there is no
    /// such item.
    fn existing_position_of(&self, id: &str) -> Result<u64, ItemLookupError> {
        match self.position_of(id)? {
            Some(position) => Ok(position),
            None => Err(ItemLookupError::UnknownId {
                id: id.to_owned(),
                nearest: self.nearest_id(id)?,
            }),
        }
    }

    /// Returns the item with this id.
    ///
    /// # Errors
    /// Returns [`ItemLookupError`] if the item does not exist or cannot be read.
    pub fn item_by_id(&self, id: &str) -> Result<CollectionItem, ItemLookupError> {
        Ok(self.item(self.existing_position_of(id)?)?)
    }

    fn item_details(&self, item: &CollectionItem) -> Result<ItemDetails, CollectionError> {
        let info = self.metadata(item)?;
        let melody = self.melody(item)?;
        let note_details = |note: &Note| NoteDetails {
            pitch: note.pitch.number(),
            name: note.name(),
            onset: note.onset.to_string(),
            duration: note.duration.to_string(),
        };
        let notes = melody.iter().flat_map(Melody::notes).map(note_details);
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

    /// Returns the id in the collection that is spelled most like this one regardless of case, for
    /// error messages, or `None` if no id has a Jaro-Winkler similarity above 0.6.
    ///
    /// # Errors
    /// Returns [`CollectionError`] if ids cannot be read.
    pub fn nearest_id(&self, id: &str) -> Result<Option<String>, CollectionError> {
        let requested = id.to_lowercase();
        let mut nearest = (0.6, None);
        for item in self.items(0) {
            let known = item?.id;
            let similarity = strsim::jaro_winkler(&requested, &known.to_lowercase());
            if similarity > nearest.0 {
                nearest = (similarity, Some(known));
            }
        }
        Ok(nearest.1)
    }
}

/// Error for a requested item that does not exist or cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ItemLookupError {
    /// No item has this id.
    #[error("the collection has no item called {id}")]
    UnknownId {
        /// Id that was requested.
        id: String,
        /// Id in the collection that is spelled most like the requested one; `None` if none is
        /// similar.
        nearest: Option<String>,
    },
    /// The item with this id is a recording, but notes were requested.
    #[error("{0} is a recording and has no notes")]
    NotAMelody(String),
    /// The collection cannot be read.
    #[error(transparent)]
    Collection(#[from] CollectionError),
}

/// Details of the requested items.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ItemDetailsList {
    /// Details of each item, in the requested order.
    pub items: Vec<ItemDetails>,
}

/// Details of one item.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ItemDetails {
    /// Item id.
    pub id: String,
    /// Kind of the item: melody or recording.
    pub kind: ItemKind,
    /// Format of the file from which the item was imported.
    pub format: MelodyFormat,
    /// Path of the imported file, relative to the folder or archive that was imported; only the
    /// file name if the file itself was imported.
    pub source: String,
    /// First clef of the melody in Plaine & Easie notation, for example `G-2`; null if unknown.
    pub clef: Option<String>,
    /// First key signature of the melody in Plaine & Easie notation, for example `xFC`; `n` for one
    /// without sharps and flats; null if unknown.
    pub key: Option<String>,
    /// First metre of the melody, for example `3/4`; null if unknown.
    pub time: Option<String>,
    /// First tempo that the imported file states, in quarter notes per minute; null if none.
    pub tempo: Option<f64>,
    /// Number of grace notes that were left out of the melody; 0 for a recording.
    pub grace_notes: u32,
    /// SHA-256 of the notes or samples.
    pub checksum: Checksum,
    /// SHA-256 of the notes regardless of transposition and of leading and trailing rests. For a
    /// recording it equals `checksum`.
    pub content: Checksum,
    /// Duration in seconds. That of a melody is computed at 120 quarter notes per minute, from the
    /// first onset to the last end.
    pub seconds: f64,
    /// Notes of the melody; empty for a recording.
    pub notes: Vec<NoteDetails>,
}

/// One note of a melody, as it is printed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct NoteDetails {
    /// MIDI note number.
    pub pitch: u8,
    /// Note name with octave, for example `F#5`.
    pub name: String,
    /// Onset in quarter notes from the start of the source, as a fraction, for example `1/2`.
    pub onset: String,
    /// Duration in quarter notes, as a fraction.
    pub duration: String,
}

//! Tie breaking of the systems that follow MelodyShape: an alignment of n-grams that are equal or not.

use super::shared::hybrid_alignment::equal_gram_alignment;
use super::shared::ragged::RaggedArray;
use super::{ParameterSource, SystemParameter};
use crate::Melody;

partita_named::named_enum! {
    /// Property of the n-grams that are compared to break ties between equal scores.
    pub(super) enum TieGrams: "ties" = Interval {
        /// Their intervals, so that transposing a query does not change the order
        Interval = "interval",
        /// Their pitches, as in MelodyShape
        Pitch = "pitch",
    }
}

/// Parameter `ties` of the systems that follow MelodyShape.
pub(super) const TIES: SystemParameter = SystemParameter {
    name: "ties",
    values: "interval|pitch",
    default: "interval",
    description: "what breaks ties: an alignment of grams with equal intervals, or with equal pitches \
        as in MelodyShape, whose order changes if the query is transposed",
    source: ParameterSource::Chosen,
    tuning_values: &[],
};

/// Pitches of the documents of a collection; empty unless ties are broken by pitches.
#[derive(Default)]
pub(super) struct DocumentPitches(RaggedArray<u8>);

impl DocumentPitches {
    /// Adds the pitches of the next document, if ties are broken by pitches.
    pub(super) fn add(&mut self, ties: TieGrams, melody: &Melody) {
        if ties == TieGrams::Pitch {
            self.0.push(pitches(melody));
        }
    }

    /// Returns the score of aligning n-grams of `notes` notes that have equal pitches.
    pub(super) fn alignment(&self, query: &[u8], document: usize, notes: usize) -> f64 {
        let grams = |pitches: &'_ [u8]| -> Vec<Vec<u8>> {
            pitches.windows(notes).map(<[u8]>::to_vec).collect()
        };
        equal_gram_alignment(&grams(query), &grams(self.0.row(document)))
    }
}

/// Returns the MIDI note numbers of a melody, in time order.
pub(super) fn pitches(melody: &Melody) -> Vec<u8> {
    let notes = melody.notes().iter();
    notes.map(|note| note.pitch.number()).collect()
}

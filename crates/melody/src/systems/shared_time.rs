//! P3: longest time that two melodies sound the same pitches together, over all shifts in time and
//! pitch.
//!
//! ```
//! use partita_melody::systems;
//! # use partita_melody::{Beats, Melody, Note, Pitch};
//! # let melody = |pitches: &[u8]| {
//! #     let note = |(&pitch, beat)| {
//! #         let pitch = Pitch::new(pitch).expect("a key of a piano");
//! #         Note::new(pitch, Beats::from_integer(beat), Beats::from_integer(1))
//! #     };
//! #     Melody::new(pitches.iter().zip(0..).map(note).collect()).expect("notes in a line")
//! # };
//! let documents = [melody(&[60, 62, 64, 65])];
//! let collection = systems::parse("P3")?.prepare(&mut documents.into_iter());
//! // Seven semitones lower and one beat later the query shares two of its four beats.
//! assert_eq!(collection.score(&melody(&[69, 71, 67, 67]), 0), Some(0.5));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::scorer::Scorer;
use super::shared::ragged::RaggedArray;
use super::{Invariance, SystemDefinition, TieRule};
use crate::Melody;
use crate::note::beats_to_f64;

/// Definition of the system `P3`.
pub(super) static DEFINITION: SystemDefinition = SystemDefinition {
    name: "P3",
    aliases: &["L(P3)"],
    summary: "The longest time that both sound the same pitch, once the query is moved in time and pitch, \
        over the query's time.",
    description: "Notes are horizontal lines in time and pitch. Of all moves of the query, the one with \
        which lines cover each other longest counts; the score is that time over the time that the query \
        sounds. It has no constant.",
    reference: "Ukkonen, Lemström & Mäkinen (2003), Geometric algorithms for transposition invariant \
        content-based music retrieval, ISMIR; MIREX 2005",
    parameters: &[],
    invariant_to: &[Invariance::Transposition, Invariance::Rests],
    indexed: false,
    tie_rule: TieRule::Length,
    example: "P3",
    build: |_| Ok(Box::new(SharedTime)),
};

/// The system `P3`, which has no parameters.
#[derive(Clone, Copy, Debug)]
struct SharedTime;

/// Note as a horizontal line in the plane of time and pitch.
#[derive(Clone, Copy)]
struct NoteLine {
    pitch: i16,
    start: f64,
    end: f64,
}

/// Returns the notes of a melody sorted by pitch, then by time. Pitches are relative to the first
/// note and times to its onset, so that transposition and leading rests cause no rounding
/// differences.
fn sorted_note_lines(melody: &Melody) -> Vec<NoteLine> {
    let first = i16::from(melody.notes()[0].pitch.number());
    let line = |note: &crate::Note| NoteLine {
        pitch: i16::from(note.pitch.number()) - first,
        start: beats_to_f64(note.onset - melody.start()),
        end: beats_to_f64(note.end() - melody.start()),
    };
    let mut lines: Vec<NoteLine> = melody.notes().iter().map(line).collect();
    lines.sort_by_key(|line| line.pitch);
    lines
}

/// All notes of one pitch in a melody.
struct PitchLines {
    pitch: i16,
    /// Total duration of the notes, in quarter notes.
    duration: f64,
    /// Range of the indices of the notes in [`sorted_note_lines`].
    lines: std::ops::Range<usize>,
}

/// Groups the sorted notes of a melody by pitch, in ascending order.
fn group_by_pitch(lines: &[NoteLine]) -> Vec<PitchLines> {
    let mut start = 0;
    let groups = lines.chunk_by(|one, other| one.pitch == other.pitch);
    groups
        .map(|group| {
            let duration = group.iter().map(|line| line.end - line.start).sum();
            start += group.len();
            PitchLines {
                pitch: group[0].pitch,
                duration,
                lines: start - group.len()..start,
            }
        })
        .collect()
}

/// Query prepared for the system `P3`.
struct Query {
    lines: Vec<NoteLine>,
    pitches: Vec<PitchLines>,
    duration: f64,
}

/// Scratch memory for comparing a query with a document.
#[derive(Default)]
struct ScratchBuffers {
    /// Breakpoints of the shared sounding time as a piecewise linear function of the shift in time,
    /// each with the change of slope.
    breakpoints: Vec<(f64, f64)>,
    /// Transpositions in semitones, each after an upper bound on the sounding time that query and
    /// document then share.
    transpositions: Vec<(f64, i16)>,
}

impl Scorer for SharedTime {
    type Documents = RaggedArray<NoteLine>;
    type Query = Query;
    type Scratch = ScratchBuffers;

    fn min_notes(&self) -> usize {
        1
    }

    fn add(&self, documents: &mut RaggedArray<NoteLine>, melody: &Melody) {
        documents.push(sorted_note_lines(melody));
    }

    fn prepare_query(&self, _: &RaggedArray<NoteLine>, query: &Melody) -> Query {
        let lines = sorted_note_lines(query);
        let notes = query.notes().iter();
        Query {
            pitches: group_by_pitch(&lines),
            duration: notes.map(|note| beats_to_f64(note.duration)).sum(),
            lines,
        }
    }

    fn score(
        &self,
        documents: &RaggedArray<NoteLine>,
        query: &Query,
        document: usize,
        scratch: &mut ScratchBuffers,
    ) -> f64 {
        let lines = documents.row(document);
        let theirs = group_by_pitch(lines);
        // Upper bound on the shared time for a transposition: the sum over pitches of the smaller
        // of the total durations in the query and in the document.
        scratch.transpositions.clear();
        let lowest = theirs[0].pitch - query.pitches[query.pitches.len() - 1].pitch;
        let highest = theirs[theirs.len() - 1].pitch - query.pitches[0].pitch;
        for by in lowest..=highest {
            let pairs = matching_pitches(&query.pitches, &theirs, by);
            let most: f64 = pairs
                .map(|(ours, theirs)| ours.duration.min(theirs.duration))
                .sum();
            scratch.transpositions.push((most, by));
        }
        (scratch.transpositions)
            .sort_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(&other.1)));
        let mut best = 0.0f64;
        for &(most, by) in &scratch.transpositions {
            if most <= best {
                break;
            }
            scratch.breakpoints.clear();
            for (ours, theirs) in matching_pitches(&query.pitches, &theirs, by) {
                for one in &query.lines[ours.lines.clone()] {
                    for other in &lines[theirs.lines.clone()] {
                        add_overlap_breakpoints(&mut scratch.breakpoints, one, other);
                    }
                }
            }
            best = best.max(maximum_of_piecewise_linear(&mut scratch.breakpoints));
        }
        best / query.duration
    }
}

/// Iterates over the pitches of the query that the document contains after transposition of the
/// query by `by` semitones, each with that pitch of the document.
fn matching_pitches<'a>(
    query: &'a [PitchLines],
    document: &'a [PitchLines],
    by: i16,
) -> impl Iterator<Item = (&'a PitchLines, &'a PitchLines)> {
    query.iter().filter_map(move |ours| {
        let place = document.binary_search_by_key(&(ours.pitch + by), |theirs| theirs.pitch);
        place.ok().map(|place| (ours, &document[place]))
    })
}

/// Adds the breakpoints of the time in which two notes of equal pitch overlap, as a function of the
/// shift in time: it rises with slope 1, stays constant, and falls with slope -1.
fn add_overlap_breakpoints(breakpoints: &mut Vec<(f64, f64)>, one: &NoteLine, other: &NoteLine) {
    let (starts, ends) = (other.start - one.start, other.end - one.end);
    breakpoints.push((other.start - one.end, 1.0));
    breakpoints.push((starts.min(ends), -1.0));
    breakpoints.push((starts.max(ends), -1.0));
    breakpoints.push((other.end - one.start, 1.0));
}

/// Returns the maximum of the piecewise linear function that is given by breakpoints and changes of
/// slope, and is 0 before the first breakpoint.
fn maximum_of_piecewise_linear(breakpoints: &mut [(f64, f64)]) -> f64 {
    breakpoints.sort_unstable_by(|one, other| one.0.total_cmp(&other.0));
    let (mut highest, mut sum, mut slope, mut before) = (0.0f64, 0.0, 0.0, f64::NEG_INFINITY);
    for &(place, slope_change) in breakpoints.iter() {
        if slope != 0.0 {
            sum += slope * (place - before);
            highest = highest.max(sum);
        }
        slope += slope_change;
        before = place;
    }
    highest
}

//! P3: longest shared sounding time of two melodies over all shifts in time and pitch.
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

#[derive(Clone, Copy, Debug)]
struct SharedTime;

/// Note as a horizontal line in time and pitch.
#[derive(Clone, Copy)]
struct Line {
    pitch: i16,
    start: f64,
    end: f64,
}

/// Returns the notes sorted by pitch, then by time. Pitches are relative to the first note and
/// times to its onset, so that transposition and outer rests cause no rounding differences.
fn lines(melody: &Melody) -> Vec<Line> {
    let first = i16::from(melody.notes()[0].pitch.number());
    let line = |note: &crate::Note| Line {
        pitch: i16::from(note.pitch.number()) - first,
        start: beats_to_f64(note.onset - melody.start()),
        end: beats_to_f64(note.end() - melody.start()),
    };
    let mut lines: Vec<Line> = melody.notes().iter().map(line).collect();
    lines.sort_by_key(|line| line.pitch);
    lines
}

/// Notes of one pitch in a melody.
struct PitchLines {
    pitch: i16,
    /// Total duration in quarter notes.
    duration: f64,
    /// Range of the notes in the sorted lines.
    lines: std::ops::Range<usize>,
}

/// Groups lines by pitch, in order of pitch.
fn group_by_pitch(lines: &[Line]) -> Vec<PitchLines> {
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

struct Query {
    lines: Vec<Line>,
    pitches: Vec<PitchLines>,
    duration: f64,
}

#[derive(Default)]
struct ScratchBuffers {
    /// Breakpoints of the shared time as a function of the shift in time, each with the change of
    /// slope.
    breakpoints: Vec<(f64, f64)>,
    /// Upper bound on the shared time, and transposition in semitones.
    transpositions: Vec<(f64, i16)>,
}

impl Scorer for SharedTime {
    type Documents = RaggedArray<Line>;
    type Query = Query;
    type Scratch = ScratchBuffers;

    fn min_notes(&self) -> usize {
        1
    }

    fn add(&self, documents: &mut RaggedArray<Line>, melody: &Melody) {
        documents.push(lines(melody));
    }

    fn prepare_query(&self, _: &RaggedArray<Line>, query: &Melody) -> Query {
        let lines = lines(query);
        let notes = query.notes().iter();
        Query {
            pitches: group_by_pitch(&lines),
            duration: notes.map(|note| beats_to_f64(note.duration)).sum(),
            lines,
        }
    }

    fn score(
        &self,
        documents: &RaggedArray<Line>,
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
                        add_breakpoints(&mut scratch.breakpoints, one, other);
                    }
                }
            }
            best = best.max(highest_value(&mut scratch.breakpoints));
        }
        best / query.duration
    }
}

/// Iterates over the pitches of the query, each with the pitch of the document that it equals after
/// a transposition by `by` semitones.
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

/// Adds the breakpoints of the shared time of two lines as a function of the shift in time: it
/// rises with slope 1, stays constant, and falls with slope -1.
fn add_breakpoints(breakpoints: &mut Vec<(f64, f64)>, one: &Line, other: &Line) {
    let (starts, ends) = (other.start - one.start, other.end - one.end);
    breakpoints.push((other.start - one.end, 1.0));
    breakpoints.push((starts.min(ends), -1.0));
    breakpoints.push((starts.max(ends), -1.0));
    breakpoints.push((other.end - one.start, 1.0));
}

/// Returns the maximum over all shifts of the function with these breakpoints.
fn highest_value(breakpoints: &mut [(f64, f64)]) -> f64 {
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

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

/// Total duration of one pitch in a melody, and the range of its notes in the sorted lines.
struct PitchDuration {
    pitch: i16,
    lasts: f64,
    lines: std::ops::Range<usize>,
}

/// Groups lines by pitch, in order of pitch.
fn pitches(lines: &[Line]) -> Vec<PitchDuration> {
    let mut start = 0;
    let groups = lines.chunk_by(|one, other| one.pitch == other.pitch);
    groups
        .map(|group| {
            let lasts = group.iter().map(|line| line.end - line.start).sum();
            start += group.len();
            PitchDuration {
                pitch: group[0].pitch,
                lasts,
                lines: start - group.len()..start,
            }
        })
        .collect()
}

struct Query {
    lines: Vec<Line>,
    pitches: Vec<PitchDuration>,
    lasts: f64,
}

/// Scratch memory. `turns` contains the breakpoints of the shared time as a function of the shift
/// in time, with the change of slope at each. `moves` contains the transpositions with upper bounds
/// on their shared time.
#[derive(Default)]
struct ScratchBuffers {
    turns: Vec<(f64, f64)>,
    moves: Vec<(f64, i16)>,
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
            pitches: pitches(&lines),
            lasts: notes.map(|note| beats_to_f64(note.duration)).sum(),
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
        let theirs = pitches(lines);
        // Upper bound on the shared time for a transposition: the sum over pitches of the smaller
        // of the total durations in the query and in the document.
        scratch.moves.clear();
        let lowest = theirs[0].pitch - query.pitches[query.pitches.len() - 1].pitch;
        let highest = theirs[theirs.len() - 1].pitch - query.pitches[0].pitch;
        for by in lowest..=highest {
            let pairs = pairs_of(&query.pitches, &theirs, by);
            let most: f64 = pairs
                .map(|(ours, theirs)| ours.lasts.min(theirs.lasts))
                .sum();
            scratch.moves.push((most, by));
        }
        (scratch.moves).sort_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(&other.1)));
        let mut best = 0.0f64;
        for &(most, by) in &scratch.moves {
            if most <= best {
                break;
            }
            scratch.turns.clear();
            for (ours, theirs) in pairs_of(&query.pitches, &theirs, by) {
                for one in &query.lines[ours.lines.clone()] {
                    for other in &lines[theirs.lines.clone()] {
                        add_turns(&mut scratch.turns, one, other);
                    }
                }
            }
            best = best.max(highest_sum(&mut scratch.turns));
        }
        best / query.lasts
    }
}

/// Iterates over the pitches of the query, each with the pitch of the document that it equals after
/// a transposition by `by` semitones.
fn pairs_of<'a>(
    query: &'a [PitchDuration],
    document: &'a [PitchDuration],
    by: i16,
) -> impl Iterator<Item = (&'a PitchDuration, &'a PitchDuration)> {
    query.iter().filter_map(move |ours| {
        let place = document.binary_search_by_key(&(ours.pitch + by), |theirs| theirs.pitch);
        place.ok().map(|place| (ours, &document[place]))
    })
}

/// Adds the breakpoints of the shared time of two lines as a function of the shift in time: it
/// rises with slope 1, stays constant, and falls with slope -1.
fn add_turns(turns: &mut Vec<(f64, f64)>, one: &Line, other: &Line) {
    let (starts, ends) = (other.start - one.start, other.end - one.end);
    turns.push((other.start - one.end, 1.0));
    turns.push((starts.min(ends), -1.0));
    turns.push((starts.max(ends), -1.0));
    turns.push((other.end - one.start, 1.0));
}

/// Returns the maximum over all shifts of the function with these breakpoints.
fn highest_sum(turns: &mut [(f64, f64)]) -> f64 {
    turns.sort_unstable_by(|one, other| one.0.total_cmp(&other.0));
    let (mut highest, mut sum, mut rate, mut before) = (0.0f64, 0.0, 0.0, f64::NEG_INFINITY);
    for &(place, turn) in turns.iter() {
        if rate != 0.0 {
            sum += rate * (place - before);
            highest = highest.max(sum);
        }
        rate += turn;
        before = place;
    }
    highest
}

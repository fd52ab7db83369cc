//! Align: alignment of notes by pitch and duration, with gaps that cost less the longer they are.

use super::call::Arguments;
use super::gram::Lines;
use super::p3::float;
use super::searcher::Comparison;
use super::{ALL_INVARIANCES, Definition, Parameter, Source, System, SystemError, TieRule};
use crate::{Beats, Melody};

const fn tuned(
    name: &'static str,
    default: &'static str,
    description: &'static str,
    tries: &'static [&'static str],
) -> Parameter {
    Parameter {
        name,
        values: "a number from 0",
        default,
        description,
        source: Source::Tuned,
        tries,
    }
}

pub(super) static DEFINITION: Definition = Definition {
    name: "Align",
    aliases: &[],
    summary: "Affine alignment of notes by pitch and duration, in the transposition that fits best.",
    description: "",
    reference: "",
    parameters: &[
        tuned("open", "0.8", "what the first note of a gap costs", &["0.4", "0.6", "0.8", "1.0", "1.3"]),
        tuned("extend", "0.2", "what every other note of a gap costs", &["0.1", "0.2", "0.3", "0.5"]),
        tuned("band", "3", "the semitones at which a pitch is neither near nor far", &["1", "1.5", "2", "3", "4"]),
        tuned("interval", "0.5", "what the interval from the note before weighs beside the pitch", &["0", "0.25", "0.5", "1"]),
        tuned("duration", "0.5", "what the duration weighs beside the pitch", &["0", "0.25", "0.5", "1"]),
        tuned("octaves", "1", "the factor, in powers of 2, at which a duration is neither near nor far", &["0.5", "1", "1.5", "2"]),
        tuned("position", "0.5", "what the place in the melody weighs beside the pitch", &["0", "0.25", "0.5", "1"]),
        tuned("reach", "0.2", "the part of the melody at which a place is neither near nor far", &["0.1", "0.2", "0.3", "0.5"]),
        tuned("offset", "0.2", "how near two notes must be to be worth aligning", &["0", "0.1", "0.2", "0.3", "0.4"]),
        tuned("longer", "0.5", "how much the longer melody counts in what the score is divided by", &["0", "0.25", "0.5", "0.75", "1"]),
        tuned("shifts", "3", "how many transpositions are tried", &["1", "2", "3", "5"]),
        tuned("global", "0", "1: global", &["0", "1"]),
    ],
    invariant_to: ALL_INVARIANCES,
    indexed: false,
    tie_rule: TieRule::Length,
    example: "Align",
    build: |arguments: &Arguments| -> Result<Box<dyn System>, SystemError> {
        let number = |name| arguments.number(name, |value| value >= 0.0);
        let positive = |name| arguments.number(name, |value| value > 0.0);
        Ok(Box::new(Align {
            open: number("open")?,
            extend: number("extend")?,
            band: positive("band")?,
            interval: number("interval")?,
            duration: number("duration")?,
            octaves: positive("octaves")?,
            position: number("position")?,
            reach: positive("reach")?,
            offset: number("offset")?,
            longer: number("longer")?,
            shifts: arguments.count("shifts", |count| count > 0)?,
            global: number("global")? > 0.0,
        }))
    },
};

#[derive(Clone, Copy, Debug)]
struct Align {
    open: f64,
    extend: f64,
    band: f64,
    interval: f64,
    duration: f64,
    octaves: f64,
    position: f64,
    reach: f64,
    offset: f64,
    longer: f64,
    shifts: usize,
    global: bool,
}

/// A note as it is compared: all from the first note, all times over the melody's own.
#[derive(Clone, Copy)]
struct Point {
    /// Semitones above the first note, and above the note before.
    pitch: f64,
    interval: f64,
    /// The power of 2 of its duration over the mean duration.
    duration: f64,
    /// Where in the melody it begins, from 0 to 1.
    place: f64,
}

#[derive(Clone, Default)]
struct Form {
    points: Vec<Point>,
    /// The pitches it has, from the first note, with the share of time of each.
    shares: Vec<(i16, f64)>,
}

fn form(melody: &Melody) -> Form {
    let notes = melody.notes();
    let first = i16::from(notes[0].pitch.number());
    let sounding: Beats = notes.iter().map(|note| note.duration).sum();
    let mean = sounding / Beats::from_integer(notes.len() as i64);
    let mut before = first;
    let points = notes.iter().map(|note| {
        let pitch = i16::from(note.pitch.number());
        let interval = f64::from(pitch - before);
        before = pitch;
        Point {
            pitch: f64::from(pitch - first),
            interval,
            duration: libm::log2(float(note.duration / mean)),
            place: float((note.onset - melody.start()) / melody.length()),
        }
    });
    let points = points.collect();
    let mut by_pitch: Vec<(i16, Beats)> = (notes.iter())
        .map(|note| (i16::from(note.pitch.number()) - first, note.duration))
        .collect();
    by_pitch.sort_by_key(|&(pitch, _)| pitch);
    let shares = by_pitch.chunk_by(|one, other| one.0 == other.0).map(|run| {
        let time: Beats = run.iter().map(|&(_, time)| time).sum();
        (run[0].0, float(time / sounding))
    });
    Form {
        points,
        shares: shares.collect(),
    }
}

struct Documents {
    points: Lines<Point>,
    shares: Lines<(i16, f64)>,
}

#[derive(Default)]
struct Room {
    shifts: Vec<(f64, i16)>,
    /// What two notes score apart from their pitches, document by query.
    base: Vec<f64>,
    best: Vec<f64>,
    gap: Vec<f64>,
}

impl Align {
    fn base(&self, one: &Point, other: &Point) -> f64 {
        let near = |difference: f64, limit: f64| (1.0 - difference.abs() / limit).max(-1.0);
        self.interval * near(one.interval - other.interval, self.band)
            + self.duration * near(one.duration - other.duration, self.octaves)
            + self.position * near(one.place - other.place, self.reach)
    }

    fn align(&self, query: &[Point], document: &[Point], shift: f64, room: &mut Room) -> f64 {
        let whole = 1.0 + self.interval + self.duration + self.position;
        let scale = 1.0 / whole;
        let floor = if self.global { f64::NEG_INFINITY } else { 0.0 };
        let gap_of = |count: usize| match (self.global, count) {
            (false, _) | (_, 0) => 0.0,
            _ => -self.open - self.extend * (count - 1) as f64,
        };
        room.best.clear();
        room.best.extend((0..=query.len()).map(gap_of));
        room.gap.clear();
        room.gap.resize(query.len() + 1, f64::NEG_INFINITY);
        let mut highest = 0.0f64;
        for (number, theirs) in document.iter().enumerate() {
            let base = &room.base[number * query.len()..(number + 1) * query.len()];
            let target = theirs.pitch - shift;
            let mut diagonal = room.best[0];
            room.best[0] = gap_of(number + 1);
            let mut left = f64::NEG_INFINITY;
            let mut before = room.best[0];
            let cells = room.best[1..].iter_mut().zip(&mut room.gap[1..]);
            for ((cell, up), (ours, base)) in cells.zip(query.iter().zip(base)) {
                let pitch = (1.0 - (ours.pitch - target).abs() / self.band).max(-1.0);
                let matched = diagonal + (pitch + base) * scale - self.offset;
                diagonal = *cell;
                *up = (*cell - self.open).max(*up - self.extend);
                left = (before - self.open).max(left - self.extend);
                before = matched.max(up.max(left)).max(floor);
                *cell = before;
                highest = highest.max(before);
            }
        }
        if self.global { room.best[query.len()] } else { highest }
    }
}

impl Comparison for Align {
    type Documents = Documents;
    type Query = Form;
    type Room = Room;

    fn least_notes(&self) -> usize {
        2
    }

    fn none(&self) -> Documents {
        Documents {
            points: Lines::new(),
            shares: Lines::new(),
        }
    }

    fn add(&self, documents: &mut Documents, melody: &Melody) {
        let form = form(melody);
        documents.points.push(form.points);
        documents.shares.push(form.shares);
    }

    fn ask(&self, _: &Documents, query: &Melody) -> Form {
        form(query)
    }

    fn room(&self, _: &Documents, _: &Form) -> Room {
        Room::default()
    }

    fn score(&self, documents: &Documents, query: &Form, document: usize, room: &mut Room) -> f64 {
        let points = documents.points.line(document);
        let shares = documents.shares.line(document);
        room.shifts.clear();
        let lowest = shares[0].0 - query.shares[query.shares.len() - 1].0;
        let highest = shares[shares.len() - 1].0 - query.shares[0].0;
        for shift in lowest..=highest {
            let shared: f64 = (query.shares.iter())
                .filter_map(|&(pitch, share)| {
                    let place = shares.binary_search_by_key(&(pitch + shift), |other| other.0);
                    place.ok().map(|place| share.min(shares[place].1))
                })
                .sum();
            room.shifts.push((shared, shift));
        }
        (room.shifts).sort_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(&other.1)));
        room.shifts.truncate(self.shifts);
        room.base.clear();
        for theirs in points {
            let base = query.points.iter().map(|ours| self.base(ours, theirs));
            room.base.extend(base);
        }
        let mut best = f64::NEG_INFINITY;
        for number in 0..room.shifts.len() {
            let shift = f64::from(room.shifts[number].1);
            best = best.max(self.align(&query.points, points, shift, room));
        }
        let (ours, theirs) = (query.points.len() as f64, points.len() as f64);
        let divisor = ours.min(theirs) * (1.0 - self.longer) + ours.max(theirs) * self.longer;
        best / divisor
    }
}

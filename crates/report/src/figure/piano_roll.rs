//! Piano roll of a melody: pitch, onset and duration of each note, without clef, key or metre.

use partita_melody::{Beats, Melody, Note};

use super::canvas::caption::{MARGIN, heading};
use super::canvas::palette;
use super::canvas::scene::{Area, Colour, Figure, GRID, QUIET, Shape, Stroke, Text, WHITE};
use super::canvas::text_metrics;
use super::plot::axes::{LABEL_SIZE, Scale, TICK_SIZE, bottom_axis, vertical_line};
use super::plot::ticks::Ticks;
use crate::phrases::{count_noun, join};

/// Maximum number of notes in a piano roll.
pub const MAX_ROLL_NOTES: usize = 2_000;
/// Maximum number of quarter notes in a piano roll.
pub const MAX_ROLL_BEATS: usize = 1_024;

/// A melody has too many notes or is too long for a piano roll.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "a piano roll shows at most {MAX_ROLL_NOTES} notes in {MAX_ROLL_BEATS} quarter notes, and {name} has \
     {notes} in {beats}"
)]
pub struct MelodyTooLongError {
    /// Name of the melody.
    pub name: String,
    /// Number of notes.
    pub notes: usize,
    /// Duration in quarter notes.
    pub beats: usize,
}

/// Quarter notes per row; a longer melody continues in the next row.
const ROW_BEATS: usize = 32;
/// Width of a quarter note, and minimum width of the roll.
const BEAT: f64 = 22.0;
const LEAST_WIDTH: f64 = 220.0;
/// Height of a semitone, and font size of its name.
const SEMITONE: f64 = 9.0;
const NAME_SIZE: f64 = 8.5;
/// Distance between two rows.
const ROWS_APART: f64 = 36.0;
/// Background colour of the rows of black piano keys.
const SHADE: Colour = "#F1F1F1";

/// Draws a melody as a piano roll in rows of 32 quarter notes, without leading and trailing rests.
///
/// # Errors
/// Returns [`MelodyTooLongError`] if the melody has more than [`MAX_ROLL_NOTES`] notes or is longer
/// than [`MAX_ROLL_BEATS`] quarter notes.
pub fn piano_roll_figure(name: &str, melody: &Melody) -> Result<Figure, MelodyTooLongError> {
    let beats = decimal(melody.length()).ceil().max(1.0) as usize;
    if melody.len() > MAX_ROLL_NOTES || beats > MAX_ROLL_BEATS {
        return Err(MelodyTooLongError {
            name: name.to_owned(),
            notes: melody.len(),
            beats,
        });
    }
    let roll = RollLayout::from_melody(melody, beats);
    let width = 2.0 * MARGIN + roll.names + roll.width;
    let subtitle = format!(
        "{}, {} to {}",
        count_noun(melody.len(), "note", "notes"),
        roll.lowest,
        roll.highest
    );
    let (mut shapes, mut top) = heading(name, &subtitle, width);
    let rows = beats.div_ceil(ROW_BEATS);
    for row in 0..rows {
        shapes.extend(roll.row(melody, row, top + 4.0));
        top += roll.height() + ROWS_APART;
    }
    let label = "quarter notes from the first note";
    let at = (MARGIN + roll.names + roll.width / 2.0, top + 4.0);
    let label = Text::new(label, at, LABEL_SIZE).middle();
    shapes.push(label.fitted(width - 2.0 * MARGIN).into());
    let height = top + 18.0;
    Ok(Figure::new(
        name,
        description(melody),
        (width, height),
        shapes,
    ))
}

/// Returns the description of a piano roll.
fn description(melody: &Melody) -> String {
    let notes = melody.notes().iter();
    let notes = join(notes.map(|note| describe_note(note, melody)), ", ");
    format!("Notes in quarter notes: {notes}.")
}

/// Returns the name, onset and duration of a note. The onset counts from the first note.
fn describe_note(note: &Note, melody: &Melody) -> String {
    let onset = note.onset - melody.start();
    format!("{} at {onset} for {}", note.name(), note.duration)
}

fn decimal(time: Beats) -> f64 {
    *time.numer() as f64 / *time.denom() as f64
}

/// Layout shared by all rows.
struct RollLayout {
    beats: usize,
    low: u8,
    high: u8,
    /// Names of the lowest and highest pitches.
    lowest: String,
    highest: String,
    /// Pitches that occur, with the spelling of their first occurrence.
    pitches: Vec<(u8, String)>,
    /// Width of the pitch names, and of the rows beside them.
    names: f64,
    width: f64,
}

impl RollLayout {
    fn from_melody(melody: &Melody, beats: usize) -> Self {
        let mut pitches: Vec<(u8, String)> = Vec::new();
        for note in melody.notes() {
            let pitch = note.pitch.number();
            if !pitches.iter().any(|(known, _)| *known == pitch) {
                pitches.push((pitch, note.name()));
            }
        }
        pitches.sort_unstable();
        let (low, lowest) = pitches[0].clone();
        let (high, highest) = pitches[pitches.len() - 1].clone();
        let names = text_metrics::widest(pitches.iter().map(|(_, name)| name), NAME_SIZE);
        Self {
            beats,
            low,
            high,
            lowest,
            highest,
            pitches,
            names: names + 8.0,
            width: (beats.min(ROW_BEATS) as f64 * BEAT).max(LEAST_WIDTH),
        }
    }

    /// Returns the height of a row.
    fn height(&self) -> f64 {
        f64::from(self.high - self.low + 1) * SEMITONE
    }

    /// Returns the top of a pitch in a row.
    fn top(&self, pitch: u8, row_top: f64) -> f64 {
        row_top + f64::from(self.high - pitch) * SEMITONE
    }

    fn row(&self, melody: &Melody, row: usize, top: f64) -> Vec<Shape> {
        let (first, last) = (row * ROW_BEATS, self.beats.min((row + 1) * ROW_BEATS));
        // The last row is as long as the rest of the melody.
        let longest = self.beats.min(ROW_BEATS) as f64;
        let width = self.width * (last - first) as f64 / longest;
        let area = Area::new((MARGIN + self.names, top), (width, self.height()));
        let ends = (first as f64, last as f64);
        let scale = Scale::new(ends, (area.left, area.right()));
        let mut shapes = self.keys(&area);
        for beat in first..=last {
            shapes.push(vertical_line(scale.at(beat as f64), &area, GRID));
        }
        for note in melody.notes() {
            let start = decimal(note.onset - melody.start());
            let end = start + decimal(note.duration);
            if end > ends.0 && start < ends.1 {
                let (left, right) = (scale.at(start.max(ends.0)), scale.at(end.min(ends.1)));
                let place = (left, self.top(note.pitch.number(), area.top) + 0.5);
                let size = (right - left, SEMITONE - 1.0);
                // A white outline separates repeated notes.
                let edge = Some(Stroke::solid(WHITE, 0.8));
                let fill = palette::series(0).colour;
                let bar = Shape::Rect(Area::new(place, size), 1.5, fill.into(), edge);
                shapes.push(Shape::titled(describe_note(note, melody), vec![bar]));
            }
        }
        for (pitch, name) in &self.pitches {
            let baseline = self.top(*pitch, area.top) + SEMITONE / 2.0 + 0.36 * NAME_SIZE;
            let name = Text::new(name, (area.left - 5.0, baseline), NAME_SIZE);
            shapes.push(name.end().into());
        }
        let ticks = Ticks::between(ends.0, ends.1, (last - first).min(9));
        shapes.extend(bottom_axis(&area, scale, &ticks, TICK_SIZE));
        shapes
    }

    /// Draws the keys of a piano behind the notes.
    fn keys(&self, area: &Area) -> Vec<Shape> {
        let mut shapes = Vec::new();
        for pitch in self.low..=self.high {
            let key = Area::new(
                (area.left, self.top(pitch, area.top)),
                (area.width, SEMITONE),
            );
            if matches!(pitch % 12, 1 | 3 | 6 | 8 | 10) {
                shapes.push(Shape::rect(key, SHADE, None));
            }
        }
        shapes.push(vertical_line(area.left, area, Stroke::solid(QUIET, 0.6)));
        shapes
    }
}

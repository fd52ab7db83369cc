//! Piano roll of a melody: pitch, onset and duration of each note, without clef, key or metre.

use partita_melody::{Beats, Melody, Note};

use super::canvas::caption::{MARGIN, heading};
use super::canvas::palette;
use super::canvas::scene::{
    Area, Colour, Figure, GRID_STROKE, SECONDARY_COLOUR, Shape, Stroke, Text, WHITE,
};
use super::canvas::text_metrics;
use super::plot::axes::{LABEL_SIZE, Scale, TICK_SIZE, bottom_axis, vertical_line};
use super::plot::ticks::Ticks;
use crate::phrases::{count_noun, join};

/// Maximum number of notes that a piano roll can show.
pub const MAX_ROLL_NOTES: usize = 2_000;
/// Maximum duration of a melody that a piano roll can show, in quarter notes.
pub const MAX_ROLL_BEATS: usize = 1_024;

/// Error for a melody that has too many notes or is too long for a piano roll.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "a piano roll shows at most {MAX_ROLL_NOTES} notes in {MAX_ROLL_BEATS} quarter notes, and {name} has \
     {notes} in {beats}"
)]
pub struct MelodyTooLongError {
    /// Name of the melody.
    pub name: String,
    /// Number of notes in the melody.
    pub notes: usize,
    /// Duration of the melody in quarter notes.
    pub beats: usize,
}

/// Quarter notes per row of the piano roll; a longer melody continues in the next row.
const ROW_BEATS: usize = 32;
/// Width of a quarter note, in figure units.
const BEAT_WIDTH: f64 = 22.0;
/// Minimum width of the piano roll.
const MIN_ROLL_WIDTH: f64 = 220.0;
/// Height of a semitone.
const SEMITONE_HEIGHT: f64 = 9.0;
/// Font size of pitch names.
const NAME_FONT_SIZE: f64 = 8.5;
/// Vertical distance between two rows of the piano roll.
const ROW_DISTANCE: f64 = 36.0;
/// Background colour of the pitches of black piano keys.
const BLACK_KEY_COLOUR: Colour = "#F1F1F1";

/// Draws a melody as a piano roll in rows of 32 quarter notes, without leading and trailing rests.
///
/// # Errors
/// Returns [`MelodyTooLongError`] if the melody has more than [`MAX_ROLL_NOTES`] notes or is longer
/// than [`MAX_ROLL_BEATS`] quarter notes.
pub fn piano_roll_figure(name: &str, melody: &Melody) -> Result<Figure, MelodyTooLongError> {
    let beats = to_decimal_beats(melody.length()).ceil().max(1.0) as usize;
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
        top += roll.height() + ROW_DISTANCE;
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

/// Returns the text description of a piano roll.
fn description(melody: &Melody) -> String {
    let notes = melody.notes().iter();
    let notes = join(notes.map(|note| describe_note(note, melody)), ", ");
    format!("Notes in quarter notes: {notes}.")
}

/// Returns the name, onset and duration of a note as text. The onset counts from the first note of
/// the melody.
fn describe_note(note: &Note, melody: &Melody) -> String {
    let onset = note.onset - melody.start();
    format!("{} at {onset} for {}", note.name(), note.duration)
}

/// Converts a time in quarter notes to a floating-point number.
fn to_decimal_beats(time: Beats) -> f64 {
    *time.numer() as f64 / *time.denom() as f64
}

/// Layout that all rows of a piano roll share.
struct RollLayout {
    beats: usize,
    low: u8,
    high: u8,
    /// Name of the lowest pitch; `highest` is that of the highest.
    lowest: String,
    highest: String,
    /// Pitches that occur in the melody: MIDI number, and name as spelled at the first occurrence.
    pitches: Vec<(u8, String)>,
    /// Width of the column of pitch names; `width` is that of a full row beside it.
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
        let names = text_metrics::widest(pitches.iter().map(|(_, name)| name), NAME_FONT_SIZE);
        Self {
            beats,
            low,
            high,
            lowest,
            highest,
            pitches,
            names: names + 8.0,
            width: (beats.min(ROW_BEATS) as f64 * BEAT_WIDTH).max(MIN_ROLL_WIDTH),
        }
    }

    /// Returns the height of a row.
    fn height(&self) -> f64 {
        f64::from(self.high - self.low + 1) * SEMITONE_HEIGHT
    }

    /// Returns the y of the upper edge of a pitch, in a row that begins at y `row_top`.
    fn top(&self, pitch: u8, row_top: f64) -> f64 {
        row_top + f64::from(self.high - pitch) * SEMITONE_HEIGHT
    }

    /// Draws the row with number `row`, counted from 0, from y `top` downwards.
    fn row(&self, melody: &Melody, row: usize, top: f64) -> Vec<Shape> {
        let (first, last) = (row * ROW_BEATS, self.beats.min((row + 1) * ROW_BEATS));
        // The last row is as long as the rest of the melody.
        let longest = self.beats.min(ROW_BEATS) as f64;
        let width = self.width * (last - first) as f64 / longest;
        let area = Area::new((MARGIN + self.names, top), (width, self.height()));
        let ends = (first as f64, last as f64);
        let scale = Scale::new(ends, (area.left, area.right()));
        let mut shapes = self.key_stripes(&area);
        for beat in first..=last {
            shapes.push(vertical_line(scale.at(beat as f64), &area, GRID_STROKE));
        }
        for note in melody.notes() {
            let start = to_decimal_beats(note.onset - melody.start());
            let end = start + to_decimal_beats(note.duration);
            if end > ends.0 && start < ends.1 {
                let (left, right) = (scale.at(start.max(ends.0)), scale.at(end.min(ends.1)));
                let place = (left, self.top(note.pitch.number(), area.top) + 0.5);
                let size = (right - left, SEMITONE_HEIGHT - 1.0);
                // A white outline separates repeated notes.
                let edge = Some(Stroke::solid(WHITE, 0.8));
                let fill = palette::series(0).colour;
                let bar = Shape::Rect(Area::new(place, size), 1.5, fill.into(), edge);
                shapes.push(Shape::with_tooltip(describe_note(note, melody), vec![bar]));
            }
        }
        for (pitch, name) in &self.pitches {
            let baseline =
                self.top(*pitch, area.top) + SEMITONE_HEIGHT / 2.0 + 0.36 * NAME_FONT_SIZE;
            let name = Text::new(name, (area.left - 5.0, baseline), NAME_FONT_SIZE);
            shapes.push(name.end().into());
        }
        let ticks = Ticks::between(ends.0, ends.1, (last - first).min(9));
        shapes.extend(bottom_axis(&area, scale, &ticks, TICK_SIZE));
        shapes
    }

    /// Draws the background of a row: shaded stripes for black piano keys.
    fn key_stripes(&self, area: &Area) -> Vec<Shape> {
        let mut shapes = Vec::new();
        for pitch in self.low..=self.high {
            let key = Area::new(
                (area.left, self.top(pitch, area.top)),
                (area.width, SEMITONE_HEIGHT),
            );
            if matches!(pitch % 12, 1 | 3 | 6 | 8 | 10) {
                shapes.push(Shape::rect(key, BLACK_KEY_COLOUR, None));
            }
        }
        shapes.push(vertical_line(
            area.left,
            area,
            Stroke::solid(SECONDARY_COLOUR, 0.6),
        ));
        shapes
    }
}

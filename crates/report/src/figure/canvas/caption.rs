//! The words above and below a figure.

use super::scene::{Shape, Text};
use super::text_metrics;

/// Between the edge of a figure and its words.
pub(crate) const MARGIN: f64 = 16.0;
const TITLE_SIZE: f64 = 14.0;
const TITLE_LINE: f64 = 18.0;
const SUBTITLE_SIZE: f64 = 11.0;
const SUBTITLE_LINE: f64 = 15.0;
const FOOTNOTE_SIZE: f64 = 11.0;
const FOOTNOTE_LINE: f64 = 14.5;

/// The title of a figure of this width, and perhaps a quieter sentence below it, in as many lines as
/// they need; and where what follows can begin.
pub(crate) fn heading(title: &str, subtitle: &str, width: f64) -> (Vec<Shape>, f64) {
    let room = width - 2.0 * MARGIN;
    let (mut shapes, mut baseline) = (Vec::new(), 24.0 - TITLE_LINE);
    for line in text_metrics::lines(title, room, TITLE_SIZE, true) {
        baseline += TITLE_LINE;
        let text = Text::new(line, (MARGIN, baseline), TITLE_SIZE).bold();
        shapes.push(text.into());
    }
    for line in text_metrics::lines(subtitle, room, SUBTITLE_SIZE, false) {
        baseline += SUBTITLE_LINE;
        let text = Text::new(line, (MARGIN, baseline), SUBTITLE_SIZE).quiet();
        shapes.push(text.into());
    }
    (shapes, baseline + 10.0)
}

/// Adds a footnote to a figure of this width whose first line has this baseline, and gives the
/// baseline of the line after it.
pub(crate) fn footnote(words: &str, width: f64, mut baseline: f64, shapes: &mut Vec<Shape>) -> f64 {
    let room = width - 2.0 * MARGIN;
    for line in text_metrics::lines(words, room, FOOTNOTE_SIZE, false) {
        let text = Text::new(line, (MARGIN, baseline), FOOTNOTE_SIZE).quiet();
        shapes.push(text.into());
        baseline += FOOTNOTE_LINE;
    }
    baseline
}

/// Below a figure of this width, from this height on: what stands whole for every name that had to be
/// shortened. Gives the height with that.
pub(crate) fn append_full_names(width: f64, mut height: f64, shapes: &mut Vec<Shape>) -> f64 {
    let mut cut = Vec::new();
    find_shortened(shapes, &mut cut);
    if cut.is_empty() {
        return height;
    }
    height = footnote("In full:", width, height + 6.0, shapes);
    for (short, whole) in cut {
        height = footnote(&format!("{short} = {whole}"), width, height, shapes);
    }
    height
}

/// The words that were shortened, with all of them, each once.
fn find_shortened(shapes: &[Shape], found: &mut Vec<(String, String)>) {
    for shape in shapes {
        match shape {
            Shape::Text(text) => {
                let pair = text.whole.as_ref().map(|whole| (&text.text, whole));
                let pair = pair.map(|(short, whole)| (short.clone(), whole.clone()));
                found.extend(pair.filter(|pair| !found.contains(pair)));
            }
            Shape::WithTooltip(_, shapes) | Shape::Clip(_, shapes) => find_shortened(shapes, found),
            _ => {}
        }
    }
}

//! Title above and footnotes below a figure.

use super::scene::{Shape, Text};
use super::text_metrics;

/// Distance between the edge of a figure and its content, in figure units.
pub(crate) const MARGIN: f64 = 16.0;
/// Font size of the figure title.
const TITLE_FONT_SIZE: f64 = 14.0;
/// Line height of the figure title.
const TITLE_LINE_HEIGHT: f64 = 18.0;
const SUBTITLE_FONT_SIZE: f64 = 11.0;
/// Line height of the subtitle.
const SUBTITLE_LINE_HEIGHT: f64 = 15.0;
const FOOTNOTE_FONT_SIZE: f64 = 11.0;
/// Line height of footnotes.
const FOOTNOTE_LINE_HEIGHT: f64 = 14.5;

/// Draws the title and the optional subtitle, wrapped to the width. Returns the shapes and the y at
/// which the content can begin.
pub(crate) fn heading(title: &str, subtitle: &str, width: f64) -> (Vec<Shape>, f64) {
    let available = width - 2.0 * MARGIN;
    let (mut shapes, mut baseline) = (Vec::new(), 24.0 - TITLE_LINE_HEIGHT);
    for line in text_metrics::lines(title, available, TITLE_FONT_SIZE, true) {
        baseline += TITLE_LINE_HEIGHT;
        let text = Text::new(line, (MARGIN, baseline), TITLE_FONT_SIZE).bold();
        shapes.push(text.into());
    }
    for line in text_metrics::lines(subtitle, available, SUBTITLE_FONT_SIZE, false) {
        baseline += SUBTITLE_LINE_HEIGHT;
        let text = Text::new(line, (MARGIN, baseline), SUBTITLE_FONT_SIZE).quiet();
        shapes.push(text.into());
    }
    (shapes, baseline + 10.0)
}

/// Adds a footnote whose first line has its baseline at y `baseline`. Returns the baseline for a
/// line below the footnote.
pub(crate) fn footnote(words: &str, width: f64, mut baseline: f64, shapes: &mut Vec<Shape>) -> f64 {
    let available = width - 2.0 * MARGIN;
    for line in text_metrics::lines(words, available, FOOTNOTE_FONT_SIZE, false) {
        let text = Text::new(line, (MARGIN, baseline), FOOTNOTE_FONT_SIZE).quiet();
        shapes.push(text.into());
        baseline += FOOTNOTE_LINE_HEIGHT;
    }
    baseline
}

/// Appends the full form of every shortened name below the figure and returns the new height.
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

/// Collects shortened texts with their full form, without duplicates.
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

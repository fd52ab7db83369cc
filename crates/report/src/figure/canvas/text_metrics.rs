//! Approximate text widths for layout without a font.

use unicode_width::UnicodeWidthChar;

use crate::phrases;

/// Widths of the characters from space to tilde in Helvetica, in thousandths of the font size
/// (Adobe font metrics). Arial and Liberation Sans have the same widths.
const HELVETICA_WIDTHS: [u16; 95] = [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556,
    556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667,
    611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667,
    667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500,
    222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
];

/// Width of characters outside [`HELVETICA_WIDTHS`] that are not wide, in thousandths of the font
/// size. Most of them are narrower, so the layout may be too wide but is rarely too narrow.
const OTHER_CHARACTER_WIDTH: f64 = 620.0;
/// Width of East Asian and other wide characters, in thousandths of the font size.
const WIDE_CHARACTER_WIDTH: f64 = 1000.0;
/// Width of bold text relative to regular text.
const BOLD_WIDTH_FACTOR: f64 = 1.16;
/// Safety factor on text widths. Without Helvetica, Arial or Liberation Sans, viewers substitute a
/// wider font, usually DejaVu Sans. Texts must not overlap in that font either.
const SAFETY_FACTOR: f64 = 1.15;
const ELLIPSIS: char = '…';
/// Zero-width joiner, which joins characters (for example emoji) into one.
const JOINER: char = '\u{200d}';

/// Returns the width of the text at font size `size`, in figure units.
pub(crate) fn width(text: &str, size: f64, bold: bool) -> f64 {
    let thousandths: f64 = text.chars().map(character_width).sum();
    let factor = if bold {
        SAFETY_FACTOR * BOLD_WIDTH_FACTOR
    } else {
        SAFETY_FACTOR
    };
    thousandths * factor * size / 1000.0
}

/// Returns the width of the widest text at font size `size`, in figure units.
pub(crate) fn widest<S: AsRef<str>>(texts: impl IntoIterator<Item = S>, size: f64) -> f64 {
    let of = |text: S| width(text.as_ref(), size, false);
    texts.into_iter().map(of).fold(0.0, f64::max)
}

/// Returns the width of a character in thousandths of the font size.
fn character_width(c: char) -> f64 {
    let place = u32::from(c).checked_sub(32);
    let latin = place.and_then(|place| HELVETICA_WIDTHS.get(place as usize));
    match (latin, c.width()) {
        (Some(width), _) => f64::from(*width),
        (None, _) if c == ELLIPSIS => WIDE_CHARACTER_WIDTH,
        // Control characters are written as spaces.
        (None, None) => 278.0,
        (None, Some(0)) => 0.0,
        (None, Some(1)) => OTHER_CHARACTER_WIDTH,
        (None, Some(_)) => WIDE_CHARACTER_WIDTH,
    }
}

/// Shortens the text to a width of at most `limit` by leaving out its middle; returns `None` if it
/// fits.
///
/// The end is kept because it often distinguishes systems: `bm25 k1=0.9 b=0.4`.
pub(crate) fn shortened(text: &str, limit: f64, size: f64, bold: bool) -> Option<String> {
    // Tolerance for rounding: a text that was given exactly its own width must fit.
    let limit = limit + 0.01;
    if width(text, size, bold) <= limit {
        return None;
    }
    let pieces = pieces(text);
    let fits = |kept: usize| {
        let short = without_middle(&pieces, kept);
        (width(&short, size, bold) <= limit).then_some(short)
    };
    let longest = (1..pieces.len()).rev().find_map(fits);
    Some(longest.unwrap_or_else(|| ELLIPSIS.to_string()))
}

/// Wraps the text into lines with a width of at most `limit`. Longer words are broken.
pub(crate) fn lines(text: &str, limit: f64, size: f64, bold: bool) -> Vec<String> {
    let fits = |line: &str| width(line, size, bold) <= limit;
    let mut lines: Vec<String> = Vec::new();
    for line in phrases::wrap_words(text, fits) {
        lines.push(String::new());
        for piece in pieces(&line) {
            let last = lines.last_mut().expect("there is at least one line");
            if last.is_empty() || fits(&format!("{last}{piece}")) {
                *last += piece;
            } else {
                lines.push(piece.to_owned());
            }
        }
    }
    lines
}

/// Keeps `kept` pieces, three fifths of them (rounded up) from the start and the rest from the end,
/// with an ellipsis between.
fn without_middle(pieces: &[&str], kept: usize) -> String {
    let head = (kept * 3).div_ceil(5);
    let tail = kept - head;
    let head = pieces[..head].concat();
    let tail = pieces[pieces.len() - tail..].concat();
    format!("{}{ELLIPSIS}{}", head.trim_end(), tail.trim_start())
}

/// Splits the text into pieces that must not be cut: a character with its combining marks, or a
/// joined sequence.
fn pieces(text: &str) -> Vec<&str> {
    let mut cuts = Vec::new();
    let mut previous = None;
    for (at, c) in text.char_indices() {
        let sits_on = c.width() == Some(0);
        if at > 0 && !sits_on && previous != Some(JOINER) {
            cuts.push(at);
        }
        previous = Some(c);
    }
    let starts = std::iter::once(0).chain(cuts.iter().copied());
    let ends = cuts.iter().copied().chain([text.len()]);
    starts.zip(ends).map(|(from, to)| &text[from..to]).collect()
}

//! How wide words are, near enough to lay out a figure without a font.

use unicode_width::UnicodeWidthChar;

use crate::phrases;

/// Widths of the characters from space to tilde in thousandths of the size:
/// Helvetica, from the Adobe font metrics; Arial and Liberation Sans agree.
const HELVETICA: [u16; 95] = [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556,
    556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667,
    611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667,
    667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500,
    222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
];

/// Other scripts come from whatever font the reader has; most letters are
/// narrower than this, and a layout may be too roomy but not too tight.
const OTHER: f64 = 620.0;
const WIDE: f64 = 1000.0;
const BOLD: f64 = 1.16;
/// Where there is no Helvetica, Arial or Liberation Sans, the reader sees a wider
/// font, most often DejaVu Sans; the words must not overlap there either.
const ROOM: f64 = 1.15;
const ELLIPSIS: char = '…';
const JOINER: char = '\u{200d}';

/// The width of the text in the units of `size`.
pub(crate) fn width(text: &str, size: f64, bold: bool) -> f64 {
    let thousandths: f64 = text.chars().map(thousandths).sum();
    let factor = if bold { ROOM * BOLD } else { ROOM };
    thousandths * factor * size / 1000.0
}

/// The width of the widest text.
pub(crate) fn widest<S: AsRef<str>>(texts: impl IntoIterator<Item = S>, size: f64) -> f64 {
    let of = |text: S| width(text.as_ref(), size, false);
    texts.into_iter().map(of).fold(0.0, f64::max)
}

fn thousandths(c: char) -> f64 {
    let place = u32::from(c).checked_sub(32);
    let latin = place.and_then(|place| HELVETICA.get(place as usize));
    match (latin, c.width()) {
        (Some(width), _) => f64::from(*width),
        (None, _) if c == ELLIPSIS => WIDE,
        // Control characters are written as spaces.
        (None, None) => 278.0,
        (None, Some(0)) => 0.0,
        (None, Some(1)) => OTHER,
        (None, Some(_)) => WIDE,
    }
}

/// The text with its middle left out, at most `limit` wide; `None` when it fits.
///
/// The end of a name is kept because systems are often told apart by it: `bm25 k1=0.9 b=0.4`.
pub(crate) fn shortened(text: &str, limit: f64, size: f64, bold: bool) -> Option<String> {
    // What was given just the room it needs must not lack some to rounding.
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

/// The words in lines of at most `limit`; a longer word is broken.
pub(crate) fn lines(text: &str, limit: f64, size: f64, bold: bool) -> Vec<String> {
    let fits = |line: &str| width(line, size, bold) <= limit;
    let mut lines: Vec<String> = Vec::new();
    for line in phrases::wrap_words(text, fits) {
        lines.push(String::new());
        for piece in pieces(&line) {
            let last = lines.last_mut().expect("a line was begun");
            if last.is_empty() || fits(&format!("{last}{piece}")) {
                *last += piece;
            } else {
                lines.push(piece.to_owned());
            }
        }
    }
    lines
}

/// `kept` pieces around an ellipsis, three of five before it.
fn without_middle(pieces: &[&str], kept: usize) -> String {
    let head = (kept * 3).div_ceil(5);
    let tail = kept - head;
    let head = pieces[..head].concat();
    let tail = pieces[pieces.len() - tail..].concat();
    format!("{}{ELLIPSIS}{}", head.trim_end(), tail.trim_start())
}

/// The text cut where it may be cut: not before a mark that sits on the letter
/// before it, and not where two signs are joined into one.
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

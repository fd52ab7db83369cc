//! `item,seconds`: how long the clip of an item lasts.

use std::collections::HashMap;

use crate::columns::{Delimiter, LONGEST_LINE, Line};
use crate::error::{FormatError, Warning};
use crate::source::Source;
use crate::text::Text;

/// How long clips last, as it was read.
#[derive(Debug)]
pub struct Durations {
    /// The seconds of each item.
    pub seconds: HashMap<String, f64>,
    /// What there was to remark.
    pub warnings: Vec<Warning>,
}

/// Reads how long clips last. A header such as `item,seconds` is passed over.
///
/// ```
/// use partita_formats::{Source, durations};
///
/// let read = durations::read(&Source::memory("d.csv", "item,seconds\nx,4.5\n"))?;
/// assert_eq!(read.seconds["x"], 4.5);
/// # Ok::<(), partita_formats::FormatError>(())
/// ```
pub fn read(source: &Source) -> Result<Durations, FormatError> {
    let text = Text::read(source)?;
    text.refuse_lines_beyond(source, LONGEST_LINE)?;
    let mut seconds: HashMap<String, f64> = HashMap::new();
    for (index, (number, row)) in text.lines().enumerate() {
        let line = Line {
            file: source.name(),
            number,
            text: row,
        };
        let delimiter = match () {
            () if row.contains('\t') => Delimiter::Tab,
            () if row.contains(',') => Delimiter::Comma,
            () => Delimiter::Blanks,
        };
        let columns = delimiter.split(row);
        let [item, duration] = columns.as_slice() else {
            let message = format!(
                "expected 2 columns (item, seconds), found {}",
                columns.len()
            );
            return Err(line.error(message).column(1));
        };
        if index == 0 && matches!(duration.to_lowercase().as_str(), "seconds" | "duration") {
            continue;
        }
        if item.is_empty() {
            return Err(line.error_at(item, "an empty column"));
        }
        let parsed: Option<f64> = duration.parse().ok();
        let Some(parsed) = parsed.filter(|seconds| seconds.is_finite() && *seconds >= 0.0) else {
            let said = crate::text::shorten(duration);
            let message = format!("seconds are a number of at least 0, not `{said}`");
            return Err(line.error_at(duration, message));
        };
        if let Some(known) = seconds.insert(item.to_string(), parsed)
            && known != parsed
        {
            let message = format!("the item `{item}` lasts {known} seconds already");
            return Err(line.error_at(item, message));
        }
    }
    if seconds.is_empty() {
        return Err(crate::text::empty(source.name()));
    }
    Ok(Durations {
        seconds,
        warnings: text.warning.into_iter().collect(),
    })
}

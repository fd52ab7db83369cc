//! `item,seconds`: how long the clip of an item lasts.

use std::collections::HashMap;

use crate::error::{FormatError, Warning};
use crate::problem;
use crate::source::Source;
use crate::table::{SECONDS, Table};
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
    text.refuse_overlong_lines()?;
    let mut seconds: HashMap<String, f64> = HashMap::new();
    for (index, row) in Table::new(&text)?.all_rows().enumerate() {
        row.exactly(["item", "seconds"])?;
        if index == 0 && row.place(SECONDS) == Some(1) {
            continue;
        }
        let item = row.name(0, "item")?;
        let parsed = row.seconds(Some(1))?.ok_or_else(|| {
            let problem = problem!(MissingValue: "seconds are a number of at least 0, not nothing");
            row.error(1, problem)
        })?;
        if let Some(known) = seconds.insert(item.to_string(), parsed)
            && known != parsed
        {
            let problem = problem!(Contradiction { item, known }:
                "the item `{item}` lasts {known} seconds already");
            return Err(row.error(0, problem));
        }
    }
    if seconds.is_empty() {
        return Err(source.empty());
    }
    Ok(Durations {
        seconds,
        warnings: text.warning.into_iter().collect(),
    })
}

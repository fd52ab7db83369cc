//! `item,seconds`: how long the clip of an item lasts.

use std::collections::HashMap;

use crate::diagnostic;
use crate::diagnostic::{FormatError, Warning};
use crate::table::{ITEM, SECONDS, Table};
use crate::text::SourceText;
use crate::text::source::Source;

/// How long clips last, as it was read.
#[derive(Debug)]
pub struct DurationsFile {
    /// The seconds of each item.
    pub seconds: HashMap<String, f64>,
    /// What there was to remark.
    pub warnings: Vec<Warning>,
}

/// Reads how long clips last: two columns, or those that a header calls `item` and `seconds`, as what
/// `partita collection render` prints does. A header such as `item,seconds` is passed over.
///
/// ```
/// use partita_formats::{Source, durations};
///
/// let read = durations::read(&Source::memory("d.csv", "item,seconds\nx,4.5\n"))?;
/// assert_eq!(read.seconds["x"], 4.5);
/// # Ok::<(), partita_formats::FormatError>(())
/// ```
pub fn read(source: &Source) -> Result<DurationsFile, FormatError> {
    let text = SourceText::read(source)?;
    text.refuse_overlong_lines()?;
    let mut seconds: HashMap<String, f64> = HashMap::new();
    let table = Table::new(&text)?;
    let header = table.header();
    let named = header.column_index(ITEM).zip(header.column_index(SECONDS));
    let (item_place, seconds_place) = named.unwrap_or((0, 1));
    for (index, row) in table.all_rows().enumerate() {
        match named {
            None => row.expect_columns(["item", "seconds"]).map(|_| ())?,
            Some(_) => row.require_column_count(header.fields.len())?,
        }
        if index == 0 && row.column_index(SECONDS) == Some(seconds_place) {
            continue;
        }
        let item = row.require_name(item_place, "item")?;
        let parsed = row.seconds(Some(seconds_place))?.ok_or_else(|| {
            let problem =
                diagnostic!(MissingValue: "seconds are a number of at least 0, not nothing");
            row.error(seconds_place, problem)
        })?;
        if let Some(known) = seconds.insert(item.to_string(), parsed)
            && known != parsed
        {
            let problem = diagnostic!(Contradiction { item, known }:
                "the item `{item}` lasts {known} seconds already");
            return Err(row.error(item_place, problem));
        }
    }
    if seconds.is_empty() {
        return Err(source.empty_error());
    }
    Ok(DurationsFile {
        seconds,
        warnings: text.warning.into_iter().collect(),
    })
}

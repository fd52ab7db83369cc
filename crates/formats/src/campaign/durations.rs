//! Durations of the audio clips of items: `item,seconds`.

use std::collections::HashMap;

use crate::diagnostic;
use crate::diagnostic::{FormatError, Warning};
use crate::table::{ITEM, SECONDS, Table};
use crate::text::SourceText;
use crate::text::source::Source;

/// Content of a file of clip durations.
#[derive(Debug)]
pub struct DurationsFile {
    /// Duration of the audio clip of each item in seconds, keyed by the name of the item.
    pub seconds: HashMap<String, f64>,
    /// Warnings about the file.
    pub warnings: Vec<Warning>,
}

/// Reads clip durations: two columns, or the columns `item` and `seconds` of a header, as printed
/// by `partita collection render`. A header such as `item,seconds` is skipped.
///
/// ```
/// use partita_formats::{Source, campaign::durations};
///
/// let read = durations::read(&Source::from_bytes("d.csv", "item,seconds\nx,4.5\n"))?;
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
    let (item_column, seconds_column) = named.unwrap_or((0, 1));
    for (index, row) in table.all_rows().enumerate() {
        match named {
            None => drop(row.expect_columns(["item", "seconds"])?),
            Some(_) => row.require_column_count(header.fields.len())?,
        }
        if index == 0 && row.column_index(SECONDS) == Some(seconds_column) {
            continue;
        }
        let item = row.require_name(item_column, "item")?;
        let parsed = row.seconds(Some(seconds_column))?.ok_or_else(|| {
            let problem =
                diagnostic!(MissingValue: "seconds are a number of at least 0, not nothing");
            row.error(seconds_column, problem)
        })?;
        if let Some(known) = seconds.insert(item.to_string(), parsed)
            && known != parsed
        {
            let problem = diagnostic!(Contradiction { item, known }:
                "the item `{item}` lasts {known} seconds already");
            return Err(row.error(item_column, problem));
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

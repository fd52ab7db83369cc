//! `query item gain`: a higher gain is better.

use partita_core::{GroundTruth, Scale};

use super::table::{Value, each_row, write as write_table};
use super::{Definition, ReadOptions, Reader, Rows};
use crate::error::FormatError;
use crate::text::Text;

pub(super) static FORMAT: Definition = Definition {
    scale: Scale::Grades,
    by_item: true,
    read: Reader::Whole(read),
    write,
};

fn read(text: &Text<'_>, _: &ReadOptions) -> Result<Rows, FormatError> {
    let mut rows = Rows::new(Scale::Grades);
    let warning = each_row(text, Value::Gain, |row, columns| {
        let gain = row.number(columns.number, "a gain")?;
        rows.add(
            row.line,
            &row.fields[columns.query],
            &row.fields[columns.item],
            gain,
        )
    })?;
    rows.warn(warning);
    Ok(rows)
}

fn write(truth: &GroundTruth) -> Result<String, FormatError> {
    write_table(truth, "gain", |judged| {
        let gains = judged.gains().iter();
        gains.map(|(item, gain)| (judged.names().name(item), gain.to_string()))
    })
}

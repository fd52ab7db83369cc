//! Ground truths as rows `query item gain`: a higher gain is better.

use partita_core::{GroundTruth, TruthScale};

use super::table::{ValueColumn, for_each_judgment, write as write_table};
use super::{TruthBuilder, TruthFormatDefinition, TruthReadOptions, TruthReader};
use crate::diagnostic::FormatError;
use crate::text::SourceText;

/// Format `gains`.
pub(super) static FORMAT: TruthFormatDefinition = TruthFormatDefinition {
    scale: TruthScale::Grades,
    by_item: true,
    read: TruthReader::Whole(read),
    write,
};

fn read(text: &SourceText<'_>, _: &TruthReadOptions) -> Result<TruthBuilder, FormatError> {
    let mut rows = TruthBuilder::new(TruthScale::Grades);
    let warning = for_each_judgment(text, ValueColumn::Gain, |row, columns| {
        let gain = row.require_number(columns.number, "a gain")?;
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

//! How what the commands of a campaign find is written.

use partita_core::Answer;

use crate::failure::Failure;

/// A table of comma-separated values.
pub(super) fn csv<const N: usize>(
    header: [&str; N],
    rows: impl IntoIterator<Item = [String; N]>,
) -> Result<String, Failure> {
    // A first column that starts like a comment is quoted, so that it is none.
    let mut builder = csv::WriterBuilder::new();
    let mut writer = builder.comment(Some(b'#')).from_writer(Vec::new());
    writer.write_record(header).map_err(Failure::ours)?;
    for row in rows {
        writer.write_record(row).map_err(Failure::ours)?;
    }
    let bytes = writer.into_inner().map_err(Failure::ours)?;
    String::from_utf8(bytes).map_err(Failure::ours)
}

/// A number that reads back exactly, or nothing.
pub(super) fn number(value: Option<f64>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}

/// An answer in files, where a is the item shown first; nothing for a blank one.
pub(super) fn word(answer: Option<Answer>) -> &'static str {
    match answer {
        Some(Answer::A) => "a",
        Some(Answer::B) => "b",
        Some(Answer::Equal) => "equal",
        None => "",
    }
}

//! Rules for the names that each format can write and read back unchanged.

use crate::diagnostic;
use crate::diagnostic::{Diagnostic, FormatError};
use crate::remedy::Remedy;

/// Length in bytes of the longest name that gives no warning.
pub(crate) const LONGEST_NAME: usize = 1024;

/// Creates the diagnostic about names longer than [`LONGEST_NAME`].
pub(crate) fn long_names(count: u64, first: &str) -> Diagnostic {
    let most = LONGEST_NAME;
    diagnostic!(LongNames { most, count, first }:
        "names longer than {most} bytes: {count}, the first starting `{first}`")
}

/// Creates the error for a name that a format cannot write.
pub(crate) fn unwritable_error(format: &str, problem: Diagnostic) -> FormatError {
    let remedy = Remedy::parse("use {to json}, which can hold any name");
    FormatError::in_file(format, problem).with_remedy(remedy)
}

/// Returns an error for a name that would not be read back unchanged from a table: an empty one, or
/// one with outer blanks, line breaks, NUL or a leading byte-order mark.
pub(crate) fn check_table_name(format: &str, name: &str) -> Result<(), FormatError> {
    let marked = name.starts_with('\u{feff}');
    if name.is_empty() || name.trim() != name || marked || name.contains(['\n', '\r', '\0']) {
        let name = format!("{name:?}");
        let problem = diagnostic!(Unrepresentable { name }:
            "the name {name} cannot be written: it would not be read back");
        return Err(unwritable_error(format, problem));
    }
    Ok(())
}

/// Returns an error for a name that cannot start a line: it would be read as a comment, or lose its
/// byte-order mark.
pub(crate) fn check_line_start(format: &str, name: &str) -> Result<(), FormatError> {
    if name.starts_with(['#', '\u{feff}']) {
        let name = format!("{name:?}");
        let problem = diagnostic!(Unrepresentable { name }:
            "the name {name} cannot start a line: it would not be read back");
        return Err(unwritable_error(format, problem));
    }
    Ok(())
}

/// Returns an error for a name that is empty or contains blanks or ASCII control characters, for
/// formats whose names are single words.
pub(crate) fn check_single_word(format: &str, name: &str) -> Result<(), FormatError> {
    // The TREC formats treat every control character as a blank.
    let separates = |c: char| c.is_whitespace() || c <= ' ';
    if name.is_empty() || name.contains(separates) {
        let problem = diagnostic!(Unrepresentable { name }:
            "`{name}` cannot be written: a name there is one word, since blanks separate the columns");
        let other = match format {
            "trec" => Some("systems"),
            "qrels" => Some("gains"),
            _ => None,
        };
        let error = unwritable_error(format, problem);
        return Err(match other {
            None => error,
            Some(other) => error.with_remedy(Remedy::parse(&format!(
                "use {{to {other}}} (separated by commas) or {{to json}}, which can hold any name; a file \
                 with tabs between the columns is read too"
            ))),
        });
    }
    Ok(())
}

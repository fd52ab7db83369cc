//! Parts that the descriptions of measures and of melody systems have in common.

use crate::Document;
use crate::phrases::wrap_paragraph;

/// Line width of descriptions in characters.
pub(super) const WIDTH: usize = 80;

/// Adds the alternative names, the parameters and the literature reference of a definition to its
/// description. A parameter is a line with its values and a paragraph on its meaning.
pub(super) fn add_parameters_and_reference<'a>(
    mut document: Document,
    aliases: &[&str],
    parameters: impl ExactSizeIterator<Item = (String, &'a str)>,
    reference: &str,
) -> Document {
    if !aliases.is_empty() {
        document = document.note(format!("Also:      {}", aliases.join(", ")));
    }
    if parameters.len() > 0 {
        document = document.paragraph("Parameters:");
    }
    for (values, meaning) in parameters {
        document = document
            .note(values)
            .notes(wrap_paragraph(meaning, "      ", WIDTH));
    }
    document
        .paragraph("Reference:")
        .notes(wrap_paragraph(reference, "  ", WIDTH))
}

//! How the definitions of measures are shown.

use std::io;

use partita_core::measure::{MeasureCatalogue, MeasureDefinition, MeasureDescription};

use crate::phrases::{join, wrap_paragraph};
use crate::table::text;
use crate::{ColumnSet, Document, View};

/// How wide a description is on a terminal.
const WIDTH: usize = 80;

/// Measures: a row each, or all of them in full.
#[derive(Clone, Copy, Debug)]
pub struct MeasuresView<'a> {
    /// The measures.
    pub result: &'a MeasureCatalogue,
    /// Whether they are described in full.
    pub full: bool,
}

impl View for MeasuresView<'_> {
    fn write_csv(&self, place: &mut dyn io::Write) -> io::Result<()> {
        sheet().write_csv(&self.result.measures, place)
    }

    fn document(&self) -> Document {
        if self.full {
            let all = self.result.measures.iter().map(describe);
            return all.fold(Document::new(), Document::append);
        }
        let table = sheet().to_table(&self.result.measures);
        (Document::new().table(table)).hint("`partita measures NAME` says all of one.")
    }
}

fn sheet() -> ColumnSet<'static, MeasureDescription> {
    let parameters = |definition: &MeasureDefinition| {
        join(
            definition.parameters.iter().map(|parameter| parameter.name),
            " ",
        )
    };
    ColumnSet::new()
        .field("name", text("Measure"), |row: &MeasureDescription| {
            row.definition.name
        })
        .field("summary", text("What it says"), |row| {
            row.definition.summary
        })
        .csv_field("formula", |row| row.formula.clone())
        .csv_field("range", |row| row.definition.range)
        .csv_field("cutoff", |row| row.definition.cutoff.to_string())
        .csv_field("parameters", move |row| parameters(row.definition))
        .field("example", text("Example"), |row| row.definition.example)
        .csv_field("reference", |row| row.definition.reference)
}

fn describe(measure: &MeasureDescription) -> Document {
    let definition = measure.definition;
    let better = match definition.higher_is_better {
        Some(true) => "; higher is better",
        Some(false) => "; lower is better",
        None => "",
    };
    let formula = wrap_paragraph(&measure.formula, "           ", WIDTH).join("\n");
    let formula = format!("Formula:   {}", formula.trim_start());
    let mut document = Document::new()
        .paragraph(definition.name)
        .note(definition.summary)
        .append(lines(wrap_paragraph(definition.description, "", WIDTH)))
        .append(lines(formula.lines()))
        .note(format!("Range:     {}{better}", definition.range))
        .note(format!("Cut-off:   {}", definition.cutoff))
        .note(format!("Example:   {}", definition.example));
    if !definition.aliases.is_empty() {
        document = document.note(format!("Also:      {}", definition.aliases.join(", ")));
    }
    if !definition.parameters.is_empty() {
        document = document.paragraph("Parameters:");
        for parameter in definition.parameters {
            document = document
                .note(format!(
                    "  {} = {} (default: {})",
                    parameter.name, parameter.values, parameter.default
                ))
                .notes(wrap_paragraph(parameter.description, "      ", WIDTH));
        }
    }
    document
        .paragraph("Reference:")
        .notes(wrap_paragraph(definition.reference, "  ", WIDTH))
}

/// A paragraph of lines.
fn lines(lines: impl IntoIterator<Item = impl Into<String>>) -> Document {
    Document::new().notes(lines)
}

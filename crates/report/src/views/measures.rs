//! View of the catalogue of measures and their definitions.

use std::io;

use partita_core::measure::{MeasureCatalogue, MeasureDescription};

use crate::phrases::{join, wrap_paragraph};
use crate::table::text;
use crate::views::definition::{WIDTH, add_parameters_and_reference};
use crate::{ColumnSet, Document, View};

/// Catalogue of measures, with one row per measure or with full descriptions.
#[derive(Clone, Copy, Debug)]
pub struct MeasuresView<'a> {
    /// Measures to show.
    pub result: &'a MeasureCatalogue,
    /// True to show full descriptions, false for one row per measure.
    pub full: bool,
}

impl View for MeasuresView<'_> {
    fn write_csv(&self, writer: &mut dyn io::Write) -> io::Result<()> {
        columns().write_csv(&self.result.measures, writer)
    }

    fn document(&self) -> Document {
        if self.full {
            let all = self.result.measures.iter().map(full_description);
            return all.fold(Document::new(), Document::append);
        }
        let table = columns().to_table(&self.result.measures);
        (Document::new().table(table)).hint("`partita measures NAME` says all of one.")
    }
}

fn columns() -> ColumnSet<'static, MeasureDescription> {
    ColumnSet::<MeasureDescription>::new()
        .field("name", text("Measure"), |row| row.definition.name)
        .field("summary", text("What it says"), |row| {
            row.definition.summary
        })
        .csv_field("formula", |row| row.formula.clone())
        .csv_field("range", |row| row.definition.range)
        .csv_field("cutoff", |row| row.definition.cutoff.to_string())
        .csv_field("parameters", |row| {
            let parameters = row.definition.parameters.iter();
            join(parameters.map(|parameter| parameter.name), " ")
        })
        .field("example", text("Example"), |row| row.definition.example)
        .csv_field("reference", |row| row.definition.reference)
}

/// Returns the full description of a measure.
fn full_description(measure: &MeasureDescription) -> Document {
    let definition = measure.definition;
    let better = match definition.higher_is_better {
        Some(true) => "; higher is better",
        Some(false) => "; lower is better",
        None => "",
    };
    let formula = wrap_paragraph(&measure.formula, "           ", WIDTH).join("\n");
    let formula = format!("Formula:   {}", formula.trim_start());
    let document = Document::new()
        .paragraph(definition.name)
        .note(definition.summary)
        .append(lines_document(wrap_paragraph(
            definition.description,
            "",
            WIDTH,
        )))
        .append(lines_document(formula.lines()))
        .note(format!("Range:     {}{better}", definition.range))
        .note(format!("Cut-off:   {}", definition.cutoff))
        .note(format!("Example:   {}", definition.example));
    let parameters = definition.parameters.iter().map(|parameter| {
        let (name, values, default) = (parameter.name, parameter.values, parameter.default);
        let line = format!("  {name} = {values} (default: {default})");
        (line, parameter.description)
    });
    let (aliases, reference) = (definition.aliases, definition.reference);
    add_parameters_and_reference(document, aliases, parameters, reference)
}

/// Creates a document with one paragraph of lines.
fn lines_document(lines: impl IntoIterator<Item = impl Into<String>>) -> Document {
    Document::new().notes(lines)
}

//! Warnings about data that the format of the target cannot hold.

use partita_core::{GroundTruth, TruthScale};
use partita_formats::truth::TruthFormat;
use partita_formats::{Diagnostic, DiagnosticCode, Source, Warning, diagnostic};
use partita_named::NamedEnum;
use partita_report::phrases::count_noun;

/// Creates the warning about columns that a format cannot hold, if there are any.
pub(super) fn lost_columns_warning(
    source: &Source,
    format: impl NamedEnum,
    columns: &[String],
) -> Option<Warning> {
    (!columns.is_empty()).then(|| {
        let problem = diagnostic!(LeftOut { format = format.name(), columns = columns.join(", ") }:
            "{format} has no place for {columns}");
        Warning::in_file(source.name(), problem)
    })
}

/// Warns about judged items that a list format cannot represent.
pub(super) fn dropped_items_warning(
    truth: &GroundTruth,
    file: &str,
    format: TruthFormat,
) -> Option<Warning> {
    let lists = format.scale() == TruthScale::Groups;
    let count: usize = truth
        .iter()
        .map(|(_, judged)| judged.gains().len() - judged.list().len())
        .sum();
    (lists && truth.scale() == TruthScale::Grades && count > 0).then(|| {
        let items = count_noun(count, "judged item", "judged items");
        let is = if count == 1 { "is" } else { "are" };
        let message = format!("{items} with a grade of 0 or less {is} not in the lists");
        let problem = Diagnostic::new(DiagnosticCode::LeftOut, message);
        Warning::in_file(file, problem.with_field("left_out_items", count))
    })
}

/// Warns about queries without items, which a format with one line per item cannot represent.
pub(super) fn empty_queries_warning(
    truth: &GroundTruth,
    file: &str,
    format: TruthFormat,
) -> Option<Warning> {
    let empty = truth.iter().filter(|(_, judged)| !format.can_hold(judged));
    let names: Vec<&str> = empty.map(|(query, _)| query).collect();
    (!names.is_empty()).then(|| {
        let problem = diagnostic!(EmptyQueries { format, queries = names.join(", ") }:
            "queries without any item cannot stand in {format}: {queries}");
        Warning::in_file(file, problem)
    })
}

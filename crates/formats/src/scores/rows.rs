//! `system,query,measure,value`, a row a score; the header names the columns, in any order.

use super::cells::Cells;
use super::gathered::{Columns, Table, gather};
use super::{ReadOptions, ScoresFile, ScoresTable};
use crate::error::{FormatError, Warning};
use crate::source::Source;
use crate::table::Row;
use crate::text::Text;

/// Whether a line is a header of such a table.
pub(super) fn is_header(row: &Row<'_>) -> bool {
    Columns::of(row).is_some()
}

pub(super) fn read(
    source: &Source,
    text: &Text,
    options: &ReadOptions,
) -> Result<ScoresFile, FormatError> {
    let gathered = gather(source, text, options, false)?;
    let measures = gathered.measures;
    let mut file = ScoresFile {
        tables: Vec::new(),
        warnings: Vec::new(),
    };
    let mut passed_over = Vec::new();
    for (measure, table) in measures.iter().zip(gathered.tables) {
        match options.measures.is_empty() {
            false if !options.names(measure) => continue,
            true if is_extreme(measure, &measures) => {
                passed_over.push(measure.as_str());
                continue;
            }
            _ => {}
        }
        let cells = table.cells(measure.clone());
        let (scores, _) = cells.complete(source, options.missing, &mut file.warnings)?;
        let strata = None;
        file.tables.push(ScoresTable { scores, strata });
    }
    if !passed_over.is_empty() {
        file.warnings.push(Warning {
            file: source.name().to_owned(),
            line: None,
            message: format!(
                "bounds over tied orders are passed over: {} (name one with `--measure` to take it)",
                passed_over.join(", ")
            ),
        });
    }
    Ok(file)
}

/// Whether a measure is the lowest or highest score over the orders of tied documents, beside the
/// mean over them.
fn is_extreme(measure: &str, measures: &[String]) -> bool {
    let stem = measure
        .strip_suffix(":min")
        .or_else(|| measure.strip_suffix(":max"));
    stem.is_some_and(|stem| measures.iter().any(|other| other == stem))
}

impl Table {
    fn cells(self, measure: String) -> Cells {
        let (systems, queries) = (self.systems.names, self.queries.names);
        let mut values = vec![None; systems.len() * queries.len()];
        for ((system, query, _), (value, _)) in self.scores {
            values[query * systems.len() + system] = value;
        }
        Cells {
            measure,
            systems,
            queries,
            values,
        }
    }
}

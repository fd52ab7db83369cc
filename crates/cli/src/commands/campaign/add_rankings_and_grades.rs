//! Rankings and grades of `partita campaign add --kind`.

use partita::formats::campaign::grades;
use partita::formats::{DiagnosticCode, FormatError, Source, rankings};
use partita::judgment::{AnswerRow, Judgment};

use super::add::AnswerInput;
use crate::args::input::open_all;
use crate::output::error::CliError;

/// Reads rankings, one per query and assessor. With `as_ranks`, takes any values for ranks.
pub(super) fn read_rankings(files: &[String], as_ranks: bool) -> Result<AnswerInput, CliError> {
    let options = rankings::RankingsReadOptions {
        as_ranks,
        ..rankings::RankingsReadOptions::default()
    };
    let read = rankings::read(&open_all(files)?, &options).map_err(query_column_error)?;
    let mut input = AnswerInput {
        warnings: read.warnings,
        ..AnswerInput::default()
    };
    for query in &read.queries {
        let (ranks, items) = (&query.rankings, query.rankings.items());
        for (person, row) in ranks.rows().enumerate() {
            let named = || {
                items
                    .items()
                    .map(|item| items.name(item).to_owned())
                    .zip(row)
            };
            let mut ranked: Vec<(f64, String)> = named()
                .filter_map(|(item, rank)| Some(((*rank)?, item)))
                .collect();
            ranked.sort_by(|a, b| a.0.total_cmp(&b.0));
            // Items of equal rank are tied.
            let groups = ranked.chunk_by(|a, b| a.0 == b.0);
            let groups = groups.map(|group| group.iter().map(|(_, item)| item.clone()).collect());
            let unranked = named().filter(|(_, rank)| rank.is_none());
            let judgment = Judgment::Ranking {
                groups: groups.collect(),
                unranked: unranked.map(|(item, _)| item).collect(),
            };
            input.rows.push(AnswerRow {
                query: Some(query.name.clone()),
                assessor: Some(ranks.assessor_name(person).to_owned()),
                judgment,
                ..AnswerRow::default()
            });
            input.files.push(query.file.clone());
        }
    }
    Ok(input)
}

/// Reads tables of grades.
pub(super) fn read_grades(files: &[String]) -> Result<AnswerInput, CliError> {
    let mut input = AnswerInput::default();
    for file in files {
        let read = grades::read(&Source::open(file)?, None).map_err(query_column_error)?;
        input.warnings.extend(read.warnings);
        for row in read.rows {
            match row {
                Ok(row) => input.push(row),
                // Unreadable rows are named before all others.
                Err(error) => input.refused.push((0, error)),
            }
        }
    }
    Ok(input)
}

/// Converts an error. The queries of a campaign are named in the file, not by an option.
fn query_column_error(error: FormatError) -> CliError {
    let lacks_column = error.code == DiagnosticCode::MissingColumn;
    let error = CliError::from(error);
    if lacks_column {
        error.with_hint("the first line must name the columns, among them query, assessor and item")
    } else {
        error
    }
}

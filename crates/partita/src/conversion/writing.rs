//! Writing of the content of files in another format.

use partita_core::judgment::AnswerRow;
use partita_core::{Run, summarize_names};
use partita_formats::preferences::{self, PreferenceRows, PreferencesFormat};
use partita_formats::rankings::{self, QueryRankings, RankingsFormat, RankingsInput};
use partita_formats::run::{self, RunFile, RunFormat};
use partita_formats::truth::{self, TruthFile, TruthFormat};
use partita_formats::{Source, Warning, diagnostic, scores};

use super::content::FileContent;
use super::request::TargetFormat;
use super::warnings::{dropped_items_warning, empty_queries_warning, lost_columns_warning};
use super::{ConversionError, ConversionRequest, ConvertedData};

impl ConversionRequest {
    /// Writes the content of the files in the requested format.
    pub(super) fn write(
        &self,
        source: &Source,
        content: FileContent,
        format: TargetFormat,
        warnings: &mut Vec<Warning>,
    ) -> Result<ConvertedData, ConversionError> {
        match (content, format) {
            (FileContent::Truth(file), TargetFormat::Truth(format)) => {
                self.write_truth(source, file, format, warnings)
            }
            (FileContent::Run(file), TargetFormat::Run(format)) => {
                write_runs(source, file, format, warnings)
            }
            (FileContent::Rankings(files), TargetFormat::Rankings(format)) => {
                self.write_rankings(files, format, warnings)
            }
            (FileContent::Preferences(rows), TargetFormat::Preferences(format)) => {
                self.write_preferences(source, rows, format, warnings)
            }
            (FileContent::Scores(file), TargetFormat::Scores(format)) => {
                let written = scores::write(&file, format)?;
                warnings.extend(file.warnings);
                warnings.extend(lost_columns_warning(source, format, &written.lost_columns));
                Ok(ConvertedData::Text(written.text))
            }
            _ => unreachable!("the format was found for the kind of the content"),
        }
    }

    /// Writes the requested queries of a ground truth, or all if none is named.
    fn write_truth(
        &self,
        source: &Source,
        file: TruthFile,
        format: TruthFormat,
        warnings: &mut Vec<Warning>,
    ) -> Result<ConvertedData, ConversionError> {
        warnings.extend(file.warnings);
        let queries = self.query.iter().flat_map(|names| names.split(','));
        let queries: Vec<String> = queries.map(str::to_owned).collect();
        let truth = file.truth.restrict_to(&queries)?;
        warnings.extend(dropped_items_warning(&truth, source.name(), format));
        warnings.extend(empty_queries_warning(&truth, source.name(), format));
        if !(self.separate_queries && format == TruthFormat::Preflib) {
            return Ok(ConvertedData::Text(truth::write(&truth, format)?));
        }
        let files = truth.query_names().enumerate().map(|(number, query)| {
            let text = truth::write(&truth.with_single_query(number), format)?;
            Ok((format!("{}.toc", file_name(query)?), text))
        });
        let files: Result<_, ConversionError> = files.collect();
        Ok(ConvertedData::Files(files?))
    }

    /// Writes the rankings of the requested query, or of all if none is named.
    fn write_rankings(
        &self,
        files: RankingsInput,
        format: RankingsFormat,
        warnings: &mut Vec<Warning>,
    ) -> Result<ConvertedData, ConversionError> {
        warnings.extend(files.warnings);
        let mut queries = files.queries;
        if let Some(name) = self.query.first() {
            let known: Vec<String> = queries.iter().map(|query| query.name.clone()).collect();
            queries.retain(|query| query.name == *name);
            if queries.is_empty() {
                return Err(ConversionError::NoRankings {
                    name: name.clone(),
                    known: summarize_names(&known, 5),
                });
            }
        }
        if !self.separate_queries || format == RankingsFormat::Rows {
            return Ok(ConvertedData::Text(rankings::write(&queries, format)?));
        }
        let files = queries.iter().map(|query: &QueryRankings| {
            let text = rankings::write(std::slice::from_ref(query), format)?;
            // A PrefLib file states its kind of orders, which determines the file extension.
            let kind = text.split("# DATA TYPE: ").nth(1);
            let kind = kind.filter(|_| format == RankingsFormat::Preflib);
            let ending = kind.map_or("csv", |rest| &rest[..3]);
            Ok((format!("{}.{ending}", file_name(&query.name)?), text))
        });
        let files: Result<_, ConversionError> = files.collect();
        Ok(ConvertedData::Files(files?))
    }

    /// Writes preferences. If the table has no query column, its query is named by the request, or
    /// else by the file name without its extension.
    fn write_preferences(
        &self,
        source: &Source,
        read: PreferenceRows,
        format: PreferencesFormat,
        warnings: &mut Vec<Warning>,
    ) -> Result<ConvertedData, ConversionError> {
        let rows: Result<Vec<AnswerRow>, _> = read.rows.into_iter().collect();
        let query = self.query.first().map_or(source.stem(), String::as_str);
        let written = preferences::write(&rows?, query, format)?;
        warnings.extend(read.warnings);
        if read.unfilled + written.blanks > 0 {
            let count = read.unfilled + written.blanks;
            warnings.push(preferences::unfilled_rows_warning(source.name(), count));
        }
        warnings.extend(lost_columns_warning(source, format, &written.lost_columns));
        Ok(ConvertedData::Text(written.text))
    }
}

/// Writes runs.
fn write_runs(
    source: &Source,
    file: RunFile<Run>,
    format: RunFormat,
    warnings: &mut Vec<Warning>,
) -> Result<ConvertedData, ConversionError> {
    warnings.extend(file.warnings);
    let left_out = run::unwritable_queries(&file.runs, format);
    if !left_out.is_empty() {
        let problem = diagnostic!(EmptyQueries { format, queries = left_out.join(", ") }:
            "queries without any document cannot stand in {format}: {queries}");
        warnings.push(Warning::in_file(source.name(), problem));
    }
    Ok(ConvertedData::Text(run::write(&file.runs, format)?))
}

/// Returns the query if it is a valid file name.
fn file_name(query: &str) -> Result<&str, ConversionError> {
    match query.contains(['/', '\\']) || query.starts_with('.') {
        true => Err(ConversionError::FileName(query.to_owned())),
        false => Ok(query),
    }
}

//! `partita rankings convert`, `preferences convert` and `scores convert`: conversion of rankings,
//! preferences and scores.

pub(super) mod any_kind;

use std::path::Path;

use clap::{Args, Subcommand};
use partita_core::judgment::AnswerRow;
use partita_formats::preferences::{self, PreferenceRows, PreferencesFormat};
use partita_formats::rankings::{self, QueryRankings, RankingsFormat, RankingsInput};
use partita_formats::scores::{self, ScoresFile, ScoresFormat};
use partita_formats::{Source, Warning, diagnostic};
use partita_named::NamedEnum;

use super::truth::query_file_name;
use crate::args::input::{check_single_stdin, open_all};
use crate::args::preferences::parse_column_map;
use crate::args::scores::ScoresArgs;
use crate::output::destination::{
    Destination, create_folder, is_folder_path, print_warnings, write_file,
};
use crate::output::error::CliError;
use crate::output::result::{format_value_parser, named_value_parser};

/// Convert rankings
#[derive(Debug, Subcommand)]
pub(crate) enum RankingsCommand {
    Convert(ConvertRankingsArgs),
}

/// Convert preferences
#[derive(Debug, Subcommand)]
pub(crate) enum PreferencesCommand {
    Convert(ConvertPreferencesArgs),
}

/// Convert scores
#[derive(Debug, Subcommand)]
pub(crate) enum ScoresCommand {
    Convert(ConvertScoresArgs),
}

/// Write rankings in another format
///
/// A matrix and a PrefLib file hold one query: if there are several, choose one with --query or
/// give a folder as --output. In PrefLib files ranks become places and assessors lose their names.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  partita rankings convert votes.toc --to rows\n  partita rankings convert rankings.csv --to preflib --output lists/"
)]
pub(crate) struct ConvertRankingsArgs {
    /// Rankings; `-` is standard input
    #[arg(required = true)]
    rankings: Vec<String>,
    /// Format to write
    #[arg(long, value_name = "FORMAT", value_parser = format_value_parser(RankingsFormat::Rows))]
    to: RankingsFormat,
    /// Format of the rankings, if it is not recognised
    #[arg(long, value_name = "FORMAT", value_parser = named_value_parser::<RankingsFormat>())]
    rankings_format: Option<RankingsFormat>,
    /// Convert only this query. For a matrix or PrefLib file: name of its query [default: file
    /// name]
    #[arg(long, value_name = "NAME")]
    query: Option<String>,
    #[command(flatten)]
    destination: Destination,
}

/// Write preferences in another format
///
/// Results of Mechanical Turk and any other table become `query,a,b,assessor,answer`. The formats
/// `winner` and `left-right` do not name the assessors.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  partita preferences convert results.csv --map mturk --to answers\n  partita preferences convert answers.csv --to winner"
)]
pub(crate) struct ConvertPreferencesArgs {
    /// Answers; `-` is standard input
    preferences: String,
    /// Format to write
    #[arg(long, value_name = "FORMAT", value_parser = format_value_parser(PreferencesFormat::Answers))]
    to: PreferencesFormat,
    /// Map of columns and answer words: `mturk`, `@FILE`, or query=COLUMN,a=COLUMN,...,equal=WORD
    #[arg(long, value_name = "MAP", value_parser = parse_column_map)]
    map: Option<preferences::ColumnMap>,
    /// Name of the query if no column gives it [default: file name]
    #[arg(long, value_name = "NAME")]
    query: Option<String>,
    #[command(flatten)]
    destination: Destination,
}

/// Write scores in another format
///
/// A matrix holds one measure: if there are several, choose one with --measure.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  partita scores convert scores.csv --to matrix -m AP\n  partita scores convert matrix.csv --to rows"
)]
pub(crate) struct ConvertScoresArgs {
    #[command(flatten)]
    scores: ScoresArgs,
    /// Format to write
    #[arg(long, value_name = "FORMAT", value_parser = format_value_parser(ScoresFormat::Rows))]
    to: ScoresFormat,
    #[command(flatten)]
    destination: Destination,
}

pub(crate) fn rankings(command: &RankingsCommand) -> Result<(), CliError> {
    let RankingsCommand::Convert(args) = command;
    check_single_stdin(args.rankings.iter().map(|file| Some(file.as_str())))?;
    let sources = open_all(&args.rankings)?;
    // For a matrix or a PrefLib file the option names the query; for other files it selects one.
    let options = rankings::RankingsReadOptions {
        format: args.rankings_format,
        query: args.query.clone(),
    };
    let files = rankings::read(&sources, &options)?;
    write_rankings(files, args.to, args.query.as_deref(), &args.destination)
}

/// Writes the rankings of one query, or of all if none is named, in another format.
pub(super) fn write_rankings(
    files: RankingsInput,
    format: RankingsFormat,
    query: Option<&str>,
    destination: &Destination,
) -> Result<(), CliError> {
    print_warnings(&files.warnings);
    let mut queries = files.queries;
    if let Some(name) = query {
        let known: Vec<String> = queries.iter().map(|query| query.name.clone()).collect();
        queries.retain(|query| query.name == *name);
        if queries.is_empty() {
            let hint = format!("there are {}", partita_core::summarize_names(&known, 5));
            let message = format!("there is no query `{name}`");
            return Err(CliError::input(message).with_hint(hint));
        }
    }
    let output = destination.output.as_deref();
    match output.filter(|output| format != RankingsFormat::Rows && is_folder_path(output)) {
        Some(folder) => write_folder(&queries, format, folder),
        None => destination.write(&rankings::write(&queries, format)?),
    }
}

/// Writes a file for each query.
fn write_folder(
    queries: &[QueryRankings],
    format: RankingsFormat,
    folder: &str,
) -> Result<(), CliError> {
    create_folder(folder)?;
    for query in queries {
        let text = rankings::write(std::slice::from_ref(query), format)?;
        // A PrefLib file states its kind of orders, which determines the file extension.
        let kind = text.split("# DATA TYPE: ").nth(1);
        let kind = kind.filter(|_| format == RankingsFormat::Preflib);
        let ending = kind.map_or("csv", |rest| &rest[..3]);
        let file = format!("{}.{ending}", query_file_name(&query.name)?);
        write_file(Path::new(folder).join(file), text)?;
    }
    Ok(())
}

pub(crate) fn preferences(command: &PreferencesCommand) -> Result<(), CliError> {
    let PreferencesCommand::Convert(args) = command;
    let source = Source::open(&args.preferences)?;
    let read = preferences::read_rows(&source, &args.map.clone().unwrap_or_default())?;
    write_preferences(
        &source,
        read,
        args.to,
        args.query.as_deref(),
        &args.destination,
    )
}

/// Writes preferences in another format. If the table has no query column, its query is named by
/// the argument `query`, or else by the file name without its extension.
pub(super) fn write_preferences(
    source: &Source,
    read: PreferenceRows,
    format: PreferencesFormat,
    query: Option<&str>,
    destination: &Destination,
) -> Result<(), CliError> {
    let rows: Result<Vec<AnswerRow>, _> = read.rows.into_iter().collect();
    let written = preferences::write(&rows?, query.unwrap_or(source.stem()), format)?;
    let mut warnings = read.warnings;
    if read.unfilled + written.blanks > 0 {
        let count = read.unfilled + written.blanks;
        warnings.push(preferences::unfilled_rows_warning(source.name(), count));
    }
    warnings.extend(lost_columns_warning(source, format, &written.lost_columns));
    print_warnings(&warnings);
    destination.write(&written.text)
}

/// Creates the warning about columns that a format cannot hold, if there are any.
fn lost_columns_warning(
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

pub(crate) fn scores(command: &ScoresCommand) -> Result<(), CliError> {
    let ScoresCommand::Convert(args) = command;
    let source = Source::open(&args.scores.scores)?;
    let file = scores::read(&source, &args.scores.options())?;
    write_scores(&source, file, args.to, &args.destination)
}

/// Writes scores in another format.
pub(super) fn write_scores(
    source: &Source,
    file: ScoresFile,
    format: ScoresFormat,
    destination: &Destination,
) -> Result<(), CliError> {
    let written = scores::write(&file, format)?;
    let mut warnings = file.warnings;
    warnings.extend(lost_columns_warning(source, format, &written.lost_columns));
    print_warnings(&warnings);
    destination.write(&written.text)
}

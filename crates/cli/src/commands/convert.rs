//! `partita rankings convert`, `preferences convert` and `scores convert`: conversion of rankings,
//! preferences and scores.

pub(super) mod any_kind;

use std::path::Path;

use clap::{Args, Subcommand};
use partita::formats::DataKind;
use partita::formats::preferences::{ColumnMap, PreferencesFormat};
use partita::formats::rankings::RankingsFormat;
use partita::formats::scores::ScoresFormat;
use partita::named::NamedEnum;
use partita::{ConversionError, ConversionRequest, ConvertedData, convert, data_formats};

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
    map: Option<ColumnMap>,
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
    let request = ConversionRequest {
        to: args.to.name().to_owned(),
        kind: Some(DataKind::Rankings),
        query: args.query.iter().cloned().collect(),
        rankings_format: args.rankings_format,
        ..ConversionRequest::default()
    };
    convert_files(request, &args.rankings, None, &args.destination)
}

pub(crate) fn preferences(command: &PreferencesCommand) -> Result<(), CliError> {
    let PreferencesCommand::Convert(args) = command;
    let request = ConversionRequest {
        to: args.to.name().to_owned(),
        kind: Some(DataKind::Preferences),
        query: args.query.iter().cloned().collect(),
        map: args.map.clone(),
        ..ConversionRequest::default()
    };
    let files = std::slice::from_ref(&args.preferences);
    convert_files(request, files, None, &args.destination)
}

pub(crate) fn scores(command: &ScoresCommand) -> Result<(), CliError> {
    let ScoresCommand::Convert(args) = command;
    let reading = args.scores.options();
    let request = ConversionRequest {
        to: args.to.name().to_owned(),
        kind: Some(DataKind::Scores),
        measure: reading.measures,
        missing: Some(reading.missing),
        ..ConversionRequest::default()
    };
    let files = std::slice::from_ref(&args.scores.scores);
    convert_files(request, files, None, &args.destination)
}

/// Converts files and writes the result. The hint is for a file that looks like another kind of data
/// than the stated one.
pub(super) fn convert_files(
    request: ConversionRequest,
    files: &[String],
    other_kind_hint: Option<&str>,
    destination: &Destination,
) -> Result<(), CliError> {
    check_single_stdin(files.iter().map(|file| Some(file.as_str())))?;
    let sources = open_all(files)?;
    let folder = destination
        .output
        .as_deref()
        .filter(|output| is_folder_path(output));
    let request = ConversionRequest {
        separate_queries: folder.is_some(),
        ..request
    };
    let mut warnings = Vec::new();
    let converted = convert(&request, &sources, &mut warnings);
    for warning in &mut warnings {
        if let Some(count) = warning.fields.get("left_out_items") {
            let them = if count == "1" { "it" } else { "them" };
            warning.message += &format!("; `--keep-zero` makes {them} the last group");
        }
    }
    print_warnings(&warnings);
    let converted = converted.map_err(|error| match (error, other_kind_hint) {
        (ConversionError::StatedKind(error), Some(hint)) => {
            CliError::from_single_file_error(error, hint)
        }
        (error, _) => error.into(),
    })?;
    match (converted, folder) {
        (ConvertedData::Files(texts), Some(folder)) => {
            create_folder(folder)?;
            let mut texts = texts.iter();
            texts.try_for_each(|(name, text)| write_file(Path::new(folder).join(name), text))
        }
        (ConvertedData::Text(text), _) => destination.write(&text),
        (ConvertedData::Files(_), None) => unreachable!("only a folder asks for several files"),
    }
}

impl From<ConversionError> for CliError {
    fn from(error: ConversionError) -> Self {
        let failure = Self::input(error.to_string());
        match error {
            ConversionError::Format(error) | ConversionError::StatedKind(error) => error.into(),
            ConversionError::Query(error) => error.into(),
            ConversionError::SeveralFiles => {
                failure.with_hint("convert files of other kinds one by one")
            }
            ConversionError::SeveralQueries => {
                Self::input("only ground truths take several --query")
            }
            ConversionError::OptionOfOtherKind {
                option,
                kinds,
                kind,
            } => {
                let option = format!("--{}", option.replace('_', "-"));
                let is = kind.summary();
                Self::input(format!(
                    "{option} is only for {kinds}, but the input is {is}"
                ))
                .with_hint(format!("leave {option} out"))
            }
            ConversionError::UnknownFormat { kind, .. } => {
                let formats = data_formats(kind).into_iter();
                let names: Vec<&str> = formats.map(|(name, _)| name).collect();
                failure.with_hint(format!("give --to {}", names.join(", ")))
            }
            ConversionError::NotRecognised { .. } => {
                let names: Vec<&str> = DataKind::VARIANTS.iter().map(|kind| kind.name()).collect();
                failure.with_hint(format!(
                    "say what it is with `--kind {}`; the error then shows the line that is wrong",
                    names.join("|")
                ))
            }
            ConversionError::Ambiguous { kinds, .. } => {
                let options = kinds.iter().map(|kind| format!("`--kind {kind}`"));
                let options: Vec<String> = options.collect();
                failure.with_hint(format!("give {}", options.join(" or ")))
            }
            ConversionError::NoRankings { known, .. } => {
                failure.with_hint(format!("there are {known}"))
            }
            ConversionError::FileName(_) => failure,
        }
    }
}

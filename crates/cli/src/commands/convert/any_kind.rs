//! `partita convert`: conversion of a file of any kind.

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use partita::formats::DataKind;
use partita::formats::preferences::ColumnMap;
use partita::formats::rankings::RankingsFormat;
use partita::named::NamedEnum;
use partita::{ConversionRequest, MissingScorePolicy, data_formats};

use super::convert_files;
use crate::args::input::{RunInputArgs, TruthInputArgs};
use crate::args::preferences::parse_column_map;
use crate::args::scores::{MeasureList, parse_measures};
use crate::output::destination::Destination;
use crate::output::error::CliError;
use crate::output::result::named_value_parser;

/// Convert ground truths, runs, rankings, preferences or scores
///
/// The kind of the file is recognised by its content. If a file fits several kinds, --to or another
/// option may leave one of them; otherwise give --kind.
///
/// Ground truths: groups become the grades g, g-1, ..., 1; equal grades become a group. In `groups`
/// the number 1 is best; in `qrels`, `qrels-json` and `gains` a higher number is better.
///
/// `preflib` and a `matrix` of rankings hold one query: if there are several, choose one with --query
/// or give a folder as --output. In PrefLib files ranks become places and assessors lose their names.
/// A `matrix` of scores holds one measure: choose it with --measure. `winner` and `left-right` do not
/// name the assessors.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  partita convert truth.txt --to qrels
  partita convert my.run --to json
  partita convert truth.json --to json --kind truth
  partita convert rankings.csv --to preflib --output lists/
  partita convert results.csv --map mturk --to answers
  partita convert scores.csv --to matrix -m AP")]
pub(crate) struct ConvertArgs {
    /// File to convert; `-` is standard input. Rankings may be in several files
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,
    /// Format to write; `csv` is the table format of each kind
    #[arg(long, value_name = "FORMAT", value_parser = format_name_parser())]
    to: String,
    /// Kind of data in the file, if it is not recognised
    #[arg(long, value_name = "KIND", value_parser = named_value_parser::<DataKind>())]
    kind: Option<DataKind>,
    /// Convert only this query (ground truths and rankings; several for ground truths). For
    /// preferences, a matrix of rankings or a PrefLib file: name of its query [default: file name]
    #[arg(long, value_name = "NAME,...")]
    query: Vec<String>,
    #[command(flatten, next_help_heading = "Ground truths")]
    truth: TruthInputArgs,
    #[command(flatten, next_help_heading = "Runs")]
    run: RunInputArgs,
    /// Name of a run that has no name of its own [default: file name]
    #[arg(long, value_name = "NAME", help_heading = "Runs")]
    tag: Option<String>,
    /// Format of the rankings, if it is not recognised
    #[arg(long, value_name = "FORMAT", value_parser = named_value_parser::<RankingsFormat>(), help_heading = "Rankings")]
    rankings_format: Option<RankingsFormat>,
    /// Map of columns and answer words: `mturk`, `@FILE`, or query=COLUMN,a=COLUMN,...,equal=WORD
    #[arg(long, value_name = "MAP", value_parser = parse_column_map, help_heading = "Preferences")]
    map: Option<ColumnMap>,
    /// Convert only the scores by these measures, separated by commas or given one by one
    #[arg(long = "measure", short, value_name = "MEASURE", value_parser = parse_measures, help_heading = "Scores")]
    measures: Vec<MeasureList>,
    /// How to treat missing scores [default: refuse]
    #[arg(long, value_parser = named_value_parser::<MissingScorePolicy>(), help_heading = "Scores")]
    missing: Option<MissingScorePolicy>,
    #[command(flatten)]
    destination: Destination,
}

/// Parses the name of a format of any kind of data. A format that several kinds have is listed
/// once.
fn format_name_parser() -> impl TypedValueParser<Value = String> {
    let mut listed: Vec<(&str, String)> = Vec::new();
    for kind in DataKind::VARIANTS {
        for (name, about) in data_formats(*kind) {
            let about = format!("{kind}: {about}");
            match listed.iter_mut().find(|(known, _)| *known == name) {
                Some((_, text)) => *text = format!("{text}; {about}"),
                None => listed.push((name, about)),
            }
        }
    }
    let values = listed
        .into_iter()
        .map(|(name, about)| PossibleValue::new(name).help(about));
    let csv = PossibleValue::new("csv").hide(true);
    PossibleValuesParser::new(values.chain([csv]))
}

pub(crate) fn run(args: &ConvertArgs) -> Result<(), CliError> {
    let request = ConversionRequest {
        to: args.to.clone(),
        kind: args.kind,
        query: args.query.clone(),
        tag: args.tag.clone(),
        rankings_format: args.rankings_format,
        map: args.map.clone(),
        measure: args.measures.concat(),
        missing: args.missing,
        ..args.run.conversion(args.truth.conversion())
    };
    let hint = Some("give another --kind, or leave it out");
    convert_files(request, &args.files, hint, &args.destination)
}

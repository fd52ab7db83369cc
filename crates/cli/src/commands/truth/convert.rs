//! `partita truth convert`: conversion of a ground truth.

use std::path::Path;

use clap::Args;
use partita::formats::truth::{self, TruthFile, TruthFormat};
use partita::formats::{Diagnostic, DiagnosticCode, Source, Warning, diagnostic};
use partita::report::phrases::count_noun;
use partita::{GroundTruth, TruthScale};

use crate::args::input::TruthInputArgs;
use crate::output::destination::{
    Destination, create_folder, is_folder_path, print_warnings, write_file,
};
use crate::output::error::CliError;
use crate::output::result::format_value_parser;

/// Write a ground truth in another format
///
/// Groups become the grades g, g-1, ..., 1; equal grades become a group. In `groups` the number 1
/// is best; in `qrels`, `qrels-json` and `gains` a higher number is better.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  partita truth convert truth.txt --to qrels\n  partita truth convert qrels.txt --to groups --keep-zero\n  partita truth convert qrels.txt --to preflib --output lists/"
)]
pub(crate) struct ConvertArgs {
    /// Ground truth; `-` is standard input
    truth: String,
    /// Format to write
    #[arg(long, value_name = "FORMAT", value_parser = format_value_parser(TruthFormat::Groups))]
    to: TruthFormat,
    /// Convert only these queries
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    query: Vec<String>,
    #[command(flatten)]
    reading: TruthInputArgs,
    #[command(flatten)]
    destination: Destination,
}

pub(crate) fn run(args: &ConvertArgs) -> Result<(), CliError> {
    let source = Source::open(&args.truth)?;
    let file = truth::read(&source, &args.reading.options()).map_err(|error| {
        CliError::from_single_file_error(error, "`partita convert` also converts runs")
    })?;
    write(&source, file, args.to, &args.query, &args.destination)
}

/// Writes the named queries of a ground truth, or all if none is named, in another format.
pub(in crate::commands) fn write(
    source: &Source,
    file: TruthFile,
    format: TruthFormat,
    queries: &[String],
    destination: &Destination,
) -> Result<(), CliError> {
    print_warnings(&file.warnings);
    let truth = file.truth.restrict_to(queries)?;
    print_warnings(&dropped_items_warning(&truth, source.name(), format));
    print_warnings(&empty_queries_warning(&truth, source.name(), format));
    let output = destination.output.as_deref();
    match output.filter(|output| format == TruthFormat::Preflib && is_folder_path(output)) {
        Some(folder) => write_folder(&truth, folder),
        None => destination.write(&truth::write(&truth, format)?),
    }
}

/// Warns about judged items that a list format cannot represent.
fn dropped_items_warning(truth: &GroundTruth, file: &str, format: TruthFormat) -> Option<Warning> {
    let lists = format.scale() == TruthScale::Groups;
    let count: usize = truth
        .iter()
        .map(|(_, judged)| judged.gains().len() - judged.list().len())
        .sum();
    (lists && truth.scale() == TruthScale::Grades && count > 0).then(|| {
        let items = count_noun(count, "judged item", "judged items");
        let (is, them) = if count == 1 { ("is", "it") } else { ("are", "them") };
        let message = format!(
            "{items} with a grade of 0 or less {is} not in the lists; `--keep-zero` makes {them} the \
             last group"
        );
        Warning::in_file(file, Diagnostic::new(DiagnosticCode::LeftOut, message).with_field("count", count))
    })
}

/// Warns about queries without items, which a format with one line per item cannot represent.
fn empty_queries_warning(truth: &GroundTruth, file: &str, format: TruthFormat) -> Option<Warning> {
    let empty = truth.iter().filter(|(_, judged)| !format.can_hold(judged));
    let names: Vec<&str> = empty.map(|(query, _)| query).collect();
    (!names.is_empty()).then(|| {
        let problem = diagnostic!(EmptyQueries { format, queries = names.join(", ") }:
            "queries without any item cannot stand in {format}: {queries}");
        Warning::in_file(file, problem)
    })
}

/// Writes one PrefLib file per query.
fn write_folder(truth: &GroundTruth, folder: &str) -> Result<(), CliError> {
    create_folder(folder)?;
    for (number, query) in truth.query_names().enumerate() {
        let name = super::query_file_name(query)?;
        let text = truth::write(&truth.with_single_query(number), TruthFormat::Preflib)?;
        write_file(Path::new(folder).join(format!("{name}.toc")), text)?;
    }
    Ok(())
}

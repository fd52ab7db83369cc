//! `partita truth convert`: a ground truth in another format.

use std::path::Path;

use clap::Args;
use partita_core::{GroundTruth, Scale};
use partita_formats::truth::{self, TruthFile, TruthFormat};
use partita_formats::{Code, Problem, Source, Warning, problem};
use partita_report::words::count as count_in_words;

use crate::failure::Failure;
use crate::output::{Destination, is_folder, warn, write_file};
use crate::reading::TruthArgs;
use crate::show::format_or_csv;

/// Write a ground truth in another format
///
/// Groups become the grades g, g-1, ..., 1; equal grades become a group. In `groups` the number 1
/// is best; in `qrels`, `qrels-json` and `gains` a higher number is better.
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  partita truth convert truth.txt --to qrels\n  partita truth convert qrels.txt --to groups --keep-zero\n  partita truth convert qrels.txt --to preflib --output lists/"
)]
pub(crate) struct ConvertArgs {
    /// Ground truth; `-` is standard input
    truth: String,
    /// Format to write
    #[arg(long, value_name = "FORMAT", value_parser = format_or_csv(TruthFormat::Groups))]
    to: TruthFormat,
    /// Convert only these queries
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    query: Vec<String>,
    #[command(flatten)]
    reading: TruthArgs,
    #[command(flatten)]
    destination: Destination,
}

pub(crate) fn run(args: &ConvertArgs) -> Result<(), Failure> {
    let source = Source::open(&args.truth)?;
    let file = truth::read(&source, &args.reading.options())
        .map_err(|error| Failure::of_only_file(error, "`partita convert` also converts runs"))?;
    write(&source, file, args.to, &args.query, &args.destination)
}

/// Writes these queries of a ground truth, or all if none is named, in another format.
pub(in crate::commands) fn write(
    source: &Source,
    file: TruthFile,
    format: TruthFormat,
    queries: &[String],
    destination: &Destination,
) -> Result<(), Failure> {
    warn(&file.warnings);
    let truth = file.truth.only(queries)?;
    warn(&left_out(&truth, source.name(), format));
    warn(&empty_queries(&truth, source.name(), format));
    let output = destination.output.as_deref();
    match output.filter(|output| format == TruthFormat::Preflib && is_folder(output)) {
        Some(folder) => write_folder(&truth, folder),
        None => destination.write(&truth::write(&truth, format)?),
    }
}

/// Says how many judged items a format of lists has no place for.
fn left_out(truth: &GroundTruth, file: &str, format: TruthFormat) -> Option<Warning> {
    let lists = format.scale() == Scale::Groups;
    let count: usize = truth
        .iter()
        .map(|(_, judged)| judged.gains().len() - judged.list().len())
        .sum();
    (lists && truth.scale() == Scale::Grades && count > 0).then(|| {
        let items = count_in_words(count, "judged item", "judged items");
        let (is, them) = if count == 1 { ("is", "it") } else { ("are", "them") };
        let message = format!(
            "{items} with a grade of 0 or less {is} not in the lists; `--keep-zero` makes {them} the \
             last group"
        );
        Warning::file(file, Problem::new(Code::LeftOut, message).with("count", count))
    })
}

/// Says which queries a format of one line an item has no place for.
fn empty_queries(truth: &GroundTruth, file: &str, format: TruthFormat) -> Option<Warning> {
    let empty = truth.iter().filter(|(_, judged)| !format.holds(judged));
    let names: Vec<&str> = empty.map(|(query, _)| query).collect();
    (!names.is_empty()).then(|| {
        let problem = problem!(EmptyQueries { format, queries = names.join(", ") }:
            "queries without any item cannot stand in {format}: {queries}");
        Warning::file(file, problem)
    })
}

/// Writes one PrefLib file for each query.
fn write_folder(truth: &GroundTruth, folder: &str) -> Result<(), Failure> {
    std::fs::create_dir_all(folder).map_err(|error| Failure::writing(folder, &error))?;
    for (number, query) in truth.names().enumerate() {
        let name = super::file_name(query)?;
        let text = truth::write(&truth.single(number), TruthFormat::Preflib)?;
        let path = Path::new(folder).join(format!("{name}.toc"));
        write_file(&path.to_string_lossy(), &text)?;
    }
    Ok(())
}

//! `partita collection candidates`: selection of melodies to judge for a query.

use std::collections::HashSet;

use clap::Args;
use partita::Run;
use partita::formats::{Source as File, Warning, diagnostic, run};
use partita::melody::features::FeatureFilter;
use partita::melody::search::candidates::{
    CandidatesError, CandidatesRequest, DEFAULT_SYSTEMS, candidates,
};
use partita::melody::search::{NamedMelody, SearchSource, system_name_warnings};
use partita::report::views::melody::candidates::{filter_steps_text, write_gold_pairs};

use crate::args::input::RunInputArgs;
use crate::args::threads::ThreadArgs;
use crate::commands::search::search_error;
use crate::output::destination::print_message;
use crate::output::error::CliError;
use crate::output::result::ResultArgs;

/// Select the melodies of a collection that are worth judging for a query
///
/// Predicates on features select melodies and systems rank them; the best results of each system in
/// the whole collection and the given runs are added. All are ranked by the sum of 1/(60 + rank).
/// Melodies that sound the same are marked as such. `campaign init --candidates` reads the result.
#[derive(Debug, Args)]
#[command(
    after_help = "Features: pitch_range, interval_max, interval_histogram, contour,\n  duration_ratio, notes, repeated_motives\n\nExamples:\n  partita collection candidates rism.coll --query 000.111.706-1.1.1 \\\n      --format csv > candidates.csv\n  partita collection candidates tunes.coll --query a,b \\\n      --near pitch_range=3 --near contour=0.4 --keep 30\n  partita collection candidates tunes.coll --query a \\\n      --system Align --run others.run"
)]
pub(crate) struct CandidatesArgs {
    /// Collection
    #[arg(value_name = "COLL")]
    collection: String,
    /// Queries: items of the collection, or files
    #[arg(long, value_name = "QUERY", required = true, num_args = 1..)]
    query: Vec<String>,
    /// Largest distance of a feature from that of the query; predicates apply in the given order
    /// [default: pitch_range=4 interval_max=5 interval_histogram=1 contour=0.5 duration_ratio=4]
    #[arg(long, value_name = "FEATURE=TOLERANCE")]
    near: Vec<FeatureFilter>,
    /// System that searches for candidates [default: ShapeTime, Align and O]
    #[arg(long, value_name = "SYSTEM")]
    system: Vec<String>,
    /// Run whose items are added
    #[arg(long, value_name = "FILE")]
    run: Vec<String>,
    /// Number of results that each system adds from the whole collection
    #[arg(long, value_name = "N", default_value_t = 20)]
    each: usize,
    /// Number of different candidates to keep, including the query
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = parse_positive)]
    keep: usize,
    /// Also write gold pairs for `campaign init --gold`: the query against the last candidate
    #[arg(long, value_name = "FILE")]
    gold: Option<String>,
    #[command(flatten)]
    reading: RunInputArgs,
    #[command(flatten)]
    work: ThreadArgs,
    #[command(flatten)]
    show: ResultArgs,
}

fn parse_positive(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|&number| number > 0);
    number.ok_or_else(|| "expected a number from 1".to_owned())
}

pub(crate) fn run(args: &CandidatesArgs) -> Result<(), CliError> {
    args.show.title.check(args.show.format())?;
    let workers = args.work.workers();
    let source = SearchSource::new(&args.collection, super::open(&args.collection)?);
    let queries = queries(args, &source, &workers)?;
    let (runs, mut warnings) = runs(args, &queries)?;
    let usual = CandidatesRequest::default();
    let request = CandidatesRequest {
        filters: match args.near.is_empty() {
            true => usual.filters,
            false => args.near.clone(),
        },
        systems: match args.system.is_empty() {
            true => DEFAULT_SYSTEMS.map(str::to_owned).to_vec(),
            false => args.system.clone(),
        },
        top_per_system: args.each,
        max_candidates: args.keep,
    };
    warnings.extend(system_name_warnings(&request.systems));
    let found = candidates(source.collection(), &queries, &runs, &request, &workers);
    drop(workers);
    let found = found.map_err(|error| candidates_error(&args.collection, error))?;
    found
        .queries
        .iter()
        .for_each(|list| print_message(&filter_steps_text(list)));
    let alone = found
        .queries
        .iter()
        .filter(|list| list.candidates.len() == 1);
    let alone: Vec<&str> = alone.map(|list| list.query.as_str()).collect();
    if !alone.is_empty() {
        let problem = diagnostic!(EmptyQueries { queries = alone.join(", ") }:
            "nothing was found but the query itself: {queries}");
        warnings.push(Warning::in_file(&args.collection, problem));
    }
    if let Some(file) = &args.gold {
        let mut text = Vec::new();
        write_gold_pairs(&found, &mut text)
            .and_then(|()| std::fs::write(file, text))
            .map_err(|error| CliError::from_write_error(file, &error))?;
    }
    args.show.print(&found, &found, warnings)
}

/// Returns the query melodies of the command line, each only once.
fn queries(
    args: &CandidatesArgs,
    source: &SearchSource,
    work: &dyn partita::work::Work,
) -> Result<Vec<NamedMelody>, CliError> {
    let mut all: Vec<NamedMelody> = Vec::new();
    // A name may contain a comma; otherwise commas separate names.
    let split = |query: &'_ String| match source.has_item_or_file(query) {
        true => vec![query.clone()],
        false => query.split(',').map(str::to_owned).collect(),
    };
    for query in args.query.iter().flat_map(split) {
        for named in source.query(&query, work)? {
            if all.iter().any(|known| known.name == named.name) {
                let message = format!("the query {} is given twice", named.name);
                return Err(CliError::input(message).with_hint("name each query once"));
            }
            all.push(named);
        }
    }
    Ok(all)
}

/// Reads the runs whose items are added, and warns about queries without results.
fn runs(
    args: &CandidatesArgs,
    queries: &[NamedMelody],
) -> Result<(Vec<Run>, Vec<Warning>), CliError> {
    let mut runs = Vec::new();
    let mut warnings = Vec::new();
    for file in &args.run {
        let read = run::read(&File::open(file)?, &args.reading.options())?;
        warnings.extend(read.warnings);
        for run in read.runs {
            let known: HashSet<&str> = run.queries().map(|(query, _)| query).collect();
            let missing = queries.iter().map(|query| query.name.as_str());
            let missing: Vec<&str> = missing.filter(|query| !known.contains(query)).collect();
            if !missing.is_empty() {
                let problem = diagnostic!(MissingQueries { queries = missing.join(", ") }:
                    "it has nothing for {queries}");
                warnings.push(Warning::in_file(file, problem));
            }
            runs.push(run);
        }
    }
    Ok((runs, warnings))
}

/// Converts a candidates error and adds a hint.
fn candidates_error(file: &str, error: CandidatesError) -> CliError {
    let failure = CliError::input(error.to_string());
    match error {
        CandidatesError::Search(error) => search_error(file, error),
        CandidatesError::NoQueryInRun { .. } => {
            failure.with_hint("queries have the same names in runs")
        }
        CandidatesError::UnknownItem { nearest, .. } => match nearest {
            Some(nearest) => failure.with_hint(format!("the nearest item is {nearest}")),
            None => failure.with_hint("`partita collection list` lists all"),
        },
    }
}

//! `partita search`: similarity search for melodies.

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use partita::melody::search::{
    SearchError, SearchRequest, SearchSource, SearchSourceError, system_name_warnings,
};
use partita::melody::systems;
use partita::report::views::melody::search::SearchView;

use super::collection::{collection_error, import_error};
use crate::args::threads::ThreadArgs;
use crate::output::destination::{Destination, print_warnings};
use crate::output::error::CliError;
use crate::output::result::{CaptionArgs, ResultArgs, ResultFormat};

/// Search a collection for melodies similar to a query
///
/// Queries are items of the collection or files. The collection may also be a source that can be
/// imported; it is then imported for this search only.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  partita search 000.111.706-1.1.1 --in rism.coll\n  partita search tune.krn --in tunes/ --system Align --top 10\n  partita search --queries all --in tunes.coll --without-query --run o.run"
)]
pub(crate) struct SearchArgs {
    /// Items of the collection, or files
    #[arg(value_name = "QUERY", required_unless_present = "queries")]
    query: Vec<String>,
    /// Queries: a file with one id per line, a source of melodies, or `all` items
    #[arg(long, value_name = "FILE|SOURCE|all", conflicts_with = "query")]
    queries: Option<String>,
    /// Collection, or a source that can be imported
    #[arg(long = "in", value_name = "COLL|SOURCE")]
    place: String,
    /// System, such as ShapeTime or US(n=4); `partita systems` lists all
    #[arg(long, value_name = "SYSTEM", default_value = "ShapeTime")]
    system: String,
    /// Number of results per query; 0 for all
    #[arg(long, value_name = "N", default_value_t = 50)]
    top: usize,
    /// Let the index of the system choose the items that are scored; it may miss some of the best
    #[arg(long, conflicts_with = "exhaustive")]
    index: bool,
    /// Score every item (the default)
    #[arg(long)]
    exhaustive: bool,
    /// Leave out the item with the id of the query
    #[arg(long)]
    without_query: bool,
    /// Also write a run with the columns of TREC
    #[arg(long, value_name = "FILE")]
    run: Option<String>,
    /// Name of the run [default: the system]
    #[arg(long, value_name = "TAG", requires = "run")]
    tag: Option<String>,
    #[command(flatten)]
    work: ThreadArgs,
    /// Output format [default: table on a terminal, else csv]
    #[arg(long, value_name = "FORMAT", value_parser = format_parser(), help_heading = "Output")]
    format: Option<SearchFormat>,
    #[command(flatten)]
    title: CaptionArgs,
    #[command(flatten)]
    destination: Destination,
}

/// Output format of a search: a result format, or one line per query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SearchFormat {
    Standard(ResultFormat),
    Lines,
}

fn format_parser() -> impl TypedValueParser<Value = SearchFormat> {
    let lines = PossibleValue::new("lines").help("A line per query, as MIREX has it");
    let values = ResultFormat::possible_values().into_iter().chain([lines]);
    PossibleValuesParser::new(values).map(|name| match name.as_str() {
        "lines" => SearchFormat::Lines,
        usual => SearchFormat::Standard(ResultFormat::from_name(usual)),
    })
}

pub(crate) fn run(args: &SearchArgs) -> Result<(), CliError> {
    let system = systems::canonical_name(&args.system)?;
    let workers = args.work.workers();
    let source = SearchSource::open(&args.place, &workers)?;
    let queries = match &args.queries {
        None => {
            let queries = args.query.iter();
            let queries = queries.map(|query| source.query(query, &workers));
            queries.collect::<Result<Vec<_>, _>>()?.concat()
        }
        Some(queries) => source.queries(queries, &workers)?,
    };
    let request = SearchRequest {
        system: args.system.clone(),
        top: args.top,
        index: args.index,
        exhaustive: args.exhaustive,
        exclude_query: args.without_query,
    };
    let result = source.search(&request, &queries, &workers);
    drop(workers);
    let result = result.map_err(|error| search_error(&args.place, error))?;
    let tag = args.tag.as_deref().unwrap_or(&system);
    let view = SearchView {
        result: &result,
        run_tag: tag,
    };
    if let Some(file) = &args.run {
        let mut text = Vec::new();
        view.write_trec_run(&mut text)
            .and_then(|()| std::fs::write(file, text))
            .map_err(|error| CliError::from_write_error(file, &error))?;
    }
    let warnings = system_name_warnings([&args.system]);
    let format = match args.format {
        Some(SearchFormat::Lines) => {
            print_warnings(&warnings);
            return args
                .destination
                .stream(|place| view.write_mirex_lines(place));
        }
        Some(SearchFormat::Standard(form)) => Some(form),
        None => None,
    };
    let show = ResultArgs {
        format,
        title: args.title.clone(),
        destination: args.destination.clone(),
    };
    show.print(&result, &view, warnings)
}

/// Converts a search error and adds a hint.
pub(in crate::commands) fn search_error(file: &str, error: SearchError) -> CliError {
    match error {
        SearchError::System(error) => error.into(),
        SearchError::Collection(error) => collection_error(file, &error),
        SearchError::TooShort { .. } => CliError::input(error.to_string())
            .with_hint("`partita systems NAME` describes what a system compares"),
        SearchError::Stopped(stopped) => stopped.into(),
    }
}

/// Converts the error of a search source or query and adds a hint.
impl From<SearchSourceError> for CliError {
    fn from(error: SearchSourceError) -> Self {
        let failure = Self::input(error.to_string());
        match error {
            SearchSourceError::Import(error) => import_error(error),
            SearchSourceError::Collection(file, error) => collection_error(&file, &error),
            SearchSourceError::UnknownItem { nearest, .. } => match nearest {
                Some(nearest) => failure.with_hint(format!("the nearest item is {nearest}")),
                None => failure.with_hint("`partita collection list` lists all"),
            },
            SearchSourceError::NoMelody { .. } | SearchSourceError::Clip(_) => failure,
        }
    }
}

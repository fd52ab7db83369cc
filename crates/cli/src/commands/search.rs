//! `partita search`: melodies like a melody.

use std::path::Path;

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use partita_melody::collection::{Collection, CollectionError, Ids, ImportRequest, import};
use partita_melody::read::ReadOptions;
use partita_melody::search::{Named, SearchError, SearchRequest, Searchable};
use partita_melody::system;
use partita_report::search::SearchView;

use super::collection::{import_failure, open, unreadable};
use crate::failure::Failure;
use crate::output::Destination;
use crate::show::{Form, ShowArgs, TitleArgs};
use crate::work::WorkArgs;

/// Search a collection for melodies similar to a query
///
/// Queries are items of the collection or files. The collection may also be a source that can be
/// imported; it is then imported for this search only.
#[derive(Args, Debug)]
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
    /// Score every item, without the index
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
    work: WorkArgs,
    /// Output format [default: table on a terminal, else csv]
    #[arg(long, value_name = "FORMAT", value_parser = form(), help_heading = "Output")]
    format: Option<SearchForm>,
    #[command(flatten)]
    title: TitleArgs,
    #[command(flatten)]
    destination: Destination,
}

/// How a search is written: as any other result, or a line per query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SearchForm {
    Usual(Form),
    Lines,
}

fn form() -> impl TypedValueParser<Value = SearchForm> {
    let lines = PossibleValue::new("lines").help("A line per query, as MIREX has it");
    let values = Form::values().into_iter().chain([lines]);
    PossibleValuesParser::new(values).map(|name| match name.as_str() {
        "lines" => SearchForm::Lines,
        usual => SearchForm::Usual(Form::of(usual)),
    })
}

pub(crate) fn run(args: &SearchArgs) -> Result<(), Failure> {
    let system = system::canonical(&args.system)?;
    let workers = args.work.workers();
    let collection = Source::open(&args.place, &workers)?;
    let queries = match &args.queries {
        None => {
            let queries = args.query.iter();
            let queries = queries.map(|query| collection.query(query, &workers));
            queries.collect::<Result<Vec<_>, _>>()?.concat()
        }
        Some(queries) => collection.queries(queries, &workers)?,
    };
    let request = SearchRequest {
        system: args.system.clone(),
        top: args.top,
        exhaustive: args.exhaustive,
        without_query: args.without_query,
    };
    let failure = |error| search_failure(&args.place, error);
    let ready = Searchable::of_collection(&request.system, &collection.collection);
    let ready = ready.map_err(failure)?;
    let result = ready
        .search(&request, &queries, &workers)
        .map_err(failure)?;
    drop(workers);
    let tag = args.tag.as_deref().unwrap_or(&system);
    let view = SearchView {
        result: &result,
        tag,
    };
    if let Some(file) = &args.run {
        let mut text = Vec::new();
        view.run(&mut text)
            .map_err(|error| Failure::writing(file, &error))?;
        std::fs::write(file, text).map_err(|error| Failure::writing(file, &error))?;
    }
    let format = match args.format {
        Some(SearchForm::Lines) => return args.destination.stream(|place| view.lines(place)),
        Some(SearchForm::Usual(form)) => Some(form),
        None => None,
    };
    let show = ShowArgs {
        format,
        title: args.title.clone(),
        destination: args.destination.clone(),
    };
    show.show(&result, &view, Vec::new())
}

/// Why a search failed, and what can be done.
pub(in crate::commands) fn search_failure(file: &str, error: SearchError) -> Failure {
    match error {
        SearchError::System(error) => error.into(),
        SearchError::Collection(error) => unreadable(file, &error),
        SearchError::TooShort { .. } => Failure::input(error.to_string())
            .hint("`partita systems NAME` describes what a system compares"),
        SearchError::Stopped(stopped) => stopped.into(),
    }
}

/// A collection that is searched: one that was imported, or a source that is imported for the time being.
pub(in crate::commands) struct Source {
    name: String,
    pub(in crate::commands) collection: Collection,
}

/// What a file holds, read as an import would.
fn read(source: &str, work: &dyn partita_core::work::Work) -> Result<Collection, Failure> {
    let folder =
        tempfile::tempdir().map_err(|error| Failure::writing("a temporary folder", &error))?;
    let place = folder.path().join("source.coll");
    let request = ImportRequest {
        sources: vec![source.to_owned()],
        format: None,
        ids: Ids::default(),
        options: ReadOptions::default(),
        replace: false,
        strict: false,
    };
    let done = import(&request, &place, work).map_err(import_failure)?;
    if !done.done {
        let first = done.report.skipped.first();
        let why = first.map_or("there is nothing in it".to_owned(), |skipped| {
            skipped.message.clone()
        });
        return Err(Failure::input(format!(
            "{source}: no melody can be read: {why}"
        )));
    }
    let bytes = std::fs::read(&place)
        .map_err(|error| Failure::writing("a temporary collection", &error))?;
    Collection::of(Box::new(bytes)).map_err(|error| unreadable(source, &error))
}

impl Source {
    /// A collection that is open.
    pub(in crate::commands) fn of(name: &str, collection: Collection) -> Self {
        Self {
            name: name.to_owned(),
            collection,
        }
    }

    pub(in crate::commands) fn open(
        name: &str,
        work: &dyn partita_core::work::Work,
    ) -> Result<Self, Failure> {
        let collection = match Collection::open(Path::new(name)) {
            Err(CollectionError::Other) => read(name, work)?,
            _ => open(name)?,
        };
        Ok(Self::of(name, collection))
    }

    fn item(&self, id: &str) -> Result<Option<Named>, Failure> {
        let wrong = |error| unreadable(&self.name, &error);
        let Some(number) = self.collection.find(id).map_err(wrong)? else {
            return Ok(None);
        };
        let item = self.collection.item(number).map_err(wrong)?;
        match self.collection.melody(&item).map_err(wrong)? {
            Some(melody) => Ok(Some(Named {
                name: item.id,
                melody,
            })),
            None => Err(Failure::input(format!(
                "{id} is a clip; only melodies can be searched for"
            ))),
        }
    }

    fn unknown(&self, id: &str) -> Failure {
        let failure = Failure::input(format!("{}: no item and no file is called {id}", self.name));
        match self.collection.nearest(id) {
            Ok(Some(nearest)) => failure.hint(format!("the nearest item is {nearest}")),
            _ => failure.hint("`partita collection list` lists all"),
        }
    }

    /// Whether there is an item or a file of this name.
    pub(in crate::commands) fn knows(&self, query: &str) -> bool {
        matches!(self.collection.find(query), Ok(Some(_))) || Path::new(query).exists()
    }

    /// An item, or else what a file holds.
    pub(in crate::commands) fn query(
        &self,
        query: &str,
        work: &dyn partita_core::work::Work,
    ) -> Result<Vec<Named>, Failure> {
        if let Some(item) = self.item(query)? {
            return Ok(vec![item]);
        }
        if !Path::new(query).exists() {
            return Err(self.unknown(query));
        }
        melodies(query, &read(query, work)?)
    }

    /// All items, those that a file names, or what a source holds.
    fn queries(
        &self,
        place: &str,
        work: &dyn partita_core::work::Work,
    ) -> Result<Vec<Named>, Failure> {
        if place == "all" {
            return melodies(&self.name, &self.collection);
        }
        let path = Path::new(place);
        if path.is_file()
            && let Ok(text) = std::fs::read_to_string(path)
        {
            let ids: Vec<&str> = text
                .lines()
                .map(str::trim)
                .filter(|line| !line.is_empty())
                .collect();
            let first = ids.first().map(|id| self.item(id)).transpose()?.flatten();
            if first.is_some() {
                let item = |id: &&str| self.item(id)?.ok_or_else(|| self.unknown(id));
                return ids.iter().map(item).collect();
            }
        }
        if !path.exists() {
            return Err(self.unknown(place));
        }
        melodies(place, &read(place, work)?)
    }
}

/// All melodies of a collection.
pub(in crate::commands) fn melodies(
    name: &str,
    collection: &Collection,
) -> Result<Vec<Named>, Failure> {
    let all = collection.melodies(0).map(|item| {
        item.map(|(_, item, melody)| Named {
            name: item.id,
            melody,
        })
    });
    all.collect::<Result<_, _>>()
        .map_err(|error| unreadable(name, &error))
}

//! Candidates: the few melodies of a collection that are worth being judged for a query.
//!
//! Features narrow the collection down to what survives a few predicates ([`Near`]). Retrieval systems order
//! what survived, and look into the whole collection as well, in case the predicates were too narrow; runs of
//! other systems may join them. Each of these is a *lane*, and the sum of 1/(60 + rank) over lanes orders all
//! that was found (reciprocal rank fusion, Cormack, Clarke and Büttcher 2009). Melodies that sound the same
//! are judged as one ([`Candidate::same_as`]).

use std::collections::{BTreeMap, HashMap};

use partita_core::Run;
use partita_core::work::{Work, WorkError};
use schemars::JsonSchema;
use serde::Serialize;

use crate::Checksum;
use crate::collection::{Collection, CollectionError};
use crate::features::{FeatureFilter, QueryFeatures};
use crate::search::{NamedMelody, SearchError, SearchIndex, SearchRequest};
use crate::systems;

/// What is looked for, and how.
#[derive(Clone, Debug)]
pub struct CandidatesRequest {
    /// The predicates, in their order.
    pub filters: Vec<FeatureFilter>,
    /// The systems, as in `ShapeTime` or `US(n=4)`.
    pub systems: Vec<String>,
    /// How many of its first a system may add from the whole collection.
    pub top_per_system: usize,
    /// How many different candidates a query has at most, itself among them.
    pub max_candidates: usize,
}

/// The systems that look for candidates if none is named.
pub const DEFAULT_SYSTEMS: [&str; 3] = ["ShapeTime", "Align", "O"];

impl Default for CandidatesRequest {
    fn default() -> Self {
        Self {
            filters: FeatureFilter::DEFAULTS.to_vec(),
            systems: DEFAULT_SYSTEMS.map(str::to_owned).to_vec(),
            top_per_system: 20,
            max_candidates: 50,
        }
    }
}

/// What is added to a rank before it is inverted (Cormack, Clarke and Büttcher 2009).
const RANK_OFFSET: f64 = 60.0;

/// The candidates of queries.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct CandidateLists {
    /// The queries.
    pub queries: Vec<QueryCandidates>,
}

/// The candidates of one query.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct QueryCandidates {
    /// The query.
    pub query: String,
    /// What each predicate left.
    pub steps: Vec<FilterStep>,
    /// The candidates, in the order in which they seem close to the query, which is the first.
    pub candidates: Vec<MelodyCandidate>,
}

/// What a predicate left.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct FilterStep {
    /// The predicate: `pitch_range=4`.
    pub step: String,
    /// How many melodies there were before it.
    pub from: usize,
    /// How many are left.
    pub to: usize,
}

/// One candidate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct MelodyCandidate {
    /// The item.
    pub item: String,
    /// Its place, from 1: the query.
    pub prior: usize,
    /// The first candidate with the same content, if there is one.
    pub same_as: Option<String>,
    /// The same for melodies that are equal but for transposition and outer rests.
    pub content: Checksum,
    /// The lanes that found it: `Align:near` among what the predicates left, `Align:all` in the whole
    /// collection, `run:NAME` in a run; `query` for the query.
    pub found_by: Vec<String>,
}

/// Why there are no candidates.
#[derive(Debug, thiserror::Error)]
pub enum CandidatesError {
    /// A system is none, a query is too short for one, or the work was stopped.
    #[error(transparent)]
    Search(#[from] SearchError),
    /// A run returned nothing for any query.
    #[error("the run {run} has nothing for {}", queries.join(", "))]
    NoQueryInRun {
        /// The run.
        run: String,
        /// The queries.
        queries: Vec<String>,
    },
    /// Items of a run are not in the collection.
    #[error("the run {run} returned {item}, which is not in the collection")]
    UnknownItem {
        /// The run.
        run: String,
        /// The first of them.
        item: String,
        /// The item that is called most like it.
        nearest: Option<String>,
    },
}

impl From<CollectionError> for CandidatesError {
    fn from(error: CollectionError) -> Self {
        SearchError::from(error).into()
    }
}

impl From<WorkError> for CandidatesError {
    fn from(stopped: WorkError) -> Self {
        SearchError::from(stopped).into()
    }
}

/// After how many melodies it is said how far the work is.
const BLOCK: usize = 256;

/// What was found for a query so far.
struct CandidatePool {
    steps: Vec<FilterStep>,
    /// The melodies that the predicates left, by their place among the melodies of the collection.
    near: Vec<usize>,
    /// What lanes add to items, by their numbers in the collection, and which lanes.
    items: BTreeMap<u64, (f64, Vec<u16>)>,
}

impl CandidatePool {
    /// A lane found an item at this rank.
    fn add(&mut self, lane: u16, item: u64, rank: f64) {
        let (sum, lanes) = self.items.entry(item).or_default();
        // Of an item that a run returned twice the first counts.
        if lanes.last() != Some(&lane) {
            *sum += 1.0 / (RANK_OFFSET + rank);
            lanes.push(lane);
        }
    }
}

/// The names of lanes, which are numbered.
#[derive(Default)]
struct RankerNames(Vec<String>);

impl RankerNames {
    fn add(&mut self, name: String) -> u16 {
        self.0.push(name);
        u16::try_from(self.0.len() - 1).expect("a command line has no room for so many lanes")
    }
}

/// The melodies of a collection, without their notes: their numbers in it and their lengths.
struct Melodies {
    numbers: Vec<u64>,
    lengths: Vec<usize>,
}

/// The candidates of each query.
///
/// # Errors
/// [`CandidatesError`] where a system is none, a query too short for one, an item of a run unknown, or the
/// collection cannot be read.
pub fn candidates(
    collection: &Collection,
    queries: &[NamedMelody],
    runs: &[Run],
    request: &CandidatesRequest,
    work: &dyn Work,
) -> Result<CandidateLists, CandidatesError> {
    let systems: Result<Vec<String>, _> = request
        .systems
        .iter()
        .map(|system| systems::canonical_name(system))
        .collect();
    let systems = systems.map_err(SearchError::from)?;
    let (melodies, mut found) = filter_melodies(collection, queries, &request.filters, work)?;
    let mut lanes = RankerNames::default();
    for system in &systems {
        let ready = SearchIndex::from_collection(system, collection)?;
        let near = lanes.add(format!("{system}:near"));
        let all = lanes.add(format!("{system}:all"));
        let wanted = SearchRequest {
            system: system.clone(),
            top: request.top_per_system,
            exhaustive: true,
            exclude_query: false,
        };
        work.begin_stage("searching", queries.len());
        for (query, found) in queries.iter().zip(&mut found) {
            for (rank, place) in
                (1_u32..).zip(rank_filtered(&ready, query, found, &melodies, work)?)
            {
                found.add(near, melodies.numbers[place], rank.into());
            }
            if request.top_per_system > 0 {
                for hit in ready.search_query(&wanted, query, work)?.results {
                    let number = collection.position_of(&hit.item)?;
                    let number = number.expect("what was searched is in the collection");
                    found.add(all, number, hit.rank as f64);
                }
            }
            work.advance(1);
        }
    }
    for run in runs {
        let lane = lanes.add(format!("run:{}", run.name()));
        add_run(collection, queries, run, lane, &mut found)?;
    }
    let lists = queries.iter().zip(found);
    let lists = lists.map(|(query, found)| {
        fuse_rankings(collection, query, found, &lanes, request.max_candidates)
    });
    Ok(CandidateLists {
        queries: lists.collect::<Result<_, CandidatesError>>()?,
    })
}

/// What the predicates leave for each query.
fn filter_melodies(
    collection: &Collection,
    queries: &[NamedMelody],
    near: &[FeatureFilter],
    work: &dyn Work,
) -> Result<(Melodies, Vec<CandidatePool>), CandidatesError> {
    let gauges: Vec<QueryFeatures> = queries
        .iter()
        .map(|query| QueryFeatures::from_melody(&query.melody))
        .collect();
    // How many melodies of each query pass each predicate.
    let mut passed = vec![vec![0; near.len()]; queries.len()];
    let mut left: Vec<Vec<usize>> = vec![Vec::new(); queries.len()];
    let mut melodies = Melodies {
        numbers: Vec::new(),
        lengths: Vec::new(),
    };
    let total = usize::try_from(collection.len()).unwrap_or(usize::MAX);
    work.begin_stage("comparing features", total);
    for (place, melody) in collection.melodies(0).enumerate() {
        let (number, _, melody) = melody?;
        if place % BLOCK == 0 {
            if work.is_cancelled() {
                return Err(WorkError::Cancelled.into());
            }
            work.advance(BLOCK);
        }
        for (query, gauge) in gauges.iter().enumerate() {
            let mut holding = near.iter().zip(&mut passed[query]);
            let holds = |(near, passed): (&FeatureFilter, &mut usize)| {
                let holds = near.accepts(gauge, &melody);
                *passed += usize::from(holds);
                holds
            };
            if holding.all(holds) {
                left[query].push(place);
            }
        }
        melodies.numbers.push(number);
        melodies.lengths.push(melody.len());
    }
    let found = passed.into_iter().zip(left).map(|(passed, left)| {
        let mut from = melodies.numbers.len();
        let steps = near.iter().zip(passed).map(|(near, to)| FilterStep {
            step: near.to_string(),
            from: std::mem::replace(&mut from, to),
            to,
        });
        CandidatePool {
            steps: steps.collect(),
            near: left,
            items: BTreeMap::new(),
        }
    });
    let found = found.collect();
    Ok((melodies, found))
}

/// The places of what the predicates left, in the order of a system. Equal scores go by the difference in
/// length, then by the id.
fn rank_filtered(
    ready: &SearchIndex,
    query: &NamedMelody,
    found: &CandidatePool,
    melodies: &Melodies,
    work: &dyn Work,
) -> Result<Vec<usize>, CandidatesError> {
    let mut scored = ready.scores(&query.melody, &found.near, work)?;
    let off = |place: usize| melodies.lengths[place].abs_diff(query.melody.len());
    scored.sort_by(|a, b| {
        let by_score = b.score.total_cmp(&a.score);
        by_score.then((off(a.document), a.document).cmp(&(off(b.document), b.document)))
    });
    Ok(scored.into_iter().map(|hit| hit.document).collect())
}

/// What a run found for each query; tied items share the mean of their ranks.
fn add_run(
    collection: &Collection,
    queries: &[NamedMelody],
    run: &Run,
    lane: u16,
    found: &mut [CandidatePool],
) -> Result<(), CandidatesError> {
    let returned: HashMap<&str, Vec<Vec<&str>>> = run.queries().collect();
    if !queries
        .iter()
        .any(|query| returned.contains_key(query.name.as_str()))
    {
        return Err(CandidatesError::NoQueryInRun {
            run: run.name().to_owned(),
            queries: queries.iter().map(|query| query.name.clone()).collect(),
        });
    }
    for (query, found) in queries.iter().zip(found) {
        let mut before = 0;
        for group in returned.get(query.name.as_str()).into_iter().flatten() {
            let rank = before as f64 + (group.len() as f64 + 1.0) / 2.0;
            before += group.len();
            for item in group {
                let Some(number) = collection.position_of(item)? else {
                    return Err(CandidatesError::UnknownItem {
                        run: run.name().to_owned(),
                        item: (*item).to_owned(),
                        nearest: collection.nearest_id(item)?,
                    });
                };
                found.add(lane, number, rank);
            }
        }
    }
    Ok(())
}

/// All that was found in one order, the query first: so many different ones, and those that are the same.
fn fuse_rankings(
    collection: &Collection,
    query: &NamedMelody,
    found: CandidatePool,
    lanes: &RankerNames,
    keep: usize,
) -> Result<QueryCandidates, CandidatesError> {
    let mut order: Vec<(f64, u64, Vec<u16>)> = found
        .items
        .into_iter()
        .map(|(number, (sum, lanes))| (sum, number, lanes))
        .collect();
    // Items lie by id.
    order.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let content = query.melody.content_checksum();
    let mut first: HashMap<Checksum, String> = HashMap::from([(content, query.name.clone())]);
    let mut candidates = vec![MelodyCandidate {
        item: query.name.clone(),
        prior: 1,
        same_as: None,
        content,
        found_by: vec!["query".to_owned()],
    }];
    for (_, number, by) in order {
        let item = collection.item(number)?;
        if item.id == query.name {
            continue;
        }
        let same_as = first.get(&item.content_checksum).cloned();
        if same_as.is_none() {
            if first.len() >= keep.max(1) {
                continue;
            }
            first.insert(item.content_checksum, item.id.clone());
        }
        candidates.push(MelodyCandidate {
            item: item.id,
            prior: candidates.len() + 1,
            same_as,
            content: item.content_checksum,
            found_by: by
                .into_iter()
                .map(|lane| lanes.0[usize::from(lane)].clone())
                .collect(),
        });
    }
    Ok(QueryCandidates {
        query: query.name.clone(),
        steps: found.steps,
        candidates,
    })
}

//! Candidates: the melodies of a collection that assessors should judge for a query.
//!
//! Feature filters ([`FeatureFilter`]) reduce the collection. Each retrieval system ranks the
//! filtered melodies and also searches the whole collection, in case the filters were too narrow.
//! Runs of other systems may be added. Each of these is a *ranker*, and reciprocal rank fusion
//! combines them: candidates are ordered by the sum of 1/(60 + rank) over rankers (Cormack, Clarke
//! and Büttcher 2009). Melodies with the same content are judged as one
//! ([`MelodyCandidate::same_as`]).

use std::collections::{BTreeMap, HashMap};

use partita_core::Run;
use partita_core::work::{Work, WorkError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Checksum;
use crate::collection::{Collection, CollectionError};
use crate::features::{FeatureFilter, QueryFeatures};
use crate::search::{NamedMelody, SearchError, SearchIndex, SearchRequest};
use crate::systems::{self, DocumentScore};

/// Request for candidates: the options of `partita collection candidates`. Its fields are read from JSON
/// by the names of the options.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CandidatesRequest {
    /// Feature filters, in the order in which they are applied.
    #[serde(rename = "near")]
    pub filters: Vec<FeatureFilter>,
    /// Retrieval systems that rank the melodies, for example `ShapeTime` or `US(n=4)`.
    #[serde(rename = "system")]
    pub systems: Vec<String>,
    /// Largest number of melodies that each system adds from a search of the whole collection,
    /// regardless of the filters.
    #[serde(rename = "each")]
    pub top_per_system: usize,
    /// Largest number of candidates with distinct content per query, including the query itself.
    #[serde(rename = "keep")]
    pub max_candidates: usize,
}

/// Retrieval systems that rank the melodies if the user names none.
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

/// Constant that is added to ranks in reciprocal rank fusion (Cormack, Clarke and Büttcher 2009).
const RANK_OFFSET: f64 = 60.0;

/// Candidate melodies for several queries.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct CandidateLists {
    /// Candidate melodies for each query.
    pub queries: Vec<QueryCandidates>,
}

/// Candidate melodies for one query: those that assessors should judge.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct QueryCandidates {
    /// Query id.
    pub query: String,
    /// Numbers of melodies before and after each feature filter, in the order of the filters.
    pub steps: Vec<FilterStep>,
    /// Candidates by descending score of reciprocal rank fusion; the query itself is the first.
    pub candidates: Vec<MelodyCandidate>,
}

/// Numbers of melodies before and after one feature filter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct FilterStep {
    /// Feature filter, for example `pitch_range=4`.
    pub step: String,
    /// Number of melodies before the filter.
    pub from: usize,
    /// Number of melodies after the filter.
    pub to: usize,
}

/// One candidate melody for a query.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct MelodyCandidate {
    /// Item id of the candidate.
    pub item: String,
    /// Rank of the candidate by reciprocal rank fusion of all rankers, from 1; the query has rank
    /// 1.
    pub prior: usize,
    /// Id of the first candidate with the same content checksum; null for the first one itself.
    pub same_as: Option<String>,
    /// SHA-256 of the notes regardless of transposition and of leading and trailing rests.
    pub content: Checksum,
    /// Rankings that contain the candidate: `Align:near` is that of the system Align for the
    /// filtered melodies, `Align:all` its search of the whole collection, `run:NAME` a given run;
    /// `query` for the query itself.
    pub found_by: Vec<String>,
}

/// Error of a search for candidates.
#[derive(Debug, thiserror::Error)]
pub enum CandidatesError {
    /// A system is invalid, a query is too short for a system, the collection cannot be read, or
    /// the search was cancelled.
    #[error(transparent)]
    Search(#[from] SearchError),
    /// A run has results for none of the queries.
    #[error("the run {run} has nothing for {}", queries.join(", "))]
    NoQueryInRun {
        /// Name of the run without results.
        run: String,
        /// Ids of all queries.
        queries: Vec<String>,
    },
    /// A run contains items that are not in the collection.
    #[error("the run {run} returned {item}, which is not in the collection")]
    UnknownItem {
        /// Name of the run with the unknown item.
        run: String,
        /// First item of the run that is not in the collection.
        item: String,
        /// Id in the collection that is spelled most like the unknown one; `None` if none is
        /// similar.
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

/// Number of melodies that are filtered between two progress reports.
const PROGRESS_STEP: usize = 256;

/// Candidates of one query while rankings are being added.
struct CandidatePool {
    steps: Vec<FilterStep>,
    /// Melodies that all filters accept, as indices into [`MelodyTable`].
    filtered: Vec<usize>,
    /// Sum of reciprocal ranks so far and indices of the rankers that found the item, by position
    /// of the item in the collection.
    items: BTreeMap<u64, (f64, Vec<u16>)>,
}

impl CandidatePool {
    /// Adds 1/(60 + `rank`), the contribution of one ranker in reciprocal rank fusion, to the score
    /// of an item.
    fn add(&mut self, ranker: u16, item: u64, rank: f64) {
        let (sum, rankers) = self.items.entry(item).or_default();
        // If a run contains an item twice, its first occurrence counts.
        if rankers.last() != Some(&ranker) {
            *sum += 1.0 / (RANK_OFFSET + rank);
            rankers.push(ranker);
        }
    }
}

/// Names of the rankers (systems and runs), by the index that [`CandidatePool`] uses.
#[derive(Default)]
struct RankerNames(Vec<String>);

impl RankerNames {
    /// Adds the name of a ranker and returns its index.
    fn add(&mut self, name: String) -> u16 {
        self.0.push(name);
        u16::try_from(self.0.len() - 1).expect("there are fewer than 65,536 rankers")
    }
}

/// All melodies of the collection: position in order of id, and number of notes.
struct MelodyTable {
    positions: Vec<u64>,
    lengths: Vec<usize>,
}

/// Finds the candidate melodies for each query.
///
/// # Errors
/// Returns [`CandidatesError`] if a system is invalid, a query is too short for a system, a run has
/// no results for any query, an item of a run is unknown, the collection cannot be read, or the
/// work is cancelled.
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
    let (melodies, mut pools) = filter_melodies(collection, queries, &request.filters, work)?;
    let mut rankers = RankerNames::default();
    for system in &systems {
        let index = SearchIndex::from_collection(system, collection)?;
        let near = rankers.add(format!("{system}:near"));
        let all = rankers.add(format!("{system}:all"));
        let search = SearchRequest {
            system: system.clone(),
            top: request.top_per_system,
            index: false,
            exhaustive: true,
            exclude_query: false,
        };
        work.begin_stage("searching", queries.len());
        for (query, pool) in queries.iter().zip(&mut pools) {
            let ranked = rank_filtered(&index, query, pool, &melodies, work)?;
            for (rank, melody) in (1_u32..).zip(ranked) {
                pool.add(near, melodies.positions[melody], rank.into());
            }
            if request.top_per_system > 0 {
                for hit in index.search_query(&search, query, work)?.results {
                    let position = collection.position_of(&hit.item)?;
                    let position = position.expect("search results are items of the collection");
                    pool.add(all, position, hit.rank as f64);
                }
            }
            work.advance(1);
        }
    }
    for run in runs {
        let ranker = rankers.add(format!("run:{}", run.name()));
        add_run(collection, queries, run, ranker, &mut pools)?;
    }
    let lists = queries.iter().zip(pools).map(|(query, pool)| {
        fuse_rankings(collection, query, pool, &rankers, request.max_candidates)
    });
    Ok(CandidateLists {
        queries: lists.collect::<Result<_, CandidatesError>>()?,
    })
}

/// Applies the feature filters to all melodies, for each query.
fn filter_melodies(
    collection: &Collection,
    queries: &[NamedMelody],
    filters: &[FeatureFilter],
    work: &dyn Work,
) -> Result<(MelodyTable, Vec<CandidatePool>), CandidatesError> {
    let query_features: Vec<QueryFeatures> = queries
        .iter()
        .map(|query| QueryFeatures::from_melody(&query.melody))
        .collect();
    // Number of melodies that pass each filter, per query.
    let mut passed = vec![vec![0; filters.len()]; queries.len()];
    let mut left: Vec<Vec<usize>> = vec![Vec::new(); queries.len()];
    let mut melodies = MelodyTable {
        positions: Vec::new(),
        lengths: Vec::new(),
    };
    let total = usize::try_from(collection.len()).unwrap_or(usize::MAX);
    work.begin_stage("comparing features", total);
    for (number, melody) in collection.melodies(0).enumerate() {
        let (position, _, melody) = melody?;
        if number % PROGRESS_STEP == 0 {
            if work.is_cancelled() {
                return Err(WorkError::Cancelled.into());
            }
            work.advance(PROGRESS_STEP);
        }
        for (query, features) in query_features.iter().enumerate() {
            let mut counted = filters.iter().zip(&mut passed[query]);
            let accepted_by_all = counted.all(|(filter, passed)| {
                let is_accepted = filter.accepts(features, &melody);
                *passed += usize::from(is_accepted);
                is_accepted
            });
            if accepted_by_all {
                left[query].push(number);
            }
        }
        melodies.positions.push(position);
        melodies.lengths.push(melody.len());
    }
    let pools = passed.into_iter().zip(left).map(|(passed, left)| {
        let mut from = melodies.positions.len();
        let steps = filters.iter().zip(passed).map(|(filter, to)| FilterStep {
            step: filter.to_string(),
            from: std::mem::replace(&mut from, to),
            to,
        });
        CandidatePool {
            steps: steps.collect(),
            filtered: left,
            items: BTreeMap::new(),
        }
    });
    let pools = pools.collect();
    Ok((melodies, pools))
}

/// Ranks the filtered melodies of a query by the scores of a system. Ties are broken by difference
/// in number of notes, then by id.
fn rank_filtered(
    index: &SearchIndex,
    query: &NamedMelody,
    pool: &CandidatePool,
    melodies: &MelodyTable,
    work: &dyn Work,
) -> Result<Vec<usize>, CandidatesError> {
    let mut scored = index.scores(&query.melody, &pool.filtered, work)?;
    let length_difference = |melody: usize| melodies.lengths[melody].abs_diff(query.melody.len());
    let tie_key = |hit: &DocumentScore| (length_difference(hit.document), hit.document);
    scored.sort_by(|a, b| {
        let by_score = b.score.total_cmp(&a.score);
        by_score.then_with(|| tie_key(a).cmp(&tie_key(b)))
    });
    Ok(scored.into_iter().map(|hit| hit.document).collect())
}

/// Adds the ranking of a run to the candidates of each query. Items with tied scores share the mean
/// of their ranks.
fn add_run(
    collection: &Collection,
    queries: &[NamedMelody],
    run: &Run,
    ranker: u16,
    pools: &mut [CandidatePool],
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
    for (query, pool) in queries.iter().zip(pools) {
        let mut before = 0;
        for group in returned.get(query.name.as_str()).into_iter().flatten() {
            let rank = before as f64 + (group.len() as f64 + 1.0) / 2.0;
            before += group.len();
            for item in group {
                let Some(position) = collection.position_of(item)? else {
                    return Err(CandidatesError::UnknownItem {
                        run: run.name().to_owned(),
                        item: (*item).to_owned(),
                        nearest: collection.nearest_id(item)?,
                    });
                };
                pool.add(ranker, position, rank);
            }
        }
    }
    Ok(())
}

/// Orders the items that rankers found by their sum of reciprocal ranks, with the query first.
/// Keeps `max_candidates` melodies with distinct content, and all duplicates of them.
fn fuse_rankings(
    collection: &Collection,
    query: &NamedMelody,
    pool: CandidatePool,
    rankers: &RankerNames,
    max_candidates: usize,
) -> Result<QueryCandidates, CandidatesError> {
    let mut order: Vec<(f64, u64, Vec<u16>)> = pool
        .items
        .into_iter()
        .map(|(position, (sum, rankers))| (sum, position, rankers))
        .collect();
    // Items are sorted by id, so ties are broken by id.
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
    for (_, position, by) in order {
        let item = collection.item(position)?;
        if item.id == query.name {
            continue;
        }
        let same_as = first.get(&item.content_checksum).cloned();
        if same_as.is_none() {
            if first.len() >= max_candidates.max(1) {
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
                .map(|ranker| rankers.0[usize::from(ranker)].clone())
                .collect(),
        });
    }
    Ok(QueryCandidates {
        query: query.name.clone(),
        steps: pool.steps,
        candidates,
    })
}

//! Tuning of the parameters of a retrieval system on queries with a ground truth, by
//! cross-validation over groups of queries.
//!
//! Groups of queries are used for training or held out as a whole: melodies of one family are
//! similar, so a system tuned on some of them has an advantage on the others. Tuning starts from
//! the default parameters and sets one parameter at a time to the value with the highest mean over
//! the training queries, in two rounds. The reported score is the mean over all queries, each
//! scored while its group was held out.

use std::collections::{BTreeMap, HashMap};

use partita_core::work::{SequentialWork, Work};
use partita_core::{GroundTruth, QueryTruth, Ranking, measure};
use partita_stats::bootstrap::{self, IntervalMethod};
use partita_stats::random;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Melody;
use crate::search::SearchError;
use crate::systems::{self, SearchOptions, SystemDefinition};

/// Request to tune a system: the options of `partita tune`. Its fields are read from JSON by the names
/// of the options.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TuningRequest {
    /// Retrieval system to tune; the parameters that it names are the starting point.
    pub system: String,
    /// Name of the group of each query, for example its tune family. Queries of one group are held
    /// out together. A query without a group forms its own group.
    #[serde(skip)]
    pub groups: HashMap<String, String>,
    /// Number of cross-validation folds.
    pub folds: usize,
    /// Random seed for assigning groups to folds and for the bootstrap.
    pub seed: u64,
}

impl Default for TuningRequest {
    /// Returns a request with 5 folds, which lacks a system.
    fn default() -> Self {
        Self {
            system: String::new(),
            groups: HashMap::new(),
            folds: 5,
            seed: 1,
        }
    }
}

/// Tuned parameters and their cross-validated score.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct TuningResult {
    /// Name of the retrieval system.
    pub system: String,
    /// Random seed that was used for assigning groups to folds and for the bootstrap.
    pub seed: u64,
    /// Result of each cross-validation fold.
    pub folds: Vec<TuningFold>,
    /// Cross-validated score of the system, on held-out queries.
    pub held_out: HeldOutScore,
    /// Parameter values tuned on all queries.
    pub parameters: BTreeMap<String, String>,
}

/// Result of one cross-validation fold.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct TuningFold {
    /// Parameter values tuned on the queries of all other folds.
    pub parameters: BTreeMap<String, String>,
    /// Mean score over the queries of all other folds, on which the parameters were tuned.
    pub train: f64,
    /// Mean score over the queries of this fold, which were held out.
    pub held_out: f64,
}

/// Cross-validated score: mean over all queries, each scored while its group was held out, with a
/// confidence interval.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct HeldOutScore {
    /// Effectiveness measure of the scores: AP (average precision) if every list of the ground
    /// truth has at most one group of items, otherwise ADR (average dynamic recall).
    pub measure: String,
    /// Mean score over all queries.
    pub mean: f64,
    /// Lower end of the 95% confidence interval of the mean, by bootstrap over groups of queries;
    /// null if the mean does not vary.
    pub low: Option<f64>,
    /// Upper end of the 95% confidence interval of the mean; null if `low` is null.
    pub high: Option<f64>,
}

/// Error of tuning.
#[derive(Debug, thiserror::Error)]
pub enum TuningError {
    /// A search failed.
    #[error(transparent)]
    Search(#[from] SearchError),
    /// The system with this name has no parameters to tune.
    #[error("{0} has no parameter that can be tuned")]
    NothingToTune(&'static str),
    /// The query with this id is no melody of the collection.
    #[error("the query {0} is no melody of the collection")]
    UnknownQuery(String),
    /// There are too few groups for the folds.
    #[error(
        "{groups} groups of queries cannot be dealt into {folds} folds; at least 2 of each are needed"
    )]
    TooFewGroups {
        /// Number of groups of queries.
        groups: usize,
        /// Number of folds that were requested.
        folds: usize,
    },
}

/// Query with its ground truth, group and fold.
struct TuningQuery<'a> {
    /// Index of the melody of the query among the melodies of the collection.
    melody: usize,
    truth: &'a QueryTruth,
    fold: usize,
    group: usize,
}

/// Largest number of passes in which tuning tries the values of every parameter.
const TUNING_ROUNDS: usize = 2;

/// Number of bootstrap resamples for the confidence interval.
const BOOTSTRAP_RESAMPLES: usize = 10_000;

/// Tunes the parameters of a system and estimates its score on unseen queries. The melodies must be
/// sorted by name.
///
/// # Errors
/// Returns [`TuningError`] if the system is invalid or has no parameters to tune, if a query is not
/// in the collection, if there are too few groups of queries, or if the work is cancelled.
pub fn tune(
    request: &TuningRequest,
    melodies: &[(String, Melody)],
    truth: &GroundTruth,
    work: &dyn Work,
) -> Result<TuningResult, TuningError> {
    let definition = systems::parse_definition(&request.system).map_err(SearchError::from)?;
    let mut parameters = definition.parameters.iter();
    if parameters.all(|parameter| parameter.tuning_values.is_empty()) {
        return Err(TuningError::NothingToTune(definition.name));
    }
    let (queries, groups) = assign_folds(request, melodies, truth)?;
    let one_group = truth
        .iter()
        .all(|(_, judged)| judged.list().groups().count() <= 1);
    let measure = if one_group { "AP" } else { "ADR" };
    let mut trials = TrialCache {
        melodies,
        queries: &queries,
        measure,
        highest_gain: truth.highest_gain(),
        scores_by_system: HashMap::new(),
        work,
    };
    let start = systems::explicit_parameters(&request.system).map_err(SearchError::from)?;
    let mut folds = Vec::new();
    let mut held_out: Vec<(usize, f64)> = Vec::new();
    for fold in 0..request.folds {
        let is_training = |query: &TuningQuery<'_>| query.fold != fold;
        let (parameters, train) = trials.best_parameters(definition, &start, &is_training)?;
        let scores = trials.query_scores(definition, &parameters)?;
        let scored = queries.iter().zip(scores);
        let out: Vec<(usize, f64)> = scored
            .filter(|(query, _)| query.fold == fold)
            .map(|(query, score)| (query.group, score))
            .collect();
        folds.push(TuningFold {
            parameters: with_defaults(definition, &parameters),
            train,
            held_out: mean(out.iter().map(|&(_, score)| score)),
        });
        held_out.extend(out);
    }
    let (parameters, _) = trials.best_parameters(definition, &start, &|_| true)?;
    Ok(TuningResult {
        system: definition.name.to_owned(),
        seed: request.seed,
        folds,
        held_out: score_with_interval(&held_out, groups, measure, request.seed),
        parameters: with_defaults(definition, &parameters),
    })
}

/// Assigns groups of queries to folds, and returns the queries and the number of groups. The groups
/// are shuffled by the seed; each goes to the fold with the fewest queries so far.
fn assign_folds<'a>(
    request: &TuningRequest,
    melodies: &[(String, Melody)],
    truth: &'a GroundTruth,
) -> Result<(Vec<TuningQuery<'a>>, usize), TuningError> {
    let mut group_numbers: BTreeMap<String, usize> = BTreeMap::new();
    let mut queries = Vec::new();
    for (name, judged) in truth.iter() {
        let melody = melodies.binary_search_by(|(known, _)| known.as_str().cmp(name));
        let melody = melody.map_err(|_| TuningError::UnknownQuery(name.to_owned()))?;
        let group = request
            .groups
            .get(name)
            .map_or(format!("query {name}"), |group| format!("group {group}"));
        let next = group_numbers.len();
        let group = *group_numbers.entry(group).or_insert(next);
        queries.push(TuningQuery {
            melody,
            truth: judged,
            fold: 0,
            group,
        });
    }
    let groups = group_numbers.len();
    if request.folds < 2 || groups < request.folds {
        return Err(TuningError::TooFewGroups {
            groups,
            folds: request.folds,
        });
    }
    let mut order: Vec<usize> = (0..groups).collect();
    random::shuffle(
        &mut random::stream(request.seed, &[random::stream_id::TUNING_FOLDS]),
        &mut order,
    );
    let mut sizes = vec![0; request.folds];
    for group in order {
        let least = (0..request.folds).min_by_key(|&fold| sizes[fold]);
        let fold = least.expect("there are at least two folds");
        for query in queries.iter_mut().filter(|query| query.group == group) {
            query.fold = fold;
            sizes[fold] += 1;
        }
    }
    Ok((queries, groups))
}

/// Values of system parameters, by parameter name.
type Parameters = BTreeMap<String, String>;

/// Returns the given parameter values, completed by the default values of all other parameters.
fn with_defaults(definition: &SystemDefinition, given: &Parameters) -> Parameters {
    let mut all = given.clone();
    for parameter in definition.parameters {
        let name = parameter.name.to_owned();
        all.entry(name).or_insert(parameter.default.to_owned());
    }
    all
}

/// Cache of the scores of all queries for each setting of the parameters that was tried.
struct TrialCache<'a> {
    melodies: &'a [(String, Melody)],
    queries: &'a [TuningQuery<'a>],
    measure: &'static str,
    highest_gain: f64,
    /// Scores of all queries, by canonical name of the system with its parameters.
    scores_by_system: HashMap<String, Vec<f64>>,
    work: &'a dyn Work,
}

impl TrialCache<'_> {
    /// Searches from `start`, one parameter at a time, for the setting of the parameters with the
    /// highest mean score over the queries that `chosen` accepts. Returns the setting and its mean
    /// score.
    fn best_parameters(
        &mut self,
        definition: &'static SystemDefinition,
        start: &Parameters,
        chosen: &dyn Fn(&TuningQuery<'_>) -> bool,
    ) -> Result<(Parameters, f64), TuningError> {
        let mut best = start.clone();
        let mut highest = self.mean_score(definition, &best, chosen)?;
        for _ in 0..TUNING_ROUNDS {
            let before = highest;
            for parameter in definition.parameters {
                for value in parameter.tuning_values {
                    let mut other = best.clone();
                    other.insert(parameter.name.to_owned(), (*value).to_owned());
                    let mean = self.mean_score(definition, &other, chosen)?;
                    // If several settings are equally good, the first one is kept.
                    if mean > highest + 1e-12 {
                        (best, highest) = (other, mean);
                    }
                }
            }
            if highest == before {
                break;
            }
        }
        Ok((best, highest))
    }

    /// Returns the mean score over the queries that `chosen` accepts, for a setting of the
    /// parameters.
    fn mean_score(
        &mut self,
        definition: &'static SystemDefinition,
        parameters: &Parameters,
        chosen: &dyn Fn(&TuningQuery<'_>) -> bool,
    ) -> Result<f64, TuningError> {
        let scores = self.query_scores(definition, parameters)?;
        let of_chosen = self
            .queries
            .iter()
            .zip(scores)
            .filter(|(query, _)| chosen(query));
        Ok(mean(of_chosen.map(|(_, score)| score)))
    }

    /// Returns the score of each query for a setting of the parameters, from the cache if possible.
    fn query_scores(
        &mut self,
        definition: &'static SystemDefinition,
        parameters: &Parameters,
    ) -> Result<Vec<f64>, TuningError> {
        let list: Vec<String> = (parameters.iter())
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        let text = match list.as_slice() {
            [] => definition.name.to_owned(),
            some => format!("{}({})", definition.name, some.join(",")),
        };
        let text = systems::canonical_name(&text).map_err(SearchError::from)?;
        if let Some(scores) = self.scores_by_system.get(&text) {
            return Ok(scores.clone());
        }
        let system = systems::parse(&text).map_err(SearchError::from)?;
        let mut melodies = self.melodies.iter().map(|(_, melody)| melody.clone());
        let collection = system.prepare(&mut melodies);
        let measure = measure::parse(self.measure, self.highest_gain);
        let measure = measure.expect("AP and ADR are known measures");
        let work = self.work;
        let scores = work.map("trying parameters", self.queries.len(), |number| {
            let query = &self.queries[number];
            let melody = &self.melodies[query.melody].1;
            // The queries already run in parallel, so each search is sequential.
            let found = collection.search(melody, SearchOptions::ALL, &SequentialWork);
            let found = found.ok().flatten().unwrap_or_default();
            let names = (found.iter())
                .filter(|hit| hit.document != query.melody)
                .map(|hit| self.melodies[hit.document].0.as_str());
            let ranking = Ranking::from_names(query.truth.names(), names);
            measure.score(query.truth, &ranking).unwrap_or(0.0)
        });
        let scores = scores.map_err(SearchError::from)?;
        self.scores_by_system.insert(text, scores.clone());
        Ok(scores)
    }
}

/// Returns the arithmetic mean of the values.
fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (mut sum, mut count) = (0.0, 0);
    for value in values {
        sum += value;
        count += 1;
    }
    sum / f64::from(count)
}

/// Returns the mean of all held-out scores, each given with the index of its group, with a 95%
/// bootstrap interval over groups of queries.
fn score_with_interval(
    scores: &[(usize, f64)],
    groups: usize,
    measure: &str,
    seed: u64,
) -> HeldOutScore {
    let mut by_group = vec![(0.0, 0.0); groups];
    for &(group, score) in scores {
        by_group[group].0 += score;
        by_group[group].1 += 1.0;
    }
    let over_all = |groups: &[(f64, f64)]| {
        let (sum, count) = (groups.iter()).fold((0.0, 0.0), |(sum, count), group| {
            (sum + group.0, count + group.1)
        });
        sum / count
    };
    let mut rng = random::stream(seed, &[random::stream_id::TUNING_INTERVALS]);
    let found = bootstrap::confidence_interval(
        &by_group,
        over_all,
        IntervalMethod::Percentile,
        0.95,
        BOOTSTRAP_RESAMPLES,
        &mut rng,
    );
    let found = found.expect("there are two groups, each with a score");
    HeldOutScore {
        measure: measure.to_owned(),
        mean: found.estimate,
        low: found.limits().map(|(lower, _)| lower),
        high: found.limits().map(|(_, upper)| upper),
    }
}

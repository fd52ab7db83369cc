//! Tuning the parameters of a system on queries whose answers are known.
//!
//! Whole groups of queries are trained on or held out together: melodies of one family are alike, and a
//! system that has seen some of them has seen the others. Parameters are found from their defaults, one
//! after the other, each at the value with the highest mean over the training queries, in two rounds. What
//! is reported is the mean of scores that every query got while its group was held out.

use std::collections::{BTreeMap, HashMap};

use partita_core::work::Work;
use partita_core::{GroundTruth, QueryTruth, Ranking, measure};
use partita_stats::bootstrap::{self, IntervalMethod};
use partita_stats::random;
use schemars::JsonSchema;
use serde::Serialize;

use crate::Melody;
use crate::search::SearchError;
use crate::systems;
use crate::systems::{SearchOptions, SystemDefinition};

/// What is tuned, and on what.
#[derive(Clone, Debug)]
pub struct TuningRequest {
    /// The system; parameters that are given are where tuning begins.
    pub system: String,
    /// The group of each query; one that has none is a group of its own.
    pub groups: HashMap<String, String>,
    /// How many parts the groups are dealt into.
    pub folds: usize,
    /// The seed of everything that is drawn.
    pub seed: u64,
}

/// What tuning found.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct TuningResult {
    /// The system.
    pub system: String,
    /// The seed of everything that was drawn.
    pub seed: u64,
    /// What each fold found while it was held out.
    pub folds: Vec<TuningFold>,
    /// How good the system was on queries that it was not tuned on.
    pub held_out: HeldOutScore,
    /// What is found when nothing is held out.
    pub parameters: BTreeMap<String, String>,
}

/// One part of the queries, held out.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct TuningFold {
    /// What was found on the other queries.
    pub parameters: BTreeMap<String, String>,
    /// The mean over these others.
    pub train: f64,
    /// The mean over the queries that were held out.
    pub held_out: f64,
}

/// The mean over all queries, each held out.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct HeldOutScore {
    /// The measure: AP where lists have one group, else ADR.
    pub measure: String,
    /// Its mean.
    pub mean: f64,
    /// The lower end of its 95% interval, by resampling groups.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// Why nothing was tuned.
#[derive(Debug, thiserror::Error)]
pub enum TuningError {
    /// As in searches.
    #[error(transparent)]
    Search(#[from] SearchError),
    /// The system has nothing to tune.
    #[error("{0} has no parameter that can be tuned")]
    NothingToTune(&'static str),
    /// A query is no item of the collection.
    #[error("the query {0} is no melody of the collection")]
    UnknownQuery(String),
    /// There are too few groups.
    #[error(
        "{groups} groups of queries cannot be dealt into {folds} folds; at least 2 of each are needed"
    )]
    TooFewGroups {
        /// How many groups there are.
        groups: usize,
        /// How many folds were asked for.
        folds: usize,
    },
}

/// A query with what is known of it.
struct Query<'a> {
    number: usize,
    truth: &'a QueryTruth,
    fold: usize,
    group: usize,
}

/// How often all parameters are gone through.
const ROUNDS: usize = 2;

/// How often groups are resampled.
const RESAMPLES: usize = 10_000;

/// Tunes a system. Melodies come with their names, in the order of these.
///
/// # Errors
/// [`TuneError`] where there is nothing to tune, or nothing to tune on.
pub fn tune(
    request: &TuningRequest,
    melodies: &[(String, Melody)],
    truth: &GroundTruth,
    work: &dyn Work,
) -> Result<TuningResult, TuningError> {
    let definition = systems::parse_definition(&request.system).map_err(SearchError::from)?;
    if definition
        .parameters
        .iter()
        .all(|p| p.tuning_values.is_empty())
    {
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
        known: HashMap::new(),
        work,
    };
    let start = systems::explicit_parameters(&request.system).map_err(SearchError::from)?;
    let mut folds = Vec::new();
    let mut held_out: Vec<(usize, f64)> = Vec::new();
    for fold in 0..request.folds {
        let is_training = |query: &Query<'_>| query.fold != fold;
        let (parameters, train) = trials.best(definition, &start, &is_training)?;
        let scores = trials.scores(definition, &parameters)?;
        let out = queries
            .iter()
            .zip(&scores)
            .filter(|(query, _)| query.fold == fold);
        let out: Vec<(usize, f64)> = out.map(|(query, &score)| (query.group, score)).collect();
        folds.push(TuningFold {
            parameters: with_defaults(definition, &parameters),
            train,
            held_out: mean(out.iter().map(|&(_, score)| score)),
        });
        held_out.extend(out);
    }
    let (parameters, _) = trials.best(definition, &start, &|_| true)?;
    Ok(TuningResult {
        system: definition.name.to_owned(),
        seed: request.seed,
        folds,
        held_out: interval(&held_out, groups, measure, request.seed),
        parameters: with_defaults(definition, &parameters),
    })
}

/// The queries, dealt into folds by their groups: the fold with the fewest queries gets the next group, in
/// an order that the seed draws.
fn assign_folds<'a>(
    request: &TuningRequest,
    melodies: &[(String, Melody)],
    truth: &'a GroundTruth,
) -> Result<(Vec<Query<'a>>, usize), TuningError> {
    let mut numbers: BTreeMap<String, usize> = BTreeMap::new();
    let mut queries = Vec::new();
    for (name, judged) in truth.iter() {
        let number = melodies.binary_search_by(|(known, _)| known.as_str().cmp(name));
        let number = number.map_err(|_| TuningError::UnknownQuery(name.to_owned()))?;
        let group = request
            .groups
            .get(name)
            .map_or(format!("query {name}"), |group| format!("group {group}"));
        let next = numbers.len();
        let group = *numbers.entry(group).or_insert(next);
        queries.push(Query {
            number,
            truth: judged,
            fold: 0,
            group,
        });
    }
    let groups = numbers.len();
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

type Parameters = BTreeMap<String, String>;

/// Every parameter with its value, given or not.
fn with_defaults(definition: &SystemDefinition, given: &Parameters) -> Parameters {
    let mut all = given.clone();
    for parameter in definition.parameters {
        let name = parameter.name.to_owned();
        all.entry(name).or_insert(parameter.default.to_owned());
    }
    all
}

/// What every query scores with every setting that was tried.
struct TrialCache<'a> {
    melodies: &'a [(String, Melody)],
    queries: &'a [Query<'a>],
    measure: &'static str,
    highest_gain: f64,
    known: HashMap<String, Vec<f64>>,
    work: &'a dyn Work,
}

impl TrialCache<'_> {
    /// The setting with the highest mean over some queries, and that mean.
    fn best(
        &mut self,
        definition: &'static SystemDefinition,
        start: &Parameters,
        chosen: &dyn Fn(&Query<'_>) -> bool,
    ) -> Result<(Parameters, f64), TuningError> {
        let mut best = start.clone();
        let mut highest = self.mean(definition, &best, chosen)?;
        for _ in 0..ROUNDS {
            let before = highest;
            for parameter in definition.parameters {
                for value in parameter.tuning_values {
                    let mut other = best.clone();
                    other.insert(parameter.name.to_owned(), (*value).to_owned());
                    let mean = self.mean(definition, &other, chosen)?;
                    // The first of equal ones stays.
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

    fn mean(
        &mut self,
        definition: &'static SystemDefinition,
        parameters: &Parameters,
        chosen: &dyn Fn(&Query<'_>) -> bool,
    ) -> Result<f64, TuningError> {
        let scores = self.scores(definition, parameters)?;
        let of_chosen = self
            .queries
            .iter()
            .zip(scores)
            .filter(|(query, _)| chosen(query));
        Ok(mean(of_chosen.map(|(_, score)| score)))
    }

    fn scores(
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
        if let Some(known) = self.known.get(&text) {
            return Ok(known.clone());
        }
        let system = systems::parse(&text).map_err(SearchError::from)?;
        let mut melodies = self.melodies.iter().map(|(_, melody)| melody.clone());
        let collection = system.prepare(&mut melodies);
        let measure = measure::parse(self.measure, self.highest_gain);
        let measure = measure.expect("the measures of tuning are measures");
        let work = self.work;
        let scores = work.map("trying parameters", self.queries.len(), |number| {
            let query = &self.queries[number];
            let melody = &self.melodies[query.number].1;
            // The work is shared by queries already.
            let found = collection.search(
                melody,
                SearchOptions::ALL,
                &partita_core::work::SequentialWork,
            );
            let found = found.ok().flatten().unwrap_or_default();
            let names = (found.iter())
                .filter(|hit| hit.document != query.number)
                .map(|hit| self.melodies[hit.document].0.as_str());
            let ranking = Ranking::from_names(query.truth.names(), names);
            measure.score(query.truth, &ranking).unwrap_or(0.0)
        });
        let scores = scores.map_err(SearchError::from)?;
        self.known.insert(text, scores.clone());
        Ok(scores)
    }
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (mut sum, mut count) = (0.0, 0);
    for value in values {
        sum += value;
        count += 1;
    }
    sum / f64::from(count)
}

/// The mean of all scores, with an interval over resampled groups.
fn interval(scores: &[(usize, f64)], groups: usize, measure: &str, seed: u64) -> HeldOutScore {
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
        RESAMPLES,
        &mut rng,
    );
    let found = found.expect("there are two groups, each with a score");
    HeldOutScore {
        measure: measure.to_owned(),
        mean: found.estimate,
        low: found.lower,
        high: found.upper,
    }
}

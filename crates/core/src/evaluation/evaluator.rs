//! Scoring of runs, one after the other.

use std::borrow::Cow;
use std::sync::Arc;

use partita_stats::bootstrap;
use partita_stats::random::{stream, stream_id};

use super::mean;
use super::note::EvaluationNote;
use super::request::{
    EvaluationError, EvaluationRequest, EvaluationSettings, MissingQueryPolicy, NoRelevantPolicy,
};
use super::result::{
    Evaluation, MeanInterval, PerQueryScores, RunEvaluation, StratumMeans, StratumMembers,
};
use super::trec_eval_counts::TrecEvalCounts;
use super::trec_eval_grades::TruncatedGrades;
use crate::data::ground_truth::{GroundTruth, QueryTruth, TruthScale};
use crate::data::ordered_map::OrderedMap;
use crate::data::ranking::Ranking;
use crate::data::run::{NoCommonQueryError, Run, SystemRankings};
use crate::measure::{self, Measure, dynamic_recall};
use crate::work::Work;

/// Number of queries below which intervals of a mean contain it clearly less often than they state
/// (docs/validation.md, "Intervals of means").
const MIN_QUERIES_FOR_INTERVALS: usize = 25;

/// Scores runs that are in memory.
///
/// # Errors
/// Returns [`EvaluationError`] if the request does not fit the ground truth, a run has no query in
/// common with it, or the work was cancelled.
pub fn evaluate(
    request: &EvaluationRequest,
    truth: &GroundTruth,
    runs: &[Run],
    work: &dyn Work,
) -> Result<Evaluation, EvaluationError> {
    let evaluator = Evaluator::new(request, truth)?;
    let scored = work.map("scoring runs", runs.len(), |number| {
        let truth = evaluator.truth();
        let (run, seen) = (&runs[number], runs[number].rankings_for(truth));
        NoCommonQueryError::check(&seen, truth, run.queries().map(|(query, _)| query))?;
        Ok(evaluator.score(&seen))
    })?;
    let scored: Result<Vec<RunEvaluation>, NoCommonQueryError> = scored.into_iter().collect();
    Ok(evaluator.finish(scored?))
}

/// Scorer of runs against a ground truth, one run at a time, so that the runs need not be in memory
/// together.
///
/// ```
/// use partita_core::evaluation::{EvaluationRequest, Evaluator};
/// use partita_core::{GroundTruth, Run};
///
/// let truth = GroundTruth::from_groups([("q", [vec!["a"], vec!["b"]])])?;
/// let evaluator = Evaluator::new(&EvaluationRequest::default(), &truth)?;
/// let mut runs = Vec::new();
/// for documents in [["a", "b"], ["b", "a"]] {
///     let run = Run::from_lists(documents.join(""), [("q", documents)]);
///     runs.push(evaluator.score(&run.rankings_for(&truth)));
/// }
/// let evaluation = evaluator.finish(runs);
/// assert_eq!(evaluation.runs[1].per_query.get("q", "ADR"), Some(0.5));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Evaluator<'a> {
    request: EvaluationRequest,
    /// Treatment of queries for which a run returned nothing.
    missing: MissingQueryPolicy,
    /// True to count documents as trec_eval does.
    counts: bool,
    /// Judgments, with the grades of trec_eval if its procedure is requested.
    truth: Cow<'a, GroundTruth>,
    /// Grades that the procedure of trec_eval cuts to whole numbers, if any.
    truncated_grades: Option<TruncatedGrades>,
    /// Indices of the requested queries in the ground truth.
    query_indices: Vec<usize>,
    /// Names of the requested queries.
    queries: Arc<[String]>,
    /// Indices into `queries` in the order of the query names. Scores are summed and resampled in
    /// this order, so that results do not depend on the order of queries in a file.
    by_name: Vec<usize>,
    names: Arc<[String]>,
    measures: Vec<Box<dyn Measure>>,
    /// Strata with the indices of their queries in `queries`. Queries without a stratum form the
    /// last entry.
    strata: Vec<(Option<String>, Vec<usize>)>,
    /// Sort keys of the runs, most important first: index of a measure, and true if a lower mean of
    /// that measure is better.
    sort_keys: Vec<(usize, bool)>,
}

impl<'a> Evaluator<'a> {
    /// Creates an evaluator for runs that were read against this ground truth. The request may
    /// select some of its queries.
    ///
    /// # Errors
    /// Returns [`EvaluationError`] if the request names an unknown measure or query, or an option
    /// is invalid.
    pub fn new(
        request: &EvaluationRequest,
        truth: &'a GroundTruth,
    ) -> Result<Self, EvaluationError> {
        if request.intervals {
            if !(request.confidence > 0.0 && request.confidence < 1.0) {
                return Err(EvaluationError::Confidence(request.confidence));
            }
            if request.resamples == 0 {
                return Err(EvaluationError::NoResamples);
            }
        }
        let (truth, truncated_grades) = request.read_judgments(truth);
        let query_indices = truth.query_indices(&request.queries)?;
        let queries: Arc<[String]> = query_indices
            .iter()
            .map(|&q| truth.query_name(q).to_owned())
            .collect();
        let mut by_name: Vec<usize> = (0..queries.len()).collect();
        by_name.sort_by_key(|&query| &queries[query]);
        let names = measure_names(&request.measure_names(), &truth)?;
        let measures = (names.iter())
            .map(|name| measure::parse(name, truth.highest_gain()))
            .collect::<Result<Vec<_>, _>>()?;
        Ok(Self {
            strata: stratum_members(request, &queries),
            sort_keys: sort_keys(request.sort.as_deref(), &names, truth.highest_gain())?,
            missing: request.rules().missing,
            counts: request.counts(),
            request: request.clone(),
            truth,
            truncated_grades,
            query_indices,
            queries,
            by_name,
            names,
            measures,
        })
    }

    /// Returns the full ground truth with the grades that the procedure of the request reads. Read
    /// runs against it, so that queries outside the request are not reported as unknown.
    pub fn truth(&self) -> &GroundTruth {
        &self.truth
    }

    /// Scores one run by every measure on every query of the request.
    pub fn score(&self, run: &SystemRankings) -> RunEvaluation {
        let queries = self.query_indices.iter();
        let rankings = queries.filter_map(|&query| run.ranking(query));
        let tied = rankings.clone().any(Ranking::is_tied);
        let mut found =
            vec![MeasureScores::new(self.query_indices.len(), tied); self.measures.len()];
        let mut recall = Vec::new();
        let empty = Ranking::default();
        let mut missing = Vec::new();
        let mut counts = vec![None; self.query_indices.len()];
        for (place, &query) in self.query_indices.iter().enumerate() {
            let (name, judged) = (&self.queries[place], self.truth.query_truth(query));
            let returned = run.ranking(query);
            if returned.is_none() {
                missing.push(name.clone());
                if self.missing == MissingQueryPolicy::Skip {
                    continue;
                }
            }
            if self.request.no_relevant == NoRelevantPolicy::Skip && judged.ideal_gains().is_empty()
            {
                continue;
            }
            let returned = returned.unwrap_or(&empty);
            let condensed = self.request.judged_only.then(|| returned.condensed());
            let scored = condensed.as_ref().unwrap_or(returned);
            for (measure, found) in self.measures.iter().zip(&mut found) {
                found.score_query(place, measure.as_ref(), judged, scored);
                // Unjudged documents are counted in the ranking that the system returned, even if
                // they are removed before scoring.
                found.count_unjudged(returned, measure.depth(judged, returned));
            }
            if self.counts {
                counts[place] = Some(TrecEvalCounts::from_ranking(judged, scored));
            }
            if self.request.dynamic_recall && !judged.list().is_empty() {
                let curve = dynamic_recall(judged, scored, judged.list().len());
                recall.push((name.clone(), curve));
            }
        }
        RunEvaluation {
            depth: rankings.map(Ranking::len).max().unwrap_or(0),
            counts: self.counts.then_some(counts),
            ..self.summarize_run(&run.system, missing, found, recall)
        }
    }

    /// Averages the scores of a run over the queries and over each stratum.
    fn summarize_run(
        &self,
        run: &str,
        missing: Vec<String>,
        mut found: Vec<MeasureScores>,
        recall: Vec<(String, Vec<f64>)>,
    ) -> RunEvaluation {
        let mut columns = |take: fn(&mut MeasureScores) -> Option<Vec<Option<f64>>>| {
            Some(PerQueryScores {
                queries: Arc::clone(&self.queries),
                measures: Arc::clone(&self.names),
                columns: found.iter_mut().map(take).collect::<Option<_>>()?,
            })
        };
        let per_query = columns(|found| Some(std::mem::take(&mut found.scores)));
        let per_query = per_query.expect("every measure has a column of scores");
        let per_query_min = columns(|found| found.lowest.take());
        let per_query_max = columns(|found| found.highest.take());
        let means = |scores: &PerQueryScores| -> OrderedMap<Option<f64>> {
            let mean = |column: &Vec<Option<f64>>| mean(self.by_name.iter().map(|&q| column[q]));
            self.by_measure(scores.columns.iter().map(mean))
        };
        let undefined = |(name, column): (&String, &Vec<usize>)| {
            let queries = column.iter().map(|&query| self.queries[query].clone());
            (!column.is_empty()).then(|| (name.clone(), queries.collect()))
        };
        let undefined_by = self
            .names
            .iter()
            .zip(found.iter().map(|found| &found.undefined));
        RunEvaluation {
            run: run.to_owned(),
            queries: self.queries.len(),
            missing,
            unjudged: self.by_measure(found.iter().map(MeasureScores::unjudged_share)),
            unjudged_documents: self.by_measure(found.iter().map(|found| found.unjudged)),
            mean: means(&per_query),
            min: per_query_min.as_ref().map(means),
            max: per_query_max.as_ref().map(means),
            interval: self.request.intervals.then(|| {
                self.by_measure(
                    per_query
                        .columns
                        .iter()
                        .map(|scores| self.mean_interval(scores)),
                )
            }),
            undefined: undefined_by.filter_map(undefined).collect(),
            strata: (self.strata.iter())
                .map(|(stratum, members)| self.stratum_means(stratum, members, &per_query))
                .collect(),
            per_query,
            per_query_min,
            per_query_max,
            dynamic_recall: self
                .request
                .dynamic_recall
                .then(|| recall.into_iter().collect()),
            depth: 0,
            counts: None,
        }
    }

    /// Creates a map from measure name to value; `values` has one value per measure, in order.
    fn by_measure<T>(&self, values: impl Iterator<Item = T>) -> OrderedMap<T> {
        self.names.iter().cloned().zip(values).collect()
    }

    /// Averages every measure over the queries of one stratum; `members` are their indices.
    fn stratum_means(
        &self,
        stratum: &Option<String>,
        members: &[usize],
        scores: &PerQueryScores,
    ) -> StratumMeans {
        let of_members = |column: &Vec<Option<f64>>| mean(members.iter().map(|&q| column[q]));
        StratumMeans {
            stratum: stratum.clone(),
            queries: members.len(),
            mean: self.by_measure(scores.columns.iter().map(of_members)),
        }
    }

    /// Computes a bootstrap confidence interval of the mean score over the population that the
    /// queries were sampled from.
    ///
    /// All runs and measures use the same resamples of the queries, sorted by name. An interval
    /// therefore does not depend on the order of runs and queries or on the other measures. There is
    /// none if resampling does not change the mean, because the scores do not vary.
    fn mean_interval(&self, scores: &[Option<f64>]) -> Option<MeanInterval> {
        let request = &self.request;
        let scores: Vec<f64> = self.by_name.iter().filter_map(|&q| scores[q]).collect();
        if scores.len() < 2 || are_equal(&scores) {
            return None;
        }
        let interval = bootstrap::mean_confidence_interval(
            &scores,
            request.interval_method,
            request.confidence,
            request.resamples,
            &mut stream(request.seed, &[stream_id::MEAN_INTERVALS]),
        );
        let interval = interval.expect("scores are finite, and the request was checked");
        // Few resamples can all lie on one side of the mean.
        let mean = mean(scores.iter().copied().map(Some))?;
        let (lower, upper) = (interval.lower.min(mean), interval.upper.max(mean));
        (lower < upper).then_some(MeanInterval {
            lower,
            upper,
            confidence: interval.confidence,
        })
    }

    /// Combines scored runs into an evaluation: sorts the runs and adds notes. The runs must have
    /// their final names.
    pub fn finish(&self, mut runs: Vec<RunEvaluation>) -> Evaluation {
        let notes = self.notes(&runs);
        if !self.sort_keys.is_empty() {
            let worth = |run: &RunEvaluation, &(measure, lower): &(usize, bool)| {
                let mean = run.mean.get(&self.names[measure]).copied().flatten();
                let mean = mean.map(|mean| if lower { -mean } else { mean });
                mean.unwrap_or(f64::NEG_INFINITY)
            };
            runs.sort_by(|a, b| {
                let orders = self.sort_keys.iter();
                let mut orders = orders.map(|key| worth(b, key).total_cmp(&worth(a, key)));
                let first = orders.find(|order| order.is_ne());
                first.unwrap_or(std::cmp::Ordering::Equal)
            });
        }
        let formulas = (self.names.iter().zip(&self.measures))
            .map(|(name, measure)| measure::formula_text(name, measure.as_ref()));
        Evaluation {
            measures: self.names.to_vec(),
            formulas: self.by_measure(formulas),
            settings: EvaluationSettings::new(&self.request, self.truth.scale()),
            strata: (self.strata.iter())
                .map(|(stratum, members)| StratumMembers {
                    stratum: stratum.clone(),
                    queries: members.iter().map(|&q| self.queries[q].clone()).collect(),
                })
                .collect(),
            runs,
            notes,
        }
    }

    /// Collects facts that affect how confidence intervals should be read.
    fn interval_notes(&self, runs: &[RunEvaluation]) -> Vec<EvaluationNote> {
        if self.queries.len() < 2 {
            return vec![EvaluationNote::TooFewQueriesToResample];
        }
        let mut notes = Vec::new();
        let (mut fewest, mut without) = (usize::MAX, Vec::new());
        for run in runs {
            for (number, name) in self.names.iter().enumerate() {
                let scored = run.per_query.column(number).iter().flatten().count();
                fewest = fewest.min(scored);
                let interval = run.interval.as_ref().and_then(|all| all.get(name));
                if scored > 1 && interval == Some(&None) {
                    without.push((run.run.clone(), name.clone()));
                }
            }
        }
        if fewest < MIN_QUERIES_FOR_INTERVALS {
            notes.push(EvaluationNote::FewQueriesToResample { queries: fewest });
        }
        if !without.is_empty() {
            notes.push(EvaluationNote::ConstantScores { scores: without });
        }
        notes
    }

    /// Collects facts that affect how the results should be read, such as queries without relevant
    /// items.
    fn notes(&self, runs: &[RunEvaluation]) -> Vec<EvaluationNote> {
        let total = self.queries.len();
        let mut notes = Vec::new();
        let judged = |place: &usize| self.truth.query_truth(self.query_indices[*place]);
        let nothing = (0..total).filter(|place| judged(place).ideal_gains().is_empty());
        let queries: Vec<String> = nothing.map(|place| self.queries[place].clone()).collect();
        if !queries.is_empty() {
            let no_relevant = self.request.no_relevant;
            notes.push(EvaluationNote::QueriesWithoutRelevant {
                queries,
                total,
                no_relevant,
            });
        }
        notes.extend((self.truncated_grades.clone()).map(EvaluationNote::TruncatedGrades));
        if self.request.intervals {
            notes.extend(self.interval_notes(runs));
        }
        if let Some((None, outside)) = self.strata.last() {
            let queries = outside.iter().map(|&place| self.queries[place].clone());
            let queries = queries.collect();
            notes.push(EvaluationNote::QueriesWithoutStratum { queries, total });
        }
        let lacking = runs
            .iter()
            .map(|run| (run.run.clone(), run.missing.clone()));
        notes.extend(EvaluationNote::from_missing_queries(
            lacking,
            total,
            self.missing,
        ));
        notes
    }
}

/// Returns true if numbers differ at most by rounding errors.
fn are_equal(numbers: &[f64]) -> bool {
    let lowest = numbers.iter().copied().fold(f64::INFINITY, f64::min);
    let highest = numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    highest - lowest <= 10.0 * f64::EPSILON * lowest.abs().max(highest.abs())
}

/// Returns the canonical names of the requested measures without duplicates, with the highest grade
/// that ERR takes from the ground truth. If none are requested, returns the default measures for
/// ground truths of this scale.
fn measure_names(
    requested: &[String],
    truth: &GroundTruth,
) -> Result<Arc<[String]>, EvaluationError> {
    let default: &[&str] = match truth.scale() {
        TruthScale::Groups => &["ADR"],
        TruthScale::Grades => &["ADR", "nDCG@10", "AP", "RR"],
    };
    if requested.is_empty() {
        return Ok(default.iter().map(|&name| name.to_owned()).collect());
    }
    let mut names = Vec::new();
    for name in requested {
        let name = measure::resolved_name(name, truth.highest_gain())?;
        if !names.contains(&name) {
            names.push(name);
        }
    }
    Ok(names.into())
}

/// Returns the strata that contain at least one of `queries`, with the indices of their queries.
/// Queries without a stratum form the last entry.
fn stratum_members(
    request: &EvaluationRequest,
    queries: &[String],
) -> Vec<(Option<String>, Vec<usize>)> {
    let Some(strata) = &request.strata else {
        return Vec::new();
    };
    let names = strata.names.iter().map(Some).chain([None]);
    let members = names.map(|stratum| {
        let inside = |place: &usize| strata.stratum_of.get(&queries[*place]) == stratum;
        let places: Vec<usize> = (0..queries.len()).filter(inside).collect();
        (stratum.cloned(), places)
    });
    members.filter(|(_, places)| !places.is_empty()).collect()
}

/// Returns the sort keys of runs: the requested measure, then the measure ADRinv (which breaks ties
/// in Average Dynamic Recall) if it is among the measures. A key is the index of a measure, and
/// true if lower values are better.
fn sort_keys(
    sort: Option<&str>,
    names: &[String],
    highest_gain: f64,
) -> Result<Vec<(usize, bool)>, EvaluationError> {
    let Some(sort) = sort else {
        return Ok(Vec::new());
    };
    let position = |name: &str| {
        let name = measure::resolved_name(name, highest_gain).ok()?;
        names.iter().position(|known| *known == name)
    };
    let first = position(sort).ok_or_else(|| EvaluationError::Sort {
        sort: sort.to_owned(),
        measures: names.to_vec(),
    })?;
    let keys = [Some(first), position("ADRinv")].into_iter().flatten();
    let keys = keys.map(|measure| {
        let definition = measure::parse_definition(&names[measure])?;
        Ok((measure, definition.higher_is_better == Some(false)))
    });
    keys.collect()
}

/// Scores of one run on all queries by one measure.
#[derive(Clone)]
struct MeasureScores {
    /// Score of the run on each query; `None` if the query was left out or the measure is
    /// undefined.
    scores: Vec<Option<f64>>,
    /// Lowest score on each query over all orders within groups of tied documents; `None` if the
    /// run ties no documents.
    lowest: Option<Vec<Option<f64>>>,
    /// Highest score on each query over all orders within groups of tied documents; `None` if the
    /// run ties no documents.
    highest: Option<Vec<Option<f64>>>,
    /// Indices of the queries for which the measure is undefined.
    undefined: Vec<usize>,
    /// Number of unjudged documents among the ranks that the measure reads, summed over the scored
    /// queries. Tied documents count by the mean over their orders.
    unjudged: f64,
    /// Share of unjudged documents among the ranks that the measure reads, summed over the scored
    /// queries.
    unjudged_shares: f64,
    /// Number of scored queries for which the measure reads at least one document.
    queries_with_documents: usize,
}

impl MeasureScores {
    fn new(queries: usize, tied: bool) -> Self {
        let none = vec![None; queries];
        Self {
            lowest: tied.then(|| none.clone()),
            highest: tied.then(|| none.clone()),
            scores: none,
            undefined: Vec::new(),
            unjudged: 0.0,
            unjudged_shares: 0.0,
            queries_with_documents: 0,
        }
    }

    /// Scores the ranking of one query and stores the result.
    fn score_query(
        &mut self,
        query: usize,
        measure: &dyn Measure,
        judged: &QueryTruth,
        ranking: &Ranking,
    ) {
        let score = match (&mut self.lowest, &mut self.highest) {
            (Some(lowest), Some(highest)) => {
                let range = measure::score_range(measure, judged, ranking);
                lowest[query] = range.map(|range| range.min);
                highest[query] = range.map(|range| range.max);
                range.map(|range| range.mean)
            }
            _ => measure.score(judged, ranking),
        };
        self.scores[query] = score;
        if score.is_none() {
            self.undefined.push(query);
        }
    }

    /// Adds the unjudged documents among the first `depth` ranks of a query to the totals.
    fn count_unjudged(&mut self, ranking: &Ranking, depth: usize) {
        if depth > 0 {
            let unjudged = measure::unjudged::count_unjudged(ranking, depth);
            self.unjudged += unjudged;
            self.unjudged_shares += unjudged / depth as f64;
            self.queries_with_documents += 1;
        }
    }

    /// Returns the mean share of unjudged documents over the queries for which the measure reads at
    /// least one document; 0 if there are none.
    fn unjudged_share(&self) -> f64 {
        self.unjudged_shares / self.queries_with_documents.max(1) as f64
    }
}

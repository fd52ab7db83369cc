//! Scoring runs one after the other.

use std::sync::Arc;

use partita_stats::bootstrap;
use partita_stats::random::{stream, stream_id};

use super::mean;
use super::request::{
    EvaluationError, EvaluationNote, EvaluationRequest, EvaluationSettings, MissingQueryPolicy,
    NoRelevantPolicy,
};
use super::result::{
    Evaluation, MeanInterval, PerQueryScores, RunEvaluation, StratumMeans, StratumMembers,
};
use super::trec_eval_counts::TrecEvalCounts;
use crate::data::ground_truth::{GroundTruth, QueryTruth, TruthScale};
use crate::data::ordered_map::OrderedMap;
use crate::data::ranking::Ranking;
use crate::data::run::{NoCommonQueryError, Run, SystemRankings};
use crate::measure::{self, Measure, dynamic_recall};
use crate::work::Work;

/// Scores runs that are at hand.
pub fn evaluate(
    request: &EvaluationRequest,
    truth: &GroundTruth,
    runs: &[Run],
    work: &dyn Work,
) -> Result<Evaluation, EvaluationError> {
    let evaluator = Evaluator::new(request, truth)?;
    let scored = work.map("scoring runs", runs.len(), |number| {
        let (run, seen) = (&runs[number], runs[number].rankings_for(truth));
        NoCommonQueryError::check(&seen, truth, run.queries().map(|(query, _)| query))?;
        Ok(evaluator.score(&seen))
    })?;
    let scored: Result<Vec<RunEvaluation>, NoCommonQueryError> = scored.into_iter().collect();
    Ok(evaluator.finish(scored?))
}

/// Scores runs by what a request asks, each by itself, so that none needs to be kept.
///
/// ```
/// use partita_core::evaluation::{Evaluator, Request};
/// use partita_core::{GroundTruth, Run};
///
/// let truth = GroundTruth::of_groups([("q", [vec!["a"], vec!["b"]])])?;
/// let evaluator = Evaluator::new(&Request::default(), &truth)?;
/// let mut runs = Vec::new();
/// for documents in [["a", "b"], ["b", "a"]] {
///     let run = Run::of(documents.join(""), [("q", documents)]);
///     runs.push(evaluator.score(&run.beside(&truth)));
/// }
/// let evaluation = evaluator.finish(runs);
/// assert_eq!(evaluation.runs[1].per_query.get("q", "ADR"), Some(0.5));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Evaluator<'a> {
    request: EvaluationRequest,
    truth: &'a GroundTruth,
    /// The numbers of the queries that are asked for.
    query_indices: Vec<usize>,
    /// Their names.
    queries: Arc<[String]>,
    /// Their places in the order of their names, in which scores are added up and drawn: the order of
    /// a file changes nothing.
    by_name: Vec<usize>,
    names: Arc<[String]>,
    measures: Vec<Box<dyn Measure>>,
    /// The strata with the places of their queries; those in no stratum come last.
    strata: Vec<(Option<String>, Vec<usize>)>,
    /// The measures by which runs are sorted, and whether a lower mean is better.
    sort: Vec<(usize, bool)>,
}

impl<'a> Evaluator<'a> {
    /// Makes ready for runs that were read beside this ground truth, of which the request may ask for
    /// some queries only.
    ///
    /// # Errors
    /// [`EvaluationError`] where the request asks for what there is not.
    pub fn new(
        request: &EvaluationRequest,
        truth: &'a GroundTruth,
    ) -> Result<Self, EvaluationError> {
        if let Some(intervals) = request.intervals {
            let confidence = intervals.confidence;
            if !(confidence > 0.0 && confidence < 1.0) {
                return Err(EvaluationError::Confidence(confidence));
            }
            if intervals.resamples == 0 {
                return Err(EvaluationError::NoResamples);
            }
        }
        let asked = truth.query_indices(&request.queries)?;
        let queries: Arc<[String]> = asked
            .iter()
            .map(|&q| truth.query_name(q).to_owned())
            .collect();
        let mut by_name: Vec<usize> = (0..queries.len()).collect();
        by_name.sort_by_key(|&query| &queries[query]);
        let names = names(&request.measures, truth.scale())?;
        let measures = (names.iter())
            .map(|name| measure::parse(name, truth.highest_gain()))
            .collect::<Result<Vec<_>, _>>()?;
        Ok(Self {
            strata: strata(request, &queries),
            sort: sort(request.sort.as_deref(), &names)?,
            request: request.clone(),
            truth,
            query_indices: asked,
            queries,
            by_name,
            names,
            measures,
        })
    }

    /// The whole ground truth, beside which runs are read: a query that nobody asks for is known all
    /// the same.
    pub fn truth(&self) -> &'a GroundTruth {
        self.truth
    }

    /// Scores a run, as the ground truth sees it.
    pub fn score(&self, run: &SystemRankings) -> RunEvaluation {
        let mut rankings = self
            .query_indices
            .iter()
            .filter_map(|&query| run.ranking(query));
        let tied = rankings.any(Ranking::is_tied);
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
                if self.request.missing == MissingQueryPolicy::Skip {
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
                found.add(place, measure.as_ref(), judged, scored);
                // What is unjudged is asked of the ranking as the system returned it.
                found.count_unjudged(returned, measure.depth(judged, returned));
            }
            if self.request.counts {
                counts[place] = Some(TrecEvalCounts::from_ranking(judged, scored));
            }
            if self.request.dynamic_recall && !judged.list().is_empty() {
                let curve = dynamic_recall(judged, scored, judged.list().len());
                recall.push((name.clone(), curve));
            }
        }
        let rankings = self
            .query_indices
            .iter()
            .filter_map(|&query| run.ranking(query));
        let depth = rankings.map(Ranking::len).max().unwrap_or(0);
        let run = self.summarize_run(&run.system, missing, found, recall);
        RunEvaluation {
            depth,
            counts: self.request.counts.then_some(counts),
            ..run
        }
    }

    fn summarize_run(
        &self,
        run: &str,
        missing: Vec<String>,
        mut found: Vec<MeasureScores>,
        recall: Vec<(String, Vec<f64>)>,
    ) -> RunEvaluation {
        let mut columns = |of: fn(&mut MeasureScores) -> Option<Vec<Option<f64>>>| {
            Some(PerQueryScores {
                queries: Arc::clone(&self.queries),
                measures: Arc::clone(&self.names),
                columns: found.iter_mut().map(of).collect::<Option<_>>()?,
            })
        };
        let per_query = columns(|found| Some(std::mem::take(&mut found.scores)));
        let per_query = per_query.expect("every measure has scores, be they undefined");
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
            interval: self.request.intervals.is_some().then(|| {
                self.by_measure(per_query.columns.iter().map(|scores| self.interval(scores)))
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

    fn by_measure<T>(&self, values: impl Iterator<Item = T>) -> OrderedMap<T> {
        self.names.iter().cloned().zip(values).collect()
    }

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

    /// A confidence interval of the mean over queries such as these, by resampling them.
    ///
    /// All runs and measures are resampled alike, and queries are arranged by name first, so that
    /// neither the order of runs and queries nor what else is measured changes an interval.
    fn interval(&self, scores: &[Option<f64>]) -> Option<MeanInterval> {
        let intervals = self.request.intervals?;
        let scores: Vec<f64> = self.by_name.iter().filter_map(|&q| scores[q]).collect();
        if scores.len() < 2 {
            return None;
        }
        let interval = bootstrap::mean_confidence_interval(
            &scores,
            intervals.method,
            intervals.confidence,
            intervals.resamples,
            &mut stream(self.request.seed, &[stream_id::MEAN_INTERVALS]),
        );
        let interval = interval.expect("scores are finite, and the request was checked");
        Some(MeanInterval {
            lower: interval.lower,
            upper: interval.upper,
            confidence: interval.confidence,
        })
    }

    /// The evaluation of all runs, which bear their names by now.
    pub fn finish(&self, mut runs: Vec<RunEvaluation>) -> Evaluation {
        let remarks = self.remarks(&runs);
        if !self.sort.is_empty() {
            let worth = |run: &RunEvaluation, &(measure, lower): &(usize, bool)| {
                let mean = run.mean.get(&self.names[measure]).copied().flatten();
                let mean = mean.map(|mean| if lower { -mean } else { mean });
                mean.unwrap_or(f64::NEG_INFINITY)
            };
            runs.sort_by(|a, b| {
                let orders = self.sort.iter();
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
            notes: remarks,
        }
    }

    fn remarks(&self, runs: &[RunEvaluation]) -> Vec<EvaluationNote> {
        let of = self.queries.len();
        let mut remarks = Vec::new();
        let judged = |place: &usize| self.truth.query_truth(self.query_indices[*place]);
        let nothing = (0..of).filter(|place| judged(place).ideal_gains().is_empty());
        let queries: Vec<String> = nothing.map(|place| self.queries[place].clone()).collect();
        if !queries.is_empty() {
            let no_relevant = self.request.no_relevant;
            remarks.push(EvaluationNote::QueriesWithoutRelevant {
                queries,
                total: of,
                no_relevant,
            });
        }
        if self.queries.iter().any(|query| query == "all") {
            remarks.push(EvaluationNote::ReservedQueryName);
        }
        if self.request.intervals.is_some() && of < 2 {
            remarks.push(EvaluationNote::TooFewQueriesToResample);
        }
        if let Some((None, outside)) = self.strata.last() {
            let queries = outside.iter().map(|&place| self.queries[place].clone());
            let queries = queries.collect();
            remarks.push(EvaluationNote::QueriesWithoutStratum { queries, total: of });
        }
        let lacking = runs
            .iter()
            .map(|run| (run.run.clone(), run.missing.clone()));
        remarks.extend(EvaluationNote::from_missing_queries(
            lacking,
            of,
            self.request.missing,
        ));
        remarks
    }
}

/// The measures that are asked for as they are printed, each once, or those of a scale.
fn names(asked: &[String], scale: TruthScale) -> Result<Arc<[String]>, EvaluationError> {
    let usual: &[&str] = match scale {
        TruthScale::Groups => &["ADR"],
        TruthScale::Grades => &["ADR", "nDCG@10", "AP", "RR"],
    };
    if asked.is_empty() {
        return Ok(usual.iter().map(|&name| name.to_owned()).collect());
    }
    let mut names = Vec::new();
    for name in asked {
        let name = measure::canonical_name(name)?;
        if !names.contains(&name) {
            names.push(name);
        }
    }
    Ok(names.into())
}

/// The strata that have any query, with the places of these.
fn strata(request: &EvaluationRequest, queries: &[String]) -> Vec<(Option<String>, Vec<usize>)> {
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

/// What runs are sorted by: a measure and, where the inverted list was measured too, that.
fn sort(sort: Option<&str>, names: &[String]) -> Result<Vec<(usize, bool)>, EvaluationError> {
    let Some(sort) = sort else {
        return Ok(Vec::new());
    };
    let position = |name: &str| {
        let name = measure::canonical_name(name).ok()?;
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

/// What one measure says of a run.
#[derive(Clone)]
struct MeasureScores {
    /// The score of each query; `None` where it was left out or undefined.
    scores: Vec<Option<f64>>,
    /// The lowest and highest over all orders within tied groups, if the run ties documents.
    lowest: Option<Vec<Option<f64>>>,
    highest: Option<Vec<Option<f64>>>,
    /// The queries for which the measure is undefined.
    undefined: Vec<usize>,
    /// The number of unjudged documents as deep as the measure looks, the sum of their shares, and the
    /// queries with any document there.
    unjudged: f64,
    unjudged_shares: f64,
    answered: usize,
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
            answered: 0,
        }
    }

    fn add(&mut self, query: usize, measure: &dyn Measure, judged: &QueryTruth, ranking: &Ranking) {
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

    fn count_unjudged(&mut self, ranking: &Ranking, depth: usize) {
        if depth > 0 {
            let unjudged = measure::unjudged::count(ranking, depth);
            self.unjudged += unjudged;
            self.unjudged_shares += unjudged / depth as f64;
            self.answered += 1;
        }
    }

    fn unjudged_share(&self) -> f64 {
        self.unjudged_shares / self.answered.max(1) as f64
    }
}

//! Scoring a run against a ground truth.

use std::sync::Arc;

use partita_stats::StatsError;
use partita_stats::bootstrap::{self, Interval};
use partita_stats::streams::stream;

use crate::judged::{GroundTruth, Judged};
use crate::measure::{self, Measure};
use crate::ranking::Ranking;
use crate::run::Run;

/// How a run is scored.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// What becomes of queries for which the run returned nothing.
    pub missing: MissingQueries,
    /// What becomes of queries for which nothing is relevant.
    pub no_relevant: NoRelevant,
    /// Whether documents that nobody judged are removed first (condensed lists).
    pub judged_only: bool,
}

/// What becomes of queries for which the run returned nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MissingQueries {
    /// They are scored as an empty result.
    #[default]
    Empty,
    /// They are left out of this run's means.
    Skip,
}

/// What becomes of queries for which nothing is relevant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NoRelevant {
    /// Each measure decides: most give 0, ADR is undefined.
    #[default]
    Score,
    /// They are left out of all means.
    Skip,
}

/// How queries are resampled for the interval of a mean.
#[derive(Clone, Copy, Debug)]
pub struct Resampling {
    /// How the ends of the interval are placed.
    pub method: bootstrap::Method,
    /// The share of such intervals that should hold the true mean.
    pub confidence: f64,
    /// The number of resamples.
    pub resamples: usize,
    /// The seed of the random stream.
    pub seed: u64,
}

/// The random stream of [`MeasureScores::interval`]: one of its own, whatever else is drawn.
const INTERVALS_OF_MEANS: u64 = 1;

/// The scores of one run by several measures.
#[derive(Clone, Debug)]
pub struct RunScores {
    /// The run.
    pub run: String,
    /// The queries for which it returned nothing.
    pub missing: Vec<usize>,
    /// What each measure says.
    pub by_measure: Vec<MeasureScores>,
}

/// The scores of one run by one measure.
#[derive(Clone, Debug)]
pub struct MeasureScores {
    /// The score of each query of the ground truth; `None` where it was left out or undefined.
    pub scores: Vec<Option<f64>>,
    /// The lowest and highest score over all orders within tied groups, if the run ties documents.
    pub extremes: Option<Vec<Option<(f64, f64)>>>,
    /// The queries for which the measure is undefined.
    pub undefined: Vec<usize>,
    /// The mean share of unjudged documents as deep as the measure looks, over the queries with
    /// any document there.
    pub unjudged_share: f64,
    /// The number of those documents in all queries.
    pub unjudged_documents: f64,
    /// The queries in the order of their names, in which scores are added up and drawn: the order of
    /// a file changes nothing.
    by_name: Arc<[usize]>,
}

impl MeasureScores {
    /// The mean over the queries that have a score; `None` where none has.
    pub fn mean(&self) -> Option<f64> {
        mean(self.by_name.iter().map(|&query| self.scores[query]))
    }

    /// A confidence interval of the mean over queries such as these, by resampling them.
    ///
    /// `None` where fewer than two queries have a score. All runs and measures are resampled
    /// alike, and queries are arranged by name first, so that neither the order of runs and queries
    /// nor what else is measured changes an interval.
    ///
    /// # Errors
    /// A confidence outside (0, 1), or no resamples.
    pub fn interval(&self, resampling: &Resampling) -> Result<Option<Interval>, StatsError> {
        let scores = self.by_name.iter().filter_map(|&query| self.scores[query]);
        let scores: Vec<f64> = scores.collect();
        if scores.len() < 2 {
            return Ok(None);
        }
        let mut rng = stream(resampling.seed, &[INTERVALS_OF_MEANS]);
        bootstrap::mean_interval(
            &scores,
            resampling.method,
            resampling.confidence,
            resampling.resamples,
            &mut rng,
        )
        .map(Some)
    }

    /// The means of the lowest and of the highest scores, if the run ties documents.
    pub fn extreme_means(&self) -> Option<(f64, f64)> {
        let extremes = self.extremes.as_ref()?;
        let by_name = || self.by_name.iter().map(|&query| extremes[query]);
        let low = mean(by_name().map(|extremes| Some(extremes?.0)))?;
        let high = mean(by_name().map(|extremes| Some(extremes?.1)))?;
        Some((low, high))
    }
}

/// The mean of the numbers that are there; `None` where none is.
pub fn mean(numbers: impl IntoIterator<Item = Option<f64>>) -> Option<f64> {
    let (mut sum, mut count) = (0.0, 0usize);
    for number in numbers.into_iter().flatten() {
        sum += number;
        count += 1;
    }
    (count > 0).then(|| sum / count as f64)
}

/// Scores a run by each of the measures.
///
/// ```
/// use partita_core::evaluation::{Options, evaluate};
/// use partita_core::{GroundTruth, Judged, Ranking, Run, Scale, measure};
///
/// let query = Judged::of_groups([["1", "2"].as_slice(), &["3", "4", "5"]])?;
/// let truth = GroundTruth::new(Scale::Groups, vec![("q1".to_owned(), query)]).unwrap();
/// let mut run = Run::new("mine", &truth);
/// let documents = ["2", "3", "1", "5", "7", "8", "9", "4"];
/// run.set(0, Ranking::of(truth.judged(0).names(), documents));
/// let adr = measure::parse("ADR", truth.highest_gain())?;
/// let scores = evaluate(&truth, &run, &[adr], Options::default());
/// assert_eq!(scores.by_measure[0].mean(), Some(0.86));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn evaluate(
    truth: &GroundTruth,
    run: &Run,
    measures: &[Box<dyn Measure>],
    options: Options,
) -> RunScores {
    let empty = Ranking::default();
    let names: Vec<&str> = truth.iter().map(|(name, _)| name).collect();
    let mut by_name: Vec<usize> = (0..names.len()).collect();
    by_name.sort_by_key(|&query| names[query]);
    let none = MeasureScores::none(by_name.into(), run.is_tied());
    let mut by_measure = vec![none; measures.len()];
    let mut answered = vec![0usize; measures.len()];
    for (query, (_, judged)) in truth.iter().enumerate() {
        let ranking = match run.ranking(query) {
            Some(ranking) => ranking,
            None if options.missing == MissingQueries::Skip => continue,
            None => &empty,
        };
        if options.no_relevant == NoRelevant::Skip && judged.ideal().is_empty() {
            continue;
        }
        let condensed = options.judged_only.then(|| ranking.condensed());
        let scored = condensed.as_ref().unwrap_or(ranking);
        for ((measure, scores), answered) in measures.iter().zip(&mut by_measure).zip(&mut answered)
        {
            scores.add(query, measure.as_ref(), judged, scored);
            // What is unjudged is asked of the ranking as the system returned it.
            let depth = measure.depth(judged, ranking);
            if depth > 0 {
                let unjudged = measure::unjudged::count(ranking, depth);
                scores.unjudged_documents += unjudged;
                scores.unjudged_share += unjudged / depth as f64;
                *answered += 1;
            }
        }
    }
    for (scores, count) in by_measure.iter_mut().zip(answered) {
        scores.unjudged_share /= count.max(1) as f64;
    }
    RunScores {
        run: run.name().to_owned(),
        missing: run.missing().collect(),
        by_measure,
    }
}

impl MeasureScores {
    fn none(by_name: Arc<[usize]>, tied: bool) -> Self {
        let queries = by_name.len();
        Self {
            by_name,
            scores: vec![None; queries],
            extremes: tied.then(|| vec![None; queries]),
            undefined: Vec::new(),
            unjudged_share: 0.0,
            unjudged_documents: 0.0,
        }
    }

    fn add(&mut self, query: usize, measure: &dyn Measure, judged: &Judged, ranking: &Ranking) {
        let score = match &mut self.extremes {
            None => measure.score(judged, ranking),
            Some(extremes) => {
                let range = measure::range(measure, judged, ranking);
                extremes[query] = range.map(|range| (range.min, range.max));
                range.map(|range| range.mean)
            }
        };
        self.scores[query] = score;
        if score.is_none() {
            self.undefined.push(query);
        }
    }
}

//! A study of reliability by several measures and tests: what is asked, and how it is answered.

use super::outcome_shares::{OutcomeShares, stable_with_all};
use super::result::{
    DiscriminativePower, FullSizeResult, HalfSizeResult, PowerAndStability, PowerAtLevel,
    ReliabilityStudy, SizeResult, SmallerQuerySet, StudyMeasure, TestConfiguration,
};
use super::{QuerySetSizes, ResamplingStudy, ResamplingStudyError, Tally, TestSpec};
use crate::work::{Work, WorkError};
use crate::{ScoreMatrix, Strata};

/// What is asked of a study.
#[derive(Clone, Debug)]
pub struct ReliabilityRequest {
    /// The tests.
    pub tests: Vec<TestSpec>,
    /// The sizes of query sets; 5, 10, 15, ... and all queries if not given.
    pub sizes: Option<QuerySetSizes>,
    /// How many query sets of each size are drawn.
    pub trials: u64,
    /// How many significant pairs of the whole query set a smaller one may miss, on average, to be
    /// named as enough.
    pub allowed_misses: f64,
    /// The seed of all that is drawn.
    pub seed: u64,
}

impl Default for ReliabilityRequest {
    /// 500 query sets of each size, the Friedman test with Tukey's comparisons at 0.05 and the Wilcoxon
    /// test at 0.01.
    fn default() -> Self {
        let test = |test: &str| test.parse().expect("there is such a test");
        Self {
            tests: ["friedman-tukey:0.05", "wilcoxon:0.01"].map(test).to_vec(),
            sizes: None,
            trials: 500,
            allowed_misses: 2.0,
            seed: 1,
        }
    }
}

/// The scores by one measure, and the strata that queries are drawn by, if any.
#[derive(Clone, Debug)]
pub struct StratifiedScores {
    /// The scores.
    pub scores: ScoreMatrix,
    /// The strata of the queries.
    pub strata: Option<Strata>,
}

impl From<ScoreMatrix> for StratifiedScores {
    /// Queries are drawn alike.
    fn from(scores: ScoreMatrix) -> Self {
        Self {
            scores,
            strata: None,
        }
    }
}

/// Why there is no study.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[allow(missing_docs, reason = "a message names its fields")]
pub enum ReliabilityError {
    /// There is nothing to study.
    #[error(transparent)]
    Study(#[from] ResamplingStudyError),
    /// No query set is drawn.
    #[error("at least 1 query set of each size must be drawn")]
    NoTrials,
    /// Something else than a number of pairs may be missed.
    #[error("what may be missed must be a number of pairs, not {0}")]
    InvalidMiss(f64),
    /// A test is named twice.
    #[error("the test {0} is named twice")]
    DuplicateTest(String),
    /// A query set would be larger than all queries.
    #[error("a set of {size} queries was asked for, but {measure} has scores for {queries}")]
    TooLarge {
        measure: String,
        size: usize,
        queries: usize,
    },
    /// The work was not finished.
    #[error(transparent)]
    Work(#[from] WorkError),
}

/// The levels at which the share of significant pairs is told.
const LEVELS: [f64; 7] = [0.001, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2];

/// Studies how often other queries would lead to the same conclusions.
pub fn study(
    request: &ReliabilityRequest,
    evidence: &[StratifiedScores],
    work: &dyn Work,
) -> Result<ReliabilityStudy, ReliabilityError> {
    check(request)?;
    let mut prepared = Vec::new();
    for evidence in evidence {
        prepared.push(MeasureJob::new(request, evidence)?);
    }
    let units: Vec<(&MeasureJob<'_>, usize)> = prepared
        .iter()
        .flat_map(|one| one.sizes.iter().map(move |&size| (one, size)))
        .collect();
    let batches = |&(one, size): &(&MeasureJob<'_>, usize)| one.study.batches(size, request.trials);
    let steps = units.iter().map(|unit| batches(unit).len()).sum();
    work.begin_stage("drawing queries", steps);
    let found = work.map_without_progress(units.len(), |number| {
        let (one, size) = units[number];
        let batches = batches(&units[number]);
        let tallies = work.map_without_progress(batches.len(), |batch| {
            let tallies = one.study.run(size, batches[batch].clone());
            work.advance(1);
            tallies
        })?;
        let none = vec![Tally::default(); request.tests.len()];
        Ok(tallies.iter().fold(none, add_counts))
    })?;
    let mut found = found
        .into_iter()
        .collect::<Result<Vec<_>, WorkError>>()?
        .into_iter();
    let mut result = ReliabilityStudy {
        seed: request.seed,
        trials: request.trials,
        miss: request.allowed_misses,
        measures: Vec::new(),
        cells: Vec::new(),
        table_1: Vec::new(),
        smaller: Vec::new(),
        discriminative: Vec::new(),
    };
    for one in &prepared {
        result.measures.push(one.measure());
        let of_sizes: Vec<Vec<Tally>> = found.by_ref().take(one.sizes.len()).collect();
        for (number, test) in request.tests.iter().enumerate() {
            let tallies = of_sizes.iter().map(|tallies| &tallies[number]);
            one.summarize_test(request, number, test, tallies, &mut result);
        }
    }
    Ok(result)
}

fn check(request: &ReliabilityRequest) -> Result<(), ReliabilityError> {
    if request.trials == 0 {
        return Err(ReliabilityError::NoTrials);
    }
    if request.allowed_misses.is_nan() || request.allowed_misses < 0.0 {
        return Err(ReliabilityError::InvalidMiss(request.allowed_misses));
    }
    let mut seen: Vec<String> = Vec::new();
    for test in &request.tests {
        let name = test.to_string();
        if seen.contains(&name) {
            return Err(ReliabilityError::DuplicateTest(name));
        }
        seen.push(name);
    }
    Ok(())
}

fn add_counts(mut sum: Vec<Tally>, more: &Vec<Tally>) -> Vec<Tally> {
    for (sum, more) in sum.iter_mut().zip(more) {
        sum.add(more);
    }
    sum
}

/// A measure, ready to be studied.
struct MeasureJob<'a> {
    scores: &'a ScoreMatrix,
    strata: Option<&'a Strata>,
    study: ResamplingStudy,
    sizes: Vec<usize>,
}

impl<'a> MeasureJob<'a> {
    fn new(
        request: &ReliabilityRequest,
        evidence: &'a StratifiedScores,
    ) -> Result<Self, ReliabilityError> {
        let (scores, strata) = (&evidence.scores, evidence.strata.as_ref());
        let queries = scores.queries().len();
        let sizes = match &request.sizes {
            None => QuerySetSizes::up_to(queries),
            Some(sizes) => sizes.clone(),
        };
        let sizes = sizes.as_slice().to_vec();
        if let Some(&size) = sizes.iter().find(|size| **size > queries) {
            let measure = scores.measure().to_owned();
            return Err(ReliabilityError::TooLarge {
                measure,
                size,
                queries,
            });
        }
        let single = Strata::one_stratum(queries);
        let drawn_by = strata.unwrap_or(&single);
        Ok(Self {
            study: ResamplingStudy::new(scores, drawn_by, &request.tests, request.seed)?,
            scores,
            strata,
            sizes,
        })
    }

    fn measure(&self) -> StudyMeasure {
        StudyMeasure {
            measure: self.scores.measure().to_owned(),
            systems: self.scores.systems().len(),
            queries: self.scores.queries().len(),
            pairs: self.study.pairs().len(),
            stratified: self.strata.is_some(),
            strata: self.strata.map(|strata| {
                let names = strata.names().iter().enumerate();
                let size = |number: usize| strata.queries(number).len();
                names.map(|(n, name)| (name.clone(), size(n))).collect()
            }),
        }
    }

    /// What one test found.
    fn summarize_test<'t>(
        &self,
        request: &ReliabilityRequest,
        number: usize,
        test: &TestSpec,
        tallies: impl Iterator<Item = &'t Tally>,
        result: &mut ReliabilityStudy,
    ) {
        let study = &self.study;
        let (queries, pairs) = (study.queries(), study.pairs().len());
        let tested = TestConfiguration::new(self.scores.measure(), test);
        let cells: Vec<SizeResult> = (self.sizes.iter().zip(tallies))
            .map(|(&size, tally)| {
                let shares = OutcomeShares::new(tally, pairs, study.has_second_sample(size));
                let (best, _) = study.sample_queries(size, shares.best_trial);
                let names = best
                    .iter()
                    .map(|&query| self.scores.queries()[query].clone());
                SizeResult {
                    test: tested.clone(),
                    size,
                    best_queries: names.collect(),
                    shares,
                }
            })
            .collect();
        let significant = study.significant_on_all(number);
        let power = significant as f64 / pairs as f64;
        let half = cells.iter().rev().find_map(|cell| {
            let stability = cell.shares.stability.as_ref()?;
            Some(HalfSizeResult {
                size: cell.size,
                power: cell.shares.power,
                conflicts: stability.conflicts,
                stable: stability.stable,
            })
        });
        result.table_1.push(PowerAndStability {
            test: tested.clone(),
            all: FullSizeResult {
                size: queries,
                power,
                stable: half.map(|half| stable_with_all(power, half.conflicts)),
            },
            half,
            possible_from: test.fewest_queries(self.scores.systems().len(), queries),
        });
        // From the largest down, so that a size counts only if all larger ones do as well.
        let enough = cells.iter().rev();
        let enough = enough.take_while(|cell| cell.shares.missed.mean <= request.allowed_misses);
        let enough = enough.last();
        result.smaller.push(SmallerQuerySet {
            test: tested.clone(),
            queries,
            significant,
            may_miss: request.allowed_misses,
            size: enough.map(|cell| cell.size),
            missed: enough.map(|cell| cell.shares.missed.mean),
        });
        let evidence = study.full_set_p_values(number).into_iter();
        let mut p_values: Vec<f64> = evidence.map(|evidence| evidence.p).collect();
        p_values.sort_by(f64::total_cmp);
        let mut discriminative = DiscriminativePower {
            test: tested,
            shares: Vec::new(),
            p_values,
        };
        discriminative.shares = LEVELS
            .map(|alpha| PowerAtLevel {
                alpha,
                share: discriminative.share_at(alpha),
            })
            .to_vec();
        result.discriminative.push(discriminative);
        result.cells.extend(cells);
    }
}

//! Reliability study of several measures and tests: the request and its execution.

use serde::Deserialize;

use super::outcome_shares::{OutcomeShares, stable_with_all};
use super::result::{
    DiscriminativePower, FullSizeResult, HalfSizeResult, PowerAndStability, ReliabilityStudy,
    SizeResult, SmallerQuerySet, StudyMeasure, TestConfiguration,
};
use super::{
    QuerySetSizes, ResamplingStudy, ResamplingStudyError, TestSpec, TestSpecError, TrialCounts,
};
use crate::comparison::ComparisonPreset;
use crate::data::score_matrix::first_duplicate;
use crate::truth::Tails;
use crate::work::{Work, WorkError};
use crate::{ScoreMatrix, Strata};

/// Request for a [`ReliabilityStudy`]: the options of `partita reliability`. Its fields are read from
/// JSON by the names of the options.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ReliabilityRequest {
    /// Significance tests to study, each written `NAME`, `NAME:LEVEL` or `NAME:LEVEL:CORRECTION`. If
    /// empty, they are those of the procedure `like`; without one, the Friedman test with Tukey's
    /// comparisons at 0.05 and the Wilcoxon test at 0.01.
    #[serde(rename = "test")]
    pub tests: Vec<String>,
    /// Significance level of the tests that name none.
    pub alpha: Option<f64>,
    /// Number of tails of the tests that have tails; `None` for two.
    pub tails: Option<Tails>,
    /// Published procedure whose tests are used; it excludes `tests`, `alpha` and `tails`.
    pub like: Option<ComparisonPreset>,
    /// Sizes of query sets; by default 5, 10, 15, ... and all queries.
    pub sizes: Option<QuerySetSizes>,
    /// Number of random query sets per size; the set of all queries is used once.
    pub trials: u64,
    /// Tolerance for smaller query sets: a size is sufficient if its sets, and those of all larger
    /// sizes, miss, on average, at most this many of the pairs that are significant on all queries.
    #[serde(rename = "miss")]
    pub allowed_misses: f64,
    /// Seed of the random streams.
    pub seed: u64,
}

impl Default for ReliabilityRequest {
    /// Returns 500 query sets per size.
    fn default() -> Self {
        Self {
            tests: Vec::new(),
            alpha: None,
            tails: None,
            like: None,
            sizes: None,
            trials: 500,
            allowed_misses: 2.0,
            seed: 1,
        }
    }
}

/// Tests that are studied if the request names none.
const DEFAULT_TESTS: [&str; 2] = ["friedman-tukey:0.05", "wilcoxon:0.01"];

impl ReliabilityRequest {
    /// Returns the significance tests with their levels and tails.
    ///
    /// # Errors
    /// Returns [`ReliabilityError`] for a test that cannot be studied, for one tail if no test has
    /// tails, and for a procedure with options that it sets itself.
    pub fn test_specs(&self) -> Result<Vec<TestSpec>, ReliabilityError> {
        if let Some(procedure) = self.like {
            let is_alone = self.tests.is_empty() && self.alpha.is_none() && self.tails.is_none();
            return match is_alone {
                true => Ok(TestSpec::from_preset(procedure)),
                false => Err(ReliabilityError::TestsOfProcedure(procedure)),
            };
        }
        let parse = |name: &str| TestSpec::parse_at_level(name, self.alpha);
        let tests = match (&self.tests[..], self.alpha) {
            ([], None) => DEFAULT_TESTS.map(parse).into_iter().collect(),
            // The given level replaces those of the default tests.
            ([], Some(_)) => {
                let names = DEFAULT_TESTS
                    .iter()
                    .filter_map(|test| test.split(':').next());
                names.map(parse).collect()
            }
            (names, _) => names
                .iter()
                .map(|name| parse(name))
                .collect::<Result<_, _>>(),
        };
        let tests: Vec<TestSpec> = tests?;
        let Some(tails) = self.tails else {
            return Ok(tests);
        };
        if tails == Tails::One && !tests.iter().any(TestSpec::has_tails) {
            let names = tests.iter().map(TestSpec::name).collect();
            return Err(ReliabilityError::NoTails(names));
        }
        let tests = tests.into_iter().map(|test| test.with_tails(tails));
        Ok(tests.collect::<Result<_, _>>()?)
    }
}

/// Scores of one measure, with the strata from which queries are sampled, if any.
#[derive(Clone, Debug)]
pub struct StratifiedScores {
    /// Scores of the systems on the queries.
    pub scores: ScoreMatrix,
    /// Strata of the queries; `None` to sample all queries with equal probability.
    pub strata: Option<Strata>,
}

impl From<ScoreMatrix> for StratifiedScores {
    /// Creates scores without strata: all queries are sampled with equal probability.
    fn from(scores: ScoreMatrix) -> Self {
        Self {
            scores,
            strata: None,
        }
    }
}

/// Error of [`study`].
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[expect(missing_docs, reason = "a message names its fields")]
pub enum ReliabilityError {
    /// The scores of a measure cannot be studied, for example because there is only one system.
    #[error(transparent)]
    Study(#[from] ResamplingStudyError),
    /// A text does not specify a significance test that can be studied.
    #[error(transparent)]
    Test(#[from] TestSpecError),
    /// One tail is requested, but none of these tests has tails.
    #[error("one tail has no effect with {}", .0.join(", "))]
    NoTails(Vec<&'static str>),
    /// A procedure is requested together with tests, a level or tails.
    #[error("{0} sets the tests, their level and their tails itself")]
    TestsOfProcedure(ComparisonPreset),
    /// The number of trials is 0.
    #[error("at least 1 query set of each size must be drawn")]
    NoTrials,
    /// The allowed number of missed pairs is negative or NaN.
    #[error("what may be missed must be a number of pairs, not {0}")]
    InvalidAllowedMisses(f64),
    /// A significance test is given twice.
    #[error("the test {0} is named twice")]
    DuplicateTest(String),
    /// A query set size exceeds the number of queries.
    #[error("a set of {size} queries was asked for, but {measure} has scores for {queries}")]
    TooLarge {
        measure: String,
        size: usize,
        queries: usize,
    },
    /// The work was cancelled.
    #[error(transparent)]
    Work(#[from] WorkError),
}

/// Studies how often other query sets lead to the same conclusions about which systems differ.
///
/// # Errors
/// Returns [`ReliabilityError`] for an invalid request, scores that cannot be studied, or cancelled
/// work.
pub fn study(
    request: &ReliabilityRequest,
    evidence: &[StratifiedScores],
    work: &dyn Work,
) -> Result<ReliabilityStudy, ReliabilityError> {
    let tests = request.test_specs()?;
    check_request(request, &tests)?;
    let jobs = (evidence.iter())
        .map(|scores| MeasureStudy::new(request, &tests, scores))
        .collect::<Result<Vec<_>, _>>()?;
    let units: Vec<(&MeasureStudy<'_>, usize)> = (jobs.iter())
        .flat_map(|job| job.sizes.iter().map(move |&size| (job, size)))
        .collect();
    let batches =
        |&(job, size): &(&MeasureStudy<'_>, usize)| job.study.batches(size, request.trials);
    let steps = units.iter().map(|unit| batches(unit).len()).sum();
    work.begin_stage("drawing queries", steps);
    let counts = work.map_without_progress(units.len(), |number| {
        let (job, size) = units[number];
        let batches = batches(&units[number]);
        let by_batch = work.map_without_progress(batches.len(), |batch| {
            let counts = job.study.run(size, batches[batch].clone());
            work.advance(1);
            counts
        })?;
        let mut totals = vec![TrialCounts::default(); tests.len()];
        for counts in &by_batch {
            for (total, counts) in totals.iter_mut().zip(counts) {
                total.add(counts);
            }
        }
        Ok(totals)
    })?;
    let mut counts = (counts.into_iter())
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
    for job in &jobs {
        result.measures.push(job.measure());
        let by_size: Vec<Vec<TrialCounts>> = counts.by_ref().take(job.sizes.len()).collect();
        for (number, test) in tests.iter().enumerate() {
            let counts = by_size.iter().map(|counts| &counts[number]);
            job.summarize_test(request, number, test, counts, &mut result);
        }
    }
    Ok(result)
}

/// Checks the number of trials, the allowed number of missed pairs, and that no test occurs twice.
fn check_request(request: &ReliabilityRequest, tests: &[TestSpec]) -> Result<(), ReliabilityError> {
    if request.trials == 0 {
        return Err(ReliabilityError::NoTrials);
    }
    if request.allowed_misses.is_nan() || request.allowed_misses < 0.0 {
        return Err(ReliabilityError::InvalidAllowedMisses(
            request.allowed_misses,
        ));
    }
    let names: Vec<String> = tests.iter().map(ToString::to_string).collect();
    match first_duplicate(&names) {
        Some(name) => Err(ReliabilityError::DuplicateTest(name)),
        None => Ok(()),
    }
}

/// Resampling study of one measure, with the sizes of the query sets to draw.
struct MeasureStudy<'a> {
    scores: &'a ScoreMatrix,
    strata: Option<&'a Strata>,
    study: ResamplingStudy,
    sizes: Vec<usize>,
}

impl<'a> MeasureStudy<'a> {
    fn new(
        request: &ReliabilityRequest,
        tests: &[TestSpec],
        evidence: &'a StratifiedScores,
    ) -> Result<Self, ReliabilityError> {
        let (scores, strata) = (&evidence.scores, evidence.strata.as_ref());
        let queries = scores.queries().len();
        let sizes = (request.sizes.clone()).unwrap_or_else(|| QuerySetSizes::up_to(queries));
        let sizes = sizes.as_slice().to_vec();
        if let Some(&size) = sizes.iter().find(|size| **size > queries) {
            return Err(ReliabilityError::TooLarge {
                measure: scores.measure().to_owned(),
                size,
                queries,
            });
        }
        let one_stratum = Strata::one_stratum(queries);
        let strata_or_one = strata.unwrap_or(&one_stratum);
        Ok(Self {
            study: ResamplingStudy::new(scores, strata_or_one, tests, request.seed)?,
            scores,
            strata,
            sizes,
        })
    }

    /// Describes the measure: numbers of systems, queries and pairs, and the strata.
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

    /// Converts the outcome counts of one test to results and appends them to `result`. `number` is
    /// the index of the test in the request; `counts` are ordered by query set size.
    fn summarize_test<'t>(
        &self,
        request: &ReliabilityRequest,
        number: usize,
        test: &TestSpec,
        counts: impl Iterator<Item = &'t TrialCounts>,
        result: &mut ReliabilityStudy,
    ) {
        let study = &self.study;
        let (queries, pairs) = (study.queries(), study.pairs().len());
        let configuration = TestConfiguration::new(self.scores.measure(), test);
        let cells: Vec<SizeResult> = (self.sizes.iter().zip(counts))
            .map(|(&size, counts)| {
                let shares = OutcomeShares::new(counts, pairs, study.has_second_sample(size));
                let (best, _) = study.sample_queries(size, shares.best_trial);
                let names = best
                    .iter()
                    .map(|&query| self.scores.queries()[query].clone());
                SizeResult {
                    test: configuration.clone(),
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
            test: configuration.clone(),
            all: FullSizeResult {
                size: queries,
                power,
                stable: half.map(|half| stable_with_all(power, half.conflicts)),
            },
            half,
            possible_from: test.fewest_queries(self.scores.systems().len(), queries),
        });
        // From the largest size down: a size suffices only if all larger sizes do.
        let smallest = (cells.iter().rev())
            .take_while(|cell| cell.shares.missed.mean <= request.allowed_misses)
            .last();
        result.smaller.push(SmallerQuerySet {
            test: configuration.clone(),
            queries,
            significant,
            may_miss: request.allowed_misses,
            size: smallest.map(|cell| cell.size),
            missed: smallest.map(|cell| cell.shares.missed.mean),
        });
        let p_values = study.full_set_p_values(number);
        let p_values = p_values.into_iter().map(|pair| pair.p).collect();
        let discriminative = DiscriminativePower::new(configuration, p_values);
        result.discriminative.push(discriminative);
        result.cells.extend(cells);
    }
}

//! Resampling study of one measure: repeated significance tests on random query samples.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use super::query_sampler::QuerySampler;
use super::trial_counts::{SampleVerdicts, TrialCounts, count_trials};
use crate::significance::batch::fixed_point_scores::FixedPointScores;
use crate::significance::batch::sample_batch::{LANES, SampleBatch};
use crate::significance::batch::verdict::SystemPairVerdict;
use crate::significance::batch::{BatchVerdicts, PairTest, SystemPairPValue, pairs};
use crate::significance::test_spec::TestSpec;
use crate::{ScoreMatrix, Strata};

/// Resampling study of one measure: counts, per number of queries, how often tests find systems
/// different and how often a second sample confirms it.
///
/// A study runs size by size and batch by batch, in any order and on any number of threads. The
/// counts of batches are added up:
///
/// ```
/// use partita_core::reliability::{ResamplingStudy, TrialCounts};
/// use partita_core::{ScoreMatrix, Strata};
///
/// let values = (0..60).map(|i| f64::from(i * 7 % 11) + f64::from(i % 3) * 4.0).collect();
/// let queries: Vec<String> = (0..20).map(|query| format!("q{query}")).collect();
/// let scores = ScoreMatrix::new("AP", ["a", "b", "c"], queries, values)?;
/// let tests = ["friedman-tukey".parse()?, "wilcoxon:0.05".parse()?];
/// let study = ResamplingStudy::new(&scores, &Strata::one_stratum(20), &tests, 1)?;
/// let mut totals = vec![TrialCounts::default(); 2];
/// for trials in study.batches(10, 100) {
///     for (total, counts) in totals.iter_mut().zip(study.run(10, trials)) {
///         total.add(&counts);
///     }
/// }
/// assert_eq!(totals[0].trials, 100);
/// assert_eq!(totals[1].significant, totals[1].stable + totals[1].conflicts());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Queries and strata are sorted by name before sampling, so the order of a file does not matter.
pub struct ResamplingStudy {
    pairs: Vec<(usize, usize)>,
    /// Indices of the queries in the given scores, sorted by query name.
    name_order: Vec<usize>,
    sampler: QuerySampler,
    tests: Vec<Box<dyn PairTest>>,
    fixed_point_scores: FixedPointScores,
    /// For each test, the verdict on each pair of systems with all queries: 2 or -2 if significant,
    /// else 1, 0 or -1; positive if the first system is ahead.
    full_set_verdicts: Vec<Vec<i16>>,
    /// Buffers that are reused from one batch of trials to the next.
    workspaces: Mutex<Vec<Workspace>>,
}

/// Buffers for the test results of the first and second samples of a batch of trials. They take
/// megabytes if there are many systems.
struct Workspace {
    verdicts: [BatchVerdicts; 2],
    /// Signs of the differences of mean scores, one row per pair of systems and one column per
    /// trial of the batch.
    leads: [Vec<[i16; LANES]>; 2],
}

impl Workspace {
    fn new(pairs: usize) -> Self {
        Self {
            verdicts: [BatchVerdicts::new(pairs), BatchVerdicts::new(pairs)],
            leads: [vec![[0; LANES]; pairs], vec![[0; LANES]; pairs]],
        }
    }
}

/// Error of scores that cannot be used in a resampling study.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[expect(missing_docs, reason = "a message names its fields")]
pub enum ResamplingStudyError {
    /// There is only one system.
    #[error("{measure}: there is one system, `{system}`, and it takes two to compare")]
    OneSystem { measure: String, system: String },
    /// There are too few queries for two samples without a common query.
    #[error(
        "{measure}: too few queries ({queries}): two samples without a common query take at least 4"
    )]
    TooFewQueries { measure: String, queries: usize },
    /// All systems have the same score on every query.
    #[error(
        "{0}: all systems have the same score on every query, so there is nothing to tell apart"
    )]
    Constant(String),
    /// The strata contain a different number of queries than the scores.
    #[error("{measure}: there are {queries} queries, but the strata are those of {strata}")]
    Strata {
        measure: String,
        queries: usize,
        strata: usize,
    },
}

impl ResamplingStudy {
    /// Prepares the resampling study of these scores with these significance tests.
    pub fn new(
        scores: &ScoreMatrix,
        strata: &Strata,
        tests: &[TestSpec],
        seed: u64,
    ) -> Result<Self, ResamplingStudyError> {
        let measure = || scores.measure().to_owned();
        let (systems, queries) = (scores.systems().len(), scores.queries().len());
        if let [system] = scores.systems() {
            return Err(ResamplingStudyError::OneSystem {
                measure: measure(),
                system: system.clone(),
            });
        }
        if queries < 4 {
            return Err(ResamplingStudyError::TooFewQueries {
                measure: measure(),
                queries,
            });
        }
        let is_constant = |row: &[f64]| row.iter().all(|score| *score == row[0]);
        if scores.rows().all(is_constant) {
            return Err(ResamplingStudyError::Constant(measure()));
        }
        if strata.query_count() != queries {
            return Err(ResamplingStudyError::Strata {
                measure: measure(),
                queries,
                strata: strata.query_count(),
            });
        }
        let name_order = scores.query_order_by_name();
        let sampler = QuerySampler::new(&strata.for_reordered_queries(&name_order), seed);
        let in_order: Vec<usize> = (0..systems).collect();
        let scores = &scores.reordered(&name_order, &in_order);
        let tests: Vec<Box<dyn PairTest>> = tests
            .iter()
            .map(|test| test.prepare(scores, seed))
            .collect();
        let pairs: Vec<(usize, usize)> = pairs(systems).collect();
        let full_set = SampleBatch::full_set(queries);
        let mut verdicts = BatchVerdicts::new(pairs.len());
        let full_set_verdicts = tests.iter().map(|test| {
            test.decide(&full_set, &mut verdicts);
            verdicts.codes().iter().map(|lanes| lanes[0]).collect()
        });
        Ok(Self {
            full_set_verdicts: full_set_verdicts.collect(),
            pairs,
            name_order,
            sampler,
            tests,
            fixed_point_scores: FixedPointScores::new(scores),
            workspaces: Mutex::default(),
        })
    }

    /// Returns the number of queries.
    pub fn queries(&self) -> usize {
        self.sampler.queries()
    }

    /// Returns the pairs of systems, in the order in which verdicts and p-values are returned.
    pub fn pairs(&self) -> &[(usize, usize)] {
        &self.pairs
    }

    /// Returns true if trials with samples of this size have a second sample, because enough
    /// queries remain outside the first.
    pub fn has_second_sample(&self, size: usize) -> bool {
        self.sampler.has_second_sample(size)
    }

    /// Returns the queries of a trial as ascending indices into the scores, and those of its second
    /// sample if enough queries remain.
    pub fn sample_queries(&self, size: usize, trial: u64) -> (Vec<usize>, Option<Vec<usize>>) {
        let indices = |sample: Vec<usize>| {
            let indices = sample.into_iter().map(|query| self.name_order[query]);
            let mut indices: Vec<usize> = indices.collect();
            indices.sort_unstable();
            indices
        };
        let (first, second) = self.sampler.sample(size, trial);
        (indices(first), second.map(indices))
    }

    /// Splits the trials of a sample size into the batches that [`ResamplingStudy::run`] takes.
    /// There is only one trial if a sample takes all queries, because there is only one such
    /// sample.
    pub fn batches(&self, size: usize, trials: u64) -> Vec<Range<u64>> {
        let trials = if size < self.queries() { trials } else { 1 };
        let starts = (0..trials).step_by(LANES);
        starts
            .map(|start| start..trials.min(start + LANES as u64))
            .collect()
    }

    /// Runs every test on a batch of trials and returns the counts of each test. `trials` is one of
    /// the [batches](ResamplingStudy::batches).
    ///
    /// # Panics
    /// Panics if there are more trials than a batch holds, or if the size is 0 or above the number
    /// of queries.
    pub fn run(&self, size: usize, trials: Range<u64>) -> Vec<TrialCounts> {
        assert!(
            trials.end - trials.start <= LANES as u64,
            "a batch is too large"
        );
        assert!(
            (1..=self.queries()).contains(&size),
            "no sample has {size} queries"
        );
        let (first, second) = SampleBatch::draw(&self.sampler, size, trials.clone());
        // Workspaces are scratch memory, so a poisoned lock is harmless.
        let lock_pool = || (self.workspaces.lock()).unwrap_or_else(PoisonError::into_inner);
        let reused = lock_pool().pop();
        let mut workspace = reused.unwrap_or_else(|| Workspace::new(self.pairs.len()));
        let [verdicts, other_verdicts] = &mut workspace.verdicts;
        let [leads, other_leads] = &mut workspace.leads;
        self.fixed_point_scores.compare_means(&first, leads);
        if let Some(second) = &second {
            self.fixed_point_scores.compare_means(second, other_leads);
        }
        let mut run_test = |test: &dyn PairTest, full_set_verdicts: &[i16]| {
            test.decide(&first, verdicts);
            let first_verdicts = SampleVerdicts {
                verdicts: verdicts.codes(),
                leads,
            };
            let second_verdicts = second.as_ref().map(|second| {
                test.decide(second, other_verdicts);
                SampleVerdicts {
                    verdicts: other_verdicts.codes(),
                    leads: other_leads,
                }
            });
            count_trials(
                first.len(),
                trials.start,
                &first_verdicts,
                second_verdicts.as_ref(),
                full_set_verdicts,
            )
        };
        let counts = (self.tests.iter().zip(&self.full_set_verdicts))
            .map(|(test, full_set_verdicts)| run_test(test.as_ref(), full_set_verdicts))
            .collect();
        lock_pool().push(workspace);
        counts
    }

    /// Returns the number of pairs of systems that a test finds significantly different on all
    /// queries. `test` is the index of the test.
    pub fn significant_on_all(&self, test: usize) -> usize {
        let verdicts = self.full_set_verdicts[test].iter();
        verdicts
            .filter(|&&code| SystemPairVerdict::from_code(code).is_significant())
            .count()
    }

    /// Returns the p-values of a test on all queries, one per pair of systems. `test` is the index
    /// of the test.
    pub fn full_set_p_values(&self, test: usize) -> Vec<SystemPairPValue> {
        self.tests[test].p_values(&SampleBatch::full_set(self.queries()), 0)
    }
}

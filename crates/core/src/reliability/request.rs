//! A study of reliability by several measures and tests: what is asked, and how it is answered.

use super::result::{
    AtHalf, AtLevel, Cell, Discriminative, MeasureStudied, PowerAndStability, Reliability, Smaller,
    Tested, WithAll,
};
use super::shares::{Shares, stable_with_all};
use super::{Sizes, Study, StudyError, Tally, TestCall};
use crate::work::{Stopped, Work};
use crate::{Scores, Strata};

/// What is asked of a study.
#[derive(Clone, Debug)]
pub struct Request {
    /// The tests.
    pub tests: Vec<TestCall>,
    /// The sizes of query sets; 5, 10, 15, ... and all queries if not given.
    pub sizes: Option<Sizes>,
    /// How many query sets of each size are drawn.
    pub trials: u64,
    /// How many significant pairs of the whole query set a smaller one may miss, on average, to be
    /// named as enough.
    pub miss: f64,
    /// The seed of all that is drawn.
    pub seed: u64,
}

impl Default for Request {
    /// 500 query sets of each size, the Friedman test with Tukey's comparisons at 0.05 and the Wilcoxon
    /// test at 0.01.
    fn default() -> Self {
        let test = |test: &str| test.parse().expect("there is such a test");
        Self {
            tests: ["friedman-tukey:0.05", "wilcoxon:0.01"].map(test).to_vec(),
            sizes: None,
            trials: 500,
            miss: 2.0,
            seed: 1,
        }
    }
}

/// The scores by one measure, and the strata that queries are drawn by, if any.
#[derive(Clone, Debug)]
pub struct StudiedScores {
    /// The scores.
    pub scores: Scores,
    /// The strata of the queries.
    pub strata: Option<Strata>,
}

impl From<Scores> for StudiedScores {
    /// Queries are drawn alike.
    fn from(scores: Scores) -> Self {
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
    Study(#[from] StudyError),
    /// No query set is drawn.
    #[error("at least 1 query set of each size must be drawn")]
    NoTrials,
    /// Something else than a number of pairs may be missed.
    #[error("what may be missed must be a number of pairs, not {0}")]
    Miss(f64),
    /// A test is named twice.
    #[error("the test {0} is named twice")]
    TestTwice(String),
    /// A query set would be larger than all queries.
    #[error("a set of {size} queries was asked for, but {measure} has scores for {queries}")]
    TooLarge {
        measure: String,
        size: usize,
        queries: usize,
    },
    /// The work was not finished.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

/// The levels at which the share of significant pairs is told.
const LEVELS: [f64; 7] = [0.001, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2];

/// Studies how often other queries would lead to the same conclusions.
pub fn study(
    request: &Request,
    evidence: &[StudiedScores],
    work: &dyn Work,
) -> Result<Reliability, ReliabilityError> {
    check(request)?;
    let mut prepared = Vec::new();
    for evidence in evidence {
        prepared.push(Prepared::new(request, evidence)?);
    }
    let units: Vec<(&Prepared<'_>, usize)> = prepared
        .iter()
        .flat_map(|one| one.sizes.iter().map(move |&size| (one, size)))
        .collect();
    let batches = |&(one, size): &(&Prepared<'_>, usize)| one.study.batches(size, request.trials);
    let steps = units.iter().map(|unit| batches(unit).len()).sum();
    work.begin("drawing queries", steps);
    let found = work.map_quietly(units.len(), |number| {
        let (one, size) = units[number];
        let batches = batches(&units[number]);
        let tallies = work.map_quietly(batches.len(), |batch| {
            let tallies = one.study.run(size, batches[batch].clone());
            work.advance(1);
            tallies
        })?;
        let none = vec![Tally::default(); request.tests.len()];
        Ok(tallies.iter().fold(none, added))
    })?;
    let mut found = found
        .into_iter()
        .collect::<Result<Vec<_>, Stopped>>()?
        .into_iter();
    let mut result = Reliability {
        seed: request.seed,
        trials: request.trials,
        miss: request.miss,
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
            one.conclude(request, number, test, tallies, &mut result);
        }
    }
    Ok(result)
}

fn check(request: &Request) -> Result<(), ReliabilityError> {
    if request.trials == 0 {
        return Err(ReliabilityError::NoTrials);
    }
    if request.miss.is_nan() || request.miss < 0.0 {
        return Err(ReliabilityError::Miss(request.miss));
    }
    let mut seen: Vec<String> = Vec::new();
    for test in &request.tests {
        let name = test.to_string();
        if seen.contains(&name) {
            return Err(ReliabilityError::TestTwice(name));
        }
        seen.push(name);
    }
    Ok(())
}

fn added(mut sum: Vec<Tally>, more: &Vec<Tally>) -> Vec<Tally> {
    for (sum, more) in sum.iter_mut().zip(more) {
        sum.add(more);
    }
    sum
}

/// A measure, ready to be studied.
struct Prepared<'a> {
    scores: &'a Scores,
    strata: Option<&'a Strata>,
    study: Study,
    sizes: Vec<usize>,
}

impl<'a> Prepared<'a> {
    fn new(request: &Request, evidence: &'a StudiedScores) -> Result<Self, ReliabilityError> {
        let (scores, strata) = (&evidence.scores, evidence.strata.as_ref());
        let queries = scores.queries().len();
        let sizes = match &request.sizes {
            None => Sizes::up_to(queries),
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
        let single = Strata::single(queries);
        let drawn_by = strata.unwrap_or(&single);
        Ok(Self {
            study: Study::new(scores, drawn_by, &request.tests, request.seed)?,
            scores,
            strata,
            sizes,
        })
    }

    fn measure(&self) -> MeasureStudied {
        MeasureStudied {
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
    fn conclude<'t>(
        &self,
        request: &Request,
        number: usize,
        test: &TestCall,
        tallies: impl Iterator<Item = &'t Tally>,
        result: &mut Reliability,
    ) {
        let study = &self.study;
        let (queries, pairs) = (study.queries(), study.pairs().len());
        let tested = Tested::new(self.scores.measure(), test);
        let cells: Vec<Cell> = (self.sizes.iter().zip(tallies))
            .map(|(&size, tally)| {
                let shares = Shares::new(tally, pairs, study.has_second(size));
                let (best, _) = study.sample(size, shares.best_trial);
                let names = best
                    .iter()
                    .map(|&query| self.scores.queries()[query].clone());
                Cell {
                    tested: tested.clone(),
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
            Some(AtHalf {
                size: cell.size,
                power: cell.shares.power,
                conflicts: stability.conflicts,
                stable: stability.stable,
            })
        });
        result.table_1.push(PowerAndStability {
            tested: tested.clone(),
            all: WithAll {
                size: queries,
                power,
                stable: half.map(|half| stable_with_all(power, half.conflicts)),
            },
            half,
            possible_from: test.fewest_queries(self.scores.systems().len(), queries),
        });
        // From the largest down, so that a size counts only if all larger ones do as well.
        let enough = cells.iter().rev();
        let enough = enough.take_while(|cell| cell.shares.missed.mean <= request.miss);
        let enough = enough.last();
        result.smaller.push(Smaller {
            tested: tested.clone(),
            queries,
            significant,
            may_miss: request.miss,
            size: enough.map(|cell| cell.size),
            missed: enough.map(|cell| cell.shares.missed.mean),
        });
        let evidence = study.evidence(number).into_iter();
        let mut p_values: Vec<f64> = evidence.map(|evidence| evidence.p).collect();
        p_values.sort_by(f64::total_cmp);
        let mut discriminative = Discriminative {
            tested,
            shares: Vec::new(),
            p_values,
        };
        discriminative.shares = LEVELS
            .map(|alpha| AtLevel {
                alpha,
                share: discriminative.share_at(alpha),
            })
            .to_vec();
        result.discriminative.push(discriminative);
        result.cells.extend(cells);
    }
}

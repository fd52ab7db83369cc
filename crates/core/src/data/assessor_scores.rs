//! The scores of systems on queries by the judgments of each of several people.

use super::score_matrix::argsort_names;
use crate::{ScoreMatrix, ScoreMatrixError};

/// The scores of several systems on the same queries, computed with each of several judges'
/// judgments: a block without holes.
///
/// ```
/// use partita_core::JudgedScores;
///
/// let values = vec![0.25, 0.5, 0.75, 0.25];
/// let scores = JudgedScores::new("AP", ["bm25", "dfr"], ["q1"], ["ann", "bob"], values)?;
/// assert_eq!(scores.value(1, 0, 0), 0.75);
/// assert_eq!(scores.means().row(0), [0.375, 0.5]);
/// # Ok::<(), partita_core::ScoresError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct AssessorScores {
    /// The means over the judges.
    means: ScoreMatrix,
    judges: Vec<String>,
    /// Query by query, system by system within each, judge by judge within these.
    values: Vec<f64>,
}

impl AssessorScores {
    /// Scores by this measure: query by query, system by system within each, and judge by judge
    /// within these.
    pub fn new<S: Into<String>, Q: Into<String>, J: Into<String>>(
        measure: impl Into<String>,
        systems: impl IntoIterator<Item = S>,
        queries: impl IntoIterator<Item = Q>,
        judges: impl IntoIterator<Item = J>,
        values: Vec<f64>,
    ) -> Result<Self, ScoreMatrixError> {
        let judges: Vec<String> = judges.into_iter().map(Into::into).collect();
        let systems: Vec<String> = systems.into_iter().map(Into::into).collect();
        let queries: Vec<String> = queries.into_iter().map(Into::into).collect();
        if judges.is_empty() {
            return Err(ScoreMatrixError::NoAssessor);
        }
        if let Some(name) = super::score_matrix::first_duplicate(&judges) {
            return Err(ScoreMatrixError::DuplicateAssessor(name));
        }
        if values.len() != systems.len() * queries.len() * judges.len() {
            return Err(ScoreMatrixError::Shape {
                systems: systems.len() * judges.len(),
                queries: queries.len(),
                values: values.len(),
            });
        }
        // In the order of names, so that sums do not depend on the order of a file.
        let order = argsort_names(&judges);
        let mean = |of_judges: &[f64]| {
            let sum: f64 = order.iter().map(|&judge| of_judges[judge]).sum();
            sum / judges.len() as f64
        };
        let means = values.chunks_exact(judges.len()).map(mean);
        let means = ScoreMatrix::new(measure, systems, queries, means.collect())?;
        Ok(Self {
            means,
            judges,
            values,
        })
    }

    /// The same scores with queries, systems and judges in the order of their names.
    pub(crate) fn sorted_by_name(&self) -> Self {
        let queries = argsort_names(self.queries());
        let systems = argsort_names(self.systems());
        let judges = argsort_names(&self.judges);
        let mut values = Vec::with_capacity(self.values.len());
        for &query in &queries {
            for &system in &systems {
                values.extend(judges.iter().map(|&judge| self.value(system, query, judge)));
            }
        }
        let named = |all: &[String], order: &[usize]| -> Vec<String> {
            order.iter().map(|&number| all[number].clone()).collect()
        };
        Self::new(
            self.measure(),
            named(self.systems(), &systems),
            named(self.queries(), &queries),
            named(&self.judges, &judges),
            values,
        )
        .expect("valid scores stay so in another order")
    }

    /// The measure.
    pub fn measure(&self) -> &str {
        self.means.measure()
    }

    /// The names of the systems.
    pub fn systems(&self) -> &[String] {
        self.means.systems()
    }

    /// The names of the queries.
    pub fn queries(&self) -> &[String] {
        self.means.queries()
    }

    /// The names of the judges.
    pub fn assessors(&self) -> &[String] {
        &self.judges
    }

    /// The score of a system on a query by the judgments of a judge. Panics if there is no such
    /// system, query or judge.
    pub fn value(&self, system: usize, query: usize, judge: usize) -> f64 {
        let cell = query * self.systems().len() + system;
        self.values[cell * self.judges.len() + judge]
    }

    /// All scores: query by query, system by system within each, judge by judge within these.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// The mean scores over the judges.
    pub fn means(&self) -> &ScoreMatrix {
        &self.means
    }
}

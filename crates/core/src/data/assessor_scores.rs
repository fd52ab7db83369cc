//! Scores of systems on queries, computed separately from the judgments of each assessor.

use super::score_matrix::{
    ScoreMatrix, ScoreMatrixError, argsort_names, first_duplicate, select_names,
};

/// Scores of several systems on the same queries, computed separately with the judgments of each
/// assessor. There are no missing scores.
///
/// ```
/// use partita_core::AssessorScores;
///
/// let values = vec![0.25, 0.5, 0.75, 0.25];
/// let scores = AssessorScores::new("AP", ["bm25", "dfr"], ["q1"], ["ann", "bob"], values)?;
/// assert_eq!(scores.value(1, 0, 0), 0.75);
/// assert_eq!(scores.means().row(0), [0.375, 0.5]);
/// # Ok::<(), partita_core::ScoreMatrixError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct AssessorScores {
    /// Score of each system on each query, averaged over the assessors.
    means: ScoreMatrix,
    assessors: Vec<String>,
    /// Scores in one vector: all of the first query, in it all of the first system, one per
    /// assessor.
    values: Vec<f64>,
}

impl AssessorScores {
    /// Creates scores of one measure from values ordered by query, then system, then assessor.
    ///
    /// # Errors
    /// Returns [`ScoreMatrixError`] for an empty dimension, a duplicate name, a wrong number of
    /// values, or a value that is not finite.
    pub fn new<S: Into<String>, Q: Into<String>, A: Into<String>>(
        measure: impl Into<String>,
        systems: impl IntoIterator<Item = S>,
        queries: impl IntoIterator<Item = Q>,
        assessors: impl IntoIterator<Item = A>,
        values: Vec<f64>,
    ) -> Result<Self, ScoreMatrixError> {
        let assessors: Vec<String> = assessors.into_iter().map(Into::into).collect();
        let systems: Vec<String> = systems.into_iter().map(Into::into).collect();
        let queries: Vec<String> = queries.into_iter().map(Into::into).collect();
        if assessors.is_empty() {
            return Err(ScoreMatrixError::NoAssessor);
        }
        if let Some(name) = first_duplicate(&assessors) {
            return Err(ScoreMatrixError::DuplicateAssessor(name));
        }
        if values.len() != systems.len() * queries.len() * assessors.len() {
            return Err(ScoreMatrixError::Shape {
                systems: systems.len() * assessors.len(),
                queries: queries.len(),
                values: values.len(),
            });
        }
        // Sum in the order of assessor names, so that rounding errors do not depend on the order of
        // the rows in a file.
        let order = argsort_names(&assessors);
        let mean = |scores: &[f64]| {
            let sum: f64 = order.iter().map(|&assessor| scores[assessor]).sum();
            sum / assessors.len() as f64
        };
        let means = values.chunks_exact(assessors.len()).map(mean);
        let means = ScoreMatrix::new(measure, systems, queries, means.collect())?;
        Ok(Self {
            means,
            assessors,
            values,
        })
    }

    /// Returns the same scores with queries, systems and assessors sorted by name.
    pub(crate) fn sorted_by_name(&self) -> Self {
        let queries = argsort_names(self.queries());
        let systems = argsort_names(self.systems());
        let assessors = argsort_names(&self.assessors);
        let mut values = Vec::with_capacity(self.values.len());
        for &query in &queries {
            for &system in &systems {
                let scores = assessors.iter().map(|&a| self.value(system, query, a));
                values.extend(scores);
            }
        }
        Self::new(
            self.measure(),
            select_names(self.systems(), &systems),
            select_names(self.queries(), &queries),
            select_names(&self.assessors, &assessors),
            values,
        )
        .expect("reordered scores remain valid")
    }

    /// Returns the name of the measure.
    pub fn measure(&self) -> &str {
        self.means.measure()
    }

    /// Returns the names of the systems.
    pub fn systems(&self) -> &[String] {
        self.means.systems()
    }

    /// Returns the names of the queries.
    pub fn queries(&self) -> &[String] {
        self.means.queries()
    }

    /// Returns the names of the assessors.
    pub fn assessors(&self) -> &[String] {
        &self.assessors
    }

    /// Returns the score of a system on a query by the judgments of one assessor. Panics if there
    /// is no such system, query or assessor.
    pub fn value(&self, system: usize, query: usize, assessor: usize) -> f64 {
        let cell = query * self.systems().len() + system;
        self.values[cell * self.assessors.len() + assessor]
    }

    /// Returns all scores, ordered by query, then system, then assessor.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// Returns the score of each system on each query, averaged over the assessors.
    pub fn means(&self) -> &ScoreMatrix {
        &self.means
    }
}

//! Matrix of the scores of systems on queries by one measure.

use std::collections::HashSet;

/// Scores of several systems on the same queries by one measure, without missing scores.
///
/// ```
/// use partita_core::ScoreMatrix;
///
/// let scores = ScoreMatrix::new("AP", ["bm25", "dfr"], ["q1", "q2"], vec![0.25, 0.5, 0.75, 0.25])?;
/// assert_eq!(scores.row(1), [0.75, 0.25]);
/// assert_eq!(scores.mean(0), 0.5);
/// assert_eq!(scores.differences(0, 1), [-0.25, 0.5]);
/// # Ok::<(), partita_core::ScoreMatrixError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct ScoreMatrix {
    measure: String,
    systems: Vec<String>,
    queries: Vec<String>,
    /// Matrix of scores with one row per query and one column per system, stored row by row.
    values: Vec<f64>,
}

partita_named::named_enum! {
    /// Treatment of a query on which only some systems have a score.
    pub enum MissingScorePolicy: "treatment of missing scores" = Refuse {
        /// A missing score is an error
        Refuse = "refuse",
        /// A query with a missing score is left out for all systems
        DropQuery = "skip" | "drop-query",
        /// A missing score counts as 0
        Zero = "zero",
    }
}

/// Score matrix without gaps, and a record of how missing scores were treated.
#[derive(Clone, Debug, PartialEq)]
pub struct CompletedScores {
    /// Scores on the kept queries, without gaps.
    pub scores: ScoreMatrix,
    /// Indices of the queries that are in `scores`.
    pub kept_queries: Vec<usize>,
    /// Indices of the queries for which no system has a score. The measure is undefined for these
    /// queries, so their scores do not count as missing.
    pub unscored_queries: Vec<usize>,
    /// Indices of the queries that were left out because of a missing score.
    pub dropped_queries: Vec<usize>,
    /// Number of missing scores that were replaced by 0.
    pub zeros: usize,
}

/// Error of values that do not form a [`ScoreMatrix`].
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[expect(missing_docs, reason = "a message names its fields")]
pub enum ScoreMatrixError {
    /// There are no systems, or no queries.
    #[error("there are {systems} systems and {queries} queries")]
    Empty { systems: usize, queries: usize },
    /// Two systems have the same name.
    #[error("two systems are called `{0}`")]
    DuplicateSystem(String),
    /// Two queries have the same name.
    #[error("two queries are called `{0}`")]
    DuplicateQuery(String),
    /// There are no assessors.
    #[error("there is no judge")]
    NoAssessor,
    /// Two assessors have the same name.
    #[error("two judges are called `{0}`")]
    DuplicateAssessor(String),
    /// The number of scores is not the number of systems times the number of queries. For scores by
    /// assessor, `systems` counts the pairs of system and assessor.
    #[error("{systems} systems and {queries} queries have {} scores, not {values}", systems * queries)]
    Shape {
        systems: usize,
        queries: usize,
        values: usize,
    },
    /// A system has no score for a query for which another system has a score.
    #[error(
        "the system `{system}` has no score by {measure} for the query `{query}`{}",
        match more { 0 => String::new(), 1 => ", and 1 more score is missing".to_owned(), _ => format!(", and {more} more scores are missing") }
    )]
    MissingScore {
        measure: String,
        system: String,
        query: String,
        more: usize,
    },
    /// No query has scores of all systems, so the matrix would be empty.
    #[error("no query has a score of every system by {0}")]
    NoCompleteQuery(String),
    /// A score is not finite.
    #[error("the score of `{system}` on `{query}` is {value}")]
    NotFinite {
        system: String,
        query: String,
        value: f64,
    },
}

impl ScoreMatrix {
    /// Creates a matrix of scores of one measure, ordered by query, then system.
    ///
    /// # Errors
    /// Returns [`ScoreMatrixError`] for an empty dimension, a duplicate name, a wrong number of
    /// values, or a value that is not finite.
    pub fn new<S: Into<String>, Q: Into<String>>(
        measure: impl Into<String>,
        systems: impl IntoIterator<Item = S>,
        queries: impl IntoIterator<Item = Q>,
        values: Vec<f64>,
    ) -> Result<Self, ScoreMatrixError> {
        let systems: Vec<String> = systems.into_iter().map(Into::into).collect();
        let queries: Vec<String> = queries.into_iter().map(Into::into).collect();
        let (width, height) = (systems.len(), queries.len());
        if width == 0 || height == 0 {
            return Err(ScoreMatrixError::Empty {
                systems: width,
                queries: height,
            });
        }
        if let Some(name) = first_duplicate(&systems) {
            return Err(ScoreMatrixError::DuplicateSystem(name));
        }
        if let Some(name) = first_duplicate(&queries) {
            return Err(ScoreMatrixError::DuplicateQuery(name));
        }
        if values.len() != width * height {
            return Err(ScoreMatrixError::Shape {
                systems: width,
                queries: height,
                values: values.len(),
            });
        }
        if let Some(at) = values.iter().position(|value| !value.is_finite()) {
            return Err(ScoreMatrixError::NotFinite {
                system: systems[at % width].clone(),
                query: queries[at / width].clone(),
                value: values[at],
            });
        }
        Ok(Self {
            measure: measure.into(),
            systems,
            queries,
            values,
        })
    }

    /// Creates a matrix from scores with gaps, for example where a measure is undefined for a
    /// query.
    ///
    /// # Errors
    /// Returns [`ScoreMatrixError::MissingScore`] if the policy is to refuse missing scores,
    /// [`ScoreMatrixError::NoCompleteQuery`] if no query is left, and the errors of
    /// [`ScoreMatrix::new`].
    pub fn from_partial<S: Into<String>, Q: Into<String>>(
        measure: impl Into<String>,
        systems: impl IntoIterator<Item = S>,
        queries: impl IntoIterator<Item = Q>,
        values: Vec<Option<f64>>,
        missing: MissingScorePolicy,
    ) -> Result<CompletedScores, ScoreMatrixError> {
        let measure = measure.into();
        let systems: Vec<String> = systems.into_iter().map(Into::into).collect();
        let queries: Vec<String> = queries.into_iter().map(Into::into).collect();
        if values.len() != systems.len() * queries.len() {
            return Err(ScoreMatrixError::Shape {
                systems: systems.len(),
                queries: queries.len(),
                values: values.len(),
            });
        }
        let row = |query: usize| &values[query * systems.len()..(query + 1) * systems.len()];
        let all = 0..queries.len();
        let (scored, empty): (Vec<usize>, Vec<usize>) =
            all.partition(|&query| row(query).iter().any(Option::is_some));
        let is_full = |query: &usize| row(*query).iter().all(Option::is_some);
        let (kept, dropped) = match missing {
            MissingScorePolicy::DropQuery => scored.into_iter().partition(is_full),
            MissingScorePolicy::Zero => (scored, Vec::new()),
            MissingScorePolicy::Refuse => {
                if let Some(&query) = scored.iter().find(|query| !is_full(query)) {
                    let system = row(query).iter().position(Option::is_none);
                    let cells = scored.iter().flat_map(|&query| row(query));
                    let holes = cells.filter(|value| value.is_none()).count();
                    return Err(ScoreMatrixError::MissingScore {
                        measure,
                        system: systems[system.expect("an incomplete query lacks a score")].clone(),
                        query: queries[query].clone(),
                        more: holes - 1,
                    });
                }
                (scored, Vec::new())
            }
        };
        if kept.is_empty() && !queries.is_empty() {
            return Err(ScoreMatrixError::NoCompleteQuery(measure));
        }
        let cells = || kept.iter().flat_map(|&query| row(query));
        let zeros = cells().filter(|value| value.is_none()).count();
        let full = cells().map(|value| value.unwrap_or(0.0)).collect();
        let names = kept.iter().map(|&query| queries[query].as_str());
        Ok(CompletedScores {
            scores: Self::new(measure, systems, names, full)?,
            kept_queries: kept,
            unscored_queries: empty,
            dropped_queries: dropped,
            zeros,
        })
    }

    /// Returns the name of the measure.
    pub fn measure(&self) -> &str {
        &self.measure
    }

    /// Returns the names of the systems.
    pub fn systems(&self) -> &[String] {
        &self.systems
    }

    /// Returns the names of the queries.
    pub fn queries(&self) -> &[String] {
        &self.queries
    }

    /// Returns the scores of all systems on a query. Panics if there is no such query.
    pub fn row(&self, query: usize) -> &[f64] {
        let width = self.systems.len();
        &self.values[query * width..(query + 1) * width]
    }

    /// Iterates over the queries with the scores of all systems.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = &[f64]> {
        self.values.chunks_exact(self.systems.len())
    }

    /// Returns the scores of a system on all queries. Panics if there is no such system.
    pub fn column(&self, system: usize) -> Vec<f64> {
        self.rows().map(|row| row[system]).collect()
    }

    /// Returns the mean score of a system. Panics if there is no such system.
    pub fn mean(&self, system: usize) -> f64 {
        self.rows().map(|row| row[system]).sum::<f64>() / self.queries.len() as f64
    }

    /// Returns the scores of the queries and systems with these indices, in this order.
    pub(crate) fn reordered(&self, queries: &[usize], systems: &[usize]) -> Self {
        let rows = queries.iter().map(|&query| self.row(query));
        Self {
            measure: self.measure.clone(),
            systems: select_names(&self.systems, systems),
            queries: select_names(&self.queries, queries),
            values: rows
                .flat_map(|row| systems.iter().map(|&system| row[system]))
                .collect(),
        }
    }

    /// Returns the indices of the queries in the order of their names.
    pub(crate) fn query_order_by_name(&self) -> Vec<usize> {
        argsort_names(&self.queries)
    }

    /// Returns the same scores with queries and systems sorted by name. Random draws and sums then
    /// do not depend on the order of rows in a file.
    pub(crate) fn sorted_by_name(&self) -> Self {
        self.reordered(&self.query_order_by_name(), &argsort_names(&self.systems))
    }

    /// Returns the score of system a minus that of b on each query. Panics if there is no such
    /// system.
    pub fn differences(&self, a: usize, b: usize) -> Vec<f64> {
        self.rows().map(|row| row[a] - row[b]).collect()
    }
}

/// Returns the indices of the names in the order that sorts the names.
pub(crate) fn argsort_names(names: &[String]) -> Vec<usize> {
    let mut numbers: Vec<usize> = (0..names.len()).collect();
    numbers.sort_by_key(|&number| &names[number]);
    numbers
}

/// Returns the names with these indices, in this order.
pub(crate) fn select_names(names: &[String], indices: &[usize]) -> Vec<String> {
    indices.iter().map(|&index| names[index].clone()).collect()
}

/// Returns the first name that occurs earlier in the list, if there is one.
pub(crate) fn first_duplicate(names: &[String]) -> Option<String> {
    let mut seen = HashSet::new();
    names.iter().find(|name| !seen.insert(*name)).cloned()
}

//! The scores of systems on queries.

use std::collections::HashSet;

/// The scores of several systems on the same queries by one measure: a matrix without holes.
///
/// ```
/// use partita_core::Scores;
///
/// let scores = Scores::new("AP", ["bm25", "dfr"], ["q1", "q2"], vec![0.25, 0.5, 0.75, 0.25])?;
/// assert_eq!(scores.row(1), [0.75, 0.25]);
/// assert_eq!(scores.mean(0), 0.5);
/// assert_eq!(scores.differences(0, 1), [-0.25, 0.5]);
/// # Ok::<(), partita_core::ScoresError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct ScoreMatrix {
    measure: String,
    systems: Vec<String>,
    queries: Vec<String>,
    /// A row a query, a column a system.
    values: Vec<f64>,
}

partita_named::named_enum! {
    /// What becomes of a score that is not there.
    pub enum MissingScorePolicy: "treatment of missing scores" = Refuse {
        /// It is an error
        Refuse = "refuse",
        /// The query is left out for all systems
        DropQuery = "skip" | "drop-query",
        /// It counts as 0
        Zero = "zero",
    }
}

/// Scores without holes, and what was done about those that there were.
#[derive(Clone, Debug, PartialEq)]
pub struct CompletedScores {
    /// The scores.
    pub scores: ScoreMatrix,
    /// Which of the queries they are of.
    pub kept_queries: Vec<usize>,
    /// The queries that no system has a score for. They were undefined for all, which is no hole.
    pub unscored_queries: Vec<usize>,
    /// The queries that were left out for a hole.
    pub dropped_queries: Vec<usize>,
    /// How many missing scores were taken as 0.
    pub zeros: usize,
}

/// Why numbers are no scores.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[allow(missing_docs, reason = "a message names its fields")]
pub enum ScoreMatrixError {
    /// There is no system, or no query.
    #[error("there are {systems} systems and {queries} queries")]
    Empty { systems: usize, queries: usize },
    /// Two systems have one name.
    #[error("two systems are called `{0}`")]
    DuplicateSystem(String),
    /// Two queries have one name.
    #[error("two queries are called `{0}`")]
    DuplicateQuery(String),
    /// There is no judge.
    #[error("there is no judge")]
    NoAssessor,
    /// Two judges have one name.
    #[error("two judges are called `{0}`")]
    DuplicateAssessor(String),
    /// There are more or fewer scores than a full matrix has.
    #[error("{systems} systems and {queries} queries have {} scores, not {values}", systems * queries)]
    Shape {
        systems: usize,
        queries: usize,
        values: usize,
    },
    /// A system has no score for a query that others have one for.
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
    /// No query is left once holes are left out.
    #[error("no query has a score of every system by {0}")]
    NoCompleteQuery(String),
    /// A score is no number.
    #[error("the score of `{system}` on `{query}` is {value}")]
    NotFinite {
        system: String,
        query: String,
        value: f64,
    },
}

impl ScoreMatrix {
    /// Scores by this measure, query by query and system by system within each.
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

    /// The same of scores some of which are missing, as where a measure is undefined for a query.
    ///
    /// # Errors
    /// A hole that is to be refused, or no query without one, and whatever [`Scores::new`] refuses.
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
                        system: systems[system.expect("the query is not full")].clone(),
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

    /// The measure.
    pub fn measure(&self) -> &str {
        &self.measure
    }

    /// The names of the systems.
    pub fn systems(&self) -> &[String] {
        &self.systems
    }

    /// The names of the queries.
    pub fn queries(&self) -> &[String] {
        &self.queries
    }

    /// The scores of all systems on a query. Panics if there is no such query.
    pub fn row(&self, query: usize) -> &[f64] {
        let width = self.systems.len();
        &self.values[query * width..(query + 1) * width]
    }

    /// The scores of all systems, query by query.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = &[f64]> {
        self.values.chunks_exact(self.systems.len())
    }

    /// The scores of a system on all queries. Panics if there is no such system.
    pub fn column(&self, system: usize) -> Vec<f64> {
        self.rows().map(|row| row[system]).collect()
    }

    /// The mean score of a system. Panics if there is no such system.
    pub fn mean(&self, system: usize) -> f64 {
        self.rows().map(|row| row[system]).sum::<f64>() / self.queries.len() as f64
    }

    /// The same scores with the queries and the systems in another order.
    pub(crate) fn reordered(&self, queries: &[usize], systems: &[usize]) -> Self {
        let names = |all: &[String], order: &[usize]| -> Vec<String> {
            order.iter().map(|&number| all[number].clone()).collect()
        };
        let rows = queries.iter().map(|&query| self.row(query));
        Self {
            measure: self.measure.clone(),
            systems: names(&self.systems, systems),
            queries: names(&self.queries, queries),
            values: rows
                .flat_map(|row| systems.iter().map(|&system| row[system]))
                .collect(),
        }
    }

    /// The numbers of the queries in the order of their names.
    pub(crate) fn query_order_by_name(&self) -> Vec<usize> {
        argsort_names(&self.queries)
    }

    /// The same scores with the queries and the systems in the order of their names: what is drawn
    /// or added up in that order does not depend on the order of a file.
    pub(crate) fn sorted_by_name(&self) -> Self {
        self.reordered(&self.query_order_by_name(), &argsort_names(&self.systems))
    }

    /// By how much system a scores higher than b on each query. Panics if there is no such system.
    pub fn differences(&self, a: usize, b: usize) -> Vec<f64> {
        self.rows().map(|row| row[a] - row[b]).collect()
    }
}

/// The numbers of names in the order of these.
pub(crate) fn argsort_names(names: &[String]) -> Vec<usize> {
    let mut numbers: Vec<usize> = (0..names.len()).collect();
    numbers.sort_by_key(|&number| &names[number]);
    numbers
}

pub(crate) fn first_duplicate(names: &[String]) -> Option<String> {
    let mut seen = HashSet::new();
    names.iter().find(|name| !seen.insert(*name)).cloned()
}

/// Which stratum (a genre, say) each query is from.
///
/// ```
/// use partita_core::Strata;
///
/// let strata = Strata::new(["jazz", "rock", "jazz"]);
/// assert_eq!(strata.names(), ["jazz", "rock"]);
/// assert_eq!(strata.queries(0), [0, 2]);
/// assert_eq!(Strata::single(3).queries(0), [0, 1, 2]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Strata {
    names: Vec<String>,
    queries: Vec<Vec<usize>>,
}

impl Strata {
    /// The stratum of each query in turn. Strata are numbered as they first appear.
    pub fn new<S: Into<String>>(strata: impl IntoIterator<Item = S>) -> Self {
        let (mut names, mut queries): (Vec<String>, Vec<Vec<usize>>) = Default::default();
        for (query, stratum) in strata.into_iter().enumerate() {
            let stratum = stratum.into();
            match names.iter().position(|name| *name == stratum) {
                Some(known) => queries[known].push(query),
                None => {
                    names.push(stratum);
                    queries.push(vec![query]);
                }
            }
        }
        Self { names, queries }
    }

    /// The same strata for queries in another order, with strata in the order of their names.
    pub(crate) fn arranged(&self, queries: &[usize]) -> Self {
        let mut stratum_of = vec![0; queries.len()];
        for (stratum, members) in self.queries.iter().enumerate() {
            for &query in members {
                stratum_of[query] = stratum;
            }
        }
        let mut of_stratum = vec![Vec::new(); self.names.len()];
        for (place, &query) in queries.iter().enumerate() {
            of_stratum[stratum_of[query]].push(place);
        }
        let order = argsort_names(&self.names);
        Self {
            names: order
                .iter()
                .map(|&stratum| self.names[stratum].clone())
                .collect(),
            queries: order
                .iter()
                .map(|&stratum| of_stratum[stratum].clone())
                .collect(),
        }
    }

    /// The number of queries.
    pub(crate) fn query_count(&self) -> usize {
        self.queries.iter().map(Vec::len).sum()
    }

    /// All queries from one stratum: no stratification.
    pub fn one_stratum(queries: usize) -> Self {
        Self::new(std::iter::repeat_n("all", queries))
    }

    /// The names of the strata.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The queries of a stratum, in ascending order. Panics if there is no such stratum.
    pub fn queries(&self, stratum: usize) -> &[usize] {
        &self.queries[stratum]
    }
}

//! Results that a system returned for many queries.

use std::cmp::Ordering;

use super::ground_truth::GroundTruth;
use super::names::{Item, Names, summarize_names};
use super::ranking::{Ranking, Slot};

partita_named::named_enum! {
    /// Column of a run file that determines the order of its documents.
    pub enum RunOrder: "order" = Score {
        /// The score, highest first, as trec_eval does
        Score = "score",
        /// The rank, lowest first
        Rank = "rank",
        /// The order of the lines
        File = "file",
    }
}

partita_named::named_enum! {
    /// Order of documents to which a run gives equal scores.
    pub enum TieBreaking: "treatment of ties" = Docno {
        /// By name, descending, as trec_eval does
        Docno = "docno",
        /// By their order in the file
        File = "file",
        /// No order: measures take the mean over all orders of tied documents
        Average = "average",
    }
}

partita_named::named_enum! {
    /// Floating-point precision in which the scores of a run are compared, which decides what is
    /// tied.
    pub enum ScorePrecision: "precision" = Double {
        /// Single precision, as in trec_eval
        Single = "single",
        /// Double precision: all digits of the file count
        Double = "double",
    }
}

/// Documents that a system returned for many queries, by name, best first.
///
/// A run does not depend on a ground truth. [`Run::rankings_for`] returns its rankings for the
/// queries of one.
///
/// ```
/// use partita_core::{GroundTruth, Run, TieBreaking};
///
/// let returned = [("q1", [("a", 0.5), ("b", 0.75), ("c", 0.5)])];
/// let run = Run::from_scores("mine", returned, TieBreaking::Average)?;
/// let (query, groups) = run.queries().next().unwrap();
/// assert_eq!((query, groups), ("q1", vec![vec!["b"], vec!["a", "c"]]));
///
/// let truth = GroundTruth::from_groups([("q1", [vec!["a"], vec!["b", "c"]])])?;
/// assert_eq!(run.rankings_for(&truth).missing_queries().count(), 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Run {
    name: String,
    documents: Names,
    queries: Names,
    /// For each query, groups of tied documents, best group first.
    groups: Vec<Vec<Vec<Item>>>,
}

/// Error of a document whose score is NaN.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the score of the document `{document}` for the query `{query}` is not a number")]
pub struct InvalidScoreError {
    /// Query with the invalid score.
    pub query: String,
    /// Document with the invalid score.
    pub document: String,
}

impl Run {
    /// Creates a run without queries.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            documents: Names::new(),
            queries: Names::new(),
            groups: Vec::new(),
        }
    }

    /// Creates a run from lists of documents, best first. A later list of the same query replaces
    /// an earlier one.
    pub fn from_lists<L: IntoIterator<Item: AsRef<str>>>(
        name: impl Into<String>,
        returned: impl IntoIterator<Item = (impl AsRef<str>, L)>,
    ) -> Self {
        let mut run = Self::new(name);
        for (query, documents) in returned {
            let query = run.intern_query(query.as_ref());
            run.set_groups(query, documents.into_iter().map(|document| [document]));
        }
        run
    }

    /// Creates a run from documents with scores, in any order.
    ///
    /// # Errors
    /// Returns [`InvalidScoreError`] if a score is NaN.
    pub fn from_scores<D: AsRef<str>, L: IntoIterator<Item = (D, f64)>>(
        name: impl Into<String>,
        returned: impl IntoIterator<Item = (impl AsRef<str>, L)>,
        ties: TieBreaking,
    ) -> Result<Self, InvalidScoreError> {
        let mut run = Self::new(name);
        for (query, documents) in returned {
            let mut documents: Vec<(D, f64)> = documents.into_iter().collect();
            if let Some((document, _)) = documents.iter().find(|(_, score)| score.is_nan()) {
                let (query, document) = (query.as_ref().to_owned(), document.as_ref().to_owned());
                return Err(InvalidScoreError { query, document });
            }
            documents.sort_by(|(a, x), (b, y)| {
                let by_name = match ties {
                    TieBreaking::Docno => b.as_ref().cmp(a.as_ref()),
                    TieBreaking::File | TieBreaking::Average => Ordering::Equal,
                };
                let by_score = y.partial_cmp(x).expect("no score is NaN");
                by_score.then(by_name)
            });
            let tied = |a: &(D, f64), b: &(D, f64)| ties == TieBreaking::Average && a.1 == b.1;
            let groups = documents.chunk_by(tied);
            let query = run.intern_query(query.as_ref());
            run.set_groups(
                query,
                groups.map(|group| group.iter().map(|(name, _)| name)),
            );
        }
        Ok(run)
    }

    /// Returns the name of the run.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the run, renamed.
    #[must_use]
    pub fn with_name(self, name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            ..self
        }
    }

    /// Returns the index of a query, and adds the query without documents if it is new.
    pub fn intern_query(&mut self, name: &str) -> usize {
        let query = self.queries.intern(name).expect(TOO_MANY_NAMES).index();
        if query == self.groups.len() {
            self.groups.push(Vec::new());
        }
        query
    }

    /// Returns the name of a query.
    ///
    /// # Panics
    /// Panics if there is no query with this index.
    pub fn query_name(&self, query: usize) -> &str {
        self.queries
            .name(Item::from_index(query).expect("a query index is at most Item::MAX_COUNT"))
    }

    /// Iterates over the queries with their groups of tied documents, best first.
    pub fn queries(&self) -> impl Iterator<Item = (&str, Vec<Vec<&str>>)> {
        let names = self.queries.items().map(|query| self.queries.name(query));
        names.zip(&self.groups).map(|(query, groups)| {
            let name = |&document| self.documents.name(document);
            let groups = groups.iter().map(|group| group.iter().map(name).collect());
            (query, groups.collect())
        })
    }

    /// Replaces the documents of a query by groups of tied documents, best first.
    ///
    /// # Panics
    /// Panics if there is no query with this index.
    pub fn set_groups<G: IntoIterator<Item: AsRef<str>>>(
        &mut self,
        query: usize,
        groups: impl IntoIterator<Item = G>,
    ) {
        let documents = &mut self.documents;
        let mut item = |name: G::Item| documents.intern(name.as_ref()).expect(TOO_MANY_NAMES);
        self.groups[query] = (groups.into_iter())
            .map(|group| group.into_iter().map(&mut item).collect())
            .collect();
    }

    /// Adds a document below all documents returned so far for a query.
    ///
    /// # Panics
    /// Panics if there is no query with this index.
    pub fn push(&mut self, query: usize, document: &str) {
        let document = self.documents.intern(document).expect(TOO_MANY_NAMES);
        self.groups[query].push(vec![document]);
    }

    /// Returns the rankings for the queries of a ground truth. Queries of the run that the ground
    /// truth does not contain are left out.
    pub fn rankings_for(&self, truth: &GroundTruth) -> SystemRankings {
        let mut seen = SystemRankings::new(&self.name, truth);
        for (query, groups) in self.queries.items().zip(&self.groups) {
            let Some(query) = truth.query_index(self.queries.name(query)) else {
                continue;
            };
            let names = truth.query_truth(query).names();
            let slot = |&item: &Item| (item, Slot::from(names.get(self.documents.name(item))));
            let groups = groups.iter().map(|group| group.iter().map(slot));
            seen.set(query, Ranking::from_document_groups(groups));
        }
        seen
    }
}

/// Panic message for more than [`Item::MAX_COUNT`] names, about four billion.
const TOO_MANY_NAMES: &str = "a run has at most Item::MAX_COUNT names";

/// Rankings of one [`Run`] for the queries of a ground truth.
#[derive(Clone, Debug)]
pub struct SystemRankings {
    /// Name of the retrieval system: the name of its run.
    pub system: String,
    rankings: Vec<Option<Ranking>>,
}

impl SystemRankings {
    /// Creates the rankings of a system for the queries of `truth`, with no ranking for any query.
    pub fn new(system: impl Into<String>, truth: &GroundTruth) -> Self {
        Self {
            system: system.into(),
            rankings: vec![None; truth.len()],
        }
    }

    /// Sets the ranking of a query and returns the previous one.
    ///
    /// # Panics
    /// Panics if the ground truth has no such query.
    pub fn set(&mut self, query: usize, ranking: Ranking) -> Option<Ranking> {
        self.rankings[query].replace(ranking)
    }

    /// Returns the ranking of a query, or `None` if the system has none for it.
    pub fn ranking(&self, query: usize) -> Option<&Ranking> {
        self.rankings.get(query)?.as_ref()
    }

    /// Returns the indices of the queries of the ground truth for which the system has no ranking.
    pub fn missing_queries(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.rankings.len()).filter(|&q| self.rankings[q].is_none())
    }
}

/// Error of a run and a ground truth without a common query. They probably name their queries
/// differently.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the run `{run}` and the ground truth have no query in common: the run has {}, the ground truth has {}",
    summarize_names(.run_queries, MAX_EXAMPLES), summarize_names(.truth_queries, MAX_EXAMPLES)
)]
pub struct NoCommonQueryError {
    /// Name of the run that shares no query with the ground truth.
    pub run: String,
    /// Names of the queries of the run.
    pub run_queries: Vec<String>,
    /// Names of the queries of the ground truth.
    pub truth_queries: Vec<String>,
}

/// Largest number of query names that the error message lists from each side.
const MAX_EXAMPLES: usize = 5;

impl NoCommonQueryError {
    /// Checks that a run has a query in common with the ground truth. `others` are the queries of
    /// the run that the ground truth does not contain. An empty run passes.
    ///
    /// # Errors
    /// Returns [`NoCommonQueryError`], with the query names of the run and of the ground truth, if
    /// they have no query in common.
    pub fn check<'a>(
        run: &SystemRankings,
        truth: &GroundTruth,
        others: impl IntoIterator<Item = &'a str>,
    ) -> Result<(), Self> {
        if run.missing_queries().count() < truth.len() {
            return Ok(());
        }
        let run_queries: Vec<String> = others.into_iter().map(str::to_owned).collect();
        if run_queries.is_empty() {
            return Ok(());
        }
        Err(Self {
            run: run.system.clone(),
            run_queries,
            truth_queries: truth.query_names().map(str::to_owned).collect(),
        })
    }
}

//! What a system returned for many queries.

use std::cmp::Ordering;

use super::ground_truth::GroundTruth;
use super::names::{Item, Names};
use super::ranking::{Ranking, Slot};
use crate::summarize_names;

partita_named::named_enum! {
    /// What the order of documents is taken from, where a system gives them ranks and scores.
    pub enum RunOrder: "order" {
        /// The score, highest first, as trec_eval does
        Score = "score",
        /// The rank, lowest first
        Rank = "rank",
        /// The order of the lines
        File = "file",
    }
}

partita_named::named_enum! {
    /// How documents with the same score are ordered.
    pub enum TieBreaking: "treatment of ties" {
        /// By name, descending, as trec_eval does
        Docno = "docno",
        /// As in the file
        File = "file",
        /// Not at all: measures take the mean over all their orders
        Average = "average",
    }
}

partita_named::named_enum! {
    /// The precision in which scores are compared.
    pub enum ScorePrecision: "precision" {
        /// As trec_eval does
        Single = "single",
        /// As they are written
        Double = "double",
    }
}

/// What a system returned for many queries: documents by their names, best first.
///
/// A run stands by itself. What a ground truth sees of it is [`Run::beside`].
///
/// ```
/// use partita_core::{GroundTruth, Run, Ties};
///
/// let returned = [("q1", [("a", 0.5), ("b", 0.75), ("c", 0.5)])];
/// let run = Run::of_scores("mine", returned, Ties::Average)?;
/// let (query, groups) = run.queries().next().unwrap();
/// assert_eq!((query, groups), ("q1", vec![vec!["b"], vec!["a", "c"]]));
///
/// let truth = GroundTruth::of_groups([("q1", [vec!["a"], vec!["b", "c"]])])?;
/// assert_eq!(run.beside(&truth).missing().count(), 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Run {
    name: String,
    documents: Names,
    queries: Names,
    /// For each query its groups of tied documents, best first.
    groups: Vec<Vec<Vec<Item>>>,
}

/// A document has no score by which it could be ranked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the score of the document `{document}` for the query `{query}` is not a number")]
pub struct InvalidScoreError {
    /// The query.
    pub query: String,
    /// The document.
    pub document: String,
}

impl Run {
    /// A run that has returned nothing yet.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            documents: Names::new(),
            queries: Names::new(),
            groups: Vec::new(),
        }
    }

    /// The run with these documents for each query, best first; of two lists for one query the last
    /// counts.
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

    /// The run with these documents for each query, each with its score, in any order.
    ///
    /// # Errors
    /// [`NotAScore`] for a NaN.
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

    /// What the run is called.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The same run under another name.
    #[must_use]
    pub fn with_name(self, name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            ..self
        }
    }

    /// The number of a query, which has no documents yet if it is new.
    pub fn intern_query(&mut self, name: &str) -> usize {
        let query = self.queries.intern(name).expect(ROOM).index();
        if query == self.groups.len() {
            self.groups.push(Vec::new());
        }
        query
    }

    /// The name of a query.
    ///
    /// # Panics
    /// If there is no query of that number.
    pub fn query_name(&self, query: usize) -> &str {
        self.queries
            .name(Item::from_index(query).expect("a query has a number"))
    }

    /// The queries with their groups of tied documents, best first.
    pub fn queries(&self) -> impl Iterator<Item = (&str, Vec<Vec<&str>>)> {
        let names = self.queries.items().map(|query| self.queries.name(query));
        names.zip(&self.groups).map(|(query, groups)| {
            let name = |&document| self.documents.name(document);
            let groups = groups.iter();
            (
                query,
                groups
                    .map(|group| group.iter().map(name).collect())
                    .collect(),
            )
        })
    }

    /// Puts in what was returned for a query, in place of what was there: groups of tied documents, best
    /// first.
    ///
    /// # Panics
    /// If there is no query of that number.
    pub fn set_groups<G: IntoIterator<Item: AsRef<str>>>(
        &mut self,
        query: usize,
        groups: impl IntoIterator<Item = G>,
    ) {
        let documents = &mut self.documents;
        let mut item = |name: G::Item| documents.intern(name.as_ref()).expect(ROOM);
        let groups = groups.into_iter();
        let groups = groups.map(|group| group.into_iter().map(&mut item).collect());
        self.groups[query] = groups.collect();
    }

    /// Adds a document below all others of a query.
    ///
    /// # Panics
    /// If there is no query of that number.
    pub fn push(&mut self, query: usize, document: &str) {
        let document = self.documents.intern(document).expect(ROOM);
        self.groups[query].push(vec![document]);
    }

    /// How many documents were returned, over all queries.
    pub fn document_count(&self) -> usize {
        self.groups.iter().flatten().map(Vec::len).sum()
    }

    /// What a ground truth sees of it. Queries that the ground truth does not have are left out.
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

const ROOM: &str = "what fits into memory has fewer names than there are numbers";

/// What a ground truth sees of a [`Run`]: a ranking for each of its queries.
#[derive(Clone, Debug)]
pub struct SystemRankings {
    /// What the system is called.
    pub system: String,
    rankings: Vec<Option<Ranking>>,
}

impl SystemRankings {
    /// A system that has returned nothing yet for the queries of `truth`.
    pub fn new(system: impl Into<String>, truth: &GroundTruth) -> Self {
        Self {
            system: system.into(),
            rankings: vec![None; truth.len()],
        }
    }

    /// Puts in the ranking of a query, and gives back the one that was there.
    ///
    /// # Panics
    /// If the ground truth has no such query.
    pub fn set(&mut self, query: usize, ranking: Ranking) -> Option<Ranking> {
        self.rankings[query].replace(ranking)
    }

    /// The ranking of a query, if the system returned anything for it.
    pub fn ranking(&self, query: usize) -> Option<&Ranking> {
        self.rankings.get(query)?.as_ref()
    }

    /// The queries for which there is no ranking.
    pub fn missing_queries(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.rankings.len()).filter(|&q| self.rankings[q].is_none())
    }
}

/// A run and a ground truth have no query in common: they must call their queries differently.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the run `{run}` and the ground truth have no query in common: the run has {}, the ground truth has {}",
    summarize_names(.run_queries, SAMPLE), summarize_names(.truth_queries, SAMPLE)
)]
pub struct NoCommonQueryError {
    /// The run.
    pub run: String,
    /// Its queries.
    pub run_queries: Vec<String>,
    /// Those of the ground truth.
    pub truth_queries: Vec<String>,
}

/// How many queries are named as examples.
const SAMPLE: usize = 5;

impl NoCommonQueryError {
    /// Refuses a run whose queries are all among these others, which the ground truth does not have.
    ///
    /// # Errors
    /// [`NoCommonQuery`], with the names of both.
    pub fn check<'a>(
        run: &SystemRankings,
        truth: &GroundTruth,
        others: impl IntoIterator<Item = &'a str>,
    ) -> Result<(), Self> {
        if run.missing_queries().count() < truth.len() {
            return Ok(());
        }
        let of_run: Vec<String> = others.into_iter().map(str::to_owned).collect();
        if of_run.is_empty() {
            return Ok(());
        }
        Err(Self {
            run: run.system.clone(),
            run_queries: of_run,
            truth_queries: truth.query_names().map(str::to_owned).collect(),
        })
    }
}

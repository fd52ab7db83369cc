//! What a system returned for many queries.

use crate::judged::GroundTruth;
use crate::ranking::Ranking;

partita_stats::named! {
    /// What the order of documents is taken from, where a system gives them ranks and scores.
    pub enum Order: "order" {
        /// The score, highest first, as trec_eval does
        Score = "score",
        /// The rank, lowest first
        Rank = "rank",
        /// The order of the lines
        File = "file",
    }
}

partita_stats::named! {
    /// How documents with the same score are ordered.
    pub enum Ties: "treatment of ties" {
        /// By name, descending, as trec_eval does
        Docno = "docno",
        /// As in the file
        File = "file",
        /// Not at all: measures take the mean over all their orders
        Average = "average",
    }
}

partita_stats::named! {
    /// The precision in which scores are compared.
    pub enum Precision: "precision" {
        /// As trec_eval does
        Single = "single",
        /// As they are written
        Double = "double",
    }
}

/// The rankings of one system, read beside a ground truth: one for each of its queries.
///
/// ```
/// use partita_core::{GroundTruth, Run};
///
/// let truth = GroundTruth::of_groups([("q1", [vec!["a"], vec!["b", "c"]])])?;
/// let run = Run::of("mine", &truth, [("q1", ["b", "a"])]);
/// assert_eq!(run.missing().count(), 0);
/// assert_eq!(Run::new("empty", &truth).missing().collect::<Vec<_>>(), [0]);
/// # Ok::<(), partita_core::JudgedError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Run {
    name: String,
    rankings: Vec<Option<Ranking>>,
}

impl Run {
    /// A run that has returned nothing yet for the queries of `truth`.
    pub fn new(name: impl Into<String>, truth: &GroundTruth) -> Self {
        Self {
            name: name.into(),
            rankings: vec![None; truth.len()],
        }
    }

    /// The run with these documents for each query, best first. Queries that the ground truth does not
    /// have are left out; of two lists for one query the last counts.
    pub fn of<'n, L, D>(
        name: impl Into<String>,
        truth: &GroundTruth,
        returned: impl IntoIterator<Item = (&'n str, L)>,
    ) -> Self
    where
        L: IntoIterator<Item = D>,
        D: AsRef<str>,
    {
        let mut run = Self::new(name, truth);
        for (query, documents) in returned {
            let Some(query) = truth.query(query) else {
                continue;
            };
            let documents: Vec<D> = documents.into_iter().collect();
            let documents = documents.iter().map(AsRef::as_ref);
            run.set(query, Ranking::of(truth.judged(query).names(), documents));
        }
        run
    }

    /// What the run is called.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Puts in the ranking of a query, and gives back the one that was there. Panics if the ground
    /// truth has no such query.
    pub fn set(&mut self, query: usize, ranking: Ranking) -> Option<Ranking> {
        self.rankings[query].replace(ranking)
    }

    /// The ranking of a query, if the run has one.
    pub fn ranking(&self, query: usize) -> Option<&Ranking> {
        self.rankings.get(query)?.as_ref()
    }

    /// The queries for which the run has no ranking.
    pub fn missing(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.rankings.len()).filter(|&q| self.rankings[q].is_none())
    }

    /// All rankings that there are.
    pub fn rankings(&self) -> impl Iterator<Item = &Ranking> {
        self.rankings.iter().flatten()
    }
}

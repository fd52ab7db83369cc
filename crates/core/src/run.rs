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

impl Default for Order {
    fn default() -> Self {
        Self::Score
    }
}

impl Default for Ties {
    fn default() -> Self {
        Self::Docno
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
/// use partita_core::{GroundTruth, Judged, Ranking, Run, Scale};
///
/// let query = Judged::of_groups([["a"].as_slice(), &["b", "c"]])?;
/// let truth = GroundTruth::new(Scale::Groups, vec![("q1".to_owned(), query)]).unwrap();
/// let mut run = Run::new("mine", &truth);
/// assert_eq!(run.missing().collect::<Vec<_>>(), [0]);
/// run.set(0, Ranking::of(truth.judged(0).names(), ["b", "a"]));
/// assert_eq!(run.missing().count(), 0);
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

    /// What the run is called.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Puts in the ranking of a query, and gives back the one that was there.
    ///
    /// # Panics
    /// If the ground truth has no such query.
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

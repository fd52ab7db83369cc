//! What a system returned for many queries.

use crate::judged::GroundTruth;
use crate::ranking::Ranking;

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

    /// The run under another name.
    pub fn renamed(self, name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            ..self
        }
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

    /// The run on some of the queries only, in this order.
    pub fn only(&self, queries: &[usize]) -> Self {
        let ranking = |&query: &usize| self.ranking(query).cloned();
        Self {
            name: self.name.clone(),
            rankings: queries.iter().map(ranking).collect(),
        }
    }

    /// Whether documents are tied in any ranking.
    pub fn is_tied(&self) -> bool {
        self.rankings.iter().flatten().any(Ranking::is_tied)
    }
}

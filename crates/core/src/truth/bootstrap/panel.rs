//! Panel of assessors of a query: their rankings, and the bootstrap samples of them.

use crate::data::assessor_rankings::AssessorRankings;
use crate::evidence::AssessorResampler;

/// Rankings of one query, with the resampler of their assessors.
#[derive(Clone, Debug)]
pub struct Panel<'r> {
    rankings: &'r AssessorRankings,
    resampler: AssessorResampler,
}

impl<'r> Panel<'r> {
    /// Creates the panel of one query, drawn independently of other queries.
    pub fn new(query: &str, rankings: &'r AssessorRankings) -> Self {
        Self {
            rankings,
            resampler: AssessorResampler::from_rankings(query, rankings),
        }
    }

    /// Creates the panels of queries that were ranked by the same people
    /// ([`AssessorResampler::shared`]).
    pub fn shared(queries: &[&'r AssessorRankings]) -> Vec<Self> {
        let resamplers = AssessorResampler::shared(queries).into_iter();
        (queries.iter().zip(resamplers))
            .map(|(&rankings, resampler)| Self {
                rankings,
                resampler,
            })
            .collect()
    }

    /// Returns the rankings of the assessors.
    pub fn rankings(&self) -> &'r AssessorRankings {
        self.rankings
    }

    /// Returns the resampler of the assessors.
    pub fn resampler(&self) -> &AssessorResampler {
        &self.resampler
    }

    /// Returns the degrees of freedom of a variance that is estimated from these panels.
    pub fn degrees_of_freedom(panels: &[Self]) -> usize {
        AssessorResampler::degrees_of_freedom(panels.iter().map(|panel| &panel.resampler))
    }
}

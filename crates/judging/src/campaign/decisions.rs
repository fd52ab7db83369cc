//! What the votes say of each pair.

use partita_core::ByName;
use schemars::JsonSchema;
use serde::Serialize;

use super::Campaign;
use super::flag::Refusal;
use super::state::PairState;

/// What the votes say of each pair that was asked.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Decisions {
    /// What the campaign is called.
    pub campaign: String,
    /// The decision rule.
    pub decide: String,
    /// Its level, if it is a test.
    pub alpha: Option<f64>,
    /// The pairs of each list.
    pub pairs: ByName<Vec<PairState>>,
}

impl Campaign {
    /// The lists of these queries, by their numbers; all if none is named.
    pub fn lists_of(&self, queries: &[String]) -> Result<Vec<usize>, Refusal> {
        if queries.is_empty() {
            return Ok((0..self.lists()).collect());
        }
        queries.iter().map(|query| self.query(query)).collect()
    }

    /// What the votes say of the pairs of these queries; of all if none is named.
    pub fn decisions(&self, queries: &[String]) -> Result<Decisions, Refusal> {
        let pairs = self.lists_of(queries)?.into_iter();
        let pairs = pairs.map(|list| (self.query_name(list).to_owned(), self.pair_states(list)));
        let settings = self.settings();
        Ok(Decisions {
            campaign: settings.campaign.clone(),
            decide: settings.decide.to_string(),
            alpha: settings.alpha(),
            pairs: pairs.collect(),
        })
    }
}

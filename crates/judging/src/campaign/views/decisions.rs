//! Votes and decisions on the pairs of a campaign.

use partita_core::OrderedMap;
use schemars::JsonSchema;
use serde::Serialize;

use super::snapshot::PairSnapshot;
use crate::campaign::Campaign;
use crate::campaign::input_error::InputError;

/// Votes and decisions on all requested pairs.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct CampaignDecisions {
    /// Name of the campaign.
    pub campaign: String,
    /// Name of the rule that decides a pair from its votes.
    pub decide: String,
    /// Significance level of the decision rule, if it is a test.
    pub alpha: Option<f64>,
    /// Requested pairs with their votes and decisions, by query.
    pub pairs: OrderedMap<Vec<PairSnapshot>>,
}

impl Campaign {
    /// Returns the indices of the lists of the named queries; of all lists if no query is named.
    pub fn list_indices(&self, queries: &[String]) -> Result<Vec<usize>, InputError> {
        if queries.is_empty() {
            return Ok((0..self.list_count()).collect());
        }
        queries.iter().map(|query| self.find_list(query)).collect()
    }

    /// Returns the votes and decisions on the pairs of the named queries; of all queries if none is
    /// named.
    pub fn decisions(&self, queries: &[String]) -> Result<CampaignDecisions, InputError> {
        let pairs = self.list_indices(queries)?.into_iter();
        let pairs = pairs.map(|list| (self.query_name(list).to_owned(), self.pair_snapshots(list)));
        let spec = self.spec();
        Ok(CampaignDecisions {
            campaign: spec.name.clone(),
            decide: spec.settings.decide.to_string(),
            alpha: spec.alpha(),
            pairs: pairs.collect(),
        })
    }
}

//! What the votes say of each pair.

use partita_core::OrderedMap;
use schemars::JsonSchema;
use serde::Serialize;

use super::snapshot::PairSnapshot;
use crate::campaign::Campaign;
use crate::campaign::engine::answer_status::InputError;

/// What the votes say of each pair that was asked.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct CampaignDecisions {
    /// What the campaign is called.
    pub campaign: String,
    /// The decision rule.
    pub decide: String,
    /// Its level, if it is a test.
    pub alpha: Option<f64>,
    /// The pairs of each list.
    pub pairs: OrderedMap<Vec<PairSnapshot>>,
}

impl Campaign {
    /// The lists of these queries, by their numbers; all if none is named.
    pub fn list_indices(&self, queries: &[String]) -> Result<Vec<usize>, InputError> {
        if queries.is_empty() {
            return Ok((0..self.list_count()).collect());
        }
        queries.iter().map(|query| self.query(query)).collect()
    }

    /// What the votes say of the pairs of these queries; of all if none is named.
    pub fn decisions(&self, queries: &[String]) -> Result<CampaignDecisions, InputError> {
        let pairs = self.list_indices(queries)?.into_iter();
        let pairs = pairs.map(|list| (self.query_name(list).to_owned(), self.pair_snapshots(list)));
        let settings = self.spec();
        Ok(CampaignDecisions {
            campaign: settings.name.clone(),
            decide: settings.rule.to_string(),
            alpha: settings.alpha(),
            pairs: pairs.collect(),
        })
    }
}

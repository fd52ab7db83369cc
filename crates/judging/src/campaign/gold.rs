//! Gold pairs: pairs with known answers, which check the attention of assessors.

use std::collections::{HashMap, HashSet};

use partita_core::Preference;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::log::event::PreferenceChoice;
use super::spec::{CampaignSpecError, QuerySpec};
use crate::range_error::require;

/// Gold pairs to mix into the questions of each assessor.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GoldSet {
    /// Share of gold pairs among an assessor's pair questions, from 0 to below 1.
    pub share: f64,
    /// Gold pairs from which the questions are drawn.
    pub pairs: Vec<GoldPair>,
}

/// Pair with a known answer, which checks the attention of assessors.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GoldPair {
    /// Query name.
    pub query: String,
    /// First item.
    pub a: String,
    /// Second item.
    pub b: String,
    /// Correct choice between `a` and `b`.
    pub answer: PreferenceChoice,
}

/// Reason why a gold pair of a campaign specification is invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GoldPairError {
    /// The campaign has no query of this name.
    #[error("there is no such query")]
    NoQuery,
    /// An item is not a candidate of the query.
    #[error("both must be candidates of the query")]
    NoCandidate,
    /// Both items are the same.
    #[error("the two are the same item")]
    SameItem,
    /// The expected answer is blank.
    #[error("its answer is blank")]
    Blank,
    /// The two items occur in an earlier gold pair of the query.
    #[error("it comes twice")]
    Twice,
}

impl GoldSet {
    /// Returns the correct choice between two items of a query, or `None` if they are not a gold
    /// pair.
    pub fn expected_choice(&self, query: &str, a: &str, b: &str) -> Option<Preference> {
        let pair = self.find(query, a, b)?;
        let answer = pair.answer.preference()?;
        let is_turned = pair.a != a;
        Some(if is_turned { answer.mirrored() } else { answer })
    }

    /// Returns the gold pair of two items of a query, in either order.
    pub(super) fn find(&self, query: &str, a: &str, b: &str) -> Option<&GoldPair> {
        self.pairs.iter().find(|pair| {
            let items = [pair.a.as_str(), pair.b.as_str()];
            pair.query == query && (items == [a, b] || items == [b, a])
        })
    }

    /// Checks that the share is from 0 to below 1, and that each pair is valid: two different
    /// candidates of one of these lists, with an answer, and given once.
    pub(super) fn check(&self, lists: &[QuerySpec]) -> Result<(), CampaignSpecError> {
        let share = self.share;
        let what = "the share of questions with known answers";
        require(
            what,
            share,
            "from 0 to below 1",
            (0.0..1.0).contains(&share),
        )?;
        let mut known: HashMap<&str, HashSet<&str>> = HashMap::new();
        for list in lists {
            let items = list.items.iter().map(|candidate| candidate.item.as_str());
            known.insert(&list.query, items.collect());
        }
        let mut seen = HashSet::new();
        for pair in &self.pairs {
            let items = known.get(pair.query.as_str());
            let (a, b) = (pair.a.as_str(), pair.b.as_str());
            let reason = match items {
                None => Some(GoldPairError::NoQuery),
                Some(items) if !items.contains(a) || !items.contains(b) => {
                    Some(GoldPairError::NoCandidate)
                }
                Some(_) if a == b => Some(GoldPairError::SameItem),
                Some(_) if pair.answer == PreferenceChoice::Blank => Some(GoldPairError::Blank),
                Some(_) if !seen.insert((&pair.query, a.min(b), a.max(b))) => {
                    Some(GoldPairError::Twice)
                }
                Some(_) => None,
            };
            if let Some(reason) = reason {
                return Err(CampaignSpecError::Gold {
                    query: pair.query.clone(),
                    a: pair.a.clone(),
                    b: pair.b.clone(),
                    reason,
                });
            }
        }
        Ok(())
    }
}

//! Gold pairs: pairs with known answers, which check the attention of assessors.

use std::collections::{HashMap, HashSet};

use partita_core::Preference;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::QuerySpec;
use super::error::{CampaignSpecError, CampaignSpecErrorKind};
use crate::campaign::log::event::PreferenceChoice;
use crate::range_error::require;

/// Gold pairs to mix into the questions of each assessor.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GoldSet {
    /// Share of gold pairs among an assessor's pair questions, from 0 to below 1.
    pub share: f64,
    /// Gold pairs from which the questions are drawn.
    pub pairs: Vec<GoldPair>,
}

/// Pair with a known answer, which checks the attention of assessors.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
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
    pub(in crate::campaign) fn find(&self, query: &str, a: &str, b: &str) -> Option<&GoldPair> {
        self.pairs.iter().find(|pair| {
            let items = [pair.a.as_str(), pair.b.as_str()];
            pair.query == query && (items == [a, b] || items == [b, a])
        })
    }

    /// Returns the errors of the set: its share must be from 0 to below 1, and each pair two
    /// different candidates of one of these lists, with an answer, and given once.
    pub(super) fn validate(&self, lists: &[QuerySpec]) -> Vec<CampaignSpecError> {
        let mut errors = Vec::new();
        let share = self.share;
        let what = "the share of questions with known answers";
        let is_share = (0.0..1.0).contains(&share);
        if let Err(error) = require(what, share, "from 0 to below 1", is_share) {
            errors.push(CampaignSpecError::new("/gold/share", error));
        }
        let mut known: HashMap<&str, HashSet<&str>> = HashMap::new();
        for list in lists {
            let items = list.items.iter().map(|candidate| candidate.item.as_str());
            // Of two lists with one name, an error by itself, the first counts.
            let of_query = known.entry(&list.query);
            of_query.or_insert_with(|| items.collect());
        }
        let mut seen = HashSet::new();
        for (place, pair) in self.pairs.iter().enumerate() {
            let (a, b) = (pair.a.as_str(), pair.b.as_str());
            let mut add = |field: &str, reason| {
                let pointer = format!("/gold/pairs/{place}{field}");
                errors.push(CampaignSpecError::new(pointer, pair.error(reason)));
            };
            match known.get(pair.query.as_str()) {
                None => add("/query", GoldPairError::NoQuery),
                Some(items) => {
                    for (field, item) in [("/a", a), ("/b", b)] {
                        if !items.contains(item) {
                            add(field, GoldPairError::NoCandidate);
                        }
                    }
                }
            }
            if a == b {
                add("/b", GoldPairError::SameItem);
            } else if !seen.insert((&pair.query, a.min(b), a.max(b))) {
                add("", GoldPairError::Twice);
            }
            if pair.answer == PreferenceChoice::Blank {
                add("/answer", GoldPairError::Blank);
            }
        }
        errors
    }
}

impl GoldPair {
    /// Returns the error of a specification with this pair.
    fn error(&self, reason: GoldPairError) -> CampaignSpecErrorKind {
        CampaignSpecErrorKind::Gold {
            query: self.query.clone(),
            a: self.a.clone(),
            b: self.b.clone(),
            reason,
        }
    }
}

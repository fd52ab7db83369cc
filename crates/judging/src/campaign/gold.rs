//! Questions whose answers are known.

use std::collections::{HashMap, HashSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::log::event::{PreferenceAnswer, PreferenceChoice};
use super::spec::{CampaignSpecError, QuerySpec};
use crate::range_error::require;

/// Questions whose answers are known, put among the others.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GoldSet {
    /// The share of the questions that a person is asked.
    pub share: f64,
    /// The questions with their answers.
    pub pairs: Vec<GoldPair>,
}

/// A question whose answer is known.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GoldPair {
    /// The query.
    pub query: String,
    /// One item.
    pub a: String,
    /// The other.
    pub b: String,
    /// What is to be said.
    pub answer: PreferenceChoice,
}

/// What is wrong with a question whose answer is said to be known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GoldPairError {
    /// There is no such query.
    #[error("there is no such query")]
    NoQuery,
    /// An item is no candidate of the query.
    #[error("both must be candidates of the query")]
    NoCandidate,
    /// The two are one.
    #[error("the two are the same item")]
    SameItem,
    /// The answer is blank.
    #[error("its answer is blank")]
    Blank,
    /// It comes twice.
    #[error("it comes twice")]
    Twice,
}

impl GoldSet {
    /// The known answer to a question, with the items as they were shown; nothing if there is none.
    pub fn expected_choice(&self, answered: &PreferenceAnswer) -> Option<PreferenceChoice> {
        let pair = &self.pairs[self.position(answered)?];
        let answer = pair.answer.preference()?;
        let shown_so = pair.a == answered.a;
        Some(Some(if shown_so { answer } else { answer.mirrored() }).into())
    }

    /// The place of a question among these, whichever item was shown first.
    fn position(&self, answered: &PreferenceAnswer) -> Option<usize> {
        let PreferenceAnswer { query, a, b, .. } = answered;
        self.pairs.iter().position(|pair| {
            let same = pair.a == *a && pair.b == *b;
            let turned = pair.a == *b && pair.b == *a;
            pair.query == *query && (same || turned)
        })
    }

    /// Whether they are questions about these lists.
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

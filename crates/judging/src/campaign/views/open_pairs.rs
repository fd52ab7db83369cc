//! Open pairs: the questions to ask now.

use schemars::JsonSchema;
use serde::Serialize;

use crate::campaign::Campaign;
use crate::campaign::actions::exclusion::QueryPair;
use crate::campaign::engine::pair::{PairRecord, pair_key};
use crate::campaign::engine::schedule::PairRequestError;
use crate::campaign::log::Stamp;
use crate::campaign::log::store::CampaignStore;
use crate::campaign::session::{CampaignSession, RecordError};

partita_named::named_enum! {
    /// State of an open pair.
    pub enum OpenPairState: "state of a question" {
        /// It was given out now
        New = "new",
        /// It was given out before and lacks answers
        Pending = "pending",
    }
}

/// Requested pair that lacks answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct OpenPair {
    /// Number of the last batch that requested the pair, from 1.
    pub batch: u32,
    /// Identifier: batch number and position in the batch.
    pub pair: String,
    /// Query name.
    pub query: String,
    /// The item shown first.
    pub a: String,
    /// The item shown second.
    pub b: String,
    /// Number of answers that are missing.
    pub votes: u32,
    /// New, or pending from an earlier batch.
    pub state: OpenPairState,
}

/// All pairs to ask now, pending pairs first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct OpenPairs {
    /// Name of the campaign.
    pub campaign: String,
    /// Pairs in the order in which they are asked.
    pub pairs: Vec<OpenPair>,
}

impl OpenPairs {
    /// Returns the pairs in one state.
    pub fn in_state(&self, state: OpenPairState) -> impl Iterator<Item = &OpenPair> {
        self.pairs.iter().filter(move |pair| pair.state == state)
    }
}

/// Reason why no pairs were requested.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum AskError<E> {
    /// The named pair cannot be requested.
    #[error(transparent)]
    NotAsked(#[from] PairRequestError),
    /// The batch could not be recorded.
    #[error(transparent)]
    NotRecorded(#[from] RecordError<E>),
}

impl OpenPair {
    pub(crate) fn new(
        query: &str,
        [a, b]: [String; 2],
        votes: u32,
        pair: &PairRecord,
        before: u32,
    ) -> Self {
        Self {
            batch: pair.batch,
            pair: format!("{}-{}", pair.batch, pair.position),
            query: query.to_owned(),
            a,
            b,
            votes,
            state: if pair.batch > before {
                OpenPairState::New
            } else {
                OpenPairState::Pending
            },
        }
    }
}

impl Campaign {
    /// Returns the requested pairs that lack answers. Pairs of batches after `before` are marked as
    /// new.
    pub fn open_pairs(&self, before: u32) -> OpenPairs {
        let mut pairs = self.open_pairs_since(before);
        pairs.sort_by_key(|pair| pair.state == OpenPairState::New);
        OpenPairs {
            campaign: self.spec().name.clone(),
            pairs,
        }
    }

    /// Returns a pair that was requested by name, even if the strategy does not need it.
    fn open_pair_by_name(
        &self,
        QueryPair { query, a, b }: &QueryPair,
        before: u32,
    ) -> Option<OpenPair> {
        let list = &self.lists[self.query(query).ok()?];
        let (x, y) = list.two_items(a, b).ok()?;
        let pair = list.pairs.get(&pair_key(list.class(x), list.class(y)))?;
        let items = [a.clone(), b.clone()];
        Some(OpenPair::new(
            query,
            items,
            pair.outstanding(),
            pair,
            before,
        ))
    }
}

impl<S: CampaignStore> CampaignSession<S> {
    /// Records all due batches, plus one named pair even if the strategy does not need it. The
    /// requests are in the log before this returns the open pairs.
    pub fn ask(
        &mut self,
        stamp: &Stamp,
        by_hand: Option<&QueryPair>,
    ) -> Result<OpenPairs, AskError<S::Error>> {
        let before = self.campaign().last_batch();
        if let Some(pair) = by_hand {
            let asked = self
                .campaign()
                .batch_for_pair(&pair.query, &pair.a, &pair.b)?;
            self.record(stamp, vec![asked])?;
        }
        while let Some(asked) = self.campaign().next_batch() {
            self.record(stamp, vec![asked])?;
        }
        let mut questions = self.campaign().open_pairs(before);
        if let Some(pair) = by_hand {
            let is_it = |known: &OpenPair| {
                let same = known.a == pair.a && known.b == pair.b;
                let turned = known.a == pair.b && known.b == pair.a;
                known.query == pair.query && (same || turned)
            };
            if !questions.pairs.iter().any(is_it) {
                let asked = self.campaign().open_pair_by_name(pair, before);
                questions.pairs.extend(asked);
            }
        }
        Ok(questions)
    }
}

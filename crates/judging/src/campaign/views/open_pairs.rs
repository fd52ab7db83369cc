//! What to ask people now.

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
    /// Whether a question was there before.
    pub enum OpenPairState: "state of a question" {
        /// It was given out now
        New = "new",
        /// It was given out before and lacks answers
        Pending = "pending",
    }
}

/// A pair to ask people about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct OpenPair {
    /// The batch in which it was asked last, from 1.
    pub batch: u32,
    /// The batch and the place in it.
    pub pair: String,
    /// The query.
    pub query: String,
    /// The item shown first.
    pub a: String,
    /// The item shown second.
    pub b: String,
    /// How many answers are to come.
    pub votes: u32,
    /// Whether it was there before.
    pub state: OpenPairState,
}

/// All that people are to be asked now, what was asked before first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct OpenPairs {
    /// What the campaign is called.
    pub campaign: String,
    /// The pairs.
    pub pairs: Vec<OpenPair>,
}

impl OpenPairs {
    /// The questions in one state.
    pub fn in_state(&self, state: OpenPairState) -> impl Iterator<Item = &OpenPair> {
        self.pairs.iter().filter(move |pair| pair.state == state)
    }
}

/// Why nothing more was asked.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum AskError<E> {
    /// The pair that was named cannot be asked.
    #[error(transparent)]
    NotAsked(#[from] PairRequestError),
    /// What is to be asked could not be written down.
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
    /// The pairs that lack answers; those of batches after `before` are new.
    pub fn open_pairs(&self, before: u32) -> OpenPairs {
        let mut pairs = self.open_pairs_since(before);
        pairs.sort_by_key(|pair| pair.state == OpenPairState::New);
        OpenPairs {
            campaign: self.spec().name.clone(),
            pairs,
        }
    }

    /// A pair that was asked for by name, whether the strategy waits for it or not.
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
    /// Gives out all batches that are due, and one pair more if it is named, whether the strategy
    /// wants it or not. All is in the log before anybody sees it: what is returned was asked.
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

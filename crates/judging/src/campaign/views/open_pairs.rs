//! Open pairs: requested pairs that lack answers, to be asked now.

use schemars::JsonSchema;
use serde::Serialize;

use crate::campaign::Campaign;
use crate::campaign::engine::pair::{PairRecord, QueryPair};
use crate::campaign::engine::schedule::SchedulingMode;

partita_named::named_enum! {
    /// State of an open pair: requested now or before.
    pub enum OpenPairState: "state of a question" {
        /// The pair was requested now
        New = "new",
        /// The pair was requested before and lacks answers
        Pending = "pending",
    }
}

/// Requested pair that lacks answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct OpenPair {
    /// Number of the last batch that requested the pair, from 1.
    pub batch: u32,
    /// Identifier of the question: number of the batch and position in the batch, as in `3-12`.
    pub pair: String,
    /// Query name.
    pub query: String,
    /// The item shown first.
    pub a: String,
    /// The item shown second.
    pub b: String,
    /// Number of requested answers that are missing.
    pub votes: u32,
    /// New if requested now, pending if requested by an earlier batch.
    pub state: OpenPairState,
}

/// All requested pairs that lack answers, those of earlier batches first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct OpenPairs {
    /// Name of the campaign.
    pub campaign: String,
    /// Open pairs in the order in which they are asked.
    pub pairs: Vec<OpenPair>,
}

impl OpenPairs {
    /// Returns the open pairs that are in this state.
    pub fn in_state(&self, state: OpenPairState) -> impl Iterator<Item = &OpenPair> {
        self.pairs.iter().filter(move |pair| pair.state == state)
    }
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
    /// Returns the requested pairs that are still needed and lack answers. Pairs that a batch with
    /// a number above `before` requested are marked as new and come last.
    pub fn open_pairs(&self, before: u32) -> OpenPairs {
        let mut pairs = self.open_pairs_in_request_order(before);
        pairs.sort_by_key(|pair| pair.state == OpenPairState::New);
        OpenPairs {
            campaign: self.spec().name.clone(),
            pairs,
        }
    }

    /// Returns the requested pairs that are still needed and lack answers, in the order of their
    /// requests. Pairs that a batch with a number above `before` requested are marked as new. Empty
    /// while the campaign is paused.
    pub fn open_pairs_in_request_order(&self, before: u32) -> Vec<OpenPair> {
        if self.is_paused() {
            return Vec::new();
        }
        let context = self.list_context();
        let mut open = Vec::new();
        for list in &self.lists {
            for need in list.votes_needed(&context, SchedulingMode::Rounds) {
                let Some(pair) = list.pairs.get(&need.pair) else {
                    continue;
                };
                let votes = need.missing.min(pair.outstanding_answers());
                if votes > 0 {
                    let (low, high) = need.pair;
                    let items = if pair.swapped {
                        [high, low]
                    } else {
                        [low, high]
                    };
                    let [a, b] = items.map(|class| list.class_name(class).to_owned());
                    let question = OpenPair::new(&list.name, [a, b], votes, pair, before);
                    open.push(((pair.batch, pair.position), question));
                }
            }
        }
        open.sort_by_key(|(place, _)| *place);
        open.into_iter().map(|(_, question)| question).collect()
    }

    /// Returns the named pair with its number of missing answers, even if the strategy does not
    /// need the pair. It is marked as new if a batch with a number above `before` requested it.
    pub(crate) fn open_pair_by_name(
        &self,
        QueryPair { query, a, b }: &QueryPair,
        before: u32,
    ) -> Option<OpenPair> {
        let (list, pair) = self.find_pair(query, a, b)?;
        let pair = list.pairs.get(&pair)?;
        let items = [a.clone(), b.clone()];
        let votes = pair.outstanding_answers();
        Some(OpenPair::new(query, items, votes, pair, before))
    }
}

//! What to ask people now.

use schemars::JsonSchema;
use serde::Serialize;

use super::Campaign;
use super::exclusion::PairName;
use super::log::Stamp;
use super::pair::{Pair, key};
use super::plan::NotAsked;
use super::session::{NotRecorded, Session};
use super::store::Store;

partita_stats::named! {
    /// Whether a question was there before.
    pub enum QuestionState: "state of a question" {
        /// It was given out now
        New = "new",
        /// It was given out before and lacks answers
        Pending = "pending",
    }
}

/// A pair to ask people about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Question {
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
    pub state: QuestionState,
}

/// All that people are to be asked now, what was asked before first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Questions {
    /// What the campaign is called.
    pub campaign: String,
    /// The pairs.
    pub pairs: Vec<Question>,
}

impl Questions {
    /// The questions in one state.
    pub fn in_state(&self, state: QuestionState) -> impl Iterator<Item = &Question> {
        self.pairs.iter().filter(move |pair| pair.state == state)
    }
}

/// Why nothing more was asked.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum NoQuestions<E> {
    /// The pair that was named cannot be asked.
    #[error(transparent)]
    NotAsked(#[from] NotAsked),
    /// What is to be asked could not be written down.
    #[error(transparent)]
    NotRecorded(#[from] NotRecorded<E>),
}

impl Question {
    pub(super) fn new(
        query: &str,
        [a, b]: [String; 2],
        votes: u32,
        pair: &Pair,
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
                QuestionState::New
            } else {
                QuestionState::Pending
            },
        }
    }
}

impl Campaign {
    /// The pairs that lack answers; those of batches after `before` are new.
    pub fn questions(&self, before: u32) -> Questions {
        let mut pairs = self.open_pairs(before);
        pairs.sort_by_key(|pair| pair.state == QuestionState::New);
        Questions {
            campaign: self.settings().campaign.clone(),
            pairs,
        }
    }

    /// A pair that was asked for by name, whether the strategy waits for it or not.
    fn asked_by_hand(&self, PairName { query, a, b }: &PairName, before: u32) -> Option<Question> {
        let list = &self.lists[self.query(query).ok()?];
        let (x, y) = list.two_items(a, b).ok()?;
        let pair = list.pairs.get(&key(list.class(x), list.class(y)))?;
        let items = [a.clone(), b.clone()];
        Some(Question::new(
            query,
            items,
            pair.outstanding(),
            pair,
            before,
        ))
    }
}

impl<S: Store> Session<S> {
    /// Gives out all batches that are due, and one pair more if it is named, whether the strategy
    /// wants it or not. All is in the log before anybody sees it: what is returned was asked.
    pub fn ask(
        &mut self,
        stamp: &Stamp,
        by_hand: Option<&PairName>,
    ) -> Result<Questions, NoQuestions<S::Error>> {
        let before = self.campaign().batches();
        if let Some(pair) = by_hand {
            let asked = self.campaign().ask_for(&pair.query, &pair.a, &pair.b)?;
            self.record(stamp, vec![asked])?;
        }
        while let Some(asked) = self.campaign().next_batch() {
            self.record(stamp, vec![asked])?;
        }
        let mut questions = self.campaign().questions(before);
        if let Some(pair) = by_hand {
            let is_it = |known: &Question| {
                let same = known.a == pair.a && known.b == pair.b;
                let turned = known.a == pair.b && known.b == pair.a;
                known.query == pair.query && (same || turned)
            };
            if !questions.pairs.iter().any(is_it) {
                let asked = self.campaign().asked_by_hand(pair, before);
                questions.pairs.extend(asked);
            }
        }
        Ok(questions)
    }
}

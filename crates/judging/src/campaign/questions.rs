//! What to ask people now.

use schemars::JsonSchema;
use serde::Serialize;

use super::Campaign;
use super::exclusion::PairName;
use super::log::Stamp;
use super::plan::{NotAsked, OpenPair};
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

impl Campaign {
    /// The pairs that lack answers; those of batches after `before` are new.
    pub fn questions(&self, before: u32) -> Questions {
        let pairs = self.open_pairs().into_iter();
        let mut pairs: Vec<Question> = pairs.map(|pair| question(pair, before)).collect();
        pairs.sort_by_key(|pair| pair.state == QuestionState::New);
        Questions {
            campaign: self.settings().campaign.clone(),
            pairs,
        }
    }

    /// A pair that was asked for by name and that the strategy does not wait for.
    fn asked_by_hand(&self, pair: &PairName) -> Option<OpenPair> {
        let this = |x: &str, y: &str| (x == pair.a && y == pair.b) || (x == pair.b && y == pair.a);
        let states = self.pair_states(self.list_of(&pair.query)?);
        let state = (states.into_iter()).find(|state| this(&state.a, &state.b))?;
        Some(OpenPair {
            query: pair.query.clone(),
            a: pair.a.clone(),
            b: pair.b.clone(),
            votes: state.asked.saturating_sub(state.returned),
            batch: state.batch,
            position: 1,
        })
    }
}

fn question(pair: OpenPair, before: u32) -> Question {
    Question {
        batch: pair.batch,
        pair: format!("{}-{}", pair.batch, pair.position),
        query: pair.query,
        a: pair.a,
        b: pair.b,
        votes: pair.votes,
        state: if pair.batch > before {
            QuestionState::New
        } else {
            QuestionState::Pending
        },
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
            let known = questions.pairs.iter().any(|known| {
                known.query == pair.query
                    && ((known.a == pair.a && known.b == pair.b)
                        || (known.a == pair.b && known.b == pair.a))
            });
            let asked = (!known)
                .then(|| self.campaign().asked_by_hand(pair))
                .flatten();
            let pair = asked.map(|asked| question(asked, before));
            questions.pairs.extend(pair);
        }
        Ok(questions)
    }
}

//! State of one pair: its requests, its answers and its votes.

use partita_core::{Item, Preference};
use schemars::JsonSchema;
use serde::Serialize;
use smallvec::SmallVec;

use super::answer_status::AnswerStatus;
use super::list::ListContext;
use crate::strategy::Strategy;
use crate::votes::Votes;

/// Two classes of identical items by number, the lower first.
pub(crate) type PairKey = (Item, Item);

/// Location of an answer or a question: list index, and items in the order shown.
pub(crate) type PairLocation = (usize, (Item, Item));

/// Two items of a query, by name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, JsonSchema)]
pub struct QueryPair {
    /// Query name.
    pub query: String,
    /// First item.
    pub a: String,
    /// Second item.
    pub b: String,
}

pub(crate) fn pair_key(a: Item, b: Item) -> PairKey {
    (a.min(b), a.max(b))
}

/// State of one pair.
#[derive(Clone, Debug, Default)]
pub(crate) struct PairRecord {
    /// Number of requested votes in total; 0 if the pair was never requested.
    pub(crate) votes: u32,
    /// Number of requested answers.
    pub(crate) expected: u32,
    /// Number of requested answers that arrived, whatever their status.
    pub(crate) returned: u32,
    /// Number of the last batch that requested the pair; `position` is its position in that batch.
    pub(crate) batch: u32,
    pub(crate) position: u32,
    /// True if that batch showed the class with the higher number first.
    pub(crate) swapped: bool,
    /// Answers about the pair: index into the list's answers, and assessor. Many pairs have one or
    /// two answers, which are stored inline.
    pub(crate) answers: SmallVec<[(u32, Item); 2]>,
    /// Tally of the answers.
    pub(crate) tally: VoteTally,
    /// Number of requested votes that are missing.
    pub(crate) missing_votes: u32,
}

/// Tally of the answers about a pair; `a` is the class with the lower number.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct VoteTally {
    /// Votes visible to the strategy.
    pub(crate) counted: Votes,
    /// Votes held out from the strategy.
    pub(crate) held_out: Votes,
    /// Number of valid answers in excess of the requested votes. They become votes if more are
    /// requested.
    pub(crate) spare: u32,
    /// Number of votes for which the class with the lower number was shown first.
    pub(crate) low_first: u32,
}

impl VoteTally {
    /// Returns the number of votes, held-out votes included.
    pub(crate) fn votes(&self) -> u32 {
        self.counted.len() + self.held_out.len()
    }
}

/// Rule for counting the answers of one pair.
#[derive(Clone, Copy)]
pub(crate) struct CountingRule<'a> {
    /// Strategy that decides when a pair has enough votes.
    pub(crate) strategy: &'a dyn Strategy,
    /// Number of votes on this pair to hold out from the strategy.
    pub(crate) held_out: u32,
    /// Context shared by all lists.
    pub(crate) context: &'a ListContext<'a>,
}

impl CountingRule<'_> {
    /// Returns true if these votes leave the pair undecided, under the current spec or the spec in
    /// force when the answer with this number arrived.
    fn wants_more(&self, number: usize, known: Votes) -> bool {
        self.strategy.decided_relation(known).is_none() || self.context.wanted_more(number, known)
    }
}

impl PairRecord {
    /// Returns the number of requested answers that have not arrived.
    pub(crate) fn outstanding(&self) -> u32 {
        self.expected.saturating_sub(self.returned)
    }

    /// Returns the number of requested votes that are missing. Blank answers and answers of
    /// excluded assessors do not fulfil a request. It stays in force until the votes have arrived
    /// or fewer votes decide the pair.
    pub(crate) fn lacks(&self, counting: CountingRule<'_>) -> u32 {
        // The spec may require fewer votes now than at the time of the request.
        let wanted = self.votes.min(counting.context.votes + counting.held_out);
        let lacks = wanted.saturating_sub(self.tally.votes());
        if lacks > 0
            && counting
                .strategy
                .decided_relation(self.tally.counted)
                .is_some()
        {
            let held_out = counting.held_out;
            return lacks.min(held_out.saturating_sub(self.tally.held_out.len()));
        }
        lacks
    }

    /// Adds an answer to the tally and returns its status. The answer must be the first one of an
    /// assessor who is not excluded.
    pub(crate) fn count(
        &mut self,
        stored: &StoredAnswer,
        answer: Preference,
        counting: CountingRule<'_>,
    ) -> AnswerStatus {
        let tally = &mut self.tally;
        let shown = if stored.high_first {
            answer.mirrored()
        } else {
            answer
        };
        let status = if tally.held_out.len() < counting.held_out {
            tally.held_out.add(shown);
            AnswerStatus::HeldOut
        } else if tally.votes() < self.votes && counting.wants_more(stored.number, tally.counted) {
            tally.counted.add(shown);
            AnswerStatus::Counted
        } else {
            tally.spare += 1;
            return match stored.origin {
                AnswerOrigin::Adopted(_) if self.votes == 0 => AnswerStatus::Spare,
                AnswerOrigin::Batch { is_late: true, .. } => AnswerStatus::Late,
                _ => AnswerStatus::Surplus,
            };
        };
        tally.low_first += u32::from(!stored.high_first);
        status
    }
}

/// Answer in the log.
#[derive(Clone, Debug)]
pub(crate) struct StoredAnswer {
    /// Number of the answer among all answers of the campaign.
    pub(crate) number: usize,
    /// Items in the order shown.
    pub(crate) a: Item,
    pub(crate) b: Item,
    /// True if the class with the higher number was shown first.
    pub(crate) high_first: bool,
    pub(crate) assessor: Item,
    pub(crate) answer: Option<Preference>,
    pub(crate) seconds: Option<f64>,
    pub(crate) time: Option<f64>,
    pub(crate) id: Option<String>,
    /// Origin of the answer.
    pub(crate) origin: AnswerOrigin,
    /// Current status of the answer.
    pub(crate) status: AnswerStatus,
}

impl StoredAnswer {
    /// Returns true if this is the assessor's first valid answer to the pair: a vote, or an answer
    /// that is only spare, surplus or late.
    pub(crate) fn is_first(&self) -> bool {
        let spare = matches!(
            self.status,
            AnswerStatus::Late | AnswerStatus::Spare | AnswerStatus::Surplus
        );
        self.status.is_vote() || spare
    }
}

/// Origin of an answer.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum AnswerOrigin {
    /// The pair had not been requested when the answer arrived.
    Unasked,
    /// The pair had been requested, most recently in this batch.
    Batch {
        number: u32,
        /// True if a later batch had already requested pairs of the list when the answer arrived.
        is_late: bool,
    },
    /// Imported answer, with the batch name given by its source.
    Adopted(Option<String>),
}

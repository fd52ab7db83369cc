//! State of one pair of items: its requests, its answers and its votes.

use partita_core::judgment::{Playback, Question, StimulusPart};
use partita_core::{Item, Preference};
use schemars::JsonSchema;
use serde::Serialize;
use smallvec::SmallVec;

use super::answer_status::AnswerStatus;
use super::list::ListContext;
use crate::strategy::Strategy;
use crate::votes::Votes;

/// Pair of two class numbers, the lower first. Items with the same content form one class.
pub(crate) type PairKey = (Item, Item);

/// Location of a pair: list index, and the two items in the order shown.
pub(crate) type PairLocation = (usize, (Item, Item));

/// Query and two of its items, by name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, JsonSchema)]
pub struct QueryPair {
    /// Query name.
    pub query: String,
    /// Name of the first item.
    pub a: String,
    /// Name of the second item.
    pub b: String,
}

impl QueryPair {
    /// Returns the pair of a question in the order shown, or `None` if the question does not ask
    /// for a preference.
    pub fn from_question(question: &Question) -> Option<Self> {
        let [a, b] = question.pair()?;
        Some(Self {
            query: question.query.clone(),
            a: a.to_owned(),
            b: b.to_owned(),
        })
    }
}

/// Returns the pair of two classes with the lower number first.
pub(crate) fn pair_key(a: Item, b: Item) -> PairKey {
    (a.min(b), a.max(b))
}

/// Requests, answers and votes of one pair.
#[derive(Clone, Debug, Default)]
pub(crate) struct PairRecord {
    /// Total number of votes that the pair should have: the largest number in any request; 0 if the
    /// pair was never requested.
    pub(crate) requested_votes: u32,
    /// Number of answers that were requested, whether they arrived or not.
    pub(crate) requested_answers: u32,
    /// Number of requested answers that arrived, whatever their status.
    pub(crate) arrived_answers: u32,
    /// Number of the last batch that requested answers about the pair.
    pub(crate) batch: u32,
    /// Position of the pair, from 1, in the last batch that requested answers about it.
    pub(crate) position: u32,
    /// True if the last batch that requested answers about the pair showed the class with the
    /// higher number first.
    pub(crate) swapped: bool,
    /// Answers about the pair: index into the list's answers, and assessor index. Many pairs have
    /// one or two answers, which are stored inline.
    pub(crate) answers: SmallVec<[(u32, Item); 2]>,
    /// Numbers of votes among `answers`.
    pub(crate) tally: VoteTally,
    /// Number of requested votes that are missing.
    pub(crate) missing_votes: u32,
}

/// Numbers of votes on a pair. In [`Votes`], `a` is the class with the lower number.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct VoteTally {
    /// Votes that the strategy sees.
    pub(crate) counted: Votes,
    /// Held-out votes, which check the list and which the strategy does not see.
    pub(crate) held_out: Votes,
    /// Number of valid answers in excess of the requested votes. They become votes if more are
    /// requested.
    pub(crate) surplus: u32,
    /// Number of votes for which the class with the lower number was shown first.
    pub(crate) lower_class_first: u32,
}

impl VoteTally {
    /// Returns the number of votes, held-out votes included.
    pub(crate) fn votes(&self) -> u32 {
        self.counted.len() + self.held_out.len()
    }
}

/// Inputs that decide which answers about one pair count as votes.
#[derive(Clone, Copy)]
pub(crate) struct CountingRule<'a> {
    /// Strategy that decides when a pair has enough votes.
    pub(crate) strategy: &'a dyn Strategy,
    /// Number of held-out votes that this pair gets: votes that the strategy does not see.
    pub(crate) held_out: u32,
    /// Data that all lists of the campaign share.
    pub(crate) context: &'a ListContext<'a>,
}

impl CountingRule<'_> {
    /// Returns true if `votes` leave the pair undecided, under the current specification or under
    /// the one in force when the answer with this number arrived.
    fn is_undecided_for(&self, number: usize, votes: Votes) -> bool {
        self.strategy.decided_relation(votes).is_none()
            || self.context.was_undecided_at(number, votes)
    }
}

impl PairRecord {
    /// Returns the number of requested answers that have not arrived.
    pub(crate) fn outstanding_answers(&self) -> u32 {
        self.requested_answers.saturating_sub(self.arrived_answers)
    }

    /// Returns the number of requested votes that the pair lacks. Blank answers and answers of
    /// excluded assessors do not fulfil a request. A request stays in force until its votes have
    /// arrived or fewer votes decide the pair.
    pub(crate) fn count_missing_votes(&self, counting: CountingRule<'_>) -> u32 {
        // The spec may require fewer votes now than at the time of the request.
        let wanted = self
            .requested_votes
            .min(counting.context.votes + counting.held_out);
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

    /// Counts an answer in `tally` and returns its status. The answer must be the first answer to
    /// the pair by an assessor who is not excluded.
    pub(crate) fn count_answer(
        &mut self,
        stored: &StoredAnswer,
        answer: Preference,
        counting: CountingRule<'_>,
    ) -> AnswerStatus {
        let tally = &mut self.tally;
        let shown = if stored.higher_class_first {
            answer.mirrored()
        } else {
            answer
        };
        let status = if tally.held_out.len() < counting.held_out {
            tally.held_out.add(shown);
            AnswerStatus::HeldOut
        } else if tally.votes() < self.requested_votes
            && counting.is_undecided_for(stored.number, tally.counted)
        {
            tally.counted.add(shown);
            AnswerStatus::Counted
        } else {
            tally.surplus += 1;
            return match stored.origin {
                AnswerOrigin::Adopted(_) if self.requested_votes == 0 => AnswerStatus::Spare,
                AnswerOrigin::Batch { is_late: true, .. } => AnswerStatus::Late,
                _ => AnswerStatus::Surplus,
            };
        };
        tally.lower_class_first += u32::from(!stored.higher_class_first);
        status
    }
}

/// Parts of a question about a pair that can be played, in the order in which results name them.
pub(crate) const PLAYED_PARTS: [StimulusPart; 3] =
    [StimulusPart::Query, StimulusPart::A, StimulusPart::B];

/// Preference answer about a pair, with its current status.
#[derive(Clone, Debug)]
pub(crate) struct StoredAnswer {
    /// Number of the answer among all answers of the campaign, from 0.
    pub(crate) number: usize,
    /// Item shown first.
    pub(crate) a: Item,
    /// Item shown second.
    pub(crate) b: Item,
    /// True if the class of the item shown first has the higher number.
    pub(crate) higher_class_first: bool,
    pub(crate) assessor: Item,
    pub(crate) answer: Option<Preference>,
    pub(crate) seconds: Option<f64>,
    pub(crate) time: Option<f64>,
    /// Playback of the query, the first and the second item; `None` for a part that is no clip.
    pub(crate) playback: [Option<Playback>; 3],
    /// Time during which the page was not visible, in seconds.
    pub(crate) hidden_seconds: Option<f64>,
    pub(crate) id: Option<String>,
    /// Origin of the answer: requested in a batch, not requested, or imported.
    pub(crate) origin: AnswerOrigin,
    /// Current status of the answer, which says whether it counts as a vote.
    pub(crate) status: AnswerStatus,
}

impl StoredAnswer {
    /// Returns true if this is the assessor's first valid answer to the pair: it is a vote, or it
    /// would be one if the pair did not have all its votes.
    pub(crate) fn is_first_valid(&self) -> bool {
        let surplus = matches!(
            self.status,
            AnswerStatus::Late | AnswerStatus::Spare | AnswerStatus::Surplus
        );
        self.status.is_vote() || surplus
    }
}

/// Origin of an answer: requested in a batch, not requested, or imported.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum AnswerOrigin {
    /// The pair had not been requested when the answer arrived.
    Unasked,
    /// The pair had been requested, most recently in the batch with this number.
    Batch {
        number: u32,
        /// True if a later batch had already requested pairs of the list when the answer arrived.
        is_late: bool,
    },
    /// Imported answer, with the batch name given by its source.
    Adopted(Option<String>),
}

//! A pair of a list: what was asked about it, what came back, and what counts.

use partita_core::{Item, Preference};
use smallvec::SmallVec;

use super::answer_status::AnswerStatus;
use super::list::ListContext;
use crate::strategy::Strategy;
use crate::votes::Votes;

/// Two classes of identical items by their numbers, the lower first.
pub(crate) type PairKey = (Item, Item);

/// Where an answer or a question belongs: its list, and its items as they are shown.
pub(crate) type PairLocation = (usize, (Item, Item));

pub(crate) fn pair_key(a: Item, b: Item) -> PairKey {
    (a.min(b), a.max(b))
}

/// What is known of a pair.
#[derive(Clone, Debug, Default)]
pub(crate) struct PairRecord {
    /// How many votes it should have in the end; 0 if it was never asked.
    pub(crate) votes: u32,
    /// How many answers were asked for.
    pub(crate) expected: u32,
    /// How many of those came back, whatever became of them.
    pub(crate) returned: u32,
    /// The batch in which it was asked last, and its place in it.
    pub(crate) batch: u32,
    pub(crate) position: u32,
    /// Whether the class with the higher number was shown first then.
    pub(crate) swapped: bool,
    /// The answers about it, by their places in the list's, and who gave each. Many pairs have one or two, which
    /// take no more room than where others would be.
    pub(crate) answers: SmallVec<[(u32, Item); 2]>,
    /// What they make.
    pub(crate) tally: VoteTally,
    /// How many votes it lacks of those that it was asked for.
    pub(crate) missing_votes: u32,
}

/// What the answers about a pair make, the class with the lower number being a.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct VoteTally {
    /// The votes that the strategy knows.
    pub(crate) counted: Votes,
    /// The votes that are kept from it.
    pub(crate) held_out: Votes,
    /// The answers that would count if the pair was asked for more votes.
    pub(crate) spare: u32,
    /// How many of the votes saw the class with the lower number first.
    pub(crate) low_first: u32,
}

impl VoteTally {
    /// How many votes there are.
    pub(crate) fn votes(&self) -> u32 {
        self.counted.len() + self.held_out.len()
    }
}

/// How the answers about one pair are judged.
#[derive(Clone, Copy)]
pub(crate) struct CountingRule<'a> {
    /// The strategy, which knows when votes decide a pair.
    pub(crate) strategy: &'a dyn Strategy,
    /// How many votes on the pair are kept from it.
    pub(crate) held_out: u32,
    /// What all lists share.
    pub(crate) rules: &'a ListContext<'a>,
}

impl CountingRule<'_> {
    /// Whether these votes do not decide the pair, now or by the settings when an answer came.
    fn wants_more(&self, number: usize, known: Votes) -> bool {
        self.strategy.decided_relation(known).is_none() || self.rules.wanted_more(number, known)
    }
}

impl PairRecord {
    /// How many answers are still to come.
    pub(crate) fn outstanding(&self) -> u32 {
        self.expected.saturating_sub(self.returned)
    }

    /// How many votes it lacks of those that it was asked for: what is asked stays wanted until the
    /// votes are there, whoever is excluded or leaves a question blank, or until fewer decide it.
    pub(crate) fn lacks(&self, measure: CountingRule<'_>) -> u32 {
        // Fewer may be wanted by now than when it was asked.
        let wanted = self.votes.min(measure.rules.votes + measure.held_out);
        let lacks = wanted.saturating_sub(self.tally.votes());
        if lacks > 0
            && measure
                .strategy
                .decided_relation(self.tally.counted)
                .is_some()
        {
            let held_out = measure.held_out;
            return lacks.min(held_out.saturating_sub(self.tally.held_out.len()));
        }
        lacks
    }

    /// Takes in the first answer of a person who is not excluded, and says what becomes of it.
    pub(crate) fn count(
        &mut self,
        kept: &StoredAnswer,
        answer: Preference,
        measure: CountingRule<'_>,
    ) -> AnswerStatus {
        let tally = &mut self.tally;
        let shown = if kept.high_first {
            answer.mirrored()
        } else {
            answer
        };
        let flag = if tally.held_out.len() < measure.held_out {
            tally.held_out.add(shown);
            AnswerStatus::HeldOut
        } else if tally.votes() < self.votes && measure.wants_more(kept.number, tally.counted) {
            tally.counted.add(shown);
            AnswerStatus::Counted
        } else {
            tally.spare += 1;
            return match kept.origin {
                AnswerOrigin::Adopted(_) if self.votes == 0 => AnswerStatus::Spare,
                AnswerOrigin::Batch { is_late: true, .. } => AnswerStatus::Late,
                _ => AnswerStatus::Surplus,
            };
        };
        tally.low_first += u32::from(!kept.high_first);
        flag
    }
}

/// An answer that is in the log.
#[derive(Clone, Debug)]
pub(crate) struct StoredAnswer {
    /// Its place among all answers of the campaign.
    pub(crate) number: usize,
    /// The items as they were shown.
    pub(crate) a: Item,
    pub(crate) b: Item,
    /// Whether the class with the higher number was shown first.
    pub(crate) high_first: bool,
    pub(crate) assessor: Item,
    pub(crate) answer: Option<Preference>,
    pub(crate) seconds: Option<f64>,
    pub(crate) time: Option<f64>,
    pub(crate) id: Option<String>,
    /// Where it comes from.
    pub(crate) origin: AnswerOrigin,
    /// What became of it.
    pub(crate) flag: AnswerStatus,
}

impl StoredAnswer {
    /// Whether it is the first answer of a person who was asked: a vote, or one but for others.
    pub(crate) fn is_first(&self) -> bool {
        let spare = matches!(
            self.flag,
            AnswerStatus::Late | AnswerStatus::Spare | AnswerStatus::Surplus
        );
        self.flag.is_vote() || spare
    }
}

/// Where an answer comes from.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum AnswerOrigin {
    /// The campaign had not asked for it.
    Unasked,
    /// The campaign asked its pair in this batch.
    Batch {
        number: u32,
        /// Whether the campaign had gone on to other pairs of the list when it came.
        is_late: bool,
    },
    /// It was adopted, with the batch that it had where it comes from.
    Adopted(Option<String>),
}

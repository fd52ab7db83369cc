//! What is asked next.

use partita_core::Item;
use partita_stats::random::{shuffle, stream, stream_id, uniform_index};

use super::answer_status::InputError;
use super::list::{ListContext, ListRecord};
use super::pair::{PairKey, pair_key};
use crate::campaign::Campaign;
use crate::campaign::log::event::{BatchPair, Event};
use crate::campaign::views::open_pairs::OpenPair;
use crate::strategy::PairRequest;
use crate::votes::relation::Relation;

/// A pair that needs votes, asked already or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NeededPair {
    /// One item.
    pub a: String,
    /// The other.
    pub b: String,
    /// How many votes it needs.
    pub votes: u32,
    /// How many of them have not been asked for yet.
    pub unasked: u32,
}

/// Why a pair is not asked.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PairRequestError {
    /// It is no pair of the campaign.
    #[error(transparent)]
    Refused(#[from] InputError),
    /// The two have the same content, so that they are equal without a question.
    #[error("the two have the same content, so they are equal without a question")]
    Identical,
    /// Its votes decide it already.
    #[error("the pair is decided already ({}, by {votes} of its votes)", relation.name())]
    Decided {
        /// How a relates to b.
        relation: Relation,
        /// By how many votes.
        votes: u32,
    },
    /// It waits for answers already.
    #[error("the pair is asked already and waits for {0} more answers")]
    AlreadyRequested(u32),
}

/// How far ahead of the answers a list is asked.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum SchedulingMode {
    /// A strategy that asks in rounds gets the answers of one before it asks the next: for sheets,
    /// where what is given out is given out whoever has time for it.
    Rounds,
    /// What the strategy wants beside what is out, so that nobody waits for anybody.
    Continuous,
}

/// What a pair needs.
pub(crate) struct PairNeed {
    pair: PairKey,
    /// The votes it should have in the end.
    votes: u32,
    /// The answers that are missing.
    missing: u32,
}

impl ListRecord {
    /// The pairs that need answers.
    pub(crate) fn needs(&self, rules: &ListContext<'_>, pace: SchedulingMode) -> Vec<PairNeed> {
        if self.closed.is_some() || !rules.asks_pairs {
            return Vec::new();
        }
        self.needs_for_requests(self.requests(rules), rules, pace)
    }

    /// The same where the strategy wants to know this.
    pub(crate) fn needs_for_requests(
        &self,
        requests: &[PairRequest],
        rules: &ListContext<'_>,
        pace: SchedulingMode,
    ) -> Vec<PairNeed> {
        if self.closed.is_some() || !rules.asks_pairs {
            return Vec::new();
        }
        let held_alone = self.held_out.iter();
        let held_alone = held_alone.map(|&pair| (pair, rules.held_out_votes));
        let mut wanted: Vec<(PairKey, u32)> = held_alone.collect();
        let in_rounds = self.strategy(rules.strategy).asks_in_rounds();
        let waiting = in_rounds && !requests.is_empty() && !self.incomplete_pairs.is_empty();
        if waiting {
            // What was asked stays wanted until it has its votes, unless the list is settled.
            let asked = self.incomplete_pairs.iter();
            wanted.extend(asked.map(|pair| (*pair, self.target(pair))));
        }
        if !waiting || pace == SchedulingMode::Continuous {
            wanted.extend(requests.iter().map(|request| {
                let pair = pair_key(request.a, request.b);
                (pair, request.votes + self.held_out_votes(&pair, rules))
            }));
        }
        wanted.sort_unstable();
        // A pair that is wanted for several reasons needs the votes of all.
        wanted.dedup_by(|later, first| {
            let same = later.0 == first.0;
            if same {
                first.1 = first.1.max(later.1);
            }
            same
        });
        let need = |(pair, votes): (PairKey, u32)| {
            let tally = self.tally(&pair);
            // Answers that were one too many come in useful.
            let missing = votes.saturating_sub(tally.votes() + tally.spare);
            let more = votes > self.target(&pair) && votes > tally.votes();
            (missing > 0 || (tally.spare > 0 && more)).then_some(PairNeed {
                pair,
                votes,
                missing,
            })
        };
        wanted.into_iter().filter_map(need).collect()
    }
}

impl Campaign {
    /// The batch of pairs to ask now of all lists, in a random order and with random sides; nothing if
    /// all that is wanted has been asked, or while the campaign is paused. A strategy that asks in rounds
    /// waits for the answers of one before it asks the next.
    ///
    /// It is to be [applied](Campaign::apply) once it is in the log. A batch that asks nobody
    /// (all its [`AskedPair::more`] are 0) only says that surplus answers count from now on; another
    /// may follow it.
    pub fn next_batch(&self) -> Option<Event> {
        let rules = self.rules();
        let lists = self.lists.iter();
        self.build_batch(lists.flat_map(|list| {
            let needs = list.needs(&rules, SchedulingMode::Rounds).into_iter();
            needs.map(move |need| (list, need))
        }))
    }

    /// What is to be asked of one list now, beside all that was asked of it and whatever other lists
    /// wait for; nothing if that is all that the strategy wants. It is applied as
    /// [`Campaign::next_batch`] is.
    ///
    /// This is the only step for which a list is fitted, and no answer and no [choice](Campaign::choose)
    /// depends on when it is done: a driver does it between answers, when a person has nothing to do, or
    /// when few of the [offers](Campaign::offers) of a list are left.
    pub fn next_list_batch(&self, list: usize) -> Option<Event> {
        let of_list = &self.lists[list];
        let needs = of_list
            .needs(&self.rules(), SchedulingMode::Continuous)
            .into_iter();
        let asked = self.build_batch(needs.map(|need| (of_list, need)));
        if asked.is_none() && !self.is_paused() {
            self.unplanned().remove(list);
        }
        asked
    }

    /// A batch of what these pairs of lists need and was not asked yet.
    pub(crate) fn build_batch<'l>(
        &self,
        needs: impl Iterator<Item = (&'l ListRecord, PairNeed)>,
    ) -> Option<Event> {
        if self.is_paused() {
            return None;
        }
        let mut found: Vec<(&ListRecord, PairNeed, u32)> = Vec::new();
        for (list, need) in needs {
            let more = need.missing.saturating_sub(list.outstanding(&need.pair));
            if more > 0 || need.votes > list.target(&need.pair) {
                found.push((list, need, more));
            }
        }
        if found.is_empty() {
            return None;
        }
        let batch = self.batches + 1;
        let mut random = stream(self.settings.seed, &[stream_id::BATCH, u64::from(batch)]);
        shuffle(&mut random, &mut found);
        let pairs = found.into_iter().map(|(list, need, more)| {
            let (mut a, mut b) = need.pair;
            if uniform_index(&mut random, 2) == 1 {
                (a, b) = (b, a);
            }
            asked(list, (a, b), need.votes, more)
        });
        Some(Event::Asked {
            batch,
            pairs: pairs.collect(),
        })
    }

    /// The pairs that were asked, are still wanted and lack answers, in the order in which they were
    /// asked; those of batches after `before` are new. None while the campaign is paused.
    pub fn open_pairs_since(&self, before: u32) -> Vec<OpenPair> {
        if self.is_paused() {
            return Vec::new();
        }
        let rules = self.rules();
        let mut open = Vec::new();
        for list in &self.lists {
            for need in list.needs(&rules, SchedulingMode::Rounds) {
                let Some(pair) = list.pairs.get(&need.pair) else {
                    continue;
                };
                let votes = need.missing.min(pair.outstanding());
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

    /// The pairs of a list that need votes now.
    pub fn needed_pairs(&self, list: usize) -> Vec<NeededPair> {
        let list = &self.lists[list];
        let needs = list
            .needs(&self.rules(), SchedulingMode::Rounds)
            .into_iter();
        let needed = needs.filter(|need| need.missing > 0).map(|need| {
            let [a, b] = [need.pair.0, need.pair.1].map(|class| list.class_name(class).to_owned());
            NeededPair {
                a,
                b,
                votes: need.missing,
                unasked: need.missing.saturating_sub(list.outstanding(&need.pair)),
            }
        });
        needed.collect()
    }

    /// A batch of this one pair, whether the strategy wants it or not.
    ///
    /// # Errors
    /// A pair that is decided already, or one that cannot be asked.
    pub fn batch_for_pair(&self, query: &str, a: &str, b: &str) -> Result<Event, PairRequestError> {
        let list = &self.lists[self.query(query)?];
        let rules = self.rules();
        let (a, b) = list.two_items(a, b)?;
        let (a, b) = (list.class(a), list.class(b));
        if a == b {
            return Err(PairRequestError::Identical);
        }
        let votes = list.votes.get(a, b);
        if let Some(relation) = list.strategy(rules.strategy).decided_relation(votes) {
            return Err(PairRequestError::Decided {
                relation,
                votes: votes.len(),
            });
        }
        let pair = pair_key(a, b);
        let outstanding = list.outstanding(&pair);
        let target = self.settings.votes + list.held_out_votes(&pair, &rules);
        match target.saturating_sub(list.tally(&pair).votes() + outstanding) {
            0 => Err(PairRequestError::AlreadyRequested(outstanding)),
            more => Ok(Event::Asked {
                batch: self.batches + 1,
                pairs: vec![asked(list, (a, b), target, more)],
            }),
        }
    }
}

fn asked(list: &ListRecord, (a, b): (Item, Item), votes: u32, more: u32) -> BatchPair {
    BatchPair {
        query: list.name.clone(),
        a: list.class_name(a).to_owned(),
        b: list.class_name(b).to_owned(),
        votes,
        new_votes: more,
    }
}

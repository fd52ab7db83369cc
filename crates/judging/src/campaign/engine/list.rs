//! List of one query in a campaign: its items, its pairs and the answers about them.

use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

use partita_core::judgment::{Answer, JudgmentKind};
use partita_core::{GroupedList, Item, Names};
use partita_stats::random::{Rng, sample_without_replacement, stream, stream_id};

use super::answer_status::AnswerStatus;
use super::pair::{
    AnswerOrigin, CountingRule, PLAYED_PARTS, PairKey, PairRecord, StoredAnswer, VoteTally,
    pair_key,
};
use super::pair_table::PairTable;
use super::records::CampaignRecords;
use crate::campaign::input_error::InputError;
use crate::campaign::kinds::latest_answers::MissingJudgments;
use crate::campaign::log::event::BatchPair;
use crate::campaign::spec::{CampaignSpec, EngineSettings, QuerySpec};
use crate::strategy::{PairRequest, Strategy};
use crate::votes::Votes;
use crate::votes::list_votes::ListVotes;

/// State of the list of one query: candidates, pair requests, answers and votes.
pub(crate) struct ListRecord {
    /// Name of the query to which the list belongs.
    pub(crate) name: String,
    /// Seed of the strategy's random draws and of the draw of the held-out pairs, derived from the
    /// campaign's seed and the query name.
    pub(crate) seed: u64,
    /// Names of all candidate items.
    pub(crate) items: Names,
    /// Number of the class of each item, by item index. Items with the same content form one class.
    class: Vec<Item>,
    /// Items of each class; the first represents the class in questions. Items with the same
    /// content form one class.
    pub(crate) members: Vec<Vec<Item>>,
    /// Strategy that uses the prior order of this list's items; `None` if the list uses the
    /// strategy of the campaign.
    pub(crate) own_strategy: Option<Arc<dyn Strategy>>,
    /// Held-out pairs: drawn at random, with votes that the strategy does not see and that check
    /// the list.
    pub(crate) held_out: BTreeSet<PairKey>,
    /// Pairs that were requested or answered.
    pub(crate) pairs: PairTable,
    /// All preference answers about this list in log order, gold pairs excluded.
    pub(crate) answers: Vec<StoredAnswer>,
    /// Number of answers in the campaign when this list was closed; `None` while it is open. Later
    /// answers do not count.
    pub(crate) closed: Option<usize>,
    /// Votes that the strategy sees, by pair. Items with the same content count as one.
    pub(crate) votes: ListVotes,
    /// Requested pairs that lack votes, sorted.
    pub(crate) incomplete_pairs: Vec<PairKey>,
    /// Number of the last batch that requested a pair of this list.
    pub(crate) last_batch: u32,
    /// Total number of missing votes over `incomplete_pairs`.
    pub(crate) missing_votes: u32,
    /// Judgments about this list other than preferences, as indices into the judgments of
    /// [`CampaignRecords`].
    pub(crate) judgments: Vec<usize>,
    /// Cache of the rankings and grades that are missing.
    pub(crate) missing_judgments: OnceLock<MissingJudgments>,
    /// Cache of the pairs that the strategy wants votes on.
    requests: OnceLock<Vec<PairRequest>>,
    /// Cache of the list that the strategy builds from the votes on this list alone.
    grouped: OnceLock<GroupedList>,
}

impl ListRecord {
    pub(crate) fn new(
        candidates: &QuerySpec,
        settings: &EngineSettings,
        strategy: &dyn Strategy,
    ) -> Option<Self> {
        let mut items = Names::with_capacity(candidates.items.len());
        for candidate in &candidates.items {
            items.intern(&candidate.item)?;
        }
        let classes = candidates.duplicate_classes();
        let mut class = vec![Item::from_index(0)?; items.len()];
        let mut members = Vec::with_capacity(classes.len());
        for (number, places) in classes.iter().enumerate() {
            for &place in places {
                class[place] = Item::from_index(number)?;
            }
            let of_class = places.iter().copied();
            members.push(of_class.filter_map(Item::from_index).collect());
        }
        let name =
            std::iter::once(stream_id::LIST_SEED).chain(candidates.query.bytes().map(u64::from));
        let seed = stream(settings.seed, &name.collect::<Vec<u64>>()).next_u64();
        let places = prior_positions(candidates, &classes);
        Some(Self {
            name: candidates.query.clone(),
            seed,
            items,
            class,
            own_strategy: (places.and_then(|places| strategy.with_prior(places))).map(Arc::from),
            held_out: draw_held_out_pairs(seed, classes.len(), settings.held_out),
            votes: ListVotes::new(members.len()),
            members,
            pairs: PairTable::default(),
            answers: Vec::new(),
            closed: None,
            incomplete_pairs: Vec::new(),
            missing_votes: 0,
            judgments: Vec::new(),
            missing_judgments: OnceLock::new(),
            last_batch: 0,
            requests: OnceLock::new(),
            grouped: OnceLock::new(),
        })
    }

    /// Replaces the candidates and the strategy by those of `extended`, which has the same
    /// candidates in the same order, followed by new ones. Existing item and pair numbers stay
    /// valid. The held-out pairs are not drawn again.
    pub(crate) fn replace_candidates(&mut self, extended: Self) {
        self.items = extended.items;
        self.class = extended.class;
        self.members = extended.members;
        self.own_strategy = extended.own_strategy;
        // `extended` has no votes yet: the caller recounts the votes on all pairs afterwards.
        self.votes = extended.votes;
    }

    /// Returns the class of an item. Items with the same content form one class.
    pub(crate) fn class(&self, item: Item) -> Item {
        self.class[item.index()]
    }

    /// Returns the pair of the classes of two items. Items with the same content form one class.
    pub(crate) fn class_pair(&self, a: Item, b: Item) -> PairKey {
        pair_key(self.class(a), self.class(b))
    }

    /// Returns the name of the item that represents a class of items with the same content.
    pub(crate) fn class_name(&self, class: Item) -> &str {
        self.items.name(self.members[class.index()][0])
    }

    /// Returns the index of an item by name.
    pub(crate) fn find_item(&self, name: &str) -> Result<Item, InputError> {
        self.items.get(name).ok_or_else(|| InputError::UnknownItem {
            query: self.name.clone(),
            item: name.to_owned(),
        })
    }

    /// Returns the indices of two different items by name.
    pub(crate) fn find_two_items(&self, a: &str, b: &str) -> Result<(Item, Item), InputError> {
        let (a, b) = (self.find_item(a)?, self.find_item(b)?);
        if a == b {
            return Err(InputError::SameItem(self.items.name(a).to_owned()));
        }
        Ok((a, b))
    }

    /// Returns the number of requested answers about a pair that have not arrived.
    pub(crate) fn outstanding_answers(&self, pair: &PairKey) -> u32 {
        self.pairs
            .get(pair)
            .map_or(0, PairRecord::outstanding_answers)
    }

    /// Returns the total number of votes requested for a pair; 0 if it was never requested.
    pub(crate) fn requested_votes(&self, pair: &PairKey) -> u32 {
        self.pairs.get(pair).map_or(0, |pair| pair.requested_votes)
    }

    /// Records that a batch of pair requests contains this pair, at `position` (from 1) in the
    /// batch. Returns true if the request turns surplus answers into votes.
    pub(crate) fn record_request(
        &mut self,
        asked: &BatchPair,
        (a, b): (Item, Item),
        batch: u32,
        position: u32,
        context: &ListContext<'_>,
    ) -> bool {
        let (a, b) = (self.class(a), self.class(b));
        let key = pair_key(a, b);
        let votes = self.tally(&key).counted;
        let pair = self.pairs.get_or_add(key);
        pair.requested_votes = pair.requested_votes.max(asked.votes);
        if asked.new_votes > 0 {
            pair.requested_answers = pair
                .requested_answers
                .max(pair.arrived_answers)
                .saturating_add(asked.new_votes);
            pair.batch = batch;
            pair.position = position;
            pair.swapped = a > b;
        }
        self.last_batch = batch;
        self.recount_pair(key, context);
        self.tally(&key).counted != votes
    }

    /// Returns true if the assessor has answered about these two items.
    pub(crate) fn is_answered_by(&self, (a, b): (Item, Item), assessor: Item) -> bool {
        self.is_pair_answered_by(&self.class_pair(a, b), assessor)
    }

    /// Returns true if the assessor has answered about this pair. Items with the same content count
    /// as one.
    pub(crate) fn is_pair_answered_by(&self, pair: &PairKey, assessor: Item) -> bool {
        let pair = self.pairs.get(pair);
        let mut answers = pair.into_iter().flat_map(|pair| &pair.answers);
        answers.any(|(_, person)| *person == assessor)
    }

    /// Returns the assessor's answers about the pair of these two items, in log order.
    pub(crate) fn answers_by(
        &self,
        (a, b): (Item, Item),
        assessor: Item,
    ) -> impl Iterator<Item = &StoredAnswer> {
        let pair = self.pairs.get(&self.class_pair(a, b)).into_iter();
        let answers = pair.flat_map(|pair| &pair.answers);
        let own = answers.filter(move |(_, person)| *person == assessor);
        own.map(|(place, _)| &self.answers[*place as usize])
    }

    /// Stores a preference answer and determines whether it counts as a vote. `number` is its
    /// number among all answers of the campaign.
    pub(crate) fn add_answer(
        &mut self,
        (a, b): (Item, Item),
        assessor: Item,
        answered: &Answer,
        adopted: bool,
        number: usize,
        context: &ListContext<'_>,
    ) {
        let place = u32::try_from(self.answers.len()).expect("a list has fewer answers than 2^32");
        let key = self.class_pair(a, b);
        let pair = self.pairs.get_or_add(key);
        let origin = if adopted {
            AnswerOrigin::Adopted(answered.batch.clone())
        } else if pair.requested_votes > 0 {
            // An answer counts as the arrival of a requested answer unless it is imported, because
            // imported answers were never requested.
            pair.arrived_answers = pair.arrived_answers.saturating_add(1);
            AnswerOrigin::Batch {
                number: pair.batch,
                is_late: self.last_batch > pair.batch,
            }
        } else {
            AnswerOrigin::Unasked
        };
        let before = pair.answers.len();
        pair.answers.push((place, assessor));
        self.answers.push(StoredAnswer {
            number,
            a,
            b,
            higher_class_first: self.class(a) > self.class(b),
            assessor,
            answer: answered.judgment.preference(),
            seconds: answered.seconds,
            time: answered.time,
            playback: PLAYED_PARTS.map(|part| answered.playback.get(&part).copied()),
            hidden_seconds: answered.hidden_seconds,
            id: answered.id.clone(),
            origin,
            status: AnswerStatus::Blank,
        });
        self.recount_from(key, before, context);
    }

    /// Recomputes which answers about a pair count as votes, after an event other than an answer.
    pub(crate) fn recount_pair(&mut self, key: PairKey, context: &ListContext<'_>) {
        self.recount_from(key, 0, context);
    }

    /// Recomputes which answers count as votes, for all pairs of the list.
    pub(crate) fn recount_all(&mut self, context: &ListContext<'_>) {
        let pairs = self.pairs.sorted_by_key().into_iter();
        let keys: Vec<PairKey> = pairs.map(|(key, _)| key).collect();
        for key in keys {
            self.recount_pair(key, context);
        }
        (self.requests, self.grouped) = (OnceLock::new(), OnceLock::new());
    }

    /// Recomputes which answers count as votes for one pair: the pair of the answer at index
    /// `answer_index` of `answers`.
    pub(crate) fn recount_pair_of_answer(
        &mut self,
        answer_index: usize,
        context: &ListContext<'_>,
    ) {
        let stored = &self.answers[answer_index];
        let pair = self.class_pair(stored.a, stored.b);
        self.recount_pair(pair, context);
    }

    /// Recomputes which answers count as votes, for all pairs answered by an assessor who was
    /// excluded or readmitted. Returns true if there are any such pairs.
    pub(crate) fn recount_assessor(&mut self, assessor: Item, context: &ListContext<'_>) -> bool {
        let theirs = self
            .answers
            .iter()
            .filter(|stored| stored.assessor == assessor);
        let pairs = theirs.map(|stored| self.class_pair(stored.a, stored.b));
        let pairs: BTreeSet<PairKey> = pairs.collect();
        let any = !pairs.is_empty();
        for pair in pairs {
            self.recount_pair(pair, context);
        }
        any
    }

    /// Recomputes the status of the pair's answers from index `from` on, then its vote counts and
    /// missing votes, and clears the cached requests of the strategy.
    ///
    /// An answer counts as a vote if its pair was requested when it arrived or it is imported, it
    /// is not blank, it was not retracted, it arrived before the list was closed, its assessor is
    /// not excluded and has not answered the pair before, the items differ in content, and the pair
    /// still lacks votes. If the requested number of votes was lowered later, earlier votes keep
    /// counting. Earlier answers take precedence, so that the result is a function of the log.
    fn recount_from(&mut self, key: PairKey, from: usize, context: &ListContext<'_>) {
        let (low, high) = key;
        let counting = CountingRule {
            strategy: self.own_strategy.as_deref().unwrap_or(context.strategy),
            held_out: self.held_out_votes(&key, context),
            context,
        };
        let pair = self
            .pairs
            .get_mut(&key)
            .expect("a recounted pair is stored in the table");
        if from == 0 {
            pair.tally = VoteTally::default();
        }
        for at in from..pair.answers.len() {
            let (place, person) = pair.answers[at];
            let stored = &self.answers[place as usize];
            let again = || {
                let mut before = pair.answers[..at].iter().filter(|(_, who)| *who == person);
                before.any(|(before, _)| self.answers[*before as usize].is_first_valid())
            };
            let status = match stored.answer {
                _ if context.records.retracted.contains(&stored.number) => AnswerStatus::Retracted,
                None => AnswerStatus::Blank,
                Some(_) if self.closed.is_some_and(|end| stored.number >= end) => {
                    AnswerStatus::Closed
                }
                Some(_) if context.is_excluded(person) => AnswerStatus::Excluded,
                Some(_) if low == high => AnswerStatus::Identical,
                Some(_) if stored.origin == AnswerOrigin::Unasked => AnswerStatus::Unasked,
                Some(_) if again() => AnswerStatus::Duplicate,
                Some(answer) => pair.count_answer(stored, answer, counting),
            };
            self.answers[place as usize].status = status;
        }
        let asked = low != high && self.closed.is_none();
        let lacks = if asked {
            pair.count_missing_votes(counting)
        } else {
            0
        };
        let before = std::mem::replace(&mut pair.missing_votes, lacks);
        self.missing_votes = self.missing_votes - before + lacks;
        if (before > 0) != (lacks > 0) {
            match self.incomplete_pairs.binary_search(&key) {
                Ok(place) => drop(self.incomplete_pairs.remove(place)),
                Err(place) => self.incomplete_pairs.insert(place, key),
            }
        }
        let known = pair.tally.counted;
        if low != high && self.votes.get(low, high) != known {
            self.votes.set(low, high, known);
            self.grouped = OnceLock::new();
        }
        self.requests = OnceLock::new();
    }

    /// Returns the numbers of votes on a pair, all 0 if nobody answered the pair.
    pub(crate) fn tally(&self, key: &PairKey) -> VoteTally {
        self.pairs
            .get(key)
            .map(|pair| pair.tally)
            .unwrap_or_default()
    }

    /// Returns the held-out pairs that have votes, with their held-out votes.
    pub(crate) fn held_out_tallies(&self) -> impl Iterator<Item = (PairKey, Votes)> {
        let votes = |pair: &PairKey| (*pair, self.tally(pair).held_out);
        let held = self.held_out.iter().map(votes);
        held.filter(|(_, votes)| !votes.is_empty())
    }

    /// Returns the requested pairs that lack votes. A pair occurs once per missing vote. Held-out
    /// votes are not counted because the strategy does not see them.
    pub(crate) fn outstanding_pairs(&self, context: &ListContext<'_>) -> Vec<PairKey> {
        let missing_visible_votes = |pair: &PairKey| {
            let held = self.held_out_votes(pair, context);
            let held = held.saturating_sub(self.tally(pair).held_out.len());
            self.pairs[pair].missing_votes.saturating_sub(held) as usize
        };
        let out = self.incomplete_pairs.iter();
        let out = out.flat_map(|pair| std::iter::repeat_n(*pair, missing_visible_votes(pair)));
        out.collect()
    }

    /// Returns the pairs that the strategy wants votes on now, whether the votes have been
    /// requested in a batch or not.
    pub(crate) fn requests(&self, context: &ListContext<'_>) -> &[PairRequest] {
        self.requests.get_or_init(|| {
            let strategy = self.strategy(context.strategy);
            let out = match strategy.asks_in_rounds() {
                true => self.outstanding_pairs(context),
                // Strategies that do not ask in rounds ignore the outstanding pairs, so skip the
                // cost of collecting them.
                false => Vec::new(),
            };
            strategy.requests(&self.votes, &out, self.seed)
        })
    }

    /// Returns the cached result of [`ListRecord::requests()`] if the list has not changed since.
    pub(crate) fn cached_requests(&self) -> Option<&[PairRequest]> {
        self.requests.get().map(Vec::as_slice)
    }

    /// Caches the result of [`ListRecord::requests()`].
    pub(crate) fn cache_requests(&self, requests: Vec<PairRequest>) {
        // If another thread has filled the cache already, it stored the same value.
        let _ = self.requests.set(requests);
    }

    /// Returns the list that the strategy builds from the votes on this list alone. Items with the
    /// same content count as one.
    pub(crate) fn grouped(&self, context: &ListContext<'_>) -> &GroupedList {
        let strategy = self.strategy(context.strategy);
        let list = || strategy.list(&self.votes, self.seed);
        self.grouped.get_or_init(list)
    }

    /// Returns this list's own strategy if it has one, otherwise `common`, the strategy of the
    /// campaign.
    pub(crate) fn strategy<'a>(&'a self, common: &'a dyn Strategy) -> &'a dyn Strategy {
        self.own_strategy.as_deref().unwrap_or(common)
    }

    /// Returns the number of held-out votes that this pair gets: votes that the strategy does not
    /// see. Returns 0 unless the pair is a held-out pair.
    pub(crate) fn held_out_votes(&self, pair: &PairKey, context: &ListContext<'_>) -> u32 {
        u32::from(self.held_out.contains(pair)) * context.held_out_votes
    }
}

/// Data of a campaign that all its lists share for counting votes and requesting pairs.
#[derive(Clone, Copy)]
pub(crate) struct ListContext<'a> {
    pub(crate) strategy: &'a dyn Strategy,
    /// One flag per assessor index, true if the assessor is excluded.
    pub(crate) excluded: &'a [bool],
    pub(crate) records: &'a CampaignRecords,
    /// Maximum number of votes that the strategy requests on a pair.
    pub(crate) votes: u32,
    /// True if the campaign asks for preferences between two items.
    pub(crate) asks_pairs: bool,
    /// Number of held-out votes per held-out pair; the strategy does not see these votes.
    pub(crate) held_out_votes: u32,
}

impl<'a> ListContext<'a> {
    pub(crate) fn new(
        spec: &CampaignSpec,
        strategy: &'a dyn Strategy,
        excluded: &'a [bool],
        records: &'a CampaignRecords,
    ) -> Self {
        Self {
            strategy,
            excluded,
            records,
            votes: spec.settings.votes,
            asks_pairs: spec.kinds.contains(&JudgmentKind::Preference),
            held_out_votes: spec.settings.held_out_votes,
        }
    }

    /// Returns true if the specification was extended after the answer with this number arrived,
    /// and `votes` did not decide their pair under the specification in force when the answer
    /// arrived.
    pub(crate) fn was_undecided_at(&self, number: usize, votes: Votes) -> bool {
        let former = self
            .records
            .former_strategies
            .iter()
            .find(|(end, _)| number < *end);
        former.is_some_and(|(_, strategy)| strategy.decided_relation(votes).is_none())
    }

    /// Returns true if the assessor with this index is excluded.
    fn is_excluded(&self, assessor: Item) -> bool {
        self.excluded[assessor.index()]
    }
}

/// Returns the position of each class of items with the same content in the prior order, or `None`
/// if no item has a prior position. The prior position of a class is the lowest among its items.
fn prior_positions(candidates: &QuerySpec, classes: &[Vec<usize>]) -> Option<Vec<usize>> {
    let prior = |class: &Vec<usize>| {
        let known = class.iter().map(|&place| candidates.items[place].prior);
        known.flatten().min_by(f64::total_cmp)
    };
    let priors: Vec<Option<f64>> = classes.iter().map(prior).collect();
    if priors.iter().all(Option::is_none) {
        return None;
    }
    // Classes without a prior position come last, in candidate order.
    let mut order: Vec<usize> = (0..classes.len()).collect();
    order.sort_by(|&x, &y| {
        let value = |class: usize| priors[class].unwrap_or(f64::INFINITY);
        value(x).total_cmp(&value(y)).then(x.cmp(&y))
    });
    let mut places = vec![0; classes.len()];
    for (place, &class) in order.iter().enumerate() {
        places[class] = place;
    }
    Some(places)
}

/// Draws the held-out pairs of a list, on which the votes check the list: a random sample of
/// `share` (from 0 to 1) of all pairs of `classes` classes.
fn draw_held_out_pairs(seed: u64, classes: usize, share: f64) -> BTreeSet<PairKey> {
    let pairs = classes * classes.saturating_sub(1) / 2;
    let count = (share * pairs as f64).round() as usize;
    if count == 0 {
        return BTreeSet::new();
    }
    let drawn = sample_without_replacement(&mut stream(seed, &[stream_id::HELD_OUT]), pairs, count);
    let pair = |number: usize| {
        // The pair (low, high) has the number high(high-1)/2 + low. Solve for `high` in floating
        // point, then correct rounding errors.
        let mut high = ((2.0 * number as f64 + 0.25).sqrt() + 0.5) as usize;
        while high * (high - 1) / 2 > number {
            high -= 1;
        }
        while high * (high + 1) / 2 <= number {
            high += 1;
        }
        Some((
            Item::from_index(number - high * (high - 1) / 2)?,
            Item::from_index(high)?,
        ))
    };
    drawn.into_iter().filter_map(pair).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn held_out_draw_with_share_1_returns_every_pair_once() {
        for classes in 0..12 {
            let all = draw_held_out_pairs(7, classes, 1.0);
            assert_eq!(all.len(), classes * classes.saturating_sub(1) / 2);
            assert!(
                all.iter()
                    .all(|(low, high)| low < high && high.index() < classes)
            );
        }
        assert_eq!(draw_held_out_pairs(7, 10, 0.2).len(), 9);
    }
}

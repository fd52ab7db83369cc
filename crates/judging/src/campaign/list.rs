//! One list of a campaign: its items, its pairs, and the answers about them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use partita_core::{Answer, GroupedList, Item, Names};
use partita_stats::streams::{Rng, sample_without_replacement, stream};

use super::acts::Acts;
use super::event::{Answered, AskedPair};
use super::flag::{Flag, Refusal};
use super::settings::{Candidates, Settings};
use crate::list_votes::ListVotes;
use crate::strategy::{Request, Strategy};
use crate::votes::Votes;

/// The random streams of this file: the seed of a list, and its held-out pairs.
const LIST_SEED: u64 = 0x005_001;
const HELD_OUT: u64 = 0x005_002;

/// Two classes of identical items by their numbers, the lower first.
pub(super) type PairKey = (Item, Item);

pub(super) fn key(a: Item, b: Item) -> PairKey {
    (a.min(b), a.max(b))
}

/// What is known of a pair.
#[derive(Clone, Debug, Default)]
pub(super) struct Pair {
    /// How many votes it should have in the end; 0 if it was never asked.
    pub(super) votes: u32,
    /// How many answers were asked for.
    pub(super) expected: u32,
    /// How many of those came back, whatever became of them.
    pub(super) returned: u32,
    /// The batch in which it was asked last, and its place in it.
    pub(super) batch: u32,
    pub(super) position: u32,
    /// Whether the class with the higher number was shown first then.
    pub(super) swapped: bool,
    /// The answers about it, by their places in the list's.
    pub(super) answers: Vec<u32>,
}

impl Pair {
    /// How many answers are still to come.
    pub(super) fn outstanding(&self) -> u32 {
        self.expected.saturating_sub(self.returned)
    }
}

/// An answer that is in the log.
#[derive(Clone, Debug)]
pub(super) struct Kept {
    /// Its place among all answers of the campaign.
    pub(super) number: usize,
    /// The items as they were shown.
    pub(super) a: Item,
    pub(super) b: Item,
    pub(super) assessor: Item,
    pub(super) answer: Option<Answer>,
    pub(super) seconds: Option<f64>,
    pub(super) time: Option<f64>,
    pub(super) id: Option<String>,
    /// Where it comes from.
    pub(super) origin: Origin,
}

/// Where an answer comes from.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Origin {
    /// The campaign had not asked for it.
    Unasked,
    /// The campaign asked its pair in this batch.
    Batch {
        number: u32,
        /// Whether the campaign had gone on to other batches when it came.
        gone_on: bool,
    },
    /// It was adopted, with the batch that it had where it comes from.
    Adopted(Option<String>),
}

/// One list.
pub(super) struct List {
    pub(super) name: String,
    pub(super) seed: u64,
    /// All candidates.
    pub(super) items: Names,
    /// The class of identical items that each belongs to.
    class: Vec<Item>,
    /// The candidates of each class; the first stands for all.
    pub(super) members: Vec<Vec<Item>>,
    /// The campaign's strategy with the prior order of this list, if it has one.
    pub(super) own_strategy: Option<Box<dyn Strategy>>,
    pub(super) held_out: BTreeSet<PairKey>,
    pub(super) pairs: BTreeMap<PairKey, Pair>,
    pub(super) answers: Vec<Kept>,
    /// The number of answers of the campaign when the list was closed.
    pub(super) closed: Option<usize>,
    evaluated: OnceLock<Evaluated>,
}

/// What follows from the answers.
#[derive(Debug)]
pub(super) struct Evaluated {
    /// The votes that the strategy knows, by class.
    pub(super) votes: ListVotes,
    /// The votes that are kept from it.
    pub(super) held: ListVotes,
    /// What became of each answer.
    pub(super) flags: Vec<Flag>,
    /// The answers that would count if the pair was asked for more votes.
    pub(super) surplus: BTreeMap<PairKey, u32>,
    /// What the strategy wants to know.
    pub(super) requests: Vec<Request>,
    /// The list as it is now, by class.
    pub(super) list: GroupedList,
}

impl Evaluated {
    /// How many votes a pair has.
    pub(super) fn known(&self, a: Item, b: Item) -> u32 {
        self.votes.of(a, b).len() + self.held.of(a, b).len()
    }
}

impl List {
    pub(super) fn new(
        candidates: &Candidates,
        settings: &Settings,
        strategy: &dyn Strategy,
    ) -> Option<Self> {
        let mut items = Names::with_capacity(candidates.items.len());
        for candidate in &candidates.items {
            items.intern(&candidate.item)?;
        }
        let classes = candidates.classes();
        let mut class = vec![Item::at(0)?; items.len()];
        let mut members = Vec::with_capacity(classes.len());
        for (number, places) in classes.iter().enumerate() {
            for &place in places {
                class[place] = Item::at(number)?;
            }
            members.push(places.iter().copied().filter_map(Item::at).collect());
        }
        let name = std::iter::once(LIST_SEED).chain(candidates.query.bytes().map(u64::from));
        let seed = stream(settings.seed, &name.collect::<Vec<u64>>()).next_u64();
        let places = prior_places(candidates, &classes);
        Some(Self {
            name: candidates.query.clone(),
            seed,
            items,
            class,
            own_strategy: places.and_then(|places| strategy.with_prior(places)),
            held_out: held_out(seed, classes.len(), settings.held_out),
            members,
            pairs: BTreeMap::new(),
            answers: Vec::new(),
            closed: None,
            evaluated: OnceLock::new(),
        })
    }

    /// Takes over the candidates and the strategy of a list that is this one with more candidates behind
    /// those that there are. So what is known of items keeps its numbers; pairs that check the list stay
    /// those that were drawn at first.
    pub(super) fn become_longer(&mut self, longer: Self) {
        self.items = longer.items;
        self.class = longer.class;
        self.members = longer.members;
        self.own_strategy = longer.own_strategy;
        self.changed();
    }

    pub(super) fn class(&self, item: Item) -> Item {
        self.class[item.index()]
    }

    /// The name of the item that stands for a class.
    pub(super) fn name_of(&self, class: Item) -> &str {
        self.items.name(self.members[class.index()][0])
    }

    pub(super) fn item(&self, name: &str) -> Result<Item, Refusal> {
        self.items.get(name).ok_or_else(|| Refusal::UnknownItem {
            query: self.name.clone(),
            item: name.to_owned(),
        })
    }

    /// Two different items by their names.
    pub(super) fn two_items(&self, a: &str, b: &str) -> Result<(Item, Item), Refusal> {
        let (a, b) = (self.item(a)?, self.item(b)?);
        if a == b {
            return Err(Refusal::SameItem(self.items.name(a).to_owned()));
        }
        Ok((a, b))
    }

    /// How many answers about a pair are still to come.
    pub(super) fn outstanding(&self, pair: &PairKey) -> u32 {
        self.pairs.get(pair).map_or(0, Pair::outstanding)
    }

    /// How many votes a pair should have in the end, as far as it was asked.
    pub(super) fn target(&self, pair: &PairKey) -> u32 {
        self.pairs.get(pair).map_or(0, |pair| pair.votes)
    }

    /// Takes note that a pair is asked.
    pub(super) fn ask(&mut self, asked: &AskedPair, batch: u32, position: u32) {
        let items = self.two_items(&asked.a, &asked.b);
        let (a, b) = items.expect("a pair that was checked");
        let (a, b) = (self.class(a), self.class(b));
        let pair = self.pairs.entry(key(a, b)).or_default();
        pair.votes = pair.votes.max(asked.votes);
        if asked.more > 0 {
            pair.expected = pair.expected.max(pair.returned).saturating_add(asked.more);
            pair.batch = batch;
            pair.position = position;
            pair.swapped = a > b;
        }
        self.changed();
    }

    /// Whether somebody has answered about a pair.
    pub(super) fn is_answered_by(&self, (a, b): (Item, Item), assessor: Item) -> bool {
        let pair = self.pairs.get(&key(self.class(a), self.class(b)));
        let mut answers = pair.into_iter().flat_map(|pair| &pair.answers);
        answers.any(|&place| self.answers[place as usize].assessor == assessor)
    }

    /// Whether the very same answer is there already. Where it came unasked it can be adopted still.
    pub(super) fn has(
        &self,
        (a, b): (Item, Item),
        assessor: Item,
        answered: &Answered,
        adopted: bool,
    ) -> bool {
        let Some(pair) = self.pairs.get(&key(self.class(a), self.class(b))) else {
            return false;
        };
        pair.answers.iter().any(|&place| {
            let kept = &self.answers[place as usize];
            kept.assessor == assessor
                && (kept.a, kept.b) == (a, b)
                && kept.answer == answered.answer.answer()
                && kept.seconds == answered.seconds
                && kept.time == answered.time
                && kept.id == answered.id
                && !(adopted && kept.origin == Origin::Unasked)
        })
    }

    /// Keeps an answer.
    pub(super) fn keep(
        &mut self,
        (a, b): (Item, Item),
        assessor: Item,
        answered: &Answered,
        adopted: bool,
        number: usize,
        batches: u32,
    ) {
        let place = u32::try_from(self.answers.len()).expect("a list has fewer answers than 2^32");
        let key = key(self.class(a), self.class(b));
        let pair = self.pairs.entry(key).or_default();
        let origin = if adopted {
            Origin::Adopted(answered.batch.clone())
        } else if pair.votes > 0 {
            // Nobody was asked for what is adopted, so only this uses up a question.
            pair.returned = pair.returned.saturating_add(1);
            Origin::Batch {
                number: pair.batch,
                gone_on: batches > pair.batch,
            }
        } else {
            Origin::Unasked
        };
        pair.answers.push(place);
        self.answers.push(Kept {
            number,
            a,
            b,
            assessor,
            answer: answered.answer.answer(),
            seconds: answered.seconds,
            time: answered.time,
            id: answered.id.clone(),
            origin,
        });
        self.changed();
    }

    /// What follows from the answers must be found again.
    pub(super) fn changed(&mut self) {
        self.evaluated = OnceLock::new();
    }

    pub(super) fn evaluated(&self, rules: &Rules<'_>) -> &Evaluated {
        self.evaluated.get_or_init(|| self.evaluate(rules))
    }

    pub(super) fn strategy<'a>(&'a self, common: &'a dyn Strategy) -> &'a dyn Strategy {
        self.own_strategy.as_deref().unwrap_or(common)
    }

    /// The number of votes on a pair that are kept from the strategy.
    pub(super) fn held_out_votes(&self, pair: &PairKey, rules: &Rules<'_>) -> u32 {
        u32::from(self.held_out.contains(pair)) * rules.held_out_votes
    }

    /// An answer is a vote if its pair was asked when it came or it is adopted, it was not taken back, its
    /// person is not excluded and has not answered before, and the pair has not all its votes. Where fewer
    /// votes are wanted than when it came, what was a vote then is one still. The first answers
    /// have precedence, so that what counts is a function of the log and not of when it is looked at.
    fn evaluate(&self, rules: &Rules<'_>) -> Evaluated {
        let strategy = self.strategy(rules.strategy);
        let mut votes = ListVotes::new(self.members.len());
        let mut held = ListVotes::new(self.members.len());
        let mut flags = vec![Flag::Blank; self.answers.len()];
        let mut surplus = BTreeMap::new();
        let mut people: Vec<Item> = Vec::new();
        for (&(low, high), pair) in &self.pairs {
            people.clear();
            let held_out = self.held_out_votes(&(low, high), rules);
            let (mut seen, mut known) = (0, Votes::default());
            for &place in &pair.answers {
                let kept = &self.answers[place as usize];
                let flag = match kept.answer {
                    _ if rules.acts.retracted.contains(&kept.number) => Flag::Retracted,
                    None => Flag::Blank,
                    Some(_) if self.closed.is_some_and(|end| kept.number >= end) => Flag::Closed,
                    Some(_) if rules.excludes(kept.assessor) => Flag::Excluded,
                    Some(_) if low == high => Flag::Identical,
                    Some(_) if kept.origin == Origin::Unasked => Flag::Unasked,
                    Some(_) if people.contains(&kept.assessor) => Flag::Duplicate,
                    Some(answer) => {
                        people.push(kept.assessor);
                        let (a, b) = (self.class(kept.a), self.class(kept.b));
                        if seen < held_out {
                            seen += 1;
                            held.add(a, b, answer);
                            Flag::HeldOut
                        } else if seen + known.len() < pair.votes
                            && (strategy.relation(known).is_none()
                                || rules.wanted_more(kept.number, known))
                        {
                            known.add(if a == low { answer } else { answer.mirrored() });
                            votes.add(a, b, answer);
                            Flag::Counted
                        } else {
                            *surplus.entry((low, high)).or_insert(0) += 1;
                            match kept.origin {
                                Origin::Adopted(_) if pair.votes == 0 => Flag::Spare,
                                Origin::Batch { gone_on: true, .. } => Flag::Late,
                                _ => Flag::Surplus,
                            }
                        }
                    }
                };
                flags[place as usize] = flag;
            }
        }
        Evaluated {
            requests: strategy.requests(&votes, self.seed),
            list: strategy.list(&votes, self.seed),
            votes,
            held,
            flags,
            surplus,
        }
    }
}

/// What all lists of a campaign share.
#[derive(Clone, Copy)]
pub(super) struct Rules<'a> {
    pub(super) strategy: &'a dyn Strategy,
    pub(super) assessors: &'a Names,
    pub(super) excluded: &'a BTreeSet<String>,
    pub(super) acts: &'a Acts,
    /// The most votes on a pair that the strategy wants.
    pub(super) votes: u32,
    /// Whether people are asked about pairs at all.
    pub(super) asks_pairs: bool,
    pub(super) held_out_votes: u32,
}

impl Rules<'_> {
    /// Whether these votes on a pair were not enough by the settings that held when an answer came.
    fn wanted_more(&self, number: usize, votes: Votes) -> bool {
        let former = self.acts.former.iter().find(|(end, _)| number < *end);
        former.is_some_and(|(_, strategy)| strategy.relation(votes).is_none())
    }

    fn excludes(&self, assessor: Item) -> bool {
        self.excluded.contains(self.assessors.name(assessor))
    }
}

/// The places of the classes by the prior order of their items; nothing if none has any.
fn prior_places(candidates: &Candidates, classes: &[Vec<usize>]) -> Option<Vec<usize>> {
    let prior = |class: &Vec<usize>| {
        let known = class.iter().map(|&place| candidates.items[place].prior);
        known.flatten().min_by(f64::total_cmp)
    };
    let priors: Vec<Option<f64>> = classes.iter().map(prior).collect();
    if priors.iter().all(Option::is_none) {
        return None;
    }
    // Those without a place come last, in the order of the candidates.
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

/// A share of all pairs of a list, drawn at random.
fn held_out(seed: u64, classes: usize, share: f64) -> BTreeSet<PairKey> {
    let pairs = classes * classes.saturating_sub(1) / 2;
    let count = (share * pairs as f64).round() as usize;
    if count == 0 {
        return BTreeSet::new();
    }
    let drawn = sample_without_replacement(&mut stream(seed, &[HELD_OUT]), pairs, count);
    let pair = |number: usize| {
        // The pair (low, high) has the number high(high-1)/2 + low.
        let mut high = ((2.0 * number as f64 + 0.25).sqrt() + 0.5) as usize;
        while high * (high - 1) / 2 > number {
            high -= 1;
        }
        while high * (high + 1) / 2 <= number {
            high += 1;
        }
        Some((Item::at(number - high * (high - 1) / 2)?, Item::at(high)?))
    };
    drawn.into_iter().filter_map(pair).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pair_can_be_held_out_and_none_twice() {
        for classes in 0..12 {
            let all = held_out(7, classes, 1.0);
            assert_eq!(all.len(), classes * classes.saturating_sub(1) / 2);
            assert!(
                all.iter()
                    .all(|(low, high)| low < high && high.index() < classes)
            );
        }
        assert_eq!(held_out(7, 10, 0.2).len(), 9);
    }
}

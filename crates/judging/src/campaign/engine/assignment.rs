//! The next task for a person.

use std::cmp::Ordering;
use std::collections::HashMap;

use partita_core::{Item, Preference};
use partita_stats::random::stream_id::choice;
use partita_stats::random::{ChaCha8Rng, StreamPrefix, stream, stream_id, uniform_index};

use super::history::AssessorHistory;
use super::lease::{Assignment, LeaseRecord, Leases, Question, QuestionSubject};
use super::list::ListRecord;
use super::pair::{PairKey, pair_key};
use crate::campaign::Campaign;
use crate::campaign::gold::GoldPair;
use crate::campaign::log::event::PreferenceChoice;
use crate::campaign::spec::JudgmentKind;

/// Who wants to be asked something, and what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AssignmentRequest {
    /// Who.
    pub assessor: String,
    /// What they judge.
    pub kind: JudgmentKind,
    /// Whether they are asked about another query each time, as far as there is one; else about the
    /// same as long as there is something.
    pub alternate_queries: bool,
    /// A number that the choice depends on, beside the seed of the campaign and how much the person
    /// has done: the same for all is fine.
    pub seed: u64,
}

impl AssignmentRequest {
    /// Somebody wants to compare items, of one query after the other.
    pub fn new(person: &str) -> Self {
        Self {
            assessor: person.to_owned(),
            kind: JudgmentKind::Preference,
            alternate_queries: true,
            seed: 0,
        }
    }

    /// The same, and they judge something else.
    #[must_use]
    pub fn with_kind(self, kind: JudgmentKind) -> Self {
        Self { kind, ..self }
    }
}

/// All that decides what a person may be asked.
struct AssessorContext<'c> {
    /// Their number, if they have ever answered.
    number: Option<Item>,
    history: Option<&'c AssessorHistory>,
    held: &'c [LeaseRecord],
    leases: &'c Leases,
}

impl AssessorContext<'_> {
    /// Whether they have been shown a pair, or have it now, or cannot judge an item of it.
    fn has_seen(&self, number: usize, list: &ListRecord, pair: PairKey) -> bool {
        let holds = |held: &LeaseRecord| {
            let same = matches!(held.subject, QuestionSubject::Pair { pair: theirs, .. } if theirs == pair);
            held.list == number && same
        };
        let shown = |history: &AssessorHistory| {
            let broken = |class| history.reported_item(number, class);
            history.gold.contains(&(number, pair)) || broken(pair.0) || broken(pair.1)
        };
        self.held.iter().any(holds)
            || self.history.is_some_and(shown)
            || (self.number).is_some_and(|person| list.is_pair_answered_by(&pair, person))
    }

    fn is_list_broken(&self, list: usize) -> bool {
        self.history
            .is_some_and(|history| history.reported_list(list))
    }

    /// The list that they were asked about last.
    fn last(&self) -> Option<usize> {
        let held = self.held.last().map(|held| held.list);
        held.or_else(|| self.history?.last)
    }

    /// How many questions about pairs they have had, and how many of those were gold.
    fn pairs_and_gold(&self) -> (u32, u32) {
        let held = self.held.iter();
        let pairs = held.filter(|held| matches!(held.subject, QuestionSubject::Pair { .. }));
        let gold = pairs.clone().filter(|held| held.gold).count() as u32;
        let [answers, answered_gold] = self.history.map_or([0, 0], |history| {
            [history.answers, history.gold.len() as u32]
        });
        (answers + pairs.count() as u32, answered_gold + gold)
    }
}

/// The numbers below some number in a random order, drawn one by one: those of
/// [`sample_without_replacement`](partita_stats::random::sample_without_replacement), as far as they
/// are wanted.
struct LazyShuffle {
    random: ChaCha8Rng,
    next: usize,
    end: usize,
    /// What lies elsewhere than at its own place.
    moved: HashMap<usize, usize>,
}

impl LazyShuffle {
    fn below(end: usize, random: ChaCha8Rng) -> Self {
        Self {
            random,
            next: 0,
            end,
            moved: HashMap::new(),
        }
    }
}

impl Iterator for LazyShuffle {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        if self.next == self.end {
            return None;
        }
        let here = self.next;
        let place = here + uniform_index(&mut self.random, self.end - here);
        self.next += 1;
        let mine = self.moved.remove(&here).unwrap_or(here);
        if place == here {
            return Some(mine);
        }
        Some(self.moved.insert(place, mine).unwrap_or(place))
    }
}

impl Campaign {
    /// The next task for a person; nothing if there is none for them now.
    ///
    /// - Votes and leases of a pair are never more than the votes that it was asked for, nor are there
    ///   more grades of an item, or rankings of a list, than are wanted.
    /// - Nobody gets what they have been shown or have now, whatever became of it, nor what they
    ///   reported. Nobody who is excluded gets anything, and nothing is given while the campaign is
    ///   paused, or of a list that is closed.
    /// - Which item is shown first is drawn for each person: the one that was first less often among
    ///   the votes and leases of the pair, and by chance if both were as often.
    /// - The query changes from task to task as far as possible, unless the request says otherwise.
    /// - Gold comes at its share: once in each stretch of a person's questions of that length, at a
    ///   random place, as long as there is some that the person has not seen.
    ///
    /// It is a function of the log, the leases and the request, needs no fit, and looks at no list or
    /// pair but those that it draws: one is drawn in vain only where the person knows it or all its
    /// votes are with people. Only what was [asked](Campaign::plan) is given out; a
    /// [session](crate::campaign::Session::next_task) does both.
    ///
    /// ```
    /// use partita_judging::campaign::{
    ///     Campaign, Candidates, Lease, Leases, Settings, Task, TaskRequest,
    /// };
    ///
    /// let lists = vec![Candidates::of("q", ["x", "y"])];
    /// let mut campaign = Campaign::open(Settings { votes: 2, ..Settings::new("c", lists) })?;
    /// let asked = campaign.plan(0).expect("the first pair");
    /// campaign.apply(&asked)?;
    ///
    /// // Two people get the only pair, one with x first and the other with y.
    /// let mut leases = Leases::new();
    /// let mut first = Vec::new();
    /// for person in ["ann", "bob"] {
    ///     let chosen = campaign.choose(&TaskRequest::new(person), &leases).expect("a task");
    ///     if let Task::Preference { a, .. } = &chosen.task {
    ///         first.push(a.clone());
    ///     }
    ///     let gold = chosen.gold.is_some();
    ///     leases.add(&campaign, Lease { person: person.to_owned(), task: chosen.task, gold })?;
    /// }
    /// first.sort();
    /// assert_eq!(first, ["x", "y"]);
    /// // Its two votes are with people, so there is nothing for a third.
    /// assert_eq!(campaign.choose(&TaskRequest::new("cid"), &leases), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn choose_assignment(
        &self,
        request: &AssignmentRequest,
        leases: &Leases,
    ) -> Option<Assignment> {
        let person = self.canonical_name(&request.assessor);
        let closed = self.is_paused() || self.is_closed();
        if closed || self.is_excluded(&person) || !self.settings.kinds.contains(&request.kind) {
            return None;
        }
        let asker = AssessorContext {
            number: self.person(&person),
            history: self.history(&person),
            held: leases.held_by(&person),
            leases,
        };
        let draws = self.draws(&person, &asker, request.seed);
        match request.kind {
            JudgmentKind::Preference => {
                let vote = self.choose_pair(&asker, request.alternate_queries, &draws)?;
                // Gold lies among questions: without one there is none.
                let due = self.is_gold_due(&person, &asker);
                let gold = due.then(|| self.choose_gold(&asker, request.alternate_queries, &draws));
                Some(gold.flatten().unwrap_or(vote))
            }
            JudgmentKind::Ranking => self.choose_ranking(&asker, request.alternate_queries, &draws),
            JudgmentKind::Grading => self.choose_item(&asker, request.alternate_queries, &draws),
        }
    }

    fn draws(&self, person: &str, asker: &AssessorContext<'_>, seed: u64) -> StreamPrefix {
        let done = asker.history.map_or(0, |history| history.tasks) as usize + asker.held.len();
        let mut path = vec![stream_id::CHOICE, seed, done as u64];
        path.extend(person.bytes().map(u64::from));
        StreamPrefix::new(self.settings.seed, &path)
    }

    /// Something of one of these lists, which are in the order of their numbers, drawn at random: not
    /// of the last list while there is something of another, or only then if the query is not to change.
    fn in_some_list<T>(
        lists: &[usize],
        asker: &AssessorContext<'_>,
        mix: bool,
        draws: &StreamPrefix,
        some: impl Fn(usize) -> Option<T>,
    ) -> Option<T> {
        let some = |list: usize| (!asker.is_list_broken(list)).then(|| some(list)).flatten();
        let last = asker
            .last()
            .filter(|last| lists.binary_search(last).is_ok());
        let of_last = || last.and_then(some);
        let of_others = || {
            let others = LazyShuffle::below(lists.len(), draws.stream(&[choice::LISTS]))
                .map(|place| lists[place]);
            others.filter(|&list| Some(list) != last).find_map(some)
        };
        match mix {
            true => of_others().or_else(of_last),
            false => of_last().or_else(of_others),
        }
    }

    /// A pair that lacks votes which nobody has taken on.
    fn choose_pair(
        &self,
        asker: &AssessorContext<'_>,
        mix: bool,
        draws: &StreamPrefix,
    ) -> Option<Assignment> {
        let found = Self::in_some_list(&self.lists_with_offers, asker, mix, draws, |number| {
            let list = &self.lists[number];
            let pairs = LazyShuffle::below(
                list.incomplete_pairs.len(),
                draws.stream(&[choice::INSIDE + number as u64]),
            );
            let mut pairs = pairs.map(|place| list.incomplete_pairs[place]);
            let pair = pairs.find(|&pair| {
                let taken = asker.leases.on_pair(number, pair).people;
                list.pairs[&pair].missing_votes > taken && !asker.has_seen(number, list, pair)
            });
            Some((number, pair?))
        });
        let (number, pair) = found?;
        let list = &self.lists[number];
        let tally = list.pairs[&pair].tally;
        let leased = asker.leases.on_pair(number, pair);
        let low_first = tally.low_first + leased.low_first;
        let high_first = tally.votes() + leased.people - low_first;
        let (low, high) = pair;
        let (a, b) = match low_first.cmp(&high_first) {
            Ordering::Less => (low, high),
            Ordering::Greater => (high, low),
            Ordering::Equal if uniform_index(&mut draws.stream(&[choice::SIDES]), 2) == 0 => {
                (low, high)
            }
            Ordering::Equal => (high, low),
        };
        Some(Assignment {
            task: Question::Preference {
                query: list.name.clone(),
                a: list.class_name(a).to_owned(),
                b: list.class_name(b).to_owned(),
            },
            gold: None,
        })
    }

    /// Whether the next question about a pair is one whose answer is known. A person's questions fall
    /// into stretches of 1/share; in each of them one place is drawn. Where it was missed, because a
    /// question came back, the next is as good.
    fn is_gold_due(&self, person: &str, asker: &AssessorContext<'_>) -> bool {
        let share = self.settings.gold.as_ref().map_or(0.0, |gold| gold.share);
        if share <= 0.0 {
            return false;
        }
        let (pairs, gold) = asker.pairs_and_gold();
        let begin = |stretch: u32| (f64::from(stretch) / share).floor() as usize;
        let (first, next) = (begin(gold), begin(gold + 1));
        let mut path = vec![stream_id::GOLD_PLACE, u64::from(gold)];
        path.extend(person.bytes().map(u64::from));
        let mut random = stream(self.settings.seed, &path);
        pairs as usize >= first + uniform_index(&mut random, next - first)
    }

    /// A question whose answer is known, of an open list.
    fn choose_gold(
        &self,
        asker: &AssessorContext<'_>,
        mix: bool,
        draws: &StreamPrefix,
    ) -> Option<Assignment> {
        let gold = self.settings.gold.as_ref()?;
        let open = |pair: &GoldPair| {
            let number = self.query(&pair.query).ok()?;
            let list = &self.lists[number];
            let (a, b) = list.two_items(&pair.a, &pair.b).ok()?;
            let known = asker.has_seen(number, list, pair_key(list.class(a), list.class(b)));
            let closed = list.closed.is_some() || asker.is_list_broken(number);
            (!known && !closed).then_some(number)
        };
        let places = LazyShuffle::below(gold.pairs.len(), draws.stream(&[choice::GOLD]));
        let left = places.filter_map(|place| Some((&gold.pairs[place], open(&gold.pairs[place])?)));
        let left: Vec<(&GoldPair, usize)> = left.collect();
        let fits = |(_, list): &&(&GoldPair, usize)| (Some(*list) == asker.last()) != mix;
        let (pair, _) = left.iter().find(fits).or(left.first())?;
        let turned = PreferenceChoice::from(pair.answer.preference().map(Preference::mirrored));
        let mut shown = (&pair.a, &pair.b, pair.answer);
        if uniform_index(&mut draws.stream(&[choice::SIDES]), 2) == 1 {
            shown = (&pair.b, &pair.a, turned);
        }
        let (a, b, answer) = shown;
        Some(Assignment {
            task: Question::Preference {
                query: pair.query.clone(),
                a: a.clone(),
                b: b.clone(),
            },
            gold: Some(answer),
        })
    }

    /// A list that lacks rankings.
    fn choose_ranking(
        &self,
        asker: &AssessorContext<'_>,
        mix: bool,
        draws: &StreamPrefix,
    ) -> Option<Assignment> {
        let lists: Vec<usize> = (0..self.lists.len()).collect();
        let number = Self::in_some_list(&lists, asker, mix, draws, |number| {
            let list = &self.lists[number];
            let holds = |held: &LeaseRecord| {
                held.list == number && held.subject == QuestionSubject::Ranking
            };
            let ranked = |history: &AssessorHistory| history.ranked.contains(&number);
            let known = asker.held.iter().any(holds) || asker.history.is_some_and(ranked);
            let people = self.missing_judgments(number).rankings + asker.leases.rankings(number);
            let open = list.closed.is_none() && list.members.len() > 1;
            (open && !known && people < self.settings.graders).then_some(number)
        })?;
        let query = self.lists[number].name.clone();
        Some(Assignment {
            task: Question::Ranking { query },
            gold: None,
        })
    }

    /// An item that lacks grades.
    fn choose_item(
        &self,
        asker: &AssessorContext<'_>,
        mix: bool,
        draws: &StreamPrefix,
    ) -> Option<Assignment> {
        let lists: Vec<usize> = (0..self.lists.len()).collect();
        let (number, item) = Self::in_some_list(&lists, asker, mix, draws, |number| {
            let list = &self.lists[number];
            let lacking = &self.missing_judgments(number).lacking;
            let places = LazyShuffle::below(
                lacking.len(),
                draws.stream(&[choice::INSIDE + number as u64]),
            );
            let mut items = places.map(|place| lacking[place]);
            let found = items.find(|&(item, lacks)| {
                let subject = QuestionSubject::Item(item);
                let holds = |held: &LeaseRecord| held.list == number && held.subject == subject;
                let judged = |history: &AssessorHistory| {
                    history.graded.contains(&(number, item))
                        || history.reported_item(number, list.class(item))
                };
                lacks > asker.leases.grades(number, item)
                    && !asker.held.iter().any(holds)
                    && !asker.history.is_some_and(judged)
            });
            Some((number, found?.0))
        })?;
        let list = &self.lists[number];
        Some(Assignment {
            task: Question::Grade {
                query: list.name.clone(),
                item: list.items.name(item).to_owned(),
            },
            gold: None,
        })
    }
}

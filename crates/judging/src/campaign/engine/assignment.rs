//! Choice of the next question for an assessor.

use std::cmp::Ordering;
use std::collections::HashMap;

use partita_core::judgment::{JudgmentKind, Question};
use partita_core::{Item, Preference};
use partita_stats::random::stream_id::choice;
use partita_stats::random::{RandomStream, StreamPrefix, stream, stream_id, uniform_index};

use super::history::AssessorHistory;
use super::lease::{LeaseRecord, Leases};
use super::list::ListRecord;
use super::pair::{PairKey, pair_key};
use super::subject::Subject;
use crate::campaign::Campaign;
use crate::campaign::kinds::protocol;
use crate::campaign::spec::gold::GoldPair;

/// Request for the next question of an assessor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AssignmentRequest {
    /// Assessor name.
    pub assessor: String,
    /// Kind of judgment to ask for.
    pub kind: JudgmentKind,
    /// If true, the query changes with every question as far as possible. If false, the query stays
    /// the same while it has questions.
    pub alternate_queries: bool,
    /// Additional seed of the random choice, which also depends on the campaign's seed, the
    /// assessor and the number of questions they have had. All assessors may therefore use the same
    /// value.
    pub seed: u64,
}

impl AssignmentRequest {
    /// Creates a request for a pair question, with alternating queries.
    pub fn new(person: &str) -> Self {
        Self {
            assessor: person.to_owned(),
            kind: JudgmentKind::Preference,
            alternate_queries: true,
            seed: 0,
        }
    }

    /// Changes the kind of judgment that is requested.
    #[must_use]
    pub fn with_kind(self, kind: JudgmentKind) -> Self {
        Self { kind, ..self }
    }
}

/// Question chosen for an assessor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assignment {
    /// Question to ask.
    pub task: Question,
    /// Correct answer, for the items in the order shown, if the question is a gold pair (a pair
    /// with a known answer). The assessor must not see it: to them a gold pair looks like any other
    /// question.
    pub gold: Option<Preference>,
}

/// History and leases of one assessor, which decide which questions the assessor may get.
pub(crate) struct AssessorContext<'c> {
    /// Canonical name of the assessor.
    person: &'c str,
    /// True if the query changes with every question as far as possible.
    alternate_queries: bool,
    /// Random streams for choosing the question.
    draws: StreamPrefix,
    /// Index of the assessor; `None` if they have never answered.
    number: Option<Item>,
    /// History of the questions that the assessor has answered or reported; `None` if there are
    /// none.
    history: Option<&'c AssessorHistory>,
    /// Leases of this assessor: questions handed out to the assessor and not yet answered.
    own_leases: &'c [LeaseRecord],
    /// Leases of all assessors.
    leases: &'c Leases,
}

impl AssessorContext<'_> {
    /// Returns true if the assessor must not get this pair: they have answered it, have it on
    /// lease, or reported one of its items.
    fn has_seen(&self, number: usize, list: &ListRecord, pair: PairKey) -> bool {
        let subject = Subject::from_pair(number, pair);
        let broken = |class| {
            self.history
                .is_some_and(|history| history.has_reported_item(number, class))
        };
        self.has_had(&subject)
            || broken(pair.0)
            || broken(pair.1)
            || (self.number).is_some_and(|person| list.is_pair_answered_by(&pair, person))
    }

    /// Returns true if the assessor has the subject on lease or has answered it. Answers to ordinary
    /// pairs are not considered: the lists store them.
    fn has_had(&self, subject: &Subject) -> bool {
        let answered = |history: &AssessorHistory| history.answered_subjects.contains(subject);
        self.own_leases.iter().any(|held| held.subject == *subject)
            || self.history.is_some_and(answered)
    }

    /// Returns true if the assessor reported the query of this list as defective.
    fn has_reported_query(&self, list: usize) -> bool {
        self.history
            .is_some_and(|history| history.has_reported_query(list))
    }

    /// Returns the index of the list of the assessor's latest question, on lease or answered.
    fn last_list(&self) -> Option<usize> {
        let held = self.own_leases.last().map(|held| held.subject.list);
        held.or_else(|| self.history?.last_list)
    }

    /// Returns the number of pair questions that the assessor has answered or has on lease, and how
    /// many of them are gold pairs.
    fn count_pairs_and_gold(&self) -> (u32, u32) {
        let held = self.own_leases.iter();
        let pairs = held.filter(|held| held.subject.kind == JudgmentKind::Preference);
        let gold = pairs.clone().filter(|held| held.gold).count() as u32;
        let [answers, answered_gold] = self
            .history
            .map_or([0, 0], |history| [history.pair_answers, history.gold_pairs]);
        (answers + pairs.count() as u32, answered_gold + gold)
    }
}

/// Lazy Fisher-Yates shuffle of `0..end`. Yields the same order as
/// [`sample_without_replacement`](partita_stats::random::sample_without_replacement) but draws
/// random numbers only for the values that are consumed.
struct LazyShuffle {
    random: RandomStream,
    next: usize,
    end: usize,
    /// Values that are not at their original index, keyed by their current index.
    moved: HashMap<usize, usize>,
}

impl LazyShuffle {
    fn new(end: usize, random: RandomStream) -> Self {
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
    /// Returns the next question for an assessor, or `None` if there is none now.
    ///
    /// - Votes and leases of a pair never exceed its requested votes. The same holds for grades of an item and rankings of a list.
    /// - An assessor gets nothing they have seen, have on lease or have reported. An assessor who is excluded or [stopped by reports](Campaign::is_stopped_by_reports) gets nothing. Nothing is assigned while the campaign is paused, and nothing of a closed list.
    /// - The item shown first is the one that was first less often among the votes and leases of the pair; ties are broken at random.
    /// - The query changes from question to question as far as possible, unless the request says otherwise.
    /// - Gold pairs come at the configured share: one in each block of 1/share questions, at a random position, while there are gold pairs that the assessor has not seen.
    ///
    /// The result is a function of the log, the leases and the request. No model is fitted. Lists
    /// and pairs are tried in random order until a pair can be assigned. A pair is skipped only if
    /// the assessor must not get it or all its missing votes are on lease. Only pairs of recorded
    /// [batches](Campaign::next_list_batch) are assigned;
    /// [`CampaignSession::next_assignment`](crate::campaign::CampaignSession::next_assignment)
    /// records batches as needed.
    ///
    /// ```
    /// use partita_judging::campaign::{
    ///     AssignmentRequest, Campaign, CampaignSpec, EngineSettings, Lease, Leases, QuerySpec,
    ///     Question,
    /// };
    ///
    /// let lists = vec![QuerySpec::new("q", ["x", "y"])];
    /// let settings = EngineSettings { votes: 2, ..EngineSettings::default() };
    /// let mut campaign = Campaign::open(CampaignSpec { settings, ..CampaignSpec::new("c", lists) })?;
    /// let batch = campaign.next_list_batch(0).expect("the first pair");
    /// campaign.apply(&batch)?;
    ///
    /// // Two assessors get the only pair, one with x first and the other with y.
    /// let mut leases = Leases::new();
    /// let mut first = Vec::new();
    /// for assessor in ["ann", "bob"] {
    ///     let request = AssignmentRequest::new(assessor);
    ///     let assignment = campaign.choose_assignment(&request, &leases).expect("a question");
    ///     first.extend(assignment.task.pair().map(|[a, _]| a.to_owned()));
    ///     let gold = assignment.gold.is_some();
    ///     let lease = Lease { assessor: assessor.to_owned(), task: assignment.task, gold };
    ///     leases.add(&campaign, lease)?;
    /// }
    /// first.sort();
    /// assert_eq!(first, ["x", "y"]);
    /// // Both votes are on lease, so a third assessor gets nothing.
    /// assert_eq!(campaign.choose_assignment(&AssignmentRequest::new("cid"), &leases), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn choose_assignment(
        &self,
        request: &AssignmentRequest,
        leases: &Leases,
    ) -> Option<Assignment> {
        let person = self.canonical_name(&request.assessor);
        let closed = self.is_paused() || self.is_closed();
        if closed || self.is_excluded(&person) || !self.spec.kinds.contains(&request.kind) {
            return None;
        }
        let (history, own_leases) = (self.history(&person), leases.leases_of(&person));
        if history.is_some_and(AssessorHistory::is_stopped_by_reports) {
            return None;
        }
        let done = history.map_or(0, |history| history.answered_questions) as usize;
        let done = done + own_leases.len();
        let context = AssessorContext {
            person: &person,
            alternate_queries: request.alternate_queries,
            draws: self.assignment_streams(&person, done, request.seed),
            number: self.assessor_index(&person),
            history,
            own_leases,
            leases,
        };
        protocol(request.kind).choose(self, &context)
    }

    /// Returns the next pair question for an assessor. A gold pair takes the place of an ordinary
    /// question. Without an ordinary question, no gold pair is assigned either.
    pub(crate) fn choose_preference(&self, context: &AssessorContext<'_>) -> Option<Assignment> {
        let vote = self.choose_pair(context)?;
        let due = self.is_gold_due(context);
        let gold = due.then(|| self.choose_gold_pair(context));
        Some(gold.flatten().unwrap_or(vote))
    }

    /// Returns the random streams for choosing the assessor's next question. They depend on the
    /// campaign's seed, the request's seed, the assessor and `done`, the number of questions that
    /// the assessor has had.
    fn assignment_streams(&self, person: &str, done: usize, seed: u64) -> StreamPrefix {
        let mut path = vec![stream_id::CHOICE, seed, done as u64];
        path.extend(person.bytes().map(u64::from));
        StreamPrefix::new(self.spec.settings.seed, &path)
    }

    /// Tries lists in random order and returns the first result of `choose`. `lists` must be
    /// sorted. If the request alternates queries, the list of the assessor's latest question is tried last,
    /// otherwise first. Lists whose query the assessor reported as defective are skipped.
    fn try_lists<T>(
        lists: &[usize],
        context: &AssessorContext<'_>,
        choose: impl Fn(usize) -> Option<T>,
    ) -> Option<T> {
        let choose = |list: usize| {
            (!context.has_reported_query(list))
                .then(|| choose(list))
                .flatten()
        };
        let last = context
            .last_list()
            .filter(|last| lists.binary_search(last).is_ok());
        let of_last = || last.and_then(choose);
        let of_others = || {
            let others = LazyShuffle::new(lists.len(), context.draws.stream(&[choice::LISTS]))
                .map(|place| lists[place]);
            others.filter(|&list| Some(list) != last).find_map(choose)
        };
        match context.alternate_queries {
            true => of_others().or_else(of_last),
            false => of_last().or_else(of_others),
        }
    }

    /// Chooses a requested pair for an assessor: one that the assessor has not seen and that lacks
    /// more votes than are on lease. Shows first the item that was first less often.
    fn choose_pair(&self, context: &AssessorContext<'_>) -> Option<Assignment> {
        let draws = &context.draws;
        let lease_count = |number, pair| {
            context
                .leases
                .lease_count(&Subject::from_pair(number, pair))
        };
        let found = Self::try_lists(&self.lists_with_offers, context, |number| {
            let list = &self.lists[number];
            let pairs = LazyShuffle::new(
                list.incomplete_pairs.len(),
                draws.stream(&[choice::INSIDE + number as u64]),
            );
            let mut pairs = pairs.map(|place| list.incomplete_pairs[place]);
            let pair = pairs.find(|&pair| {
                let taken = lease_count(number, pair).total;
                list.pairs[&pair].missing_votes > taken && !context.has_seen(number, list, pair)
            });
            Some((number, pair?))
        });
        let (number, pair) = found?;
        let list = &self.lists[number];
        let tally = list.pairs[&pair].tally;
        let leased = lease_count(number, pair);
        let lower_class_first = tally.lower_class_first + leased.lower_class_first;
        let higher_class_first = tally.votes() + leased.total - lower_class_first;
        let (low, high) = pair;
        let (a, b) = match lower_class_first.cmp(&higher_class_first) {
            Ordering::Less => (low, high),
            Ordering::Greater => (high, low),
            Ordering::Equal if uniform_index(&mut draws.stream(&[choice::SIDES]), 2) == 0 => {
                (low, high)
            }
            Ordering::Equal => (high, low),
        };
        Some(Assignment {
            task: Question::preference(&list.name, list.class_name(a), list.class_name(b)),
            gold: None,
        })
    }

    /// Returns true if the next pair question should be a gold pair. The questions of an assessor
    /// are divided into blocks of 1/share questions, where share is the configured share of gold
    /// pairs. Each block has one gold pair at a random position. If no gold pair was answered at
    /// that position, for example because it was returned, the next question becomes the gold pair.
    fn is_gold_due(&self, context: &AssessorContext<'_>) -> bool {
        let share = self.spec.gold.as_ref().map_or(0.0, |gold| gold.share);
        if share <= 0.0 {
            return false;
        }
        let (pairs, gold) = context.count_pairs_and_gold();
        let begin = |stretch: u32| (f64::from(stretch) / share).floor() as usize;
        let (first, next) = (begin(gold), begin(gold + 1));
        let mut path = vec![stream_id::GOLD_PLACE, u64::from(gold)];
        path.extend(context.person.bytes().map(u64::from));
        let mut random = stream(self.spec.settings.seed, &path);
        pairs as usize >= first + uniform_index(&mut random, next - first)
    }

    /// Chooses a gold pair of an open list that the assessor has not seen.
    fn choose_gold_pair(&self, context: &AssessorContext<'_>) -> Option<Assignment> {
        let draws = &context.draws;
        let gold = self.spec.gold.as_ref()?;
        let open = |pair: &GoldPair| {
            let number = self.find_list(&pair.query).ok()?;
            let list = &self.lists[number];
            let (a, b) = list.find_two_items(&pair.a, &pair.b).ok()?;
            let known = context.has_seen(number, list, pair_key(list.class(a), list.class(b)));
            let closed = list.closed.is_some() || context.has_reported_query(number);
            (!known && !closed).then_some(number)
        };
        let places = LazyShuffle::new(gold.pairs.len(), draws.stream(&[choice::GOLD]));
        let left = places.filter_map(|place| Some((&gold.pairs[place], open(&gold.pairs[place])?)));
        let left: Vec<(&GoldPair, usize)> = left.collect();
        let fits = |(_, list): &&(&GoldPair, usize)| {
            (Some(*list) == context.last_list()) != context.alternate_queries
        };
        let (pair, _) = left.iter().find(fits).or(left.first())?;
        let answer = pair.answer.preference()?;
        let mut shown = (&pair.a, &pair.b, answer);
        if uniform_index(&mut draws.stream(&[choice::SIDES]), 2) == 1 {
            shown = (&pair.b, &pair.a, answer.mirrored());
        }
        let (a, b, answer) = shown;
        Some(Assignment {
            task: Question::preference(&pair.query, a, b),
            gold: Some(answer),
        })
    }

    /// Chooses a question of this kind that lacks answers and that the assessor has not had. Its
    /// items are none that the assessor reported.
    pub(crate) fn choose_missing_judgment(
        &self,
        kind: JudgmentKind,
        context: &AssessorContext<'_>,
    ) -> Option<Assignment> {
        let lists: Vec<usize> = (0..self.lists.len()).collect();
        let protocol = protocol(kind);
        let (number, items) = Self::try_lists(&lists, context, |number| {
            let list = &self.lists[number];
            if !protocol.can_be_asked(list) {
                return None;
            }
            let missing: Vec<_> = self.missing_judgments(number, kind).collect();
            let stream = context.draws.stream(&[choice::INSIDE + number as u64]);
            let mut subjects = LazyShuffle::new(missing.len(), stream).map(|place| missing[place]);
            let found = subjects.find(|(subject, lacks)| {
                let reported = |history: &AssessorHistory| {
                    let mut items = subject.items.iter();
                    items.any(|&item| history.has_reported_item(number, list.class(item)))
                };
                *lacks > context.leases.lease_count(subject).total
                    && !context.has_had(subject)
                    && !context.history.is_some_and(reported)
            });
            Some((number, &found?.0.items))
        })?;
        let list = &self.lists[number];
        let names: Vec<&str> = items.iter().map(|&item| list.items.name(item)).collect();
        Some(Assignment {
            task: Question::new(kind, &list.name, &names),
            gold: None,
        })
    }
}

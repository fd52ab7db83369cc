//! Plain implementation of the choice of the next question for an assessor, for comparison with the
//! campaign. It recomputes everything from the whole log, without an index or a cache.

use std::collections::{BTreeMap, BTreeSet};

use partita_core::Preference;
use partita_judging::campaign::{
    Answer, AnswerRole, Assignment, AssignmentRequest, CampaignSpec, Event, GoldPair, Judgment,
    JudgmentKind, Lease, Question,
};
use partita_judging::{Strategy, Votes};
use partita_stats::random::{sample_without_replacement, stream, uniform_index};

/// Pair of a list: list number, and class numbers of the two items, lower first. Identical items
/// form a class.
type PairKey = (usize, usize, usize);

/// Answer about a pair.
struct PlainAnswer {
    /// Number of answers about pairs before this one.
    number: usize,
    /// Number of the event in the log, counted from 1.
    event: usize,
    key: PairKey,
    /// True if the item of the higher class was shown first.
    high_first: bool,
    person: String,
    answer: Option<Preference>,
    /// True if the pair had been requested when the answer arrived, or if the answer is imported.
    asked: bool,
}

fn build_strategy(spec: &CampaignSpec) -> Box<dyn Strategy> {
    let settings = &spec.settings;
    settings.strategy.build(&settings.strategy_options())
}

/// Questions that an assessor has seen.
#[derive(Default)]
struct AssessorHistory {
    /// Number of answers of every kind, without imported ones.
    tasks: usize,
    /// Number of answers about pairs, including gold questions.
    pairs: usize,
    /// List of the last answer.
    last: Option<usize>,
    seen: BTreeSet<PairKey>,
    /// Number of answers to gold questions.
    gold: usize,
    reported_lists: BTreeSet<usize>,
    reported_items: BTreeSet<(usize, usize)>,
    ranked: BTreeSet<usize>,
    graded: BTreeSet<(usize, String)>,
}

/// State of a campaign, recomputed from its log.
pub(crate) struct PlainCampaign {
    spec: CampaignSpec,
    strategy: Box<dyn Strategy>,
    /// Class of identical items that each item belongs to, by list. `names` has the item that
    /// represents each class.
    classes: Vec<BTreeMap<String, usize>>,
    names: Vec<Vec<String>>,
    /// Number of votes requested on each pair.
    targets: BTreeMap<PairKey, u32>,
    /// Votes on each requested pair, and number of votes for which the item of the lower class was
    /// shown first.
    counted_votes: BTreeMap<PairKey, (Votes, u32)>,
    answers: Vec<PlainAnswer>,
    history: BTreeMap<String, AssessorHistory>,
    excluded: BTreeSet<String>,
    retracted: BTreeSet<usize>,
    /// Closed lists, each with the number of answers before it was closed.
    closed: BTreeMap<usize, usize>,
    is_closed: bool,
    paused: bool,
    /// Former strategies, each with the number of answers before it was replaced.
    former_strategies: Vec<(usize, Box<dyn Strategy>)>,
    /// Rankings by event number, list and assessor; `grades` additionally has the item.
    rankings: Vec<(usize, usize, String)>,
    grades: Vec<(usize, usize, String, String)>,
}

impl PlainCampaign {
    pub(crate) fn from_events(events: &[Event]) -> Self {
        let Event::Opened { spec, .. } = &events[0] else {
            panic!("a log begins with its specification");
        };
        let mut plain = Self {
            spec: spec.as_ref().clone(),
            strategy: build_strategy(spec),
            classes: Vec::new(),
            names: Vec::new(),
            targets: BTreeMap::new(),
            counted_votes: BTreeMap::new(),
            answers: Vec::new(),
            history: BTreeMap::new(),
            excluded: BTreeSet::new(),
            retracted: BTreeSet::new(),
            closed: BTreeMap::new(),
            is_closed: false,
            paused: false,
            former_strategies: Vec::new(),
            rankings: Vec::new(),
            grades: Vec::new(),
        };
        plain.add_lists();
        let mut answers = 0;
        for (place, event) in events.iter().enumerate().skip(1) {
            plain.apply(event, place + 1, &mut answers);
        }
        let keys = plain.targets.keys();
        plain.counted_votes = keys.map(|&key| (key, plain.votes(key))).collect();
        plain
    }

    /// Adds the lists that are new in the settings. Items with the same content form one class.
    fn add_lists(&mut self) {
        for list in &self.spec.lists[self.classes.len()..] {
            let classes = list.duplicate_classes();
            let name = |place: usize| list.items[place].item.clone();
            let numbered = classes.iter().enumerate();
            let numbered = numbered
                .flat_map(|(class, places)| places.iter().map(move |&place| (name(place), class)));
            self.classes.push(numbered.collect());
            self.names
                .push(classes.iter().map(|class| name(class[0])).collect());
        }
    }

    fn list(&self, query: &str) -> usize {
        let lists = &self.spec.lists;
        let list = lists.iter().position(|list| list.query == query);
        list.expect("a list")
    }

    /// Returns the class number of an item.
    fn class(&self, list: usize, item: &str) -> usize {
        self.classes[list][item]
    }

    /// Returns the item that represents a class.
    fn name(&self, list: usize, class: usize) -> &str {
        &self.names[list][class]
    }

    fn key(&self, query: &str, a: &str, b: &str) -> (PairKey, bool) {
        let list = self.list(query);
        let (a, b) = (self.class(list, a), self.class(list, b));
        ((list, a.min(b), a.max(b)), a > b)
    }

    fn history(&mut self, person: &str) -> &mut AssessorHistory {
        self.history.entry(person.to_owned()).or_default()
    }

    fn record_question(&mut self, person: &str, list: usize) {
        let history = self.history(person);
        history.tasks += 1;
        history.last = Some(list);
    }

    fn add_answer(&mut self, given: &Answer, adopted: bool, event: usize, number: usize) {
        let [a, b] = given.question.pair().expect("a pair");
        let (key, high_first) = self.key(&given.question.query, a, b);
        self.answers.push(PlainAnswer {
            number,
            event,
            key,
            high_first,
            person: given.assessor.clone(),
            answer: given.judgment.preference(),
            asked: adopted || self.targets.get(&key).is_some_and(|&target| target > 0),
        });
        self.history(&given.assessor).seen.insert(key);
        if !adopted {
            self.history(&given.assessor).pairs += 1;
            self.record_question(&given.assessor, key.0);
        }
    }

    fn apply(&mut self, event: &Event, number: usize, answers: &mut usize) {
        match event {
            Event::Asked { pairs, .. } => {
                for pair in pairs {
                    let (key, _) = self.key(&pair.query, &pair.a, &pair.b);
                    let target = self.targets.entry(key).or_insert(0);
                    *target = (*target).max(pair.votes);
                }
            }
            Event::Answered { answer, role } => {
                let (question, assessor) = (&answer.question, &answer.assessor);
                let list = self.list(&question.query);
                match (&answer.judgment, role) {
                    (Judgment::Preference(_), AnswerRole::Gold { .. }) => {
                        let [a, b] = [&question.items[0], &question.items[1]];
                        let (key, _) = self.key(&question.query, a, b);
                        let history = self.history(assessor);
                        history.seen.insert(key);
                        history.pairs += 1;
                        history.gold += 1;
                        self.record_question(assessor, list);
                        *answers += 1;
                    }
                    (Judgment::Preference(_), _) => {
                        let adopted = *role == AnswerRole::Imported;
                        self.add_answer(answer, adopted, number, *answers);
                        *answers += 1;
                    }
                    (Judgment::Ranking { .. }, _) => {
                        self.history(assessor).ranked.insert(list);
                        self.record_question(assessor, list);
                        self.rankings.push((number, list, assessor.clone()));
                    }
                    _ => {
                        let item = question.items[0].clone();
                        self.history(assessor).graded.insert((list, item.clone()));
                        self.record_question(assessor, list);
                        self.grades.push((number, list, item, assessor.clone()));
                    }
                }
            }
            Event::Reported(reported) => {
                let list = self.list(&reported.query);
                let class = reported.item.as_ref().map(|item| self.class(list, item));
                let history = self.history(&reported.assessor);
                match class {
                    Some(class) => history.reported_items.insert((list, class)),
                    None => history.reported_lists.insert(list),
                };
            }
            Event::Excluded { assessor, .. } => {
                self.excluded.insert(assessor.clone());
            }
            Event::Readmitted { assessor } => {
                self.excluded.remove(assessor);
            }
            Event::Paused => self.paused = true,
            Event::Resumed => self.paused = false,
            Event::Closed { query: Some(query) } => {
                self.closed.entry(self.list(query)).or_insert(*answers);
            }
            Event::Closed { query: None } => self.is_closed = true,
            Event::Extended(extended) => {
                self.spec.settings.votes = extended.votes.unwrap_or(self.spec.settings.votes);
                self.spec.lists.extend(extended.lists.iter().cloned());
                self.add_lists();
                let strategy = build_strategy(&self.spec);
                let former = std::mem::replace(&mut self.strategy, strategy);
                self.former_strategies.push((*answers, former));
            }
            Event::Retracted { answer, .. } => {
                self.retracted.insert(*answer as usize);
            }
            Event::Opened { .. } => {}
        }
    }

    /// Returns the votes on a pair, and the number of votes for which the item of the lower class
    /// was shown first.
    fn votes(&self, key: PairKey) -> (Votes, u32) {
        let strategy = &self.strategy;
        let target = self.targets.get(&key).copied().unwrap_or(0);
        let (mut votes, mut low_first) = (Votes::default(), 0);
        let mut people = BTreeSet::new();
        for given in self.answers.iter().filter(|given| given.key == key) {
            let Some(answer) = given.answer else { continue };
            let late = self
                .closed
                .get(&key.0)
                .is_some_and(|&end| given.number >= end);
            if self.retracted.contains(&given.event)
                || late
                || self.excluded.contains(&given.person)
                || !given.asked
                || !people.insert(&given.person)
            {
                continue;
            }
            let former = self
                .former_strategies
                .iter()
                .find(|(end, _)| given.number < *end);
            let wanted = strategy.decided_relation(votes).is_none()
                || former.is_some_and(|(_, former)| former.decided_relation(votes).is_none());
            if votes.len() < target && wanted {
                votes = match (answer, given.high_first) {
                    (Preference::A, false) | (Preference::B, true) => Votes {
                        a: votes.a + 1,
                        ..votes
                    },
                    (Preference::B, false) | (Preference::A, true) => Votes {
                        b: votes.b + 1,
                        ..votes
                    },
                    (Preference::Equal, _) => Votes {
                        equal: votes.equal + 1,
                        ..votes
                    },
                };
                low_first += u32::from(!given.high_first);
            }
        }
        (votes, low_first)
    }

    /// Returns the number of requested votes that a pair lacks.
    pub(crate) fn missing_votes(&self, key: PairKey) -> u32 {
        let (votes, _) = self.counted_votes.get(&key).copied().unwrap_or_default();
        let decided = self.strategy.decided_relation(votes).is_some();
        if key.1 == key.2 || decided || self.closed.contains_key(&key.0) {
            return 0;
        }
        let target = self.targets.get(&key).copied().unwrap_or(0);
        target
            .min(self.spec.settings.votes)
            .saturating_sub(votes.len())
    }

    fn pair_of(&self, task: &Question) -> Option<(PairKey, bool)> {
        let [a, b] = task.pair()?;
        Some(self.key(&task.query, a, b))
    }

    /// Returns the lists in the order in which they are tried for an assessor.
    fn list_order(
        &self,
        all: &[usize],
        last: Option<usize>,
        mix: bool,
        draws: &[u64],
    ) -> Vec<usize> {
        let mut path = draws.to_vec();
        path.push(1);
        let mut random = stream(self.spec.settings.seed, &path);
        let order = sample_without_replacement(&mut random, all.len(), all.len());
        let others = order.into_iter().map(|place| all[place]);
        let mut others: Vec<usize> = others.filter(|&list| Some(list) != last).collect();
        let last = last.filter(|last| all.contains(last));
        match mix {
            true => others.extend(last),
            false => others.splice(0..0, last).for_each(drop),
        }
        others
    }

    fn order_within_list(&self, list: usize, count: usize, draws: &[u64]) -> Vec<usize> {
        let mut path = draws.to_vec();
        path.push(3 + list as u64);
        sample_without_replacement(&mut stream(self.spec.settings.seed, &path), count, count)
    }

    fn draw_coin(&self, draws: &[u64]) -> bool {
        let mut path = draws.to_vec();
        path.push(0);
        uniform_index(&mut stream(self.spec.settings.seed, &path), 2) == 1
    }

    pub(crate) fn choose_assignment(
        &self,
        request: &AssignmentRequest,
        leases: &[Lease],
    ) -> Option<Assignment> {
        let person = &request.assessor;
        let barred = self.paused || self.is_closed || self.excluded.contains(person);
        if barred || !self.spec.kinds.contains(&request.kind) {
            return None;
        }
        let nothing = AssessorHistory::default();
        let history = self.history.get(person).unwrap_or(&nothing);
        let held: Vec<&Lease> = leases
            .iter()
            .filter(|lease| lease.assessor == *person)
            .collect();
        let last = held.last().map(|lease| self.list(&lease.task.query));
        let last = last.or(history.last);
        let mut draws = vec![0x005_005, request.seed, (history.tasks + held.len()) as u64];
        draws.extend(person.bytes().map(u64::from));
        let all: Vec<usize> = (0..self.spec.lists.len()).collect();
        match request.kind {
            JudgmentKind::Preference => {
                let offering: Vec<usize> = (all.into_iter())
                    .filter(|&list| !self.pairs_missing_votes(list).is_empty())
                    .collect();
                let mut lists = self.list_order(&offering, last, request.alternate_queries, &draws);
                lists.retain(|list| !history.reported_lists.contains(list));
                let seen = |key: PairKey| {
                    let holds = |lease: &&Lease| {
                        self.pair_of(&lease.task)
                            .is_some_and(|(theirs, _)| theirs == key)
                    };
                    history.seen.contains(&key)
                        || history.reported_items.contains(&(key.0, key.1))
                        || history.reported_items.contains(&(key.0, key.2))
                        || held.iter().any(holds)
                };
                let mut found = None;
                for list in lists {
                    let keys = self.pairs_missing_votes(list);
                    for place in self.order_within_list(list, keys.len(), &draws) {
                        let key = keys[place];
                        let out = self.leased_sides(key, leases);
                        if found.is_none()
                            && self.missing_votes(key) as usize > out.len()
                            && !seen(key)
                        {
                            found = Some(self.oriented_assignment(key, &out, &draws));
                        }
                    }
                }
                let vote = found?;
                let gold = self.gold_assignment(history, &held, last, request, &draws, &seen);
                Some(gold.unwrap_or(vote))
            }
            JudgmentKind::Ranking => {
                let mut lists = self.list_order(&all, last, request.alternate_queries, &draws);
                lists.retain(|list| !history.reported_lists.contains(list));
                let list = lists.into_iter().find(|&list| {
                    let wanted = self.spec.judging.graders_for(JudgmentKind::Ranking);
                    let is_it = |task: &Question| {
                        task.kind == JudgmentKind::Ranking && self.list(&task.query) == list
                    };
                    let out = leases.iter().filter(|lease| is_it(&lease.task)).count();
                    !self.closed.contains_key(&list)
                        && self.names[list].len() > 1
                        && !history.ranked.contains(&list)
                        && !held.iter().any(|lease| is_it(&lease.task))
                        && wanted
                            .is_none_or(|wanted| self.ranker_count(list) + out < wanted as usize)
                })?;
                let task = Question::ranking(&self.spec.lists[list].query);
                Some(Assignment { task, gold: None })
            }
            _ => {
                let mut lists = self.list_order(&all, last, request.alternate_queries, &draws);
                lists.retain(|list| !history.reported_lists.contains(list));
                for list in lists
                    .into_iter()
                    .filter(|list| !self.closed.contains_key(list))
                {
                    let items = self.spec.lists[list].items.iter();
                    let items: Vec<&String> = items.map(|known| &known.item).collect();
                    let wanted = self.spec.judging.graders_for(JudgmentKind::Grading);
                    let wanted = wanted.expect("grades have a limit") as usize;
                    let mut ungraded = items;
                    ungraded.retain(|item| self.grader_count(list, item) < wanted);
                    for place in self.order_within_list(list, ungraded.len(), &draws) {
                        let item = ungraded[place];
                        let task = Question::grade(&self.spec.lists[list].query, item);
                        let out = leases.iter().filter(|lease| lease.task == task).count();
                        let known = history.graded.contains(&(list, item.clone()))
                            || history
                                .reported_items
                                .contains(&(list, self.class(list, item)))
                            || held.iter().any(|lease| lease.task == task);
                        if !known && self.grader_count(list, item) + out < wanted {
                            return Some(Assignment { task, gold: None });
                        }
                    }
                }
                None
            }
        }
    }

    /// Returns the pairs of a list that lack votes.
    fn pairs_missing_votes(&self, list: usize) -> Vec<PairKey> {
        let asked = self.targets.keys().copied();
        asked
            .filter(|&key| key.0 == list && self.missing_votes(key) > 0)
            .collect()
    }

    /// Returns a flag for each lease of the pair other than gold questions: true if the item of the
    /// higher class is shown first.
    fn leased_sides(&self, key: PairKey, leases: &[Lease]) -> Vec<bool> {
        let votes = leases.iter().filter(|lease| !lease.gold);
        let pairs = votes.filter_map(|lease| self.pair_of(&lease.task));
        pairs
            .filter(|(theirs, _)| *theirs == key)
            .map(|(_, high_first)| high_first)
            .collect()
    }

    fn oriented_assignment(&self, key: PairKey, out: &[bool], draws: &[u64]) -> Assignment {
        let (votes, low_first) = self.counted_votes[&key];
        let low = low_first as usize + out.iter().filter(|high_first| !**high_first).count();
        let high = votes.len() as usize + out.len() - low;
        let high_first = low > high || (low == high && self.draw_coin(draws));
        let (list, mut a, mut b) = key;
        if high_first {
            (a, b) = (b, a);
        }
        Assignment {
            task: Question::preference(
                &self.spec.lists[list].query,
                self.name(list, a),
                self.name(list, b),
            ),
            gold: None,
        }
    }

    /// Returns a gold question, if one is due and the assessor has not seen them all.
    fn gold_assignment(
        &self,
        history: &AssessorHistory,
        held: &[&Lease],
        last: Option<usize>,
        request: &AssignmentRequest,
        draws: &[u64],
        seen: &dyn Fn(PairKey) -> bool,
    ) -> Option<Assignment> {
        let gold = self.spec.gold.as_ref()?;
        let count = |gold_only: bool| {
            let pairs = held
                .iter()
                .filter(|lease| lease.task.kind == JudgmentKind::Preference);
            pairs.filter(|lease| lease.gold || !gold_only).count()
        };
        let (pairs, had) = (history.pairs + count(false), history.gold + count(true));
        let begin = |stretch: usize| (stretch as f64 / gold.share).floor() as usize;
        let mut path = vec![0x005_006, had as u64];
        path.extend(request.assessor.bytes().map(u64::from));
        let mut random = stream(self.spec.settings.seed, &path);
        let place = begin(had) + uniform_index(&mut random, begin(had + 1) - begin(had));
        if pairs < place {
            return None;
        }
        let mut path = draws.to_vec();
        path.push(2);
        let mut random = stream(self.spec.settings.seed, &path);
        let order = sample_without_replacement(&mut random, gold.pairs.len(), gold.pairs.len());
        let open = |pair: &&GoldPair| {
            let (key, _) = self.key(&pair.query, &pair.a, &pair.b);
            let closed =
                self.closed.contains_key(&key.0) || history.reported_lists.contains(&key.0);
            !closed && !seen(key)
        };
        let left: Vec<&GoldPair> = (order.into_iter())
            .map(|place| &gold.pairs[place])
            .filter(open)
            .collect();
        let other =
            |pair: &&&GoldPair| (Some(self.list(&pair.query)) != last) == request.alternate_queries;
        let pair = left.iter().find(other).or(left.first())?;
        let answer = pair.answer.preference()?;
        let (a, b, answer) = match (self.draw_coin(draws), answer) {
            (false, answer) => (&pair.a, &pair.b, answer),
            (true, Preference::A) => (&pair.b, &pair.a, Preference::B),
            (true, Preference::B) => (&pair.b, &pair.a, Preference::A),
            (true, answer) => (&pair.b, &pair.a, answer),
        };
        let task = Question::preference(&pair.query, a, b);
        Some(Assignment {
            task,
            gold: Some(answer),
        })
    }

    fn ranker_count(&self, list: usize) -> usize {
        let theirs = self.rankings.iter().filter(|(event, of, who)| {
            *of == list && !self.retracted.contains(event) && !self.excluded.contains(who)
        });
        theirs.map(|(_, _, who)| who).collect::<BTreeSet<_>>().len()
    }

    fn grader_count(&self, list: usize, item: &str) -> usize {
        let theirs = self.grades.iter().filter(|(event, of, what, who)| {
            *of == list
                && what == item
                && !self.retracted.contains(event)
                && !self.excluded.contains(who)
        });
        theirs.map(|(.., who)| who).collect::<BTreeSet<_>>().len()
    }
}

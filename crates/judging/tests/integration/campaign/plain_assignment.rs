//! Second implementation of the next question for an assessor, as simple as possible: it recomputes
//! everything from the whole log for every question, without an index or a cache.

use std::collections::{BTreeMap, BTreeSet};

use partita_core::Preference;
use partita_judging::campaign::{
    Assignment, AssignmentRequest, CampaignSpec, Event, GoldPair, JudgmentKind, Lease,
    PreferenceAnswer, PreferenceChoice, Question,
};
use partita_judging::{Strategy, Votes};
use partita_stats::random::{sample_without_replacement, stream, uniform_index};

/// Pair: list number and the two class numbers of its items, lower first.
type Key = (usize, usize, usize);

/// Answer about a pair.
struct PlainAnswer {
    number: usize,
    event: usize,
    key: Key,
    high_first: bool,
    person: String,
    answer: Option<Preference>,
    /// True if the pair had been requested when the answer arrived, or if the answer is imported.
    asked: bool,
}

fn strategy_of(settings: &CampaignSpec) -> Box<dyn Strategy> {
    settings.strategy.build(&settings.strategy_options())
}

/// Questions that an assessor has seen.
#[derive(Default)]
struct Past {
    tasks: usize,
    pairs: usize,
    last: Option<usize>,
    seen: BTreeSet<Key>,
    gold: usize,
    broken_lists: BTreeSet<usize>,
    broken_items: BTreeSet<(usize, usize)>,
    ranked: BTreeSet<usize>,
    graded: BTreeSet<(usize, String)>,
}

/// State of a campaign, recomputed from its log.
pub(crate) struct PlainCampaign {
    settings: CampaignSpec,
    strategy: Box<dyn Strategy>,
    /// Class of each item, by list; `names` has the item that represents each class.
    classes: Vec<BTreeMap<String, usize>>,
    names: Vec<Vec<String>>,
    targets: BTreeMap<Key, u32>,
    /// Votes on each requested pair, and the number of them for which the lower class was shown first.
    counted: BTreeMap<Key, (Votes, u32)>,
    answers: Vec<PlainAnswer>,
    past: BTreeMap<String, Past>,
    excluded: BTreeSet<String>,
    retracted: BTreeSet<usize>,
    /// Closed lists, each with the number of answers before it was closed.
    closed: BTreeMap<usize, usize>,
    over: bool,
    paused: bool,
    /// Former strategies, each with the number of answers before it was replaced.
    former: Vec<(usize, Box<dyn Strategy>)>,
    /// Rankings: event number, list and assessor; `grades` has the item too.
    rankings: Vec<(usize, usize, String)>,
    grades: Vec<(usize, usize, String, String)>,
}

impl PlainCampaign {
    pub(crate) fn read(events: &[Event]) -> Self {
        let Event::Opened { settings, .. } = &events[0] else {
            panic!("a log begins with its settings");
        };
        let mut plain = Self {
            settings: settings.as_ref().clone(),
            strategy: strategy_of(settings),
            classes: Vec::new(),
            names: Vec::new(),
            targets: BTreeMap::new(),
            counted: BTreeMap::new(),
            answers: Vec::new(),
            past: BTreeMap::new(),
            excluded: BTreeSet::new(),
            retracted: BTreeSet::new(),
            closed: BTreeMap::new(),
            over: false,
            paused: false,
            former: Vec::new(),
            rankings: Vec::new(),
            grades: Vec::new(),
        };
        plain.add_lists();
        let mut answers = 0;
        for (place, event) in events.iter().enumerate().skip(1) {
            plain.apply(event, place + 1, &mut answers);
        }
        let keys = plain.targets.keys();
        plain.counted = keys.map(|&key| (key, plain.votes(key))).collect();
        plain
    }

    /// Adds the lists that are new in the settings. Items with the same content form one class.
    fn add_lists(&mut self) {
        for list in &self.settings.lists[self.classes.len()..] {
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
        let lists = &self.settings.lists;
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

    fn key(&self, query: &str, a: &str, b: &str) -> (Key, bool) {
        let list = self.list(query);
        let (a, b) = (self.class(list, a), self.class(list, b));
        ((list, a.min(b), a.max(b)), a > b)
    }

    fn past(&mut self, person: &str) -> &mut Past {
        self.past.entry(person.to_owned()).or_default()
    }

    fn did(&mut self, person: &str, list: usize) {
        let past = self.past(person);
        past.tasks += 1;
        past.last = Some(list);
    }

    fn answer(&mut self, given: &PreferenceAnswer, adopted: bool, event: usize, number: usize) {
        let (key, high_first) = self.key(&given.query, &given.a, &given.b);
        self.answers.push(PlainAnswer {
            number,
            event,
            key,
            high_first,
            person: given.assessor.clone(),
            answer: given.answer.preference(),
            asked: adopted || self.targets.get(&key).is_some_and(|&target| target > 0),
        });
        self.past(&given.assessor).seen.insert(key);
        if !adopted {
            self.past(&given.assessor).pairs += 1;
            self.did(&given.assessor, key.0);
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
            Event::Answered(given) => {
                self.answer(given, false, number, *answers);
                *answers += 1;
            }
            Event::Adopted(given) => {
                self.answer(given, true, number, *answers);
                *answers += 1;
            }
            Event::GoldAnswered(checked) => {
                let given = &checked.answer;
                let (key, _) = self.key(&given.query, &given.a, &given.b);
                let past = self.past(&given.assessor);
                past.seen.insert(key);
                past.pairs += 1;
                past.gold += 1;
                self.did(&given.assessor, key.0);
                *answers += 1;
            }
            Event::Ranked(ranked) => {
                let list = self.list(&ranked.query);
                self.past(&ranked.assessor).ranked.insert(list);
                self.did(&ranked.assessor, list);
                self.rankings.push((number, list, ranked.assessor.clone()));
            }
            Event::Graded(graded) => {
                let list = self.list(&graded.query);
                let item = graded.item.clone();
                self.past(&graded.assessor)
                    .graded
                    .insert((list, item.clone()));
                self.did(&graded.assessor, list);
                self.grades
                    .push((number, list, item, graded.assessor.clone()));
            }
            Event::Reported(reported) => {
                let list = self.list(&reported.query);
                let class = reported.item.as_ref().map(|item| self.class(list, item));
                let past = self.past(&reported.assessor);
                match class {
                    Some(class) => past.broken_items.insert((list, class)),
                    None => past.broken_lists.insert(list),
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
            Event::Closed { query: None } => self.over = true,
            Event::Extended(extended) => {
                self.settings.votes = extended.votes.unwrap_or(self.settings.votes);
                self.settings.lists.extend(extended.lists.iter().cloned());
                self.add_lists();
                let strategy = strategy_of(&self.settings);
                let former = std::mem::replace(&mut self.strategy, strategy);
                self.former.push((*answers, former));
            }
            Event::Retracted { answer, .. } => {
                self.retracted.insert(*answer as usize);
            }
            Event::Opened { .. } => {}
        }
    }

    /// Returns the votes on a pair, and the number of them for which the lower class was shown first.
    fn votes(&self, key: Key) -> (Votes, u32) {
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
            let former = self.former.iter().find(|(end, _)| given.number < *end);
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
    pub(crate) fn lacks(&self, key: Key) -> u32 {
        let (votes, _) = self.counted.get(&key).copied().unwrap_or_default();
        let decided = self.strategy.decided_relation(votes).is_some();
        if key.1 == key.2 || decided || self.closed.contains_key(&key.0) {
            return 0;
        }
        let target = self.targets.get(&key).copied().unwrap_or(0);
        target.min(self.settings.votes).saturating_sub(votes.len())
    }

    fn pair_of(&self, task: &Question) -> Option<(Key, bool)> {
        match task {
            Question::Preference { query, a, b } => Some(self.key(query, a, b)),
            _ => None,
        }
    }

    /// Returns the lists in the order in which they are tried for an assessor.
    fn lists(&self, all: &[usize], last: Option<usize>, mix: bool, draws: &[u64]) -> Vec<usize> {
        let mut path = draws.to_vec();
        path.push(1);
        let mut random = stream(self.settings.seed, &path);
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

    fn inside(&self, list: usize, count: usize, draws: &[u64]) -> Vec<usize> {
        let mut path = draws.to_vec();
        path.push(3 + list as u64);
        sample_without_replacement(&mut stream(self.settings.seed, &path), count, count)
    }

    fn coin(&self, draws: &[u64]) -> bool {
        let mut path = draws.to_vec();
        path.push(0);
        uniform_index(&mut stream(self.settings.seed, &path), 2) == 1
    }

    pub(crate) fn choose(
        &self,
        request: &AssignmentRequest,
        leases: &[Lease],
    ) -> Option<Assignment> {
        let person = &request.assessor;
        let barred = self.paused || self.over || self.excluded.contains(person);
        if barred || !self.settings.kinds.contains(&request.kind) {
            return None;
        }
        let nothing = Past::default();
        let past = self.past.get(person).unwrap_or(&nothing);
        let held: Vec<&Lease> = leases
            .iter()
            .filter(|lease| lease.assessor == *person)
            .collect();
        let last = held.last().map(|lease| self.list(lease.task.query()));
        let last = last.or(past.last);
        let mut draws = vec![0x005_005, request.seed, (past.tasks + held.len()) as u64];
        draws.extend(person.bytes().map(u64::from));
        let all: Vec<usize> = (0..self.settings.lists.len()).collect();
        match request.kind {
            JudgmentKind::Preference => {
                let offering: Vec<usize> = (all.into_iter())
                    .filter(|&list| !self.lacking(list).is_empty())
                    .collect();
                let mut lists = self.lists(&offering, last, request.alternate_queries, &draws);
                lists.retain(|list| !past.broken_lists.contains(list));
                let seen = |key: Key| {
                    let holds = |lease: &&Lease| {
                        self.pair_of(&lease.task)
                            .is_some_and(|(theirs, _)| theirs == key)
                    };
                    past.seen.contains(&key)
                        || past.broken_items.contains(&(key.0, key.1))
                        || past.broken_items.contains(&(key.0, key.2))
                        || held.iter().any(holds)
                };
                let mut found = None;
                for list in lists {
                    let keys = self.lacking(list);
                    for place in self.inside(list, keys.len(), &draws) {
                        let key = keys[place];
                        let out = self.out(key, leases);
                        if found.is_none() && self.lacks(key) as usize > out.len() && !seen(key) {
                            found = Some(self.shown(key, &out, &draws));
                        }
                    }
                }
                let vote = found?;
                let gold = self.gold(past, &held, last, request, &draws, &seen);
                Some(gold.unwrap_or(vote))
            }
            JudgmentKind::Ranking => {
                let mut lists = self.lists(&all, last, request.alternate_queries, &draws);
                lists.retain(|list| !past.broken_lists.contains(list));
                let list = lists.into_iter().find(|&list| {
                    let is_it = |task: &Question| {
                        task.kind() == JudgmentKind::Ranking && self.list(task.query()) == list
                    };
                    let out = leases.iter().filter(|lease| is_it(&lease.task)).count();
                    !self.closed.contains_key(&list)
                        && self.names[list].len() > 1
                        && !past.ranked.contains(&list)
                        && !held.iter().any(|lease| is_it(&lease.task))
                        && self.rankers(list) + out < self.settings.graders as usize
                })?;
                let query = self.settings.lists[list].query.clone();
                let task = Question::Ranking { query };
                Some(Assignment { task, gold: None })
            }
            JudgmentKind::Grading => {
                let mut lists = self.lists(&all, last, request.alternate_queries, &draws);
                lists.retain(|list| !past.broken_lists.contains(list));
                for list in lists
                    .into_iter()
                    .filter(|list| !self.closed.contains_key(list))
                {
                    let items = self.settings.lists[list].items.iter();
                    let items: Vec<&String> = items.map(|known| &known.item).collect();
                    let wanted = self.settings.graders as usize;
                    let mut lacking = items;
                    lacking.retain(|item| self.graders(list, item) < wanted);
                    for place in self.inside(list, lacking.len(), &draws) {
                        let item = lacking[place];
                        let query = self.settings.lists[list].query.clone();
                        let item_of = item.clone();
                        let task = Question::Grade {
                            query,
                            item: item_of,
                        };
                        let out = leases.iter().filter(|lease| lease.task == task).count();
                        let known = past.graded.contains(&(list, item.clone()))
                            || past.broken_items.contains(&(list, self.class(list, item)))
                            || held.iter().any(|lease| lease.task == task);
                        if !known && self.graders(list, item) + out < wanted {
                            return Some(Assignment { task, gold: None });
                        }
                    }
                }
                None
            }
        }
    }

    /// Returns the pairs of a list that lack votes.
    fn lacking(&self, list: usize) -> Vec<Key> {
        let asked = self.targets.keys().copied();
        asked
            .filter(|&key| key.0 == list && self.lacks(key) > 0)
            .collect()
    }

    /// Returns one flag per lease of a pair that is not gold: true if the higher class is shown first.
    fn out(&self, key: Key, leases: &[Lease]) -> Vec<bool> {
        let votes = leases.iter().filter(|lease| !lease.gold);
        let pairs = votes.filter_map(|lease| self.pair_of(&lease.task));
        pairs
            .filter(|(theirs, _)| *theirs == key)
            .map(|(_, high_first)| high_first)
            .collect()
    }

    fn shown(&self, key: Key, out: &[bool], draws: &[u64]) -> Assignment {
        let (votes, low_first) = self.counted[&key];
        let low = low_first as usize + out.iter().filter(|high_first| !**high_first).count();
        let high = votes.len() as usize + out.len() - low;
        let high_first = low > high || (low == high && self.coin(draws));
        let (list, mut a, mut b) = key;
        if high_first {
            (a, b) = (b, a);
        }
        Assignment {
            task: Question::Preference {
                query: self.settings.lists[list].query.clone(),
                a: self.name(list, a).to_owned(),
                b: self.name(list, b).to_owned(),
            },
            gold: None,
        }
    }

    /// Returns a gold question, if one is due and the assessor has not seen them all.
    fn gold(
        &self,
        past: &Past,
        held: &[&Lease],
        last: Option<usize>,
        request: &AssignmentRequest,
        draws: &[u64],
        seen: &dyn Fn(Key) -> bool,
    ) -> Option<Assignment> {
        let gold = self.settings.gold.as_ref()?;
        let count = |gold_only: bool| {
            let pairs = held
                .iter()
                .filter(|lease| lease.task.kind() == JudgmentKind::Preference);
            pairs.filter(|lease| lease.gold || !gold_only).count()
        };
        let (pairs, had) = (past.pairs + count(false), past.gold + count(true));
        let begin = |stretch: usize| (stretch as f64 / gold.share).floor() as usize;
        let mut path = vec![0x005_006, had as u64];
        path.extend(request.assessor.bytes().map(u64::from));
        let mut random = stream(self.settings.seed, &path);
        let place = begin(had) + uniform_index(&mut random, begin(had + 1) - begin(had));
        if pairs < place {
            return None;
        }
        let mut path = draws.to_vec();
        path.push(2);
        let mut random = stream(self.settings.seed, &path);
        let order = sample_without_replacement(&mut random, gold.pairs.len(), gold.pairs.len());
        let open = |pair: &&GoldPair| {
            let (key, _) = self.key(&pair.query, &pair.a, &pair.b);
            let closed = self.closed.contains_key(&key.0) || past.broken_lists.contains(&key.0);
            !closed && !seen(key)
        };
        let left: Vec<&GoldPair> = (order.into_iter())
            .map(|place| &gold.pairs[place])
            .filter(open)
            .collect();
        let other =
            |pair: &&&GoldPair| (Some(self.list(&pair.query)) != last) == request.alternate_queries;
        let pair = left.iter().find(other).or(left.first())?;
        let (a, b, answer) = match (self.coin(draws), pair.answer) {
            (false, answer) => (&pair.a, &pair.b, answer),
            (true, PreferenceChoice::A) => (&pair.b, &pair.a, PreferenceChoice::B),
            (true, PreferenceChoice::B) => (&pair.b, &pair.a, PreferenceChoice::A),
            (true, answer) => (&pair.b, &pair.a, answer),
        };
        let task = Question::Preference {
            query: pair.query.clone(),
            a: a.clone(),
            b: b.clone(),
        };
        Some(Assignment {
            task,
            gold: Some(answer),
        })
    }

    fn rankers(&self, list: usize) -> usize {
        let theirs = self.rankings.iter().filter(|(event, of, who)| {
            *of == list && !self.retracted.contains(event) && !self.excluded.contains(who)
        });
        theirs.map(|(_, _, who)| who).collect::<BTreeSet<_>>().len()
    }

    fn graders(&self, list: usize, item: &str) -> usize {
        let theirs = self.grades.iter().filter(|(event, of, what, who)| {
            *of == list
                && what == item
                && !self.retracted.contains(event)
                && !self.excluded.contains(who)
        });
        theirs.map(|(.., who)| who).collect::<BTreeSet<_>>().len()
    }
}

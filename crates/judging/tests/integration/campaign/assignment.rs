//! Choice of the next question, with many assessors at the same time.

use std::collections::{BTreeMap, BTreeSet};

use partita_core::Preference;
use partita_judging::campaign::{
    AnswerStatus, Assignment, AssignmentRequest, BroadGrade, CampaignExtension, CampaignSession,
    CampaignSpec, Defect, DefectReport, Event, GoldAnswer, GoldPair, GoldSet, GradeAnswer,
    JudgmentKind, Lease, Leases, MemoryStore, PreferenceAnswer, PreferenceChoice, Question,
    RankingAnswer,
};
use partita_stats::random::{RandomStream, stream, uniform_index};

use crate::campaign::plain_assignment::PlainCampaign;
use crate::campaign::simulated_assessors::{People, Run, lists, stamp};

/// Campaign with its driver. Leases are kept in two forms, which must agree.
struct Desk {
    run: Run,
    leases: Vec<Lease>,
    index: Leases,
    /// Expired leases, which may still be answered.
    expired: Vec<Lease>,
    random: RandomStream,
}

impl Desk {
    fn new(settings: CampaignSpec, history: u64) -> Self {
        Self {
            run: Run::new(settings),
            leases: Vec::new(),
            index: Leases::new(),
            expired: Vec::new(),
            random: stream(history, &[1]),
        }
    }

    fn below(&mut self, end: usize) -> usize {
        uniform_index(&mut self.random, end)
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    fn hold(&mut self, person: &str, chosen: Assignment) {
        let lease = Lease {
            assessor: person.to_owned(),
            task: chosen.task,
            gold: chosen.gold.is_some(),
        };
        let added = self.index.add(&self.run.campaign, lease.clone());
        added.expect("a task of the campaign");
        self.leases.push(lease);
    }

    /// Ends the lease at this index.
    fn end(&mut self, place: usize) -> Lease {
        let lease = self.leases.remove(place);
        let campaign = &self.run.campaign;
        assert!(self.index.remove(campaign, &lease.assessor, &lease.task));
        lease
    }

    /// Records a random answer to a lease.
    fn answer(&mut self, lease: &Lease) {
        let said = match self.below(8) {
            0..3 => Some(Preference::A),
            3..6 => Some(Preference::B),
            6 => Some(Preference::Equal),
            _ => None,
        };
        let person = lease.assessor.as_str();
        let event = match &lease.task {
            Question::Preference { query, a, b } => {
                let answered = PreferenceAnswer::new(query, a, b, person, said);
                match lease.gold {
                    true => Event::GoldAnswered(GoldAnswer {
                        answer: answered,
                        expected: PreferenceChoice::A,
                    }),
                    false => Event::Answered(answered),
                }
            }
            Question::Ranking { query } => Event::Ranked(RankingAnswer {
                query: query.clone(),
                assessor: person.to_owned(),
                groups: vec![vec!["i0".to_owned()]],
                unranked: Vec::new(),
                seconds: None,
                time: None,
                id: None,
            }),
            Question::Grade { query, item } => Event::Graded(GradeAnswer {
                query: query.clone(),
                item: item.clone(),
                assessor: person.to_owned(),
                broad: Some(BroadGrade::Very),
                fine: None,
                seconds: None,
                time: None,
                id: None,
            }),
        };
        self.run.happen(event);
    }

    /// Applies a random event of a campaign, including actions of an organiser.
    fn something_else(&mut self, people: usize) {
        let person = format!("p{}", self.below(people));
        let lists = self.run.campaign.list_count();
        let list = self.below(lists);
        let query = self.run.campaign.query_name(list).to_owned();
        let event = match self.below(13) {
            0 => Event::Excluded {
                assessor: person,
                reason: None,
            },
            1 | 2 => Event::Readmitted { assessor: person },
            3 => Event::Paused,
            4 | 5 => Event::Resumed,
            6 if self.chance(20) => Event::Closed { query: Some(query) },
            7 => Event::Extended(CampaignExtension {
                votes: Some(1 + self.below(4) as u32),
                ..CampaignExtension::default()
            }),
            8 if lists < 6 => {
                let mut more = crate::campaign::simulated_assessors::lists(&[3]).remove(0);
                more.query = format!("q{lists}");
                Event::Extended(CampaignExtension {
                    lists: vec![more],
                    ..CampaignExtension::default()
                })
            }
            9 | 10 => Event::Retracted {
                answer: 1 + self.below(self.run.events.len()) as u64,
                reason: None,
            },
            11 => Event::Reported(DefectReport {
                query,
                item: self.chance(80).then(|| "i1".to_owned()),
                assessor: person,
                problem: Defect::Silent,
            }),
            _ => {
                // Unasked or adopted, about any pair.
                let (a, b) = (self.below(3), self.below(2));
                let b = if b >= a { b + 1 } else { b };
                let (a, b) = (format!("i{a}"), format!("i{b}"));
                let answered = PreferenceAnswer::new(&query, &a, &b, &person, Some(Preference::A));
                match self.chance(50) {
                    true => Event::Adopted(answered),
                    false => Event::Answered(answered),
                }
            }
        };
        if self.run.campaign.check(&event).is_ok() {
            self.run.happen(event);
        }
    }

    fn plan(&mut self) {
        let lists = self.run.campaign.list_count();
        let list = self.below(lists);
        if let Some(asked) = self.run.campaign.next_list_batch(list) {
            self.run.happen(asked);
        }
    }
}

fn settings(strategy: &str, seed: u64) -> CampaignSpec {
    let mut lists = lists(&[3, 4, 5]);
    lists[1].items[3].same_as = Some("i0".to_owned());
    let gold = |query: &str, a: &str, b: &str| GoldPair {
        query: query.to_owned(),
        a: a.to_owned(),
        b: b.to_owned(),
        answer: PreferenceChoice::A,
    };
    CampaignSpec {
        seed,
        votes: 3,
        rule: "majority".parse().expect("a rule"),
        strategy: strategy.parse().expect("a strategy"),
        kinds: vec![
            JudgmentKind::Preference,
            JudgmentKind::Ranking,
            JudgmentKind::Grading,
        ],
        graders: 2,
        gold: Some(GoldSet {
            share: 0.25,
            pairs: vec![
                gold("q0", "i0", "i2"),
                gold("q1", "i3", "i1"),
                gold("q2", "i4", "i0"),
                gold("q2", "i1", "i3"),
            ],
        }),
        ..CampaignSpec::new("c", lists)
    }
}

/// Tries a thousand random histories of eight assessors with events of every kind.
#[test]
fn the_choice_is_that_of_a_plain_implementation_whatever_happened() {
    const KINDS: [JudgmentKind; 5] = [
        JudgmentKind::Preference,
        JudgmentKind::Preference,
        JudgmentKind::Preference,
        JudgmentKind::Ranking,
        JudgmentKind::Grading,
    ];
    let (mut given, mut gold, mut nothing) = (BTreeMap::new(), 0, 0);
    for history in 0..1_000_u64 {
        let strategy = ["sort", "sort-curtailed", "pooled", "random"][history as usize % 4];
        let mut desk = Desk::new(settings(strategy, history), history);
        for _ in 0..50 {
            match desk.below(20) {
                0..10 => {
                    let number = desk.below(8);
                    let request = AssignmentRequest {
                        assessor: format!("p{number}"),
                        kind: KINDS[desk.below(5)],
                        alternate_queries: desk.chance(80),
                        seed: desk.below(2) as u64,
                    };
                    let plain = PlainCampaign::read(&desk.run.events);
                    let wanted = plain.choose(&request, &desk.leases);
                    let chosen = desk.run.campaign.choose_assignment(&request, &desk.index);
                    assert_eq!(chosen, wanted, "history {history}, {request:?}");
                    let Some(chosen) = chosen else {
                        nothing += 1;
                        continue;
                    };
                    *given.entry(request.kind).or_insert(0) += 1;
                    gold += usize::from(chosen.gold.is_some());
                    desk.hold(&request.assessor, chosen);
                }
                10..14 if !desk.leases.is_empty() => {
                    let place = desk.below(desk.leases.len());
                    let lease = desk.end(place);
                    match desk.below(10) {
                        0 => desk.expired.push(lease),
                        1 => {}
                        _ => desk.answer(&lease),
                    }
                }
                14 if !desk.expired.is_empty() => {
                    let place = desk.below(desk.expired.len());
                    let lease = desk.expired.remove(place);
                    desk.answer(&lease);
                }
                15 => desk.something_else(8),
                _ => desk.plan(),
            }
        }
    }
    // All of it was tried often.
    let least = given.values().min().copied().unwrap_or(0);
    assert!(
        given.len() == 3 && least > 400 && gold > 200,
        "{given:?} {gold}"
    );
    assert!(nothing > 400, "{nothing}");
}

/// Lets assessors take, answer and return questions, and lets leases expire, in random order until
/// the campaign is settled. An assessor has up to three questions at a time.
fn crowd(settings: CampaignSpec, history: u64, people: usize, mishaps: usize) -> Desk {
    let mut desk = Desk::new(settings, history);
    for list in 0..desk.run.campaign.list_count() {
        if let Some(asked) = desk.run.campaign.next_list_batch(list) {
            desk.run.happen(asked);
        }
    }
    let mut idle = 0;
    while idle < 3 * people || !desk.leases.is_empty() {
        let person = format!("p{}", desk.below(people));
        let theirs = |lease: &Lease| lease.assessor == person;
        let holds = desk.leases.iter().filter(|lease| theirs(lease)).count();
        if holds == 3 || (holds > 0 && desk.chance(50)) {
            let place = desk.leases.iter().position(theirs).expect("they hold some");
            let lease = desk.end(place);
            if !desk.chance(mishaps) {
                desk.answer(&lease);
            }
            idle = 0;
            continue;
        }
        let request = AssignmentRequest::new(&person);
        let chosen = desk.run.campaign.choose_assignment(&request, &desk.index);
        let Some(chosen) = chosen else {
            idle += 1;
            for list in desk.run.campaign.lists_to_schedule(&desk.index) {
                if let Some(asked) = desk.run.campaign.next_list_batch(list) {
                    desk.run.happen(asked);
                }
            }
            continue;
        };
        desk.hold(&person, chosen);
        idle = 0;
    }
    desk
}

#[test]
fn no_answer_is_one_too_many_and_nobody_is_asked_twice_whatever_comes_back() {
    for history in 0..300_u64 {
        let strategy = ["sort", "sort-predictive", "pooled"][history as usize % 3];
        let held_out = [0.0, 0.3][history as usize % 2];
        let settings = CampaignSpec {
            held_out,
            // Whoever has seen a pair as gold has no vote on it, and twelve are few.
            gold: None,
            kinds: vec![JudgmentKind::Preference],
            ..settings(strategy, history)
        };
        let mishaps = [0, 15][history as usize / 2 % 2];
        let desk = crowd(settings, history, 12, mishaps);
        let campaign = &desk.run.campaign;
        let flags = campaign.answer_status_counts();
        for flag in [
            AnswerStatus::Surplus,
            AnswerStatus::Late,
            AnswerStatus::Duplicate,
            AnswerStatus::Unasked,
        ] {
            assert_eq!(flags.get(&flag), None, "{history} {flags:?}");
        }
        assert!(desk.leases.is_empty());
        assert!(campaign.is_settled(), "{history}: nobody waits for nothing");
        let mut seen = BTreeSet::new();
        for answer in campaign.answers_with_status() {
            let (a, b) = (answer.a.clone(), answer.b.clone());
            let pair = (answer.query, a.clone().min(b.clone()), a.max(b));
            assert!(seen.insert((pair, answer.assessor)), "{history}");
        }
    }
}

#[test]
fn each_side_of_a_pair_is_shown_to_half_of_its_people() {
    let mut desk = Desk::new(
        CampaignSpec {
            votes: 10,
            ..CampaignSpec::new("c", lists(&[6, 6, 6]))
        },
        5,
    );
    desk.run.next();
    let mut shown: BTreeMap<(String, String, String), [u32; 2]> = BTreeMap::new();
    let mut first_of_person: BTreeMap<String, [u32; 2]> = BTreeMap::new();
    for turn in 0..1_000 {
        let person = format!("p{}", turn % 13);
        let request = AssignmentRequest::new(&person);
        let Some(chosen) = desk.run.campaign.choose_assignment(&request, &desk.index) else {
            continue;
        };
        let Question::Preference { query, a, b } = chosen.task.clone() else {
            panic!("pairs only");
        };
        let low_first = usize::from(a > b);
        let pair = (query, a.clone().min(b.clone()), a.max(b));
        shown.entry(pair.clone()).or_default()[low_first] += 1;
        first_of_person.entry(person.clone()).or_default()[low_first] += 1;
        let sides = shown[&pair];
        assert!(sides[0].abs_diff(sides[1]) <= 1, "{pair:?} {sides:?}");
        desk.hold(&person, chosen);
    }
    assert!(shown.values().all(|sides| *sides == [5, 5]), "{shown:?}");
    // Nobody sees one side only.
    assert!(
        first_of_person
            .values()
            .all(|sides| sides[0] > 0 && sides[1] > 0)
    );
}

#[test]
fn the_query_changes_as_long_as_others_have_work_or_stays_if_so_wished() {
    let mut desk = Desk::new(CampaignSpec::new("c", lists(&[8, 8, 8])), 6);
    desk.run.next();
    for (person, mix) in [("ann", true), ("bob", false)] {
        let mut queries = Vec::new();
        for _ in 0..12 {
            let request = AssignmentRequest {
                alternate_queries: mix,
                ..AssignmentRequest::new(person)
            };
            let chosen = desk
                .run
                .campaign
                .choose_assignment(&request, &desk.index)
                .unwrap();
            queries.push(chosen.task.query().to_owned());
            desk.hold(person, chosen);
        }
        let changes = queries.windows(2).filter(|two| two[0] != two[1]).count();
        let all: BTreeSet<&String> = queries.iter().collect();
        match mix {
            true => assert!(changes == 11 && all.len() == 3, "{queries:?}"),
            // Seven pairs of a list are asked at first.
            false => assert_eq!(changes, 1, "{queries:?}"),
        }
    }
}

#[test]
fn gold_comes_at_its_share_at_places_that_nobody_can_guess_and_never_twice() {
    let pairs = (1..12).map(|item| GoldPair {
        query: "q0".to_owned(),
        a: "i0".to_owned(),
        b: format!("i{item}"),
        answer: PreferenceChoice::A,
    });
    let settings = CampaignSpec {
        gold: Some(GoldSet {
            share: 0.2,
            pairs: pairs.collect(),
        }),
        ..CampaignSpec::new("c", lists(&[14, 14, 14]))
    };
    let mut places = BTreeSet::new();
    for number in 0..20_u64 {
        let mut desk = Desk::new(settings.clone(), number);
        desk.run.next();
        let person = format!("p{number}");
        let (mut kinds, mut gold) = (Vec::new(), BTreeSet::new());
        for _ in 0..35 {
            let request = AssignmentRequest::new(&person);
            let chosen = desk
                .run
                .campaign
                .choose_assignment(&request, &desk.index)
                .unwrap();
            kinds.push(chosen.gold.is_some());
            if let Some(expected) = chosen.gold {
                let Question::Preference { a, b, .. } = &chosen.task else {
                    panic!("gold is a pair");
                };
                // The answer is turned with the items.
                assert_eq!(
                    expected,
                    if a == "i0" {
                        PreferenceChoice::A
                    } else {
                        PreferenceChoice::B
                    }
                );
                assert!(gold.insert(a.clone().max(b.clone())), "twice");
            }
            desk.hold(&person, chosen);
            let lease = desk.end(0);
            desk.answer(&lease);
        }
        for (stretch, five) in kinds.chunks(5).enumerate() {
            let found = five.iter().filter(|&&gold| gold).count();
            assert_eq!(found, 1, "{person}, stretch {stretch}");
            places.insert(five.iter().position(|&gold| gold));
        }
    }
    assert_eq!(places.len(), 5, "all places");
}

#[test]
fn nothing_is_given_while_paused_or_closed_or_to_somebody_excluded() {
    let mut desk = Desk::new(CampaignSpec::new("c", lists(&[3, 3])), 7);
    desk.run.next();
    let has = |desk: &Desk, person: &str| {
        let request = AssignmentRequest::new(person);
        desk.run.campaign.choose_assignment(&request, &desk.index)
    };
    let closed = |query: Option<&str>| Event::Closed {
        query: query.map(str::to_owned),
    };
    assert!(has(&desk, "ann").is_some());
    desk.run.happen(Event::Paused);
    assert!(has(&desk, "ann").is_none() && desk.run.campaign.offers(0).is_empty());
    assert!(
        desk.run.campaign.next_list_batch(0).is_none()
            && desk.run.campaign.lists_to_schedule(&desk.index).is_empty()
    );
    desk.run.happen(Event::Resumed);
    assert!(has(&desk, "ann").is_some());
    desk.run.happen(Event::Excluded {
        assessor: "ann".to_owned(),
        reason: None,
    });
    assert!(has(&desk, "ann").is_none() && has(&desk, "bob").is_some());
    desk.run.happen(closed(Some("q0")));
    let chosen = has(&desk, "bob").expect("the other list is open");
    assert_eq!(chosen.task.query(), "q1");
    desk.run.happen(closed(None));
    assert!(has(&desk, "bob").is_none());
}

#[test]
fn a_late_answer_counts_while_its_pair_wants_it_and_is_surplus_then() {
    let settings = CampaignSpec {
        votes: 2,
        rule: "majority".parse().unwrap(),
        ..CampaignSpec::new("c", lists(&[2]))
    };
    for late_first in [true, false] {
        let mut desk = Desk::new(settings.clone(), 8);
        desk.run.next();
        for person in ["ann", "bob"] {
            let chosen = desk
                .run
                .campaign
                .choose_assignment(&AssignmentRequest::new(person), &desk.index);
            desk.hold(person, chosen.expect("two votes are wanted"));
        }
        let third = AssignmentRequest::new("cid");
        assert!(
            desk.run
                .campaign
                .choose_assignment(&third, &desk.index)
                .is_none()
        );
        // What ann had expires, and cid gets it.
        let ann = desk.end(0);
        let chosen = desk.run.campaign.choose_assignment(&third, &desk.index);
        desk.hold("cid", chosen.expect("one is free again"));
        let say = |desk: &mut Desk, lease: &Lease| {
            let Question::Preference { query, a, b } = &lease.task else {
                panic!("a pair");
            };
            let answer = Some(Preference::Equal);
            desk.run
                .answer(PreferenceAnswer::new(query, a, b, &lease.assessor, answer));
        };
        let (bob, cid) = (desk.end(0), desk.end(0));
        let order = match late_first {
            true => [ann, bob, cid],
            false => [bob, cid, ann],
        };
        for lease in &order {
            say(&mut desk, lease);
        }
        let flags = desk.run.campaign.answer_statuses();
        assert_eq!(
            flags,
            [
                AnswerStatus::Counted,
                AnswerStatus::Counted,
                AnswerStatus::Surplus
            ]
        );
        let states = desk.run.campaign.answers_with_status();
        let ann = states
            .iter()
            .find(|answer| answer.assessor == "ann")
            .unwrap();
        assert_eq!(ann.flag == AnswerStatus::Counted, late_first);
    }
}

#[test]
fn a_pair_that_came_back_blank_is_offered_to_others_without_being_asked_again() {
    let settings = CampaignSpec {
        votes: 1,
        strategy: "pooled".parse().unwrap(),
        ..CampaignSpec::new("c", lists(&[2]))
    };
    let mut desk = Desk::new(settings, 9);
    desk.run.next();
    desk.run
        .answer(PreferenceAnswer::new("q0", "i0", "i1", "ann", None));
    assert!(
        desk.run
            .campaign
            .choose_assignment(&AssignmentRequest::new("ann"), &desk.index)
            .is_none()
    );
    assert!(
        desk.run
            .campaign
            .choose_assignment(&AssignmentRequest::new("bob"), &desk.index)
            .is_some()
    );
    assert_eq!(desk.run.campaign.offers(0)[0].missing_votes, 1);
}

/// Regression test: pairs that an exclusion opened stayed open after the assessor was readmitted.
#[test]
fn a_list_is_settled_again_once_an_exclusion_is_taken_back() {
    for strategy in ["pooled", "random", "sort"] {
        let settings = CampaignSpec {
            strategy: strategy.parse().unwrap(),
            ..CampaignSpec::new("c", lists(&[9, 7]))
        };
        let people = People {
            noise: 30,
            group: 2,
            world: "w".to_owned(),
        };
        let mut run = Run::new(settings);
        run.finish(&people);
        assert!(run.campaign.is_settled());
        run.happen(Event::Excluded {
            assessor: "p0".to_owned(),
            reason: None,
        });
        let open = run.next();
        assert!(!open.is_empty());
        run.happen(Event::Readmitted {
            assessor: "p0".to_owned(),
        });
        assert_eq!(run.next(), [], "{strategy}");
        assert!(run.campaign.is_settled());
        let offers = (0..2).flat_map(|list| run.campaign.offers(list));
        assert_eq!(offers.count(), 0, "{strategy}");
    }
}

/// Fifty assessors work on one list of twelve items. Nobody waits while votes are missing.
#[test]
fn many_people_at_once_are_served_by_a_session_without_a_barrier() {
    for strategy in ["pooled", "sort"] {
        let settings = CampaignSpec {
            strategy: strategy.parse().unwrap(),
            ..CampaignSpec::new("c", lists(&[12, 12]))
        };
        let mut session =
            CampaignSession::create(MemoryStore::default(), settings, &stamp(0)).unwrap();
        session.ask(&stamp(0), None).unwrap();
        let mut leases = Leases::new();
        let mut held: Vec<Lease> = Vec::new();
        let people = People {
            noise: 30,
            group: 2,
            world: "many".to_owned(),
        };
        let mut most = 0;
        for turn in 0..5_000_usize {
            let number = turn % 50;
            let person = format!("p{number}");
            if let Some(place) = held.iter().position(|lease| lease.assessor == person) {
                let lease = held.remove(place);
                leases.remove(session.campaign(), &person, &lease.task);
                let Question::Preference { query, a, b } = &lease.task else {
                    panic!("a pair");
                };
                let answer = Some(people.say(query, a, b, number));
                let answered = PreferenceAnswer::new(query, a, b, &person, answer);
                let event = Event::Answered(answered);
                session.record(&stamp(0), vec![event]).unwrap();
            }
            let request = AssignmentRequest::new(&person);
            let chosen = session
                .next_assignment(&stamp(0), &request, &leases)
                .unwrap();
            let Some(chosen) = chosen else { continue };
            let lease = Lease {
                assessor: person,
                task: chosen.task,
                gold: false,
            };
            leases.add(session.campaign(), lease.clone()).unwrap();
            held.push(lease);
            most = most.max(held.len());
        }
        let flags = session.campaign().answer_status_counts();
        assert_eq!(flags.len(), 1, "{strategy}: {flags:?}");
        assert!(session.campaign().is_settled(), "{strategy}");
        // At the start all fifty have something to do.
        assert_eq!(most, 50, "{strategy}");
    }
}

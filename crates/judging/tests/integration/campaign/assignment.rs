//! Choice of the next question, with many assessors at the same time.

use std::collections::{BTreeMap, BTreeSet};

use partita_core::Preference;
use partita_judging::campaign::{
    Answer, AnswerStatus, Assignment, AssignmentRequest, BroadGrade, CampaignExtension,
    CampaignSession, CampaignSpec, Defect, DefectReport, EngineSettings, Event, GoldPair, GoldSet,
    JudgingOptions, Judgment, JudgmentKind, Lease, Leases, MemoryStore, PreferenceChoice,
    QueryPair,
};
use partita_stats::random::{RandomStream, stream, uniform_index};

use crate::campaign::plain_assignment::PlainCampaign;
use crate::campaign::simulated_assessors::{CampaignRun, SimulatedAssessors, lists, stamp};

/// Campaign with open leases and random draws. The leases are stored as a list for the plain
/// implementation and as an index for the campaign; both contain the same leases.
struct AssignmentHarness {
    run: CampaignRun,
    leases: Vec<Lease>,
    lease_index: Leases,
    /// Expired leases, which may still be answered.
    expired: Vec<Lease>,
    random: RandomStream,
}

impl AssignmentHarness {
    fn new(settings: CampaignSpec, history: u64) -> Self {
        Self {
            run: CampaignRun::new(settings),
            leases: Vec::new(),
            lease_index: Leases::new(),
            expired: Vec::new(),
            random: stream(history, &[1]),
        }
    }

    fn random_below(&mut self, end: usize) -> usize {
        uniform_index(&mut self.random, end)
    }

    fn draw_with_percent(&mut self, percent: usize) -> bool {
        self.random_below(100) < percent
    }

    fn add_lease(&mut self, person: &str, chosen: Assignment) {
        let lease = Lease {
            assessor: person.to_owned(),
            task: chosen.task,
            gold: chosen.gold.is_some(),
        };
        let added = self.lease_index.add(&self.run.campaign, lease.clone());
        added.expect("the question belongs to the campaign");
        self.leases.push(lease);
    }

    /// Ends the lease at index `place` of the list of leases and returns it.
    fn end_lease(&mut self, place: usize) -> Lease {
        let lease = self.leases.remove(place);
        let campaign = &self.run.campaign;
        assert!(
            self.lease_index
                .remove(campaign, &lease.assessor, &lease.task)
        );
        lease
    }

    /// Records a random answer to a lease.
    fn answer_lease(&mut self, lease: &Lease) {
        let said = match self.random_below(8) {
            0..3 => Some(Preference::A),
            3..6 => Some(Preference::B),
            6 => Some(Preference::Equal),
            _ => None,
        };
        let person = lease.assessor.as_str();
        let judgment = match lease.task.kind {
            JudgmentKind::Preference => Judgment::Preference(said),
            JudgmentKind::Ranking => Judgment::Ranking {
                groups: vec![vec!["i0".to_owned()]],
                unranked: Vec::new(),
            },
            _ => Judgment::Grade {
                broad: Some(BroadGrade::Very),
                fine: None,
            },
        };
        let answer = Answer::new(person, lease.task.clone(), judgment);
        let event = match lease.gold {
            true => Event::gold(answer, Preference::A),
            false => Event::vote(answer),
        };
        self.run.apply_event(event);
    }

    /// Applies a random event of a campaign, including actions of an organiser.
    fn apply_random_event(&mut self, people: usize) {
        let person = format!("p{}", self.random_below(people));
        let lists = self.run.campaign.list_count();
        let list = self.random_below(lists);
        let query = self.run.campaign.query_name(list).to_owned();
        let event = match self.random_below(13) {
            0 => Event::Excluded {
                assessor: person,
                reason: None,
            },
            1 | 2 => Event::Readmitted { assessor: person },
            3 => Event::Paused,
            4 | 5 => Event::Resumed,
            6 if self.draw_with_percent(20) => Event::Closed { query: Some(query) },
            7 => Event::Extended(CampaignExtension {
                votes: Some(1 + self.random_below(4) as u32),
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
                answer: 1 + self.random_below(self.run.events.len()) as u64,
                reason: None,
            },
            11 => Event::Reported(DefectReport {
                query,
                item: self.draw_with_percent(80).then(|| "i1".to_owned()),
                assessor: person,
                problem: Defect::Silent,
            }),
            _ => {
                // An imported answer, or one that may not have been asked for, about a random pair.
                let (a, b) = (self.random_below(3), self.random_below(2));
                let b = if b >= a { b + 1 } else { b };
                let (a, b) = (format!("i{a}"), format!("i{b}"));
                let answered = Answer::preference(&query, &a, &b, &person, Some(Preference::A));
                match self.draw_with_percent(50) {
                    true => Event::imported(answered),
                    false => Event::vote(answered),
                }
            }
        };
        if self.run.campaign.check(&event).is_ok() {
            self.run.apply_event(event);
        }
    }

    fn record_random_batch(&mut self) {
        let lists = self.run.campaign.list_count();
        let list = self.random_below(lists);
        if let Some(asked) = self.run.campaign.next_list_batch(list) {
            self.run.apply_event(asked);
        }
    }
}

fn campaign_spec(strategy: &str, seed: u64) -> CampaignSpec {
    let mut lists = lists(&[3, 4, 5]);
    lists[1].items[3].same_as = Some("i0".to_owned());
    let gold = |query: &str, a: &str, b: &str| GoldPair {
        query: query.to_owned(),
        a: a.to_owned(),
        b: b.to_owned(),
        answer: PreferenceChoice::A,
    };
    CampaignSpec {
        settings: EngineSettings {
            seed,
            votes: 3,
            decide: "majority".parse().expect("the rule name is valid"),
            strategy: strategy.parse().expect("the strategy name is valid"),
            ..EngineSettings::default()
        },
        judging: JudgingOptions {
            graders: Some(2),
            ..JudgingOptions::default()
        },
        kinds: vec![
            JudgmentKind::Preference,
            JudgmentKind::Ranking,
            JudgmentKind::Grading,
        ],
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

/// Runs a thousand random histories with eight assessors and events of every kind.
#[test]
fn assignments_match_the_plain_implementation_in_random_histories() {
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
        let mut harness = AssignmentHarness::new(campaign_spec(strategy, history), history);
        for _ in 0..50 {
            match harness.random_below(20) {
                0..10 => {
                    let number = harness.random_below(8);
                    let request = AssignmentRequest {
                        assessor: format!("p{number}"),
                        kind: KINDS[harness.random_below(5)],
                        alternate_queries: harness.draw_with_percent(80),
                        seed: harness.random_below(2) as u64,
                    };
                    let plain = PlainCampaign::from_events(&harness.run.events);
                    let wanted = plain.choose_assignment(&request, &harness.leases);
                    let chosen = harness
                        .run
                        .campaign
                        .choose_assignment(&request, &harness.lease_index);
                    assert_eq!(chosen, wanted, "history {history}, {request:?}");
                    let Some(chosen) = chosen else {
                        nothing += 1;
                        continue;
                    };
                    *given.entry(request.kind).or_insert(0) += 1;
                    gold += usize::from(chosen.gold.is_some());
                    harness.add_lease(&request.assessor, chosen);
                }
                10..14 if !harness.leases.is_empty() => {
                    let place = harness.random_below(harness.leases.len());
                    let lease = harness.end_lease(place);
                    match harness.random_below(10) {
                        0 => harness.expired.push(lease),
                        1 => {}
                        _ => harness.answer_lease(&lease),
                    }
                }
                14 if !harness.expired.is_empty() => {
                    let place = harness.random_below(harness.expired.len());
                    let lease = harness.expired.remove(place);
                    harness.answer_lease(&lease);
                }
                15 => harness.apply_random_event(8),
                _ => harness.record_random_batch(),
            }
        }
    }
    // Each kind of question, gold questions and empty results occurred often.
    let least = given.values().min().copied().unwrap_or(0);
    assert!(
        given.len() == 3 && least > 400 && gold > 200,
        "{given:?} {gold}"
    );
    assert!(nothing > 400, "{nothing}");
}

/// Lets `people` assessors take, answer and return questions in random order until the campaign is
/// settled. Each holds up to three leases; `mishaps` percent of them end without an answer.
fn run_crowd(
    settings: CampaignSpec,
    history: u64,
    people: usize,
    mishaps: usize,
) -> AssignmentHarness {
    let mut harness = AssignmentHarness::new(settings, history);
    for list in 0..harness.run.campaign.list_count() {
        if let Some(asked) = harness.run.campaign.next_list_batch(list) {
            harness.run.apply_event(asked);
        }
    }
    let mut idle = 0;
    while idle < 3 * people || !harness.leases.is_empty() {
        let person = format!("p{}", harness.random_below(people));
        let theirs = |lease: &Lease| lease.assessor == person;
        let holds = harness.leases.iter().filter(|lease| theirs(lease)).count();
        if holds == 3 || (holds > 0 && harness.draw_with_percent(50)) {
            let place = harness
                .leases
                .iter()
                .position(theirs)
                .expect("the assessor holds a lease");
            let lease = harness.end_lease(place);
            if !harness.draw_with_percent(mishaps) {
                harness.answer_lease(&lease);
            }
            idle = 0;
            continue;
        }
        let request = AssignmentRequest::new(&person);
        let chosen = harness
            .run
            .campaign
            .choose_assignment(&request, &harness.lease_index);
        let Some(chosen) = chosen else {
            idle += 1;
            for list in harness.run.campaign.lists_to_schedule(&harness.lease_index) {
                if let Some(asked) = harness.run.campaign.next_list_batch(list) {
                    harness.run.apply_event(asked);
                }
            }
            continue;
        };
        harness.add_lease(&person, chosen);
        idle = 0;
    }
    harness
}

#[test]
fn no_answer_is_surplus_or_duplicate_if_questions_are_returned() {
    for history in 0..300_u64 {
        let strategy = ["sort", "sort-predictive", "pooled"][history as usize % 3];
        let held_out = [0.0, 0.3][history as usize % 2];
        let settings = CampaignSpec {
            settings: EngineSettings {
                held_out,
                ..campaign_spec(strategy, history).settings
            }, // Assessors who saw a pair as gold cannot vote on it, so twelve might not suffice.
            gold: None,
            kinds: vec![JudgmentKind::Preference],
            ..campaign_spec(strategy, history)
        };
        let mishaps = [0, 15][history as usize / 2 % 2];
        let harness = run_crowd(settings, history, 12, mishaps);
        let campaign = &harness.run.campaign;
        let flags = campaign.answer_status_counts();
        for flag in [
            AnswerStatus::Surplus,
            AnswerStatus::Late,
            AnswerStatus::Duplicate,
            AnswerStatus::Unasked,
        ] {
            assert_eq!(flags.get(&flag), None, "{history} {flags:?}");
        }
        assert!(harness.leases.is_empty());
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
fn each_item_of_a_pair_is_shown_first_to_half_of_its_assessors() {
    let mut harness = AssignmentHarness::new(
        CampaignSpec {
            settings: EngineSettings {
                votes: 10,
                ..EngineSettings::default()
            },
            ..CampaignSpec::new("c", lists(&[6, 6, 6]))
        },
        5,
    );
    harness.run.request_open_pairs();
    let mut shown: BTreeMap<(String, String, String), [u32; 2]> = BTreeMap::new();
    let mut first_of_person: BTreeMap<String, [u32; 2]> = BTreeMap::new();
    for turn in 0..1_000 {
        let person = format!("p{}", turn % 13);
        let request = AssignmentRequest::new(&person);
        let Some(chosen) = harness
            .run
            .campaign
            .choose_assignment(&request, &harness.lease_index)
        else {
            continue;
        };
        let QueryPair { query, a, b } = QueryPair::from_question(&chosen.task).expect("a pair");
        let low_first = usize::from(a > b);
        let pair = (query, a.clone().min(b.clone()), a.max(b));
        shown.entry(pair.clone()).or_default()[low_first] += 1;
        first_of_person.entry(person.clone()).or_default()[low_first] += 1;
        let sides = shown[&pair];
        assert!(sides[0].abs_diff(sides[1]) <= 1, "{pair:?} {sides:?}");
        harness.add_lease(&person, chosen);
    }
    assert!(shown.values().all(|sides| *sides == [5, 5]), "{shown:?}");
    // Every assessor sees the lower item name first at least once, and second at least once.
    assert!(
        first_of_person
            .values()
            .all(|sides| sides[0] > 0 && sides[1] > 0)
    );
}

#[test]
fn query_alternates_or_stays_the_same_as_requested() {
    let mut harness = AssignmentHarness::new(CampaignSpec::new("c", lists(&[8, 8, 8])), 6);
    harness.run.request_open_pairs();
    for (person, mix) in [("ann", true), ("bob", false)] {
        let mut queries = Vec::new();
        for _ in 0..12 {
            let request = AssignmentRequest {
                alternate_queries: mix,
                ..AssignmentRequest::new(person)
            };
            let chosen = harness
                .run
                .campaign
                .choose_assignment(&request, &harness.lease_index)
                .unwrap();
            queries.push(chosen.task.query.clone());
            harness.add_lease(person, chosen);
        }
        let changes = queries.windows(2).filter(|two| two[0] != two[1]).count();
        let all: BTreeSet<&String> = queries.iter().collect();
        match mix {
            true => assert!(changes == 11 && all.len() == 3, "{queries:?}"),
            // The first batch of a list of eight items has seven pairs, so the query changes once.
            false => assert_eq!(changes, 1, "{queries:?}"),
        }
    }
}

#[test]
fn gold_questions_have_their_share_random_positions_and_no_repetition() {
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
        let mut harness = AssignmentHarness::new(settings.clone(), number);
        harness.run.request_open_pairs();
        let person = format!("p{number}");
        let (mut kinds, mut gold) = (Vec::new(), BTreeSet::new());
        for _ in 0..35 {
            let request = AssignmentRequest::new(&person);
            let chosen = harness
                .run
                .campaign
                .choose_assignment(&request, &harness.lease_index)
                .unwrap();
            kinds.push(chosen.gold.is_some());
            if let Some(expected) = chosen.gold {
                let [a, b] = chosen.task.pair().expect("gold is a pair");
                // The expected answer is mirrored if the items are swapped.
                assert_eq!(
                    expected,
                    if a == "i0" {
                        Preference::A
                    } else {
                        Preference::B
                    }
                );
                assert!(gold.insert(a.max(b).to_owned()), "twice");
            }
            harness.add_lease(&person, chosen);
            let lease = harness.end_lease(0);
            harness.answer_lease(&lease);
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
fn paused_or_closed_campaigns_and_excluded_assessors_get_no_assignment() {
    let mut harness = AssignmentHarness::new(CampaignSpec::new("c", lists(&[3, 3])), 7);
    harness.run.request_open_pairs();
    let has = |harness: &AssignmentHarness, person: &str| {
        let request = AssignmentRequest::new(person);
        harness
            .run
            .campaign
            .choose_assignment(&request, &harness.lease_index)
    };
    let closed = |query: Option<&str>| Event::Closed {
        query: query.map(str::to_owned),
    };
    assert!(has(&harness, "ann").is_some());
    harness.run.apply_event(Event::Paused);
    assert!(has(&harness, "ann").is_none() && harness.run.campaign.offers(0).is_empty());
    assert!(
        harness.run.campaign.next_list_batch(0).is_none()
            && harness
                .run
                .campaign
                .lists_to_schedule(&harness.lease_index)
                .is_empty()
    );
    harness.run.apply_event(Event::Resumed);
    assert!(has(&harness, "ann").is_some());
    harness.run.apply_event(Event::Excluded {
        assessor: "ann".to_owned(),
        reason: None,
    });
    assert!(has(&harness, "ann").is_none() && has(&harness, "bob").is_some());
    harness.run.apply_event(closed(Some("q0")));
    let chosen = has(&harness, "bob").expect("the other list is open");
    assert_eq!(chosen.task.query, "q1");
    harness.run.apply_event(closed(None));
    assert!(has(&harness, "bob").is_none());
}

#[test]
fn answer_after_lease_expiry_counts_only_while_votes_are_missing() {
    let settings = CampaignSpec {
        settings: EngineSettings {
            votes: 2,
            decide: "majority".parse().unwrap(),
            ..EngineSettings::default()
        },
        ..CampaignSpec::new("c", lists(&[2]))
    };
    for late_first in [true, false] {
        let mut harness = AssignmentHarness::new(settings.clone(), 8);
        harness.run.request_open_pairs();
        for person in ["ann", "bob"] {
            let chosen = harness
                .run
                .campaign
                .choose_assignment(&AssignmentRequest::new(person), &harness.lease_index);
            harness.add_lease(person, chosen.expect("two votes are missing"));
        }
        let third = AssignmentRequest::new("cid");
        assert!(
            harness
                .run
                .campaign
                .choose_assignment(&third, &harness.lease_index)
                .is_none()
        );
        // The lease of ann expires, and cid gets a lease on the pair.
        let ann = harness.end_lease(0);
        let chosen = harness
            .run
            .campaign
            .choose_assignment(&third, &harness.lease_index);
        harness.add_lease(
            "cid",
            chosen.expect("a question is free after the lease ended"),
        );
        let say = |harness: &mut AssignmentHarness, lease: &Lease| {
            let query = &lease.task.query;
            let [a, b] = lease.task.pair().expect("a pair");
            let answer = Some(Preference::Equal);
            harness
                .run
                .answer(Answer::preference(query, a, b, &lease.assessor, answer));
        };
        let (bob, cid) = (harness.end_lease(0), harness.end_lease(0));
        let order = match late_first {
            true => [ann, bob, cid],
            false => [bob, cid, ann],
        };
        for lease in &order {
            say(&mut harness, lease);
        }
        let flags = harness.run.campaign.answer_statuses();
        assert_eq!(
            flags,
            [
                AnswerStatus::Counted,
                AnswerStatus::Counted,
                AnswerStatus::Surplus
            ]
        );
        let states = harness.run.campaign.answers_with_status();
        let ann = states
            .iter()
            .find(|answer| answer.assessor == "ann")
            .unwrap();
        assert_eq!(ann.flag == AnswerStatus::Counted, late_first);
    }
}

#[test]
fn blank_pair_is_offered_to_others_without_a_new_batch() {
    let settings = CampaignSpec {
        settings: EngineSettings {
            votes: 1,
            strategy: "pooled".parse().unwrap(),
            ..EngineSettings::default()
        },
        ..CampaignSpec::new("c", lists(&[2]))
    };
    let mut harness = AssignmentHarness::new(settings, 9);
    harness.run.request_open_pairs();
    harness
        .run
        .answer(Answer::preference("q0", "i0", "i1", "ann", None));
    assert!(
        harness
            .run
            .campaign
            .choose_assignment(&AssignmentRequest::new("ann"), &harness.lease_index)
            .is_none()
    );
    assert!(
        harness
            .run
            .campaign
            .choose_assignment(&AssignmentRequest::new("bob"), &harness.lease_index)
            .is_some()
    );
    assert_eq!(harness.run.campaign.offers(0)[0].missing_votes, 1);
}

/// Regression test: pairs reopened by an exclusion stayed open after the assessor was readmitted.
#[test]
fn readmission_settles_a_list_that_the_exclusion_reopened() {
    for strategy in ["pooled", "random", "sort"] {
        let settings = CampaignSpec {
            settings: EngineSettings {
                strategy: strategy.parse().unwrap(),
                ..EngineSettings::default()
            },
            ..CampaignSpec::new("c", lists(&[9, 7]))
        };
        let people = SimulatedAssessors {
            noise: 30,
            group: 2,
            world: "w".to_owned(),
        };
        let mut run = CampaignRun::new(settings);
        run.finish(&people);
        assert!(run.campaign.is_settled());
        run.apply_event(Event::Excluded {
            assessor: "p0".to_owned(),
            reason: None,
        });
        let open = run.request_open_pairs();
        assert!(!open.is_empty());
        run.apply_event(Event::Readmitted {
            assessor: "p0".to_owned(),
        });
        assert_eq!(run.request_open_pairs(), [], "{strategy}");
        assert!(run.campaign.is_settled());
        let offers = (0..2).flat_map(|list| run.campaign.offers(list));
        assert_eq!(offers.count(), 0, "{strategy}");
    }
}

/// Fifty assessors work at the same time on two lists of twelve items.
#[test]
fn fifty_simultaneous_assessors_all_get_questions() {
    for strategy in ["pooled", "sort"] {
        let settings = CampaignSpec {
            settings: EngineSettings {
                strategy: strategy.parse().unwrap(),
                ..EngineSettings::default()
            },
            ..CampaignSpec::new("c", lists(&[12, 12]))
        };
        let mut session =
            CampaignSession::create(MemoryStore::default(), settings, &stamp(0)).unwrap();
        session.ask(&stamp(0), None).unwrap();
        let mut leases = Leases::new();
        let mut held: Vec<Lease> = Vec::new();
        let people = SimulatedAssessors {
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
                let query = &lease.task.query;
                let [a, b] = lease.task.pair().expect("a pair");
                let answer = Some(people.preference(query, a, b, number));
                let answered = Answer::preference(query, a, b, &person, answer);
                let event = Event::vote(answered);
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
        // At some point all fifty assessors hold a question.
        assert_eq!(most, 50, "{strategy}");
    }
}

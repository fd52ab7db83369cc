//! Question sheets: few answers are wasted, and nobody is asked twice.

use std::collections::BTreeSet;

use partita_judging::StrategyName;
use partita_judging::campaign::{
    CampaignSession, CampaignSpec, Event, Lease, Leases, MemoryStore, PreferenceAnswer, Question,
    QuestionSheets, QuestionSheetsRequest,
};

use super::simulated_assessors::{People, lists, stamp};

fn names(count: usize) -> Vec<String> {
    (1..=count).map(|person| format!("p{person}")).collect()
}

fn session(strategy: StrategyName) -> CampaignSession<MemoryStore> {
    let settings = CampaignSpec {
        strategy,
        ..CampaignSpec::new("c", lists(&[11; 11]))
    };
    CampaignSession::create(MemoryStore::default(), settings, &stamp(0))
        .expect("settings that can be")
}

fn ask(session: &mut CampaignSession<MemoryStore>, people: usize, out: Leases) -> QuestionSheets {
    let request = QuestionSheetsRequest {
        assessors: names(people),
        questions: 10,
        out,
    };
    session
        .issue_sheets(&stamp(0), &request)
        .expect("a store in memory")
}

/// Records the answers of every assessor to their own sheet.
fn fill_in(
    session: &mut CampaignSession<MemoryStore>,
    sheets: &QuestionSheets,
    people: &People,
) -> usize {
    let mut answers = Vec::new();
    for sheet in &sheets.sheets {
        let person = sheet.assessor[1..].parse().expect("a number");
        for question in &sheet.questions {
            let said = people.say(&question.query, &question.a, &question.b, person);
            let answered = PreferenceAnswer::new(
                &question.query,
                &question.a,
                &question.b,
                &sheet.assessor,
                Some(said),
            );
            answers.push(Event::Answered(answered));
        }
    }
    let count = answers.len();
    session
        .record(&stamp(0), answers)
        .expect("answers that were asked for");
    count
}

#[test]
fn twenty_people_with_sheets_waste_less_than_a_tenth_of_their_answers() {
    let people = People {
        noise: 30,
        group: 2,
        world: "sheets".to_owned(),
    };
    for strategy in [
        StrategyName::Sort,
        StrategyName::SortPredictive,
        StrategyName::Pooled,
    ] {
        let mut session = session(strategy);
        let (mut answers, mut rounds) = (0, 0);
        loop {
            let sheets = ask(&mut session, 20, Leases::new());
            if sheets.sheets.is_empty() {
                break;
            }
            answers += fill_in(&mut session, &sheets, &people);
            rounds += 1;
            assert!(rounds < 100, "{strategy}: no end");
        }
        let flags = session.campaign().answer_statuses();
        let votes = flags.iter().filter(|flag| flag.is_vote()).count();
        assert!(session.campaign().is_settled(), "{strategy}");
        let wasted = (answers - votes) as f64 / answers as f64;
        assert!(
            wasted <= 0.1,
            "{strategy}: {wasted} of {answers} in {rounds} rounds"
        );
    }
}

#[test]
fn nobody_finds_a_pair_twice_and_no_vote_is_asked_of_two() {
    let mut session = session(StrategyName::Sort);
    let sheets = ask(&mut session, 20, Leases::new());
    assert_eq!(sheets.sheets.len(), 20);
    let mut seen = BTreeSet::new();
    let mut by_pair = std::collections::BTreeMap::new();
    for sheet in &sheets.sheets {
        assert!(sheet.questions.len() <= 10);
        for question in &sheet.questions {
            let mut items = [question.a.clone(), question.b.clone()];
            items.sort();
            let pair = (question.query.clone(), items);
            *by_pair.entry(pair.clone()).or_insert(0) += 1;
            assert!(seen.insert((sheet.assessor.clone(), pair)));
        }
    }
    assert!(by_pair.values().all(|&people| people <= 10));
    // The same log and the same sheets out give the same sheets.
    let again = ask(&mut session, 20, Leases::new());
    assert!(again == sheets);
}

#[test]
fn who_has_a_sheet_gets_no_other_and_what_is_on_it_is_asked_of_nobody_else() {
    let mut session = session(StrategyName::Pooled);
    let first = ask(&mut session, 3, Leases::new());
    let out = first.sheets.iter().flat_map(|sheet| {
        sheet.questions.iter().map(|question| Lease {
            assessor: sheet.assessor.clone(),
            task: Question::Preference {
                query: question.query.clone(),
                a: question.a.clone(),
                b: question.b.clone(),
            },
            gold: false,
        })
    });
    let mut leases = Leases::new();
    for lease in out {
        let added = leases.add(session.campaign(), lease);
        added.expect("a task of the campaign");
    }
    let out = leases;
    let second = ask(&mut session, 5, out);
    assert_eq!(second.waiting, ["p1", "p2", "p3"]);
    let people: Vec<&str> = second.sheets.iter().map(|sheet| &*sheet.assessor).collect();
    assert_eq!(people, ["p4", "p5"]);
    let of = |sheets: &QuestionSheets| -> BTreeSet<(String, String, String)> {
        let questions = sheets.sheets.iter().flat_map(|sheet| &sheet.questions);
        let pair = |a: &String, b: &String| (a.clone().min(b.clone()), a.clone().max(b.clone()));
        questions
            .map(|question| {
                let (low, high) = pair(&question.a, &question.b);
                (question.query.clone(), low, high)
            })
            .collect()
    };
    // A pooled pair wants one vote at a time.
    assert!(of(&first).is_disjoint(&of(&second)));
}

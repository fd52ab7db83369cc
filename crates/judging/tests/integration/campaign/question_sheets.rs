//! Question sheets: few answers are not used as votes, and no assessor is asked a pair twice.

use std::collections::BTreeSet;

use partita_core::Preference;
use partita_judging::StrategyName;
use partita_judging::campaign::{
    Answer, CampaignSession, CampaignSpec, EngineSettings, Event, Lease, Leases, MemoryStore,
    QueryPair, Question, QuestionSheets, QuestionSheetsRequest,
};

use super::simulated_assessors::{SimulatedAssessors, lists, stamp};

fn assessor_names(count: usize) -> Vec<String> {
    (1..=count).map(|person| format!("p{person}")).collect()
}

fn new_session(strategy: StrategyName) -> CampaignSession<MemoryStore> {
    let settings = CampaignSpec {
        settings: EngineSettings {
            strategy,
            ..EngineSettings::default()
        },
        ..CampaignSpec::new("c", lists(&[11; 11]))
    };
    CampaignSession::create(MemoryStore::default(), settings, &stamp(0))
        .expect("the settings are valid")
}

fn new_sheets(
    session: &mut CampaignSession<MemoryStore>,
    people: usize,
    out: Leases,
) -> QuestionSheets {
    let request = QuestionSheetsRequest {
        assessors: assessor_names(people),
        questions: 10,
        out,
    };
    session
        .issue_sheets(&stamp(0), &request)
        .expect("the memory store does not fail")
}

/// Records the answers of all assessors to their sheets and returns the number of answers.
fn record_answers(
    session: &mut CampaignSession<MemoryStore>,
    sheets: &QuestionSheets,
    people: &SimulatedAssessors,
) -> usize {
    let mut answers = Vec::new();
    for sheet in &sheets.sheets {
        let person = sheet.assessor[1..].parse().expect("the text is a number");
        for question in &sheet.questions {
            let said = people.preference(&question.query, &question.a, &question.b, person);
            let answered = Answer::preference(
                &question.query,
                &question.a,
                &question.b,
                &sheet.assessor,
                Some(said),
            );
            answers.push(Event::vote(answered));
        }
    }
    let count = answers.len();
    session
        .record(&stamp(0), answers)
        .expect("answers that were asked for");
    count
}

#[test]
fn at_most_a_tenth_of_sheet_answers_are_not_votes() {
    let people = SimulatedAssessors {
        noise: 30,
        group: 2,
        world: "sheets".to_owned(),
    };
    for strategy in [
        StrategyName::Sort,
        StrategyName::SortPredictive,
        StrategyName::Pooled,
    ] {
        let mut session = new_session(strategy);
        let (mut answers, mut rounds) = (0, 0);
        loop {
            let sheets = new_sheets(&mut session, 20, Leases::new());
            if sheets.sheets.is_empty() {
                break;
            }
            answers += record_answers(&mut session, &sheets, &people);
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
fn sheets_repeat_no_pair_per_assessor_and_exceed_no_vote_target() {
    let mut session = new_session(StrategyName::Sort);
    let sheets = new_sheets(&mut session, 20, Leases::new());
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
    // Issuing sheets again for the same log and leases gives the same sheets.
    let again = new_sheets(&mut session, 20, Leases::new());
    assert!(again == sheets);
}

#[test]
fn assessor_with_open_sheet_gets_no_other_and_its_pairs_are_reserved() {
    let mut session = new_session(StrategyName::Pooled);
    let first = new_sheets(&mut session, 3, Leases::new());
    let out = first.sheets.iter().flat_map(|sheet| {
        sheet.questions.iter().map(|question| Lease {
            assessor: sheet.assessor.clone(),
            task: Question::preference(&question.query, &question.a, &question.b),
            gold: false,
        })
    });
    let mut leases = Leases::new();
    for lease in out {
        let added = leases.add(session.campaign(), lease);
        added.expect("the question belongs to the campaign");
    }
    let out = leases;
    let second = new_sheets(&mut session, 5, out);
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
    // The pooled strategy requests one vote per pair, so the open sheets reserve their pairs.
    assert!(of(&first).is_disjoint(&of(&second)));
}

#[test]
fn house_a_gold_pair_that_was_answered_on_a_sheet_is_no_longer_out() {
    let mut session = new_session(StrategyName::Sort);
    let pair = QueryPair {
        query: "q3".to_owned(),
        a: "i2".to_owned(),
        b: "i7".to_owned(),
    };
    let out = |session: &CampaignSession<MemoryStore>| {
        let questions = ["p1", "p2"].map(|person| (person, pair.clone()));
        let leases = session.campaign().leases_from_sheets(questions);
        leases.expect("the questions belong to the campaign")
    };
    let before = out(&session);
    assert_eq!(
        new_sheets(&mut session, 2, before).waiting,
        ["p1", "p2"],
        "both still have their sheets"
    );
    // The person answers with the items in the other order.
    let answer = Answer::preference("q3", "i7", "i2", "p1", Some(Preference::A));
    let gold = Event::gold(answer, Preference::A);
    session
        .record(&stamp(1), vec![gold])
        .expect("the question belongs to the campaign");
    let after = out(&session);
    assert_eq!(new_sheets(&mut session, 2, after).waiting, ["p2"]);
}

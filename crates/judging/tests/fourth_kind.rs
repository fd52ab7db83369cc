//! A kind of judgment that only this test enables, driven through the engine, the log and a replay:
//! best and worst of four items.

use partita_core::judgment::{Answer, Judgment, JudgmentKind};
use partita_core::work::SequentialWork;
use partita_judging::campaign::log::{self, Stamp};
use partita_judging::campaign::{
    AnswerRole, AnswerSelection, AssignmentRequest, Campaign, CampaignSession, CampaignSpec, Event,
    ExportRequest, InputError, JudgingOptions, JudgmentFieldError, Lease, Leases, MemoryStore,
    PendingAnswers, QuerySpec, RecordError, Submission, asks_for_votes, judgment_noun,
    parse_judgment,
};
use serde_json::{Value, json};

const KIND: JudgmentKind = JudgmentKind::BestWorst;

fn stamp() -> Stamp {
    Stamp {
        at: "2010-04-14T18:29:32Z".parse().expect("a time"),
        author: "ann".to_owned(),
    }
}

fn session() -> CampaignSession<MemoryStore> {
    let lists = vec![
        QuerySpec::new("q", ["v", "w", "x", "y", "z"]),
        QuerySpec::new("r", ["1", "2", "3", "4"]),
    ];
    let spec = CampaignSpec {
        kinds: vec![KIND],
        judging: JudgingOptions {
            graders: Some(2),
            ..JudgingOptions::default()
        },
        ..CampaignSpec::new("c", lists)
    };
    CampaignSession::create(MemoryStore::default(), spec, &stamp()).expect("a valid specification")
}

/// Parses the fields that the page of an assessor would send.
fn parse(fields: Value) -> Result<Judgment, JudgmentFieldError> {
    let Value::Object(fields) = fields else {
        panic!("an object");
    };
    parse_judgment(KIND, fields)
}

/// Answers that the first of the items in alphabetical order is the best, and the last the worst.
fn answer(assessor: &str, number: usize, lease: &Lease) -> Answer {
    let best = lease.task.items.iter().min().expect("four items");
    let worst = lease.task.items.iter().max().expect("four items");
    let fields = json!({"best": best, "worst": worst});
    let judgment = parse(fields).expect("a valid choice");
    Answer {
        id: Some(number.to_string()),
        ..Answer::new(assessor, lease.task.clone(), judgment)
    }
}

fn groups(campaign: &Campaign) -> Vec<Vec<Vec<String>>> {
    let truth = campaign.truth(KIND, &ExportRequest::default());
    let truth = truth.expect("no query is named");
    let query = |number: usize| {
        let truth = truth.query_truth(number);
        let name = |item| truth.names().name(item).to_owned();
        let groups = truth.list().groups();
        groups
            .map(|group| group.iter().map(|&item| name(item)).collect())
            .collect()
    };
    (0..2).map(query).collect()
}

#[test]
fn best_worst_campaign_runs_to_its_end_and_replays_to_the_same_lists() {
    let mut session = session();
    let mut leases = Leases::new();
    let mut answers = 0;
    let mut open = true;
    while open {
        open = false;
        for assessor in ["bob", "cid", "dee"] {
            let request = AssignmentRequest::new(assessor).with_kind(KIND);
            let chosen = session
                .next_assignment(&stamp(), &request, &leases)
                .unwrap();
            let Some(chosen) = chosen else { continue };
            assert_eq!((chosen.task.kind, chosen.task.items.len()), (KIND, 4));
            open = true;
            answers += 1;
            let lease = Lease {
                assessor: assessor.to_owned(),
                task: chosen.task,
                gold: false,
            };
            leases.add(session.campaign(), lease.clone()).unwrap();
            // The same question is not asked again while it is on lease.
            let next = session.campaign().choose_assignment(&request, &leases);
            assert_ne!(next.map(|next| next.task).as_ref(), Some(&lease.task));
            leases.remove(session.campaign(), assessor, &lease.task);
            let answer = answer(assessor, answers, &lease);
            let retry = answer.clone();
            let classify = |campaign: &Campaign| {
                let pending = PendingAnswers::default();
                campaign.classify_answer(&retry, AnswerRole::Vote, &pending)
            };
            assert_eq!(classify(session.campaign()), Ok(Submission::New));
            session.record(&stamp(), vec![Event::vote(answer)]).unwrap();
            let event = session.campaign().event_count() as u64;
            let duplicate = Submission::Duplicate { event };
            assert_eq!(classify(session.campaign()), Ok(duplicate));
        }
    }
    // Five sets of four of five items, and one set of four items, by two assessors each.
    assert_eq!(answers, 2 * (5 + 1));
    assert!(session.campaign().is_settled());
    let lists = groups(session.campaign());
    let [q, r] = &lists[..] else {
        panic!("two lists");
    };
    assert_eq!(*q, [["v"], ["w"], ["y"], ["z"]]);
    assert_eq!(*r, [["1"], ["4"]]);

    // The views of fronts need no knowledge of the kind.
    let campaign = session.campaign();
    assert_eq!(
        (judgment_noun(KIND), asks_for_votes(KIND)),
        ("choice", false)
    );
    assert_eq!(campaign.question_count(KIND), Some(5 + 1));
    let status = campaign
        .status(1, &SequentialWork)
        .expect("no work is cancelled");
    assert_eq!((status.assessors, status.expected_votes), (3, 0.0));
    let every = ExportRequest::default();
    let answers = campaign.exported_answers(&every, AnswerSelection::All);
    assert!(
        answers.expect("no query is named").is_empty(),
        "there are no preferences"
    );
    let current = campaign.current_lists(KIND);
    assert!(
        current
            .iter()
            .all(|list| list.settled && list.gains.is_none())
    );
    let current: Vec<&Vec<Vec<String>>> = current.iter().map(|list| &list.groups).collect();
    assert_eq!(current, [q, r]);

    let log = session.into_store().text;
    assert!(log.contains(r#","event":"chosen","query":"#), "{log}");
    let read = log::read(log.as_bytes()).unwrap();
    let again: String = read.entries.iter().map(log::LogEntry::line).collect();
    assert_eq!(again, log);
    let replayed = Campaign::replay(read.events()).unwrap();
    assert_eq!(groups(&replayed), lists);
    assert!(Event::names().contains(&"chosen"));
}

#[test]
fn invalid_choice_of_best_and_worst_is_refused() {
    let mut session = session();
    let request = AssignmentRequest::new("bob").with_kind(KIND);
    let chosen = session.next_assignment(&stamp(), &request, &Leases::new());
    let question = chosen.unwrap().unwrap().task;
    let choice = |best: &str, worst: &str| Judgment::BestWorst([best, worst].map(str::to_owned));
    let (first, second) = (question.items[0].clone(), question.items[1].clone());
    let mut short = question.clone();
    short.items.pop();
    for (question, judgment) in [
        (&question, choice(&first, &first)),
        (&question, choice(&first, "nothing")),
        (&question, Judgment::Preference(None)),
        (&short, choice(&first, &second)),
    ] {
        let answer = Answer::new("bob", question.clone(), judgment);
        let refused = session.record(&stamp(), vec![Event::vote(answer)]);
        let Err(RecordError::Event(error)) = refused else {
            panic!("{refused:?}");
        };
        assert_eq!(error.to_string(), InputError::WrongKind.to_string());
    }
    for fields in [json!({"best": "x"}), json!({"best": 1, "worst": "x"})] {
        assert!(parse(fields).is_err());
    }
}

//! Recognition of answers that are submitted again.

use partita_core::Preference;
use partita_judging::campaign::{
    Answer, AnswerRole, AnswerRow, BroadGrade, CampaignSpec, Event, GoldPair, GoldSet, InputError,
    IntakeError, IntakeOutcome, IntakeRequest, Judgment, JudgmentKind, PendingAnswers, Playback,
    PreferenceChoice, Question, StimulusPart, Submission,
};

use crate::campaign::simulated_assessors::{CampaignRun, candidates};

fn campaign_of_all_kinds() -> CampaignRun {
    CampaignRun::new(CampaignSpec {
        kinds: vec![
            JudgmentKind::Preference,
            JudgmentKind::Ranking,
            JudgmentKind::Grading,
        ],
        ..CampaignSpec::new("c", vec![candidates("q", &["x", "y", "z"])])
    })
}

fn with_id(id: &str, answer: Answer) -> Answer {
    Answer {
        id: Some(id.to_owned()),
        seconds: Some(3.0),
        ..answer
    }
}

fn preference(assessor: &str, preference: Preference) -> Answer {
    Answer::preference("q", "x", "y", assessor, Some(preference))
}

fn ranking(assessor: &str, groups: &[&[&str]]) -> Answer {
    let owned = |group: &&[&str]| group.iter().map(|item| (*item).to_owned()).collect();
    let judgment = Judgment::Ranking {
        groups: groups.iter().map(owned).collect(),
        unranked: Vec::new(),
    };
    Answer::new(assessor, Question::ranking("q"), judgment)
}

fn grade(assessor: &str, broad: BroadGrade) -> Answer {
    let broad = Some(broad);
    let judgment = Judgment::Grade { broad, fine: None };
    Answer::new(assessor, Question::grade("q", "x"), judgment)
}

fn classify(run: &CampaignRun, answer: &Answer) -> Result<Submission, InputError> {
    let pending = PendingAnswers::default();
    run.campaign
        .classify_answer(answer, AnswerRole::Vote, &pending)
}

#[test]
fn answer_under_its_id_is_duplicate_even_if_times_and_playback_differ() {
    let mut run = campaign_of_all_kinds();
    for answer in [
        with_id("1", preference("ann", Preference::A)),
        with_id("2", ranking("ann", &[&["x", "y"], &["z"]])),
        with_id("3", grade("ann", BroadGrade::Very)),
    ] {
        assert_eq!(classify(&run, &answer), Ok(Submission::New));
        run.apply_event(Event::vote(answer.clone()));
        let event = run.campaign.event_count() as u64;
        let heard = Playback {
            plays: 2,
            ended: true,
        };
        let retry = Answer {
            seconds: Some(70.5),
            time: Some(9.0),
            hidden_seconds: Some(1.0),
            playback: [(StimulusPart::A, heard)].into(),
            ..answer
        };
        let duplicate = Submission::Duplicate { event };
        assert_eq!(classify(&run, &retry), Ok(duplicate));
        run.apply_event(Event::vote(with_id("9", preference("bob", Preference::B))));
        assert_eq!(
            classify(&run, &retry),
            Ok(duplicate),
            "later events do not matter"
        );
    }
    let other_order = with_id("2", ranking("ann", &[&["y", "x"], &["z"]]));
    let duplicate = classify(&run, &other_order);
    assert!(
        matches!(duplicate, Ok(Submission::Duplicate { .. })),
        "tied items have no order"
    );
}

#[test]
fn id_that_returns_with_another_judgment_is_refused() {
    let mut run = campaign_of_all_kinds();
    let first = [
        with_id("1", preference("ann", Preference::A)),
        with_id("2", ranking("ann", &[&["x"], &["y"]])),
        with_id("3", grade("ann", BroadGrade::Very)),
    ];
    for answer in &first {
        run.apply_event(Event::vote(answer.clone()));
    }
    for other in [
        with_id("1", preference("ann", Preference::B)),
        with_id(
            "1",
            Answer::preference("q", "y", "x", "ann", Some(Preference::A)),
        ),
        with_id("1", grade("ann", BroadGrade::Very)),
        with_id("2", ranking("ann", &[&["x", "y"]])),
        with_id("3", grade("ann", BroadGrade::Not)),
        with_id("3", preference("ann", Preference::A)),
    ] {
        let reused = InputError::IdReused {
            id: other.id.clone().unwrap(),
            assessor: "ann".to_owned(),
        };
        assert_eq!(classify(&run, &other), Err(reused));
    }
}

#[test]
fn two_assessors_may_use_the_same_id() {
    let mut run = campaign_of_all_kinds();
    run.apply_event(Event::vote(with_id("1", preference("ann", Preference::A))));
    for answer in [
        with_id("1", preference("bob", Preference::B)),
        with_id("1", grade("cid", BroadGrade::Not)),
    ] {
        assert_eq!(classify(&run, &answer), Ok(Submission::New));
        run.apply_event(Event::vote(answer));
    }
    let mut events = ["ann", "bob", "cid"].map(|who| run.campaign.event_with_id(who, "1"));
    events.sort_unstable();
    assert_eq!(events, [Some(2), Some(3), Some(4)]);
}

#[test]
fn imported_answers_may_reuse_ids_of_their_source() {
    let mut run = campaign_of_all_kinds();
    let first = with_id("1", preference("ann", Preference::A));
    run.apply_event(Event::imported(first.clone()));
    let other = with_id("1", preference("ann", Preference::B));
    let import = |answer: &Answer| {
        let pending = PendingAnswers::default();
        run.campaign
            .classify_answer(answer, AnswerRole::Imported, &pending)
    };
    assert_eq!(import(&first), Ok(Submission::Duplicate { event: 2 }));
    assert_eq!(import(&other), Ok(Submission::New));
}

fn row(id: &str, assessor: &str, preference: Preference) -> AnswerRow {
    AnswerRow {
        query: Some("q".to_owned()),
        assessor: Some(assessor.to_owned()),
        id: (!id.is_empty()).then(|| id.to_owned()),
        ..AnswerRow::preference("x", "y", Some(preference))
    }
}

fn request(answers: Vec<AnswerRow>) -> IntakeRequest {
    IntakeRequest {
        answers,
        kind: JudgmentKind::Preference,
        now: 0.0,
        adopt: false,
    }
}

#[test]
fn file_with_one_id_for_two_answers_of_an_assessor_is_refused_at_the_second_row() {
    let run = campaign_of_all_kinds();
    let plan = run.campaign.plan_intake(&request(vec![
        row("1", "ann", Preference::A),
        row("1", "bob", Preference::B),
        row("1", "ann", Preference::A),
        row("1", "ann", Preference::Equal),
    ]));
    assert_eq!(plan.events.len(), 2);
    let [(3, IntakeError::Refused(InputError::IdReused { .. }))] = &plan.refused[..] else {
        panic!("{:?}", plan.refused);
    };
}

#[test]
fn file_that_is_added_again_adds_nothing_gold_answers_included() {
    let gold = GoldPair {
        query: "q".to_owned(),
        a: "y".to_owned(),
        b: "x".to_owned(),
        answer: PreferenceChoice::B,
    };
    let mut run = CampaignRun::new(CampaignSpec {
        gold: Some(GoldSet {
            share: 0.5,
            pairs: vec![gold],
        }),
        ..CampaignSpec::new("c", vec![candidates("q", &["x", "y", "z"])])
    });
    let mut rows = vec![
        row("", "ann", Preference::A),
        row("7", "bob", Preference::B),
    ];
    rows.push(AnswerRow {
        items: vec!["x".to_owned(), "z".to_owned()],
        ..row("", "ann", Preference::A)
    });
    let request = request(rows);
    let plan = run.campaign.plan_intake(&request);
    let gold_events = plan.events.iter().filter(|event| {
        let Event::Answered { role, .. } = event else {
            return false;
        };
        matches!(role, AnswerRole::Gold { .. })
    });
    assert_eq!((plan.events.len(), gold_events.count()), (3, 2));
    for event in plan.events {
        run.apply_event(event);
    }
    let again = run.campaign.plan_intake(&request);
    assert_eq!(again.events, []);
    let report = again.report(&run.campaign, Vec::new());
    assert_eq!(report.flags, [(IntakeOutcome::Repeated, 3)]);
}

#[test]
fn judgment_without_id_is_duplicate_only_of_the_latest_of_its_assessor() {
    let mut run = campaign_of_all_kinds();
    let one = ["ann", "bob"].map(|assessor| ranking(assessor, &[&["x"], &["y"]]));
    let other = ["ann", "bob"].map(|assessor| ranking(assessor, &[&["y"], &["x"]]));
    // The last ranking in the file is the one that counts, although the log has it already.
    run.apply_event(Event::vote(one[0].clone()));
    let file = vec![
        one[0].clone(),
        other[0].clone(),
        one[0].clone(),
        one[0].clone(),
        other[1].clone(),
    ];
    let rows = file.into_iter().map(|answer| AnswerRow {
        query: Some(answer.question.query),
        assessor: Some(answer.assessor),
        judgment: answer.judgment,
        ..AnswerRow::default()
    });
    let plan = run.campaign.plan_intake(&IntakeRequest {
        kind: JudgmentKind::Ranking,
        ..request(rows.collect())
    });
    let added = [&other[0], &one[0], &other[1]].map(|answer| Event::vote(answer.clone()));
    assert_eq!(
        (plan.events.as_slice(), plan.refused.len()),
        (&added[..], 0)
    );
    let report = plan.judgment_report(&run.campaign, JudgmentKind::Ranking, Vec::new());
    assert_eq!((report.rows, report.added, report.repeated), (5, 3, 2));
}

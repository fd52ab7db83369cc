//! Gold answers, rankings, grades, defect reports, and actions of an organiser.

use partita_core::Preference;
use partita_judging::campaign::{
    AnswerStatus, BroadGrade, CampaignExtension, CampaignSpec, Event, GoldAnswer, GradeAnswer,
    PreferenceAnswer, PreferenceChoice, RankingAnswer,
};

use crate::campaign::simulated_assessors::{Run, candidates};

fn answered(a: &str, b: &str, person: &str, answer: Preference) -> PreferenceAnswer {
    PreferenceAnswer::new("q", a, b, person, Some(answer))
}

/// Returns a campaign of one list of three items, so that at least two pairs are asked.
fn asked(votes: u32) -> Run {
    let settings = CampaignSpec {
        votes,
        rule: "majority".parse().expect("a rule"),
        ..CampaignSpec::new("c", vec![candidates("q", &["x", "y", "z"])])
    };
    let mut run = Run::new(settings);
    run.next();
    run
}

/// Lets assessors with these names answer all open pairs. They prefer the item whose name sorts
/// first.
fn answer_all(run: &mut Run, people: &[&str]) {
    for pair in run.campaign.open_pairs_in_request_order(0) {
        for person in people {
            let answer = if pair.a < pair.b {
                Preference::A
            } else {
                Preference::B
            };
            run.happen(Event::Answered(answered(&pair.a, &pair.b, person, answer)));
        }
    }
}

#[test]
fn the_answer_to_a_question_with_a_known_answer_is_in_the_log_and_is_no_vote() {
    let mut run = asked(2);
    let before = run.campaign.open_pairs_in_request_order(0);
    let pair = &before[0];
    run.happen(Event::GoldAnswered(GoldAnswer {
        answer: answered(&pair.a, &pair.b, "ann", Preference::A),
        expected: PreferenceChoice::B,
    }));
    assert_eq!(run.campaign.answer_statuses(), [AnswerStatus::Gold]);
    assert_eq!(run.campaign.open_pairs_in_request_order(0), before);
    assert_eq!(run.campaign.vote_count(0), 0);
    let [state] = &run.campaign.assessor_summaries()[..] else {
        panic!("one person");
    };
    assert_eq!((state.answers, state.votes), (1, 0));
    let checked = run.campaign.gold_answers().next().unwrap();
    assert_ne!(checked.answer.answer, checked.expected);
}

#[test]
fn fewer_votes_decide_the_pairs_that_have_as_many_by_all_they_have() {
    let mut run = asked(5);
    answer_all(&mut run, &["ann", "bob", "cid"]);
    assert!(!run.campaign.is_settled());
    let votes = run.campaign.vote_count(0);
    run.happen(Event::Extended(CampaignExtension {
        votes: Some(2),
        ..CampaignExtension::default()
    }));
    // Three votes are more than two, and all of them count still.
    assert_eq!(run.campaign.vote_count(0), votes);
    while !run.campaign.is_settled() {
        run.next();
        answer_all(&mut run, &["ann", "bob"]);
    }
    assert_eq!(run.campaign.groups(0), [["x"], ["y"], ["z"]]);
    assert_eq!(run.campaign.spec().votes, 2);
}

#[test]
fn more_votes_open_decided_pairs_again() {
    let mut run = asked(2);
    while !run.campaign.is_settled() {
        answer_all(&mut run, &["ann", "bob"]);
        run.next();
    }
    run.happen(Event::Extended(CampaignExtension {
        votes: Some(3),
        ..CampaignExtension::default()
    }));
    assert!(!run.campaign.is_settled());
    while !run.campaign.is_settled() {
        run.next();
        answer_all(&mut run, &["cid"]);
    }
    let pairs = run.campaign.pair_snapshots(0);
    assert!(pairs.iter().all(|pair| pair.votes.iter().sum::<u32>() == 3));
}

#[test]
fn a_closed_list_asks_nothing_and_takes_no_votes() {
    let mut run = asked(2);
    answer_all(&mut run, &["ann"]);
    let open = run.campaign.open_pairs_in_request_order(0);
    assert!(!open.is_empty());
    let list: Vec<Vec<String>> = run.campaign.list_snapshot(0).groups;
    run.happen(Event::Closed {
        query: Some("q".to_owned()),
    });
    assert!(run.campaign.open_pairs_in_request_order(0).is_empty());
    assert!(run.campaign.next_batch().is_none());
    assert!(run.campaign.is_settled() && !run.campaign.is_list_settled(0));
    run.happen(Event::Answered(answered(
        &open[0].a,
        &open[0].b,
        "bob",
        Preference::A,
    )));
    assert_eq!(
        run.campaign.answer_statuses().last(),
        Some(&AnswerStatus::Closed)
    );
    assert_eq!(run.campaign.list_snapshot(0).groups, list);
}

#[test]
fn nothing_is_asked_while_a_campaign_is_paused_and_answers_count() {
    let mut run = asked(2);
    let open = run.campaign.open_pairs_in_request_order(0);
    run.happen(Event::Paused);
    assert!(run.campaign.open_pairs_in_request_order(0).is_empty() && !run.campaign.is_settled());
    let pair = &open[0];
    run.happen(Event::Answered(answered(
        &pair.a,
        &pair.b,
        "ann",
        Preference::A,
    )));
    assert_eq!(run.campaign.answer_statuses(), [AnswerStatus::Counted]);
    run.happen(Event::Resumed);
    assert_eq!(
        run.campaign.open_pairs_in_request_order(0).len(),
        open.len()
    );
}

#[test]
fn what_is_taken_back_is_no_vote_and_its_person_can_answer_again() {
    let mut run = asked(1);
    let pair = run.campaign.open_pairs_in_request_order(0).remove(0);
    run.happen(Event::Answered(answered(
        &pair.a,
        &pair.b,
        "ann",
        Preference::A,
    )));
    let number = run.campaign.event_count() as u64;
    let retracted = Event::Retracted {
        answer: number,
        reason: None,
    };
    run.happen(retracted.clone());
    assert_eq!(run.campaign.answer_statuses(), [AnswerStatus::Retracted]);
    assert!(run.campaign.check(&retracted).is_err(), "only once");
    run.next();
    run.happen(Event::Answered(answered(
        &pair.a,
        &pair.b,
        "ann",
        Preference::B,
    )));
    assert_eq!(
        run.campaign.answer_statuses(),
        [AnswerStatus::Retracted, AnswerStatus::Counted]
    );
}

#[test]
fn new_lists_and_new_candidates_are_asked_about() {
    let mut run = asked(1);
    while !run.campaign.is_settled() {
        answer_all(&mut run, &["ann"]);
        run.next();
    }
    let extended = CampaignExtension {
        lists: vec![candidates("q", &["w"]), candidates("r", &["1", "2"])],
        ..CampaignExtension::default()
    };
    run.happen(Event::Extended(extended));
    while !run.campaign.is_settled() {
        run.next();
        for pair in run.campaign.open_pairs_in_request_order(0) {
            let answer = if pair.a < pair.b {
                Preference::A
            } else {
                Preference::B
            };
            run.happen(Event::Answered(PreferenceAnswer::new(
                &pair.query,
                &pair.a,
                &pair.b,
                "ann",
                Some(answer),
            )));
        }
    }
    assert_eq!(run.campaign.groups(0), [["w"], ["x"], ["y"], ["z"]]);
    assert_eq!(run.campaign.groups(1), [["1"], ["2"]]);
}

#[test]
fn the_last_ranking_and_the_last_grade_of_a_person_count() {
    let mut run = asked(1);
    let ranked = |person: &str, groups: &[&[&str]]| {
        Event::Ranked(RankingAnswer {
            query: "q".to_owned(),
            assessor: person.to_owned(),
            groups: groups
                .iter()
                .map(|group| group.iter().map(|item| (*item).to_owned()).collect())
                .collect(),
            unranked: Vec::new(),
            seconds: None,
            time: None,
            id: None,
        })
    };
    let graded = |broad| {
        Event::Graded(GradeAnswer {
            query: "q".to_owned(),
            item: "x".to_owned(),
            assessor: "ann".to_owned(),
            broad: Some(broad),
            fine: None,
            seconds: None,
            time: None,
            id: None,
        })
    };
    run.happen(ranked("ann", &[&["x"], &["y"]]));
    run.happen(ranked("ann", &[&["y"], &["x"]]));
    run.happen(graded(BroadGrade::Not));
    run.happen(graded(BroadGrade::Very));
    assert_eq!(run.campaign.rankings(0)[0].groups, [["y"], ["x"]]);
    assert_eq!(run.campaign.grades(0)[0].broad, Some(BroadGrade::Very));
    // What was there before counts again once the last is taken back.
    run.happen(Event::Retracted {
        answer: run.campaign.event_count() as u64,
        reason: None,
    });
    assert_eq!(run.campaign.grades(0)[0].broad, Some(BroadGrade::Not));
    assert!(
        run.campaign
            .check(&ranked("ann", &[&["x"], &["x"]]))
            .is_err()
    );
    assert!(run.campaign.check(&ranked("ann", &[&["nothing"]])).is_err());
}

//! Analyses of collected answers: batches, comparison with a reference, and simulated strategies.

use partita_core::truth::{Alpha, RankEvidence, RankTestOptions};
use partita_core::work::SequentialWork;
use partita_core::{
    AssessorRankings, BatchRecord, GroundTruth, Item, Names, Preference, Preferences, QueryTruth,
    TruthScale, Vote,
};
use partita_judging::simulate::{
    AnswerSource, AssessorTraits, CalibrationTarget, RecordedAnswers, SimulationError,
    SimulationRequest, simulate,
};
use partita_judging::{
    AnswerClass, CountUnit, DecisionRule, DescribedAnswers, NoOverlapError, PreferenceCheckRequest,
    Price, ReferenceComparison, ReferenceComparisonRequest, ReferenceJudgments, Relation,
    check_preferences, compare_with_reference, report_batches,
};

/// Returns six answers in two batches, and the backgrounds that the assessors stated.
fn answers() -> (Preferences, Vec<Option<String>>) {
    let rows = [
        ("x", "y", "ann", Preference::A, 10.0, 0),
        ("x", "y", "bob", Preference::A, 12.0, 0),
        ("y", "x", "cy", Preference::B, 9.0, 0),
        ("y", "z", "ann", Preference::Equal, 11.0, 1),
        ("y", "z", "bob", Preference::Equal, 10.0, 1),
        ("z", "y", "di", Preference::A, 30.0, 1),
    ];
    let mut preferences = Preferences::new();
    for (a, b, who, answer, seconds, batch) in rows {
        let given = Vote {
            seconds: Some(seconds),
            batch,
            ..Vote::new(a, b, who, answer)
        };
        preferences.add("q", given).expect("a new answer");
    }
    let said = [Some("No, none."), Some("piano"), None, Some("  ")];
    (
        preferences,
        said.map(|said| said.map(str::to_owned)).to_vec(),
    )
}

#[test]
fn batches_have_their_people_their_agreement_and_their_cost() {
    let (preferences, _) = answers();
    let record = |name: &str, returned, first_answer, last| BatchRecord {
        name: name.to_owned(),
        rows: returned,
        blanks: returned - 3,
        first_asked_at: Some(0.0),
        first_answered_at: Some(first_answer),
        last_answered_at: Some(last),
    };
    let records = [record("one", 3, 60.0, 660.0), record("two", 4, 10.0, 70.0)];
    let found = report_batches(&preferences, &records, &Price::URBANO_2010);
    let [one, two] = found.batches.as_slice() else {
        panic!("two batches");
    };
    assert_eq!((one.priced.batch, one.priced.name.as_str()), (1, "one"));
    assert_eq!(
        (one.priced.pairs, one.priced.answers, one.priced.assessors),
        (1, 3, 3)
    );
    assert_eq!((one.priced.returning, two.priced.returning), (0, 2));
    assert_eq!(
        (one.priced.median_seconds, two.priced.median_seconds),
        (Some(10.0), Some(11.0))
    );
    assert_eq!(one.priced.seconds_to_completion, Some(600.0));
    assert_eq!(two.priced.seconds_since_asked, Some(70.0));
    // Blank answers were paid for.
    assert_eq!(
        (two.priced.blank, one.priced.cost, two.priced.cost),
        (1, 0.075, 0.1)
    );
    assert_eq!(one.coefficients.ac1, Some(1.0));
    let all = &found.all;
    assert_eq!((all.pairs, all.answers, all.assessors), (2, 6, 4));
    assert_eq!(all.returning, Some(2.0 / 3.0));
    assert_eq!((all.seconds_to_completion, all.cost), (Some(660.0), 0.175));
    assert_eq!(all.mean_of_median_seconds, Some(10.5));
    // All three say the same of the first pair; of the second two of three pairs of people agree by a
    // half.
    assert_eq!(all.agreement_of_batches, Some((1.0 + 2.0 / 3.0) / 2.0));
    // Over all pairs at once it is the agreement of an audit.
    let audited = check_preferences(&check(&preferences, None), &SequentialWork).expect("a check");
    assert_eq!(all.agreement_of_pairs, audited.agreement.score);
    assert!(all.agreement_of_pairs.is_some());
    let unknown = BatchRecord {
        first_answered_at: None,
        ..records[0].clone()
    };
    let found = report_batches(
        &preferences,
        &[unknown, records[1].clone()],
        &Price::URBANO_2010,
    );
    assert_eq!(found.all.seconds_to_completion, None);
}

fn beside(
    others: &ReferenceJudgments,
    single: bool,
    by: Option<AnswerClass>,
) -> Result<ReferenceComparison, NoOverlapError> {
    let (preferences, backgrounds) = answers();
    let answers = DescribedAnswers {
        preferences: &preferences,
        backgrounds: &backgrounds,
        batches: &["10".to_owned(), "9".to_owned()],
    };
    let request = ReferenceComparisonRequest {
        rule: DecisionRule::default(),
        against_alpha: Alpha::TYPKE,
        single,
        by,
    };
    compare_with_reference(answers, others, &request)
}

fn lists(query: &str, groups: &[&[&str]]) -> GroundTruth {
    let judged = QueryTruth::from_groups(groups.iter().copied()).expect("a list");
    let lists = vec![(query.to_owned(), judged)];
    GroundTruth::new(TruthScale::Groups, lists).expect("a ground truth")
}

fn truth(query: &str, groups: &[&[&str]]) -> ReferenceJudgments {
    ReferenceJudgments::from_truth(lists(query, groups))
}

fn check<'a>(
    preferences: &'a Preferences,
    truth: Option<&'a GroundTruth>,
) -> PreferenceCheckRequest<'a> {
    PreferenceCheckRequest {
        preferences,
        truth: truth.map(|truth| ("truth", truth)),
        rule: DecisionRule::default(),
        seed: 1,
        triples: 10,
        bootstrap: None,
    }
}

#[test]
fn a_given_list_is_audited_by_the_votes_on_its_pairs() {
    let (preferences, _) = answers();
    // x is preferred to y, and y is equal to z.
    let given = lists("q", &[&["y", "x"], &["z", "new"]]);
    let found =
        check_preferences(&check(&preferences, Some(&given)), &SequentialWork).expect("a check");
    let [list] = found.lists.as_slice() else {
        panic!("one list");
    };
    let [intra] = list.audit.intra.as_slice() else {
        panic!("one pair of a group differs");
    };
    assert_eq!((intra.a.as_str(), intra.b.as_str()), ("y", "x"));
    assert_eq!(intra.evidence.votes, [0, 0, 3]);
    assert_eq!(intra.evidence.relation, Relation::Greater);
    assert_eq!(list.audit.inter[0].evidence.votes, [0, 2, 1]);
    // Nobody compared x with z.
    assert_eq!((list.undecided, list.consistent), (1, Some(0.0)));
}

#[test]
fn decisions_stand_beside_the_rankings_of_experts() {
    // Six experts rank y before z, and the crowd calls them equal.
    let experts = (0..6).map(|expert| expert.to_string()).collect::<Vec<_>>();
    let ranks = experts.iter().flat_map(|expert| {
        [("x", 1.0), ("y", 2.0), ("z", 3.0)].map(|(item, rank)| (expert.as_str(), item, Some(rank)))
    });
    let rankings = AssessorRankings::new(ranks).expect("rankings");
    let evidence = RankEvidence::new(&rankings, Alpha::TYPKE, RankTestOptions::default());
    let others =
        ReferenceJudgments::from_rankings([("q".to_owned(), rankings.items().clone(), evidence)]);
    let found = beside(&others, false, None).expect("pairs in common");
    let table = &found.tables[0];
    assert_eq!(table.counts.count(Relation::Less, Relation::Equal), 1);
    assert_eq!(table.score, Some(0.75));
}

#[test]
fn decisions_and_answers_stand_beside_a_ground_truth() {
    let others = truth("q", &[&["x"], &["y", "z"]]);
    let found = beside(&others, false, None).expect("pairs in common");
    assert_eq!(found.counted, CountUnit::Pairs);
    let [table] = found.tables.as_slice() else {
        panic!("one table");
    };
    assert_eq!((table.full, table.total, table.score), (2, 2, Some(1.0)));
    // One of the six answers prefers z.
    let found = beside(&others, true, None).expect("answers in common");
    assert_eq!(found.counted, CountUnit::Answers);
    let table = &found.tables[0];
    assert_eq!((table.full, table.partial, table.none), (5, 1, 0));
    assert_eq!(table.counts.count(Relation::Equal, Relation::Less), 1);
}

#[test]
fn answers_are_told_apart_by_background_and_by_batches_in_the_order_of_their_numbers() {
    let others = truth("q", &[&["x"], &["y", "z"]]);
    let classes = |by| {
        let found = beside(&others, false, Some(by)).expect("answers in common");
        let tables = found.tables.into_iter();
        let each = tables.map(|table| (table.class.expect("a class"), table.total));
        each.collect::<Vec<_>>()
    };
    let expected = |classes: &[(&str, usize)]| -> Vec<(String, usize)> {
        let owned = classes
            .iter()
            .map(|&(class, total)| (class.to_owned(), total));
        owned.collect()
    };
    // A no is none, whatever follows it; nothing, and blanks, are unknown.
    let backgrounds = [("none", 2), ("some", 2), ("unknown", 2)];
    assert_eq!(classes(AnswerClass::Background), expected(&backgrounds));
    assert_eq!(
        classes(AnswerClass::Batch),
        expected(&[("9", 3), ("10", 3)])
    );
    let people = [("ann", 2), ("bob", 2), ("cy", 1), ("di", 1)];
    assert_eq!(classes(AnswerClass::Assessor), expected(&people));
}

#[test]
fn a_no_is_no_background_and_anything_else_is_some() {
    let words = [
        (
            "none",
            &[
                "no",
                "No.",
                "No background of note.",
                " none ",
                "n/a",
                "Nothing",
            ][..],
        ),
        (
            "some",
            &["I was a pianist for 8 years", "Notation class", "choir"],
        ),
        ("unknown", &["  "]),
    ];
    let mut preferences = Preferences::new();
    let mut backgrounds = Vec::new();
    for said in words.iter().flat_map(|(_, said)| said.iter()) {
        let who = backgrounds.len().to_string();
        let given = Vote::new("x", "y", &who, Preference::A);
        preferences.add("q", given).expect("a new answer");
        backgrounds.push(Some((*said).to_owned()));
    }
    let answers = DescribedAnswers {
        preferences: &preferences,
        backgrounds: &backgrounds,
        batches: &[],
    };
    let request = ReferenceComparisonRequest {
        rule: DecisionRule::default(),
        against_alpha: Alpha::TYPKE,
        single: true,
        by: Some(AnswerClass::Background),
    };
    let others = truth("q", &[&["x"], &["y"]]);
    let found = compare_with_reference(answers, &others, &request).expect("answers in common");
    let found: Vec<(Option<&str>, usize)> = (found.tables.iter())
        .map(|table| (table.class.as_deref(), table.total))
        .collect();
    assert_eq!(found, words.map(|(class, said)| (Some(class), said.len())));
}

#[test]
fn others_who_say_nothing_are_an_error_and_who_say_little_are_counted() {
    let nothing = beside(&truth("r", &[&["x"], &["y"]]), false, None).expect_err("nothing");
    assert_eq!(
        nothing.to_string(),
        "others say nothing of any of the 2 pairs"
    );
    let little = beside(&truth("q", &[&["x"], &["y"]]), false, None).expect("one pair");
    assert_eq!((little.unknown_count(), little.tables[0].total), (1, 1));
}

#[test]
fn answers_by_the_same_rule_agree_with_themselves_in_full() {
    let (preferences, _) = answers();
    let same = beside(
        &ReferenceJudgments::from_preferences(&preferences, DecisionRule::default()),
        false,
        None,
    );
    assert_eq!(same.expect("the same pairs").tables[0].score, Some(1.0));
}

const KNOWN: AssessorTraits = AssessorTraits {
    noise: Some(1.0),
    band: Some(0.5),
    careless: 0.1,
    bias: 0.0,
};

fn request() -> SimulationRequest {
    SimulationRequest {
        strategies: ["sort", "sort-curtailed", "pooled"]
            .map(str::to_owned)
            .to_vec(),
        lists: 6,
        items: (6, 9),
        votes: 10,
        rule: DecisionRule::default(),
        matters: 0.242,
        price: Price::URBANO_2010,
        seconds: 36.0,
        resamples: 20,
        seed: 1,
    }
}

fn simulated(
    request: &SimulationRequest,
) -> Result<partita_judging::simulate::Simulation, SimulationError> {
    let answering = AnswerSource::Simulated {
        traits: KNOWN,
        goal: CalibrationTarget::URBANO_2010,
    };
    simulate(request, answering, &SequentialWork)
}

#[test]
fn curtailment_makes_the_same_lists_with_fewer_votes_and_pooled_votes_end_in_a_curve() {
    let found = simulated(&request()).expect("a simulation");
    assert_eq!((found.baseline.as_str(), found.references), ("sort", 1));
    let [sort, curtailed, pooled] = found.strategies.as_slice() else {
        panic!("three strategies");
    };
    assert_eq!(
        (
            sort.points.len(),
            curtailed.points.len(),
            pooled.points.len()
        ),
        (1, 1, 10)
    );
    let [all, fewer] = [sort, curtailed].map(|outcome| &outcome.points[0]);
    for measure in [
        "inversions",
        "strict_inversions",
        "adr",
        "relations",
        "groups",
    ] {
        assert_eq!(
            all.quality.get(measure),
            fewer.quality.get(measure),
            "{measure}"
        );
    }
    assert!(fewer.votes.mean < 0.95 * all.votes.mean);
    assert!((all.votes.mean - 10.0 * all.pairs.mean).abs() < 1e-9);
    assert!((all.cost - 0.025 * all.votes.mean).abs() < 1e-9);
    assert!((all.hours - all.votes.mean / 100.0).abs() < 1e-9);
    assert!(
        sort.baseline_comparison.needed.iter().next().is_none()
            && sort.baseline_comparison.needed_mean.is_none()
    );
    let needed = curtailed
        .baseline_comparison
        .needed
        .get("inversions")
        .expect("a measure that is compared");
    let share = needed.share.expect("as good").mean;
    assert!((share - fewer.votes.mean / all.votes.mean).abs() < 1e-12);
    let votes: Vec<f64> = pooled.points.iter().map(|point| point.votes.mean).collect();
    assert!(votes.is_sorted(), "{votes:?}");
}

#[test]
fn points_come_in_the_order_of_votes_and_lie_in_their_intervals() {
    let request = SimulationRequest {
        strategies: ["sort", "pooled", "sort-refitted:0.7/0.9"]
            .map(str::to_owned)
            .to_vec(),
        ..request()
    };
    let found = simulated(&request).expect("a simulation");
    let points = found
        .strategies
        .iter()
        .map(|outcome| outcome.points.len())
        .collect::<Vec<_>>();
    assert_eq!(points, [1, 10, 2]);
    for outcome in &found.strategies {
        assert!(outcome.points.is_sorted_by_key(|point| point.votes.mean));
        for point in &outcome.points {
            let qualities = point.quality.iter().map(|(_, estimate)| estimate);
            for estimate in [&point.votes, &point.pairs, &point.rounds]
                .into_iter()
                .chain(qualities)
            {
                assert!(estimate.lower <= estimate.mean && estimate.mean <= estimate.upper);
            }
        }
    }
    // A curve is put beside the baseline by these.
    let needed = found.strategies[1].baseline_comparison.needed.iter();
    let mut names: Vec<&str> = needed.map(|(name, _)| name).collect();
    names.sort_unstable();
    assert_eq!(names, ["adr", "inversions", "relations"]);
}

#[test]
fn recorded_people_who_never_contradict_each_other_put_no_pair_in_the_wrong_order() {
    let mut names = Names::new();
    let items: Vec<Item> = (0..12)
        .map(|item| names.intern(&format!("i{item:02}")).expect("few names"))
        .collect();
    let pairs = items.iter().enumerate();
    let pairs = pairs.flat_map(|(at, &a)| items[at + 1..].iter().map(move |&b| (a, b)));
    let votes = pairs.flat_map(|(a, b)| std::iter::repeat_n((a, b, Preference::A), 7));
    let recorded = RecordedAnswers::new(&names, votes);
    let request = SimulationRequest {
        strategies: vec!["sort".to_owned()],
        lists: 3,
        items: (6, 6),
        votes: 7,
        ..request()
    };
    let found = simulate(&request, AnswerSource::Recorded(&recorded), &SequentialWork)
        .expect("a simulation");
    // Neither is made of the answers about the list itself.
    assert_eq!(found.references, 2);
    let point = &found.strategies[0].points[0];
    let mean = |measure: &str| point.quality.get(measure).expect("a measure").mean;
    assert_eq!(mean("strict_inversions"), 0.0);
    assert_eq!([mean("adr_1"), mean("adr_2")], [1.0, 1.0]);
    // A relation is right by a reference that also asks whether a difference matters.
    for measure in ["relations_1", "relations_2"] {
        assert!((0.5..=1.0).contains(&mean(measure)), "{measure}");
    }
}

#[test]
fn people_are_calibrated_to_how_far_others_agree() {
    // People who always agree, and never find two items equal.
    let mut preferences = Preferences::new();
    for pair in 0..8 {
        let [x, y] = ["x", "y"].map(|name| format!("{name}{pair}"));
        for person in 0..6 {
            let person = person.to_string();
            let given = Vote::new(&x, &y, &person, Preference::A);
            preferences.add("q", given).expect("a new answer");
        }
    }
    let goal = CalibrationTarget::from_preferences(&preferences).expect("answers to agree");
    assert_eq!((goal.agreement, goal.equal), (1.0, 0.0));
    let consistency = |traits| {
        let request = SimulationRequest {
            strategies: vec!["sort".to_owned()],
            items: (8, 8),
            ..request()
        };
        let found = simulate(
            &request,
            AnswerSource::Simulated { traits, goal },
            &SequentialWork,
        );
        let point = found.expect("a simulation").strategies[0].points[0].clone();
        point.quality.get("consistency").expect("a share").mean
    };
    let unknown = AssessorTraits {
        noise: None,
        band: None,
        careless: 0.0,
        bias: 0.0,
    };
    let torn = AssessorTraits {
        noise: Some(3.2),
        band: Some(2.8),
        ..unknown
    };
    let [agreed, torn] = [unknown, torn].map(consistency);
    assert!(agreed > torn + 0.05, "{agreed} {torn}");
    let lonely = Vote::new("x", "y", "ann", Preference::A);
    let mut alone = Preferences::new();
    alone.add("q", lonely).expect("a new answer");
    let nobody = CalibrationTarget::from_preferences(&alone).expect_err("nobody to agree with");
    assert_eq!(nobody.to_string(), "no pair has two answers to agree");
}

#[test]
fn a_simulation_depends_on_its_seed_alone() {
    let found = |seed| {
        let request = SimulationRequest { seed, ..request() };
        format!("{:?}", simulated(&request).expect("a simulation"))
    };
    assert_eq!(found(1), found(1));
    assert_ne!(found(1), found(2));
}

#[test]
fn requests_that_cannot_be_are_refused_with_what_they_can_be() {
    let refused = |change: fn(&mut SimulationRequest)| {
        let mut request = request();
        change(&mut request);
        simulated(&request).expect_err("a refusal").to_string()
    };
    assert_eq!(refused(|r| r.lists = 0), "lists must be at least 1, not 0");
    assert_eq!(
        refused(|r| r.items = (1, 9)),
        "items must be between 2 and 500, not 9"
    );
    assert_eq!(
        refused(|r| r.matters = 1.0),
        "matters must be at least 0 and below 1, not 1"
    );
    let unknown = refused(|r| r.strategies.push("bogosort".to_owned()));
    assert_eq!(unknown, "no strategy is called `bogosort`");
}

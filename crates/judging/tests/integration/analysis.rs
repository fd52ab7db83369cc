//! Analyses of collected answers: batches, comparison with a reference, and simulated strategies.

use partita_core::truth::{Alpha, RankEvidence, RankTestOptions};
use partita_core::work::SequentialWork;
use partita_core::{
    AssessorRankings, BatchRecord, GroundTruth, Item, Names, Preference, Preferences, QueryTruth,
    TruthScale, Vote,
};
use partita_judging::simulate::{
    AnswerSource, AssessorModel, AssessorTraits, CalibrationTarget, CostQualityPoint,
    RecordedAnswers, SimulatedList, Simulation, SimulationError, SimulationRequest, run_strategy,
    simulate,
};
use partita_judging::{
    AnswerClass, CountUnit, DecisionRule, DescribedAnswers, NoOverlapError, PreferenceCheckRequest,
    Price, ReferenceComparison, ReferenceComparisonRequest, ReferenceJudgments, Relation,
    StrategyName, StrategyOptions, check_preferences, compare_with_reference, report_batches,
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
        preferences.add("q", given).expect("the answer is new");
    }
    let said = [Some("No, none."), Some("piano"), None, Some("  ")];
    (
        preferences,
        said.map(|said| said.map(str::to_owned)).to_vec(),
    )
}

#[test]
fn batch_report_has_assessors_agreement_and_cost() {
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
    let found = report_batches(&preferences, &records, Some(&Price::URBANO_2010));
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
    // The cost includes blank answers.
    assert_eq!(
        (two.priced.blank, one.priced.cost, two.priced.cost),
        (1, Some(0.075), Some(0.1))
    );
    assert_eq!(one.coefficients.ac1, Some(1.0));
    let all = &found.all;
    assert_eq!((all.pairs, all.answers, all.assessors), (2, 6, 4));
    assert_eq!(all.returning, Some(2.0 / 3.0));
    assert_eq!(
        (all.seconds_to_completion, all.cost),
        (Some(660.0), Some(0.175))
    );
    assert_eq!(all.mean_of_median_seconds, Some(10.5));
    // The three assessors agree on the first pair. On the second, one pair of assessors agrees and
    // two pairs agree by one half.
    assert_eq!(all.agreement_of_batches, Some((1.0 + 2.0 / 3.0) / 2.0));
    // The agreement over all pairs equals that of an audit.
    let audited = check_preferences(&check_request(&preferences, None), &SequentialWork)
        .expect("the audit succeeds");
    assert_eq!(all.agreement_of_pairs, audited.totals.agreement.score);
    assert!(all.agreement_of_pairs.is_some());
    let unknown = BatchRecord {
        first_answered_at: None,
        ..records[0].clone()
    };
    let found = report_batches(
        &preferences,
        &[unknown, records[1].clone()],
        Some(&Price::URBANO_2010),
    );
    assert_eq!(found.all.seconds_to_completion, None);
}

fn compare_answers(
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

fn single_query_truth(query: &str, groups: &[&[&str]]) -> GroundTruth {
    let judged = QueryTruth::from_groups(groups.iter().copied()).expect("a list");
    let lists = vec![(query.to_owned(), judged)];
    GroundTruth::new(TruthScale::Groups, lists).expect("the ground truth is valid")
}

fn reference_truth(query: &str, groups: &[&[&str]]) -> ReferenceJudgments {
    ReferenceJudgments::from_truth(single_query_truth(query, groups))
}

fn check_request<'a>(
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
fn given_list_is_audited_against_votes_on_its_pairs() {
    let (preferences, _) = answers();
    // The answers prefer x to y and call y and z equal.
    let given = single_query_truth("q", &[&["y", "x"], &["z", "new"]]);
    let found = check_preferences(&check_request(&preferences, Some(&given)), &SequentialWork)
        .expect("the audit succeeds");
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
    assert_eq!(
        (list.counts.undecided, list.counts.consistent),
        (1, Some(0.0))
    );
}

#[test]
fn decisions_are_compared_with_expert_rankings() {
    // Six experts rank y before z, and the crowd calls them equal.
    let experts = (0..6).map(|expert| expert.to_string()).collect::<Vec<_>>();
    let ranks = experts.iter().flat_map(|expert| {
        [("x", 1.0), ("y", 2.0), ("z", 3.0)].map(|(item, rank)| (expert.as_str(), item, Some(rank)))
    });
    let rankings = AssessorRankings::new(ranks).expect("rankings");
    let evidence = RankEvidence::new(&rankings, Alpha::TYPKE, RankTestOptions::default());
    let others =
        ReferenceJudgments::from_rankings([("q".to_owned(), rankings.items().clone(), evidence)]);
    let found = compare_answers(&others, false, None).expect("pairs in common");
    let table = &found.tables[0];
    assert_eq!(table.counts.count(Relation::Less, Relation::Equal), 1);
    assert_eq!(table.score, Some(0.75));
}

#[test]
fn decisions_and_answers_are_compared_with_a_ground_truth() {
    let others = reference_truth("q", &[&["x"], &["y", "z"]]);
    let found = compare_answers(&others, false, None).expect("pairs in common");
    assert_eq!(found.counted, CountUnit::Pairs);
    let [table] = found.tables.as_slice() else {
        panic!("one table");
    };
    assert_eq!((table.full, table.total, table.score), (2, 2, Some(1.0)));
    // One of the six answers prefers z.
    let found = compare_answers(&others, true, None).expect("answers in common");
    assert_eq!(found.counted, CountUnit::Answers);
    let table = &found.tables[0];
    assert_eq!((table.full, table.partial, table.none), (5, 1, 0));
    assert_eq!(table.counts.count(Relation::Equal, Relation::Less), 1);
}

#[test]
fn answers_are_divided_by_background_assessor_and_numerically_sorted_batch() {
    let others = reference_truth("q", &[&["x"], &["y", "z"]]);
    let classes = |by| {
        let found = compare_answers(&others, false, Some(by)).expect("answers in common");
        let tables = found.tables.into_iter();
        let each = tables.map(|table| (table.class.expect("the table has a class"), table.total));
        each.collect::<Vec<_>>()
    };
    let expected = |classes: &[(&str, usize)]| -> Vec<(String, usize)> {
        let owned = classes
            .iter()
            .map(|&(class, total)| (class.to_owned(), total));
        owned.collect()
    };
    // Texts that begin with "no" are `none`; missing and blank texts are `unknown`.
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
fn background_text_is_classified_as_none_some_or_unknown() {
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
        preferences.add("q", given).expect("the answer is new");
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
    let others = reference_truth("q", &[&["x"], &["y"]]);
    let found = compare_with_reference(answers, &others, &request).expect("answers in common");
    let found: Vec<(Option<&str>, usize)> = (found.tables.iter())
        .map(|table| (table.class.as_deref(), table.total))
        .collect();
    assert_eq!(found, words.map(|(class, said)| (Some(class), said.len())));
}

#[test]
fn reference_without_common_pairs_is_an_error_and_uncovered_pairs_are_counted() {
    let nothing = compare_answers(&reference_truth("r", &[&["x"], &["y"]]), false, None)
        .expect_err("the reference covers none of the pairs");
    assert_eq!(
        nothing.to_string(),
        "others say nothing of any of the 2 pairs"
    );
    let little =
        compare_answers(&reference_truth("q", &[&["x"], &["y"]]), false, None).expect("one pair");
    assert_eq!((little.unknown_count(), little.tables[0].total), (1, 1));
}

#[test]
fn answers_fully_agree_with_themselves_as_reference() {
    let (preferences, _) = answers();
    let same = compare_answers(
        &ReferenceJudgments::from_preferences(&preferences, DecisionRule::default()),
        false,
        None,
    );
    assert_eq!(same.expect("the same pairs").tables[0].score, Some(1.0));
}

const FIXED_TRAITS: AssessorTraits = AssessorTraits {
    noise: Some(1.0),
    band: Some(0.5),
    careless: 0.1,
    bias: 0.0,
};

fn simulation_request() -> SimulationRequest {
    SimulationRequest {
        strategies: ["sort", "sort-curtailed", "pooled"]
            .map(str::to_owned)
            .to_vec(),
        lists: 6,
        items: (6, 9),
        votes: 10,
        rule: DecisionRule::default(),
        matters: 0.242,
        settled: 0.02,
        price: Some(Price::URBANO_2010),
        seconds: 36.0,
        resamples: 20,
        seed: 1,
    }
}

fn run_simulation(
    request: &SimulationRequest,
) -> Result<partita_judging::simulate::Simulation, SimulationError> {
    let answering = AnswerSource::Simulated {
        traits: FIXED_TRAITS,
        goal: CalibrationTarget::URBANO_2010,
    };
    simulate(request, answering, &SequentialWork)
}

#[test]
fn curtailed_sort_has_equal_quality_for_fewer_votes_and_pooled_has_ten_points() {
    let found = run_simulation(&simulation_request()).expect("the simulation succeeds");
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
    let cost = all.cost.expect("a price was given");
    assert!((cost - 0.025 * all.votes.mean).abs() < 1e-9);
    assert!((all.hours - all.votes.mean / 100.0).abs() < 1e-9);
    assert!(
        sort.baseline_comparison.needed.iter().next().is_none()
            && sort.baseline_comparison.needed_mean.is_none()
    );
    let needed = curtailed
        .baseline_comparison
        .needed
        .get("inversions")
        .expect("the measure is compared");
    let share = needed.share.expect("the baseline quality is reached").mean;
    assert!((share - fewer.votes.mean / all.votes.mean).abs() < 1e-12);
    let votes: Vec<f64> = pooled.points.iter().map(|point| point.votes.mean).collect();
    assert!(votes.is_sorted(), "{votes:?}");
}

#[test]
fn simulation_points_are_ordered_by_votes_and_means_lie_in_their_intervals() {
    let request = SimulationRequest {
        strategies: ["sort", "pooled", "sort-refitted:0.7/0.9"]
            .map(str::to_owned)
            .to_vec(),
        ..simulation_request()
    };
    let found = run_simulation(&request).expect("the simulation succeeds");
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
                assert!(estimate.interval().is_none_or(|(lower, upper)| {
                    lower <= estimate.mean && estimate.mean <= upper && lower < upper
                }));
            }
        }
    }
    // Measures by which a strategy is compared with the baseline.
    let needed = found.strategies[1].baseline_comparison.needed.iter();
    let mut names: Vec<&str> = needed.map(|(name, _)| name).collect();
    names.sort_unstable();
    assert_eq!(names, ["adr", "inversions", "relations"]);
}

#[test]
fn numbers_c2_simulation_marks_where_a_campaign_stops() {
    let at = |settled: f64| {
        let request = SimulationRequest {
            strategies: ["sort", "pooled", "random", "sort-refitted:0.7/0.9"]
                .map(str::to_owned)
                .to_vec(),
            items: (14, 16),
            settled,
            seed: 3,
            ..simulation_request()
        };
        run_simulation(&request).expect("the simulation succeeds")
    };
    let (loose, strict) = (at(0.2), at(0.02));
    assert_eq!((loose.settled, strict.settled), (0.2, 0.02));
    // Texts are compared, because intervals that do not exist are NaN.
    let text = |points: &[CostQualityPoint]| format!("{points:?}");
    for (loose, strict) in loose.strategies.iter().zip(&strict.strategies) {
        // The curve does not depend on where a campaign stops.
        assert_eq!(text(&loose.points), text(&strict.points));
    }
    let stop = |found: &Simulation, strategy: usize| {
        let outcome = &found.strategies[strategy];
        outcome.stops.clone().expect("a campaign stops once")
    };
    // The sort ends where its only point is; a model-based strategy stops on its curve.
    let sort = stop(&loose, 0);
    assert_eq!(
        text(std::slice::from_ref(&sort.point)),
        text(&loose.strategies[0].points)
    );
    assert_eq!(sort.share.mean, 1.0);
    let [early, late] = [&loose, &strict].map(|found| stop(found, 1));
    assert!(early.point.votes.mean < late.point.votes.mean, "{early:?}");
    let end = loose.strategies[1].points.last().expect("a curve");
    assert!(late.point.votes.mean < end.votes.mean);
    let share = late.point.votes.mean / sort.point.votes.mean;
    assert!((late.share.mean - share).abs() < 1e-12);
    assert!(late.share.lower <= share && share <= late.share.upper);
    assert!(late.point.quality.get("inversions").is_some());
    // Random pairs are asked until the budget is spent, however settled the list is.
    assert_eq!(
        text(&[stop(&loose, 2).point]),
        text(&[stop(&strict, 2).point])
    );
    // A strategy with two thresholds would stop at two points, so it has no single one.
    assert_eq!(loose.strategies[3].stops, None);
    for settled in [0.0, 1.0, -0.1, f64::NAN] {
        let request = SimulationRequest {
            settled,
            ..simulation_request()
        };
        let refused = run_simulation(&request).expect_err("a share out of range");
        assert!(refused.to_string().contains("settled"), "{refused}");
    }
}

#[test]
fn numbers_c2_stop_of_a_simulation_is_that_of_the_strategy_in_a_campaign() {
    let assessors = AssessorModel {
        noise: 0.4,
        tie_threshold: 0.5,
        lapse_rate: 0.05,
        side_bias: 0.0,
    };
    let request = SimulationRequest {
        strategies: vec!["sort".to_owned(), "pooled".to_owned()],
        lists: 4,
        items: (15, 15),
        settled: 0.05,
        ..simulation_request()
    };
    let traits = AssessorTraits {
        noise: Some(assessors.noise),
        band: Some(assessors.tie_threshold),
        careless: assessors.lapse_rate,
        bias: assessors.side_bias,
    };
    let goal = CalibrationTarget::URBANO_2010;
    let source = AnswerSource::Simulated { traits, goal };
    let found = simulate(&request, source, &SequentialWork).expect("a simulation");
    let stop = found.strategies[1].stops.as_ref().expect("a stop");
    let options = StrategyOptions {
        settled: 0.05,
        ..StrategyOptions::default()
    };
    let pooled = StrategyName::Pooled.build(&options);
    let votes = (0..4).map(|list| {
        let seed = request.list_seed(list);
        let list = SimulatedList::new(assessors, 15, seed);
        let end = run_strategy(pooled.as_ref(), &list, seed, &[]).pop();
        end.expect("a run has an end").votes as f64
    });
    assert_eq!(stop.point.votes.mean, votes.sum::<f64>() / 4.0);
}

#[test]
fn unanimous_recorded_votes_give_no_inversions() {
    let mut names = Names::new();
    let items: Vec<Item> = (0..12)
        .map(|item| {
            names
                .intern(&format!("i{item:02}"))
                .expect("there is room for more names")
        })
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
        ..simulation_request()
    };
    let found = simulate(&request, AnswerSource::Recorded(&recorded), &SequentialWork)
        .expect("the simulation succeeds");
    // Both references are made from answers about pairs outside the list.
    assert_eq!(found.references, 2);
    let point = &found.strategies[0].points[0];
    let mean = |measure: &str| point.quality.get(measure).expect("the measure exists").mean;
    assert_eq!(mean("strict_inversions"), 0.0);
    assert_eq!([mean("adr_1"), mean("adr_2")], [1.0, 1.0]);
    // The references call small differences equal, so not all relations agree with them.
    for measure in ["relations_1", "relations_2"] {
        assert!((0.5..=1.0).contains(&mean(measure)), "{measure}");
    }
}

#[test]
fn simulated_assessors_are_calibrated_to_agreement_of_recorded_answers() {
    // Recorded assessors who always agree and never call two items equal.
    let mut preferences = Preferences::new();
    for pair in 0..8 {
        let [x, y] = ["x", "y"].map(|name| format!("{name}{pair}"));
        for person in 0..6 {
            let person = person.to_string();
            let given = Vote::new(&x, &y, &person, Preference::A);
            preferences.add("q", given).expect("the answer is new");
        }
    }
    let goal = CalibrationTarget::from_preferences(&preferences).expect("pairs have two answers");
    assert_eq!((goal.agreement, goal.equal), (1.0, 0.0));
    let consistency = |traits| {
        let request = SimulationRequest {
            strategies: vec!["sort".to_owned()],
            items: (8, 8),
            ..simulation_request()
        };
        let found = simulate(
            &request,
            AnswerSource::Simulated { traits, goal },
            &SequentialWork,
        );
        let point = found.expect("the simulation succeeds").strategies[0].points[0].clone();
        point
            .quality
            .get("consistency")
            .expect("the share is defined")
            .mean
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
    alone.add("q", lonely).expect("the answer is new");
    let nobody = CalibrationTarget::from_preferences(&alone).expect_err("no pair has two answers");
    assert_eq!(nobody.to_string(), "no pair has two answers to agree");
}

#[test]
fn simulation_is_reproducible_for_equal_seeds() {
    let found = |seed| {
        let request = SimulationRequest {
            seed,
            ..simulation_request()
        };
        format!(
            "{:?}",
            run_simulation(&request).expect("the simulation succeeds")
        )
    };
    assert_eq!(found(1), found(1));
    assert_ne!(found(1), found(2));
}

#[test]
fn invalid_simulation_requests_fail_with_the_valid_range() {
    let refused = |change: fn(&mut SimulationRequest)| {
        let mut request = simulation_request();
        change(&mut request);
        run_simulation(&request)
            .expect_err("the request is invalid")
            .to_string()
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

#[test]
fn numbers_w3_a_mean_whose_resamples_do_not_vary_has_no_interval() {
    use partita_judging::simulate::mean_with_interval;

    assert_eq!(mean_with_interval(0.5, vec![0.5; 40]).interval(), None);
    // An interval that misses the mean is widened to contain it.
    let drawn: Vec<f64> = (0..40).map(|number| f64::from(number) / 50.0).collect();
    assert_eq!(
        mean_with_interval(0.9, drawn.clone()).interval(),
        Some((0.02, 0.9))
    );
    // One resample in 41 without a value opens the interval.
    let open = mean_with_interval(0.4, [drawn, vec![f64::NAN; 2]].concat());
    let (lower, upper) = open.interval().expect("an interval");
    assert!(lower == 0.02 && upper.is_nan());
}

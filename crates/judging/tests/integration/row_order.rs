//! Results do not depend on the order of answers in a file or on the displayed sides.

use partita_core::evidence::AssessorResampler;
use partita_core::work::SequentialWork;
use partita_core::{BatchRecord, GroupedList, Item, Names, Preference, Preferences, Vote};
use partita_judging::campaign::{
    CampaignSession, CampaignSpec, EngineSettings, MemoryStore, QuerySpec,
};
use partita_judging::simulate::{
    AnswerSource, CalibrationTarget, RecordedAnswers, SimulationRequest, simulate,
};
use partita_judging::{
    AgreementCoefficients, BatchesReport, DecisionRule, DescribedAnswers, GroupingRule, ListMethod,
    PreferenceBootstrap, PreferenceListsRequest, Price, Provenance, ReferenceComparisonRequest,
    ReferenceJudgments, Screening, ScreeningEvidence, ScreeningOptions, Votes, build_list,
    build_preference_lists, compare_with_reference, pair_votes, report_batches,
};
use partita_stats::random::{shuffle, stream, uniform_index};

/// Answer: query, two items, assessor, preference, and batch.
type AnswerRow = (String, String, String, String, Preference, usize);

/// Returns answers of several assessors about pairs of six items for two queries, on random sides.
fn answer_rows(seed: u64) -> Vec<AnswerRow> {
    let mut random = stream(seed, &[]);
    let mut rows = Vec::new();
    for query in ["q1", "q2"] {
        for b in 0..6usize {
            for a in 0..b {
                if uniform_index(&mut random, 5) == 0 {
                    continue;
                }
                let batch = uniform_index(&mut random, 2);
                for person in 0..4 + uniform_index(&mut random, 4) {
                    let says = match uniform_index(&mut random, 10) {
                        0..=5 => Preference::A,
                        6..=7 => Preference::Equal,
                        _ => Preference::B,
                    };
                    let (mut one, mut other, mut says) = (a, b, says);
                    if uniform_index(&mut random, 3) == 0 {
                        (one, other, says) = (b, a, says.mirrored());
                    }
                    let [one, other] = [one, other].map(|item| format!("item{item}"));
                    let person = format!("person{person}");
                    rows.push((query.to_owned(), one, other, person, says, batch));
                }
            }
        }
    }
    rows
}

fn preferences_from(rows: &[AnswerRow]) -> Preferences {
    let mut preferences = Preferences::new();
    for (query, a, b, who, answer, batch) in rows {
        let given = Vote::new(a, b, who, *answer);
        let given = Vote {
            batch: *batch,
            ..given
        };
        preferences.add(query, given).expect("the answer is new");
    }
    preferences
}

fn shuffled_preferences(rows: &[AnswerRow], seed: u64) -> Preferences {
    let mut rows = rows.to_vec();
    shuffle(&mut stream(seed, &[7]), &mut rows);
    preferences_from(&rows)
}

fn batches_report(preferences: &Preferences) -> BatchesReport {
    let records = vec![BatchRecord::default(); preferences.batches()];
    report_batches(preferences, &records, Some(&Price::URBANO_2010))
}

/// Returns the groups of a list by item names.
fn named_groups(names: &Names, list: &GroupedList) -> Vec<Vec<String>> {
    let name = |item: &partita_core::Item| names.name(*item).to_owned();
    let groups = list.groups().map(|group| group.iter().map(name).collect());
    groups.collect()
}

#[test]
fn agreement_is_independent_of_row_order_and_displayed_sides() {
    // The same four answers in two orders.
    let four = [
        ("x", "y", "w1", Preference::A),
        ("y", "x", "w2", Preference::B),
        ("u", "v", "w1", Preference::A),
        ("v", "u", "w2", Preference::B),
    ];
    let of = |order: [usize; 4]| {
        let mut preferences = Preferences::new();
        for (a, b, who, answer) in order.map(|number| four[number]) {
            preferences
                .add("q", Vote::new(a, b, who, answer))
                .expect("the answer is new");
        }
        batches_report(&preferences).all.agreement
    };
    assert_eq!(of([0, 1, 2, 3]), of([0, 1, 3, 2]));
    // Oriented by item names, all four answers are `a`, so agreement is all by chance.
    let votes = [Votes {
        a: 2,
        equal: 0,
        b: 0,
    }; 2];
    assert_eq!(of([0, 1, 2, 3]), AgreementCoefficients::from_votes(&votes));

    for seed in 0..20 {
        let rows = answer_rows(seed);
        let given = preferences_from(&rows);
        let mut turned = rows.clone();
        for (number, (_, a, b, _, answer, _)) in turned.iter_mut().enumerate() {
            if number % 3 == 0 {
                std::mem::swap(a, b);
                *answer = answer.mirrored();
            }
        }
        for other in [shuffled_preferences(&rows, seed), preferences_from(&turned)] {
            let [given, other] = [&given, &other].map(batches_report);
            assert_eq!(given.all.agreement, other.all.agreement);
            let coefficients = |of: &BatchesReport| -> Vec<AgreementCoefficients> {
                of.batches.iter().map(|batch| batch.coefficients).collect()
            };
            assert_eq!(coefficients(&given), coefficients(&other));
        }
        assert_eq!(
            batches_report(&given),
            batches_report(&shuffled_preferences(&rows, seed))
        );
    }
}

#[test]
fn lists_and_decisions_are_independent_of_row_order() {
    let mut sorted = 0;
    for seed in 0..20 {
        let rows = answer_rows(seed);
        let (given, other) = (preferences_from(&rows), shuffled_preferences(&rows, seed));
        for query in given.queries() {
            let same = other.queries().iter().find(|o| o.name() == query.name());
            let same = same.expect("the query");
            let (one, two) = (
                build_list(query, DecisionRule::default(), 5),
                build_list(same, DecisionRule::default(), 5),
            );
            assert_eq!(
                named_groups(query.items(), &one.list),
                named_groups(same.items(), &two.list)
            );
            let alternatives = |names: &Names, lists: &[GroupedList]| -> Vec<_> {
                lists.iter().map(|list| named_groups(names, list)).collect()
            };
            assert_eq!(
                alternatives(query.items(), &one.alternatives),
                alternatives(same.items(), &two.alternatives)
            );
            sorted += u32::from(matches!(one.provenance, Provenance::Resorted { .. }));
            let decided = |query: &partita_core::QueryPreferences| {
                let name = |item| query.items().name(item).to_owned();
                let pairs = pair_votes(query).into_iter();
                let pairs =
                    pairs.map(|pair| (name(pair.a), name(pair.b), pair.votes.counts(), pair.batch));
                pairs.collect::<Vec<_>>()
            };
            assert_eq!(decided(query), decided(same));
            let trusted = |preferences: &partita_core::Preferences,
                           query: &partita_core::QueryPreferences,
                           built| {
                let people = AssessorResampler::new(preferences.assessors());
                let mut bootstrap = PreferenceBootstrap::new(query, built, DecisionRule::default());
                let replicates = (0..6).map(|r| bootstrap.replicate(&people, 3, r));
                let lists = replicates.map(|replicate| {
                    let mut groups = named_groups(query.items(), &replicate.list);
                    groups.iter_mut().for_each(|group| group.sort());
                    groups
                });
                lists.collect::<Vec<_>>()
            };
            assert_eq!(trusted(&given, query, &one), trusted(&other, same, &two));
        }
    }
    assert!(sorted > 0, "some records do not come from a sort");
}

#[test]
fn simulations_of_recorded_votes_are_independent_of_row_order_and_displayed_sides() {
    let request = SimulationRequest {
        strategies: ["sort", "pooled", "random"].map(str::to_owned).to_vec(),
        lists: 3,
        items: (5, 6),
        votes: 4,
        rule: DecisionRule::default(),
        matters: 0.242,
        settled: 0.02,
        price: Some(Price::URBANO_2010),
        seconds: 20.0,
        resamples: 10,
        seed: 7,
    };
    let mut lines: Vec<(String, String, Vec<f64>)> = Vec::new();
    let mut random = stream(3, &[]);
    for b in 0..14 {
        for a in 0..b {
            let vote = |_| f64::from(b - a) / 4.0 - uniform_index(&mut random, 9) as f64 / 2.0;
            let votes = (0..5).map(vote).collect();
            lines.push((format!("item{a}"), format!("item{b}"), votes));
        }
    }
    let found = |lines: &[(String, String, Vec<f64>)]| {
        let mut names = Names::new();
        let mut item = |name: &str| names.intern(name).expect("a name");
        let pairs: Vec<(Item, Item, Vec<f64>)> = (lines.iter())
            .map(|(a, b, votes)| (item(a), item(b), votes.clone()))
            .collect();
        let answers = RecordedAnswers::from_vote_sizes(&names, &pairs, 0.25)
            .expect("the tie threshold is valid");
        let found = simulate(&request, AnswerSource::Recorded(&answers), &SequentialWork);
        format!("{:?}", found.expect("the simulation succeeds"))
    };
    let as_recorded = found(&lines);
    for seed in 0..3 {
        shuffle(&mut stream(seed, &[7]), &mut lines);
        for (a, b, votes) in lines.iter_mut().step_by(3) {
            std::mem::swap(a, b);
            votes.iter_mut().for_each(|vote| *vote = -*vote);
            votes.reverse();
        }
        assert_eq!(found(&lines), as_recorded);
    }
}

#[test]
fn screening_lists_and_calibration_are_independent_of_row_order() {
    for seed in 0..6 {
        let rows = answer_rows(seed);
        let (given, other) = (preferences_from(&rows), shuffled_preferences(&rows, seed));
        let screened = |preferences| {
            let settings = ScreeningOptions::default();
            let found = Screening::new(preferences, &ScreeningEvidence::default(), settings);
            found.expect("the settings are valid").assessors
        };
        assert_eq!(screened(&given), screened(&other));
        let beside = |preferences: &Preferences| {
            let others = ReferenceJudgments::from_preferences(preferences, DecisionRule::Plurality);
            let answers = DescribedAnswers {
                preferences,
                backgrounds: &[],
                batches: &[],
            };
            let request = ReferenceComparisonRequest {
                rule: DecisionRule::default(),
                against_alpha: partita_core::truth::Alpha::TYPKE,
                single: false,
                by: None,
            };
            let each = [None, Some(partita_judging::AnswerClass::Assessor)].map(|by| {
                let request = ReferenceComparisonRequest { by, ..request };
                compare_with_reference(answers, &others, &request).expect("pairs in common")
            });
            format!("{each:?}")
        };
        assert_eq!(beside(&given), beside(&other));
        let details = |preferences: &Preferences, by| {
            let request = PreferenceListsRequest {
                grouping: GroupingRule::default(),
                preferences,
                batches: &[],
                price: Some(Price::URBANO_2010),
                rule: DecisionRule::default(),
                by,
                seed: 5,
            };
            let lists = build_preference_lists(&request, &SequentialWork).expect("lists");
            let pairs = lists
                .pairs
                .get("q1")
                .cloned()
                .expect("the pairs of a query");
            (pairs, lists.provenance.get("q1").cloned())
        };
        let sorted = details(&given, ListMethod::Sort);
        assert_eq!(sorted, details(&other, ListMethod::Sort));
        let names: Vec<_> = sorted.0.iter().map(|pair| (&pair.a, &pair.b)).collect();
        assert!(names.is_sorted(), "{names:?}");
        assert_eq!(
            CalibrationTarget::from_preferences(&given),
            CalibrationTarget::from_preferences(&other)
        );
    }
}

/// Campaigns with candidates in different orders write the same log, byte for byte.
#[test]
fn campaign_log_is_independent_of_query_and_candidate_order() {
    let log = |turn: bool| {
        let mut queries = ["q1", "q2", "q3"];
        let mut items = ["u", "v", "w", "x", "y"];
        if turn {
            queries.rotate_left(1);
            items.reverse();
            items.swap(0, 3);
        }
        let lists = queries.iter().map(|&query| QuerySpec::new(query, items));
        let settings = CampaignSpec {
            settings: EngineSettings {
                held_out: 0.3,
                ..EngineSettings::default()
            },
            ..CampaignSpec::new("c", lists.collect())
        };
        let stamp = crate::campaign::stamp(0);
        let mut session = CampaignSession::create(MemoryStore::default(), settings, &stamp)
            .expect("the settings are valid");
        session.ask(&stamp, None).expect("questions");
        session.into_store().text
    };
    assert_eq!(log(false), log(true));
}

//! Progress of a campaign from the first batch to settled lists.

use partita_core::work::SequentialWork;
use partita_core::{GroupedList, Item};
use partita_judging::campaign::{
    AnswerStatus, Campaign, CampaignSpec, EngineSettings, ItemSpec, PairProgress, PairRequestError,
};
use partita_judging::{ListVotes, PairRequest, Strategy};
use proptest::prelude::*;

use crate::campaign::simulated_assessors::{
    CampaignRun, SimulatedAssessors, candidates, hash_texts, lists, state,
};

const STRATEGIES: [&str; 3] = ["sort", "sort-curtailed", "sort-predictive"];

fn assessors(noise: u64, group: usize, world: u64) -> SimulatedAssessors {
    SimulatedAssessors {
        noise,
        group,
        world: world.to_string(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn list_is_independent_of_interleaving_of_questions_and_answers(
        lengths in prop::collection::vec(1_usize..8, 1..4),
        strategy in 0_usize..3,
        seed: u64,
        world: u64,
        held_out in prop::sample::select(vec![0.0, 0.3]),
        splits in prop::collection::vec(0_usize..12, 1..20),
    ) {
        let settings = CampaignSpec { settings: EngineSettings { seed, held_out, strategy: STRATEGIES[strategy].parse().unwrap(), ..EngineSettings::default() }, ..CampaignSpec::new("c", lists(&lengths)) };
        let people = assessors(30, 2, world);
        let mut at_once = CampaignRun::new(settings.clone());
        at_once.finish(&people);
        let mut bit_by_bit = CampaignRun::new(settings);
        for turn in 0.. {
            prop_assert!(turn < 20_000);
            let open = bit_by_bit.request_open_pairs();
            if open.is_empty() {
                break;
            }
            // Some of the open pairs get some answers before the next batch is requested.
            for step in 0..=splits[turn % splits.len()] {
                let hash = hash_texts(&[&turn.to_string(), &step.to_string()]);
                let pick = hash as usize % open.len();
                let still = bit_by_bit.campaign.open_pairs_in_request_order(0);
                let same = still.iter().find(|pair| (&pair.query, &pair.a, &pair.b)
                    == (&open[pick].query, &open[pick].a, &open[pick].b));
                if let Some(pair) = same {
                    bit_by_bit.answer_by_next_assessor(&people, &pair.clone());
                }
            }
        }
        prop_assert!(bit_by_bit.campaign.is_settled());
        prop_assert_eq!(at_once.lists(), bit_by_bit.lists());
        let counted = |run: &CampaignRun| {
            let mut answers = run.campaign.answers_with_status();
            answers.retain(|answer| matches!(answer.flag, AnswerStatus::Counted | AnswerStatus::HeldOut));
            answers.len()
        };
        prop_assert_eq!(counted(&at_once), counted(&bit_by_bit));
        // Every answer counts, so none is paid for in vain.
        prop_assert_eq!(counted(&at_once), at_once.campaign.answer_count());
    }

    #[test]
    fn curtailed_sort_makes_the_same_lists_with_at_most_as_many_votes(
        length in 1_usize..9,
        world: u64,
        noise in 0_u64..60,
        group in 1_usize..4,
    ) {
        let run = |strategy: &str| {
            let settings = CampaignSpec { settings: EngineSettings { strategy: strategy.parse().unwrap(), ..EngineSettings::default() }, ..CampaignSpec::new("c", lists(&[length])) };
            let mut run = CampaignRun::new(settings);
            run.finish(&assessors(noise, group, world));
            run
        };
        let (full, curtailed) = (run("sort"), run("sort-curtailed"));
        prop_assert_eq!(full.lists(), curtailed.lists());
        prop_assert!(curtailed.campaign.answer_count() <= full.campaign.answer_count());
    }

    #[test]
    fn consistent_answers_give_their_groups_in_order(
        length in 1_usize..10,
        group in 1_usize..4,
        seed: u64,
        strategy in 0_usize..3,
    ) {
        let settings = CampaignSpec { settings: EngineSettings { seed, strategy: STRATEGIES[strategy].parse().unwrap(), ..EngineSettings::default() }, ..CampaignSpec::new("c", lists(&[length])) };
        let mut run = CampaignRun::new(settings);
        let people = assessors(0, group, 0);
        run.finish(&people);
        let mut found = run.campaign.groups(0);
        found.iter_mut().for_each(|group| group.sort_unstable());
        let names: Vec<String> = (0..length).map(|item| format!("i{item}")).collect();
        let mut expected: Vec<Vec<&str>> = Vec::new();
        for name in &names {
            match expected.last_mut() {
                Some(last) if people.level(last[0]) == people.level(name) => last.push(name),
                _ => expected.push(vec![name]),
            }
        }
        prop_assert_eq!(found, expected);
    }
}

#[test]
fn requesting_batches_again_without_new_answers_changes_nothing() {
    let mut run = CampaignRun::new(CampaignSpec::new("c", lists(&[5, 4])));
    let first = run.request_open_pairs();
    let events = run.events.len();
    let again = run.request_open_pairs();
    assert_eq!(first, again);
    assert_eq!(run.events.len(), events);
    assert_eq!(
        first.iter().map(|pair| pair.votes).sum::<u32>(),
        (4 + 3) * 10
    );
}

#[test]
fn question_order_and_displayed_sides_depend_on_the_seed() {
    let asked = |seed: u64| {
        let mut run = CampaignRun::new(CampaignSpec {
            settings: EngineSettings {
                seed,
                ..EngineSettings::default()
            },
            ..CampaignSpec::new("c", lists(&[12, 12, 12]))
        });
        run.request_open_pairs()
    };
    assert_eq!(asked(3), asked(3));
    assert_ne!(asked(3), asked(4));
    // Each list compares one pivot with all other items. The pivot is shown first about half of the
    // time.
    let pairs = asked(3);
    let pivot = |query: &str| -> String {
        let of_query: Vec<_> = pairs.iter().filter(|pair| pair.query == query).collect();
        let common = [&of_query[0].a, &of_query[0].b].into_iter();
        let mut common = common.filter(|item| {
            of_query
                .iter()
                .all(|pair| pair.a == **item || pair.b == **item)
        });
        common.next().unwrap().clone()
    };
    let pivots: Vec<String> = ["q0", "q1", "q2"].map(pivot).to_vec();
    let first = pairs
        .iter()
        .filter(|pair| pivots[pair.query[1..].parse::<usize>().unwrap()] == pair.a);
    assert!((8..=25).contains(&first.count()), "of 33");
    // The questions of the queries are mixed.
    let queries: Vec<&str> = pairs.iter().map(|pair| pair.query.as_str()).collect();
    let changes = queries.windows(2).filter(|two| two[0] != two[1]).count();
    assert!(changes > 10, "{changes}");
}

#[test]
fn identical_items_are_not_compared_and_share_a_group() {
    let mut list = candidates("q", &["i0", "i1", "i2", "i3", "i4"]);
    list.items[3].same_as = Some("i0".to_owned());
    list.items[4].same_as = Some("i3".to_owned());
    let mut run = CampaignRun::new(CampaignSpec::new("c", vec![list]));
    run.finish(&SimulatedAssessors {
        noise: 0,
        group: 1,
        world: String::new(),
    });
    assert_eq!(
        run.lists(),
        [[vec!["i0", "i3", "i4"], vec!["i1"], vec!["i2"]]]
    );
    let pairs = run.campaign.pair_snapshots(0);
    assert!(
        pairs
            .iter()
            .all(|pair| !["i3", "i4"].contains(&pair.a.as_str()))
    );
    assert!(pairs.len() <= 3);
}

#[test]
fn list_of_identical_items_is_settled_without_answers() {
    let twin = |item: &str| ItemSpec {
        item: item.to_owned(),
        same_as: Some("x".to_owned()),
        ..ItemSpec::default()
    };
    let mut list = candidates("q", &["x"]);
    list.items.extend([twin("y"), twin("z")]);
    let run = CampaignRun::new(CampaignSpec::new("c", vec![list, candidates("empty", &[])]));
    assert!(run.campaign.is_settled());
    assert_eq!(run.lists(), [vec![vec!["x", "y", "z"]], vec![]]);
}

#[test]
fn correct_prior_order_reduces_compared_pairs() {
    let pairs = |prior: bool| -> usize {
        let total = (0..20).map(|seed| {
            let mut all = lists(&[15]);
            for (place, candidate) in all[0].items.iter_mut().enumerate() {
                candidate.prior = prior.then_some(place as f64);
            }
            let mut run = CampaignRun::new(CampaignSpec {
                settings: EngineSettings {
                    seed,
                    ..EngineSettings::default()
                },
                ..CampaignSpec::new("c", all)
            });
            run.finish(&SimulatedAssessors {
                noise: 0,
                group: 1,
                world: String::new(),
            });
            run.campaign.pair_snapshots(0).len()
        });
        total.sum()
    };
    let (with, without) = (pairs(true), pairs(false));
    assert!(with < without, "{with} {without}");
}

#[test]
fn campaign_with_top_limit_settles_only_the_first_items() {
    let settings = CampaignSpec {
        settings: EngineSettings {
            top: Some(2),
            ..EngineSettings::default()
        },
        ..CampaignSpec::new("c", lists(&[12]))
    };
    let mut run = CampaignRun::new(settings);
    run.finish(&SimulatedAssessors {
        noise: 0,
        group: 1,
        world: String::new(),
    });
    let found = run.campaign.groups(0);
    assert_eq!(found[..2], [["i0"], ["i1"]]);
    let mut all = CampaignRun::new(CampaignSpec::new("c", lists(&[12])));
    all.finish(&SimulatedAssessors {
        noise: 0,
        group: 1,
        world: String::new(),
    });
    assert!(run.campaign.answer_count() < all.campaign.answer_count());
}

#[test]
fn held_out_votes_are_hidden_from_the_strategy_and_measure_agreement() {
    let settings = CampaignSpec {
        settings: EngineSettings {
            held_out: 0.5,
            held_out_votes: 3,
            ..EngineSettings::default()
        },
        ..CampaignSpec::new("c", lists(&[6]))
    };
    let plain = CampaignSpec {
        settings: EngineSettings {
            held_out: 0.0,
            ..settings.clone().settings
        },
        ..settings.clone()
    };
    let honest = SimulatedAssessors {
        noise: 0,
        group: 2,
        world: String::new(),
    };
    let mut run = CampaignRun::new(settings.clone());
    run.finish(&honest);
    let quality = run.campaign.held_out_agreement();
    // Half of the 15 pairs is 8 after rounding.
    assert_eq!((quality.pairs, quality.votes, quality.same), (8, 24, 24));
    assert_eq!(quality.agreement, Some(1.0));
    let mut without = CampaignRun::new(plain);
    without.finish(&honest);
    assert_eq!(
        run.campaign.answer_count(),
        without.campaign.answer_count() + 24
    );
    assert_eq!(run.lists(), without.lists());
    // With random answers, the list agrees less with the held-out votes.
    let mut run = CampaignRun::new(settings);
    run.finish(&SimulatedAssessors {
        noise: 100,
        group: 2,
        world: "noise".to_owned(),
    });
    let quality = run.campaign.held_out_agreement();
    assert_eq!(quality.votes, 24);
    assert!(quality.agreement.unwrap() < 0.9, "{quality:?}");
}

#[test]
fn organiser_can_request_a_pair_unless_decided_or_invalid() {
    let mut list = candidates("q", &["i0", "i1", "i2", "i3"]);
    list.items[3].same_as = Some("i2".to_owned());
    let mut run = CampaignRun::new(CampaignSpec::new("c", vec![list]));
    assert!(matches!(
        run.campaign.batch_for_pair("z", "i0", "i1"),
        Err(PairRequestError::Refused(_))
    ));
    assert!(matches!(
        run.campaign.batch_for_pair("q", "i0", "i9"),
        Err(PairRequestError::Refused(_))
    ));
    assert!(matches!(
        run.campaign.batch_for_pair("q", "i0", "i0"),
        Err(PairRequestError::Refused(_))
    ));
    assert_eq!(
        run.campaign.batch_for_pair("q", "i2", "i3"),
        Err(PairRequestError::Identical)
    );
    let asked = run.campaign.batch_for_pair("q", "i0", "i1").unwrap();
    run.apply_event(asked);
    assert_eq!(
        run.campaign.batch_for_pair("q", "i1", "i0"),
        Err(PairRequestError::AlreadyRequested(10))
    );
    run.finish(&SimulatedAssessors {
        noise: 0,
        group: 1,
        world: String::new(),
    });
    let pairs = run.campaign.pair_snapshots(0);
    let decided = pairs
        .iter()
        .find(|pair| pair.state == PairProgress::Decided)
        .unwrap();
    let error = run
        .campaign
        .batch_for_pair("q", &decided.a, &decided.b)
        .unwrap_err();
    assert!(error.to_string().contains("decided already"), "{error}");
}

/// Strategy that requests one more vote on each of two pairs. The pairs change after every two
/// votes, and the list is complete after six.
struct ChangingPairStrategy {
    in_rounds: bool,
}

impl Strategy for ChangingPairStrategy {
    fn requests(&self, votes: &ListVotes, _: &[(Item, Item)], _: u64) -> Vec<PairRequest> {
        let round = votes.len() / 2;
        let item = |number: usize| Item::from_index(number).expect("the item number is valid");
        let wanted = [(0, 1), (2, 3)].map(|(a, b)| PairRequest {
            a: item((a + round) % 4),
            b: item((b + round) % 4),
            votes: votes
                .get(item((a + round) % 4), item((b + round) % 4))
                .len()
                + 1,
        });
        if round < 3 {
            wanted.to_vec()
        } else {
            Vec::new()
        }
    }

    fn list(&self, votes: &ListVotes, _: u64) -> GroupedList {
        let each = (0..votes.items())
            .filter_map(Item::from_index)
            .map(|item| [item]);
        GroupedList::new(each).expect("a list")
    }

    fn asks_in_rounds(&self) -> bool {
        self.in_rounds
    }
}

#[test]
fn strategy_that_asks_in_rounds_waits_for_all_answers_of_a_round() {
    let people = assessors(0, 1, 0);
    for (in_rounds, most) in [(true, 6), (false, usize::MAX)] {
        let settings = CampaignSpec::new("c", lists(&[4]));
        let strategy = Box::new(ChangingPairStrategy { in_rounds });
        let mut run =
            CampaignRun::from_campaign(Campaign::with_strategy(settings, strategy).unwrap());
        for turn in 0.. {
            let open = run.request_open_pairs();
            let Some(pair) = open.first() else { break };
            // After one answer of a round, only the other pair of the round is open.
            assert!(!in_rounds || open.len() == 2 - turn % 2, "{open:?}");
            run.answer_by_next_assessor(&people, &pair.clone());
            assert!(turn < 100);
        }
        assert!(run.campaign.is_settled());
        assert!((6..=most).contains(&run.campaign.answer_count()));
    }
}

#[test]
fn forecast_votes_are_within_a_factor_of_two_of_actual_votes() {
    let settings = CampaignSpec::new("c", lists(&[10, 10, 10, 10]));
    let people = SimulatedAssessors {
        noise: 30,
        group: 2,
        world: "r".to_owned(),
    };
    let mut run = CampaignRun::new(settings);
    let before: f64 = run.campaign.expected_votes(20).iter().sum();
    let open = run.request_open_pairs();
    for pair in &open {
        for _ in 0..pair.votes {
            run.answer_by_next_assessor(&people, pair);
        }
    }
    let so_far = run.campaign.answer_count() as f64;
    let later: f64 = run.campaign.expected_votes(20).iter().sum();
    run.finish(&people);
    let total = run.campaign.answer_count() as f64;
    assert!((0.5..2.0).contains(&(before / total)), "{before} {total}");
    assert!(
        (0.5..2.0).contains(&(later / (total - so_far))),
        "{later} {}",
        total - so_far
    );
    assert!(
        run.campaign
            .expected_votes(20)
            .iter()
            .all(|&votes| votes == 0.0)
    );
    // Forecasts are not part of the state.
    assert_eq!(state(&run.campaign), state(&run.campaign));
}

#[test]
fn server_b13_expected_questions_share_the_work_and_move_with_it() {
    let mut settings = CampaignSpec::new("c", lists(&[8, 6]));
    settings.settings.votes = 3;
    let people = SimulatedAssessors {
        noise: 30,
        group: 2,
        world: "r".to_owned(),
    };
    let mut run = CampaignRun::new(settings);
    let forecast = run.campaign.work_forecast();
    assert_eq!((forecast.answers, forecast.seconds_per_answer), (0, None));
    let all = forecast.expected_answers;
    let expected = |run: &CampaignRun, answered, assessors| {
        (run.campaign).expected_questions(&forecast, answered, assessors)
    };
    // At least as many people as a pair has votes share the work.
    let share = |people: f64| (all / people).round() as usize;
    assert_eq!(expected(&run, 0, 1), share(3.0));
    assert_eq!(expected(&run, 0, 6), share(6.0));
    // An assessor who has done more than their share may have one more question.
    assert_eq!(expected(&run, 500, 6), 501);
    for pair in run.request_open_pairs() {
        for _ in 0..pair.votes {
            run.answer_by_next_assessor(&people, &pair);
        }
    }
    // Answers since the forecast are no longer to come.
    let left = (all - run.campaign.answer_count() as f64).ceil() as usize;
    assert!(left > 0);
    assert!(expected(&run, 0, 1) <= left && expected(&run, 0, 1) < share(3.0) + 1);
    run.finish(&people);
    let done = run.campaign.work_forecast();
    assert_eq!(done.expected_answers, 0.0);
    assert_eq!(run.campaign.expected_questions(&done, 7, 1), 7);
}

#[test]
fn use_b4_every_number_of_work_agrees_and_nothing_is_left_when_all_is_settled() {
    let people = SimulatedAssessors {
        noise: 20,
        group: 2,
        world: "b4".to_owned(),
    };
    for strategy in ["pooled", "sort-curtailed", "random"] {
        let settings = EngineSettings {
            strategy: strategy.parse().unwrap(),
            votes: 3,
            held_out: 0.2,
            ..EngineSettings::default()
        };
        let spec = CampaignSpec {
            settings,
            ..CampaignSpec::new("c", lists(&[7, 5]))
        };
        let mut run = CampaignRun::new(spec);
        let status = |run: &CampaignRun| run.campaign.status(4, &SequentialWork).unwrap();
        for _ in 0..6 {
            let now = status(&run);
            for list in &now.lists {
                assert_eq!(list.decided + list.open, list.pairs, "{strategy}");
                assert!(
                    list.expected_votes >= (list.wanted - list.votes) as f64,
                    "{strategy}"
                );
                assert_eq!(list.expected_votes == 0.0, list.open == 0, "{strategy}");
            }
            assert_eq!(
                now.votes,
                now.lists.iter().map(|list| list.votes).sum::<u64>()
            );
            let open = run.request_open_pairs();
            for pair in open.iter().take(3) {
                run.answer_by_next_assessor(&people, pair);
            }
        }
        assert!(
            status(&run).seconds_left(Some(3600.0)) > Some(0.0),
            "{strategy}"
        );
        assert_eq!(status(&run).seconds_left(None), None);
        run.finish(&people);
        let done = status(&run);
        assert!(done.settled, "{strategy}");
        assert_eq!(
            (done.expected_votes, done.seconds_left(Some(10.0))),
            (0.0, Some(0.0))
        );
        assert_eq!(done.seconds_left(None), Some(0.0));
        for list in &done.lists {
            assert_eq!((list.open, list.decided), (0, list.pairs), "{strategy}");
        }
    }
}

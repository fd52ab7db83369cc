//! Strategies with simulated assessors, and the model behind them.

use partita_core::{Item, Names, Preference};
use partita_judging::simulate::{
    AssessorModel, Contender, CostModel, ListUnderStudy, Oracle, RecordedAnswers, SimulatedList,
    StrategyVariant, compare_strategies, held_out_references, list_quality, measure_names, observe,
    run_strategy,
};
use partita_judging::{
    DavidsonModel, DecisionRule, ListVotes, PooledStrategy, Price, Relation, SortStrategy,
    StoppingRule, Strategy, StrategyName, StrategyOptions, Votes,
};
use partita_named::NamedEnum;
use proptest::prelude::*;

fn item(number: usize) -> Item {
    Item::from_index(number).expect("the item number is valid")
}

/// Oracle whose answers never err: items of lower level are better.
#[derive(Clone)]
struct UnanimousOracle(Vec<u8>);

impl Oracle for UnanimousOracle {
    fn items(&self) -> usize {
        self.0.len()
    }

    fn answer(&self, a: Item, b: Item, _: u32) -> Option<Preference> {
        Some(match self.0[a.index()].cmp(&self.0[b.index()]) {
            std::cmp::Ordering::Less => Preference::A,
            std::cmp::Ordering::Equal => Preference::Equal,
            std::cmp::Ordering::Greater => Preference::B,
        })
    }
}

fn model_with_lapses() -> AssessorModel {
    AssessorModel {
        lapse_rate: 0.3,
        ..AssessorModel::default()
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn curtailed_sort_produces_the_same_list(seed in 0u64..10_000, items in 2usize..20) {
        let list = SimulatedList::new(model_with_lapses(), items, seed);
        let full = run_strategy(&SortStrategy::default(), &list, seed, &[]);
        let curtailed = SortStrategy::new(10, DecisionRule::default(), StoppingRule::Curtailed);
        let saved = run_strategy(&curtailed, &list, seed, &[]);
        let [full, saved] = [full, saved].map(|mut checkpoints| checkpoints.pop().expect("the run has a last checkpoint"));
        prop_assert_eq!(&full.list, &saved.list);
        prop_assert!(saved.votes <= full.votes);
    }

    #[test]
    fn curtailed_decision_holds_for_every_completion_of_the_votes(a in 0u32..11, equal in 0u32..11, b in 0u32..11) {
        let votes = Votes { a, equal, b };
        prop_assume!(votes.len() < 10);
        let rule = DecisionRule::default();
        if let Some(relation) = StoppingRule::Curtailed.decide(votes, 10, rule) {
            for more in 0..=10 - votes.len() {
                let left = 10 - votes.len() - more;
                for (for_a, for_b) in [(more, left), (more, 0), (0, left)] {
                    let equal = equal + 10 - votes.len() - for_a - for_b;
                    let all = Votes { a: a + for_a, equal, b: b + for_b };
                    prop_assert_eq!(rule.decide(all), relation);
                }
            }
            // A certain outcome also satisfies predictive stopping with confidence 1.
            prop_assert_eq!(StoppingRule::Predictive(1.0).decide(votes, 10, rule), Some(relation));
        }
    }

    #[test]
    fn every_strategy_ends_with_every_item_in_exactly_one_group(seed in 0u64..1000, items in 1usize..16) {
        let list = SimulatedList::new(model_with_lapses(), items, seed);
        for strategy in strategies() {
            let end = run_strategy(strategy.as_ref(), &list, seed, &[]).pop().expect("the run has a last checkpoint");
            let mut all = end.list.items().to_vec();
            all.sort_unstable();
            prop_assert_eq!(all, (0..items).map(item).collect::<Vec<_>>());
        }
    }

    #[test]
    fn strategies_recover_the_order_of_unanimous_answers(levels in proptest::collection::vec(0u8..5, 2..14)) {
        let oracle = UnanimousOracle(levels.clone());
        for (name, strategy) in named_strategies() {
            let end = run_strategy(strategy.as_ref(), &oracle, 1, &[]).pop().expect("the run has a last checkpoint");
            let found: Vec<u8> = end.list.items().iter().map(|i| levels[i.index()]).collect();
            prop_assert!(name == StrategyName::Random || found.is_sorted(), "{name}: {found:?}");
        }
    }

    #[test]
    fn mirrored_votes_negate_the_fitted_worths(votes in proptest::collection::vec((0usize..6, 0usize..6, 0u8..3), 1..60)) {
        let (mut straight, mut mirrored) = (ListVotes::new(6), ListVotes::new(6));
        for (a, b, answer) in votes {
            if a != b {
                let answer = [Preference::A, Preference::Equal, Preference::B][answer as usize];
                straight.add(item(a), item(b), answer);
                mirrored.add(item(a), item(b), answer.mirrored());
            }
        }
        let [straight, mirrored] = [&straight, &mirrored].map(|votes| DavidsonModel::default().fit(votes));
        for i in 0..6 {
            prop_assert!((straight.worth(item(i)) + mirrored.worth(item(i))).abs() < 1e-5);
        }
        prop_assert!((straight.eta - mirrored.eta).abs() < 1e-5);
    }
}

fn strategies() -> impl Iterator<Item = Box<dyn Strategy>> {
    named_strategies().map(|(_, strategy)| strategy)
}

fn named_strategies() -> impl Iterator<Item = (StrategyName, Box<dyn Strategy>)> {
    let names = StrategyName::VARIANTS.iter();
    names.map(|name| (*name, name.build(&StrategyOptions::default())))
}

/// Worths of three items at the posterior mode, computed with SciPy, as are the tie parameter η and
/// the variance of the difference of the first two worths below.
const SCIPY_WORTHS: (f64, f64, f64) = (0.3626662, -0.2914311, -0.0712352);
const SCIPY_ETA: f64 = 0.6164789;
const SCIPY_VARIANCE: f64 = 0.1341381;

/// Compares the fit of three items with SciPy's minimiser of the same posterior.
#[test]
fn davidson_fit_matches_scipy_minimiser() {
    let mut votes = ListVotes::new(3);
    for (a, b, counts) in [(0, 1, [5, 3, 2]), (1, 2, [1, 6, 3]), (0, 2, [4, 4, 1])] {
        for (answer, count) in [Preference::A, Preference::Equal, Preference::B]
            .into_iter()
            .zip(counts)
        {
            (0..count).for_each(|_| votes.add(item(a), item(b), answer));
        }
    }
    let fit = DavidsonModel::with_scale(0.7).fit(&votes);
    let expected = [SCIPY_WORTHS.0, SCIPY_WORTHS.1, SCIPY_WORTHS.2];
    for (number, expected) in expected.into_iter().enumerate() {
        assert!((fit.worth(item(number)) - expected).abs() < 1e-6, "{fit:?}");
    }
    assert!((fit.eta - SCIPY_ETA).abs() < 1e-6, "{fit:?}");
    assert!(
        (fit.difference_variance(item(0), item(1)) - SCIPY_VARIANCE).abs() < 1e-5,
        "{fit:?}"
    );
    // The mean vote at the difference returned for 0.2 is 0.2.
    let by = fit.difference_for_mean_vote(0.2);
    let (plus, minus, tie) = (by.exp(), (-by).exp(), fit.eta.exp());
    assert!(((plus - minus) / (plus + minus + tie) - 0.2).abs() < 1e-12);
}

#[test]
fn pooled_strategy_needs_fewer_votes_than_the_sort() {
    let lists: Vec<ListUnderStudy<SimulatedList>> = (0..20)
        .map(|seed| {
            let oracle = SimulatedList::new(AssessorModel::default(), 18, seed);
            ListUnderStudy {
                references: vec![oracle.reference().clone()],
                oracle,
                seed,
            }
        })
        .collect();
    let contender = |name: &str, strategy: Box<dyn Strategy>, along: &[f64]| Contender {
        name: name.to_owned(),
        variants: vec![StrategyVariant {
            strategy,
            checkpoints: along.to_vec(),
        }],
        campaign_strategy: None,
    };
    let pooled = PooledStrategy {
        budget: 5.8,
        ..PooledStrategy::default()
    };
    let contenders = [
        contender("sort", Box::<SortStrategy>::default(), &[]),
        contender("pooled", Box::new(pooled), &[1.0, 2.0, 3.0, 4.0]),
    ];
    let observed: Vec<_> = (contenders.iter())
        .map(|contender| observe(&lists, contender))
        .collect();
    let spending = CostModel {
        price: Some(Price::URBANO_2010),
        votes: 10,
        seconds: 20.0,
    };
    let outcomes = compare_strategies(&contenders, &observed, 1, &spending, 50, 1);
    assert_eq!(outcomes[1].points.len(), 5);
    let needed = outcomes[1]
        .baseline_comparison
        .needed_mean
        .expect("the baseline quality is reached");
    assert!(needed.mean < 0.8, "{needed:?}");
    // The upper bound is NaN if some resamples never reach the quality of the baseline.
    let open = needed.upper.is_nan();
    assert!(needed.lower <= needed.mean && (open || needed.mean <= needed.upper));
    let votes: Vec<f64> = outcomes[1].points.iter().map(|p| p.votes.mean).collect();
    assert!(votes.is_sorted());
    assert_eq!(
        measure_names(1).len(),
        outcomes[0].points[0].quality.iter().len()
    );
}

#[test]
fn simulated_assessors_match_agreement_and_equal_share_of_archive() {
    let found = AssessorModel::default();
    let sorting = SortStrategy::default();
    let (mut agreement, mut pairs, mut equal, mut answers) = (0.0, 0.0, 0.0, 0.0);
    for seed in 500..530 {
        let list = SimulatedList::new(found, 12, seed);
        let mut votes = ListVotes::new(12);
        loop {
            let requests = sorting.requests(&votes, &[], seed);
            if requests.is_empty() {
                break;
            }
            for request in requests {
                for before in 0..request.votes {
                    let answer = list
                        .answer(request.a, request.b, before)
                        .expect("an answer");
                    votes.add(request.a, request.b, answer);
                }
            }
        }
        for (_, _, votes) in votes.pairs() {
            agreement += votes.agreement().expect("every pair has ten votes");
            pairs += 1.0;
            equal += f64::from(votes.equal);
            answers += f64::from(votes.len());
        }
    }
    assert!(
        (agreement / pairs - 0.664).abs() < 0.03,
        "{}",
        agreement / pairs
    );
    assert!(
        (equal / answers - 0.5f64).abs() < 0.05,
        "{}",
        equal / answers
    );
}

#[test]
fn held_out_reference_ignores_answers_within_the_list() {
    let mut names = Names::new();
    (0..12).for_each(|number| assert!(names.intern(&format!("{number:02}")).is_some()));
    let mut given = Vec::new();
    for b in 0..12 {
        for a in 0..b {
            // Answers about pairs of the items 0 to 3 are the opposite of all other answers.
            let answer = if b < 4 { Preference::B } else { Preference::A };
            given.extend([(item(a), item(b), answer); 10]);
        }
    }
    let recorded = RecordedAnswers::new(&names, given);
    let items = [0, 1, 2, 3];
    let [lines, any] = held_out_references(&recorded, &items, 0.2);
    // All four items beat all others, so held-out answers do not separate them.
    assert_eq!(
        (lines.groups.group_count(), any.groups.group_count()),
        (1, 1)
    );
    let list = recorded.list(&items, 10, 1);
    assert_eq!(list.answer(item(0), item(1), 0), Some(Preference::B));
    assert_eq!(list.answer(item(1), item(0), 9), Some(Preference::A));
    assert_eq!(list.answer(item(0), item(1), 10), None);
}

#[test]
fn list_quality_matches_hand_counted_pairs() {
    let groups = |groups: &[&[usize]]| {
        let groups = groups.iter().map(|group| group.iter().map(|&i| item(i)));
        partita_core::GroupedList::new(groups).expect("a list")
    };
    let reference = partita_judging::simulate::ReferenceList {
        worths: vec![4.0, 3.0, 2.0, 1.0],
        groups: groups(&[&[0, 1], &[2, 3]]),
    };
    // Item 1 before 0 is an inversion. Items 2 and 3 share a group, in the wrong order.
    let list = groups(&[&[1], &[0], &[3, 2]]);
    let unordered = list_quality(&list, false, &reference);
    assert_eq!(unordered.inversions, 1.5 / 6.0);
    assert_eq!(unordered.strict_inversions, 1.0 / 6.0);
    assert_eq!(list_quality(&list, true, &reference).inversions, 2.0 / 6.0);
    assert_eq!(unordered.relations, 5.0 / 6.0);
    assert_eq!(unordered.adr, 1.0);
    assert_eq!(Relation::Less.mirrored(), Relation::Greater);
}

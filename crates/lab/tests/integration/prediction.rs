//! Prediction of answers, and early stopping.

use partita_core::work::SequentialWork;
use partita_core::{Item, Preference, Preferences, Vote};
use partita_judging::simulate::{AssessorModel, Oracle, SimulatedList};
use partita_judging::{DecisionRule, StoppingRule};
use partita_lab::{PredictionError, PredictionOptions, predict, simulate_stopping};
use partita_stats::random::{shuffle, stream};

/// Returns lists of 12 items with ten simulated answers on every pair.
fn answers(lists: u64) -> Preferences {
    let mut preferences = Preferences::new();
    for list in 0..lists {
        let oracle = SimulatedList::new(AssessorModel::default(), 12, list);
        for b in 0..12 {
            for a in 0..b {
                let [x, y] =
                    [a, b].map(|item| Item::from_index(item).expect("the item number is valid"));
                for before in 0..10 {
                    let answer = oracle.answer(x, y, before).expect("an answer");
                    let names = [format!("q{list}"), a.to_string(), b.to_string()];
                    let who = format!("{list} {a} {b} {before}");
                    let given = Vote::new(&names[1], &names[2], &who, answer);
                    preferences
                        .add(&names[0], given)
                        .expect("the answer is new");
                }
            }
        }
    }
    preferences
}

#[test]
fn pooled_model_predicts_better_than_own_votes_of_the_pair() {
    let preferences = answers(4);
    let found = predict(&preferences, PredictionOptions::default(), &SequentialWork)
        .expect("held-out answers");
    assert_eq!((found.pairs, found.held_out), (4 * 66, 4 * 66 * 5));
    assert_eq!(found.points.len(), 5);
    for point in &found.points {
        assert!(point.pooled.direction < point.own.direction, "{point:?}");
        assert!(
            point.pooled.mean_square < point.own.mean_square,
            "{point:?}"
        );
    }
    for pair in found.points.windows(2) {
        assert!(pair[1].own.mean_square < pair[0].own.mean_square);
    }
    for (_, needed) in found.needed.iter() {
        let share = needed
            .share
            .expect("the pooled model reaches the error of own votes");
        assert!(share.mean < 1.0);
        assert!(
            (share.interval())
                .is_none_or(|(lower, upper)| { lower <= share.mean && share.mean <= upper })
        );
    }
    // The texts are compared, because an interval that does not exist is NaN.
    let again = predict(&preferences, PredictionOptions::default(), &SequentialWork);
    assert_eq!(format!("{again:?}"), format!("{:?}", Ok::<_, ()>(found)));
}

/// One vote of each pair predicts its other vote. The expected errors are computed by hand over
/// both orders of the two votes.
#[test]
fn prediction_errors_match_hand_computed_values() {
    let mut preferences = Preferences::new();
    let said = [
        ("x", "y", [Preference::A, Preference::B]),
        ("y", "z", [Preference::A, Preference::A]),
        ("x", "z", [Preference::A, Preference::A]),
    ];
    for (a, b, [one, two]) in said {
        preferences.add("q", Vote::new(a, b, "ann", one)).unwrap();
        preferences.add("q", Vote::new(a, b, "bob", two)).unwrap();
    }
    let settings = PredictionOptions {
        votes: 1,
        ..PredictionOptions::default()
    };
    let found = predict(&preferences, settings, &SequentialWork).expect("held-out answers");
    // One vote predicts a mean of 1/4. The first pair is predicted wrongly in either order, with a
    // squared error of (5/4)², the others correctly, with (3/4)².
    let own = found.points[0].own;
    assert!((own.direction - 1.0 / 3.0).abs() < 1e-12);
    assert!((own.mean_square - (25.0 + 9.0 + 9.0) / 48.0).abs() < 1e-12);
    // A bootstrap over a single list has no interval.
    let share = found
        .needed
        .get("direction")
        .and_then(|needed| needed.share)
        .expect("the share is defined");
    assert!(share.lower.is_nan() && share.upper.is_nan());
}

#[test]
fn pairs_without_held_out_answers_are_an_error() {
    let mut preferences = Preferences::new();
    preferences
        .add("q", Vote::new("x", "y", "ann", Preference::A))
        .unwrap();
    let settings = PredictionOptions {
        votes: 1,
        ..PredictionOptions::default()
    };
    let nothing = predict(&preferences, settings, &SequentialWork).expect_err("nothing to predict");
    assert_eq!(
        nothing,
        PredictionError::NothingHeldOut { votes: 1, most: 1 }
    );
    let nothing =
        predict(&Preferences::new(), settings, &SequentialWork).expect_err("there are no answers");
    assert_eq!(
        nothing,
        PredictionError::NothingHeldOut { votes: 1, most: 0 }
    );
}

#[test]
fn curtailment_keeps_all_decisions_and_lower_confidence_uses_fewer_votes() {
    let preferences = answers(2);
    let by = |stop| simulate_stopping(&preferences, DecisionRule::default(), stop, 5, 1);
    let full = by(StoppingRule::AllVotes);
    assert_eq!((full.votes, full.kept, full.reversed), (1.0, 1.0, 0.0));
    let curtailed = by(StoppingRule::Curtailed);
    assert_eq!((curtailed.kept, curtailed.reversed), (1.0, 0.0));
    assert!(curtailed.votes < 1.0);
    // A confidence of 1 is the same as curtailment.
    assert_eq!(by(StoppingRule::Predictive(1.0)), curtailed);
    let mut votes = curtailed.votes;
    for confidence in [0.95, 0.9, 0.8] {
        let found = by(StoppingRule::Predictive(confidence));
        assert!(found.votes < votes && found.kept >= confidence - 0.1);
        votes = found.votes;
    }
}

#[test]
fn curtailment_stops_after_seven_of_ten_unanimous_votes() {
    let mut preferences = Preferences::new();
    for who in 0..10 {
        let who = who.to_string();
        let given = Vote::new("x", "y", &who, Preference::A);
        preferences.add("q", given).expect("the answer is new");
    }
    let found = simulate_stopping(
        &preferences,
        DecisionRule::default(),
        StoppingRule::Curtailed,
        1,
        1,
    );
    // Six votes to four are not significant, seven to three are.
    assert_eq!((found.votes, found.kept), (0.7, 1.0));
}

#[test]
fn predictions_are_independent_of_row_order() {
    let mut rows = Vec::new();
    for query in ["q1", "q2"] {
        for (a, b) in [("u", "v"), ("w", "u"), ("v", "w"), ("x", "u")] {
            for who in 0..6 {
                let answer = Preference::ALL[(who * who + a.len() + usize::from(a < b)) % 3];
                rows.push((query, a, b, format!("person{who}"), answer));
            }
        }
    }
    let given = |seed: Option<u64>| {
        let mut rows = rows.clone();
        if let Some(seed) = seed {
            shuffle(&mut stream(seed, &[7]), &mut rows);
        }
        let mut preferences = Preferences::new();
        for (query, a, b, who, answer) in &rows {
            let given = Vote::new(a, b, who, *answer);
            preferences.add(query, given).expect("the answer is new");
        }
        preferences
    };
    let settings = PredictionOptions {
        votes: 2,
        splits: 3,
        resamples: 20,
        seed: 4,
    };
    let found = |seed: Option<u64>| {
        let preferences = given(seed);
        let predicted = predict(&preferences, settings, &SequentialWork).expect("held-out answers");
        let stopped = simulate_stopping(
            &preferences,
            DecisionRule::default(),
            StoppingRule::Curtailed,
            3,
            9,
        );
        format!("{predicted:?} {stopped:?}")
    };
    for seed in 0..4 {
        assert_eq!(found(Some(seed)), found(None));
    }
}

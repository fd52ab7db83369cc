//! Predicting answers, and stopping early.

use partita_core::work::SequentialWork;
use partita_core::{Item, Preference, Preferences, Vote};
use partita_judging::simulate::{AssessorModel, Oracle, SimulatedList};
use partita_judging::{DecisionRule, StoppingRule};
use partita_lab::{PredictionError, PredictionOptions, predict, simulate_stopping};
use partita_stats::random::{shuffle, stream};

/// Lists of 12 items, every pair with ten answers of simulated people.
fn answers(lists: u64) -> Preferences {
    let mut preferences = Preferences::new();
    for list in 0..lists {
        let oracle = SimulatedList::new(AssessorModel::default(), 12, list);
        for b in 0..12 {
            for a in 0..b {
                let [x, y] = [a, b].map(|item| Item::from_index(item).expect("an item"));
                for before in 0..10 {
                    let answer = oracle.answer(x, y, before).expect("an answer");
                    let names = [format!("q{list}"), a.to_string(), b.to_string()];
                    let who = format!("{list} {a} {b} {before}");
                    let given = Vote::new(&names[1], &names[2], &who, answer);
                    preferences.add(&names[0], given).expect("a new answer");
                }
            }
        }
    }
    preferences
}

#[test]
fn pooled_votes_predict_better_than_as_many_of_the_pairs_own() {
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
        let share = needed.share.expect("as good with fewer votes");
        assert!(share.mean < 1.0 && share.lower <= share.mean && share.mean <= share.upper);
    }
    assert_eq!(
        predict(&preferences, PredictionOptions::default(), &SequentialWork),
        Ok(found)
    );
}

/// The own errors of one vote against one other, counted by hand over both orders.
#[test]
fn the_errors_are_those_counted_by_hand() {
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
    // One vote lets expect a mean of 1/4: the first pair is predicted wrongly in either order, by a
    // square of (5/4)², the others rightly, by (3/4)².
    let own = found.points[0].own;
    assert!((own.direction - 1.0 / 3.0).abs() < 1e-12);
    assert!((own.mean_square - (25.0 + 9.0 + 9.0) / 48.0).abs() < 1e-12);
    // One list drawn again tells nothing of others.
    let share = found
        .needed
        .get("direction")
        .and_then(|needed| needed.share)
        .expect("a share");
    assert!(share.lower.is_nan() && share.upper.is_nan());
}

#[test]
fn pairs_with_one_answer_leave_nothing_to_predict() {
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
        predict(&Preferences::new(), settings, &SequentialWork).expect_err("nothing at all");
    assert_eq!(
        nothing,
        PredictionError::NothingHeldOut { votes: 1, most: 0 }
    );
}

#[test]
fn curtailment_keeps_every_decision_and_less_confidence_asks_fewer_votes() {
    let preferences = answers(2);
    let by = |stop| simulate_stopping(&preferences, DecisionRule::default(), stop, 5, 1);
    let full = by(StoppingRule::AllVotes);
    assert_eq!((full.votes, full.kept, full.reversed), (1.0, 1.0, 0.0));
    let curtailed = by(StoppingRule::Curtailed);
    assert_eq!((curtailed.kept, curtailed.reversed), (1.0, 0.0));
    assert!(curtailed.votes < 1.0);
    // Certain is as good as curtailed.
    assert_eq!(by(StoppingRule::Predictive(1.0)), curtailed);
    let mut votes = curtailed.votes;
    for confidence in [0.95, 0.9, 0.8] {
        let found = by(StoppingRule::Predictive(confidence));
        assert!(found.votes < votes && found.kept >= confidence - 0.1);
        votes = found.votes;
    }
}

#[test]
fn of_ten_who_agree_seven_need_to_be_asked() {
    let mut preferences = Preferences::new();
    for who in 0..10 {
        let who = who.to_string();
        let given = Vote::new("x", "y", &who, Preference::A);
        preferences.add("q", given).expect("a new answer");
    }
    let found = simulate_stopping(
        &preferences,
        DecisionRule::default(),
        StoppingRule::Curtailed,
        1,
        1,
    );
    // Six to four would not do, and seven to three do.
    assert_eq!((found.votes, found.kept), (0.7, 1.0));
}

#[test]
fn the_order_of_rows_changes_nothing() {
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
            preferences.add(query, given).expect("a new answer");
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

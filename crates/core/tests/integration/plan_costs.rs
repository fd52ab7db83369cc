//! Costs and coefficients.

use partita_core::plan::*;

#[test]
fn costs_that_are_none_are_refused() {
    for (judgment, count, query) in [
        (-1.0, 1.0, 0.0),
        (f64::NAN, 1.0, 0.0),
        (1.0, f64::INFINITY, 0.0),
        (0.0, 5.0, 0.0),
        (5.0, 0.0, 0.0),
    ] {
        assert!(JudgingCosts::new(judgment, count, query).is_err());
    }
}

#[test]
fn rounding_takes_no_query_away() {
    // 0.1 three times is a little more than 0.3.
    let costs = JudgingCosts::new(0.1, 1.0, 0.0).unwrap();
    assert_eq!(costs.affordable(0.3, 1).queries, 3);
    assert_eq!(costs.affordable(0.3, 3).queries, 1);
    assert_eq!(costs.affordable(0.05, 1).queries, 0);
}

const SPREAD: VarianceDecomposition = VarianceDecomposition {
    system: 0.03,
    per_query: 0.2,
    per_judge: 0.01,
    per_cell: 0.3,
};

#[test]
fn what_is_needed_suffices_and_one_less_does_not() {
    for wanted in [0.5, 0.7, 0.8] {
        for judges in [1.0, 2.0, 5.0, 20.0] {
            let queries = SPREAD.queries_for(wanted, judges);
            if queries.is_finite() {
                assert!(SPREAD.coefficient(queries, judges) >= wanted - 1e-9);
                assert!(SPREAD.coefficient(queries - 1.0, judges) < wanted);
            } else {
                assert!(SPREAD.coefficient(1e9, judges) < wanted);
            }
        }
    }
    let judges = SPREAD.assessors_for(0.8, 60.0);
    assert!(SPREAD.coefficient(60.0, judges) >= 0.8);
    assert!(SPREAD.coefficient(60.0, judges - 1.0) < 0.8);
    assert_eq!(SPREAD.assessors_for(0.8, 10.0), f64::INFINITY);
}

#[test]
fn systems_that_do_not_differ_have_no_coefficient() {
    let same = VarianceDecomposition {
        system: 0.0,
        ..SPREAD
    };
    assert_eq!(same.coefficient(50.0, 2.0), 0.0);
    assert_eq!(same.queries_for(0.5, 2.0), f64::INFINITY);
}

//! Judging costs, and coefficients of given variances.

use partita_core::plan::*;

#[test]
fn invalid_costs_are_rejected() {
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
fn rounding_error_drops_no_query() {
    // Three times 0.1 is a little more than 0.3 in a double.
    let costs = JudgingCosts::new(0.1, 1.0, 0.0).unwrap();
    assert_eq!(costs.affordable(0.3, 1).queries, 3);
    assert_eq!(costs.affordable(0.3, 3).queries, 1);
    assert_eq!(costs.affordable(0.05, 1).queries, 0);
}

const VARIANCES: VarianceDecomposition = VarianceDecomposition {
    system: 0.03,
    per_query: 0.2,
    per_judge: 0.01,
    per_cell: 0.3,
};

#[test]
fn needed_numbers_of_queries_and_assessors_are_the_smallest_that_suffice() {
    for wanted in [0.5, 0.7, 0.8] {
        for judges in [1.0, 2.0, 5.0, 20.0] {
            let queries = VARIANCES.queries_for(wanted, judges);
            if queries.is_finite() {
                assert!(VARIANCES.coefficient(queries, judges) >= wanted - 1e-9);
                assert!(VARIANCES.coefficient(queries - 1.0, judges) < wanted);
            } else {
                assert!(VARIANCES.coefficient(1e9, judges) < wanted);
            }
        }
    }
    let judges = VARIANCES.assessors_for(0.8, 60.0);
    assert!(VARIANCES.coefficient(60.0, judges) >= 0.8);
    assert!(VARIANCES.coefficient(60.0, judges - 1.0) < 0.8);
    assert_eq!(VARIANCES.assessors_for(0.8, 10.0), f64::INFINITY);
}

#[test]
fn equal_systems_have_a_coefficient_of_zero() {
    let same = VarianceDecomposition {
        system: 0.0,
        ..VARIANCES
    };
    assert_eq!(same.coefficient(50.0, 2.0), 0.0);
    assert_eq!(same.queries_for(0.5, 2.0), f64::INFINITY);
}

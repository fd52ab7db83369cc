//! Tests of adjusting p-values for the number of tests.

use partita_named::NamedEnum;
use partita_stats::adjustment::*;
use proptest::prelude::*;

#[test]
fn benjamini_hochberg_rejects_four_in_the_example_of_1995() {
    // Benjamini and Hochberg (1995), their example: fifteen p-values, of
    // which Bonferroni rejects three and their procedure four at 0.05.
    let p = [
        0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262,
        0.5719, 0.6528, 0.7590, 1.0,
    ];
    let rejected = |adjustment| {
        let adjusted = adjust(&p, adjustment).unwrap();
        adjusted.iter().filter(|p| **p < 0.05).count()
    };
    assert_eq!(rejected(Adjustment::Bonferroni), 3);
    assert_eq!(rejected(Adjustment::Hochberg), 3);
    assert_eq!(rejected(Adjustment::BenjaminiHochberg), 4);
}

#[test]
fn empty_input_is_accepted_and_invalid_p_values_are_refused() {
    for &adjustment in Adjustment::VARIANTS {
        assert_eq!(adjust(&[], adjustment).unwrap(), [0.0; 0]);
        assert_eq!(adjust(&[0.2], adjustment).unwrap(), [0.2]);
        assert!(adjust(&[0.2, 1.1], adjustment).is_err());
        assert!(adjust(&[0.2, f64::NAN], adjustment).is_err());
    }
}

proptest! {
    #[test]
    fn adjustment_keeps_the_order_and_never_lowers_a_p_value(
        p in proptest::collection::vec(0.0..=1.0f64, 1..30),
    ) {
        for &adjustment in Adjustment::VARIANTS {
            let adjusted = adjust(&p, adjustment).unwrap();
            for (i, (&raw, &value)) in p.iter().zip(&adjusted).enumerate() {
                prop_assert!(raw <= value + 1e-15 && value <= 1.0);
                for (other, &other_value) in p.iter().zip(&adjusted).skip(i + 1) {
                    if raw < *other {
                        prop_assert!(value <= other_value);
                    } else if raw == *other {
                        prop_assert_eq!(value, other_value);
                    }
                }
            }
        }
    }

    #[test]
    fn bonferroni_holm_hochberg_and_bh_increase_in_power(
        p in proptest::collection::vec(0.0..=1.0f64, 1..30),
    ) {
        let by = |adjustment| adjust(&p, adjustment).unwrap();
        let (bonferroni, holm) = (by(Adjustment::Bonferroni), by(Adjustment::Holm));
        let hochberg = by(Adjustment::Hochberg);
        let bh = by(Adjustment::BenjaminiHochberg);
        for i in 0..p.len() {
            prop_assert!(bonferroni[i] >= holm[i] - 1e-15);
            prop_assert!(holm[i] >= hochberg[i] - 1e-15);
            prop_assert!(hochberg[i] >= bh[i] - 1e-15);
        }
    }
}

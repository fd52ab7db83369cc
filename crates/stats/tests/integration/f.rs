//! Tests of the F distribution.

use partita_stats::distribution::f::*;
use proptest::prelude::*;

#[test]
fn quantiles_match_scipy() {
    // (p, df1, df2, x): scipy.stats.f.ppf of SciPy 1.17.
    for (p, df1, df2, expected) in QUANTILES {
        let error = (quantile(p, df1, df2).unwrap() / expected - 1.0).abs();
        assert!(
            error < 1e-11,
            "quantile({p}, {df1}, {df2}) is off by {error:e}"
        );
    }
}

#[test]
fn f_with_infinite_df2_is_chi_squared_divided_by_df1() {
    // (p, df, x): scipy.stats.chi2.ppf of SciPy 1.17.
    for (p, df, expected) in CHI_SQUARED_QUANTILES {
        let found = df * quantile(p, df, f64::INFINITY).unwrap();
        assert!((found / expected - 1.0).abs() < 1e-12, "{found} {expected}");
    }
}

#[test]
fn invalid_arguments_are_refused() {
    assert!(sf(f64::NAN, 1.0, 1.0).is_err());
    assert!(sf(1.0, 0.0, 1.0).is_err());
    assert!(sf(1.0, 1.0, f64::NAN).is_err());
    assert!(sf(1.0, f64::INFINITY, 1.0).is_err());
    assert!(quantile(1.0, 1.0, 1.0).is_err());
    assert_eq!(sf(-1.0, 3.0, 4.0).unwrap(), 1.0);
    assert_eq!(cdf(f64::INFINITY, 3.0, 4.0).unwrap(), 1.0);
}

proptest! {
    #[test]
    fn upper_tail_of_f_is_lower_tail_of_its_reciprocal(
        x in 0.01..50.0f64, df1 in 0.5..200.0f64, df2 in 0.5..200.0f64,
    ) {
        let other = cdf(1.0 / x, df2, df1).unwrap();
        prop_assert!((sf(x, df1, df2).unwrap() - other).abs() < 1e-13);
    }

    #[test]
    fn cdf_inverts_the_quantile(
        p in 0.001..0.999f64, df1 in 0.5..200.0f64, df2 in 0.5..200.0f64,
    ) {
        let x = quantile(p, df1, df2).unwrap();
        prop_assert!((cdf(x, df1, df2).unwrap() - p).abs() < 1e-12);
    }
}

const QUANTILES: [(f64, f64, f64, f64); 8] = [
    (0.95, 9.0, 441.0, 1.9011139644114234),
    (0.025, 9.0, 441.0, 0.2985928461367963),
    (0.975, 4.0, 18.0, 3.6083435718954346),
    (0.5, 3.0, 7.0, 0.870944253187285),
    (0.01, 128.0, 6272.0, 0.7304796708696488),
    (0.999, 1.0, 2.0, 998.5002501250617),
    (0.025, 1.0, 1.0, 0.001543712508674131),
    (0.975, 17.0, 1e9, 1.7759417265268094),
];
const CHI_SQUARED_QUANTILES: [(f64, f64, f64); 4] = [
    (0.025, 9.0, 2.7003894999803584),
    (0.975, 9.0, 19.02276779864163),
    (0.95, 1.0, 3.841458820694124),
    (0.5, 128.0, 127.33395414332766),
];

#[test]
fn f_with_1_and_10_df_is_the_square_of_student_t() -> Result<(), Box<dyn std::error::Error>> {
    let t = partita_stats::distribution::student_t::quantile(0.975, 10.0)?;
    let f = partita_stats::distribution::f::quantile(0.95, 1.0, 10.0)?;
    assert!((f / (t * t) - 1.0).abs() < 1e-12);
    Ok(())
}

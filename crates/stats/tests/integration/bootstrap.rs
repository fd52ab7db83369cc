//! Tests of bootstrap intervals.

use partita_stats::bootstrap::*;
use partita_stats::random::{standard_normal, stream};
use partita_stats::t_test;
use proptest::prelude::*;

#[test]
fn interval_of_a_fixed_stream_has_pinned_limits() {
    let sample = [1.0, 4.0, 2.0, 8.0, 5.0, 7.0];
    let run =
        |method| mean_confidence_interval(&sample, method, 0.9, 1000, &mut stream(5, &[])).unwrap();
    let percentile = run(IntervalMethod::Percentile);
    assert_eq!(percentile, run(IntervalMethod::Percentile));
    assert_eq!(
        (percentile.lower, percentile.upper),
        (3.0, 6.166_666_666_666_667)
    );
}

#[test]
fn intervals_of_a_large_normal_sample_are_near_the_normal_interval() {
    let mut rng = stream(11, &[]);
    let sample: Vec<f64> = (0..400).map(|_| standard_normal(&mut rng)).collect();
    let test = t_test::one_sample(&sample).unwrap();
    let (mean, half) = (test.mean_difference, 1.96 * test.standard_error);
    for method in [IntervalMethod::Percentile, IntervalMethod::Bca] {
        let found = mean_confidence_interval(&sample, method, 0.95, 4000, &mut rng).unwrap();
        assert!((found.lower - (mean - half)).abs() < 0.012);
        assert!((found.upper - (mean + half)).abs() < 0.012);
    }
}

#[test]
fn bca_shifts_the_interval_of_a_skewed_sample_to_the_long_tail() {
    let skewed = [0.1, 0.2, 0.2, 0.3, 0.3, 0.4, 0.5, 0.7, 1.5, 4.0];
    let run = |method| {
        mean_confidence_interval(&skewed, method, 0.95, 4000, &mut stream(3, &[])).unwrap()
    };
    let (percentile, bca) = (run(IntervalMethod::Percentile), run(IntervalMethod::Bca));
    assert!(bca.lower > percentile.lower && bca.upper > percentile.upper);
}

#[test]
fn interval_of_a_constant_sample_has_zero_width() {
    for method in [IntervalMethod::Percentile, IntervalMethod::Bca] {
        let found =
            mean_confidence_interval(&[0.3; 5], method, 0.95, 99, &mut stream(1, &[])).unwrap();
        assert!(found.upper - found.lower < 1e-15 && (found.lower - 0.3).abs() < 1e-15);
    }
}

#[test]
fn invalid_arguments_are_refused() {
    let rng = &mut stream(1, &[]);
    assert!(mean_confidence_interval(&[1.0], IntervalMethod::Bca, 0.9, 9, rng).is_err());
    assert!(mean_confidence_interval(&[1.0, f64::NAN], IntervalMethod::Bca, 0.9, 9, rng).is_err());
    assert!(mean_confidence_interval(&[1.0, 2.0], IntervalMethod::Bca, 1.0, 9, rng).is_err());
    assert!(mean_confidence_interval(&[1.0, 2.0], IntervalMethod::Bca, 0.9, 0, rng).is_err());
    assert!(confidence_interval(&[1, 2], |_| f64::NAN, IntervalMethod::Bca, 0.9, 9, rng).is_err());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]
    #[test]
    fn interval_limits_are_ordered_and_within_the_range_of_the_sample(
        sample in proptest::collection::vec(-5.0..5.0f64, 2..12),
        seed: u64,
    ) {
        let low = sample.iter().copied().fold(f64::INFINITY, f64::min);
        let high = sample.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        for method in [IntervalMethod::Percentile, IntervalMethod::Bca] {
            let found = mean_confidence_interval(&sample, method, 0.9, 60, &mut stream(seed, &[])).unwrap();
            prop_assert!(low - 1e-12 <= found.lower);
            prop_assert!(found.lower <= found.upper);
            prop_assert!(found.upper <= high + 1e-12);
        }
    }
}

#[test]
fn interval_of_a_mean_contains_the_sample_mean() -> Result<(), Box<dyn std::error::Error>> {
    use partita_stats::bootstrap::{IntervalMethod, mean_confidence_interval};
    use partita_stats::random::stream;

    let scores = [0.2, 0.5, 0.9, 0.4, 0.7];
    let interval = mean_confidence_interval(
        &scores,
        IntervalMethod::Percentile,
        0.95,
        999,
        &mut stream(1, &[]),
    )?;
    assert!(interval.lower <= 0.54 && 0.54 <= interval.upper);
    Ok(())
}

#[test]
fn coverage_of_bca_intervals_of_a_skewed_mean_is_near_nominal() {
    use partita_stats::random::uniform;

    // Short version of `examples/interval_coverage`: a query's score is the cube of a uniform
    // number, so the true mean is 1/4.
    let covering = (0..400).filter(|&trial| {
        let mut random = stream(1, &[trial]);
        let scores: Vec<f64> = (0..25).map(|_| uniform(&mut random).powi(3)).collect();
        let drawn = &mut stream(2, &[trial]);
        let interval =
            mean_confidence_interval(&scores, IntervalMethod::Bca, 0.95, 400, drawn).unwrap();
        (interval.lower..=interval.upper).contains(&0.25)
    });
    // The bounds are coverages of 91% and 98.5%; the nominal one is 95%.
    let covering = covering.count();
    assert!((365..=394).contains(&covering), "{covering} of 400");
}

#[test]
fn numbers_w3_intervals_hold_their_estimate_and_have_limits_only_with_a_width() {
    // The maximum of a sample is the end of its replicates, so the shift of BCa is large.
    let largest = |units: &[f64]| units.iter().copied().fold(f64::MIN, f64::max);
    for seed in 0..40 {
        let mut rng = stream(seed, &[9]);
        let sample: Vec<f64> = (0..6).map(|_| standard_normal(&mut rng)).collect();
        for method in [IntervalMethod::Bca, IntervalMethod::Percentile] {
            let found = confidence_interval(&sample, largest, method, 0.5, 200, &mut rng);
            let found = found.expect("an interval");
            assert!(
                found.lower <= found.estimate && found.estimate <= found.upper,
                "{found:?}"
            );
        }
    }
    let constant = mean_confidence_interval(
        &[0.25; 7],
        IntervalMethod::Bca,
        0.95,
        100,
        &mut stream(1, &[]),
    );
    assert_eq!(constant.expect("an interval").limits(), None);
}

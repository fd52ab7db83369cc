//! Unit tests: every batched test must agree with the unbatched test that `compare` runs, on each
//! sample of queries.

use partita_stats::random::{stream, uniform_index};
use partita_stats::randomization;
use proptest::prelude::*;

use super::*;
use crate::Strata;
use crate::reliability::query_sampler::QuerySampler;
use crate::significance::test_spec::TestSpec;
use crate::work::SequentialWork;
use partita_stats::adjustment::Adjustment;

/// Runs the unbatched test on one sample of queries. Returns, for every pair of systems, 1 or -1
/// for the direction of a significant difference, else 0. Returns `None` if the batched test draws
/// other random numbers, so that the two cannot be compared.
fn reference_signs(
    test: &TestSpec,
    reference: &dyn PairTest,
    batch: &SampleBatch,
    lane: usize,
) -> Option<Vec<i16>> {
    if test.name() == "permutation" && batch.size() > 10 {
        return None;
    }
    let evidence = reference.p_values(batch, lane).into_iter();
    let verdicts = evidence.map(|found| SystemPairVerdict::new(found.lead, found.p < test.alpha()));
    Some(verdicts.map(SystemPairVerdict::sign).collect())
}

/// Generates random scores in steps of 0.013, which doubles cannot represent exactly, with at most
/// `values` distinct values per system.
fn random_scores(queries: usize, systems: usize, values: usize, seed: u64) -> ScoreMatrix {
    let mut random = stream(seed, &[]);
    let score = |_| {
        // Later systems are better; otherwise no pair would be significant.
        |random: &mut _, system: usize| 0.013 * (uniform_index(random, values) + system) as f64
    };
    let mut cells = Vec::new();
    for cell in 0..queries * systems {
        cells.push(score(cell)(&mut random, cell % systems));
    }
    let queries = (0..queries).map(|query| format!("q{query}"));
    let systems = (0..systems).map(|system| format!("s{system}"));
    ScoreMatrix::new("AP", systems, queries, cells).unwrap()
}

/// Checks batched against unbatched tests, two-tailed and one-tailed, on samples of `size` queries.
fn assert_agreement(scores: &ScoreMatrix, tests: &[&str], size: usize) {
    let queries = scores.queries().len();
    let draw = QuerySampler::new(&Strata::one_stratum(queries), 5);
    let (first, second) = SampleBatch::draw(&draw, size, 0..7);
    let systems = scores.systems().len();
    let calls = tests.iter().flat_map(|test| {
        let test: TestSpec = test.parse().unwrap();
        let one_tailed = test.with_tails(Tails::One).unwrap();
        [Some(test), test.has_tails().then_some(one_tailed)]
    });
    for test in calls.flatten() {
        let prepared = test.prepare(scores, 5);
        let setting = TestParameters {
            alpha: test.alpha(),
            tails: test.tails(),
            seed: 5,
        };
        let reference = per_sample::prepare(test.system_test, scores, setting);
        let mut verdicts = BatchVerdicts::new(systems * (systems - 1) / 2);
        for batch in [Some(&first), second.as_ref()].into_iter().flatten() {
            prepared.decide(batch, &mut verdicts);
            for (lane, sample) in batch.samples().enumerate() {
                let evidence = prepared.p_values(batch, lane);
                let expected = reference_signs(&test, reference.as_ref(), batch, lane);
                for (number, pair) in pairs(systems).enumerate() {
                    let found = verdicts.get(number, lane);
                    if let Some(expected) = &expected {
                        let case = format!("{test:?} {size} {pair:?} {sample:?}");
                        assert_eq!(found.sign(), expected[number], "{case}");
                    }
                    let SystemPairPValue { p, lead } = evidence[number];
                    assert_eq!(
                        found,
                        SystemPairVerdict::new(lead, p < test.alpha()),
                        "{test:?}"
                    );
                }
            }
        }
    }
}

const ALL_TESTS: [&str; 14] = [
    "friedman-tukey",
    "friedman-tukey:0.3",
    "wilcoxon:0.01",
    "wilcoxon:0.2",
    "wilcoxon-normal:0.01",
    "wilcoxon-normal:0.2",
    "wilcoxon-exact:0.01",
    "wilcoxon-exact:0.05",
    "wilcoxon-exact:0.3",
    "t",
    "t:0.4",
    "sign",
    "sign:0.3",
    "permutation:0.1",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn batched_tests_decide_every_sample_like_the_unbatched_tests(
        queries in 4..40usize,
        systems in 2..7usize,
        values in 1..60usize,
        share in 0.0..1.0f64,
        seed: u64,
    ) {
        let size = 1 + (share * (queries - 1) as f64) as usize;
        assert_agreement(&random_scores(queries, systems, values, seed), &ALL_TESTS, size);
    }
}

#[test]
fn rank_sums_too_large_for_narrow_counters_use_wider_ones() {
    // Ties of more than 40 values, or more than 255 queries, need 32-bit counters; ties of 1700
    // values need 64 bits.
    for (queries, values, size) in [(120, 2, 90), (300, 1000, 290), (3500, 2, 3450)] {
        let tests = ["wilcoxon", "wilcoxon-normal:0.2", "t", "sign"];
        assert_agreement(&random_scores(queries, 3, values, 3), &tests, size);
    }
}

#[test]
fn batched_and_unbatched_tests_agree_on_samples_of_ties_only() {
    // The first two systems are identical on all queries, all three on the first 20.
    let cells = (0..90).map(|cell| f64::from(u8::from(cell >= 60 && cell % 3 == 2)));
    let queries = (0..30).map(|query| format!("q{query}"));
    let scores = ScoreMatrix::new("P", ["a", "b", "c"], queries, cells.collect()).unwrap();
    for size in [1, 5, 10, 25] {
        assert_agreement(&scores, &ALL_TESTS, size);
    }
}

#[test]
fn batched_and_unbatched_tests_agree_on_constant_differences() {
    let cells: Vec<f64> = (0..20)
        .flat_map(|query| [0.1 * f64::from(query), 0.1 * f64::from(query) + 0.1])
        .collect();
    let queries = (0..20).map(|query| format!("q{query}"));
    let scores = ScoreMatrix::new("P", ["a", "b"], queries, cells).unwrap();
    assert_agreement(&scores, &ALL_TESTS, 10);
}

#[test]
fn corrected_verdicts_follow_from_adjusted_p_values() {
    let scores = random_scores(30, 5, 12, 9);
    let draw = QuerySampler::new(&Strata::one_stratum(30), 5);
    let (batch, _) = SampleBatch::draw(&draw, 12, 0..5);
    for name in ["t", "wilcoxon", "sign", "permutation"] {
        let raw: TestSpec = format!("{name}:0.05").parse().unwrap();
        let holm: TestSpec = format!("{name}:0.05:holm").parse().unwrap();
        assert_eq!(holm.correction(), Some("holm"));
        let (raw, prepared) = (raw.prepare(&scores, 1), holm.prepare(&scores, 1));
        let mut verdicts = BatchVerdicts::new(10);
        prepared.decide(&batch, &mut verdicts);
        for lane in 0..batch.len() {
            let p: Vec<f64> = raw.p_values(&batch, lane).iter().map(|e| e.p).collect();
            let adjusted = partita_stats::adjustment::adjust(&p, Adjustment::Holm).unwrap();
            for (pair, p) in adjusted.into_iter().enumerate() {
                assert_eq!(verdicts.get(pair, lane).is_significant(), p < 0.05);
            }
        }
    }
}

#[test]
fn p_values_from_random_patterns_approximate_the_exact_ones() {
    let scores = random_scores(18, 3, 20, 4);
    let test: TestSpec = "permutation".parse().unwrap();
    let prepared = test.prepare(&scores, 2);
    let evidence = prepared.p_values(&SampleBatch::full_set(18), 0);
    for (pair, evidence) in differences(&scores).iter().zip(evidence) {
        let exact = randomization::randomization_test(pair, 1, &mut stream(1, &[])).unwrap();
        // Tolerance: four standard errors of a p-value from 999 random patterns.
        let error = 4.0 * (exact.p.two_sided * (1.0 - exact.p.two_sided) / 999.0).sqrt() + 0.002;
        assert!((evidence.p - exact.p.two_sided).abs() < error);
    }
}

#[test]
fn a_test_without_a_batched_form_runs_sample_by_sample() {
    let scores = random_scores(12, 3, 9, 7);
    let (batch, _) = SampleBatch::draw(&QuerySampler::new(&Strata::one_stratum(12), 5), 8, 0..2);
    for name in ["bootstrap", "randomised-tukey"] {
        let test: TestSpec = name.parse().unwrap();
        let prepared = test.prepare(&scores, 5);
        let mut verdicts = BatchVerdicts::new(3);
        prepared.decide(&batch, &mut verdicts);
        let sample: Vec<usize> = batch.sample(0).iter().map(|&q| q as usize).collect();
        let sample = scores.reordered(&sample, &[0, 1, 2]);
        let settings = crate::comparison::ComparisonOptions {
            correction: Some(Adjustment::None),
            seed: 5,
            ..Default::default()
        };
        let found = crate::comparison::compare(&sample, name, &settings, &SequentialWork).unwrap();
        let significant = (0..3).filter(|&pair| verdicts.get(pair, 0).is_significant());
        assert_eq!(significant.count(), found.significant, "{name}");
    }
}

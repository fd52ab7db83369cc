//! Significance test without a batched form: it runs on one sample of queries at a time, as
//! `compare` runs it on all queries.

use super::sample_batch::SampleBatch;
use super::{BatchVerdicts, PairTest, SystemPairPValue, TestParameters, pairs};
use crate::ScoreMatrix;
use crate::comparison::ComparisonOptions;
use crate::significance::{SystemTest, TestInput};
use crate::truth::Alpha;
use crate::work::SequentialWork;

/// Significance test that runs on one sample at a time, without a batched form.
struct PerSampleTest {
    test: &'static SystemTest,
    scores: ScoreMatrix,
    settings: ComparisonOptions,
}

/// Prepares a test that has no batched form.
pub(in crate::significance) fn prepare(
    test: &'static SystemTest,
    scores: &ScoreMatrix,
    parameters: TestParameters,
) -> Box<dyn PairTest> {
    Box::new(PerSampleTest {
        test,
        scores: scores.clone(),
        settings: ComparisonOptions {
            alpha: Alpha::new(parameters.alpha).expect("a level lies between 0 and 1"),
            tails: parameters.tails,
            seed: parameters.seed,
            ..ComparisonOptions::default()
        },
    })
}

impl PairTest for PerSampleTest {
    fn decide(&self, batch: &SampleBatch, verdicts: &mut BatchVerdicts) {
        verdicts.set_by_p_values(self, batch, self.settings.alpha.value());
    }

    fn p_values(&self, batch: &SampleBatch, lane: usize) -> Vec<SystemPairPValue> {
        let systems: Vec<usize> = (0..self.scores.systems().len()).collect();
        let queries: Vec<usize> = batch.sample(lane).iter().map(|&q| q as usize).collect();
        let sample = self.scores.reordered(&queries, &systems);
        let columns: Vec<Vec<f64>> = systems.iter().map(|&s| sample.column(s)).collect();
        let pairs: Vec<(usize, usize)> = pairs(systems.len()).collect();
        let even = |(a, b): &(usize, usize)| SystemPairPValue {
            p: 1.0,
            lead: sample.mean(*a) - sample.mean(*b),
        };
        // The variance of a single difference is undefined.
        if queries.len() < 2 {
            return pairs.iter().map(even).collect();
        }
        let input = TestInput {
            scores: &sample,
            columns: &columns,
            pairs: &pairs,
            settings: &self.settings,
            correction: partita_stats::adjustment::Adjustment::None,
            work: &SequentialWork,
        };
        let output = (self.test.run)(&input)
            .expect("scores are finite, the settings are valid and nobody stops the work");
        let evidence = output.pairs.iter().map(|pair| SystemPairPValue {
            // A pair that the test cannot decide is not significant.
            p: pair.p.unwrap_or(1.0),
            lead: f64::from(pair.direction as i8),
        });
        evidence.collect()
    }
}

//! The sign test, 2-tailed.

use partita_stats::sign_test::from_counts;

use super::{Evidence, PairTest, Setting, Verdicts, differences};
use crate::Scores;
use crate::reliability::batch::Batch;
use crate::reliability::verdict::Verdict;

struct Sign {
    pairs: usize,
    /// Of each query and pair, one in the lower half if the difference is positive, in the upper
    /// half if it is negative: one addition counts both.
    signs: Vec<u64>,
    /// By number of differences that are not zero, the largest number of the rarer sign that is
    /// significant; none if there is none.
    critical: Vec<Option<u64>>,
}

pub(crate) fn prepare(scores: &Scores, setting: Setting) -> Box<dyn PairTest> {
    let differences = differences(scores);
    let queries = scores.queries().len();
    let mut signs = Vec::with_capacity(queries * differences.len());
    for query in 0..queries {
        for of_pair in &differences {
            let difference = of_pair[query];
            signs.push(u64::from(difference > 0.0) | u64::from(difference < 0.0) << 32);
        }
    }
    // One difference more never lowers the critical number, so each count goes on from the last.
    let mut known: Option<usize> = None;
    let critical = |n: usize| {
        let significant =
            |rare: usize| 2 * rare <= n && from_counts(n - rare, rare).p.two_sided < setting.alpha;
        while significant(known.map_or(0, |rare| rare + 1)) {
            known = Some(known.map_or(0, |rare| rare + 1));
        }
        known.map(|rare| rare as u64)
    };
    Box::new(Sign {
        pairs: differences.len(),
        signs,
        critical: (0..=queries).map(critical).collect(),
    })
}

impl Sign {
    /// How often each pair's difference is positive and negative.
    fn count(&self, queries: &[u32], counts: &mut [u64]) {
        counts.fill(0);
        for &query in queries {
            let row = &self.signs[query as usize * self.pairs..(query as usize + 1) * self.pairs];
            for (count, sign) in counts.iter_mut().zip(row) {
                *count += sign;
            }
        }
    }
}

fn split(count: u64) -> (u64, u64) {
    (count & u64::from(u32::MAX), count >> 32)
}

fn lead(positive: u64, negative: u64) -> f64 {
    positive as f64 - negative as f64
}

impl PairTest for Sign {
    fn decide(&self, batch: &Batch, verdicts: &mut Verdicts) {
        let mut counts = vec![0; self.pairs];
        for (lane, queries) in batch.samples().enumerate() {
            self.count(queries, &mut counts);
            for (pair, &count) in counts.iter().enumerate() {
                let (positive, negative) = split(count);
                let critical = self.critical[(positive + negative) as usize];
                let rare = positive.min(negative);
                let significant = critical.is_some_and(|critical| rare <= critical);
                verdicts.set(
                    pair,
                    lane,
                    Verdict::new(lead(positive, negative), significant),
                );
            }
        }
    }

    fn evidence(&self, batch: &Batch, lane: usize) -> Vec<Evidence> {
        let mut counts = vec![0; self.pairs];
        self.count(batch.sample(lane), &mut counts);
        let evidence = counts.into_iter().map(|count| {
            let (positive, negative) = split(count);
            Evidence {
                p: from_counts(positive as usize, negative as usize)
                    .p
                    .two_sided,
                lead: lead(positive, negative),
            }
        });
        evidence.collect()
    }
}

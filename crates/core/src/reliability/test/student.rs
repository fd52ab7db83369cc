//! Student's paired t-test, 2-tailed.
//!
//! The sums of a sample's differences and of their squares are added up for all pairs side by side,
//! about the mean of all queries, lest the squares cancel.

use std::sync::OnceLock;

use partita_stats::student_t;
use partita_stats::t_test::one_sample;

use super::{Evidence, PairTest, Setting, Verdicts, differences, of_sample};
use crate::Scores;
use crate::reliability::batch::Batch;
use crate::reliability::verdict::Verdict;

/// How close, relatively, the squares may come before the p-value decides.
const TOO_CLOSE: f64 = 1e-6;

struct Student {
    alpha: f64,
    differences: Vec<Vec<f64>>,
    /// The mean difference of every pair.
    centres: Vec<f64>,
    /// The centred differences and their squares, a row a query.
    moments: Vec<[f64; 2]>,
    /// By sample size, the square of the critical t, once it is asked for.
    critical: Vec<OnceLock<f64>>,
}

pub(crate) fn prepare(scores: &Scores, setting: Setting) -> Box<dyn PairTest> {
    let differences = differences(scores);
    let queries = scores.queries().len();
    let mean = |d: &Vec<f64>| d.iter().sum::<f64>() / queries as f64;
    let centres: Vec<f64> = differences.iter().map(mean).collect();
    let mut moments = Vec::with_capacity(queries * centres.len());
    for query in 0..queries {
        for (of_pair, centre) in differences.iter().zip(&centres) {
            let centred = of_pair[query] - centre;
            moments.push([centred, centred * centred]);
        }
    }
    Box::new(Student {
        alpha: setting.alpha,
        differences,
        centres,
        moments,
        critical: vec![OnceLock::new(); queries + 1],
    })
}

impl Student {
    fn critical(&self, size: usize) -> f64 {
        *self.critical[size].get_or_init(|| {
            let t = student_t::quantile(0.5 * self.alpha, size as f64 - 1.0);
            // There is no t of one difference, which is then never enough.
            t.map_or(f64::INFINITY, |t| t * t)
        })
    }

    fn plain(&self, pair: usize, queries: &[u32]) -> Evidence {
        match one_sample(&of_sample(&self.differences[pair], queries)) {
            Ok(test) => Evidence {
                p: test.p.two_sided,
                lead: test.mean_difference,
            },
            // One query has a difference, and no variance to judge it by.
            Err(_) => Evidence {
                p: 1.0,
                lead: of_sample(&self.differences[pair], queries).iter().sum(),
            },
        }
    }
}

impl PairTest for Student {
    fn decide(&self, batch: &Batch, verdicts: &mut Verdicts) {
        let pairs = self.centres.len();
        let n = batch.size() as f64;
        let critical = self.critical(batch.size());
        let mut sums = vec![[0.0; 2]; pairs];
        for (lane, queries) in batch.samples().enumerate() {
            sums.fill([0.0; 2]);
            for &query in queries {
                let row = &self.moments[query as usize * pairs..(query as usize + 1) * pairs];
                for (sum, moments) in sums.iter_mut().zip(row) {
                    sum[0] += moments[0];
                    sum[1] += moments[1];
                }
            }
            for (pair, [sum, squares]) in sums.iter().enumerate() {
                let mean = self.centres[pair] + sum / n;
                // (n-1) times the variance; t² = n(n-1) mean²/spread.
                let spread = squares - sum * sum / n;
                let (found, bound) = (n * (n - 1.0) * mean * mean, critical * spread);
                let clear = spread > 1e-6 * squares
                    && mean.abs() > 1e-12
                    && (found - bound).abs() > TOO_CLOSE * bound;
                let verdict = match clear && batch.size() > 1 {
                    true => Verdict::new(mean, found > bound),
                    false => {
                        let evidence = self.plain(pair, queries);
                        Verdict::new(evidence.lead, evidence.p < self.alpha)
                    }
                };
                verdicts.set(pair, lane, verdict);
            }
        }
    }

    fn evidence(&self, batch: &Batch, lane: usize) -> Vec<Evidence> {
        let queries = batch.sample(lane);
        let pairs = 0..self.differences.len();
        pairs.map(|pair| self.plain(pair, queries)).collect()
    }
}

//! Power and stability of the paired t-test, by sampling queries.
//!
//! The protocol of Urbano, Martín, Marrero and Morato (ISMIR 2011) for one test: subsets of
//! growing size are drawn of the queries, every pair of systems is compared, and the share of
//! significant differences is the power. A disjoint subset of the same size gives the share that
//! is significant in both, with the same sign: stable. A trial shuffles the queries once; its
//! subsets of all sizes are what the order begins with, and their counterparts what it ends with,
//! so that sums are carried from size to size.
//!
//! Queries and systems are arranged by name before anything is drawn: the order of a file changes
//! nothing.

use partita_stats::streams::{sample_without_replacement, shuffle, stream};
use partita_stats::student_t;

use super::{PlanError, Point, demand, share};
use crate::Scores;

/// The path of the streams that shuffle queries.
const STREAM: u64 = 0x7463_7572;

/// Beyond so many pairs of systems, so many are drawn.
const MOST_PAIRS: usize = 1000;
/// So many sizes at most.
const SIZES: usize = 12;

/// How curves are sampled.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sampling {
    /// The level of the two-sided t-test of each pair.
    pub alpha: f64,
    /// How many times queries are shuffled.
    pub trials: usize,
    /// The seed.
    pub seed: u64,
}

/// Curves of the t-test.
#[derive(Clone, Debug, PartialEq)]
pub struct TCurves {
    /// The share of pairs that differ significantly, by the number of queries.
    pub power: Vec<Point>,
    /// The share that does so with two disjoint sets of queries, in the same direction.
    pub stable: Vec<Point>,
}

impl TCurves {
    /// The curves of these scores.
    ///
    /// # Errors
    /// A level that is not between 0 and 1, or no trials.
    pub fn of(scores: &Scores, sampling: Sampling) -> Result<Self, PlanError> {
        let queries: Vec<usize> = (0..scores.queries().len()).collect();
        Self::within(&scores.by_name(), &queries, sampling)
    }

    /// The curves without one of so many groups of queries, for the jackknife.
    pub fn without_group(
        scores: &Scores,
        group: usize,
        groups: usize,
        sampling: Sampling,
    ) -> Result<Self, PlanError> {
        let mut order: Vec<usize> = (0..scores.queries().len()).collect();
        shuffle(&mut stream(sampling.seed, &[STREAM, 0]), &mut order);
        let kept = order.iter().enumerate();
        let kept = kept.filter(|(place, _)| place % groups.max(1) != group);
        let kept: Vec<usize> = kept.map(|(_, query)| *query).collect();
        Self::within(&scores.by_name(), &kept, sampling)
    }

    fn within(scores: &Scores, queries: &[usize], sampling: Sampling) -> Result<Self, PlanError> {
        share("the level of the t-test", sampling.alpha)?;
        demand(
            sampling.trials > 0,
            "the number of trials",
            "at least 1",
            0.0,
        )?;
        let mut kept = vec![false; scores.queries().len()];
        queries.iter().for_each(|&query| kept[query] = true);
        let pairs = pairs(scores.systems().len(), sampling.seed);
        let powers = sizes(queries.len());
        let stables = sizes(queries.len() / 2);
        let mut all: Vec<usize> = powers.iter().chain(&stables).copied().collect();
        all.sort_unstable();
        all.dedup();
        // What the square of t must exceed, in terms of the sums.
        let critical = |&size: &usize| {
            let p = (0.5 * sampling.alpha).max(f64::MIN_POSITIVE);
            let t = student_t::quantile(p, size as f64 - 1.0);
            let t = t.expect("alpha is a level, and samples have two queries at least");
            t * t
        };
        let critical: Vec<f64> = all.iter().map(critical).collect();
        let mut found = vec![(0u64, 0u64); all.len()];
        for trial in 0..sampling.trials {
            let mut rng = stream(sampling.seed, &[STREAM, 1, trial as u64]);
            // Whichever queries are left out, the others keep their order: curves then differ by
            // the queries they lack, and hardly by the luck of the draw.
            let mut order: Vec<usize> = (0..scores.queries().len()).collect();
            shuffle(&mut rng, &mut order);
            order.retain(|&query| kept[query]);
            let (mut ahead, mut behind) = (Sums::new(pairs.len()), Sums::new(pairs.len()));
            let mut taken = 0;
            for (place, &size) in all.iter().enumerate() {
                for at in taken..size {
                    ahead.add(scores.row(order[at]), &pairs);
                    if 2 * size <= order.len() {
                        behind.add(scores.row(order[order.len() - 1 - at]), &pairs);
                    }
                }
                taken = size;
                for pair in 0..pairs.len() {
                    let sign = ahead.sign(pair, size, critical[place]);
                    found[place].0 += u64::from(sign != 0);
                    let again = 2 * size <= order.len()
                        && sign != 0
                        && behind.sign(pair, size, critical[place]) == sign;
                    found[place].1 += u64::from(again);
                }
            }
        }
        let tests = (sampling.trials * pairs.len()) as f64;
        let curve = |sizes: &[usize], count: fn(&(u64, u64)) -> u64| -> Vec<Point> {
            let wanted = all.iter().zip(&found);
            let wanted = wanted.filter(|(size, _)| sizes.contains(size));
            wanted
                .map(|(&size, found)| Point {
                    size,
                    share: count(found) as f64 / tests,
                })
                .collect()
        };
        Ok(Self {
            power: curve(&powers, |found| found.0),
            stable: curve(&stables, |found| found.1),
        })
    }
}

/// The sizes at which so many queries are looked at.
fn sizes(most: usize) -> Vec<usize> {
    let first = 5.min(most).max(2);
    if most < first {
        return Vec::new();
    }
    let steps = (most - first).min(SIZES - 1);
    let mut sizes: Vec<usize> = (0..=steps)
        .map(|step| first + (most - first) * step / steps.max(1))
        .collect();
    sizes.dedup();
    sizes
}

/// The pairs of systems that are compared: all of them, or a sample.
fn pairs(systems: usize, seed: u64) -> Vec<(usize, usize)> {
    let all: Vec<(usize, usize)> = (0..systems)
        .flat_map(|b| (0..b).map(move |a| (a, b)))
        .collect();
    if all.len() <= MOST_PAIRS {
        return all;
    }
    let mut rng = stream(seed, &[STREAM, 2]);
    let drawn = sample_without_replacement(&mut rng, all.len(), MOST_PAIRS);
    drawn.into_iter().map(|pair| all[pair]).collect()
}

/// The sums of the differences of every pair, and of their squares.
struct Sums(Vec<(f64, f64)>);

impl Sums {
    fn new(pairs: usize) -> Self {
        Self(vec![(0.0, 0.0); pairs])
    }

    fn add(&mut self, row: &[f64], pairs: &[(usize, usize)]) {
        for ((sum, squares), &(a, b)) in self.0.iter_mut().zip(pairs) {
            let difference = row[a] - row[b];
            *sum += difference;
            *squares += difference * difference;
        }
    }

    /// Which way a pair differs significantly, if it does.
    fn sign(&self, pair: usize, size: usize, critical: f64) -> i8 {
        let (sum, squares) = self.0[pair];
        let n = size as f64;
        // t² = sum²(n - 1)/(n·squares - sum²), multiplied out, since it may be that nothing varies. Rounding makes
        // something of equal differences, which must not count.
        let spread = (n * squares - sum * sum).max(1e-13 * n * squares);
        i8::from(sum * sum * (n - 1.0) > critical * spread) * if sum > 0.0 { 1 } else { -1 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_go_from_five_to_all() {
        assert_eq!(sizes(8), [5, 6, 7, 8]);
        let many = sizes(100);
        assert_eq!((many[0], many[many.len() - 1]), (5, 100));
        assert_eq!(many.len(), 12);
        assert_eq!(sizes(1), [0; 0]);
        assert_eq!(sizes(3), [3]);
    }

    #[test]
    fn the_decision_is_that_of_the_t_test() {
        let rows = [[0.3, 0.1], [0.5, 0.2], [0.4, 0.4], [0.9, 0.3], [0.6, 0.5]];
        let differences: Vec<f64> = rows.iter().map(|row| row[0] - row[1]).collect();
        let test = partita_stats::t_test::one_sample(&differences).unwrap();
        let mut sums = Sums::new(1);
        rows.iter().for_each(|row| sums.add(row, &[(0, 1)]));
        for alpha in [0.01, 0.05, 0.1, 0.2] {
            let t = student_t::quantile(1.0 - 0.5 * alpha, 4.0).unwrap();
            let found = sums.sign(0, 5, t * t) == 1;
            assert_eq!(found, test.p.two_sided < alpha, "{alpha}");
        }
    }
}

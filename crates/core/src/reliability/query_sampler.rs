//! Query sampling: stratified, without replacement, with a second sample from the remaining
//! queries.
//!
//! A sample of s queries from H strata takes ⌊s/H⌋ of each; the remaining s mod H come from
//! distinct strata, chosen uniformly (the "equal priors" of Urbano, Martín, Marrero and Morato
//! 2011, section 4, read as quotas). Within a stratum all queries are equally likely. The second
//! sample of a trial follows the same rule on the queries that the first left, with its own choice
//! of strata; at half of the queries it is the complement.
//!
//! Strata of unequal size are filled evenly as far as possible: all give the same number, except
//! exhausted ones, and the remainder comes from distinct strata that have queries left. If a second
//! sample follows, no stratum gives more than half of its queries to the first where possible, so
//! that both samples have a similar composition.

use partita_stats::random::{RandomStream, stream, stream_id, uniform_index};

use crate::Strata;

/// Sampler that draws the queries of each trial.
///
/// For given strata, a sample depends only on the seed, its size and the number of its trial, not
/// on the measure, the test, the number of threads or the order of execution.
#[derive(Clone, Debug)]
pub struct QuerySampler {
    /// Indices of the queries, stratum by stratum.
    queries: Vec<u32>,
    /// Index into `queries` after the last query of each stratum.
    ends: Vec<usize>,
    seed: u64,
}

/// Numbers of queries to draw from every stratum.
#[derive(Clone, Debug, Default)]
struct StratumQuotas {
    /// Number of queries to draw from each stratum.
    wanted: Vec<usize>,
    /// Indices of the strata with capacity left, from which one more query may be drawn.
    eligible: Vec<usize>,
    /// Number of eligible strata from which one more query is drawn.
    extras: usize,
}

/// Buffers of [`QuerySampler::draw`] that are reused from one sample to the next.
#[derive(Default)]
pub(crate) struct SamplerScratch {
    /// Indices of the queries, stratum by stratum, with the drawn ones first in each stratum.
    pool: Vec<u32>,
    quotas: StratumQuotas,
    /// Maximum number of queries to draw from each stratum.
    capacity: Vec<usize>,
    /// Number of queries that the first sample took from each stratum.
    taken: Vec<usize>,
}

impl SamplerScratch {
    fn set_capacities(&mut self, capacities: impl Iterator<Item = usize>) {
        self.capacity.clear();
        self.capacity.extend(capacities);
    }
}

impl QuerySampler {
    /// Creates a sampler of the queries of these strata.
    pub fn new(strata: &Strata, seed: u64) -> Self {
        let (mut queries, mut ends) = (Vec::new(), Vec::new());
        for stratum in 0..strata.names().len() {
            queries.extend(strata.queries(stratum).iter().map(|&query| query as u32));
            ends.push(queries.len());
        }
        Self {
            queries,
            ends,
            seed,
        }
    }

    /// Returns the number of queries to draw from.
    pub fn queries(&self) -> usize {
        self.queries.len()
    }

    /// Returns true if trials with samples of this size have a second sample, because enough
    /// queries remain outside the first.
    pub fn has_second_sample(&self, size: usize) -> bool {
        size > 0 && 2 * size <= self.queries.len()
    }

    /// Draws the queries of a trial as ascending indices, and those of its second sample if enough
    /// queries remain. A size beyond the number of queries takes all of them.
    pub fn sample(&self, size: usize, trial: u64) -> (Vec<usize>, Option<Vec<usize>>) {
        let (mut first, mut second) = (Vec::new(), Vec::new());
        let scratch = &mut SamplerScratch::default();
        self.draw(size, trial, scratch, &mut first, &mut second);
        let sorted = |sample: Vec<u32>| {
            let mut sample: Vec<usize> = sample.into_iter().map(|query| query as usize).collect();
            sample.sort_unstable();
            sample
        };
        let second = self.has_second_sample(size).then(|| sorted(second));
        (sorted(first), second)
    }

    /// Appends the indices of the queries of a trial to `first` and those of its second sample to
    /// `second`.
    pub(crate) fn draw(
        &self,
        size: usize,
        trial: u64,
        scratch: &mut SamplerScratch,
        first: &mut Vec<u32>,
        second: &mut Vec<u32>,
    ) {
        let size = size.min(self.queries.len());
        let paired = self.has_second_sample(size);
        if size == self.queries.len() {
            first.extend(&self.queries);
            return;
        }
        let mut random = stream(
            self.seed,
            &[stream_id::RELIABILITY_SAMPLES, size as u64, trial],
        );
        scratch.pool.clone_from(&self.queries);
        self.set_first_capacities(size, paired, scratch);
        distribute(size, &scratch.capacity, &mut scratch.quotas);
        choose_extras(&mut random, &mut scratch.quotas);
        scratch.taken.clone_from(&scratch.quotas.wanted);
        let mut start = 0;
        for (&end, &wanted) in self.ends.iter().zip(&scratch.quotas.wanted) {
            let stratum = &mut scratch.pool[start..end];
            choose_subset(&mut random, stratum, wanted);
            first.extend(&stratum[..wanted]);
            start = end;
        }
        if !paired {
            return;
        }
        self.set_second_sample_limits(size, scratch);
        distribute(size, &scratch.capacity, &mut scratch.quotas);
        choose_extras(&mut random, &mut scratch.quotas);
        let mut start = 0;
        for (stratum, &end) in self.ends.iter().enumerate() {
            let wanted = scratch.quotas.wanted[stratum];
            let left = &mut scratch.pool[start + scratch.taken[stratum]..end];
            choose_subset(&mut random, left, wanted);
            second.extend(&left[..wanted]);
            start = end;
        }
    }

    /// Returns the number of queries of each stratum.
    fn sizes(&self) -> impl Iterator<Item = usize> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        self.ends.iter().zip(starts).map(|(end, start)| end - start)
    }

    /// Sets the maximum number of queries that the first sample may take from each stratum.
    /// `paired` is true if a second sample follows.
    fn set_first_capacities(&self, size: usize, paired: bool, scratch: &mut SamplerScratch) {
        if paired {
            // The first sample takes at most half of every stratum, so that the second can take as
            // many. Odd halves are rounded down, or up if the sample would otherwise be too small.
            scratch.set_capacities(self.sizes().map(|size| size / 2));
            if scratch.capacity.iter().sum::<usize>() >= size {
                return;
            }
            scratch.set_capacities(self.sizes().map(|size| size.div_ceil(2)));
            distribute(size, &scratch.capacity, &mut scratch.quotas);
            let extra = usize::from(scratch.quotas.extras > 0);
            let left: usize = (self
                .sizes()
                .zip(&scratch.capacity)
                .zip(&scratch.quotas.wanted))
            .map(|((size, &capacity), &wanted)| capacity.min(size - (wanted + extra).min(capacity)))
            .sum();
            if left >= size {
                return;
            }
        }
        scratch.set_capacities(self.sizes());
    }

    /// Sets the maximum number of queries that the second sample may take from each stratum.
    fn set_second_sample_limits(&self, size: usize, scratch: &mut SamplerScratch) {
        let left = |half: fn(usize) -> usize, taken: &[usize]| -> Vec<usize> {
            let sizes = self.sizes().zip(taken);
            sizes
                .map(|(size, taken)| half(size).min(size - taken))
                .collect()
        };
        let halves: [fn(usize) -> usize; 2] = [|size| size / 2, |size| size.div_ceil(2)];
        for half in halves {
            scratch.capacity = left(half, &scratch.taken);
            if scratch.capacity.iter().sum::<usize>() >= size {
                return;
            }
        }
        scratch.capacity = left(|size| size, &scratch.taken);
    }
}

/// Distributes `size` queries evenly over strata with these capacities. The remainder, fewer
/// queries than strata with capacity left, is stored as `extras`.
fn distribute(size: usize, capacity: &[usize], quotas: &mut StratumQuotas) {
    let (mut level, mut left) = (0, size);
    loop {
        let open = capacity
            .iter()
            .filter(|&&capacity| capacity > level)
            .count();
        if open == 0 || left < open {
            break;
        }
        let next = capacity.iter().filter(|&&capacity| capacity > level).min();
        let step = next.map_or(0, |next| next - level).min(left / open);
        level += step;
        left -= step * open;
    }
    quotas.wanted.clear();
    quotas
        .wanted
        .extend(capacity.iter().map(|&capacity| capacity.min(level)));
    quotas.eligible.clear();
    let open = (0..capacity.len()).filter(|&stratum| capacity[stratum] > level);
    quotas.eligible.extend(open);
    quotas.extras = left;
}

/// Adds one query each to the quotas of `extras` eligible strata, which are chosen uniformly.
fn choose_extras(random: &mut RandomStream, quotas: &mut StratumQuotas) {
    if quotas.extras == 0 {
        return;
    }
    choose_subset(random, &mut quotas.eligible, quotas.extras);
    for &stratum in &quotas.eligible[..quotas.extras] {
        quotas.wanted[stratum] += 1;
    }
}

/// Moves a random subset of `wanted` items to the front; every subset is equally likely. Draws
/// either the chosen items or the remaining ones, whichever are fewer.
fn choose_subset<T>(random: &mut RandomStream, items: &mut [T], wanted: usize) {
    let all = items.len();
    if 2 * wanted <= all {
        for index in 0..wanted {
            items.swap(index, index + uniform_index(random, all - index));
        }
    } else {
        for index in (wanted..all).rev() {
            items.swap(index, uniform_index(random, index + 1));
        }
    }
}

//! Batch of random samples of the queries, on which tests run in parallel by vector instructions.

use crate::reliability::query_sampler::{QuerySampler, SamplerScratch};

/// Largest number of samples in a batch: vector instructions process one sample per lane.
pub(crate) const LANES: usize = 32;

/// Up to [`LANES`] samples of the queries, all of the same size. The lane of a sample is its index.
#[derive(Clone, Debug)]
pub(crate) struct SampleBatch {
    /// Number of queries in each sample.
    size: usize,
    /// Query indices of all samples, one sample after the other.
    queries: Vec<u32>,
    /// Membership masks, one row per query: all bits set in the lanes of the samples that contain
    /// the query, else 0.
    masks: Vec<[u16; LANES]>,
    /// Number of the trial (repetition of the resampling study) that drew the first sample.
    first_trial: u64,
    /// True if the samples are the second samples of their trials.
    second: bool,
}

impl SampleBatch {
    /// Draws one sample of `size` queries for each trial, and a second, disjoint sample if there
    /// are enough queries for two.
    pub(crate) fn draw(
        draw: &QuerySampler,
        size: usize,
        trials: std::ops::Range<u64>,
    ) -> (Self, Option<Self>) {
        let (mut urn, mut first, mut second) = (SamplerScratch::default(), Vec::new(), Vec::new());
        for trial in trials.clone() {
            draw.draw(size, trial, &mut urn, &mut first, &mut second);
        }
        let batch =
            |queries, second| Self::new(draw.queries(), size, queries, trials.start, second);
        let paired = draw.has_second_sample(size);
        (batch(first, false), paired.then(|| batch(second, true)))
    }

    /// Creates a batch whose only sample contains all queries.
    pub(crate) fn full_set(queries: usize) -> Self {
        Self::new(queries, queries, (0..queries as u32).collect(), 0, false)
    }

    fn new(all: usize, size: usize, queries: Vec<u32>, first_trial: u64, second: bool) -> Self {
        let mut masks = vec![[0; LANES]; all];
        for (lane, sample) in queries.chunks_exact(size).enumerate() {
            for &query in sample {
                masks[query as usize][lane] = u16::MAX;
            }
        }
        Self {
            size,
            queries,
            masks,
            first_trial,
            second,
        }
    }

    /// Returns the number of queries per sample.
    pub(crate) fn size(&self) -> usize {
        self.size
    }

    /// Iterates over the samples; yields the query indices of each.
    pub(crate) fn samples(&self) -> impl ExactSizeIterator<Item = &[u32]> {
        self.queries.chunks_exact(self.size)
    }

    /// Returns the number of samples.
    pub(crate) fn len(&self) -> usize {
        self.queries.len() / self.size
    }

    /// Returns the query indices of the sample in a lane.
    pub(crate) fn sample(&self, lane: usize) -> &[u32] {
        &self.queries[lane * self.size..(lane + 1) * self.size]
    }

    /// Returns the membership masks, one row per query: all bits set in the lanes of the samples
    /// that contain the query, else 0.
    pub(crate) fn masks(&self) -> &[[u16; LANES]] {
        &self.masks
    }

    /// Returns the numbers that identify the sample in a lane among all samples of its size: the
    /// trial number, and 0 for the first or 1 for the second sample of the trial.
    pub(crate) fn sample_id(&self, lane: usize) -> [u64; 2] {
        [self.first_trial + lane as u64, u64::from(self.second)]
    }
}

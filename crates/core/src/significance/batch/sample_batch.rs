//! Many samples of queries side by side.

use crate::reliability::query_sampler::{QuerySampler, SamplerScratch};

/// How many samples are tested at once: what one does with one, vector instructions do with all.
pub(crate) const LANES: usize = 32;

/// Up to [`LANES`] samples of the same size.
#[derive(Clone, Debug)]
pub(crate) struct SampleBatch {
    size: usize,
    /// The queries of sample after sample.
    queries: Vec<u32>,
    /// Of each query, in which samples it is: all bits set where it is, else none.
    masks: Vec<[u16; LANES]>,
    /// The trial of the first sample, and whether these are the second samples of their trials.
    first_trial: u64,
    second: bool,
}

impl SampleBatch {
    /// The samples of these trials, and their second samples where there are any.
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

    /// All queries as one sample.
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

    /// How many queries a sample has.
    pub(crate) fn size(&self) -> usize {
        self.size
    }

    /// The samples, each by its queries.
    pub(crate) fn samples(&self) -> impl ExactSizeIterator<Item = &[u32]> {
        self.queries.chunks_exact(self.size)
    }

    /// How many samples there are.
    pub(crate) fn len(&self) -> usize {
        self.queries.len() / self.size
    }

    /// The queries of a sample.
    pub(crate) fn sample(&self, lane: usize) -> &[u32] {
        &self.queries[lane * self.size..(lane + 1) * self.size]
    }

    /// Of each query, in which samples it is: all bits set where it is, else none.
    pub(crate) fn masks(&self) -> &[[u16; LANES]] {
        &self.masks
    }

    /// What tells a sample from all others of its size: its trial, and 0 or 1 for the second.
    pub(crate) fn number(&self, lane: usize) -> [u64; 2] {
        [self.first_trial + lane as u64, u64::from(self.second)]
    }
}

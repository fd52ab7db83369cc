//! Drawing queries: stratified, without replacement, and a second sample from what is left.
//!
//! A sample of s queries from H strata takes ⌊s/H⌋ of each; the s mod H that remain go to distinct
//! strata, chosen uniformly (the "equal priors" of Urbano, Martín, Marrero and Morato 2011, section
//! 4, read as quotas). Inside a stratum every query is as likely as any other. The second sample of
//! a trial is drawn by the same rule from the queries that the first left, with its own choice of
//! strata; at half of the queries it is the complement.
//!
//! Strata of unequal size are filled evenly as far as they reach: all give the same number, but for
//! those that have no more, and what remains goes to distinct strata among those that have. Where a
//! second sample is to follow, no stratum gives more than half of its queries to the first if that
//! can be had, so that both samples are composed alike.

use partita_stats::random::{ChaCha8Rng, stream, stream_id, uniform_index};

use crate::Strata;

/// How the queries of a trial are drawn.
///
/// A sample depends on the seed, its size and the number of its trial, and on nothing else: not on
/// measure, test, threads or order.
#[derive(Clone, Debug)]
pub struct QuerySampler {
    /// The queries, stratum by stratum.
    queries: Vec<u32>,
    /// Where each stratum ends.
    ends: Vec<usize>,
    seed: u64,
}

/// What is wanted of every stratum.
#[derive(Clone, Debug, Default)]
struct StratumQuotas {
    wanted: Vec<usize>,
    /// The strata that may give one more.
    eligible: Vec<usize>,
    /// How many of them do.
    extras: usize,
}

/// The memory that drawing one sample after the other needs.
#[derive(Default)]
pub(crate) struct SamplerScratch {
    pool: Vec<u32>,
    quotas: StratumQuotas,
    room: Vec<usize>,
    taken: Vec<usize>,
}

impl QuerySampler {
    /// Samples of the queries of these strata.
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

    /// The number of queries to draw from.
    pub fn queries(&self) -> usize {
        self.queries.len()
    }

    /// Whether samples of this size have a second one beside them.
    pub fn has_second_sample(&self, size: usize) -> bool {
        size > 0 && 2 * size <= self.queries.len()
    }

    /// The queries of a trial in ascending order, and those of its second sample if there are
    /// enough for one. A size beyond the number of queries takes all of them.
    pub fn sample(&self, size: usize, trial: u64) -> (Vec<usize>, Option<Vec<usize>>) {
        let (mut first, mut second) = (Vec::new(), Vec::new());
        self.draw(
            size,
            trial,
            &mut SamplerScratch::default(),
            &mut first,
            &mut second,
        );
        let sorted = |sample: Vec<u32>| {
            let mut sample: Vec<usize> = sample.into_iter().map(|query| query as usize).collect();
            sample.sort_unstable();
            sample
        };
        let second = self.has_second_sample(size).then(|| sorted(second));
        (sorted(first), second)
    }

    /// Appends the queries of a trial, and those of its second sample, to these.
    pub(crate) fn draw(
        &self,
        size: usize,
        trial: u64,
        urn: &mut SamplerScratch,
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
        urn.pool.clone_from(&self.queries);
        self.first_room(size, paired, urn);
        fill(size, &urn.room, &mut urn.quotas);
        choose_extras(&mut random, &mut urn.quotas);
        urn.taken.clone_from(&urn.quotas.wanted);
        let mut start = 0;
        for (&end, &wanted) in self.ends.iter().zip(&urn.quotas.wanted) {
            let stratum = &mut urn.pool[start..end];
            choose(&mut random, stratum, wanted);
            first.extend(&stratum[..wanted]);
            start = end;
        }
        if !paired {
            return;
        }
        self.second_room(size, urn);
        fill(size, &urn.room, &mut urn.quotas);
        choose_extras(&mut random, &mut urn.quotas);
        let mut start = 0;
        for (stratum, &end) in self.ends.iter().enumerate() {
            let wanted = urn.quotas.wanted[stratum];
            let left = &mut urn.pool[start + urn.taken[stratum]..end];
            choose(&mut random, left, wanted);
            second.extend(&left[..wanted]);
            start = end;
        }
    }

    /// How many queries each stratum has.
    fn sizes(&self) -> impl Iterator<Item = usize> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        self.ends.iter().zip(starts).map(|(end, start)| end - start)
    }

    /// The most that each stratum may give to the first sample.
    fn first_room(&self, size: usize, paired: bool, urn: &mut SamplerScratch) {
        urn.room.clear();
        if paired {
            // Half of every stratum, rounded down, and if that is too little rounded up.
            urn.room.extend(self.sizes().map(|size| size / 2));
            if urn.room.iter().sum::<usize>() >= size {
                return;
            }
            urn.room.clear();
            urn.room.extend(self.sizes().map(|size| size.div_ceil(2)));
            fill(size, &urn.room, &mut urn.quotas);
            let extra = usize::from(urn.quotas.extras > 0);
            let left: usize = (self.sizes().zip(&urn.room).zip(&urn.quotas.wanted))
                .map(|((size, &room), &wanted)| room.min(size - (wanted + extra).min(room)))
                .sum();
            if left >= size {
                return;
            }
            urn.room.clear();
        }
        urn.room.extend(self.sizes());
    }

    /// The most that each stratum may give to the second sample.
    fn second_room(&self, size: usize, urn: &mut SamplerScratch) {
        let left = |half: fn(usize) -> usize, taken: &[usize]| -> Vec<usize> {
            let sizes = self.sizes().zip(taken);
            sizes
                .map(|(size, taken)| half(size).min(size - taken))
                .collect()
        };
        let halves: [fn(usize) -> usize; 2] = [|size| size / 2, |size| size.div_ceil(2)];
        for half in halves {
            urn.room = left(half, &urn.taken);
            if urn.room.iter().sum::<usize>() >= size {
                return;
            }
        }
        urn.room = left(|size| size, &urn.taken);
    }
}

/// Shares `size` evenly between strata with so much room; what remains is extra.
fn fill(size: usize, room: &[usize], quotas: &mut StratumQuotas) {
    let (mut level, mut left) = (0, size);
    loop {
        let open = room.iter().filter(|&&room| room > level).count();
        if open == 0 || left < open {
            break;
        }
        let next = room.iter().filter(|&&room| room > level).min();
        let step = next.map_or(0, |next| next - level).min(left / open);
        level += step;
        left -= step * open;
    }
    quotas.wanted.clear();
    quotas
        .wanted
        .extend(room.iter().map(|&room| room.min(level)));
    quotas.eligible.clear();
    let open = (0..room.len()).filter(|&stratum| room[stratum] > level);
    quotas.eligible.extend(open);
    quotas.extras = left;
}

/// Gives one more to strata chosen uniformly.
fn choose_extras(random: &mut ChaCha8Rng, quotas: &mut StratumQuotas) {
    if quotas.extras == 0 {
        return;
    }
    choose(random, &mut quotas.eligible, quotas.extras);
    for &stratum in &quotas.eligible[..quotas.extras] {
        quotas.wanted[stratum] += 1;
    }
}

/// Brings `wanted` of the items to the front, every set equally likely. The fewer of those taken
/// and those left are drawn.
fn choose<T>(random: &mut ChaCha8Rng, items: &mut [T], wanted: usize) {
    let all = items.len();
    if 2 * wanted <= all {
        for place in 0..wanted {
            items.swap(place, place + uniform_index(random, all - place));
        }
    } else {
        for place in (wanted..all).rev() {
            items.swap(place, uniform_index(random, place + 1));
        }
    }
}

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

use partita_stats::streams::{ChaCha8Rng, index_below, stream};

use crate::Strata;

/// What the random streams of the samples are called.
const RELIABILITY: u64 = 2011;

/// How the queries of a trial are drawn.
///
/// A sample depends on the seed, its size and the number of its trial, and on nothing else: not on
/// measure, test, threads or order.
///
/// ```
/// use partita_core::Strata;
/// use partita_core::reliability::Draw;
///
/// let strata = Strata::new(["jazz", "jazz", "rock", "rock", "folk", "folk"]);
/// let draw = Draw::new(&strata, 1);
/// let (first, second) = draw.sample(3, 0);
/// let both = [first, second.unwrap_or_default()].concat();
/// assert_eq!(both.len(), 6);
/// assert!((0..6).all(|query| both.contains(&query)));
/// ```
#[derive(Clone, Debug)]
pub struct Draw {
    /// The queries, stratum by stratum.
    queries: Vec<u32>,
    /// Where each stratum ends.
    ends: Vec<usize>,
    seed: u64,
}

/// What is wanted of every stratum.
#[derive(Clone, Debug, Default)]
struct Quotas {
    wanted: Vec<usize>,
    /// The strata that may give one more.
    eligible: Vec<usize>,
    /// How many of them do.
    extras: usize,
}

/// The memory that drawing one sample after the other needs.
#[derive(Default)]
pub(super) struct Urn {
    pool: Vec<u32>,
    quotas: Quotas,
    room: Vec<usize>,
    taken: Vec<usize>,
}

impl Draw {
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
    pub fn has_second(&self, size: usize) -> bool {
        size > 0 && 2 * size <= self.queries.len()
    }

    /// The queries of a trial in ascending order, and those of its second sample if there are
    /// enough for one. A size beyond the number of queries takes all of them.
    pub fn sample(&self, size: usize, trial: u64) -> (Vec<usize>, Option<Vec<usize>>) {
        let (mut first, mut second) = (Vec::new(), Vec::new());
        self.draw(size, trial, &mut Urn::default(), &mut first, &mut second);
        let sorted = |sample: Vec<u32>| {
            let mut sample: Vec<usize> = sample.into_iter().map(|query| query as usize).collect();
            sample.sort_unstable();
            sample
        };
        let second = self.has_second(size).then(|| sorted(second));
        (sorted(first), second)
    }

    /// Appends the queries of a trial, and those of its second sample, to these.
    pub(super) fn draw(
        &self,
        size: usize,
        trial: u64,
        urn: &mut Urn,
        first: &mut Vec<u32>,
        second: &mut Vec<u32>,
    ) {
        let size = size.min(self.queries.len());
        let paired = self.has_second(size);
        if size == self.queries.len() {
            first.extend(&self.queries);
            return;
        }
        let mut random = stream(self.seed, &[RELIABILITY, size as u64, trial]);
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
    fn first_room(&self, size: usize, paired: bool, urn: &mut Urn) {
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
    fn second_room(&self, size: usize, urn: &mut Urn) {
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
fn fill(size: usize, room: &[usize], quotas: &mut Quotas) {
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
fn choose_extras(random: &mut ChaCha8Rng, quotas: &mut Quotas) {
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
            items.swap(place, place + index_below(random, all - place));
        }
    } else {
        for place in (wanted..all).rev() {
            items.swap(place, index_below(random, place + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn genres(sizes: &[usize]) -> Strata {
        let named = sizes.iter().enumerate();
        Strata::new(named.flat_map(|(stratum, &size)| vec![format!("g{stratum}"); size]))
    }

    fn counts(strata: &Strata, sample: &[usize]) -> Vec<usize> {
        let of_stratum = |stratum: usize| {
            let queries = strata.queries(stratum);
            sample
                .iter()
                .filter(|query| queries.contains(query))
                .count()
        };
        (0..strata.names().len()).map(of_stratum).collect()
    }

    #[test]
    fn samples_of_ten_genres_take_their_quota_of_each_and_never_a_query_twice() {
        let strata = genres(&[10; 10]);
        let draw = Draw::new(&strata, 1);
        for size in 1..=100 {
            for trial in 0..20 {
                let (first, second) = draw.sample(size, trial);
                assert_eq!(second.is_some(), size <= 50);
                let mut both = first.clone();
                for sample in [Some(&first), second.as_ref()].into_iter().flatten() {
                    assert_eq!(sample.len(), size);
                    let counts = counts(&strata, sample);
                    let base = size / 10;
                    assert!(
                        counts.iter().all(|&c| c == base || c == base + 1),
                        "{counts:?}"
                    );
                }
                both.extend(second.unwrap_or_default());
                both.sort_unstable();
                let drawn = both.len();
                both.dedup();
                assert_eq!(both.len(), drawn);
                assert!(size != 50 || both.len() == 100);
            }
        }
    }

    #[test]
    fn every_query_and_every_extra_stratum_is_drawn_about_equally_often() {
        let draw = Draw::new(&genres(&[10; 10]), 7);
        for size in [15, 85] {
            let mut counts = [[0u32; 100]; 2];
            for trial in 0..4000 {
                let (first, second) = draw.sample(size, trial);
                for (counts, sample) in counts.iter_mut().zip([Some(first), second]) {
                    for query in sample.unwrap_or_default() {
                        counts[query] += 1;
                    }
                }
            }
            let expected = 40.0 * size as f64;
            for counts in &counts[..if size == 15 { 2 } else { 1 }] {
                // Five standard deviations of a binomial count, at most.
                let most = 5.0 * (expected * (1.0 - size as f64 / 100.0)).sqrt();
                let far = |count: &u32| (f64::from(*count) - expected).abs() > most;
                assert!(!counts.iter().any(far), "{counts:?}");
            }
        }
    }

    #[test]
    fn unequal_strata_give_alike_as_far_as_they_reach() {
        let strata = genres(&[2, 4, 24]);
        let draw = Draw::new(&strata, 1);
        for trial in 0..50 {
            let (first, second) = draw.sample(12, trial);
            assert_eq!(counts(&strata, &first), [1, 2, 9]);
            assert_eq!(counts(&strata, &second.unwrap()), [1, 2, 9]);
            assert_eq!(counts(&strata, &draw.sample(20, trial).0), [2, 4, 14]);
            let (first, second) = draw.sample(4, trial);
            let first = counts(&strata, &first);
            assert!(first == [1, 2, 1] || first == [1, 1, 2], "{first:?}");
            assert_eq!(second.unwrap().len(), 4);
        }
    }

    #[test]
    fn two_disjoint_samples_of_any_strata_can_be_drawn_up_to_half_of_the_queries() {
        for sizes in [
            &[3, 27][..],
            &[1, 1, 1, 1, 20],
            &[9; 5],
            &[1; 7],
            &[13],
            &[5, 1, 8, 2, 3],
        ] {
            let strata = genres(sizes);
            let draw = Draw::new(&strata, 3);
            let all: usize = sizes.iter().sum();
            for size in 1..=all {
                for trial in 0..20 {
                    let (first, second) = draw.sample(size, trial);
                    assert_eq!(first.len(), size, "{sizes:?}");
                    if let Some(second) = second {
                        assert_eq!(second.len(), size, "{sizes:?}");
                        assert!(second.iter().all(|query| !first.contains(query)));
                    }
                }
            }
        }
    }

    #[test]
    fn the_same_seed_size_and_trial_give_the_same_queries_for_ever() {
        let draw = Draw::new(&genres(&[10; 10]), 1);
        let (first, second) = draw.sample(5, 0);
        assert_eq!(first, FIRST);
        assert_eq!(second.unwrap(), SECOND);
        assert_ne!(draw.sample(5, 1).0, FIRST);
        assert_ne!(Draw::new(&genres(&[10; 10]), 2).sample(5, 0).0, FIRST);
    }

    const FIRST: [usize; 5] = [24, 49, 50, 84, 97];
    const SECOND: [usize; 5] = [3, 32, 40, 54, 91];
}

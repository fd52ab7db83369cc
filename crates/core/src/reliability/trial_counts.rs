//! Counting what the samples of one size say.

use crate::significance::batch::sample_batch::LANES;

/// Makes the struct and everything that goes through all of its counts, so that each is named once.
macro_rules! counts {
    ($($(#[$about:meta])* $name:ident,)+) => {
        /// What all trials of one size, by one test, come to. All are whole numbers, so tallies
        /// add up to the same whichever thread counted what.
        #[derive(Clone, Debug, Default, PartialEq, Eq)]
        pub struct Tally {
            $($(#[$about])* pub $name: u64,)+
            /// The most pairs that a trial missed.
            pub most_missed: u64,
            /// The trial that missed the fewest pairs of the whole set, then the one with the
            /// fewest pairs more, then the first: its missed pairs, pairs more and number.
            pub best: Option<(u64, u64, u64)>,
        }

        impl Tally {
            /// Adds what another tally counted.
            pub fn add(&mut self, other: &Self) {
                $(self.$name += other.$name;)+
                self.most_missed = self.most_missed.max(other.most_missed);
                self.best = [self.best, other.best].into_iter().flatten().min();
            }
        }
    };
}

counts! {
    /// Trials.
    trials,
    /// Pairs that are significant in the first sample.
    significant,
    /// The squares of their numbers in each trial.
    significant_squared,
    /// Significant in the first sample only, with the same sign of the difference of mean scores
    /// in both (no difference counts as the same).
    lack_of_power,
    /// Significant in the first sample only, with opposite signs.
    swap,
    /// Significant in both, in opposite directions.
    significant_swap,
    /// Significant in both, in the same direction.
    stable,
    /// The squares of the numbers of conflicts in each trial.
    conflicts_squared,
    /// Significant in the second sample only, with the same sign.
    mirror_lack_of_power,
    /// Significant in the second sample only, with opposite signs.
    mirror_swap,
    /// Significant in the first sample only, where the statistic of the test itself (the mean
    /// ranks, say, instead of the mean scores) has opposite signs.
    own_swap,
    /// Significant in the first sample, against the sign of the difference of mean scores.
    against_mean,
    /// Significant on all queries, but not in the first sample or not in that direction.
    missed,
    /// The squares of their numbers in each trial.
    missed_squared,
    /// Trials that missed nothing.
    nothing_missed,
    /// Significant in the first sample, but not on all queries.
    more,
    /// Significant in the first sample and on all queries, in opposite directions.
    reversed,
}

impl Tally {
    /// Significant in the first sample, and not confirmed by the second.
    pub fn conflicts(&self) -> u64 {
        self.lack_of_power + self.swap + self.significant_swap
    }

    /// Significant in one sample only, whichever.
    pub fn exclusive_or(&self) -> u64 {
        self.lack_of_power + self.swap + self.mirror_lack_of_power + self.mirror_swap
    }
}

/// What is counted in every sample of a batch on its own.
#[derive(Clone, Copy)]
enum Count {
    Significant,
    LackOfPower,
    Swap,
    SignificantSwap,
    Stable,
    MirrorLackOfPower,
    MirrorSwap,
    OwnSwap,
    AgainstMean,
    Missed,
    More,
    Reversed,
}

const COUNTS: usize = 12;

/// What a sample says of pairs: verdicts by their codes, and the signs of mean differences.
pub(crate) struct SampleVerdicts<'a> {
    pub(crate) verdicts: &'a [[i16; LANES]],
    pub(crate) leads: &'a [[i16; LANES]],
}

/// Counts a batch of trials. `whole` are the verdicts on all queries.
pub(crate) fn count_trials(
    samples: usize,
    first_trial: u64,
    first: &SampleVerdicts<'_>,
    second: Option<&SampleVerdicts<'_>>,
    whole: &[i16],
) -> Tally {
    // So few pairs at a time that the counts of a sample fit 16 bits.
    const PAIRS: usize = 32_768;
    let mut totals = [[0u64; COUNTS]; LANES];
    for start in (0..whole.len()).step_by(PAIRS) {
        let end = whole.len().min(start + PAIRS);
        let mut counts = [[0u16; LANES]; COUNTS];
        for (pair, &whole) in whole.iter().enumerate().take(end).skip(start) {
            let (verdicts, leads) = (&first.verdicts[pair], &first.leads[pair]);
            count_first_sample(verdicts, leads, whole, &mut counts);
            if let Some(second) = second {
                let others = (&second.verdicts[pair], &second.leads[pair]);
                count_both_samples((verdicts, leads), others, &mut counts);
            }
        }
        for (lane, totals) in totals.iter_mut().enumerate() {
            for (total, counts) in totals.iter_mut().zip(&counts) {
                *total += u64::from(counts[lane]);
            }
        }
    }
    let mut tally = Tally::default();
    for (trial, counts) in (first_trial..).zip(&totals[..samples]) {
        tally.add(&trial_counts(trial, counts));
    }
    tally
}

#[inline]
fn count_first_sample(
    verdicts: &[i16; LANES],
    leads: &[i16; LANES],
    whole: i16,
    counts: &mut [[u16; LANES]; COUNTS],
) {
    let found = u16::from(whole.abs() == 2);
    for lane in 0..LANES {
        let verdict = verdicts[lane];
        let significant = u16::from(verdict.abs() == 2);
        let other = u16::from(verdict != whole);
        counts[Count::Significant as usize][lane] += significant;
        counts[Count::AgainstMean as usize][lane] +=
            significant & u16::from(verdict * leads[lane] < 0);
        counts[Count::Missed as usize][lane] += found & other;
        counts[Count::Reversed as usize][lane] += found & significant & other;
        counts[Count::More as usize][lane] += significant & (1 - found);
    }
}

#[inline]
fn count_both_samples(
    (verdicts, leads): (&[i16; LANES], &[i16; LANES]),
    (others, other_leads): (&[i16; LANES], &[i16; LANES]),
    counts: &mut [[u16; LANES]; COUNTS],
) {
    for lane in 0..LANES {
        let (one, two) = (verdicts[lane], others[lane]);
        let [first, second] = [one, two].map(|verdict| u16::from(verdict.abs() == 2));
        let swapped = u16::from(leads[lane] * other_leads[lane] < 0);
        let opposed = u16::from(one * two < 0);
        let (only_first, only_second) = (first & (1 - second), second & (1 - first));
        let both = first & second;
        counts[Count::LackOfPower as usize][lane] += only_first & (1 - swapped);
        counts[Count::Swap as usize][lane] += only_first & swapped;
        counts[Count::OwnSwap as usize][lane] += only_first & opposed;
        counts[Count::MirrorLackOfPower as usize][lane] += only_second & (1 - swapped);
        counts[Count::MirrorSwap as usize][lane] += only_second & swapped;
        counts[Count::SignificantSwap as usize][lane] += both & opposed;
        counts[Count::Stable as usize][lane] += both & (1 - opposed);
    }
}

fn trial_counts(trial: u64, counts: &[u64; COUNTS]) -> Tally {
    let count = |count: Count| counts[count as usize];
    let mut tally = Tally {
        trials: 1,
        significant: count(Count::Significant),
        lack_of_power: count(Count::LackOfPower),
        swap: count(Count::Swap),
        significant_swap: count(Count::SignificantSwap),
        stable: count(Count::Stable),
        mirror_lack_of_power: count(Count::MirrorLackOfPower),
        mirror_swap: count(Count::MirrorSwap),
        own_swap: count(Count::OwnSwap),
        against_mean: count(Count::AgainstMean),
        missed: count(Count::Missed),
        most_missed: count(Count::Missed),
        more: count(Count::More),
        reversed: count(Count::Reversed),
        nothing_missed: u64::from(count(Count::Missed) == 0),
        best: Some((count(Count::Missed), count(Count::More), trial)),
        ..Tally::default()
    };
    tally.significant_squared = tally.significant.pow(2);
    tally.conflicts_squared = tally.conflicts().pow(2);
    tally.missed_squared = tally.missed.pow(2);
    tally
}

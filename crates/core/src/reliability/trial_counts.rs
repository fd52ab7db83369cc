//! Counts of the outcomes of samples of one size.

use crate::significance::batch::sample_batch::LANES;

/// Defines `TrialCounts` and its function `add`, so that each count is listed only once.
macro_rules! counts {
    ($($(#[$about:meta])* $name:ident,)+) => {
        /// Outcome counts of all trials of one size for one test. All are integers, so sums do not
        /// depend on which thread counted what.
        #[derive(Clone, Debug, Default, PartialEq, Eq)]
        pub struct TrialCounts {
            $($(#[$about])* pub $name: u64,)+
            /// Largest number of pairs that a trial missed.
            pub most_missed: u64,
            /// Best trial, as missed pairs, extra pairs and number of the trial. It has the fewest
            /// missed pairs, then the fewest extra pairs, then the lowest number.
            pub best: Option<(u64, u64, u64)>,
        }

        impl TrialCounts {
            /// Adds the counts of other trials.
            pub fn add(&mut self, other: &Self) {
                $(self.$name += other.$name;)+
                self.most_missed = self.most_missed.max(other.most_missed);
                self.best = [self.best, other.best].into_iter().flatten().min();
            }
        }
    };
}

counts! {
    /// Number of trials.
    trials,
    /// Pairs that are significant in the first sample.
    significant,
    /// Sum over trials of the squared number of significant pairs.
    significant_squared,
    /// Pairs significant in the first sample only, with the same sign of the difference of mean
    /// scores in both (a difference of 0 counts as the same).
    lack_of_power,
    /// Pairs significant in the first sample only, with opposite signs of the difference of mean
    /// scores in the two samples.
    swap,
    /// Pairs significant in both samples, in opposite directions.
    significant_swap,
    /// Pairs significant in both samples, in the same direction.
    stable,
    /// Sum over trials of the squared number of conflicts.
    conflicts_squared,
    /// Pairs significant in the second sample only, with the same sign of the difference of mean
    /// scores in both samples.
    mirror_lack_of_power,
    /// Pairs significant in the second sample only, with opposite signs of the difference of mean
    /// scores in the two samples.
    mirror_swap,
    /// Pairs significant in the first sample only, with opposite signs of the test's own statistic
    /// (for example mean ranks instead of mean scores).
    own_swap,
    /// Pairs significant in the first sample, but in the direction opposite to that of the mean
    /// scores.
    against_mean,
    /// Pairs significant on all queries that are not significant in the first sample, or only in
    /// the opposite direction.
    missed,
    /// Sum over trials of the squared number of missed pairs.
    missed_squared,
    /// Trials that missed no pair.
    nothing_missed,
    /// Pairs significant in the first sample, but not on all queries.
    extra,
    /// Pairs significant in the first sample and on all queries, in opposite directions.
    reversed,
}

impl TrialCounts {
    /// Returns the number of pairs significant in the first sample and not confirmed by the second.
    pub fn conflicts(&self) -> u64 {
        self.lack_of_power + self.swap + self.significant_swap
    }

    /// Returns the number of pairs significant in exactly one sample.
    pub fn exclusive_or(&self) -> u64 {
        self.lack_of_power + self.swap + self.mirror_lack_of_power + self.mirror_swap
    }
}

/// Index of a count of one trial. See the fields of [`TrialCounts`].
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
    Extra,
    Reversed,
}

const COUNTS: usize = 12;

/// Results of a batch of samples for each pair of systems: verdict codes of a test, and signs of
/// the differences of mean scores.
pub(crate) struct SampleVerdicts<'a> {
    pub(crate) verdicts: &'a [[i16; LANES]],
    pub(crate) leads: &'a [[i16; LANES]],
}

/// Counts the outcomes of a batch of `samples` trials, numbered from `first_trial`. `whole` holds
/// the verdict code of each pair on all queries; `second` is `None` without second samples.
pub(crate) fn count_trials(
    samples: usize,
    first_trial: u64,
    first: &SampleVerdicts<'_>,
    second: Option<&SampleVerdicts<'_>>,
    whole: &[i16],
) -> TrialCounts {
    // Number of pairs per block: the counts of a block fit 16 bits.
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
    let mut sum = TrialCounts::default();
    for (trial, counts) in (first_trial..).zip(&totals[..samples]) {
        sum.add(&trial_counts(trial, counts));
    }
    sum
}

/// Counts the outcomes that depend on the first samples only, for one pair of systems.
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
        counts[Count::Extra as usize][lane] += significant & (1 - found);
    }
}

/// Counts the outcomes that compare first and second samples, for one pair of systems.
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

/// Converts the counts of one trial, indexed by [`Count`], to `TrialCounts`.
fn trial_counts(trial: u64, counts: &[u64; COUNTS]) -> TrialCounts {
    let count = |count: Count| counts[count as usize];
    let mut result = TrialCounts {
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
        extra: count(Count::Extra),
        reversed: count(Count::Reversed),
        nothing_missed: u64::from(count(Count::Missed) == 0),
        best: Some((count(Count::Missed), count(Count::Extra), trial)),
        ..TrialCounts::default()
    };
    result.significant_squared = result.significant.pow(2);
    result.conflicts_squared = result.conflicts().pow(2);
    result.missed_squared = result.missed.pow(2);
    result
}

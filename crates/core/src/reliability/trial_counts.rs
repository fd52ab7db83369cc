//! Counts of the test outcomes on random query samples of one size.

use crate::significance::batch::sample_batch::LANES;

/// Defines `TrialCounts` and its function `add`, so that each count is listed only once.
macro_rules! define_trial_counts {
    ($($(#[$about:meta])* $name:ident,)+) => {
        /// Outcome counts of all trials of one sample size for one test, over all pairs of systems.
        /// All are integers, so sums do not depend on which thread counted what.
        #[derive(Clone, Debug, Default, PartialEq, Eq)]
        pub struct TrialCounts {
            $($(#[$about])* pub $name: u64,)+
            /// Largest number of missed pairs in any trial (significant on all queries, but not in the
            /// first sample).
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

define_trial_counts! {
    /// Number of trials, each with its own random query sample.
    trials,
    /// Number of pairs that are significant in the first sample.
    significant,
    /// Sum over trials of the squared number of pairs that are significant in the first sample.
    significant_squared,
    /// Number of pairs significant in the first sample only, with the same sign of the difference
    /// of mean scores in both (a difference of 0 counts as the same).
    lack_of_power,
    /// Number of pairs significant in the first sample only, with opposite signs of the difference
    /// of mean scores in the two samples.
    swap,
    /// Number of pairs significant in both samples, in opposite directions.
    significant_swap,
    /// Number of pairs significant in both samples, in the same direction.
    stable,
    /// Sum over trials of the squared number of conflicts (see [`TrialCounts::conflicts`]).
    conflicts_squared,
    /// Number of pairs significant in the second sample only, with the same sign of the difference
    /// of mean scores in both samples (a difference of 0 counts as the same).
    mirror_lack_of_power,
    /// Number of pairs significant in the second sample only, with opposite signs of the difference
    /// of mean scores in the two samples.
    mirror_swap,
    /// Number of pairs significant in the first sample only, with opposite signs, in the two
    /// samples, of the test's own statistic (for example mean ranks instead of mean scores).
    own_swap,
    /// Number of pairs significant in the first sample, but in the direction opposite to that of
    /// the mean scores.
    against_mean,
    /// Number of missed pairs: significant on all queries, but not in the first sample or there in
    /// the opposite direction.
    missed,
    /// Sum over trials of the squared number of missed pairs.
    missed_squared,
    /// Number of trials without a missed pair.
    nothing_missed,
    /// Number of extra pairs: significant in the first sample, but not on all queries.
    extra,
    /// Number of pairs significant in the first sample and on all queries, in opposite directions.
    reversed,
}

impl TrialCounts {
    /// Returns the number of pairs significant in the first sample and not confirmed by the second.
    pub fn conflicts(&self) -> u64 {
        self.lack_of_power + self.swap + self.significant_swap
    }

    /// Returns the number of pairs significant in exactly one of the two samples.
    pub fn exclusive_or(&self) -> u64 {
        self.lack_of_power + self.swap + self.mirror_lack_of_power + self.mirror_swap
    }
}

/// Index into the outcome counts of one trial. The fields of [`TrialCounts`] describe the outcomes.
#[derive(Clone, Copy)]
enum OutcomeIndex {
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

/// Number of variants of [`OutcomeIndex`].
const OUTCOMES: usize = 12;

/// Test results of a batch of samples for each pair of systems: verdict codes (2 or -2 if
/// significant, else 1, 0 or -1), and signs of the differences of mean scores.
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
    const BLOCK_PAIRS: usize = 32_768;
    let mut totals = [[0u64; OUTCOMES]; LANES];
    for start in (0..whole.len()).step_by(BLOCK_PAIRS) {
        let end = whole.len().min(start + BLOCK_PAIRS);
        let mut counts = [[0u16; LANES]; OUTCOMES];
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
    counts: &mut [[u16; LANES]; OUTCOMES],
) {
    let found = u16::from(whole.abs() == 2);
    for lane in 0..LANES {
        let verdict = verdicts[lane];
        let significant = u16::from(verdict.abs() == 2);
        let other = u16::from(verdict != whole);
        counts[OutcomeIndex::Significant as usize][lane] += significant;
        counts[OutcomeIndex::AgainstMean as usize][lane] +=
            significant & u16::from(verdict * leads[lane] < 0);
        counts[OutcomeIndex::Missed as usize][lane] += found & other;
        counts[OutcomeIndex::Reversed as usize][lane] += found & significant & other;
        counts[OutcomeIndex::Extra as usize][lane] += significant & (1 - found);
    }
}

/// Counts the outcomes that compare first and second samples, for one pair of systems.
#[inline]
fn count_both_samples(
    (verdicts, leads): (&[i16; LANES], &[i16; LANES]),
    (others, other_leads): (&[i16; LANES], &[i16; LANES]),
    counts: &mut [[u16; LANES]; OUTCOMES],
) {
    for lane in 0..LANES {
        let (one, two) = (verdicts[lane], others[lane]);
        let [first, second] = [one, two].map(|verdict| u16::from(verdict.abs() == 2));
        let swapped = u16::from(leads[lane] * other_leads[lane] < 0);
        let opposed = u16::from(one * two < 0);
        let (only_first, only_second) = (first & (1 - second), second & (1 - first));
        let both = first & second;
        counts[OutcomeIndex::LackOfPower as usize][lane] += only_first & (1 - swapped);
        counts[OutcomeIndex::Swap as usize][lane] += only_first & swapped;
        counts[OutcomeIndex::OwnSwap as usize][lane] += only_first & opposed;
        counts[OutcomeIndex::MirrorLackOfPower as usize][lane] += only_second & (1 - swapped);
        counts[OutcomeIndex::MirrorSwap as usize][lane] += only_second & swapped;
        counts[OutcomeIndex::SignificantSwap as usize][lane] += both & opposed;
        counts[OutcomeIndex::Stable as usize][lane] += both & (1 - opposed);
    }
}

/// Converts the counts of one trial, indexed by [`OutcomeIndex`], to `TrialCounts`.
fn trial_counts(trial: u64, counts: &[u64; OUTCOMES]) -> TrialCounts {
    let count = |count: OutcomeIndex| counts[count as usize];
    let mut result = TrialCounts {
        trials: 1,
        significant: count(OutcomeIndex::Significant),
        lack_of_power: count(OutcomeIndex::LackOfPower),
        swap: count(OutcomeIndex::Swap),
        significant_swap: count(OutcomeIndex::SignificantSwap),
        stable: count(OutcomeIndex::Stable),
        mirror_lack_of_power: count(OutcomeIndex::MirrorLackOfPower),
        mirror_swap: count(OutcomeIndex::MirrorSwap),
        own_swap: count(OutcomeIndex::OwnSwap),
        against_mean: count(OutcomeIndex::AgainstMean),
        missed: count(OutcomeIndex::Missed),
        most_missed: count(OutcomeIndex::Missed),
        extra: count(OutcomeIndex::Extra),
        reversed: count(OutcomeIndex::Reversed),
        nothing_missed: u64::from(count(OutcomeIndex::Missed) == 0),
        best: Some((
            count(OutcomeIndex::Missed),
            count(OutcomeIndex::Extra),
            trial,
        )),
        ..TrialCounts::default()
    };
    result.significant_squared = result.significant.pow(2);
    result.conflicts_squared = result.conflicts().pow(2);
    result.missed_squared = result.missed.pow(2);
    result
}

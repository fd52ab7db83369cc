//! Response model of simulated assessors, and its calibration to recorded answers.

use partita_core::{GroupedList, Item, Preference, Preferences};
use partita_stats::random::{Rng, shuffle, standard_normal, stream, uniform};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::analysis::batches::{mean, summarise_batches};
use crate::range_error::{RangeError, require, require_nonnegative, require_share};
use crate::simulate::reference::ReferenceList;
use crate::simulate::run::{Oracle, answer_to_pair, collect_votes};
use crate::strategy::SortStrategy;
use crate::votes::pair_votes::pair_votes;

/// Response model of simulated assessors.
///
/// An assessor perceives the difference of two worths with a normal error and calls the items equal
/// if the perceived difference lies within a threshold. With probability `lapse_rate` the assessor
/// does not attend and gives a random answer. Worths are scaled so that neighbouring groups are 1
/// apart on average.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct AssessorModel {
    /// Standard deviation of the error with which an assessor perceives the difference of two
    /// worths.
    pub noise: f64,
    /// Tie threshold: an assessor calls two items equal if the perceived difference of their worths
    /// is smaller than this in absolute value.
    #[serde(rename = "band")]
    pub tie_threshold: f64,
    /// Lapse rate: share of answers given at random, without attention.
    #[serde(rename = "careless")]
    pub lapse_rate: f64,
    /// Position bias: amount by which the item shown first seems better, on the scale of worths.
    #[serde(rename = "bias")]
    pub side_bias: f64,
}

impl Default for AssessorModel {
    /// Returns assessors calibrated to the archive of Urbano et al. (2010), with a fifth of the
    /// answers given at random: see [`calibrate`].
    fn default() -> Self {
        Self {
            noise: 3.2,
            tie_threshold: 2.8,
            lapse_rate: 0.2,
            side_bias: 0.0,
        }
    }
}

/// Parameters of simulated assessors before calibration; unknown ones are `None`. They are options of
/// `partita campaign simulate` and are read from JSON by these names.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AssessorTraits {
    /// Standard deviation of the perceptual error; `None` to calibrate it.
    pub noise: Option<f64>,
    /// Tie threshold: absolute perceived difference below which items are called equal; `None` to
    /// calibrate it.
    pub band: Option<f64>,
    /// Lapse rate: share of answers given at random, without attention.
    pub careless: f64,
    /// Position bias: amount by which the item shown first seems better, on the scale of worths.
    pub bias: f64,
}

impl Default for AssessorTraits {
    /// Returns unknown noise and tie threshold, a lapse rate of 0.2, and no position bias.
    fn default() -> Self {
        Self {
            noise: None,
            band: None,
            careless: 0.2,
            bias: 0.0,
        }
    }
}

impl AssessorModel {
    /// Creates the model of assessors with these traits. An unknown noise or tie threshold is
    /// calibrated to the target `goal`.
    pub fn from_traits(
        traits: AssessorTraits,
        goal: CalibrationTarget,
        seed: u64,
    ) -> Result<Self, RangeError> {
        let uncalibrated = Self {
            lapse_rate: traits.careless,
            side_bias: traits.bias,
            ..Self::default()
        };
        let with_known = |model: Self| Self {
            noise: traits.noise.unwrap_or(model.noise),
            tie_threshold: traits.band.unwrap_or(model.tie_threshold),
            ..model
        };
        let known = with_known(uncalibrated);
        known.check()?;
        if traits.noise.is_some() && traits.band.is_some() {
            return Ok(known);
        }
        Ok(with_known(calibrate(uncalibrated, goal, seed)))
    }

    /// Draws an answer about a pair. `difference` is the worth of the first item minus that of the
    /// second, `noise` is a factor on the standard deviation of the error, and `first` is true if
    /// the first item is shown first.
    pub fn draw_preference(
        &self,
        difference: f64,
        noise: f64,
        first: bool,
        random: &mut impl Rng,
    ) -> Preference {
        let attends = uniform(random) >= self.lapse_rate;
        if !attends {
            return Preference::ALL[((3.0 * uniform(random)) as usize).min(2)];
        }
        let side = if first { 1.0 } else { -1.0 };
        let error = self.noise * noise * standard_normal(random);
        let seen = difference + self.side_bias * side + error;
        match seen {
            _ if seen.abs() < self.tie_threshold => Preference::Equal,
            _ if seen > 0.0 => Preference::A,
            _ => Preference::B,
        }
    }

    /// Returns an error if a parameter is out of range.
    fn check(&self) -> Result<(), RangeError> {
        require_share("careless", self.lapse_rate)?;
        require_nonnegative("noise", self.noise)?;
        require_nonnegative("band", self.tie_threshold)?;
        require(
            "bias",
            self.side_bias,
            "a number",
            self.side_bias.is_finite(),
        )
    }
}

/// Simulated list with a hidden true order, and simulated assessors who answer questions about its
/// pairs.
#[derive(Clone, Debug)]
pub struct SimulatedList {
    assessors: AssessorModel,
    reference: ReferenceList,
    seed: u64,
}

/// Identifier of the random stream that draws the hidden true order of a simulated list.
const TRUTH_STREAM: u64 = partita_stats::random::stream_id::SIMULATED_TRUTH;
/// Identifier of the random stream that draws simulated votes.
const VOTE_STREAM: u64 = partita_stats::random::stream_id::SIMULATED_VOTE;

/// Mean number of items in a group of equal items, in simulated lists.
pub const MEAN_GROUP_SIZE: f64 = 2.3;

/// Draws the worths of `items` items, best first: groups of equal worth with geometrically
/// distributed sizes, and exponentially distributed gaps between groups.
pub fn geometric_groups(random: &mut impl Rng, items: usize) -> Vec<f64> {
    let mut worth = 0.0;
    let worths = (0..items).map(|place| {
        if place == 0 || uniform(random) < 1.0 / MEAN_GROUP_SIZE {
            worth += (1.0 - uniform(random)).ln();
        }
        worth
    });
    worths.collect()
}

impl SimulatedList {
    /// Draws a list of `items` items: groups of equal items with geometrically distributed sizes,
    /// 2.3 on average, and exponentially distributed gaps.
    pub fn new(assessors: AssessorModel, items: usize, seed: u64) -> Self {
        let mut random = stream(seed, &[TRUTH_STREAM]);
        let mut order: Vec<usize> = (0..items).collect();
        shuffle(&mut random, &mut order);
        let mut worths = vec![0.0; items];
        let mut groups: Vec<Vec<Item>> = Vec::new();
        let mut before = f64::INFINITY;
        let values = geometric_groups(&mut random, items);
        for (&item, &worth) in order.iter().zip(&values) {
            if worth < before {
                groups.push(Vec::new());
            }
            before = worth;
            worths[item] = worth;
            if let (Some(group), Some(item)) = (groups.last_mut(), Item::from_index(item)) {
                group.push(item);
            }
        }
        Self {
            assessors,
            reference: ReferenceList {
                worths,
                groups: GroupedList::new(groups).expect("each item of the order is drawn once"),
            },
            seed,
        }
    }

    /// Returns the hidden true list, with which a strategy's list is compared.
    pub fn reference(&self) -> &ReferenceList {
        &self.reference
    }
}

impl Oracle for SimulatedList {
    fn items(&self) -> usize {
        self.reference.worths.len()
    }

    fn answer(&self, a: Item, b: Item, before: u32) -> Option<Preference> {
        let worth = |item: Item| self.reference.worths[item.index()];
        let answer = answer_to_pair(
            (self.seed, VOTE_STREAM),
            (a, b),
            before,
            |low, high, random| {
                let low_is_first = uniform(random) < 0.5;
                let difference = worth(low) - worth(high);
                (self.assessors).draw_preference(difference, 1.0, low_is_first, random)
            },
        );
        Some(answer)
    }
}

/// Statistics that simulated assessors should reproduce after calibration.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CalibrationTarget {
    /// Mean agreement of two assessors on the pairs that the self-organising sort asks for, from 0
    /// to 1.
    pub agreement: f64,
    /// Share of answers that call the items equal.
    pub equal: f64,
}

impl CalibrationTarget {
    /// Target of the archive of Urbano et al. (2010): the mean agreement of their Table 2, and one
    /// half of all answers equal.
    pub const URBANO_2010: Self = Self {
        agreement: 0.664,
        equal: 0.5,
    };

    /// Computes the calibration target from recorded answers.
    ///
    /// # Errors
    /// Returns [`CalibrationError`] if no pair has two answers.
    pub fn from_preferences(preferences: &Preferences) -> Result<Self, CalibrationError> {
        let batches = summarise_batches(preferences);
        let agreements: Vec<f64> = batches.iter().filter_map(|b| b.agreement).collect();
        let agreement = mean(&agreements).ok_or(CalibrationError)?;
        let (mut equal, mut all) = (0.0, 0.0);
        for pair in preferences.queries().iter().flat_map(pair_votes) {
            equal += f64::from(pair.votes.equal);
            all += f64::from(pair.votes.len());
        }
        Ok(Self {
            agreement,
            equal: equal / all,
        })
    }
}

/// Error: no pair has two answers, so agreement is undefined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no pair has two answers to agree")]
pub struct CalibrationError;

/// Finds the noise and the tie threshold for which simulated assessors, asked by the
/// self-organising sort of Urbano et al. (2010), come closest to the agreement and share of equal
/// answers of `goal`, by a grid search. The other parameters are unchanged.
pub fn calibrate(assessors: AssessorModel, goal: CalibrationTarget, seed: u64) -> AssessorModel {
    let mut best = (f64::INFINITY, assessors);
    // Search a grid around the best point so far; each grid is half as wide.
    let mut width = 1.5f64;
    for _ in 0..6 {
        let (_, centre) = best;
        for noise in -2..=2 {
            for band in -2..=2 {
                let stretch = |steps: i32| (width * f64::from(steps) / 2.0).exp();
                let tried = AssessorModel {
                    noise: centre.noise * stretch(noise),
                    tie_threshold: centre.tie_threshold * stretch(band),
                    ..assessors
                };
                let found = measure_agreement(tried, seed);
                let miss =
                    (found.agreement - goal.agreement).powi(2) + (found.equal - goal.equal).powi(2);
                if miss < best.0 {
                    best = (miss, tried);
                }
            }
        }
        width *= 0.5;
    }
    best.1
}

/// Measures the agreement and the share of equal answers of simulated assessors, on lists of 6 to
/// 17 items.
fn measure_agreement(assessors: AssessorModel, seed: u64) -> CalibrationTarget {
    /// Number of lists that are simulated to measure agreement.
    const SIMULATED_LISTS: u64 = 24;
    let sorting = SortStrategy::default();
    let (mut agreement, mut pairs, mut equal, mut answers) = (0.0, 0.0, 0.0, 0.0);
    for number in 0..SIMULATED_LISTS {
        let list = SimulatedList::new(assessors, 6 + number as usize % 12, seed ^ number);
        let (votes, _) = collect_votes(&sorting, &list, number, |_, _| ());
        for (_, _, votes) in votes.pairs() {
            agreement += votes.agreement().unwrap_or(0.0);
            pairs += 1.0;
            equal += f64::from(votes.equal);
            answers += f64::from(votes.len());
        }
    }
    CalibrationTarget {
        agreement: agreement / pairs,
        equal: equal / answers,
    }
}

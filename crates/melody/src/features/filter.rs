//! Predicates on features: which melodies are like enough to a query to be worth a closer look.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use partita_named::NamedEnum;

use super::{
    contour, duration_ratio, interval_histogram, interval_max, pitch_range, repeated_motives,
};
use crate::Melody;
use crate::systems::edit_distance;

partita_named::named_enum! {
    /// A feature by which two melodies can be near each other.
    pub enum Feature: "feature" {
        /// From the lowest pitch to the highest, in semitones: the difference
        PitchRange = "pitch_range",
        /// The largest interval, in semitones: the difference
        IntervalMax = "interval_max",
        /// The share of each interval: the sum of the differences, from 0 to 2
        IntervalHistogram = "interval_histogram",
        /// Up, down or repeated: the edit distance over the length of the longer, from 0 to 1
        Contour = "contour",
        /// The longest duration over the shortest: the factor, from 1
        DurationRatio = "duration_ratio",
        /// The number of notes: the difference
        Notes = "notes",
        /// Motives of three intervals that come again: the difference of their numbers
        RepeatedMotives = "repeated_motives",
    }
}

/// A predicate: a feature, and how far from the query's an item's may be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FeatureFilter {
    /// The feature.
    pub feature: Feature,
    /// How far it may be.
    pub tolerance: f64,
}

impl FeatureFilter {
    /// The usual predicates, in their order (after Typke et al. 2005, who filtered by such features; the
    /// tolerances are chosen).
    pub const DEFAULTS: [Self; 5] = [
        Self::new(Feature::PitchRange, 4.0),
        Self::new(Feature::IntervalMax, 5.0),
        Self::new(Feature::IntervalHistogram, 1.0),
        Self::new(Feature::Contour, 0.5),
        Self::new(Feature::DurationRatio, 4.0),
    ];

    const fn new(feature: Feature, tolerance: f64) -> Self {
        Self { feature, tolerance }
    }

    /// Whether a melody is near enough.
    pub fn accepts(&self, query: &QueryFeatures, melody: &Melody) -> bool {
        query.distance(self.feature, melody) <= self.tolerance
    }
}

impl fmt::Display for FeatureFilter {
    /// `pitch_range=4`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.feature, self.tolerance)
    }
}

/// Why a predicate is none.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FeatureFilterError {
    /// It is not written `feature=tolerance`.
    #[error("`{0}` is no predicate: expected a feature and a tolerance, as in `pitch_range=4`")]
    Form(String),
    /// There is no such feature.
    #[error("there is no feature called `{name}` to be near in; did you mean `{nearest}`?")]
    Unknown {
        /// What was asked for.
        name: String,
        /// The feature whose name is most like it.
        nearest: &'static str,
    },
    /// The tolerance is none.
    #[error("the tolerance of {feature} must be a number from {least}, not `{found}`")]
    Tolerance {
        /// The feature.
        feature: Feature,
        /// The least it can be.
        least: u8,
        /// What was given.
        found: String,
    },
}

impl FromStr for FeatureFilter {
    type Err = FeatureFilterError;

    fn from_str(text: &str) -> Result<Self, FeatureFilterError> {
        let form = || FeatureFilterError::Form(text.to_owned());
        let (name, tolerance) = text.split_once('=').ok_or_else(form)?;
        let (name, tolerance) = (name.trim(), tolerance.trim());
        let feature = Feature::from_name(&name.replace('-', "_")).map_err(|_| {
            let like = |known: &Feature| strsim::jaro_winkler(&name.to_lowercase(), known.name());
            let mut all = Feature::VARIANTS.to_vec();
            all.sort_by(|a, b| like(b).total_cmp(&like(a)));
            FeatureFilterError::Unknown {
                name: name.to_owned(),
                nearest: all[0].name(),
            }
        })?;
        // A factor of less than 1 is never met.
        let least = u8::from(feature == Feature::DurationRatio);
        let number = tolerance.parse().ok();
        let number = number.filter(|number: &f64| number.is_finite() && *number >= least.into());
        let tolerance = number.ok_or_else(|| FeatureFilterError::Tolerance {
            feature,
            least,
            found: tolerance.to_owned(),
        })?;
        Ok(Self { feature, tolerance })
    }
}

/// A query's features, made once and held against many melodies.
#[derive(Clone, Debug)]
pub struct QueryFeatures {
    notes: usize,
    pitch_range: u32,
    interval_max: u32,
    interval_histogram: BTreeMap<i32, f64>,
    repeated_motives: usize,
    contour: String,
    duration_ratio: f64,
}

impl QueryFeatures {
    /// The features of a query.
    pub fn from_melody(query: &Melody) -> Self {
        Self {
            notes: query.len(),
            pitch_range: pitch_range(query),
            interval_max: interval_max(query),
            interval_histogram: interval_histogram(query),
            repeated_motives: repeated_motives(query),
            contour: contour(query),
            duration_ratio: duration_ratio(query),
        }
    }

    /// How far a melody is in a feature.
    fn distance(&self, feature: Feature, melody: &Melody) -> f64 {
        match feature {
            Feature::PitchRange => f64::from(self.pitch_range.abs_diff(pitch_range(melody))),
            Feature::IntervalMax => f64::from(self.interval_max.abs_diff(interval_max(melody))),
            Feature::IntervalHistogram => {
                difference(&self.interval_histogram, &interval_histogram(melody))
            }
            Feature::Contour => relative_edit_distance(&self.contour, &contour(melody)),
            Feature::DurationRatio => {
                let factor = self.duration_ratio / duration_ratio(melody);
                factor.max(1.0 / factor)
            }
            Feature::Notes => self.notes.abs_diff(melody.len()) as f64,
            Feature::RepeatedMotives => {
                self.repeated_motives.abs_diff(repeated_motives(melody)) as f64
            }
        }
    }
}

/// The sum of the differences of two histograms. Rounded to 9 decimals, so that what is just near enough is
/// so in any order of additions.
fn difference(a: &BTreeMap<i32, f64>, b: &BTreeMap<i32, f64>) -> f64 {
    let share = |histogram: &BTreeMap<i32, f64>, interval| {
        let share: Option<&f64> = histogram.get(interval);
        share.copied().unwrap_or(0.0)
    };
    let of_a = a
        .iter()
        .map(|(interval, share_a)| (share_a - share(b, interval)).abs());
    let only_b = b.iter().filter(|(interval, _)| !a.contains_key(*interval));
    let sum = of_a.sum::<f64>() + only_b.map(|(_, share)| share).sum::<f64>();
    (sum * 1e9).round() / 1e9
}

/// How many letters must be put in, left out or changed to make one contour of the other, over the length of
/// the longer; 0 where both are empty.
fn relative_edit_distance(a: &str, b: &str) -> f64 {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let longer = a.len().max(b.len());
    if longer == 0 {
        return 0.0;
    }
    f64::from(edit_distance(a, b, &mut Vec::new())) / longer as f64
}

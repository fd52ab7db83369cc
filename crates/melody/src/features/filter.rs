//! Feature filters, which select the melodies whose features are close to those of a query.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use partita_named::NamedEnum;
use serde::Deserialize;

use super::{
    contour, duration_ratio, interval_histogram, interval_max, pitch_range, repeated_motives,
};
use crate::Melody;
use crate::systems::edit_distance;

partita_named::named_enum! {
    /// Feature of a melody, with the distance by which two melodies are compared in it.
    pub enum Feature: "feature" {
        /// Difference of the pitch ranges, in semitones
        PitchRange = "pitch_range",
        /// Difference of the largest intervals, in semitones
        IntervalMax = "interval_max",
        /// Sum of the differences of the interval shares, from 0 to 2
        IntervalHistogram = "interval_histogram",
        /// Edit distance of the contours over the length of the longer, from 0 to 1
        Contour = "contour",
        /// Factor between the ratios of longest to shortest duration, from 1
        DurationRatio = "duration_ratio",
        /// Difference of the numbers of notes
        Notes = "notes",
        /// Difference of the numbers of repeated motives of three intervals
        RepeatedMotives = "repeated_motives",
    }
}

/// Filter that accepts the melodies whose distance from the query in one feature is small.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(try_from = "String")]
pub struct FeatureFilter {
    /// Feature in which melodies are compared with the query.
    pub feature: Feature,
    /// Largest accepted distance from the query, in the unit of the feature.
    pub tolerance: f64,
}

impl FeatureFilter {
    /// Default filters, in the order in which they are applied. Typke et al. (2005) filtered by
    /// similar features; the tolerances are our choice.
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

    /// Returns true if the distance between melody and query in the feature is at most the
    /// tolerance.
    pub fn accepts(&self, query: &QueryFeatures, melody: &Melody) -> bool {
        query.distance(self.feature, melody) <= self.tolerance
    }
}

impl fmt::Display for FeatureFilter {
    /// Writes the filter as `pitch_range=4`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.feature, self.tolerance)
    }
}

/// Error for a text that is no feature filter.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FeatureFilterError {
    /// The text is not of the form `feature=tolerance`.
    #[error("`{0}` is no predicate: expected a feature and a tolerance, as in `pitch_range=4`")]
    Form(String),
    /// The feature is unknown.
    #[error("there is no feature called `{name}` to be near in; did you mean `{nearest}`?")]
    Unknown {
        /// Feature name that was given.
        name: String,
        /// Name of an existing feature that is spelled most like the given one.
        nearest: &'static str,
    },
    /// The tolerance is not a finite number or is below the smallest possible distance.
    #[error("the tolerance of {feature} must be a number from {least}, not `{found}`")]
    Tolerance {
        /// Feature of the filter.
        feature: Feature,
        /// Smallest allowed tolerance for this feature.
        least: u8,
        /// Tolerance as it was given.
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
            let similarity =
                |known: &Feature| strsim::jaro_winkler(&name.to_lowercase(), known.name());
            let mut all = Feature::VARIANTS.to_vec();
            all.sort_by(|a, b| similarity(b).total_cmp(&similarity(a)));
            FeatureFilterError::Unknown {
                name: name.to_owned(),
                nearest: all[0].name(),
            }
        })?;
        // A factor is never less than 1.
        let least = u8::from(feature == Feature::DurationRatio);
        let number: Option<f64> = tolerance.parse().ok();
        let number = number.filter(|number| number.is_finite() && *number >= least.into());
        let tolerance = number.ok_or_else(|| FeatureFilterError::Tolerance {
            feature,
            least,
            found: tolerance.to_owned(),
        })?;
        Ok(Self { feature, tolerance })
    }
}

impl TryFrom<String> for FeatureFilter {
    type Error = FeatureFilterError;

    fn try_from(text: String) -> Result<Self, FeatureFilterError> {
        text.parse()
    }
}

/// Features of a query, computed once and compared with many melodies.
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
    /// Computes the features of a query.
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

    /// Returns the distance between a melody and the query in one feature.
    fn distance(&self, feature: Feature, melody: &Melody) -> f64 {
        match feature {
            Feature::PitchRange => f64::from(self.pitch_range.abs_diff(pitch_range(melody))),
            Feature::IntervalMax => f64::from(self.interval_max.abs_diff(interval_max(melody))),
            Feature::IntervalHistogram => {
                histogram_difference(&self.interval_histogram, &interval_histogram(melody))
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

/// Returns the sum of absolute differences of two histograms, rounded to 9 decimals: a melody
/// exactly at the tolerance must not depend on the order of additions.
fn histogram_difference(a: &BTreeMap<i32, f64>, b: &BTreeMap<i32, f64>) -> f64 {
    let of_a = a
        .iter()
        .map(|(interval, share)| (share - b.get(interval).unwrap_or(&0.0)).abs());
    let only_b = b.iter().filter(|(interval, _)| !a.contains_key(interval));
    let sum = of_a.sum::<f64>() + only_b.map(|(_, share)| share).sum::<f64>();
    (sum * 1e9).round() / 1e9
}

/// Returns the edit distance of two contours divided by the length of the longer; 0 if both are
/// empty.
fn relative_edit_distance(a: &str, b: &str) -> f64 {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let longer = a.len().max(b.len());
    if longer == 0 {
        return 0.0;
    }
    f64::from(edit_distance(a, b, &mut Vec::new())) / longer as f64
}

//! P-values of a test under its three alternatives.

use schemars::JsonSchema;
use serde::Serialize;

/// Alternative hypothesis about the first sample, or about the differences first minus second.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Alternative {
    /// The first sample tends to be smaller, or the differences tend to be negative.
    Less,
    /// The first sample tends to be greater, or the differences tend to be positive.
    Greater,
    /// The two samples differ, in either direction.
    TwoSided,
}

/// P-values of a test under its three alternatives.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct PValues {
    /// P-value of the alternative that the first sample x tends to be smaller, or the differences
    /// negative.
    #[serde(rename = "p_less")]
    pub less: f64,
    /// P-value of the alternative that the first sample x tends to be greater, or the differences
    /// positive.
    #[serde(rename = "p_greater")]
    pub greater: f64,
    /// P-value of the two-sided alternative: a tendency in either direction.
    #[serde(rename = "p_two_sided")]
    pub two_sided: f64,
}

impl PValues {
    /// P-values of data that show no difference, such as all values equal: 1 for every alternative.
    pub const NO_EVIDENCE: Self = Self {
        less: 1.0,
        greater: 1.0,
        two_sided: 1.0,
    };

    /// Creates p-values from the two one-sided ones. The two-sided p-value doubles the smaller:
    /// min(1, 2·min(less, greater)).
    ///
    /// ```
    /// use partita_stats::{Alternative, PValues};
    ///
    /// let p = PValues::from_one_sided(0.03, 0.98);
    /// assert_eq!(p.two_sided, 0.06);
    /// assert!(p.rejects(0.05, Alternative::Less));
    /// assert!(!p.rejects(0.05, Alternative::TwoSided));
    /// ```
    pub fn from_one_sided(less: f64, greater: f64) -> Self {
        Self {
            less,
            greater,
            two_sided: (2.0 * less.min(greater)).min(1.0),
        }
    }

    /// Returns the p-value under the given alternative hypothesis.
    pub fn get(&self, alternative: Alternative) -> f64 {
        match alternative {
            Alternative::Less => self.less,
            Alternative::Greater => self.greater,
            Alternative::TwoSided => self.two_sided,
        }
    }

    /// Returns true if the test rejects its null hypothesis in favour of `alternative`: p < alpha,
    /// strictly.
    pub fn rejects(&self, alpha: f64, alternative: Alternative) -> bool {
        self.get(alternative) < alpha
    }

    /// Returns the p-values of the same test with the two samples exchanged.
    pub fn swapped(&self) -> Self {
        Self {
            less: self.greater,
            greater: self.less,
            two_sided: self.two_sided,
        }
    }
}

//! Significance levels.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Significance level, strictly between 0 and 1. A test rejects when p < alpha, strictly.
///
/// ```
/// use partita_core::truth::Alpha;
///
/// assert_eq!(Alpha::new(0.05).unwrap().value(), 0.05);
/// assert!(Alpha::new(1.0).is_none());
/// assert_eq!(Alpha::default().value(), 0.25);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "f64")]
pub struct Alpha(f64);

impl TryFrom<f64> for Alpha {
    type Error = String;

    fn try_from(alpha: f64) -> Result<Self, String> {
        Self::new(alpha)
            .ok_or_else(|| format!("a level lies between 0 and 1, which {alpha} does not"))
    }
}

impl Alpha {
    /// Significance level with which Typke et al. (2005) built their ground truth lists: 0.25.
    pub const TYPKE: Self = Self(0.25);

    /// Creates a significance level; returns `None` unless 0 < alpha < 1.
    pub fn new(alpha: f64) -> Option<Self> {
        (alpha > 0.0 && alpha < 1.0).then_some(Self(alpha))
    }

    /// Returns the significance level as a number.
    pub fn value(self) -> f64 {
        self.0
    }
}

impl Default for Alpha {
    fn default() -> Self {
        Self::TYPKE
    }
}

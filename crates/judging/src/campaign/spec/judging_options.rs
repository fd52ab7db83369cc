//! Options of judging on pages: consent, leases, limits, listening and grading scale.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Default number of assessors who grade each item, as in MIREX 2006.
pub const DEFAULT_GRADERS: u32 = 3;

/// Consent text that assessors agree to, with its version.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Consent {
    /// Version of the consent text. Assessors who agreed to another version are asked again.
    pub version: String,
    /// Consent text by language code.
    pub text: BTreeMap<String, String>,
}

partita_named::named_enum! {
    /// Listening rule: required playback of each clip before an answer.
    pub enum ListeningRule: "rule of hearing" = Ended {
        /// every clip to its end
        Ended = "ended",
        /// the beginning of every clip
        Started = "started",
        /// no clip
        None = "none",
    }
}

/// Scale of fine grades: equally spaced numbers from `min` to `max`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FineScale {
    /// Lowest fine grade.
    pub min: f64,
    /// Highest fine grade.
    pub max: f64,
    /// Difference between adjacent fine grades.
    pub step: f64,
}

impl FineScale {
    /// Returns true if a fine grade lies within the range and on a step of the scale.
    pub fn contains(self, grade: f64) -> bool {
        let steps = (grade - self.min) / self.step;
        (self.min..=self.max).contains(&grade) && (steps - steps.round()).abs() < 1e-6
    }
}

/// Options of the judging process, such as lease duration and limits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct JudgingOptions {
    /// Time in seconds that a task is reserved for an assessor (lease). After it, an unanswered
    /// question may be assigned to another assessor.
    pub lease_seconds: u32,
    /// Maximum number of tasks that an assessor answers; unlimited if omitted.
    pub per_person: Option<u32>,
    /// Expected number of assessors, if known.
    #[serde(rename = "people")]
    pub invited_assessors: Option<u32>,
    /// Maximum number of tasks that an assessor holds at a time, from 1 to 20. More than one lets
    /// the browser preload the next clips.
    pub ahead: u32,
    /// Listening rule: required playback of each clip before an answer.
    pub hear: ListeningRule,
    /// True if consecutive tasks should have different queries.
    pub mix: bool,
    /// Number of assessors per graded item or ranked list. If omitted, each item is graded by 3
    /// assessors, and each list is ranked by all assessors until the campaign is closed.
    pub graders: Option<u32>,
    /// Maximum time in seconds that an assessor without tasks waits for new ones. After it, their
    /// work counts as complete.
    pub wait_seconds: u32,
    /// Scale of the fine grades that assessors give.
    pub fine: FineScale,
    /// True if assessors are asked about their background before their first task, by default about
    /// their musical background. If omitted, they are asked if the texts of the campaign contain
    /// the question or the campaign has audio clips.
    pub background: Option<bool>,
}

impl Default for JudgingOptions {
    fn default() -> Self {
        Self {
            lease_seconds: 600,
            per_person: None,
            invited_assessors: None,
            ahead: 2,
            hear: ListeningRule::Ended,
            mix: true,
            graders: None,
            wait_seconds: 120,
            fine: FineScale {
                min: 0.0,
                max: 10.0,
                step: 0.1,
            },
            background: None,
        }
    }
}

//! Screening: statistical signals for and against each assessor. Its results are advice only.
//!
//! Every assessor gets an [`AssessorCard`] of evidence and a [`Signal`] for each anomaly. A signal
//! needs an effect that is large enough to matter and, if there is a test, a p-value below the
//! significance level. Neither a few odd answers nor a small habit over many answers raises it.
//!
//! Honest assessors differ in taste, hearing and readiness to call two items equal. The tests
//! therefore assume that the assessor is a member of a heterogeneous [crowd](CrowdSummary), whose
//! members differ in their [sharpness](AssessorReliability), their tendency to call items equal,
//! and their tendency to prefer a side. An assessor's own answers are excluded from the comparison,
//! and flagged assessors are left out of the crowd when all are rated again.
//!
//! `bench/run screening` measures the rates of detection and of false accusation by the agreement
//! of the crowd and the number of answers; `docs/validation.md` has the figures. A random assessor
//! is hard to distinguish from one who finds the melodies hard: if half of all honest answers are
//! equal, random answers still agree with many of them.

mod answers;
mod assessor_card;
mod attention;
mod crowd;
mod evidence;
mod expectation;
mod options;
mod repeats;
mod sharpness;
mod signals;
mod similar_answers;
mod statistics;
mod trait_distribution;
mod traits;

use partita_core::Preferences;
use schemars::JsonSchema;
use serde::Serialize;

pub use assessor_card::{
    AnswerCounts, AssessorCard, AssessorReliability, CrowdAgreement, FastAnswers, FrequentAnswer,
    GoldScore, RepeatedAnswers, ReportedQuestions, ResponseTimes, SideBias, Signal, SignalKind,
    SimilarAssessor,
};
pub use crowd::CrowdSummary;
pub use evidence::{GoldQuestion, ReportCounts, ScreeningEvidence, UncountedAnswer};
pub use options::ScreeningOptions;

use crate::range_error::RangeError;

/// Screening results of all assessors.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Screening {
    /// Thresholds beyond which signals were raised.
    pub settings: ScreeningOptions,
    /// Crowd with which every assessor is compared.
    pub crowd: CrowdSummary,
    /// Cards, highest concern first; cards without a signal by number of answers, then by name.
    pub assessors: Vec<AssessorCard>,
}

impl Screening {
    /// Screens all assessors who gave these answers.
    ///
    /// ```
    /// use partita_core::{Preference, Preferences, Vote};
    /// use partita_judging::{Screening, ScreeningEvidence, ScreeningOptions};
    ///
    /// let mut preferences = Preferences::new();
    /// for (who, answer) in [("ann", Preference::A), ("bob", Preference::Equal)] {
    ///     preferences.add("q", Vote::new("x", "y", who, answer))?;
    /// }
    /// let (known, settings) = (ScreeningEvidence::default(), ScreeningOptions::default());
    /// let found = Screening::new(&preferences, &known, settings)?;
    /// assert!(found.assessors.iter().all(|card| card.signals.is_empty()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns [`RangeError`] if a setting is not a share.
    pub fn new(
        preferences: &Preferences,
        evidence: &ScreeningEvidence,
        settings: ScreeningOptions,
    ) -> Result<Self, RangeError> {
        settings.check()?;
        let (mut assessors, crowd) = crowd::screen(preferences, evidence, &settings);
        assessors.sort_by(|a, b| {
            let concern = b.concern.total_cmp(&a.concern);
            concern.then(b.answers.cmp(&a.answers))
        });
        Ok(Self {
            settings,
            crowd,
            assessors,
        })
    }
}

//! What speaks for and against each assessor: advice, and no more than that.
//!
//! Every assessor gets a [`Card`] of evidence, and a [`Signal`] for each thing that is out of the
//! ordinary. A signal needs two things: an effect that is large enough to matter, and, where there is
//! a test, a p-value below the level, so that neither a few odd answers nor a small habit over many
//! of them raises it.
//!
//! People differ in earnest, in their taste, in how well they hear and in how soon they call two items
//! equal. So the tests ask what would have been if the assessor were one of the [crowd](Crowd), who differ
//! as far as its people are seen to differ: in their [sharpness](Reliability), in their tendency to call
//! items equal, and in their tendency to prefer a side. Nobody is compared with themselves, and whoever has a
//! signal is left out of the crowd when everybody is judged again.
//!
//! `bench/run screening` measures who is found and who is accused wrongly, by the agreement of the crowd and
//! the number of answers; `docs/validation.md` has the figures. Who answers at random is hard to tell from
//! who finds the melodies hard: where half of all honest answers are equal, they still agree with many of
//! them.

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
    GoldScore, RepeatedAnswers, ResponseTimes, SideBias, Signal, SignalKind, SimilarAssessor,
};
pub use crowd::CrowdSummary;
pub use evidence::{GoldQuestion, ScreeningEvidence, UncountedAnswer};
pub use options::ScreeningOptions;

use crate::range_error::RangeError;

/// The cards of all assessors.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Screening {
    /// From where on something is a signal.
    pub settings: ScreeningOptions,
    /// Whom everybody is compared with.
    pub crowd: CrowdSummary,
    /// The cards, the greatest concern first; among those without a signal, those who answered most, and
    /// then by name.
    pub assessors: Vec<AssessorCard>,
}

impl Screening {
    /// Screens all who gave these answers.
    ///
    /// ```
    /// use partita_core::{Answer, Preference, Preferences};
    /// use partita_judging::{Screening, ScreeningEvidence, ScreeningSettings};
    ///
    /// let mut preferences = Preferences::new();
    /// for (who, answer) in [("ann", Answer::A), ("bob", Answer::Equal)] {
    ///     preferences.add("q", Preference::new("x", "y", who, answer))?;
    /// }
    /// let (known, settings) = (ScreeningEvidence::default(), ScreeningSettings::default());
    /// let found = Screening::new(&preferences, &known, settings)?;
    /// assert!(found.assessors.iter().all(|card| card.signals.is_empty()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Settings that are no shares.
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

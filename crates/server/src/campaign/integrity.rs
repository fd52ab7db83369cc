//! Damaged campaigns: their logs, or rows that belong to them, do not fit together.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use schemars::JsonSchema;
use serde::Serialize;

use crate::http::problem::{HttpProblem, ProblemKind};

/// Integrity error of a campaign log: an entry that is unreadable, missing or misnumbered, does not
/// match the hash chain, or cannot be replayed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct IntegrityError {
    /// Sequence number of the event at which the error was found.
    pub event: u64,
    /// Description of the integrity error.
    pub reason: String,
}

/// Damaged campaigns that the server has found, by name. They stay damaged until the server is
/// restarted, because events that are recorded after a fault cannot be trusted.
#[derive(Default)]
pub(crate) struct DamagedCampaigns(Mutex<BTreeMap<String, IntegrityError>>);

impl DamagedCampaigns {
    fn campaigns(&self) -> MutexGuard<'_, BTreeMap<String, IntegrityError>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a damaged campaign and logs it, unless it is known.
    pub(crate) fn insert(&self, campaign: &str, error: IntegrityError) {
        let mut campaigns = self.campaigns();
        if campaigns.contains_key(campaign) {
            return;
        }
        crate::log_error(&damage_text(campaign, &error));
        campaigns.insert(campaign.to_owned(), error);
    }

    /// Removes a campaign that no longer exists.
    pub(crate) fn remove(&self, campaign: &str) {
        self.campaigns().remove(campaign);
    }

    /// Returns true if a campaign is damaged.
    pub(crate) fn contains(&self, campaign: &str) -> bool {
        self.campaigns().contains_key(campaign)
    }

    /// Returns the problem of a request that a damaged campaign cannot serve; `None` if the campaign
    /// is not known to be damaged.
    pub(crate) fn problem(&self, campaign: &str) -> Option<HttpProblem> {
        let campaigns = self.campaigns();
        let error = campaigns.get(campaign)?;
        let event = error.event;
        let detail = format!(
            "the log of the campaign `{campaign}` is damaged at event {event}, so nothing can be saved in it"
        );
        Some(HttpProblem::new(ProblemKind::CampaignDamaged, detail))
    }

    /// Returns a description of each damaged campaign.
    pub(crate) fn descriptions(&self) -> Vec<String> {
        let campaigns = self.campaigns();
        let texts = campaigns
            .iter()
            .map(|(campaign, error)| damage_text(campaign, error));
        texts.collect()
    }
}

/// Describes a damaged campaign for the operator.
fn damage_text(campaign: &str, IntegrityError { event, reason }: &IntegrityError) -> String {
    format!(
        "campaign `{campaign}` is damaged at event {event}: {reason}; it can be read up to there, and nothing \
         is saved in it"
    )
}

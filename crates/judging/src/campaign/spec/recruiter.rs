//! Recruiter of a campaign: respondent panel that sends assessors.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::JudgmentKind;
use super::error::{CampaignSpecError, CampaignSpecErrorKind};

/// Respondent panel that sends assessors to the campaign with an id in the URL.
///
/// Its completion codes are secrets of the organiser, so it is never written to a log.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Recruiter {
    /// Preset that supplies the parameter names and URLs of a known panel.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub preset: Option<RecruiterPreset>,
    /// Name of the panel, shown on the link back to it.
    pub name: Option<String>,
    /// Name of the URL parameter that holds the panel's id of the person.
    pub id: Option<String>,
    /// Names of further URL parameters, whose values are stored and can be inserted into the return
    /// URL.
    pub capture: Option<Vec<String>>,
    /// Kind of judgment for the panel's assessors; defaults to the first kind of the campaign.
    pub kind: Option<JudgmentKind>,
    /// Maximum number of assessors from the panel who work at a time or have worked; unlimited if
    /// omitted.
    pub limit: Option<u32>,
    /// Secret that must come as the parameter `key` of the panel's links, so that nobody enters
    /// with an invented id: 16 to 64 letters, digits, `-` and `_`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub secret: Option<String>,
    /// Completion code and return URL for each outcome of an assessor's work.
    pub outcomes: BTreeMap<WorkOutcome, OutcomeRedirect>,
}

partita_named::named_enum! {
    /// Respondent panel whose parameter names and URLs are known.
    pub enum RecruiterPreset: "preset" {
        /// Prolific
        Prolific = "prolific",
        /// CloudResearch Connect
        Connect = "connect",
    }
}

partita_named::named_enum! {
    /// Outcome of an assessor's work, which is reported to their recruiter.
    pub enum WorkOutcome: "outcome" {
        /// all work done
        Complete = "complete",
        /// stopped early
        Partial = "partial",
        /// no more assessors needed
        Full = "full",
        /// no consent given
        Refused = "refused",
        /// excluded by the organiser
        Excluded = "excluded",
        /// campaign closed
        Ended = "ended",
    }
}

/// Completion code and return URL for one outcome of an assessor's work.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct OutcomeRedirect {
    /// Completion code to pass back to the panel. The value `derived` gives every assessor a
    /// different code.
    pub code: Option<String>,
    /// URL that leads back to the panel. Placeholders in braces are replaced: `{code}`, `{id}`,
    /// `{person}` and captured parameters.
    pub url: Option<String>,
}

/// Reason why the limit of a panel cannot be raised.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PanelLimitError {
    /// The campaign has no panel.
    #[error("the campaign has no panel, so it has no limit")]
    NoPanel,
    /// The panel has no limit.
    #[error("the number of people from the panel is not limited")]
    Unlimited,
    /// The new limit is below the current one.
    #[error("the limit can only be raised: it is {known} now")]
    Lower {
        /// Current limit.
        known: u32,
    },
}

/// Name of the URL parameter that holds [`Recruiter::secret`].
const KEY_PARAMETER: &str = "key";

impl Recruiter {
    /// Returns the recruiter of a campaign with a higher maximum number of assessors; `None` if
    /// `limit` is the current one.
    ///
    /// # Errors
    /// Returns [`PanelLimitError`] if there is no panel, no limit, or a higher limit.
    pub fn with_raised_limit(
        recruiter: Option<&Self>,
        limit: u32,
    ) -> Result<Option<Self>, PanelLimitError> {
        let recruiter = recruiter.ok_or(PanelLimitError::NoPanel)?;
        let known = recruiter.limit.ok_or(PanelLimitError::Unlimited)?;
        if limit < known {
            return Err(PanelLimitError::Lower { known });
        }
        Ok((limit > known).then(|| Self {
            limit: Some(limit),
            ..recruiter.clone()
        }))
    }

    /// Returns the name of the panel, shown on the link back to it.
    pub fn display_name(&self) -> &str {
        let preset = self.preset.map(|preset| match preset {
            RecruiterPreset::Prolific => "Prolific",
            RecruiterPreset::Connect => "CloudResearch Connect",
        });
        self.name.as_deref().or(preset).unwrap_or_default()
    }

    /// Returns the name of the URL parameter that holds the panel's id of the person.
    pub fn id_parameter(&self) -> &str {
        let preset = self.preset.map(|preset| match preset {
            RecruiterPreset::Prolific => "PROLIFIC_PID",
            RecruiterPreset::Connect => "participantId",
        });
        self.id.as_deref().or(preset).unwrap_or_default()
    }

    /// Returns the names of the further URL parameters whose values are stored.
    pub fn captured_parameters(&self) -> Vec<&str> {
        match (&self.capture, self.preset) {
            (Some(names), _) => names.iter().map(String::as_str).collect(),
            (None, Some(RecruiterPreset::Prolific)) => vec!["STUDY_ID", "SESSION_ID"],
            (None, Some(RecruiterPreset::Connect)) => vec!["assignmentId", "projectId"],
            (None, None) => Vec::new(),
        }
    }

    /// Returns the completion code and return URL for an outcome. An excluded assessor gets those of
    /// `ended` as far as `excluded` has none of its own.
    pub fn redirect(&self, outcome: WorkOutcome) -> OutcomeRedirect {
        let of = |outcome| self.outcomes.get(&outcome).cloned().unwrap_or_default();
        let own = of(outcome);
        if outcome != WorkOutcome::Excluded {
            return own;
        }
        let ended = of(WorkOutcome::Ended);
        OutcomeRedirect {
            code: own.code.or(ended.code),
            url: own.url.or(ended.url),
        }
    }

    /// Returns the errors of the recruiter of a campaign that asks for these kinds of judgments.
    pub(super) fn validate(&self, kinds: &[JudgmentKind]) -> Vec<CampaignSpecError> {
        let mut errors = Vec::new();
        let mut add = |at: &str, kind| {
            errors.push(CampaignSpecError::new(format!("/recruiter/{at}"), kind));
        };
        if self.id_parameter().is_empty() {
            add("id", CampaignSpecErrorKind::NoIdParameter);
        }
        if self.display_name().is_empty() {
            add("name", CampaignSpecErrorKind::NoName("the panel"));
        }
        if let Some(secret) = &self.secret {
            let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
            if !(16..=64).contains(&secret.len()) || !secret.chars().all(is_plain) {
                let valid = "16 to 64 letters, digits, `-` and `_`";
                add("secret", CampaignSpecErrorKind::Option(valid));
            }
            let taken = CampaignSpecErrorKind::Option("another name: `key` holds the secret");
            if self.id_parameter() == KEY_PARAMETER {
                add("id", taken.clone());
            }
            if self.captured_parameters().contains(&KEY_PARAMETER) {
                add("capture", taken);
            }
        }
        if self.kind.is_some_and(|kind| !kinds.contains(&kind)) {
            add("kind", CampaignSpecErrorKind::NoTasksOfKind);
        }
        for (outcome, redirect) in &self.outcomes {
            if redirect.url.as_ref().is_some_and(|url| !is_https(url)) {
                let at = format!("outcomes/{outcome}/url");
                add(&at, CampaignSpecErrorKind::InsecureUrl);
            }
        }
        errors
    }
}

/// Returns true for an https URL without control characters whose host contains no placeholder, so
/// that parameters cannot change the host.
fn is_https(url: &str) -> bool {
    let Some(rest) = url.strip_prefix("https://") else {
        return false;
    };
    let host = (rest.split(['/', '?', '#']).next()).expect("a split has a first part");
    let plain = |c: char| c.is_ascii_alphanumeric() || ".-:".contains(c);
    !host.is_empty() && host.chars().all(plain) && !url.chars().any(char::is_control)
}

//! Recruiters: respondent panels that send assessors, and the outcomes of the assessors' work that
//! are reported back to them.

use std::collections::BTreeMap;

use partita::judging::campaign::JudgmentKind;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::auth::ServerSecret;
use crate::http::problem::FieldError;

/// Respondent panel that sends assessors to the campaign with an id in the URL.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Recruiter {
    /// Preset that supplies the parameter names and URLs of a known panel.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub preset: Option<RecruiterPreset>,
    /// Name of the panel, shown on the link back to it.
    #[serde(default)]
    pub name: Option<String>,
    /// Name of the URL parameter that holds the panel's id of the person.
    #[serde(default)]
    pub id: Option<String>,
    /// Names of further URL parameters, whose values are stored and can be inserted into the return
    /// URL.
    #[serde(default)]
    pub capture: Option<Vec<String>>,
    /// Kind of judgment for the panel's assessors; defaults to the first kind of the campaign.
    #[serde(default)]
    pub kind: Option<JudgmentKind>,
    /// Maximum number of assessors from the panel; unlimited if omitted.
    #[serde(default)]
    pub limit: Option<u32>,
    /// Completion code and return URL for each outcome of an assessor's work.
    #[serde(default)]
    pub outcomes: BTreeMap<WorkOutcome, OutcomeRedirect>,
}

partita::named::named_enum! {
    /// Respondent panel whose parameter names and URLs are known.
    pub enum RecruiterPreset: "preset" {
        /// Prolific
        Prolific = "prolific",
        /// CloudResearch Connect
        Connect = "connect",
    }
}

partita::named::named_enum! {
    /// Outcome of an assessor's work, which is reported to their recruiter.
    pub enum WorkOutcome: "outcome" {
        /// all work done
        Complete = "complete",
        /// stopped early
        Partial = "partial",
        /// no more assessors needed
        Full = "full",
        /// no consent given, or excluded
        Refused = "refused",
        /// campaign closed
        Ended = "ended",
    }
}

/// Completion code and return URL for one outcome of an assessor's work.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OutcomeRedirect {
    /// Completion code to pass back to the panel. The value `derived` gives every assessor a
    /// different code.
    #[serde(default)]
    pub code: Option<String>,
    /// URL that leads back to the panel. Placeholders in braces are replaced: `{code}`, `{id}`,
    /// `{person}` and captured parameters.
    #[serde(default)]
    pub url: Option<String>,
}

/// Outcome of an assessor's work, with the completion code and return URL to show them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub(crate) struct OutcomeView {
    /// Outcome of the assessor's work.
    pub outcome: WorkOutcome,
    /// Completion code to show to the assessor, if any.
    pub code: Option<String>,
    /// URL that leads back to the recruiter, if any.
    pub url: Option<String>,
    /// Name of the recruiter at the return URL.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

/// Data about an assessor that a recruiter passed in the URL.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct RecruiterClaim {
    /// Id that the recruiter uses for the person.
    pub(crate) id: String,
    /// Values of the captured URL parameters, by name.
    pub(crate) captured: BTreeMap<String, String>,
}

/// Value of [`OutcomeRedirect::code`] that gives every assessor a different code.
const DERIVED_CODE: &str = "derived";

/// Maximum length of the id that a recruiter uses for a person, in characters.
const MAX_ID_CHARS: usize = 64;

impl Recruiter {
    /// Returns the name of the panel, shown on the link back to it.
    pub(crate) fn name(&self) -> &str {
        let preset = self.preset.map(|preset| match preset {
            RecruiterPreset::Prolific => "Prolific",
            RecruiterPreset::Connect => "CloudResearch Connect",
        });
        self.name.as_deref().or(preset).unwrap_or_default()
    }

    /// Returns the name of the URL parameter that holds the panel's id of the person.
    fn id(&self) -> &str {
        let preset = self.preset.map(|preset| match preset {
            RecruiterPreset::Prolific => "PROLIFIC_PID",
            RecruiterPreset::Connect => "participantId",
        });
        self.id.as_deref().or(preset).unwrap_or_default()
    }

    /// Returns the names of the further URL parameters whose values are stored.
    fn capture(&self) -> Vec<&str> {
        match (&self.capture, self.preset) {
            (Some(names), _) => names.iter().map(String::as_str).collect(),
            (None, Some(RecruiterPreset::Prolific)) => vec!["STUDY_ID", "SESSION_ID"],
            (None, Some(RecruiterPreset::Connect)) => vec!["assignmentId", "projectId"],
            (None, None) => Vec::new(),
        }
    }

    /// Extracts the recruiter's data about an assessor from URL parameters; returns `None` if they
    /// hold no valid id.
    pub(crate) fn claim(&self, params: &BTreeMap<String, String>) -> Option<RecruiterClaim> {
        let plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        let id = params.get(self.id())?;
        if id.is_empty() || id.len() > MAX_ID_CHARS || !id.chars().all(plain) {
            return None;
        }
        let captured = self.capture().into_iter().filter_map(|name| {
            let value: String = params.get(name)?.chars().take(256).collect();
            Some((name.to_owned(), value))
        });
        Some(RecruiterClaim {
            id: id.clone(),
            captured: captured.collect(),
        })
    }

    /// Returns the completion code and return URL for an outcome of an assessor's work.
    pub(crate) fn outcome(
        &self,
        outcome: WorkOutcome,
        person: &str,
        claim: Option<&RecruiterClaim>,
        secret: &ServerSecret,
    ) -> OutcomeView {
        let redirect = self.outcomes.get(&outcome).cloned().unwrap_or_default();
        let code = match redirect.code.as_deref() {
            Some(DERIVED_CODE) => Some(secret.completion_code(person, outcome)),
            code => code.map(str::to_owned),
        };
        let preset = match self.preset {
            Some(RecruiterPreset::Prolific) => {
                Some("https://app.prolific.com/submissions/complete?cc={code}".to_owned())
            }
            _ => None,
        };
        let url = redirect.url.or(preset.filter(|_| code.is_some()));
        let url = url.map(|url| {
            let mut values = vec![
                ("code", code.as_deref().unwrap_or_default()),
                ("person", person),
            ];
            if let Some(claim) = claim {
                values.push(("id", &claim.id));
                let captured = claim.captured.iter();
                values.extend(captured.map(|(name, value)| (name.as_str(), value.as_str())));
            }
            expand_template(&url, &values)
        });
        OutcomeView {
            outcome,
            code,
            url,
            name: Some(self.name().to_owned()),
        }
    }

    /// Returns the validation errors of the recruiter settings.
    pub(crate) fn validate(&self, kinds: &[JudgmentKind]) -> Vec<FieldError> {
        let mut field_errors = Vec::new();
        let mut add_error = |at: &str, detail: &str| {
            field_errors.push(FieldError::new(format!("/recruiter/{at}"), detail));
        };
        if self.id().is_empty() {
            add_error("id", "the parameter with the id of a person is missing");
        }
        if self.name().is_empty() {
            add_error("name", "the name of the panel is missing");
        }
        if self.kind.is_some_and(|kind| !kinds.contains(&kind)) {
            add_error("kind", "the campaign has no tasks of this kind");
        }
        for (outcome, redirect) in &self.outcomes {
            if redirect.url.as_ref().is_some_and(|url| !is_https(url)) {
                let at = format!("outcomes/{outcome}/url");
                add_error(&at, "the address must begin with https://");
            }
        }
        field_errors
    }
}

/// Returns true for an https URL without control characters whose host contains no placeholder, so
/// that parameters cannot change the host.
fn is_https(url: &str) -> bool {
    let Some(rest) = url.strip_prefix("https://") else {
        return false;
    };
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let plain = |c: char| c.is_ascii_alphanumeric() || ".-:".contains(c);
    !host.is_empty() && host.chars().all(plain) && !url.chars().any(char::is_control)
}

/// Replaces placeholders in braces by their percent-encoded values, and removes unknown
/// placeholders.
fn expand_template(url: &str, values: &[(&str, &str)]) -> String {
    let mut filled = String::new();
    let mut rest = url;
    while let Some(begin) = rest.find('{') {
        let (before, after) = rest.split_at(begin);
        filled.push_str(before);
        let Some(end) = after.find('}') else {
            rest = after;
            break;
        };
        let name = &after[1..end];
        if let Some((_, value)) = values.iter().find(|(known, _)| *known == name) {
            filled.extend(utf8_percent_encode(value, NON_ALPHANUMERIC));
        }
        rest = &after[end + 1..];
    }
    filled + rest
}

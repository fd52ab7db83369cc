//! Recruiters: respondent panels that send assessors, and the outcomes of the assessors' work that
//! are reported back to them.

use std::collections::BTreeMap;

use partita::judging::campaign::{Recruiter, RecruiterPreset, WorkOutcome};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::auth::ServerSecret;

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

/// Value of [`OutcomeRedirect::code`](partita::judging::campaign::OutcomeRedirect::code) that gives
/// every assessor a different code.
const DERIVED_CODE: &str = "derived";

/// Maximum length of the id that a recruiter uses for a person, in characters.
const MAX_ID_CHARS: usize = 64;

impl RecruiterClaim {
    /// Extracts the recruiter's data about an assessor from URL parameters; returns `None` if they
    /// hold no valid id.
    pub(crate) fn from_params(
        recruiter: &Recruiter,
        params: &BTreeMap<String, String>,
    ) -> Option<Self> {
        let plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        let id = params.get(recruiter.id_parameter())?;
        if id.is_empty() || id.len() > MAX_ID_CHARS || !id.chars().all(plain) {
            return None;
        }
        let captured = recruiter.captured_parameters().into_iter();
        let captured = captured.filter_map(|name| {
            let value: String = params.get(name)?.chars().take(256).collect();
            Some((name.to_owned(), value))
        });
        Some(Self {
            id: id.clone(),
            captured: captured.collect(),
        })
    }
}

impl OutcomeView {
    /// Returns the completion code and return URL for an outcome of an assessor's work.
    pub(crate) fn new(
        recruiter: &Recruiter,
        outcome: WorkOutcome,
        person: &str,
        claim: Option<&RecruiterClaim>,
        secret: &ServerSecret,
    ) -> Self {
        let redirect = recruiter
            .outcomes
            .get(&outcome)
            .cloned()
            .unwrap_or_default();
        let code = match redirect.code.as_deref() {
            Some(DERIVED_CODE) => Some(secret.completion_code(person, outcome)),
            code => code.map(str::to_owned),
        };
        let preset = match recruiter.preset {
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
        Self {
            outcome,
            code,
            url,
            name: Some(recruiter.display_name().to_owned()),
        }
    }
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

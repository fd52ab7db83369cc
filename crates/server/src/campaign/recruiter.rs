//! Recruiters: respondent panels that send assessors, and the outcomes of the assessors' work that
//! are reported back to them.

use std::collections::BTreeMap;

use partita::judging::campaign::{Recruiter, RecruiterPreset, WorkOutcome};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use subtle::ConstantTimeEq as _;

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

/// Returns the code that an assessor gets for an outcome of their work. Those without a recruiter
/// get one as well, as evidence of their work.
pub(crate) fn completion_code(
    recruiter: Option<&Recruiter>,
    outcome: WorkOutcome,
    person: &str,
    secret: &ServerSecret,
) -> Option<String> {
    let derived = || {
        // The code of an excluded assessor must not tell more than that their work has ended.
        let has_own = recruiter.is_some_and(|recruiter| {
            let own = recruiter.outcomes.get(&outcome);
            own.is_some_and(|own| own.code.is_some())
        });
        let outcome = match outcome {
            WorkOutcome::Excluded if !has_own => WorkOutcome::Ended,
            outcome => outcome,
        };
        secret.completion_code(person, outcome)
    };
    let Some(recruiter) = recruiter else {
        return Some(derived());
    };
    match recruiter.redirect(outcome).code {
        Some(code) if code == DERIVED_CODE => Some(derived()),
        code => code,
    }
}

/// Maximum length of the id that a recruiter uses for a person, in characters.
const MAX_ID_CHARS: usize = 64;

/// Name of the URL parameter that holds the secret of the recruiter.
const KEY_PARAMETER: &str = "key";

/// Returns true if URL parameters hold the secret of the recruiter, or it has none. The comparison
/// takes the same time for every wrong secret.
pub(crate) fn has_link_key(recruiter: &Recruiter, params: &BTreeMap<String, String>) -> bool {
    recruiter.secret.as_ref().is_none_or(|secret| {
        let given = params.get(KEY_PARAMETER).map_or("", String::as_str);
        bool::from(secret.as_bytes().ct_eq(given.as_bytes()))
    })
}

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
        let redirect = recruiter.redirect(outcome);
        let code = completion_code(Some(recruiter), outcome, person, secret);
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

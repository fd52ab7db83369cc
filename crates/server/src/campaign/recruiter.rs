//! Who may judge: invites, and the panels that send people.

use std::collections::BTreeMap;

use partita_judging::campaign::JudgmentKind;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::auth::ServerSecret;
use crate::http::problem::FieldError;

/// A panel that sends people, who bring an id in the address.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Recruiter {
    /// A panel whose names and addresses are known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub preset: Option<RecruiterPreset>,
    /// What people read on the link back.
    #[serde(default)]
    pub name: Option<String>,
    /// The parameter of the address that holds the id of a person.
    #[serde(default)]
    pub id: Option<String>,
    /// Other parameters that are kept for the way back.
    #[serde(default)]
    pub capture: Option<Vec<String>>,
    /// What its people judge; the first kind of the campaign if not given.
    #[serde(default)]
    pub kind: Option<JudgmentKind>,
    /// How many of its people are let in.
    #[serde(default)]
    pub limit: Option<u32>,
    /// What becomes of them in the end.
    #[serde(default)]
    pub outcomes: BTreeMap<WorkOutcome, OutcomeRedirect>,
}

partita_named::named_enum! {
    /// A panel whose names and addresses are known.
    pub enum RecruiterPreset: "preset" {
        /// Prolific
        Prolific = "prolific",
        /// CloudResearch Connect
        Connect = "connect",
    }
}

partita_named::named_enum! {
    /// How somebody's work ended.
    pub enum WorkOutcome: "outcome" {
        /// they did all there was
        Complete = "complete",
        /// they stopped
        Partial = "partial",
        /// nobody else was needed
        Full = "full",
        /// they did not agree, or were excluded
        Refused = "refused",
        /// the campaign was over
        Ended = "ended",
    }
}

/// What somebody gets in the end.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OutcomeRedirect {
    /// The code that shows how it ended; `derived` for one that differs from person to person.
    #[serde(default)]
    pub code: Option<String>,
    /// Where they go, with `{code}`, `{id}`, `{person}` and captured names in braces.
    #[serde(default)]
    pub url: Option<String>,
}

/// How somebody's work ended, and where they go with that.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub(crate) struct OutcomeView {
    /// How it ended.
    pub outcome: WorkOutcome,
    /// The code to be shown.
    pub code: Option<String>,
    /// The address to go to.
    pub url: Option<String>,
    /// What the place is called that they go to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

/// What a panel said of a person.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct RecruiterClaim {
    /// The id.
    pub(crate) id: String,
    /// What else was in the address.
    pub(crate) captured: BTreeMap<String, String>,
}

/// What stands for a code that differs from person to person.
const DERIVED: &str = "derived";

/// The most characters of an id that a panel gives.
const LONGEST_ID: usize = 64;

impl Recruiter {
    /// What people read on the link back.
    pub(crate) fn name(&self) -> &str {
        let preset = self.preset.map(|preset| match preset {
            RecruiterPreset::Prolific => "Prolific",
            RecruiterPreset::Connect => "CloudResearch Connect",
        });
        self.name.as_deref().or(preset).unwrap_or_default()
    }

    fn id(&self) -> &str {
        let preset = self.preset.map(|preset| match preset {
            RecruiterPreset::Prolific => "PROLIFIC_PID",
            RecruiterPreset::Connect => "participantId",
        });
        self.id.as_deref().or(preset).unwrap_or_default()
    }

    fn capture(&self) -> Vec<&str> {
        match (&self.capture, self.preset) {
            (Some(names), _) => names.iter().map(String::as_str).collect(),
            (None, Some(RecruiterPreset::Prolific)) => vec!["STUDY_ID", "SESSION_ID"],
            (None, Some(RecruiterPreset::Connect)) => vec!["assignmentId", "projectId"],
            (None, None) => Vec::new(),
        }
    }

    /// What the parameters of an address say of a person; nothing if they hold no id.
    pub(crate) fn claim(&self, params: &BTreeMap<String, String>) -> Option<RecruiterClaim> {
        let plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        let id = params.get(self.id())?;
        if id.is_empty() || id.len() > LONGEST_ID || !id.chars().all(plain) {
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

    /// What somebody gets in the end.
    pub(crate) fn outcome(
        &self,
        end: WorkOutcome,
        person: &str,
        claim: Option<&RecruiterClaim>,
        secret: &ServerSecret,
    ) -> OutcomeView {
        let way = self.outcomes.get(&end).cloned().unwrap_or_default();
        let code = match way.code.as_deref() {
            Some(DERIVED) => Some(secret.completion_code(person, end)),
            code => code.map(str::to_owned),
        };
        let preset = match self.preset {
            Some(RecruiterPreset::Prolific) => {
                Some("https://app.prolific.com/submissions/complete?cc={code}".to_owned())
            }
            _ => None,
        };
        let url = way.url.or(preset.filter(|_| code.is_some()));
        let url = url.map(|url| {
            let mut names = vec![
                ("code", code.as_deref().unwrap_or_default()),
                ("person", person),
            ];
            if let Some(claim) = claim {
                names.push(("id", &claim.id));
                let captured = claim.captured.iter();
                names.extend(captured.map(|(name, value)| (name.as_str(), value.as_str())));
            }
            expand_template(&url, &names)
        });
        OutcomeView {
            outcome: end,
            code,
            url,
            name: Some(self.name().to_owned()),
        }
    }

    /// What is wrong with it.
    pub(crate) fn validate(&self, kinds: &[JudgmentKind]) -> Vec<FieldError> {
        let mut faults = Vec::new();
        let mut wrong = |at: &str, detail: &str| {
            faults.push(FieldError::new(format!("/recruiter/{at}"), detail));
        };
        if self.id().is_empty() {
            wrong("id", "the parameter with the id of a person is missing");
        }
        if self.name().is_empty() {
            wrong("name", "the name of the panel is missing");
        }
        if self.kind.is_some_and(|kind| !kinds.contains(&kind)) {
            wrong("kind", "the campaign has no tasks of this kind");
        }
        for (end, way) in &self.outcomes {
            if way.url.as_ref().is_some_and(|url| !is_https(url)) {
                let at = format!("outcomes/{end}/url");
                wrong(&at, "the address must begin with https://");
            }
        }
        faults
    }
}

/// Whether an address is one of https, with a host that no value can change.
fn is_https(url: &str) -> bool {
    let Some(rest) = url.strip_prefix("https://") else {
        return false;
    };
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let plain = |c: char| c.is_ascii_alphanumeric() || ".-:".contains(c);
    !host.is_empty() && host.chars().all(plain) && !url.chars().any(char::is_control)
}

/// An address with names in braces replaced by their values.
fn expand_template(url: &str, names: &[(&str, &str)]) -> String {
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
        if let Some((_, value)) = names.iter().find(|(known, _)| *known == name) {
            filled.extend(utf8_percent_encode(value, NON_ALPHANUMERIC));
        }
        rest = &after[end + 1..];
    }
    filled + rest
}

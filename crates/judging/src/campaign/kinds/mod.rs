//! Kinds of judgment, one file each. A kind says how its answers stand in the log and on the page of
//! an assessor, what is asked, which answers are valid and count, and which lists they give. A new
//! kind is a file here and a line in [`PROTOCOLS`], besides its variants of `Judgment` and
//! `JudgmentKind` and the script of its page.
//!
//! Imports the log and the engine.

#[cfg(feature = "best-worst")]
pub(crate) mod best_worst;
pub(crate) mod grade;
pub(crate) mod latest_answers;
pub(crate) mod preference;
pub(crate) mod ranking;

use partita_core::judgment::{Answer, AnswerRole, Judgment, JudgmentKind};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::campaign::engine::assignment::{AssessorContext, Assignment};
use crate::campaign::engine::list::ListRecord;
use crate::campaign::engine::subject::SubjectItems;
use crate::campaign::input_error::InputError;
use crate::campaign::{Campaign, CampaignEvidence, DEFAULT_GRADERS, ExportRequest, JudgingOptions};

/// Error in the fields of a judgment, with the path of the invalid field.
pub type JudgmentFieldError = serde_path_to_error::Error<serde_json::Error>;

/// Kind of event in the log that records answers.
pub(crate) struct LogTag {
    /// Value of the field `event` of the log line.
    pub(crate) name: &'static str,
    /// Description of the event in the JSON schema of the log.
    pub(crate) description: &'static str,
}

/// Everything that a campaign needs to know about one kind of judgment.
pub(crate) trait JudgmentProtocol: Sync {
    /// Returns the kind of judgment.
    fn kind(&self) -> JudgmentKind;

    /// Returns the word for one judgment of this kind in messages. Its plural ends in `s`.
    fn noun(&self) -> &'static str;

    /// Returns true if the judgments are votes on pairs. Votes are requested by a strategy, so that
    /// answers can lead to new questions. Other kinds have fixed questions:
    /// [`JudgmentProtocol::subjects`].
    fn asks_for_votes(&self) -> bool {
        false
    }

    /// Returns the number of assessors who answer each question if the campaign does not set it, or
    /// `None` for all assessors who come. Does not apply to votes on pairs.
    fn default_graders(&self) -> Option<u32> {
        Some(DEFAULT_GRADERS)
    }

    /// Returns the events that record answers of this kind.
    fn log_tags(&self) -> &'static [LogTag];

    /// Appends the fields of an answer's log line to `out`, from the field `event` on, without the
    /// braces of the JSON object.
    fn write(&self, answer: &Answer, role: AnswerRole, out: &mut Vec<u8>);

    /// Parses the fields that follow the field `event` in a log line. `tag` is one of the names of
    /// [`JudgmentProtocol::log_tags`].
    fn read(&self, tag: &str, fields: &[u8]) -> Result<(Answer, AnswerRole), serde_json::Error>;

    /// Returns the JSON schema of the fields that follow the field `event` in a log line.
    fn line_schema(&self, tag: &str, generator: &mut SchemaGenerator) -> Schema;

    /// Parses the fields of a judgment that the page of an assessor sent. Unknown fields are an
    /// error.
    fn parse_judgment(&self, fields: Map<String, Value>) -> Result<Judgment, JudgmentFieldError>;

    /// Returns the JSON schema of the fields that [`JudgmentProtocol::parse_judgment`] parses.
    fn judgment_schema(&self, generator: &mut SchemaGenerator) -> Schema;

    /// Returns the items of a subject, given the names of the items of a question about this list.
    ///
    /// # Errors
    /// Returns [`InputError`] if the question has the wrong number of items, or an unknown one.
    fn subject_items(
        &self,
        list: &ListRecord,
        items: &[String],
    ) -> Result<SubjectItems, InputError>;

    /// Returns the subjects of a list on each of which the campaign wants the judgments of
    /// [`graders`](crate::campaign::JudgingOptions::graders) assessors. Empty for preferences, whose
    /// pairs the strategy chooses.
    fn subjects(&self, list: &ListRecord) -> Vec<SubjectItems>;

    /// Returns true if questions about this list make sense.
    fn can_be_asked(&self, list: &ListRecord) -> bool {
        !list.items.is_empty()
    }

    /// Checks that an answer is about the list of its query, that its judgment answers its question
    /// and that it may have this role.
    fn check(&self, list: &ListRecord, answer: &Answer, role: AnswerRole)
    -> Result<(), InputError>;

    /// Applies a validated answer. By default the latest answer of each assessor to a question
    /// counts.
    fn apply(&self, campaign: &mut Campaign, answer: &Answer, _: AnswerRole) {
        campaign.apply_judgment(answer);
    }

    /// Chooses the next question for an assessor. By default it is one that lacks answers.
    fn choose(&self, campaign: &Campaign, context: &AssessorContext<'_>) -> Option<Assignment> {
        campaign.choose_missing_judgment(self.kind(), context)
    }

    /// Returns the judgments of this kind that count, or the lists that the campaign makes of them.
    fn evidence(
        &self,
        campaign: &Campaign,
        request: &ExportRequest,
    ) -> Result<CampaignEvidence, InputError>;

    /// Returns true if two judgments on the same question are the same.
    fn same_judgment(&self, one: &Judgment, other: &Judgment) -> bool {
        one == other
    }
}

/// All kinds of judgment. The first is the most frequent in logs.
pub(crate) static PROTOCOLS: &[&dyn JudgmentProtocol] = &[
    &preference::PROTOCOL,
    &ranking::PROTOCOL,
    &grade::PROTOCOL,
    #[cfg(feature = "best-worst")]
    &best_worst::PROTOCOL,
];

/// Returns the protocol of a kind of judgment.
pub(crate) fn protocol(kind: JudgmentKind) -> &'static dyn JudgmentProtocol {
    let mut known = PROTOCOLS.iter().copied();
    known
        .find(|protocol| protocol.kind() == kind)
        .expect("every kind of judgment has a protocol")
}

/// Returns the protocol whose answers are recorded by events with this name.
pub(crate) fn protocol_of_tag(name: &str) -> Option<&'static dyn JudgmentProtocol> {
    let mut known = PROTOCOLS.iter().copied();
    known.find(|protocol| protocol.log_tags().iter().any(|tag| tag.name == name))
}

/// Returns the word for one judgment of a kind in messages, such as `ranking`. Its plural ends in
/// `s`.
pub fn judgment_noun(kind: JudgmentKind) -> &'static str {
    protocol(kind).noun()
}

impl JudgingOptions {
    /// Returns the number of assessors who answer each question of this kind; `None` if there is no
    /// limit. Does not apply to preferences, whose number of votes is a setting of the engine.
    pub fn graders_for(&self, kind: JudgmentKind) -> Option<u32> {
        self.graders.or(protocol(kind).default_graders())
    }

    /// Writes the default number of graders to `graders`, because it may change in a later version.
    /// Leaves it open if one of the kinds has no limit by default.
    pub(super) fn state_graders(&mut self, kinds: &[JudgmentKind]) {
        let mut kinds = kinds.iter();
        if kinds.all(|&kind| protocol(kind).default_graders().is_some()) {
            self.graders.get_or_insert(DEFAULT_GRADERS);
        }
    }
}

/// Returns true if the judgments of a kind are votes on pairs, so that answers can lead to new
/// questions. The questions of other kinds are fixed.
pub fn asks_for_votes(kind: JudgmentKind) -> bool {
    protocol(kind).asks_for_votes()
}

/// Parses the fields of a judgment that the page of an assessor sent.
///
/// # Errors
/// Returns the path of a field that is invalid, missing or unknown.
pub fn parse_judgment(
    kind: JudgmentKind,
    fields: Map<String, Value>,
) -> Result<Judgment, JudgmentFieldError> {
    protocol(kind).parse_judgment(fields)
}

/// Returns the JSON schema of the fields that [`parse_judgment`] parses.
pub fn judgment_schema(kind: JudgmentKind, generator: &mut SchemaGenerator) -> Schema {
    protocol(kind).judgment_schema(generator)
}

/// Times and id of an answer as it was submitted: last fields of its log line. Lines of preferences,
/// which are nearly all lines of a log, have these fields themselves, because flattened ones take
/// longer to read.
#[derive(Serialize, Deserialize, JsonSchema)]
struct SubmissionFields {
    /// Time taken to answer, in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    seconds: Option<f64>,
    /// Time of the answer, in seconds since 1970.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    time: Option<f64>,
    /// Id of the answer on the platform where it was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    id: Option<String>,
}

impl SubmissionFields {
    fn from_answer(answer: &Answer) -> Self {
        Self {
            seconds: answer.seconds,
            time: answer.time,
            id: answer.id.clone(),
        }
    }

    /// Returns the answer with these times and this id.
    fn describe(self, answer: Answer) -> Answer {
        Answer {
            seconds: self.seconds,
            time: self.time,
            id: self.id,
            ..answer
        }
    }
}

/// Parses JSON fields, with the path of the field in an error.
fn parse_fields<T: DeserializeOwned>(fields: Map<String, Value>) -> Result<T, JudgmentFieldError> {
    serde_path_to_error::deserialize(Value::Object(fields))
}

/// Appends the field `event` with this name and the fields of `line`, which serialises to a JSON
/// object, to `out`.
fn write_line(tag: &str, line: &impl serde::Serialize, out: &mut Vec<u8>) {
    out.extend_from_slice(b"\"event\":\"");
    out.extend_from_slice(tag.as_bytes());
    out.push(b'"');
    let start = out.len();
    // Validation has rejected numbers that JSON cannot represent.
    serde_json::to_writer(&mut *out, line).expect("strings and finite numbers serialise to JSON");
    let ends = (out[start], out.pop());
    assert_eq!(ends, (b'{', Some(b'}')), "an answer is a JSON object");
    out[start] = b',';
}

//! Preferences between two items.

use std::borrow::Cow;
use std::collections::BTreeMap;

use partita_core::Preference;
use partita_core::judgment::{
    Answer, AnswerRole, Judgment, JudgmentKind, Playback, Question, StimulusPart,
};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::Error as _;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{JudgmentFieldError, JudgmentProtocol, LogTag, parse_fields, write_line};
use crate::campaign::engine::assignment::{AssessorContext, Assignment};
use crate::campaign::engine::list::ListRecord;
use crate::campaign::engine::subject::SubjectItems;
use crate::campaign::input_error::InputError;
use crate::campaign::log::event::PreferenceChoice;
use crate::campaign::log::fast_parser::parse_answer;
use crate::campaign::log::wrap_in_braces;
use crate::campaign::{Campaign, CampaignEvidence, ExportRequest};

pub(crate) static PROTOCOL: PreferenceProtocol = PreferenceProtocol;

/// Protocol of preferences between two items.
pub(crate) struct PreferenceProtocol;

/// Answer of an assessor to a pair question, as recorded in the log.
#[derive(Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "PreferenceAnswer")]
struct PreferenceLine<'l> {
    /// Query name.
    #[serde(borrow)]
    query: Cow<'l, str>,
    /// The item shown first.
    #[serde(borrow)]
    a: Cow<'l, str>,
    /// The item shown second.
    #[serde(borrow)]
    b: Cow<'l, str>,
    /// Assessor who answered.
    #[serde(borrow)]
    assessor: Cow<'l, str>,
    /// Choice of the assessor.
    answer: PreferenceChoice,
    /// Time taken to answer, in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    seconds: Option<f64>,
    /// Time of the answer, in seconds since 1970.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    time: Option<f64>,
    /// Id of the answer on the platform where it was given, unique per assessor.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    id: Option<Cow<'l, str>>,
    /// Batch of an imported answer, as named by its source. Other answers belong to the batch that
    /// requested their pair.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    batch: Option<Cow<'l, str>>,
    /// Playback of each part of the question, keyed by `query`, `a` and `b`.
    #[serde(default, skip_serializing_if = "is_empty")]
    #[schemars(with = "BTreeMap<String, Playback>")]
    listened: Cow<'l, BTreeMap<StimulusPart, Playback>>,
    /// Time during which the page with the question was not visible, in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    hidden: Option<f64>,
}

/// Answer to a gold pair, that is, to a pair with a known answer.
#[derive(Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "GoldAnswer")]
struct GoldLine<'l> {
    /// Answer as the assessor gave it.
    #[serde(borrow, flatten)]
    answer: PreferenceLine<'l>,
    /// Correct choice, for the items in the order shown.
    expected: PreferenceChoice,
}

/// Returns true if no part of a question was played, which serialisation omits.
fn is_empty(playback: &BTreeMap<StimulusPart, Playback>) -> bool {
    playback.is_empty()
}

impl<'l> PreferenceLine<'l> {
    fn from_answer(answer: &'l Answer) -> Self {
        let [a, b] = answer
            .question
            .pair()
            .expect("validation checked that the question is a pair");
        Self {
            query: answer.question.query.as_str().into(),
            a: a.into(),
            b: b.into(),
            assessor: answer.assessor.as_str().into(),
            answer: answer.judgment.preference().into(),
            seconds: answer.seconds,
            time: answer.time,
            id: answer.id.as_deref().map(Cow::Borrowed),
            batch: answer.batch.as_deref().map(Cow::Borrowed),
            listened: Cow::Borrowed(&answer.playback),
            hidden: answer.hidden_seconds,
        }
    }

    fn into_answer(self) -> Answer {
        Answer {
            id: self.id.map(Cow::into_owned),
            assessor: self.assessor.into_owned(),
            question: Question {
                kind: JudgmentKind::Preference,
                query: self.query.into_owned(),
                items: vec![self.a.into_owned(), self.b.into_owned()],
            },
            judgment: Judgment::Preference(self.answer.preference()),
            seconds: self.seconds,
            time: self.time,
            playback: self.listened.into_owned(),
            hidden_seconds: self.hidden,
            batch: self.batch.map(Cow::into_owned),
        }
    }
}

/// Returns whether a preference that can be a vote was imported; `None` for answers to gold pairs
/// and for judgments of other kinds.
pub(crate) fn is_imported_vote(answer: &Answer, role: AnswerRole) -> Option<bool> {
    match (&answer.judgment, role) {
        (Judgment::Preference(_), AnswerRole::Vote) => Some(false),
        (Judgment::Preference(_), AnswerRole::Imported) => Some(true),
        _ => None,
    }
}

/// Parses the JSON fields of an answer to a pair question, in any order.
pub(crate) fn parse_line(fields: &[u8]) -> Result<Answer, serde_json::Error> {
    let object = wrap_in_braces(fields);
    let line: PreferenceLine<'_> = serde_json::from_slice(&object)?;
    Ok(line.into_answer())
}

/// Preference between two items, as the page of an assessor sends it.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct PreferenceFields {
    /// Choice of the more similar item: `a`, `b` or `equal`.
    answer: Preference,
}

const ANSWERED: &str = "answered";
const ADOPTED: &str = "adopted";
const CHECKED: &str = "checked";

impl JudgmentProtocol for PreferenceProtocol {
    fn kind(&self) -> JudgmentKind {
        JudgmentKind::Preference
    }

    fn noun(&self) -> &'static str {
        "answer"
    }

    fn asks_for_votes(&self) -> bool {
        true
    }

    fn log_tags(&self) -> &'static [LogTag] {
        &[
            LogTag {
                name: ANSWERED,
                description: "An assessor answered a pair.",
            },
            LogTag {
                name: ADOPTED,
                description: "An answer from before or outside the campaign was imported. It \
                              counts as a vote if votes on\nits pair are requested, before or \
                              after the import.",
            },
            LogTag {
                name: CHECKED,
                description: "An assessor answered a gold pair. It shows how carefully they \
                              answer and is never a vote.",
            },
        ]
    }

    fn write(&self, answer: &Answer, role: AnswerRole, out: &mut Vec<u8>) {
        let line = PreferenceLine::from_answer(answer);
        match role {
            AnswerRole::Vote => write_line(ANSWERED, &line, out),
            AnswerRole::Imported => write_line(ADOPTED, &line, out),
            AnswerRole::Gold { expected } => {
                let expected = Some(expected).into();
                let line = GoldLine {
                    answer: line,
                    expected,
                };
                write_line(CHECKED, &line, out);
            }
        }
    }

    fn read(&self, tag: &str, fields: &[u8]) -> Result<(Answer, AnswerRole), serde_json::Error> {
        if tag == CHECKED {
            let object = wrap_in_braces(fields);
            let GoldLine { answer, expected } = serde_json::from_slice(&object)?;
            let expected = expected
                .preference()
                .ok_or_else(|| serde_json::Error::custom("the answer that is expected is blank"))?;
            return Ok((answer.into_answer(), AnswerRole::Gold { expected }));
        }
        let role = match tag {
            ADOPTED => AnswerRole::Imported,
            _ => AnswerRole::Vote,
        };
        let answer = match parse_answer(fields) {
            Some(answer) => answer,
            None => parse_line(fields)?,
        };
        Ok((answer, role))
    }

    fn line_schema(&self, tag: &str, generator: &mut SchemaGenerator) -> Schema {
        match tag {
            CHECKED => generator.subschema_for::<GoldLine<'_>>(),
            _ => generator.subschema_for::<PreferenceLine<'_>>(),
        }
    }

    fn parse_judgment(&self, fields: Map<String, Value>) -> Result<Judgment, JudgmentFieldError> {
        let PreferenceFields { answer } = parse_fields(fields)?;
        Ok(Judgment::Preference(Some(answer)))
    }

    fn judgment_schema(&self, generator: &mut SchemaGenerator) -> Schema {
        PreferenceFields::json_schema(generator)
    }

    fn subject_items(
        &self,
        list: &ListRecord,
        items: &[String],
    ) -> Result<SubjectItems, InputError> {
        let [a, b] = items else {
            return Err(InputError::WrongKind);
        };
        let (a, b) = list.find_two_items(a, b)?;
        let (low, high) = list.class_pair(a, b);
        Ok([low, high].into())
    }

    fn subjects(&self, _: &ListRecord) -> Vec<SubjectItems> {
        Vec::new()
    }

    fn check(&self, list: &ListRecord, answer: &Answer, _: AnswerRole) -> Result<(), InputError> {
        match answer.judgment {
            Judgment::Preference(_) => self.subject_items(list, &answer.question.items).map(drop),
            _ => Err(InputError::WrongKind),
        }
    }

    fn apply(&self, campaign: &mut Campaign, answer: &Answer, role: AnswerRole) {
        if let AnswerRole::Gold { expected } = role {
            campaign.apply_gold_answer(answer, expected);
            return;
        }
        let place = campaign.locate_answer(answer);
        let place = place.expect("the answer was validated");
        campaign.apply_answer(place, answer, role == AnswerRole::Imported);
    }

    fn choose(&self, campaign: &Campaign, context: &AssessorContext<'_>) -> Option<Assignment> {
        campaign.choose_preference(context)
    }

    fn evidence(
        &self,
        campaign: &Campaign,
        request: &ExportRequest,
    ) -> Result<CampaignEvidence, InputError> {
        let lists = campaign.export(request)?;
        Ok(CampaignEvidence::Lists(Box::new(lists)))
    }
}

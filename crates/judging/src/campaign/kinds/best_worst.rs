//! Best and worst of four items (Louviere and Woodworth 1991). Only a test is compiled with this
//! kind: it shows that a new kind of judgment needs no other file.

use std::borrow::Cow;
use std::collections::BTreeMap;

use partita_core::judgment::{Answer, AnswerRole, Judgment, JudgmentKind, Question};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{JudgmentFieldError, JudgmentProtocol, LogTag, parse_fields, write_line};
use crate::campaign::engine::list::ListRecord;
use crate::campaign::engine::subject::SubjectItems;
use crate::campaign::input_error::InputError;
use crate::campaign::log::wrap_in_braces;
use crate::campaign::{Campaign, CampaignEvidence, ExportRequest, ExportedLists};

pub(crate) static PROTOCOL: BestWorstProtocol = BestWorstProtocol;

/// Protocol of choices of the best and the worst of four items.
pub(crate) struct BestWorstProtocol;

/// Choice of the best and the worst of four items, as recorded in the log.
#[derive(Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "BestWorstAnswer")]
struct BestWorstLine<'l> {
    /// Query name.
    #[serde(borrow)]
    query: Cow<'l, str>,
    /// The four items in the order shown.
    items: Cow<'l, [String]>,
    /// Assessor who chose.
    #[serde(borrow)]
    assessor: Cow<'l, str>,
    /// Item closest to the query, and item least close to it.
    #[serde(flatten)]
    choice: BestWorstFields,
    /// Id of the answer on the platform where it was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    id: Option<Cow<'l, str>>,
}

/// Best and worst of four items.
#[derive(Serialize, Deserialize, JsonSchema)]
struct BestWorstFields {
    /// Item closest to the query.
    best: String,
    /// Item least close to the query.
    worst: String,
}

const CHOSEN: &str = "chosen";

/// Returns the best and the worst item of a judgment of this kind.
fn choice(judgment: &Judgment) -> Option<&[String; 2]> {
    match judgment {
        Judgment::BestWorst(choice) => Some(choice),
        _ => None,
    }
}

impl JudgmentProtocol for BestWorstProtocol {
    fn kind(&self) -> JudgmentKind {
        JudgmentKind::BestWorst
    }

    fn noun(&self) -> &'static str {
        "choice"
    }

    fn log_tags(&self) -> &'static [LogTag] {
        &[LogTag {
            name: CHOSEN,
            description: "An assessor chose the best and the worst of four items.",
        }]
    }

    fn write(&self, answer: &Answer, _: AnswerRole, out: &mut Vec<u8>) {
        let [best, worst] = choice(&answer.judgment)
            .expect("validation checked the kind of the judgment")
            .clone();
        let line = BestWorstLine {
            query: answer.question.query.as_str().into(),
            items: answer.question.items.as_slice().into(),
            assessor: answer.assessor.as_str().into(),
            choice: BestWorstFields { best, worst },
            id: answer.id.as_deref().map(Cow::Borrowed),
        };
        write_line(CHOSEN, &line, out);
    }

    fn read(&self, _: &str, fields: &[u8]) -> Result<(Answer, AnswerRole), serde_json::Error> {
        let object = wrap_in_braces(fields);
        let line: BestWorstLine<'_> = serde_json::from_slice(&object)?;
        let question = Question {
            kind: JudgmentKind::BestWorst,
            query: line.query.into_owned(),
            items: line.items.into_owned(),
        };
        let judgment = Judgment::BestWorst([line.choice.best, line.choice.worst]);
        let answer = Answer {
            id: line.id.map(Cow::into_owned),
            ..Answer::new(&line.assessor, question, judgment)
        };
        Ok((answer, AnswerRole::Vote))
    }

    fn line_schema(&self, _: &str, generator: &mut SchemaGenerator) -> Schema {
        generator.subschema_for::<BestWorstLine<'_>>()
    }

    fn parse_judgment(&self, fields: Map<String, Value>) -> Result<Judgment, JudgmentFieldError> {
        let BestWorstFields { best, worst } = parse_fields(fields)?;
        Ok(Judgment::BestWorst([best, worst]))
    }

    fn judgment_schema(&self, generator: &mut SchemaGenerator) -> Schema {
        BestWorstFields::json_schema(generator)
    }

    fn subject_items(
        &self,
        list: &ListRecord,
        items: &[String],
    ) -> Result<SubjectItems, InputError> {
        let found: Result<SubjectItems, InputError> =
            items.iter().map(|item| list.find_item(item)).collect();
        let mut found = found?;
        found.sort_unstable();
        found.dedup();
        if items.len() != 4 || found.len() != 4 {
            return Err(InputError::WrongKind);
        }
        Ok(found)
    }

    /// Returns all sets of four items.
    fn subjects(&self, list: &ListRecord) -> Vec<SubjectItems> {
        let mut sets = vec![SubjectItems::new()];
        for item in list.items.items() {
            let larger = sets.iter().filter(|set| set.len() < 4).map(|set| {
                let mut set = set.clone();
                set.push(item);
                set
            });
            let larger: Vec<SubjectItems> = larger.collect();
            sets.extend(larger);
        }
        sets.retain(|set| set.len() == 4);
        sets
    }

    fn check(
        &self,
        list: &ListRecord,
        answer: &Answer,
        role: AnswerRole,
    ) -> Result<(), InputError> {
        self.subject_items(list, &answer.question.items)?;
        let shown = |item: &String| answer.question.items.contains(item);
        match choice(&answer.judgment) {
            Some([best, worst])
                if role == AnswerRole::Vote && best != worst && shown(best) && shown(worst) =>
            {
                Ok(())
            }
            _ => Err(InputError::WrongKind),
        }
    }

    /// Orders the items of each list by how often they were best minus how often they were worst.
    fn evidence(
        &self,
        campaign: &Campaign,
        request: &ExportRequest,
    ) -> Result<CampaignEvidence, InputError> {
        let mut queries: Vec<(&str, Vec<Vec<String>>)> = Vec::new();
        for list in campaign.list_indices(&request.queries)? {
            let mut scores: BTreeMap<&String, i32> = BTreeMap::new();
            for (_, answer) in campaign.latest_answers(list, self.kind()) {
                let [best, worst] = choice(&answer.judgment).expect("it is of this kind");
                for (item, score) in [(best, 1), (worst, -1)] {
                    *scores.entry(item).or_insert(0) += score;
                }
            }
            let mut groups: BTreeMap<i32, Vec<String>> = BTreeMap::new();
            for (item, score) in scores {
                groups.entry(-score).or_default().push(item.clone());
            }
            queries.push((campaign.query_name(list), groups.into_values().collect()));
        }
        Ok(CampaignEvidence::Lists(Box::new(ExportedLists {
            lists: queries.into_iter().collect(),
            ..campaign.export(request)?
        })))
    }
}

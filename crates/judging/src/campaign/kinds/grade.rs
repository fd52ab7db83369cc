//! Grades of items, and the gains of a ground truth computed from them.

use std::borrow::Cow;

use partita_core::judgment::{Answer, AnswerRole, BroadGrade, Judgment, JudgmentKind, Question};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{
    JudgmentFieldError, JudgmentProtocol, LogTag, SubmissionFields, parse_fields, write_line,
};
use crate::campaign::engine::list::ListRecord;
use crate::campaign::engine::subject::SubjectItems;
use crate::campaign::input_error::InputError;
use crate::campaign::log::wrap_in_braces;
use crate::campaign::{Campaign, CampaignEvidence, ExportRequest};
use crate::lists::grades::{AssessorGrade, GradeSummary, Grades, ItemGrades};

pub(crate) static PROTOCOL: GradeProtocol = GradeProtocol;

/// Protocol of grades of items.
pub(crate) struct GradeProtocol;

/// Grade of an item by one assessor.
#[derive(Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "GradeAnswer")]
struct GradeLine<'l> {
    /// Query name.
    #[serde(borrow)]
    query: Cow<'l, str>,
    /// Item name.
    #[serde(borrow)]
    item: Cow<'l, str>,
    /// Assessor who graded.
    #[serde(borrow)]
    assessor: Cow<'l, str>,
    /// Similarity on the broad scale of three categories.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    broad: Option<BroadGrade>,
    /// Similarity on the fine scale from 0 to 100.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    fine: Option<f64>,
    #[serde(flatten)]
    source: SubmissionFields,
}

/// Grade of an item, as the page of an assessor sends it.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct GradeFields {
    /// Broad grade of similarity: `NS` (not), `SS` (somewhat) or `VS` (very similar).
    broad: BroadGrade,
    /// Grade of similarity on the fine scale of the campaign.
    fine: f64,
}

const GRADED: &str = "graded";

impl JudgmentProtocol for GradeProtocol {
    fn kind(&self) -> JudgmentKind {
        JudgmentKind::Grading
    }

    fn noun(&self) -> &'static str {
        "grade"
    }

    fn log_tags(&self) -> &'static [LogTag] {
        &[LogTag {
            name: GRADED,
            description: "An assessor graded an item. The last grade per assessor and item counts.",
        }]
    }

    fn write(&self, answer: &Answer, _: AnswerRole, out: &mut Vec<u8>) {
        let (broad, fine) = scales(&answer.judgment);
        let line = GradeLine {
            query: answer.question.query.as_str().into(),
            item: answer.question.items[0].as_str().into(),
            assessor: answer.assessor.as_str().into(),
            broad,
            fine,
            source: SubmissionFields::from_answer(answer),
        };
        write_line(GRADED, &line, out);
    }

    fn read(&self, _: &str, fields: &[u8]) -> Result<(Answer, AnswerRole), serde_json::Error> {
        let object = wrap_in_braces(fields);
        let line: GradeLine<'_> = serde_json::from_slice(&object)?;
        let judgment = Judgment::Grade {
            broad: line.broad,
            fine: line.fine,
        };
        let question = Question::grade(&line.query, &line.item);
        let answer = Answer::new(&line.assessor, question, judgment);
        Ok((line.source.describe(answer), AnswerRole::Vote))
    }

    fn line_schema(&self, _: &str, generator: &mut SchemaGenerator) -> Schema {
        generator.subschema_for::<GradeLine<'_>>()
    }

    fn parse_judgment(&self, fields: Map<String, Value>) -> Result<Judgment, JudgmentFieldError> {
        let GradeFields { broad, fine } = parse_fields(fields)?;
        Ok(Judgment::Grade {
            broad: Some(broad),
            fine: Some(fine),
        })
    }

    fn judgment_schema(&self, generator: &mut SchemaGenerator) -> Schema {
        GradeFields::json_schema(generator)
    }

    fn subject_items(
        &self,
        list: &ListRecord,
        items: &[String],
    ) -> Result<SubjectItems, InputError> {
        match items {
            [item] => Ok(SubjectItems::from_iter([list.find_item(item)?])),
            _ => Err(InputError::WrongKind),
        }
    }

    fn subjects(&self, list: &ListRecord) -> Vec<SubjectItems> {
        let items = list.items.items();
        items.map(|item| SubjectItems::from_iter([item])).collect()
    }

    /// Checks that the graded item exists and that the grade has a value in its range.
    fn check(
        &self,
        list: &ListRecord,
        answer: &Answer,
        role: AnswerRole,
    ) -> Result<(), InputError> {
        let Judgment::Grade { broad, fine } = answer.judgment else {
            return Err(InputError::WrongKind);
        };
        self.subject_items(list, &answer.question.items)?;
        if role != AnswerRole::Vote {
            return Err(InputError::WrongKind);
        }
        if broad.is_none() && fine.is_none() {
            return Err(InputError::NoGrade(answer.question.items[0].clone()));
        }
        match fine.filter(|fine| !(0.0..=100.0).contains(fine)) {
            Some(value) => Err(InputError::BadNumber {
                what: "fine grade",
                value,
            }),
            None => Ok(()),
        }
    }

    fn evidence(
        &self,
        campaign: &Campaign,
        request: &ExportRequest,
    ) -> Result<CampaignEvidence, InputError> {
        let lists = campaign.list_indices(&request.queries)?;
        Ok(CampaignEvidence::Grades(campaign.grades_of_lists(&lists)))
    }
}

/// Returns the broad and the fine grade of a judgment; both are `None` for other judgments.
pub(crate) fn scales(judgment: &Judgment) -> (Option<BroadGrade>, Option<f64>) {
    match judgment {
        Judgment::Grade { broad, fine } => (*broad, *fine),
        _ => (None, None),
    }
}

impl Campaign {
    /// Returns the grades of these lists that count, with the items in candidate order.
    pub(crate) fn grades_of_lists(&self, lists: &[usize]) -> Grades {
        let mut grades = Grades::default();
        for &list in lists {
            grades.add_items(self.query_name(list), &self.lists[list].items);
            for graded in self.grades(list) {
                let (broad, fine) = scales(&graded.judgment);
                let given = AssessorGrade {
                    assessor: &*self.canonical_name(&graded.assessor),
                    item: &*graded.question.items[0],
                    grade: GradeSummary {
                        broad: broad.map(BroadGrade::gain),
                        fine,
                    },
                };
                let added = grades.add(self.query_name(list), given);
                added.expect("the latest grade of an assessor for an item is the only one");
            }
        }
        grades
    }

    /// Returns the grade summaries of the items of one list, in candidate order. Items without
    /// grades are omitted.
    pub(crate) fn list_item_grades(&self, list: usize) -> Vec<ItemGrades> {
        self.grades_of_lists(&[list]).item_grades()
    }
}

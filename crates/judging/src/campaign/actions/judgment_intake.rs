//! Intake of rankings and grades.

use std::collections::BTreeMap;

use partita_core::judgment::{Answer, JudgmentKind};
use schemars::JsonSchema;
use serde::Serialize;

use super::intake::RejectedRow;
use crate::campaign::input_error::{InputError, check_assessor_name};
use crate::campaign::kinds::ranking::same_ranking;
use crate::campaign::log::event::Event;
use crate::campaign::{Campaign, CampaignError};

/// Events and outcomes of the intake of rankings or grades, before anything is recorded.
#[derive(Clone, Debug, PartialEq)]
pub struct JudgmentIntakePlan {
    /// Events to record: one per accepted ranking or grade that is not a repetition.
    pub events: Vec<Event>,
    /// Number of judgments that were not added because they repeat an earlier judgment of the same
    /// assessor.
    pub repeated: usize,
    /// Rejected judgments by their index in the input, from 0.
    pub refused: Vec<(usize, InputError)>,
}

/// Outcomes of submitted rankings or grades.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct JudgmentIntakeReport {
    /// Name of the campaign.
    pub campaign: String,
    /// Kind of the submitted judgments: rankings or grades.
    pub kind: JudgmentKind,
    /// Number of submitted rankings or grades, rejected ones included.
    pub rows: usize,
    /// Number of rankings or grades that were added to the log.
    pub added: usize,
    /// Number of judgments that were not added because they repeat an earlier judgment of the same
    /// assessor.
    pub repeated: usize,
    /// Rows that were rejected, with the reasons.
    pub refused: Vec<RejectedRow>,
}

impl Campaign {
    /// Plans the intake of rankings and grades without recording anything. A judgment that repeats
    /// an earlier one of the same assessor is not recorded again.
    pub fn plan_judgment_intake(&self, judgments: Vec<Answer>) -> JudgmentIntakePlan {
        let mut plan = JudgmentIntakePlan {
            events: Vec::new(),
            repeated: 0,
            refused: Vec::new(),
        };
        let mut ids: BTreeMap<(String, String), Answer> = BTreeMap::new();
        for (place, answer) in judgments.into_iter().enumerate() {
            match self.is_repeated_judgment(&answer, &mut ids) {
                Err(refusal) => plan.refused.push((place, refusal)),
                Ok(true) => plan.repeated += 1,
                Ok(false) => plan.events.push(Event::vote(answer)),
            }
        }
        plan
    }

    /// Returns true if a ranking or grade repeats an earlier one of the same assessor. A judgment
    /// with an id is compared with the judgment of the same id, in the log or in `ids`. A judgment
    /// without an id is compared with the ranking or grade that currently counts. `ids` collects
    /// the judgments of the input by assessor and id.
    fn is_repeated_judgment(
        &self,
        answer: &Answer,
        ids: &mut BTreeMap<(String, String), Answer>,
    ) -> Result<bool, InputError> {
        let person = &answer.assessor;
        check_assessor_name(person)?;
        let event = Event::vote(answer.clone());
        self.check(&event).map_err(|error| match error {
            CampaignError::Input(refusal) => refusal,
            _ => unreachable!("validation rejects rankings and grades only with an input error"),
        })?;
        if let Some(id) = &answer.id {
            let key = (self.canonical_name(person), id.clone());
            let is_same = match (self.event_with_id(person, id), ids.get(&key)) {
                (Some(known), _) => (self.records.judgment(known))
                    .is_some_and(|known| is_same_judgment(known, answer)),
                (None, Some(first)) => is_same_judgment(first, answer),
                (None, None) => {
                    ids.insert(key, answer.clone());
                    return Ok(false);
                }
            };
            return if is_same {
                Ok(true)
            } else {
                Err(InputError::IdReused {
                    id: id.clone(),
                    assessor: person.clone(),
                })
            };
        }
        let list = self.find_list(&answer.question.query)?;
        let person = self.canonical_name(person);
        let latest = self.latest_answers(list, answer.question.kind).into_iter();
        let mut own = latest.filter(|known| self.canonical_name(&known.assessor) == person);
        Ok(own.any(|known| is_same_judgment(known, answer)))
    }
}

/// Returns true if two rankings or two grades answer the same question in the same way.
fn is_same_judgment(one: &Answer, other: &Answer) -> bool {
    let same = match one.question.kind {
        JudgmentKind::Ranking => same_ranking(&one.judgment, &other.judgment),
        _ => one.judgment == other.judgment,
    };
    one.question == other.question && same
}

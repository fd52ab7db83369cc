//! Intake of rankings and grades.

use partita_core::judgment::{Answer, AnswerRole, JudgmentKind};
use schemars::JsonSchema;
use serde::Serialize;

use super::intake::RejectedRow;
use crate::campaign::Campaign;
use crate::campaign::engine::answer_ids::{PendingAnswers, Submission};
use crate::campaign::input_error::{InputError, check_assessor_name};
use crate::campaign::log::event::Event;

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
        let mut pending = PendingAnswers::default();
        for (place, answer) in judgments.into_iter().enumerate() {
            let (role, person) = (AnswerRole::Vote, &answer.assessor);
            let submission = check_assessor_name(person)
                .and_then(|()| self.classify_answer(&answer, role, &pending));
            match submission {
                Err(refusal) => plan.refused.push((place, refusal)),
                Ok(Submission::Duplicate { .. }) => plan.repeated += 1,
                Ok(Submission::New) => {
                    let event = self.event_count() + plan.events.len() + 1;
                    pending.push(self, &answer, event as u64);
                    plan.events.push(Event::Answered { answer, role });
                }
            }
        }
        plan
    }
}

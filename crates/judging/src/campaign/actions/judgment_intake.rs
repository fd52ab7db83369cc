//! Intake of rankings and grades.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use super::intake::RejectedRow;
use crate::campaign::input_error::{InputError, check_assessor_name};
use crate::campaign::kinds::grade::same_grade;
use crate::campaign::kinds::ranking::same_ranking;
use crate::campaign::log::event::Event;
use crate::campaign::spec::JudgmentKind;
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
    /// Plans the intake of ranking and grade events without recording anything; events of other
    /// kinds are rejected. A judgment that repeats an earlier one of the same assessor is not
    /// recorded again.
    pub fn plan_judgment_intake(&self, judgments: Vec<Event>) -> JudgmentIntakePlan {
        let mut plan = JudgmentIntakePlan {
            events: Vec::new(),
            repeated: 0,
            refused: Vec::new(),
        };
        let mut ids: BTreeMap<(String, String), Event> = BTreeMap::new();
        for (place, event) in judgments.into_iter().enumerate() {
            match self.is_repeated_judgment(&event, &mut ids) {
                Err(refusal) => plan.refused.push((place, refusal)),
                Ok(true) => plan.repeated += 1,
                Ok(false) => plan.events.push(event),
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
        event: &Event,
        ids: &mut BTreeMap<(String, String), Event>,
    ) -> Result<bool, InputError> {
        let (query, person, id) = match event {
            Event::Ranked(ranked) => (&ranked.query, &ranked.assessor, &ranked.id),
            Event::Graded(graded) => (&graded.query, &graded.assessor, &graded.id),
            _ => return Err(InputError::NotAJudgment),
        };
        check_assessor_name(person)?;
        self.check(event).map_err(|error| match error {
            CampaignError::Input(refusal) => refusal,
            _ => unreachable!("validation rejects rankings and grades only with an input error"),
        })?;
        if let Some(id) = id {
            let key = (self.canonical_name(person), id.clone());
            let is_same = match (self.event_with_id(person, id), ids.get(&key)) {
                (Some(known), _) => (self.records.ranking_or_grade(known))
                    .is_some_and(|known| is_same_judgment(&known, event)),
                (None, Some(first)) => is_same_judgment(first, event),
                (None, None) => {
                    ids.insert(key, event.clone());
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
        let list = self.find_list(query)?;
        let person = self.canonical_name(person);
        Ok(match event {
            Event::Ranked(ranked) => {
                let rankings = self.rankings(list).into_iter();
                let mut own =
                    rankings.filter(|known| self.canonical_name(&known.assessor) == person);
                own.any(|known| same_ranking(known, ranked))
            }
            Event::Graded(graded) => {
                let grades = self.grades(list).into_iter();
                let mut own = grades.filter(|known| self.canonical_name(&known.assessor) == person);
                own.any(|known| same_grade(known, graded))
            }
            _ => false,
        })
    }
}

/// Returns true if two rankings or two grades have the same content.
fn is_same_judgment(one: &Event, other: &Event) -> bool {
    match (one, other) {
        (Event::Ranked(one), Event::Ranked(other)) => same_ranking(one, other),
        (Event::Graded(one), Event::Graded(other)) => same_grade(one, other),
        _ => false,
    }
}

//! Preference answers of a campaign as input of an analysis.

use std::collections::HashMap;

use partita_core::{BatchRecord, PreferenceError, Preferences, Vote};

use super::snapshot::AnswerWithStatus;
use crate::campaign::Campaign;
use crate::campaign::engine::answer_status::AnswerStatus;
use crate::campaign::input_error::InputError;

/// Selection of the assessors whose answers are included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AssessorFilter {
    /// All assessors.
    All,
    /// Assessors who are not excluded.
    NotExcluded,
}

/// Preference answers of a campaign as input of an analysis, with the numbers of answers left out.
#[derive(Clone, Debug)]
pub struct CampaignPreferences {
    /// Name of the campaign.
    pub campaign: String,
    /// First answer of each assessor to each pair.
    pub preferences: Preferences,
    /// Batches of the answers: in order of their numbers if batches of the campaign requested all
    /// answers, otherwise in order of first appearance.
    pub batches: Vec<BatchRecord>,
    /// Number of blank answers, which are left out.
    pub blanks: usize,
    /// Number of answers to a pair that the same assessor had answered before, which are left out.
    pub duplicates: usize,
    /// Number of answers of excluded assessors that are left out because of the [`AssessorFilter`].
    pub excluded: usize,
}

impl Campaign {
    /// Returns the first answer of each assessor to each pair, whatever its status, so that the
    /// result does not depend on what was requested. Answers to gold pairs and retracted answers
    /// are left out. If queries are named, only these are included.
    ///
    /// # Errors
    /// Returns [`InputError`] for a query that does not belong to the campaign.
    pub fn preferences(
        &self,
        people: AssessorFilter,
        queries: &[String],
    ) -> Result<CampaignPreferences, InputError> {
        self.list_indices(queries)?;
        let mut states = self.answers_with_status();
        states.retain(|state| queries.is_empty() || queries.contains(&state.query));
        // Gold answers check the assessor, and retracted answers no longer count.
        states.retain(|state| !matches!(state.flag, AnswerStatus::Gold | AnswerStatus::Retracted));
        let all = states.len();
        if people == AssessorFilter::NotExcluded {
            states.retain(|state| !self.is_excluded(&state.assessor));
        }
        let mut found = CampaignPreferences {
            campaign: self.spec().name.clone(),
            preferences: Preferences::new(),
            batches: batch_records(&states),
            blanks: 0,
            duplicates: 0,
            excluded: all - states.len(),
        };
        let places: HashMap<String, usize> = (found.batches.iter().enumerate())
            .map(|(place, batch)| (batch.name.clone(), place))
            .collect();
        for state in &states {
            let Some(answer) = state.answer.preference() else {
                found.blanks += 1;
                continue;
            };
            let given = Vote {
                seconds: state.seconds,
                batch: places[&state.batch],
                ..Vote::new(&state.a, &state.b, &state.assessor, answer)
            };
            match found.preferences.add(&state.query, given) {
                Ok(()) => {}
                Err(PreferenceError::RepeatedVote { .. }) => found.duplicates += 1,
                Err(error) => unreachable!("answers in a campaign have been validated: {error}"),
            }
        }
        Ok(found)
    }
}

/// Returns the batches of these answers, with their numbers of answers and their times. They are in
/// order of their numbers if batches of the campaign requested all answers, otherwise in order of
/// first appearance, as for a file of answers.
fn batch_records(states: &[AnswerWithStatus]) -> Vec<BatchRecord> {
    let mut batches: Vec<BatchRecord> = Vec::new();
    let mut places: HashMap<&str, usize> = HashMap::new();
    for state in states {
        let place = *places.entry(&state.batch).or_insert_with(|| {
            batches.push(BatchRecord {
                name: state.batch.clone(),
                ..BatchRecord::default()
            });
            batches.len() - 1
        });
        let batch = &mut batches[place];
        batch.rows += 1;
        batch.blanks += usize::from(state.answer.preference().is_none());
        if let Some(time) = state.time {
            // A log does not record when a question was shown, so the time of the answer is used.
            batch.first_asked_at = Some(batch.first_asked_at.map_or(time, |first| first.min(time)));
            batch.first_answered_at = batch.first_asked_at;
            batch.last_answered_at =
                Some(batch.last_answered_at.map_or(time, |last| last.max(time)));
        }
    }
    let numbers: Result<Vec<u64>, _> = batches.iter().map(|batch| batch.name.parse()).collect();
    let Ok(numbers) = numbers else {
        return batches;
    };
    let mut numbered: Vec<(u64, BatchRecord)> = numbers.into_iter().zip(batches).collect();
    numbered.sort_by_key(|(number, _)| *number);
    numbered.into_iter().map(|(_, batch)| batch).collect()
}

//! The answers of a campaign as preferences, for all that is made of preferences.

use std::collections::HashMap;

use partita_core::{BatchRecord, PreferenceError, Preferences, Vote};

use super::snapshot::AnswerWithStatus;
use crate::campaign::Campaign;
use crate::campaign::engine::answer_status::{AnswerStatus, InputError};

/// Whose answers are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AssessorFilter {
    /// Everybody's.
    All,
    /// Those of people who are not excluded.
    NotExcluded,
}

/// The answers of a campaign as preferences.
#[derive(Clone, Debug)]
pub struct CampaignPreferences {
    /// The first answer of each person to each question.
    pub preferences: Preferences,
    /// The batches: by their numbers where all are the campaign's own, else as they appear.
    pub batches: Vec<BatchRecord>,
    /// How many blank answers are left out.
    pub blanks: usize,
    /// How many answers are left out since the same person had answered before.
    pub duplicates: usize,
    /// How many answers are left out since their person is excluded.
    pub excluded: usize,
}

impl Campaign {
    /// The answers of the campaign as preferences: each person's first to a question, whatever became
    /// of it in the campaign. So what is made of them does not depend on what was asked for. Answers to
    /// questions whose answers are known, and what was taken back, are left out. Only of these queries, if
    /// any are named.
    ///
    /// # Errors
    /// A query that is not of the campaign.
    pub fn preferences(
        &self,
        people: AssessorFilter,
        queries: &[String],
    ) -> Result<CampaignPreferences, InputError> {
        self.list_indices(queries)?;
        let mut states = self.answers_with_status();
        states.retain(|state| queries.is_empty() || queries.contains(&state.query));
        // What is no judgment of its own, or none any more, makes nothing.
        states.retain(|state| !matches!(state.flag, AnswerStatus::Gold | AnswerStatus::Retracted));
        let all = states.len();
        if people == AssessorFilter::NotExcluded {
            states.retain(|state| !self.is_excluded(&state.assessor));
        }
        let mut found = CampaignPreferences {
            preferences: Preferences::new(),
            batches: batches(&states),
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
                Err(error) => unreachable!("a campaign checks its answers: {error}"),
            }
        }
        Ok(found)
    }
}

/// The batches of these answers: by their numbers where all are the campaign's own, else as they
/// appear, as in a file of answers.
fn batches(states: &[AnswerWithStatus]) -> Vec<BatchRecord> {
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
            // A log does not say when somebody saw a question.
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

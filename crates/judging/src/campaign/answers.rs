//! The answers of a campaign as preferences, for all that is made of preferences.

use std::collections::HashMap;

use partita_core::{Given, PreferenceError, Preferences};

use super::Campaign;
use super::state::AnswerState;

/// Whose answers are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum People {
    /// Everybody's.
    All,
    /// Those of people who are not excluded.
    NotExcluded,
}

/// A batch of a campaign: what came back.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CampaignBatch {
    /// What the batch is called: see [`AnswerState::batch`].
    pub name: String,
    /// The number of answers, blank ones included.
    pub returned: usize,
    /// The number of blank ones.
    pub blanks: usize,
    /// When the first answer was given, in seconds since 1970.
    pub first: Option<f64>,
    /// When the last was.
    pub last: Option<f64>,
}

/// The answers of a campaign as preferences.
#[derive(Clone, Debug)]
pub struct CampaignPreferences {
    /// The first answer of each person to each question.
    pub preferences: Preferences,
    /// The batches: by their numbers where all are the campaign's own, else as they appear.
    pub batches: Vec<CampaignBatch>,
    /// How many blank answers are left out.
    pub blank: usize,
    /// How many answers are left out since the same person had answered before.
    pub again: usize,
    /// How many answers are left out since their person is excluded.
    pub excluded: usize,
}

impl Campaign {
    /// The answers of the campaign as preferences: each person's first to a question, whatever became
    /// of it in the campaign. So what is made of them does not depend on what was asked for.
    pub fn preferences(&self, people: People) -> CampaignPreferences {
        let mut states = self.answer_states();
        let all = states.len();
        if people == People::NotExcluded {
            states.retain(|state| !self.is_excluded(&state.assessor));
        }
        let mut found = CampaignPreferences {
            preferences: Preferences::new(),
            batches: batches(&states),
            blank: 0,
            again: 0,
            excluded: all - states.len(),
        };
        let places: HashMap<String, usize> = (found.batches.iter().enumerate())
            .map(|(place, batch)| (batch.name.clone(), place))
            .collect();
        for state in &states {
            let Some(answer) = state.answer.answer() else {
                found.blank += 1;
                continue;
            };
            let given = Given {
                seconds: state.seconds,
                batch: places[&state.batch],
                ..Given::new(&state.query, &state.a, &state.b, &state.assessor, answer)
            };
            match found.preferences.add(given) {
                Ok(()) => {}
                Err(PreferenceError::Again { .. }) => found.again += 1,
                Err(error) => unreachable!("a campaign checks its answers: {error}"),
            }
        }
        found
    }
}

/// The batches of these answers: by their numbers where all are the campaign's own, else as they
/// appear, as in a file of answers.
fn batches(states: &[AnswerState]) -> Vec<CampaignBatch> {
    let mut batches: Vec<CampaignBatch> = Vec::new();
    let mut places: HashMap<&str, usize> = HashMap::new();
    for state in states {
        let place = *places.entry(&state.batch).or_insert_with(|| {
            batches.push(CampaignBatch {
                name: state.batch.clone(),
                ..CampaignBatch::default()
            });
            batches.len() - 1
        });
        let batch = &mut batches[place];
        batch.returned += 1;
        batch.blanks += usize::from(state.answer.answer().is_none());
        if let Some(time) = state.time {
            batch.first = Some(batch.first.map_or(time, |first| first.min(time)));
            batch.last = Some(batch.last.map_or(time, |last| last.max(time)));
        }
    }
    let numbers: Result<Vec<u64>, _> = batches.iter().map(|batch| batch.name.parse()).collect();
    let Ok(numbers) = numbers else {
        return batches;
    };
    let mut numbered: Vec<(u64, CampaignBatch)> = numbers.into_iter().zip(batches).collect();
    numbered.sort_by_key(|(number, _)| *number);
    numbered.into_iter().map(|(_, batch)| batch).collect()
}

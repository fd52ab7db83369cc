//! Demo campaigns with answers of simulated assessors.

use std::collections::HashMap;

use partita::Preference;
use partita::judging::campaign::{
    Answer, AnswerRole, CampaignSpec, Event, JudgmentKind, Playback, QuerySpec, StimulusPart,
};
use partita::judging::simulate::AssessorModel;
use partita::stats::random::{RandomStream, stream, stream_id, uniform};

use super::campaigns::AUTHOR;
use super::{AdminError, ServerStorage};
use crate::campaign::state::{AssessorRecord, CampaignState};
use crate::campaign::upload::{CampaignUpload, create_campaign};
use crate::writer::UnixMillis;

/// Options for the simulated assessors of a demo campaign. The assessors are named `simulated-1`,
/// `simulated-2` and so on, and answer in rotation.
#[derive(Clone, Copy, Debug)]
pub struct SimulatedCampaignOptions {
    /// Number of simulated assessors.
    pub people: u32,
    /// Maximum number of answers per simulated assessor. Assessors stop earlier if there are no
    /// more questions.
    pub answers: u32,
    /// Model of the assessors' answers. The candidates of a list are assumed to be in order of
    /// similarity to the query: the latent utility of each candidate is 1 lower than that of the
    /// candidate before it in the document.
    pub assessors: AssessorModel,
    /// Seed of the random numbers that determine the simulated answers.
    pub seed: u64,
}

/// Value of [`AssessorRecord::origin`] for simulated assessors. Invited assessors have the id of
/// their invite there.
const SIMULATED_ORIGIN: &str = "simulated";

/// Interval between two simulated answers, in milliseconds.
const ANSWER_INTERVAL_MILLIS: i64 = 20_000;

impl ServerStorage {
    /// Creates a campaign from a document and its media files, records simulated answers to pair
    /// questions, and returns the name of the campaign. Media files are keyed by the names that the
    /// document uses. Events are backdated: answers are 20 seconds apart, and the last one is 20
    /// seconds before the current time if no assessor runs out of questions.
    ///
    /// # Errors
    /// Returns [`AdminError::Rejected`] with the validation errors and their positions if the
    /// document or a media file is invalid, or if a campaign of this name exists; another
    /// [`AdminError`] if the storage fails.
    pub fn create_simulated_campaign(
        &self,
        document: &[u8],
        files: HashMap<String, Vec<u8>>,
        options: &SimulatedCampaignOptions,
    ) -> Result<String, AdminError> {
        let upload = CampaignUpload::from_parts(document, files)?;
        self.in_write_transaction(async |write| {
            let total = i64::from(options.answers) * i64::from(options.people);
            let mut now = UnixMillis(UnixMillis::now().0 - (total + 1) * ANSWER_INTERVAL_MILLIS);
            let spec = create_campaign(write, upload, AUTHOR, now).await?;
            let campaign_state = CampaignState::open(write, &spec.name).await?;
            let mut campaign_state = campaign_state.expect("the campaign was created above");
            let people: Vec<String> = (1..=options.people)
                .map(|number| format!("simulated-{number}"))
                .collect();
            for person in &people {
                let person = person.clone();
                let person =
                    AssessorRecord::new(person, JudgmentKind::Preference, SIMULATED_ORIGIN, "en");
                campaign_state.add_assessor(write, person, now).await?;
            }
            for round in 0..options.answers {
                for (number, person) in people.iter().enumerate() {
                    now.0 += ANSWER_INTERVAL_MILLIS;
                    let mut random = stream(
                        options.seed,
                        &[
                            stream_id::SERVER_SIMULATED_ANSWER,
                            number as u64,
                            u64::from(round),
                        ],
                    );
                    simulate_answer(
                        &mut campaign_state,
                        &spec,
                        person,
                        options,
                        &mut random,
                        now,
                    )?;
                }
            }
            campaign_state.flush(write, now).await?;
            Ok(spec.name)
        })
    }
}

/// Records the answer of a simulated assessor to their next question. Does nothing if there is no
/// question for them.
fn simulate_answer(
    campaign_state: &mut CampaignState,
    spec: &CampaignSpec,
    person: &str,
    options: &SimulatedCampaignOptions,
    random: &mut RandomStream,
    now: UnixMillis,
) -> Result<(), AdminError> {
    let Some(chosen) = campaign_state.choose_next(person, JudgmentKind::Preference, now) else {
        return Ok(());
    };
    campaign_state.assign(person, chosen, now)?;
    let live = campaign_state.live_tasks(person);
    let task = (*live.first().expect("a task was just assigned")).clone();
    let query = &task.question.query;
    let [a, b] = task.question.pair().expect("they compare items");
    let list = find_list(spec, query);
    let difference = position(list, b) - position(list, a);
    let choice: Preference = options
        .assessors
        .draw_preference(difference, 1.0, true, random);
    let playback = Playback {
        plays: 1,
        ended: true,
    };
    let parts = [StimulusPart::Query, StimulusPart::A, StimulusPart::B].into_iter();
    let parts = parts.filter(|_| list.show.audio.is_some());
    let answer = Answer {
        seconds: Some((8.0 + 12.0 * uniform(random)).round()),
        time: Some(now.seconds()),
        playback: parts.map(|part| (part, playback)).collect(),
        ..Answer::preference(query, a, b, person, Some(choice))
    };
    let role = task
        .gold
        .map_or(AnswerRole::Vote, |expected| AnswerRole::Gold { expected });
    let event = Event::Answered { answer, role };
    campaign_state.record_answer(now, &task, event)?;
    campaign_state.schedule_synchronously(now);
    Ok(())
}

/// Returns the list of candidates of a query in the document.
fn find_list<'d>(document: &'d CampaignSpec, query: &str) -> &'d QuerySpec {
    let mut lists = document.lists.iter();
    let list = lists.find(|list| list.query == query);
    list.expect("the engine asks about lists of the document")
}

/// Returns the position of an item in its list of candidates, counted from 0.
fn position(list: &QuerySpec, item: &str) -> f64 {
    let position = list.items.iter().position(|known| known.item == item);
    position.expect("the engine asks about items of the list") as f64
}

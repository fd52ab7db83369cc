//! Demo campaigns with answers of simulated assessors.

use std::collections::{BTreeMap, HashMap};

use partita_core::Preference;
use partita_judging::campaign::{
    Event, GoldAnswer, JudgmentKind, Playback, PreferenceAnswer, Question,
};
use partita_judging::simulate::AssessorModel;
use partita_stats::random::{RandomStream, stream, stream_id, uniform};

use super::campaigns::AUTHOR;
use super::{AdminError, ServerStorage};
use crate::campaign::document::{CampaignDocument, QueryDocument};
use crate::campaign::state::{AssessorRecord, CampaignState};
use crate::campaign::upload::{CampaignUpload, create_campaign};
use crate::writer::UnixMillis;

/// Options for the simulated assessors of a demo campaign. The assessors are named `simulated-1`,
/// `simulated-2` and so on, and answer in rotation.
#[derive(Clone, Copy, Debug)]
pub struct SimulatedCampaignOptions {
    /// Number of simulated assessors.
    pub people: u32,
    /// Maximum number of answers per assessor. Assessors stop earlier if there are no more
    /// questions.
    pub answers: u32,
    /// Model of the assessors' answers. The candidates of a list are assumed to be in order of
    /// similarity to the query: the latent utility of each candidate is 1 lower than that of the
    /// candidate before it in the document.
    pub assessors: AssessorModel,
    /// Seed of the simulated answers.
    pub seed: u64,
}

/// Value of [`AssessorRecord::origin`] for simulated assessors. Invited assessors have the id of
/// their invite there.
const ENTRY: &str = "simulated";

/// Interval between two simulated answers, in milliseconds.
const PACE: i64 = 20_000;

impl ServerStorage {
    /// Creates a campaign from a document and its media files, records simulated answers to pair
    /// questions, and returns the name of the campaign. Media files are keyed by the names that the
    /// document uses. Events are backdated so that the answers are evenly spaced and end at the
    /// current time.
    ///
    /// # Errors
    /// Returns [`AdminError::Rejected`] with all validation errors and their positions if the
    /// document is invalid.
    pub fn create_simulated_campaign(
        &self,
        document: &[u8],
        files: HashMap<String, Vec<u8>>,
        judges: &SimulatedCampaignOptions,
    ) -> Result<String, AdminError> {
        let upload = CampaignUpload::from_parts(document, files)?;
        self.write(async |write| {
            let turns = i64::from(judges.answers) * i64::from(judges.people);
            let mut now = UnixMillis(UnixMillis::now().0 - (turns + 1) * PACE);
            let document = create_campaign(write, upload, AUTHOR, now).await?;
            let campaign_state = CampaignState::open(write, &document.name).await?;
            let mut campaign_state = campaign_state.expect("it was just made");
            let people: Vec<String> = (1..=judges.people)
                .map(|number| format!("simulated-{number}"))
                .collect();
            for person in &people {
                let person = newcomer(person);
                campaign_state.add_assessor(write, person, now).await?;
            }
            for context in 0..judges.answers {
                for (number, person) in people.iter().enumerate() {
                    now.0 += PACE;
                    let mut random = stream(
                        judges.seed,
                        &[
                            stream_id::SERVER_SIMULATED_ANSWER,
                            number as u64,
                            u64::from(context),
                        ],
                    );
                    simulate_answer(&mut campaign_state, person, judges, &mut random, now)?;
                }
            }
            campaign_state.flush(write, now).await?;
            Ok(document.name)
        })
    }
}

fn newcomer(id: &str) -> AssessorRecord {
    AssessorRecord {
        id: id.to_owned(),
        kind: JudgmentKind::Preference,
        origin: ENTRY.to_owned(),
        outcome: None,
        language: "en".to_owned(),
        consent: None,
        background: None,
        waits_since: None,
    }
}

/// Records one answer of a simulated assessor. Does nothing if there is no question for them.
fn simulate_answer(
    campaign_state: &mut CampaignState,
    person: &str,
    judges: &SimulatedCampaignOptions,
    random: &mut RandomStream,
    now: UnixMillis,
) -> Result<(), AdminError> {
    let Some(chosen) = campaign_state.choose_next(person, JudgmentKind::Preference, now) else {
        return Ok(());
    };
    campaign_state.assign(person, chosen, now)?;
    let given = campaign_state
        .live_tasks(person)
        .into_iter()
        .next()
        .cloned();
    let given = given.expect("it was just given");
    let Question::Preference { query, a, b } = &given.question else {
        unreachable!("they compare items");
    };
    let document = campaign_state.document.clone();
    let list = list_of(&document, query);
    let difference = place(list, b) - place(list, a);
    let said: Preference = judges
        .assessors
        .draw_preference(difference, 1.0, true, random);
    let hears = list.show.audio.is_some();
    let heard = ["query", "a", "b"].into_iter().filter(|_| hears);
    let heard = heard.map(|part| {
        let once = Playback {
            plays: 1,
            ended: true,
        };
        (part.to_owned(), once)
    });
    let listened: BTreeMap<String, Playback> = heard.collect();
    let answered = PreferenceAnswer {
        seconds: Some((8.0 + 12.0 * uniform(random)).round()),
        time: Some(now.seconds()),
        playback: listened,
        ..PreferenceAnswer::new(query, a, b, person, Some(said))
    };
    let event = match given.gold {
        Some(expected) => Event::GoldAnswered(GoldAnswer {
            answer: answered,
            expected,
        }),
        None => Event::Answered(answered),
    };
    campaign_state.record_answer(now, &given, event, None)?;
    campaign_state.schedule_synchronously(now);
    Ok(())
}

fn list_of<'d>(document: &'d CampaignDocument, query: &str) -> &'d QueryDocument {
    let mut lists = document.lists.iter();
    let list = lists.find(|list| list.query == query);
    list.expect("the engine asks about lists of the document")
}

/// Returns the 0-based position of an item in its list.
fn place(list: &QueryDocument, item: &str) -> f64 {
    let place = list.items.iter().position(|known| known.item == item);
    place.expect("the engine asks about items of the list") as f64
}

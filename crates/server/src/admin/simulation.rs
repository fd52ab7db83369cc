//! A campaign that simulated people have judged for a while, to show what one is like.

use std::collections::{BTreeMap, HashMap};

use partita_core::Preference;
use partita_judging::campaign::{
    Event, GoldAnswer, JudgmentKind, Playback, PreferenceAnswer, Question,
};
use partita_judging::simulate::AssessorModel;
use partita_stats::random::{ChaCha8Rng, stream, stream_id, uniform};

use super::campaigns::AUTHOR;
use super::{AdminError, ServerStorage, block_on};
use crate::auth::organiser::{CampaignUpload, create_campaign};
use crate::campaign::document::{CampaignDocument, QueryDocument};
use crate::campaign::state::{AssessorRecord, CampaignState};
use crate::writer::UnixMillis;

/// People who are simulated. They are called `simulated-1` and so on, and take turns.
#[derive(Clone, Copy, Debug)]
pub struct SimulatedCampaignOptions {
    /// How many there are.
    pub people: u32,
    /// How many answers each gives, as long as there is something to ask.
    pub answers: u32,
    /// How they answer. To them the candidates of each list are worth less and less in the order in which
    /// the document names them, by 1 from one to the next.
    pub assessors: AssessorModel,
    /// The seed of what they say.
    pub seed: u64,
}

/// How they came in, where others have the id of an invite.
const ENTRY: &str = "simulated";

/// One answer comes every so many thousandths of a second.
const PACE: i64 = 20_000;

impl ServerStorage {
    /// Makes a campaign of a document and the files that it shows, by the names that it gives them, and
    /// lets simulated people compare items: what it is called. By its log it began long enough ago for
    /// their answers to have come one after the other.
    ///
    /// # Errors
    /// Everything that is wrong with it, with its place.
    pub fn create_simulated_campaign(
        &self,
        document: &[u8],
        files: HashMap<String, Vec<u8>>,
        judges: &SimulatedCampaignOptions,
    ) -> Result<String, AdminError> {
        let parcel = CampaignUpload::from_parts(document, files)?;
        block_on(async {
            let store = self.open().await?;
            let mut write = store.begin_write().await?;
            let turns = i64::from(judges.answers) * i64::from(judges.people);
            let mut now = UnixMillis(UnixMillis::now().0 - (turns + 1) * PACE);
            let document = create_campaign(write.as_mut(), parcel, AUTHOR, now).await?;
            let room = CampaignState::open(write.as_mut(), &document.name).await?;
            let mut room = room.expect("it was just made");
            let people: Vec<String> = (1..=judges.people)
                .map(|number| format!("simulated-{number}"))
                .collect();
            for person in &people {
                let person = newcomer(person);
                room.add_assessor(write.as_mut(), person, now).await?;
            }
            for turn in 0..judges.answers {
                for (number, person) in people.iter().enumerate() {
                    now.0 += PACE;
                    let mut random = stream(
                        judges.seed,
                        &[
                            stream_id::SERVER_SIMULATED_ANSWER,
                            number as u64,
                            u64::from(turn),
                        ],
                    );
                    simulate_answer(&mut room, person, judges, &mut random, now)?;
                }
            }
            room.flush(write.as_mut(), now).await?;
            write.commit().await?;
            store.close().await;
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

/// One person answers one question, if there is one for them.
fn simulate_answer(
    room: &mut CampaignState,
    person: &str,
    judges: &SimulatedCampaignOptions,
    random: &mut ChaCha8Rng,
    now: UnixMillis,
) -> Result<(), AdminError> {
    let Some(chosen) = room.choose_next(person, JudgmentKind::Preference, now) else {
        return Ok(());
    };
    room.assign(person, chosen, now)?;
    let given = room.live_tasks(person).into_iter().next().cloned();
    let given = given.expect("it was just given");
    let Question::Preference { query, a, b } = &given.question else {
        unreachable!("they compare items");
    };
    let document = room.document.clone();
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
    room.record_answer(now, &given, event, None)?;
    room.schedule_synchronously(now);
    Ok(())
}

fn list_of<'d>(document: &'d CampaignDocument, query: &str) -> &'d QueryDocument {
    let mut lists = document.lists.iter();
    let list = lists.find(|list| list.query == query);
    list.expect("the engine asks about lists of the document")
}

/// The place of an item in its list, from 0.
fn place(list: &QueryDocument, item: &str) -> f64 {
    let place = list.items.iter().position(|known| known.item == item);
    place.expect("the engine asks about items of the list") as f64
}

//! The people of a campaign: what speaks for and against each, and who is left out.

use std::collections::HashMap;
use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use partita_judging::campaign::{AssessorState, Campaign, Event, Kind, People};
use partita_judging::{Card, Screening, ScreeningEvidence, ScreeningSettings};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Organiser, Scope};
use crate::Shared;
use crate::problem::Problem;
use crate::request::{Body, Json};
use crate::store::statement as sql;

/// The people of a campaign.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct PeopleView {
    /// Each of them.
    people: Vec<PersonView>,
}

/// A person.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct PersonView {
    /// What they are called in the log.
    person: String,
    /// What they judge.
    kind: Kind,
    /// Whether their work goes on, or how it ended.
    state: String,
    /// How many tasks they answered.
    answers: u32,
    /// How many of their answers are votes.
    votes: usize,
    /// Whether they are left out.
    excluded: bool,
    /// What speaks for and against them, as `judge screen` says; nothing without answers.
    card: Option<Card>,
    /// The id that a panel gave, for those who may see it.
    #[serde(skip_serializing_if = "Option::is_none")]
    claim: Option<String>,
}

/// The cards of everybody who compared something, by name.
pub(super) fn cards(campaign: &Campaign) -> Result<Option<Screening>, Problem> {
    let answers = campaign.preferences(People::All, &[]);
    let answers = answers.map_err(|error| Problem::at("", error.to_string()))?;
    if answers.preferences.is_empty() {
        return Ok(None);
    }
    let mut evidence = ScreeningEvidence::default();
    evidence.add_repeats(&partita::repeats_in_log(campaign, &[]));
    evidence.add_checks(campaign, &[]);
    let settings = ScreeningSettings::default();
    let screening = Screening::new(&answers.preferences, &evidence, settings);
    Ok(Some(
        screening.map_err(|error| Problem::at("", error.to_string()))?,
    ))
}

pub(super) async fn all(
    State(shared): State<Arc<Shared>>,
    Path(name): Path<String>,
    organiser: Organiser,
) -> Result<Json<PeopleView>, Problem> {
    organiser.may(Scope::Read, &name)?;
    let seen = shared.desk.turn(&name, |turn| {
        Box::pin(async move {
            let room = &turn.room;
            let people = room.people.values().map(|person| {
                let state = person
                    .end
                    .map_or("active".to_owned(), |end| end.to_string());
                (
                    person.id.clone(),
                    person.kind,
                    state,
                    room.answered(&person.id),
                )
            });
            Ok(people.collect::<Vec<_>>())
        })
    });
    let people = seen.await?;
    let mut claims: HashMap<String, String> = HashMap::new();
    if organiser.has(Scope::People).is_ok() {
        let mut read = shared.store.read().await?;
        for mut row in read
            .rows(&sql::CLAIM_ALL, vec![name.as_str().into()])
            .await?
        {
            claims.insert(row.text()?, row.text()?);
        }
    }
    let view = shared.with_campaign(&name, move |campaign| {
        let states: HashMap<String, AssessorState> = (campaign.assessor_states().into_iter())
            .map(|state| (state.assessor.clone(), state))
            .collect();
        let cards = cards(campaign)?.into_iter();
        let cards = cards.flat_map(|screening| screening.assessors);
        let mut by_name: HashMap<String, Card> =
            cards.map(|card| (card.assessor.clone(), card)).collect();
        let people = people
            .into_iter()
            .map(|(person, kind, state, answers)| PersonView {
                kind,
                state,
                answers,
                votes: states.get(&person).map_or(0, |state| state.votes),
                excluded: campaign.is_excluded(&person),
                card: by_name.remove(&person),
                claim: claims.remove(&person),
                person,
            });
        Ok(PeopleView {
            people: people.collect(),
        })
    });
    Ok(Json(view.await?))
}

/// Why somebody is left out or taken in again.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Why {
    /// The reason.
    #[serde(default)]
    reason: Option<String>,
}

async fn change(
    shared: &Shared,
    (name, person): (String, String),
    organiser: Organiser,
    out: bool,
    why: Why,
) -> Result<StatusCode, Problem> {
    organiser.may(Scope::Manage, &name)?;
    let author = organiser.author();
    let done = shared.desk.turn(&name, move |turn| {
        Box::pin(async move {
            turn.room.person(&person)?;
            if turn.room.campaign().is_excluded(&person) != out {
                let assessor = person;
                let event = match out {
                    true => Event::Excluded {
                        assessor,
                        reason: why.reason,
                    },
                    false => Event::Readmitted { assessor },
                };
                turn.room.record(turn.now, &author, vec![event])?;
            }
            Ok(())
        })
    });
    done.await?;
    Ok(StatusCode::NO_CONTENT)
}

pub(super) async fn exclude(
    State(shared): State<Arc<Shared>>,
    Path(place): Path<(String, String)>,
    organiser: Organiser,
    Body(why): Body<Why>,
) -> Result<StatusCode, Problem> {
    change(&shared, place, organiser, true, why).await
}

pub(super) async fn readmit(
    State(shared): State<Arc<Shared>>,
    Path(place): Path<(String, String)>,
    organiser: Organiser,
    Body(why): Body<Why>,
) -> Result<StatusCode, Problem> {
    change(&shared, place, organiser, false, why).await
}

/// Deletes all that says who somebody is, and ends their link. Their answers stay, under a random name.
pub(super) async fn erase(
    State(shared): State<Arc<Shared>>,
    Path((name, person)): Path<(String, String)>,
    organiser: Organiser,
) -> Result<StatusCode, Problem> {
    organiser.may(Scope::People, &name)?;
    shared.judges.forget(&person);
    let done = shared.desk.turn(&name, |turn| {
        Box::pin(async move {
            let mut known = turn.room.person(&person)?.clone();
            let both = vec![turn.room.name.as_str().into(), person.as_str().into()];
            turn.transaction.run(&sql::CLAIM_DROP, both.clone()).await?;
            turn.transaction
                .run(&sql::REMARK_DROP, both.clone())
                .await?;
            let mut revoked = both.clone();
            revoked.push(turn.now.0.into());
            (turn.transaction.run(&sql::INVITE_REVOKE_OF, revoked)).await?;
            let token = vec![person.into()];
            turn.transaction.run(&sql::PERSON_TOKEN_DROP, token).await?;
            known.background = None;
            turn.room.set_person(turn.transaction, known).await?;
            Ok(())
        })
    });
    done.await?;
    Ok(StatusCode::NO_CONTENT)
}

//! The people of a campaign: what speaks for and against each, and who is left out.

use std::collections::HashMap;
use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use partita_judging::campaign::{AssessorFilter, AssessorSummary, Campaign, Event, JudgmentKind};
use partita_judging::{AssessorCard, Screening, ScreeningEvidence, ScreeningOptions};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::AppState;
use crate::auth::organiser::{AuthenticatedOrganiser, Scope};
use crate::http::problem::HttpProblem;
use crate::http::request::{JsonBody, JsonResponse};
use crate::store::statement as sql;

/// The people of a campaign.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct AssessorListView {
    /// Each of them.
    people: Vec<AssessorView>,
}

/// A person.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct AssessorView {
    /// What they are called in the log.
    person: String,
    /// What they judge.
    kind: JudgmentKind,
    /// Whether their work goes on, or how it ended.
    state: String,
    /// How many tasks they answered.
    answers: u32,
    /// How many of their answers are votes.
    votes: usize,
    /// Whether they are left out.
    excluded: bool,
    /// What speaks for and against them, as `judge screen` says; nothing without answers.
    card: Option<AssessorCard>,
    /// The id that a panel gave, for those who may see it.
    #[serde(skip_serializing_if = "Option::is_none")]
    claim: Option<String>,
}

/// The cards of everybody who compared something, by name.
pub(crate) fn screen_assessors(campaign: &Campaign) -> Result<Option<Screening>, HttpProblem> {
    let answers = campaign.preferences(AssessorFilter::All, &[]);
    let answers = answers.map_err(|error| HttpProblem::invalid_field("", error.to_string()))?;
    if answers.preferences.is_empty() {
        return Ok(None);
    }
    let mut evidence = ScreeningEvidence::default();
    evidence.add_repeats(&partita::repeated_answers_in_log(campaign, &[]));
    evidence.add_campaign_gold(campaign, &[]);
    let settings = ScreeningOptions::default();
    let screening = Screening::new(&answers.preferences, &evidence, settings);
    Ok(Some(screening.map_err(|error| {
        HttpProblem::invalid_field("", error.to_string())
    })?))
}

pub(crate) async fn all(
    State(shared): State<Arc<AppState>>,
    Path(name): Path<String>,
    organiser: AuthenticatedOrganiser,
) -> Result<JsonResponse<AssessorListView>, HttpProblem> {
    organiser.require(Scope::Read, &name)?;
    let seen = shared.writer.run_job(&name, |turn| {
        Box::pin(async move {
            let room = &turn.campaign;
            let people = room.assessors.values().map(|person| {
                let state = person
                    .outcome
                    .map_or("active".to_owned(), |end| end.to_string());
                (
                    person.id.clone(),
                    person.kind,
                    state,
                    room.answer_count(&person.id),
                )
            });
            Ok(people.collect::<Vec<_>>())
        })
    });
    let people = seen.await?;
    let mut claims: HashMap<String, String> = HashMap::new();
    if organiser.require_scope(Scope::People).is_ok() {
        let mut read = shared.store.begin_read().await?;
        for mut row in read
            .fetch_all(&sql::CLAIM_ALL, vec![name.as_str().into()])
            .await?
        {
            claims.insert(row.text()?, row.text()?);
        }
    }
    let view = shared.with_campaign(&name, move |campaign| {
        let states: HashMap<String, AssessorSummary> = (campaign.assessor_summaries().into_iter())
            .map(|state| (state.assessor.clone(), state))
            .collect();
        let cards = screen_assessors(campaign)?.into_iter();
        let cards = cards.flat_map(|screening| screening.assessors);
        let mut by_name: HashMap<String, AssessorCard> =
            cards.map(|card| (card.assessor.clone(), card)).collect();
        let people = people
            .into_iter()
            .map(|(person, kind, state, answers)| AssessorView {
                kind,
                state,
                answers,
                votes: states.get(&person).map_or(0, |state| state.votes),
                excluded: campaign.is_excluded(&person),
                card: by_name.remove(&person),
                claim: claims.remove(&person),
                person,
            });
        Ok(AssessorListView {
            people: people.collect(),
        })
    });
    Ok(JsonResponse(view.await?))
}

/// Why somebody is left out or taken in again.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ExclusionReasonRequest {
    /// The reason.
    #[serde(default)]
    reason: Option<String>,
}

async fn set_exclusion(
    shared: &AppState,
    (name, person): (String, String),
    organiser: AuthenticatedOrganiser,
    out: bool,
    why: ExclusionReasonRequest,
) -> Result<StatusCode, HttpProblem> {
    organiser.require(Scope::Manage, &name)?;
    let author = organiser.author();
    let done = shared.writer.run_job(&name, move |turn| {
        Box::pin(async move {
            turn.campaign.assessor(&person)?;
            if turn.campaign.campaign().is_excluded(&person) != out {
                let assessor = person;
                let event = match out {
                    true => Event::Excluded {
                        assessor,
                        reason: why.reason,
                    },
                    false => Event::Readmitted { assessor },
                };
                turn.campaign.record(turn.now, &author, vec![event])?;
            }
            Ok(())
        })
    });
    done.await?;
    Ok(StatusCode::NO_CONTENT)
}

pub(crate) async fn exclude(
    State(shared): State<Arc<AppState>>,
    Path(place): Path<(String, String)>,
    organiser: AuthenticatedOrganiser,
    JsonBody(why): JsonBody<ExclusionReasonRequest>,
) -> Result<StatusCode, HttpProblem> {
    set_exclusion(&shared, place, organiser, true, why).await
}

pub(crate) async fn readmit(
    State(shared): State<Arc<AppState>>,
    Path(place): Path<(String, String)>,
    organiser: AuthenticatedOrganiser,
    JsonBody(why): JsonBody<ExclusionReasonRequest>,
) -> Result<StatusCode, HttpProblem> {
    set_exclusion(&shared, place, organiser, false, why).await
}

/// Deletes all that says who somebody is, and ends their link. Their answers stay, under a random name.
pub(crate) async fn erase(
    State(shared): State<Arc<AppState>>,
    Path((name, person)): Path<(String, String)>,
    organiser: AuthenticatedOrganiser,
) -> Result<StatusCode, HttpProblem> {
    organiser.require(Scope::People, &name)?;
    shared.token_cache.remove_assessor(&person);
    let done = shared.writer.run_job(&name, |turn| {
        Box::pin(async move {
            let mut known = turn.campaign.assessor(&person)?.clone();
            let both = vec![turn.campaign.name.as_str().into(), person.as_str().into()];
            turn.transaction
                .execute(&sql::CLAIM_DROP, both.clone())
                .await?;
            turn.transaction
                .execute(&sql::REMARK_DROP, both.clone())
                .await?;
            let mut revoked = both.clone();
            revoked.push(turn.now.0.into());
            (turn.transaction.execute(&sql::INVITE_REVOKE_OF, revoked)).await?;
            let token = vec![person.into()];
            turn.transaction
                .execute(&sql::PERSON_TOKEN_DROP, token)
                .await?;
            known.background = None;
            turn.campaign
                .update_assessor(turn.transaction, known)
                .await?;
            Ok(())
        })
    });
    done.await?;
    Ok(StatusCode::NO_CONTENT)
}

//! Acts on a whole campaign: pause, resume, close, extend.

use std::sync::Arc;

use axum::extract::{Path, State};
use partita_judging::campaign::{CampaignExtension, Event, ItemSpec, QuerySpec};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::AppState;
use crate::auth::organiser::{AuthenticatedOrganiser, Scope};
use crate::campaign::document::{CampaignDocument, QueryDocument};
use crate::campaign::state::CampaignPhase;
use crate::campaign::upload::check_media;
use crate::http::problem::HttpProblem;
use crate::http::request::{JsonBody, JsonResponse};
use crate::writer::{JobContext, JobError};

/// How a campaign is after an act.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct CampaignPhaseView {
    /// Whether it goes on.
    state: CampaignPhase,
    /// The number of its last event.
    seq: u64,
}

fn phase_view(turn: &JobContext<'_>) -> CampaignPhaseView {
    CampaignPhaseView {
        state: turn.campaign.phase(),
        seq: turn.campaign.tail().seq,
    }
}

async fn change_phase(
    shared: &AppState,
    name: &str,
    organiser: AuthenticatedOrganiser,
    wanted: CampaignPhase,
    event: Event,
) -> Result<JsonResponse<CampaignPhaseView>, HttpProblem> {
    organiser.require(Scope::Manage, name)?;
    let author = organiser.author();
    let done = shared.writer.run_job(name, move |turn| {
        Box::pin(async move {
            // What is so already needs no event.
            if turn.campaign.phase() != wanted {
                turn.campaign.record(turn.now, &author, vec![event])?;
            }
            Ok(phase_view(turn))
        })
    });
    Ok(JsonResponse(done.await?))
}

pub(crate) async fn pause(
    State(shared): State<Arc<AppState>>,
    Path(name): Path<String>,
    organiser: AuthenticatedOrganiser,
) -> Result<JsonResponse<CampaignPhaseView>, HttpProblem> {
    change_phase(
        &shared,
        &name,
        organiser,
        CampaignPhase::Paused,
        Event::Paused,
    )
    .await
}

pub(crate) async fn resume(
    State(shared): State<Arc<AppState>>,
    Path(name): Path<String>,
    organiser: AuthenticatedOrganiser,
) -> Result<JsonResponse<CampaignPhaseView>, HttpProblem> {
    change_phase(
        &shared,
        &name,
        organiser,
        CampaignPhase::Open,
        Event::Resumed,
    )
    .await
}

pub(crate) async fn close(
    State(shared): State<Arc<AppState>>,
    Path(name): Path<String>,
    organiser: AuthenticatedOrganiser,
) -> Result<JsonResponse<CampaignPhaseView>, HttpProblem> {
    let event = Event::Closed { query: None };
    change_phase(&shared, &name, organiser, CampaignPhase::Closed, event).await
}

/// What more, or less, is wanted.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ExtensionRequest {
    /// The number of votes on a pair from now on.
    #[serde(default)]
    votes: Option<u32>,
    /// How many votes a list may take from now on.
    #[serde(default)]
    budget: Option<usize>,
    /// New lists, and new candidates of lists that there are.
    #[serde(default)]
    lists: Vec<QueryDocument>,
}

pub(crate) async fn extend(
    State(shared): State<Arc<AppState>>,
    Path(name): Path<String>,
    organiser: AuthenticatedOrganiser,
    JsonBody(extension): JsonBody<ExtensionRequest>,
) -> Result<JsonResponse<CampaignPhaseView>, HttpProblem> {
    organiser.require(Scope::Manage, &name)?;
    let author = organiser.author();
    let done = shared.writer.run_job(&name, move |turn| {
        Box::pin(async move {
            let document = extend_document(&turn.campaign.document, &extension.lists);
            // The whole must be a campaign still.
            document.to_spec()?;
            check_media(turn.transaction, &document).await?;
            let more = !extension.lists.is_empty();
            let lists = extension.lists.into_iter().map(|list| QuerySpec {
                query: list.query,
                items: (list.items.into_iter())
                    .map(|item| ItemSpec {
                        item: item.item,
                        prior: item.prior,
                        same_as: item.same_as,
                    })
                    .collect(),
            });
            let event = Event::Extended(CampaignExtension {
                votes: extension.votes,
                budget: extension.budget,
                lists: lists.collect(),
            });
            turn.campaign.record(turn.now, &author, vec![event])?;
            if more {
                turn.campaign
                    .set_document(turn.transaction, document)
                    .await?;
            }
            Ok::<CampaignPhaseView, JobError>(phase_view(turn))
        })
    });
    Ok(JsonResponse(done.await?))
}

/// A document with more lists and candidates.
fn extend_document(document: &CampaignDocument, lists: &[QueryDocument]) -> CampaignDocument {
    let mut document = document.clone();
    for list in lists {
        let known = document
            .lists
            .iter_mut()
            .find(|known| known.query == list.query);
        match known {
            Some(known) => known.items.extend(list.items.iter().cloned()),
            None => document.lists.push(list.clone()),
        }
    }
    document
}

//! Lifecycle of a campaign: pause, resume, close and extend.

use std::sync::Arc;

use axum::extract::{Path, State};
use partita::judging::campaign::{CampaignExtension, Event};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::AppState;
use crate::auth::organiser::{AuthenticatedOrganiser, Scope};
use crate::campaign::document::{CampaignDocument, QueryDocument};
use crate::campaign::state::CampaignPhase;
use crate::campaign::upload::check_media;
use crate::http::problem::HttpProblem;
use crate::http::request::{JsonBody, JsonResponse};
use crate::writer::JobContext;

/// Phase of a campaign after a change.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct CampaignPhaseView {
    /// Phase of the campaign: open, paused or closed.
    state: CampaignPhase,
    /// Sequence number of the last event in the campaign's log.
    seq: u64,
}

/// Returns the current phase of the campaign and the last sequence number of its log.
fn phase_view(context: &JobContext<'_>) -> CampaignPhaseView {
    CampaignPhaseView {
        state: context.campaign.phase(),
        seq: context.campaign.tail().seq,
    }
}

/// Pauses, resumes or closes a campaign. Does nothing if it already is in that phase.
pub(crate) async fn set_phase(
    State(shared): State<Arc<AppState>>,
    Path(name): Path<String>,
    organiser: AuthenticatedOrganiser,
    wanted: CampaignPhase,
) -> Result<JsonResponse<CampaignPhaseView>, HttpProblem> {
    organiser.require(Scope::Manage, &name)?;
    let done = shared.writer.run_job(&name, move |context| {
        Box::pin(async move {
            let (now, author) = (context.now, organiser.author());
            context.campaign.set_phase(now, &author, wanted)?;
            Ok(phase_view(context))
        })
    });
    Ok(JsonResponse(done.await?))
}

/// Extension of a campaign by votes, budget, lists or candidates.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ExtensionRequest {
    /// New number of votes per pair.
    #[serde(default)]
    votes: Option<u32>,
    /// New maximum number of votes per list.
    #[serde(default)]
    budget: Option<usize>,
    /// New lists, and new candidate items of existing lists.
    #[serde(default)]
    lists: Vec<QueryDocument>,
}

pub(crate) async fn extend_campaign(
    State(shared): State<Arc<AppState>>,
    Path(name): Path<String>,
    organiser: AuthenticatedOrganiser,
    JsonBody(extension): JsonBody<ExtensionRequest>,
) -> Result<JsonResponse<CampaignPhaseView>, HttpProblem> {
    organiser.require(Scope::Manage, &name)?;
    let author = organiser.author();
    let done = shared.writer.run_job(&name, move |context| {
        Box::pin(async move {
            let document = extend_document(&context.campaign.document, &extension.lists);
            // The extended document must still be valid as a whole.
            document.to_spec()?;
            check_media(context.transaction, &document).await?;
            let event = Event::Extended(CampaignExtension {
                votes: extension.votes,
                budget: extension.budget,
                lists: extension.lists.iter().map(QueryDocument::to_spec).collect(),
            });
            context.record(&author, event)?;
            if !extension.lists.is_empty() {
                let transaction = &mut *context.transaction;
                context.campaign.set_document(transaction, document).await?;
            }
            Ok(phase_view(context))
        })
    });
    Ok(JsonResponse(done.await?))
}

/// Returns the campaign document with the additional lists and candidates.
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

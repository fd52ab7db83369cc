//! Lifecycle of a campaign: pause, resume, close and extend.

use std::collections::HashMap;
use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use partita::judging::campaign::{Action, CampaignExtension, CampaignSpec, QuerySpec, Recruiter};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::AppState;
use crate::auth::organiser::{AuthenticatedOrganiser, Scope};
use crate::campaign::state::CampaignPhase;
use crate::campaign::upload::{FileSource, media_errors, page_errors};
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

/// Extension of a campaign: at least one of the fields.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ExtensionRequest {
    /// New number of votes per pair. It may be lower than before: pairs that already have this many
    /// votes are then decided, and all their votes keep counting.
    #[serde(default)]
    votes: Option<u32>,
    /// New maximum number of votes per list.
    #[serde(default)]
    budget: Option<usize>,
    /// New expected share of pairs in the wrong order at which a list is settled.
    #[serde(default)]
    settled: Option<f64>,
    /// New queries with their candidates, and new candidates of existing queries, each with its
    /// stimulus.
    #[serde(default)]
    lists: Vec<QuerySpec>,
    /// New maximum number of assessors from the panel, not below the current one.
    #[serde(default)]
    limit: Option<u32>,
}

/// Returns the current phase of the campaign and the last sequence number of its log.
fn phase_view(context: &JobContext<'_>) -> CampaignPhaseView {
    CampaignPhaseView {
        state: context.campaign.phase(),
        seq: context.campaign.tail().seq,
    }
}

/// Pauses, resumes or closes a campaign. Does nothing if it already is in that phase.
pub(crate) async fn change_phase(
    State(shared): State<Arc<AppState>>,
    Path(name): Path<String>,
    organiser: AuthenticatedOrganiser,
    action: Action,
) -> Result<JsonResponse<CampaignPhaseView>, HttpProblem> {
    organiser.require(Scope::Manage, &name)?;
    let done = shared.writer.run_job(&name, move |context| {
        Box::pin(async move {
            let (now, author) = (context.now, organiser.author());
            context.campaign.perform(now, &author, &action)?;
            Ok(phase_view(context))
        })
    });
    Ok(JsonResponse(done.await?))
}

/// Confirmation of the deletion of a campaign.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct DeletionRequest {
    /// Name of the campaign, so that no campaign is deleted by mistake.
    confirm: String,
}

/// Deletes a closed campaign.
pub(crate) async fn delete_campaign(
    State(shared): State<Arc<AppState>>,
    Path(name): Path<String>,
    organiser: AuthenticatedOrganiser,
    JsonBody(request): JsonBody<DeletionRequest>,
) -> Result<StatusCode, HttpProblem> {
    organiser.require(Scope::Manage, &name)?;
    if request.confirm != name {
        let detail = format!("to delete the campaign, give its name: `{name}`");
        return Err(HttpProblem::invalid_field("/confirm", detail));
    }
    shared.delete_campaign(&name).await?;
    Ok(StatusCode::NO_CONTENT)
}

pub(crate) async fn extend_campaign(
    State(shared): State<Arc<AppState>>,
    Path(name): Path<String>,
    organiser: AuthenticatedOrganiser,
    JsonBody(request): JsonBody<ExtensionRequest>,
) -> Result<JsonResponse<CampaignPhaseView>, HttpProblem> {
    organiser.require(Scope::Manage, &name)?;
    let author = organiser.author();
    let ExtensionRequest {
        votes,
        budget,
        settled,
        lists,
        limit,
    } = request;
    let extension = CampaignExtension {
        votes,
        budget,
        settled,
        lists,
    };
    let done = shared.writer.run_job(&name, move |context| {
        Box::pin(async move {
            let known = context.campaign.recruiter.as_deref();
            let recruiter = limit
                .map(|limit| Recruiter::with_raised_limit(known, limit))
                .transpose()
                .map_err(|error| HttpProblem::invalid_field("/limit", error.to_string()))?;
            let transaction = &mut *context.transaction;
            // Only the recruiter changes, which is not in the log.
            if extension == CampaignExtension::default()
                && let Some(recruiter) = recruiter
            {
                if let Some(recruiter) = recruiter {
                    (context.campaign)
                        .set_recruiter(transaction, recruiter)
                        .await?;
                }
                return Ok(phase_view(context));
            }
            let known = context.campaign.spec();
            let shows_names = !known.has_stimuli();
            let mut spec = CampaignSpec::clone(known);
            spec.extend(&extension);
            // The extended specification must still be valid as a whole.
            let mut errors = page_errors(&spec, shows_names);
            errors.extend(
                media_errors(
                    context.transaction,
                    &spec,
                    &HashMap::new(),
                    FileSource::Stored,
                )
                .await?,
            );
            for error in &mut errors {
                error.pointer = extension.pointer_from_spec(known, &error.pointer);
            }
            if !errors.is_empty() {
                return Err(HttpProblem::invalid_spec(errors).into());
            }
            let adds_lists = !extension.lists.is_empty();
            let action = Action::Extend(extension);
            context.campaign.perform(context.now, &author, &action)?;
            if let Some(recruiter) = recruiter.flatten() {
                let transaction = &mut *context.transaction;
                (context.campaign)
                    .set_recruiter(transaction, recruiter)
                    .await?;
            }
            if adds_lists {
                context
                    .campaign
                    .load_media_info(context.transaction)
                    .await?;
            }
            Ok(phase_view(context))
        })
    });
    Ok(JsonResponse(done.await?))
}

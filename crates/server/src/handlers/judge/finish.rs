//! End of an assessor's work.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::State;
use schemars::JsonSchema;
use serde::Deserialize;

use super::next_tasks::{WorkState, assign_tasks};
use crate::AppState;
use crate::auth::assessor::AuthenticatedAssessor;
use crate::campaign::recruiter::{OutcomeView, RecruiterClaim, completion_code};
use crate::campaign::state::TaskState;
use crate::http::problem::{HttpProblem, ProblemKind};
use crate::http::request::{JsonBody, JsonResponse};
use crate::store::StoreError;
use crate::store::statement as sql;
use crate::writer::{JobAccess, JobContext, JobError};
use partita::judging::campaign::WorkOutcome;

/// Request of an assessor to end their work.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct FinishRequest {
    /// True if the assessor stops although there is more work.
    #[serde(default)]
    stop: bool,
}

/// Ends the work of an assessor and returns its outcome.
pub(crate) async fn finish(
    State(shared): State<Arc<AppState>>,
    judge: AuthenticatedAssessor,
    JsonBody(request): JsonBody<FinishRequest>,
) -> Result<JsonResponse<OutcomeView>, HttpProblem> {
    let AuthenticatedAssessor { person, campaign } = judge;
    let ended =
        shared
            .writer
            .run_job_after_scheduling(&campaign, JobAccess::Change, move |context| {
                let person = person.clone();
                Box::pin(async move { end_work(context, &person, request.stop).await })
            });
    Ok(JsonResponse(ended.await?))
}

/// Ends the work of an assessor, unless it has ended before, and returns its outcome.
async fn end_work(
    context: &mut JobContext<'_>,
    id: &str,
    stop: bool,
) -> Result<OutcomeView, JobError> {
    context.refuse_erased(id)?;
    let outcome = match context.campaign.assessor(id)?.outcome {
        Some(outcome) => outcome,
        None => {
            let outcome = determine_outcome(context, id, stop).await?;
            let live = context.campaign.live_tasks(id).into_iter();
            let live: Vec<String> = live.map(|task| task.id.clone()).collect();
            for task in live {
                context.campaign.end_task(&task, TaskState::Returned)?;
            }
            let mut person = context.campaign.assessor(id)?.clone();
            // An outcome that is computed from the log is not stored: a readmission removes it.
            if context.campaign.outcome(&person).is_none() {
                person.outcome = Some(outcome);
            }
            person.ended.get_or_insert(context.now.0);
            context.update_assessor(person).await?;
            outcome
        }
    };
    let claim = fetch_claim(context, id).await?;
    Ok(match &context.campaign.recruiter {
        Some(recruiter) if claim.is_some() => {
            OutcomeView::new(recruiter, outcome, id, claim.as_ref(), context.secret)
        }
        _ => OutcomeView {
            outcome,
            code: completion_code(None, outcome, id, context.secret),
            url: None,
            name: None,
        },
    })
}

/// Determines the outcome of the work of an assessor who finishes now. Fails if there is unfinished
/// work, unless `stop` is set.
async fn determine_outcome(
    context: &mut JobContext<'_>,
    id: &str,
    stop: bool,
) -> Result<WorkOutcome, JobError> {
    if context.campaign.campaign().is_excluded(id) {
        return Ok(WorkOutcome::Excluded);
    }
    let state = match assign_tasks(context, id).await {
        // An assessor who declines consent has done no work, so let them leave.
        Err(JobError::Problem(problem)) if problem.kind == ProblemKind::ConsentMissing && stop => {
            return Ok(WorkOutcome::Refused);
        }
        Err(JobError::Problem(problem)) if problem.kind == ProblemKind::CampaignFull => {
            return Ok(WorkOutcome::Full);
        }
        other => other?,
    };
    match state {
        WorkState::Done if has_done_all(context, id) => Ok(WorkOutcome::Complete),
        WorkState::Done => Ok(WorkOutcome::Partial),
        WorkState::Ended => Ok(WorkOutcome::Ended),
        WorkState::Work | WorkState::Wait | WorkState::Paused if stop => Ok(WorkOutcome::Partial),
        WorkState::Work | WorkState::Wait | WorkState::Paused => {
            let detail = "there are unfinished tasks";
            Err(HttpProblem::new(ProblemKind::WorkUnfinished, detail).into())
        }
    }
}

/// Returns true if an assessor for whom there are no more tasks has done all of their work: they
/// gave the answers that one person is asked for, or nothing was left for them. A question that they
/// reported counts as left, so that nobody completes the work by reporting it.
fn has_done_all(context: &JobContext<'_>, id: &str) -> bool {
    let per_person = context.campaign.spec().judging.per_person;
    per_person.is_some_and(|most| context.campaign.answer_count(id) >= most)
        || context.campaign.campaign().report_count(id) == 0
}

/// Reads the data that the recruiter gave about an assessor; returns `None` if there are none.
pub(super) async fn fetch_claim(
    context: &mut JobContext<'_>,
    id: &str,
) -> Result<Option<RecruiterClaim>, StoreError> {
    let values = vec![context.campaign.name.as_str().into(), id.into()];
    let Some(mut found) = context
        .fetch_optional(&sql::CLAIM_BY_PERSON, values)
        .await?
    else {
        return Ok(None);
    };
    let (value, params) = (found.text()?, found.text()?);
    let captured: BTreeMap<String, String> =
        serde_json::from_str(&params).map_err(StoreError::corrupted)?;
    Ok(Some(RecruiterClaim {
        id: value,
        captured,
    }))
}

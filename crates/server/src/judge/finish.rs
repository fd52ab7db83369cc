//! The end of somebody's work.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::State;
use schemars::JsonSchema;
use serde::Deserialize;

use super::Judge;
use super::next::{Doing, top_up};
use crate::Shared;
use crate::desk::room::TaskState;
use crate::desk::{Refused, Turn};
use crate::entry::{Claim, End, Outcome};
use crate::problem::{Problem, ProblemKind};
use crate::request::{Body, Json};
use crate::store::statement as sql;
use crate::store::{StoreError, row};

/// That somebody ends.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Finish {
    /// Whether they stop although there is more to do.
    #[serde(default)]
    stop: bool,
}

pub(super) async fn finish(
    State(shared): State<Arc<Shared>>,
    judge: Judge,
    Body(finish): Body<Finish>,
) -> Result<Json<Outcome>, Problem> {
    let Judge { person, campaign } = judge;
    let ended = shared.desk.patient_turn(&campaign, move |turn| {
        let person = person.clone();
        Box::pin(async move { end(turn, &person, finish.stop).await })
    });
    Ok(Json(ended.await?))
}

async fn end(turn: &mut Turn<'_>, id: &str, stop: bool) -> Result<Outcome, Refused> {
    let person = turn.room.person(id)?.clone();
    let end = match person.end {
        Some(end) => end,
        None => {
            let end = how(turn, id, stop).await?;
            let live = turn.room.live_tasks(id).into_iter();
            let live: Vec<String> = live.map(|task| task.id.clone()).collect();
            for task in live {
                turn.room.end_task(&task, TaskState::Returned)?;
            }
            let mut person = turn.room.person(id)?.clone();
            person.end = Some(end);
            turn.room.set_person(turn.transaction, person).await?;
            end
        }
    };
    let claim = claim(turn, id).await?;
    let document = turn.room.document.clone();
    Ok(match &document.recruiter {
        Some(recruiter) if claim.is_some() => {
            recruiter.outcome(end, id, claim.as_ref(), turn.secret)
        }
        // Whoever was invited can show that they were done.
        _ => Outcome {
            outcome: end,
            code: Some(turn.secret.code(id, end)),
            url: None,
            name: None,
        },
    })
}

/// How somebody's work ends now.
async fn how(turn: &mut Turn<'_>, id: &str, stop: bool) -> Result<End, Refused> {
    if turn.room.campaign().is_excluded(id) {
        return Ok(End::Refused);
    }
    let state = match top_up(turn, id).await {
        // Who does not agree has done nothing and may go.
        Err(Refused::Problem(problem)) if problem.kind == ProblemKind::Consent && stop => {
            return Ok(End::Refused);
        }
        other => other?,
    };
    match state {
        Doing::Done => Ok(End::Complete),
        Doing::Ended => Ok(End::Ended),
        Doing::Work | Doing::Wait | Doing::Paused if stop => Ok(End::Partial),
        Doing::Work | Doing::Wait | Doing::Paused => {
            let detail = "there is still something to do";
            Err(Problem::new(ProblemKind::Unfinished, detail).into())
        }
    }
}

/// What a panel said of somebody.
async fn claim(turn: &mut Turn<'_>, id: &str) -> Result<Option<Claim>, StoreError> {
    let values = vec![turn.room.name.as_str().into(), id.into()];
    let Some(mut found) = row(turn.transaction, &sql::CLAIM_OF, values).await? else {
        return Ok(None);
    };
    let (value, params) = (found.text()?, found.text()?);
    let captured: BTreeMap<String, String> =
        serde_json::from_str(&params).map_err(|error| StoreError::Damaged(error.to_string()))?;
    Ok(Some(Claim {
        id: value,
        captured,
    }))
}

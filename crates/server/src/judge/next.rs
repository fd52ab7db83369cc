//! What to judge next.

use std::sync::Arc;

use axum::extract::State;
use partita_judging::campaign::Kind;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Judge;
use super::me::{ProgressView, progress};
use super::task::{TaskView, view};
use crate::Shared;
use crate::desk::room::CampaignState;
use crate::desk::{Refused, Turn};
use crate::problem::{Problem, ProblemKind};
use crate::request::{Body, Json};

/// How many seconds somebody waits before they ask again.
const RETRY: f64 = 5.0;

/// Nothing is said when something is asked for.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Nothing {}

partita_stats::named! {
    /// Whether there is something to do.
    pub(crate) enum Doing: "state of work" {
        /// there is something
        Work = "work",
        /// there may be something soon
        Wait = "wait",
        /// there is nothing more for this person
        Done = "done",
        /// nobody is asked until the campaign goes on
        Paused = "paused",
        /// the campaign is over
        Ended = "ended",
    }
}

/// What to judge next.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Next {
    /// Whether there is something.
    state: Doing,
    /// The tasks, in their order.
    tasks: Vec<TaskView>,
    /// How far this person has come.
    progress: ProgressView,
    /// In how many seconds to ask again, if there may be something.
    retry_after: Option<f64>,
}

pub(super) async fn next(
    State(shared): State<Arc<Shared>>,
    judge: Judge,
    Body(Nothing {}): Body<Nothing>,
) -> Result<Json<Next>, Problem> {
    let Judge { person, campaign } = judge;
    let next = shared.desk.patient_turn(&campaign, move |turn| {
        let person = person.clone();
        Box::pin(async move { next_tasks(turn, &person).await })
    });
    Ok(Json(next.await?))
}

async fn next_tasks(turn: &mut Turn<'_>, person: &str) -> Result<Next, Refused> {
    let state = top_up(turn, person).await?;
    let kind = turn.room.person(person)?.kind;
    let mut tasks = Vec::new();
    if state == Doing::Work {
        let live = turn.room.live_tasks(person).into_iter();
        tasks.extend(live.map(|task| view(turn.room, task)));
        for task in &mut tasks {
            task.take_draft(turn.transaction).await?;
        }
    }
    let waits = matches!(state, Doing::Wait | Doing::Paused);
    let over = matches!(state, Doing::Done | Doing::Ended);
    Ok(Next {
        state,
        tasks,
        progress: progress(turn, person, kind, over),
        retry_after: waits.then_some(RETRY),
    })
}

/// Gives somebody as many tasks as they are to have at a time, and says whether they have any.
pub(super) async fn top_up(turn: &mut Turn<'_>, id: &str) -> Result<Doing, Refused> {
    let mut person = turn.room.person(id)?.clone();
    let document = turn.room.document.clone();
    let agreed = document.consent.as_ref().map(|consent| &consent.version);
    if agreed.is_some() && person.consent.as_ref() != agreed {
        let detail = "agree to the text first";
        return Err(Problem::new(ProblemKind::Consent, detail).into());
    }
    match turn.room.state() {
        CampaignState::Closed => return Ok(Doing::Ended),
        CampaignState::Paused => return Ok(Doing::Paused),
        CampaignState::Open => {}
    }
    if turn.room.campaign().is_excluded(id) {
        return Ok(Doing::Ended);
    }
    let mut live = turn.room.live_tasks(id).len() as u32;
    if person.end.is_some() && live == 0 {
        return Ok(Doing::Done);
    }
    let left =
        (document.judging.per_person).map(|most| most.saturating_sub(turn.room.answered(id)));
    let wanted = left.map_or(document.judging.ahead, |left| {
        left.min(document.judging.ahead)
    });
    while live < wanted && person.end.is_none() {
        let Some(chosen) = turn.room.choose(id, person.kind, turn.now) else {
            break;
        };
        turn.room.give(id, chosen, turn.now)?;
        live += 1;
    }
    if live > 0 {
        if person.waits_since.take().is_some() {
            turn.room.set_person(turn.transaction, person).await?;
        }
        return Ok(Doing::Work);
    }
    if left == Some(0) {
        return Ok(Doing::Done);
    }
    if person.kind == Kind::Preference && person.end.is_none() {
        turn.after_plan()?;
    }
    if !may_come(turn, person.kind) {
        return Ok(Doing::Done);
    }
    let since = match person.waits_since {
        Some(since) => since,
        None => {
            person.waits_since = Some(turn.now.0);
            turn.room.set_person(turn.transaction, person).await?;
            turn.now.0
        }
    };
    let patience = i64::from(document.judging.wait_seconds) * 1_000;
    Ok(if turn.now.0 - since >= patience {
        Doing::Done
    } else {
        Doing::Wait
    })
}

/// Whether there may be something later for somebody for whom there is nothing now.
fn may_come(turn: &Turn<'_>, kind: Kind) -> bool {
    match kind {
        Kind::Preference => !turn.room.is_settled(),
        // What others have may come back.
        Kind::Ranking | Kind::Grading => turn.room.leases() > 0,
    }
}

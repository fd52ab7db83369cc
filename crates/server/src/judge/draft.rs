//! A ranking that is saved as it goes.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use partita_judging::campaign::Kind;

use super::Judge;
use super::answer::check_keys;
use super::task::{Draft, keyed};
use crate::Shared;
use crate::desk::Refused;
use crate::problem::{Problem, ProblemKind};
use crate::request::Body;
use crate::store::row;
use crate::store::statement as sql;

pub(super) async fn draft(
    State(shared): State<Arc<Shared>>,
    Path(task): Path<String>,
    judge: Judge,
    Body(draft): Body<Draft>,
) -> Result<StatusCode, Problem> {
    let Judge { person, campaign } = judge;
    let saved = shared.desk.turn(&campaign, |turn| {
        Box::pin(async move {
            let open = turn.room.task(&task, &person);
            let open = open
                .filter(|open| open.task.kind() == Kind::Ranking)
                .cloned();
            let Some(open) = open else {
                let detail = "there is no such ranking of yours";
                return Err(Problem::new(ProblemKind::Task, detail).into());
            };
            let keys: BTreeMap<String, String> = keyed(turn.room, &open).into_iter().collect();
            check_keys(&draft.groups, &draft.unranked, &keys, false)?;
            let key = vec![open.place.into()];
            let known = row(turn.transaction, &sql::DRAFT_GET, key).await?;
            let known = known.map(|mut row| row.int()).transpose()?;
            if known.is_some_and(|known| known >= draft.version) {
                let detail = "a later draft was saved";
                return Err(Problem::new(ProblemKind::Draft, detail).into());
            }
            let body = serde_json::to_string(&draft).expect("a draft is text and numbers");
            let values = vec![open.place.into(), draft.version.into(), body.into()];
            turn.transaction.run(&sql::DRAFT_SET, values).await?;
            Ok::<(), Refused>(())
        })
    });
    saved.await?;
    Ok(StatusCode::NO_CONTENT)
}

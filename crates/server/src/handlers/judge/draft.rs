//! Drafts of rankings, saved while an assessor works on a ranking task.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use partita::judging::campaign::JudgmentKind;

use super::answer::check_keys;
use super::task_view::{RankingDraft, shuffled_items};
use crate::AppState;
use crate::auth::assessor::AuthenticatedAssessor;
use crate::http::problem::{HttpProblem, ProblemKind};
use crate::http::request::JsonBody;
use crate::store::statement as sql;

/// Saves the draft of a ranking, unless a draft with the same or a later version was saved.
pub(crate) async fn save_draft(
    State(shared): State<Arc<AppState>>,
    Path(task): Path<String>,
    judge: AuthenticatedAssessor,
    JsonBody(draft): JsonBody<RankingDraft>,
) -> Result<StatusCode, HttpProblem> {
    let AuthenticatedAssessor { person, campaign } = judge;
    let saved = shared.writer.run_job(&campaign, |context| {
        Box::pin(async move {
            context.refuse_erased(&person)?;
            let open = context.campaign.task(&task, &person);
            let open = open
                .filter(|open| open.question.kind == JudgmentKind::Ranking)
                .cloned();
            let Some(open) = open else {
                let detail = "you have no such ranking task";
                return Err(HttpProblem::new(ProblemKind::UnknownTask, detail).into());
            };
            let keys: BTreeMap<String, String> = shuffled_items(context.campaign, &open)
                .into_iter()
                .collect();
            check_keys(&draft.groups, &draft.unranked, &keys, false)?;
            let key = vec![open.row_key.into()];
            let known = context.fetch_optional(&sql::DRAFT_GET, key).await?;
            let known = known.map(|mut row| row.int()).transpose()?;
            if known.is_some_and(|known| known >= draft.version) {
                let detail = "a later draft has been saved";
                return Err(HttpProblem::new(ProblemKind::StaleDraft, detail).into());
            }
            let body = serde_json::to_string(&draft).expect("a draft can be serialised");
            let values = vec![open.row_key.into(), draft.version.into(), body.into()];
            context.execute(&sql::DRAFT_SET, values).await?;
            Ok(())
        })
    });
    saved.await?;
    Ok(StatusCode::NO_CONTENT)
}

//! Taking clips and pictures.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};

use super::{Organiser, Scope};
use crate::Shared;
use crate::media::{MOST_BYTES, Media};
use crate::problem::Problem;
use crate::request::{Json, bytes};

pub(super) async fn take(
    State(shared): State<Arc<Shared>>,
    organiser: Organiser,
    request: Request,
) -> Result<Response, Problem> {
    organiser.may_with_all(Scope::Manage)?;
    let bytes = bytes(request, MOST_BYTES).await?;
    let media = tokio::task::spawn_blocking(move || Media::of(bytes.to_vec()));
    let media = media.await.map_err(|_| Problem::unavailable())??;
    let view = media.view();
    let kept = shared.desk.write(|transaction, _| {
        Box::pin(async move {
            media.keep(transaction).await?;
            Ok(())
        })
    });
    kept.await?;
    Ok((StatusCode::CREATED, Json(view)).into_response())
}

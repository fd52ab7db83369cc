//! Upload of audio clips and images by organisers.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};

use crate::AppState;
use crate::auth::organiser::{AuthenticatedOrganiser, Scope};
use crate::http::problem::HttpProblem;
use crate::http::request::{JsonResponse, read_body};
use crate::media::{MAX_FILE_BYTES, MediaFile};

pub(crate) async fn upload_media(
    State(shared): State<Arc<AppState>>,
    organiser: AuthenticatedOrganiser,
    request: Request,
) -> Result<Response, HttpProblem> {
    organiser.require_for_all(Scope::Manage)?;
    let bytes = read_body(request, MAX_FILE_BYTES).await?;
    let media = tokio::task::spawn_blocking(move || MediaFile::from_bytes(bytes.to_vec()));
    let media = media.await.map_err(|_| HttpProblem::unavailable())??;
    let view = media.view();
    let kept = shared.writer.run_transaction(|transaction, _| {
        Box::pin(async move {
            media.insert(transaction).await?;
            Ok(())
        })
    });
    kept.await?;
    Ok((StatusCode::CREATED, JsonResponse(view)).into_response())
}

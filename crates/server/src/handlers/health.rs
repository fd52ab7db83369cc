//! Health endpoints for the operator, on the server's local address: liveness, readiness and
//! metrics.

use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;

use crate::AppState;
use crate::operation::metrics_text::metrics_text;

/// Returns the routes of the health endpoints.
pub(crate) fn routes() -> Router<Arc<AppState>> {
    Router::new()
        .route("/live", get(|| async { "live\n" }))
        .route("/ready", get(ready))
        .route("/metrics", get(metrics))
}

/// Handles a readiness probe: returns 200 if the database can be reached and saved the last
/// transaction, otherwise 503 with the reason. Damaged campaigns are named but do not concern others.
async fn ready(State(shared): State<Arc<AppState>>) -> Response {
    let reason = match shared.store.begin_read().await {
        Ok(_) => shared.writer.metrics.health.failure(),
        Err(_) => Some("the database is unreachable".to_owned()),
    };
    match reason {
        None => {
            let damaged = shared.writer.damaged.descriptions();
            let lines: Vec<String> = ["ready".to_owned()].into_iter().chain(damaged).collect();
            (lines.join("\n") + "\n").into_response()
        }
        Some(reason) => (StatusCode::SERVICE_UNAVAILABLE, format!("{reason}\n")).into_response(),
    }
}

/// Returns the metrics in the Prometheus text format.
async fn metrics(State(shared): State<Arc<AppState>>) -> Response {
    let text = metrics_text(&shared).await;
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], text).into_response()
}

//! Embedded web pages and scripts. The files in `assets/` are served as they are, without a build
//! step.

pub(crate) mod translations;

use axum::Router;
use axum::extract::Path;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use rust_embed::Embed;

use crate::AppState;
use crate::http::problem::HttpProblem;

#[derive(Embed)]
#[folder = "assets/"]
struct Assets;

/// Paths of the web pages, their assets and their translations.
pub(crate) const PATHS: [&str; 6] = [
    "/",
    "/j/{name}",
    "/organise",
    "/organise/{name}",
    "/assets/{*path}",
    "/lang/{file}",
];

/// Returns the routes of the web pages, their assets and their translations.
pub(crate) fn routes() -> Router<std::sync::Arc<AppState>> {
    let [start, judge, organise, campaign, assets, languages] = PATHS;
    Router::new()
        .route(start, get(|| page("shared/index.html")))
        .route(judge, get(|| page("judge/index.html")))
        .route(organise, get(|| page("organise/index.html")))
        .route(campaign, get(|| page("organise/index.html")))
        .route(assets, get(asset))
        .route(languages, get(translation))
}

/// Returns the media type of an asset by its file extension.
fn media_type(name: &str) -> &'static str {
    match name.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        _ => "text/plain; charset=utf-8",
    }
}

/// Builds the response with an embedded asset; `None` if there is no such asset.
fn asset_response(name: &str) -> Option<Response> {
    let file = Assets::get(name)?;
    let headers = [
        (header::CONTENT_TYPE, media_type(name)),
        (header::CACHE_CONTROL, "no-cache"),
    ];
    Some((headers, file.data.into_owned()).into_response())
}

/// Serves an embedded page.
async fn page(name: &'static str) -> Response {
    asset_response(name).unwrap_or_else(|| StatusCode::NOT_FOUND.into_response())
}

/// Serves an embedded asset, such as a script.
async fn asset(Path(path): Path<String>) -> Result<Response, HttpProblem> {
    asset_response(&path).ok_or_else(|| HttpProblem::not_found("file"))
}

/// Serves the translations of one language as JSON.
async fn translation(Path(name): Path<String>) -> Result<Response, HttpProblem> {
    let language = name.strip_suffix(".json").unwrap_or_default();
    let words = translations::translation_json(language)
        .ok_or_else(|| HttpProblem::not_found("language"))?;
    let headers = [
        (header::CONTENT_TYPE, "application/json"),
        (header::CACHE_CONTROL, "no-cache"),
    ];
    Ok((headers, words.into_owned()).into_response())
}

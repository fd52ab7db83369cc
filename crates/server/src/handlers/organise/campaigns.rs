//! Campaigns: all of them, one, its log and how far it has come.

use std::sync::Arc;

use axum::body::Body as HttpBody;
use axum::extract::{Path, Request, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use partita::ThreadPool;
use partita_judging::campaign::CampaignStatus;
use partita_report::{Reply, write_json};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::AppState;
use crate::auth::organiser::{AuthenticatedOrganiser, Scope};
use crate::campaign::document::CampaignDocument;
use crate::campaign::read_cache;
use crate::campaign::state::CampaignPhase;
use crate::campaign::upload::{CampaignUpload, MAX_DOCUMENT_BYTES, MAX_ZIP_BYTES};
use crate::http::problem::HttpProblem;
use crate::http::request::{JsonResponse, QueryParams, content_type, read_body, read_json_body};
use crate::store::fetch_optional;
use crate::store::statement as sql;
use crate::writer::UnixMillis;

/// All campaigns.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct CampaignSummariesView {
    /// Each of them.
    campaigns: Vec<CampaignSummaryView>,
}

/// A campaign in a list.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct CampaignSummaryView {
    /// What it is called.
    name: String,
    /// Its title.
    title: String,
    /// Whether it goes on.
    state: CampaignPhase,
}

/// One campaign.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct CampaignView {
    /// What it is called.
    name: String,
    /// Its title.
    title: String,
    /// Whether it goes on.
    state: CampaignPhase,
    /// What it was made of.
    document: CampaignDocument,
    /// The number of its last event.
    seq: i64,
    /// The chain after it.
    chain: String,
}

fn damaged<E: std::fmt::Display>(error: E) -> HttpProblem {
    crate::log_error(&error);
    HttpProblem::unavailable()
}

pub(crate) async fn list_campaigns(
    State(shared): State<Arc<AppState>>,
    organiser: AuthenticatedOrganiser,
) -> Result<JsonResponse<CampaignSummariesView>, HttpProblem> {
    organiser.require_scope(Scope::Read)?;
    let mut read = shared.store.begin_read().await?;
    let mut campaigns = Vec::new();
    for mut row in read.fetch_all(&sql::CAMPAIGN_ALL, vec![]).await? {
        let (name, state, document) = (row.text()?, row.text()?, row.text()?);
        if !organiser.can_see(&name) {
            continue;
        }
        let document: CampaignDocument = serde_json::from_str(&document).map_err(damaged)?;
        campaigns.push(CampaignSummaryView {
            name,
            title: document.title,
            state: state.parse().map_err(damaged)?,
        });
    }
    Ok(JsonResponse(CampaignSummariesView { campaigns }))
}

async fn view(shared: &AppState, name: &str) -> Result<CampaignView, HttpProblem> {
    let mut read = shared.store.begin_read().await?;
    let found = fetch_optional(read.as_mut(), &sql::CAMPAIGN_GET, vec![name.into()]).await?;
    let mut found = found.ok_or_else(|| HttpProblem::not_found("campaign"))?;
    let (state, document) = (found.text()?, found.text()?);
    let document: CampaignDocument = serde_json::from_str(&document).map_err(damaged)?;
    Ok(CampaignView {
        name: name.to_owned(),
        title: document.title.clone(),
        state: state.parse().map_err(damaged)?,
        document,
        seq: found.int()?,
        chain: found.text()?,
    })
}

pub(crate) async fn get_campaign(
    State(shared): State<Arc<AppState>>,
    Path(name): Path<String>,
    organiser: AuthenticatedOrganiser,
) -> Result<JsonResponse<CampaignView>, HttpProblem> {
    organiser.require(Scope::Read, &name)?;
    Ok(JsonResponse(view(&shared, &name).await?))
}

pub(crate) async fn create_campaign(
    State(shared): State<Arc<AppState>>,
    organiser: AuthenticatedOrganiser,
    request: Request,
) -> Result<Response, HttpProblem> {
    organiser.require_for_all(Scope::Manage)?;
    let zip =
        content_type(&request).is_some_and(|kind| kind.eq_ignore_ascii_case("application/zip"));
    let bytes = match zip {
        true => read_body(request, MAX_ZIP_BYTES).await?,
        false => read_json_body(request, MAX_DOCUMENT_BYTES).await?,
    };
    let parcel = tokio::task::spawn_blocking(move || CampaignUpload::parse(&bytes));
    let parcel = parcel.await.map_err(|_| HttpProblem::unavailable())??;
    let author = organiser.author();
    let made = shared.writer.run_transaction(|transaction, now| {
        Box::pin(async move {
            crate::campaign::upload::create_campaign(transaction, parcel, &author, now).await
        })
    });
    let document = made.await?;
    let made = view(&shared, &document.name).await?;
    Ok((StatusCode::CREATED, JsonResponse(made)).into_response())
}

/// From where on a log is wanted.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct LogQuery {
    /// The number of an event: only what came after it is wanted.
    #[serde(default)]
    #[schemars(with = "i64")]
    after: Option<i64>,
}

pub(crate) async fn log(
    State(shared): State<Arc<AppState>>,
    Path(name): Path<String>,
    QueryParams(LogQuery { after }): QueryParams<LogQuery>,
    organiser: AuthenticatedOrganiser,
) -> Result<Response, HttpProblem> {
    organiser.require(Scope::Read, &name)?;
    let text = log_text(&shared, &name, after.unwrap_or(0)).await?;
    Ok(([(header::CONTENT_TYPE, "application/x-ndjson")], text).into_response())
}

/// The lines of a log.
pub(crate) async fn log_text(
    shared: &AppState,
    name: &str,
    after: i64,
) -> Result<String, HttpProblem> {
    shared.wait_until_settled(name).await?;
    let mut read = shared.store.begin_read().await?;
    let lines = read_cache::fetch_log_lines(read.as_mut(), name, after).await?;
    let size = lines.iter().map(|line| line.len() + 1).sum();
    let mut text = String::with_capacity(size);
    for line in lines {
        text.push_str(&line);
        text.push('\n');
    }
    Ok(text)
}

pub(crate) async fn state(
    State(shared): State<Arc<AppState>>,
    Path(name): Path<String>,
    organiser: AuthenticatedOrganiser,
) -> Result<Response, HttpProblem> {
    organiser.require(Scope::Read, &name)?;
    let state = shared.with_campaign(&name, |campaign| {
        let mut bytes = Vec::new();
        write_json(&campaign.snapshot(), &mut bytes).expect("memory takes everything");
        Ok(bytes)
    });
    Ok(json(state.await?))
}

fn json(bytes: Vec<u8>) -> Response {
    (
        [(header::CONTENT_TYPE, "application/json")],
        HttpBody::from(bytes),
    )
        .into_response()
}

/// What `judge status` says, and what goes on.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct LiveStatusView {
    #[serde(flatten)]
    reply: Reply<CampaignStatus, String>,
    #[serde(flatten)]
    live: LiveStatus,
}

/// What a status says beside that of `judge status`.
#[derive(Debug, Serialize, JsonSchema)]
struct LiveStatus {
    /// Whether the campaign goes on.
    state: CampaignPhase,
    /// How many people came.
    people: usize,
    /// How many tasks are with people.
    leases: usize,
    /// How many answers came per hour, of late.
    rate: Option<f64>,
    /// In how many seconds the rest is there if answers go on coming like this.
    seconds_left: Option<f64>,
}

pub(crate) async fn status(
    State(shared): State<Arc<AppState>>,
    Path(name): Path<String>,
    organiser: AuthenticatedOrganiser,
) -> Result<Response, HttpProblem> {
    organiser.require(Scope::Read, &name)?;
    let live = shared.writer.run_job(&name, |turn| {
        Box::pin(async move {
            let room = &turn.campaign;
            Ok((
                room.phase(),
                room.assessors.len(),
                room.lease_count(),
                turn.now,
            ))
        })
    });
    let (state, people, leases, now) = live.await?;
    let reply = shared.with_campaign(&name, move |campaign| {
        let status = campaign.status(campaign.default_forecast_runs(), &ThreadPool::new(1));
        let status = status.map_err(damaged)?;
        let rate = answers_per_hour(&campaign.answers_with_status(), now);
        let left = status.expected_votes;
        let live = LiveStatus {
            state,
            people,
            leases,
            rate,
            seconds_left: rate
                .filter(|rate| *rate > 0.0)
                .map(|rate| left / rate * 3_600.0),
        };
        let reply = Reply::new(status, Vec::new());
        let mut bytes = Vec::new();
        write_json(&LiveStatusView { reply, live }, &mut bytes).expect("memory takes everything");
        Ok(bytes)
    });
    Ok(json(reply.await?))
}

/// How many answers came per hour, during the last hour or since the first.
fn answers_per_hour(
    answers: &[partita_judging::campaign::AnswerWithStatus],
    now: UnixMillis,
) -> Option<f64> {
    let hour = now.seconds() - 3_600.0;
    let times = answers.iter().filter_map(|answer| answer.time);
    let recent: Vec<f64> = times.filter(|time| *time >= hour).collect();
    let first = recent.iter().copied().fold(f64::INFINITY, f64::min);
    let hours = (now.seconds() - first) / 3_600.0;
    (recent.len() > 1 && hours > 0.0).then(|| recent.len() as f64 / hours)
}

//! Campaigns as organisers see them: list, details, log and status.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{Path, Request, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use partita::ThreadPool;
use partita::judging::campaign::{CampaignSpec, CampaignStatus};
use partita::report::{Reply, write_json};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::AppState;
use crate::auth::organiser::{AuthenticatedOrganiser, Scope};
use crate::campaign::read_cache;
use crate::campaign::state::CampaignPhase;
use crate::campaign::upload::{CampaignUpload, MAX_DOCUMENT_BYTES, MAX_ZIP_BYTES};
use crate::http::problem::HttpProblem;
use crate::http::request::{
    EncodedJson, JsonResponse, QueryParams, content_type, read_body, read_json_body,
};
use crate::store::statement as sql;
use crate::writer::UnixMillis;

/// List of campaigns that an organiser has access to.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct CampaignSummariesView {
    /// Campaigns that the organiser's token gives access to, in the order of their names.
    campaigns: Vec<CampaignSummaryView>,
}

/// Name, title and phase of a campaign in a list.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct CampaignSummaryView {
    /// Name of the campaign.
    name: String,
    /// Title of the campaign.
    title: String,
    /// Phase of the campaign: open, paused, closed or damaged.
    state: CampaignPhase,
}

/// Details of a campaign, including its document.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct CampaignView {
    /// Name of the campaign.
    name: String,
    /// Title of the campaign.
    title: String,
    /// Phase of the campaign: open, paused, closed or damaged.
    state: CampaignPhase,
    /// Document that describes the campaign, with all extensions. Queries and items are in the
    /// order of their names, followed by later ones.
    document: CampaignSpec,
    /// Number of problems that people reported.
    reports: usize,
    /// Sequence number of the last event in the log.
    seq: i64,
    /// Value of the hash chain after the last event in the log.
    chain: String,
}

pub(crate) async fn list_campaigns(
    State(shared): State<Arc<AppState>>,
    organiser: AuthenticatedOrganiser,
) -> Result<JsonResponse<CampaignSummariesView>, HttpProblem> {
    organiser.require_scope(Scope::Read)?;
    let mut read = shared.store.begin_read().await?;
    let mut campaigns = Vec::new();
    for mut row in read.fetch_all(&sql::CAMPAIGN_ALL, vec![]).await? {
        let (name, state, title) = (row.text()?, row.text()?, row.text()?);
        if !organiser.can_see(&name) {
            continue;
        }
        let state = match shared.writer.damaged.contains(&name) {
            true => CampaignPhase::Damaged,
            false => state.parse().map_err(HttpProblem::internal)?,
        };
        campaigns.push(CampaignSummaryView { name, title, state });
    }
    Ok(JsonResponse(CampaignSummariesView { campaigns }))
}

/// Returns the details of a campaign as JSON.
async fn fetch_campaign_view(shared: &AppState, name: &str) -> Result<EncodedJson, HttpProblem> {
    let state = shared.writer.run_read_job(name, |context| {
        let campaign_state = &context.campaign;
        let state = (
            campaign_state.spec().clone(),
            campaign_state.recruiter.clone(),
            campaign_state.phase(),
            campaign_state.campaign().reports().len(),
            campaign_state.tail(),
        );
        Box::pin(async move { Ok(state) })
    });
    let (spec, recruiter, phase, reports, tail) = state.await?;
    let encoded = EncodedJson::off_runtime(move || {
        let recruiter = recruiter.as_deref().cloned();
        let document = CampaignSpec {
            recruiter,
            ..spec.as_ref().clone()
        };
        Ok(EncodedJson::new(&CampaignView {
            name: document.name.clone(),
            title: document.title.default_text().to_owned(),
            state: phase,
            document,
            reports,
            seq: tail.seq as i64,
            chain: tail.chain.to_string(),
        }))
    });
    encoded.await
}

pub(crate) async fn get_campaign(
    State(shared): State<Arc<AppState>>,
    Path(name): Path<String>,
    organiser: AuthenticatedOrganiser,
) -> Result<EncodedJson, HttpProblem> {
    organiser.require(Scope::Read, &name)?;
    fetch_campaign_view(&shared, &name).await
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
    let upload = tokio::task::spawn_blocking(move || CampaignUpload::parse(&bytes));
    let upload = upload.await.map_err(|_| HttpProblem::unavailable())??;
    let author = organiser.author();
    let made = shared.writer.run_transaction(|transaction, now| {
        Box::pin(async move {
            crate::campaign::upload::create_campaign(transaction, upload, &author, now).await
        })
    });
    let spec = made.await?;
    let made = fetch_campaign_view(&shared, &spec.name).await?;
    Ok((StatusCode::CREATED, made).into_response())
}

/// Query parameters of a log request.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct LogQuery {
    /// Sequence number of an event; only later events are returned. All events are returned if
    /// omitted.
    #[serde(default)]
    #[schemars(with = "i64")]
    after: Option<i64>,
}

pub(crate) async fn get_log(
    State(shared): State<Arc<AppState>>,
    Path(name): Path<String>,
    QueryParams(LogQuery { after }): QueryParams<LogQuery>,
    organiser: AuthenticatedOrganiser,
) -> Result<Response, HttpProblem> {
    organiser.require(Scope::Read, &name)?;
    let log = log_bytes(&shared, &name, after.unwrap_or(0)).await?;
    Ok(([(header::CONTENT_TYPE, "application/x-ndjson")], log).into_response())
}

/// Returns the log lines of a campaign that follow the event with sequence number `after`.
pub(crate) async fn log_bytes(
    shared: &AppState,
    name: &str,
    after: i64,
) -> Result<Bytes, HttpProblem> {
    let seq = shared.wait_for_pending_changes(name).await?;
    let last_sound = shared.last_sound_event(name, seq);
    let mut read = shared.store.begin_read().await?;
    let lines = read_cache::fetch_log_lines(read.as_mut(), name, after, last_sound).await?;
    read.rollback().await?;
    let joined = tokio::task::spawn_blocking(move || {
        let size = lines.iter().map(|line| line.len() + 1).sum();
        let mut text = String::with_capacity(size);
        for line in lines {
            text.push_str(&line);
            text.push('\n');
        }
        Bytes::from(text)
    });
    joined.await.map_err(|_| HttpProblem::unavailable())
}

pub(crate) async fn get_state(
    State(shared): State<Arc<AppState>>,
    Path(name): Path<String>,
    organiser: AuthenticatedOrganiser,
) -> Result<EncodedJson, HttpProblem> {
    organiser.require(Scope::Read, &name)?;
    let state = shared.campaign_result(&name, "state", |campaign| {
        Ok(printed_json(&campaign.snapshot()))
    });
    Ok(EncodedJson(state.await?.as_ref().clone()))
}

/// Returns a value as JSON as commands print it.
fn printed_json(value: &impl Serialize) -> Bytes {
    let mut bytes = Vec::new();
    write_json(value, &mut bytes).expect("writing to a vector cannot fail");
    bytes.into()
}

/// Status of a campaign as printed by `campaign status`, extended by live figures of the server.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct LiveStatusView {
    #[serde(flatten)]
    reply: Reply<CampaignStatus, String>,
    #[serde(flatten)]
    live: LiveStatus,
}

/// Live figures of a campaign that only the server knows.
#[derive(Debug, Serialize, JsonSchema)]
struct LiveStatus {
    /// Phase of the campaign: open, paused, closed or damaged.
    state: CampaignPhase,
    /// Number of assessors who have entered the campaign.
    people: usize,
    /// Number of tasks that are currently leased to assessors.
    leases: usize,
    /// Preference answers per hour, from the first one within the last hour until now; `null` with
    /// fewer than two answers in that hour.
    rate: Option<f64>,
    /// Estimated time in seconds until the expected further votes are given at the current rate: 0
    /// if nothing is left, `null` if the rate is unknown or rankings or grades are missing.
    seconds_left: Option<f64>,
}

pub(crate) async fn get_status(
    State(shared): State<Arc<AppState>>,
    Path(name): Path<String>,
    organiser: AuthenticatedOrganiser,
) -> Result<EncodedJson, HttpProblem> {
    organiser.require(Scope::Read, &name)?;
    let live = shared.writer.run_read_job(&name, |context| {
        Box::pin(async move {
            let campaign_state = &context.campaign;
            Ok((
                campaign_state.phase(),
                campaign_state.assessors.len(),
                campaign_state.lease_count(),
                context.now,
            ))
        })
    });
    let (state, people, leases, now) = live.await?;
    let computed = shared.campaign_result(&name, "status", move |campaign| {
        let status = campaign.status(campaign.default_forecast_runs(), &ThreadPool::new(1));
        let status = status.map_err(HttpProblem::internal)?;
        let hour = now.seconds() - SECONDS_PER_HOUR;
        let answers = campaign.answers_with_status().into_iter();
        let mut recent_answers: Vec<f64> = answers.filter_map(|answer| answer.time).collect();
        recent_answers.retain(|time| *time >= hour);
        Ok((status, recent_answers))
    });
    let computed = computed.await?;
    let encoded = EncodedJson::off_runtime(move || {
        let (status, recent_answers) = computed.as_ref();
        let rate = answers_per_hour(recent_answers, now);
        let live = LiveStatus {
            state,
            people,
            leases,
            rate,
            seconds_left: status.seconds_left(rate),
        };
        let reply = Reply::new(status.clone(), Vec::new());
        Ok(EncodedJson(printed_json(&LiveStatusView { reply, live })))
    });
    encoded.await
}

const SECONDS_PER_HOUR: f64 = 3_600.0;

/// Returns the number of answers per hour, from the first answer within the last hour until now;
/// `None` if there were fewer than two answers in that hour. `times` contains at least the times of
/// that hour's answers, in seconds since the Unix epoch.
fn answers_per_hour(times: &[f64], now: UnixMillis) -> Option<f64> {
    let hour = now.seconds() - SECONDS_PER_HOUR;
    let recent: Vec<f64> = times.iter().copied().filter(|time| *time >= hour).collect();
    let first = recent.iter().copied().fold(f64::INFINITY, f64::min);
    let hours = (now.seconds() - first) / SECONDS_PER_HOUR;
    (recent.len() > 1 && hours > 0.0).then(|| recent.len() as f64 / hours)
}

//! Campaigns: all of them, one, its log and how far it has come.

use std::sync::Arc;

use axum::body::Body as HttpBody;
use axum::extract::{Path, Request, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use partita::Threads;
use partita_judging::campaign::CampaignStatus;
use partita_report::{Reply, write_json};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::create::{MOST_DOCUMENT, MOST_ZIP, Parcel, create};
use super::{Organiser, Scope, reading};
use crate::Shared;
use crate::desk::Now;
use crate::desk::room::CampaignState;
use crate::document::Document;
use crate::problem::Problem;
use crate::request::{Json, Query, bytes, content_type, json_bytes};
use crate::store::row;
use crate::store::statement as sql;

/// All campaigns.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct CampaignsView {
    /// Each of them.
    campaigns: Vec<CampaignLine>,
}

/// A campaign in a list.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct CampaignLine {
    /// What it is called.
    name: String,
    /// Its title.
    title: String,
    /// Whether it goes on.
    state: CampaignState,
}

/// One campaign.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct CampaignView {
    /// What it is called.
    name: String,
    /// Its title.
    title: String,
    /// Whether it goes on.
    state: CampaignState,
    /// What it was made of.
    document: Document,
    /// The number of its last event.
    seq: i64,
    /// The chain after it.
    chain: String,
}

fn damaged<E: std::fmt::Display>(error: E) -> Problem {
    crate::trouble(&error);
    Problem::unavailable()
}

pub(super) async fn all(
    State(shared): State<Arc<Shared>>,
    organiser: Organiser,
) -> Result<Json<CampaignsView>, Problem> {
    organiser.has(Scope::Read)?;
    let mut read = shared.store.read().await?;
    let mut campaigns = Vec::new();
    for mut row in read.rows(&sql::CAMPAIGN_ALL, vec![]).await? {
        let (name, state, document) = (row.text()?, row.text()?, row.text()?);
        if !organiser.sees(&name) {
            continue;
        }
        let document: Document = serde_json::from_str(&document).map_err(damaged)?;
        campaigns.push(CampaignLine {
            name,
            title: document.title,
            state: state.parse().map_err(damaged)?,
        });
    }
    Ok(Json(CampaignsView { campaigns }))
}

async fn view(shared: &Shared, name: &str) -> Result<CampaignView, Problem> {
    let mut read = shared.store.read().await?;
    let found = row(read.as_mut(), &sql::CAMPAIGN_GET, vec![name.into()]).await?;
    let mut found = found.ok_or_else(|| Problem::not_found("campaign"))?;
    let (state, document) = (found.text()?, found.text()?);
    let document: Document = serde_json::from_str(&document).map_err(damaged)?;
    Ok(CampaignView {
        name: name.to_owned(),
        title: document.title.clone(),
        state: state.parse().map_err(damaged)?,
        document,
        seq: found.int()?,
        chain: found.text()?,
    })
}

pub(super) async fn one(
    State(shared): State<Arc<Shared>>,
    Path(name): Path<String>,
    organiser: Organiser,
) -> Result<Json<CampaignView>, Problem> {
    organiser.may(Scope::Read, &name)?;
    Ok(Json(view(&shared, &name).await?))
}

pub(super) async fn make(
    State(shared): State<Arc<Shared>>,
    organiser: Organiser,
    request: Request,
) -> Result<Response, Problem> {
    organiser.may_with_all(Scope::Manage)?;
    let zip =
        content_type(&request).is_some_and(|kind| kind.eq_ignore_ascii_case("application/zip"));
    let bytes = match zip {
        true => bytes(request, MOST_ZIP).await?,
        false => json_bytes(request, MOST_DOCUMENT).await?,
    };
    let parcel = tokio::task::spawn_blocking(move || Parcel::open(&bytes));
    let parcel = parcel.await.map_err(|_| Problem::unavailable())??;
    let author = organiser.author();
    let made = shared.desk.write(|transaction, now| {
        Box::pin(async move { create(transaction, parcel, &author, now).await })
    });
    let document = made.await?;
    let made = view(&shared, &document.name).await?;
    Ok((StatusCode::CREATED, Json(made)).into_response())
}

/// From where on a log is wanted.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct After {
    /// The number of an event: only what came after it is wanted.
    #[serde(default)]
    #[schemars(with = "i64")]
    after: Option<i64>,
}

pub(super) async fn log(
    State(shared): State<Arc<Shared>>,
    Path(name): Path<String>,
    Query(After { after }): Query<After>,
    organiser: Organiser,
) -> Result<Response, Problem> {
    organiser.may(Scope::Read, &name)?;
    let text = log_text(&shared, &name, after.unwrap_or(0)).await?;
    Ok(([(header::CONTENT_TYPE, "application/x-ndjson")], text).into_response())
}

/// The lines of a log.
pub(super) async fn log_text(shared: &Shared, name: &str, after: i64) -> Result<String, Problem> {
    shared.settle(name).await?;
    let mut read = shared.store.read().await?;
    let lines = reading::lines(read.as_mut(), name, after).await?;
    let size = lines.iter().map(|line| line.len() + 1).sum();
    let mut text = String::with_capacity(size);
    for line in lines {
        text.push_str(&line);
        text.push('\n');
    }
    Ok(text)
}

pub(super) async fn state(
    State(shared): State<Arc<Shared>>,
    Path(name): Path<String>,
    organiser: Organiser,
) -> Result<Response, Problem> {
    organiser.may(Scope::Read, &name)?;
    let state = shared.with_campaign(&name, |campaign| {
        let mut bytes = Vec::new();
        write_json(&campaign.state(), &mut bytes).expect("memory takes everything");
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
pub(super) struct StatusView {
    #[serde(flatten)]
    reply: Reply<CampaignStatus, String>,
    #[serde(flatten)]
    live: Live,
}

/// What a status says beside that of `judge status`.
#[derive(Debug, Serialize, JsonSchema)]
struct Live {
    /// Whether the campaign goes on.
    state: CampaignState,
    /// How many people came.
    people: usize,
    /// How many tasks are with people.
    leases: usize,
    /// How many answers came per hour, of late.
    rate: Option<f64>,
    /// In how many seconds the rest is there if answers go on coming like this.
    seconds_left: Option<f64>,
}

pub(super) async fn status(
    State(shared): State<Arc<Shared>>,
    Path(name): Path<String>,
    organiser: Organiser,
) -> Result<Response, Problem> {
    organiser.may(Scope::Read, &name)?;
    let live = shared.desk.turn(&name, |turn| {
        Box::pin(async move {
            let room = &turn.room;
            Ok((room.state(), room.people.len(), room.leases(), turn.now))
        })
    });
    let (state, people, leases, now) = live.await?;
    let reply = shared.with_campaign(&name, move |campaign| {
        let status = campaign.status(campaign.usual_rehearsals(), &Threads::new(1));
        let status = status.map_err(damaged)?;
        let rate = rate(&campaign.answer_states(), now);
        let left = status.expected_votes;
        let live = Live {
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
        write_json(&StatusView { reply, live }, &mut bytes).expect("memory takes everything");
        Ok(bytes)
    });
    Ok(json(reply.await?))
}

/// How many answers came per hour, during the last hour or since the first.
fn rate(answers: &[partita_judging::campaign::AnswerState], now: Now) -> Option<f64> {
    let hour = now.seconds() - 3_600.0;
    let times = answers.iter().filter_map(|answer| answer.time);
    let recent: Vec<f64> = times.filter(|time| *time >= hour).collect();
    let first = recent.iter().copied().fold(f64::INFINITY, f64::min);
    let hours = (now.seconds() - first) / 3_600.0;
    (recent.len() > 1 && hours > 0.0).then(|| recent.len() as f64 / hours)
}

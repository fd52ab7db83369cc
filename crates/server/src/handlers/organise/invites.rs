//! Invites: each lets one person in.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use partita_judging::campaign::JudgmentKind;
use partita_judging::campaign::log::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::AppState;
use crate::auth::organiser::{AuthenticatedOrganiser, Scope};
use crate::auth::{Token, random_id};
use crate::http::problem::{FieldError, HttpProblem};
use crate::http::request::{JsonBody, JsonResponse};
use crate::store::fetch_optional;
use crate::store::statement as sql;
use crate::writer::{JobError, UnixMillis};

/// The most invites that are made at once.
const MOST: u32 = 1_000;

/// Invites to be made.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct InvitesRequest {
    /// What these people judge.
    pub(crate) kind: JudgmentKind,
    /// How many.
    #[serde(default = "one")]
    #[schemars(range(min = 1, max = MOST))]
    pub(crate) count: u32,
    /// A note for the organiser.
    #[serde(default)]
    pub(crate) label: Option<String>,
    /// Until when they are valid.
    #[serde(default)]
    #[schemars(extend("format" = "date-time"))]
    pub(crate) expires: Option<String>,
}

fn one() -> u32 {
    1
}

/// Invites that were made.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct InviteLinks {
    /// Each of them.
    pub(crate) invites: Vec<InviteLink>,
}

/// An invite that was made.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct InviteLink {
    /// What to call it when it is revoked.
    pub(crate) id: String,
    /// The token, shown this once.
    pub(crate) invite: String,
    /// The address to be sent to somebody.
    pub(crate) link: String,
}

/// All invites of a campaign.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct InviteListView {
    /// Each of them.
    invites: Vec<InviteView>,
}

/// An invite.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct InviteView {
    /// What it is called.
    id: String,
    /// What its person judges.
    kind: JudgmentKind,
    /// A note.
    label: Option<String>,
    /// Until when it is valid.
    #[schemars(extend("format" = "date-time"))]
    expires: Option<String>,
    /// When it was revoked.
    #[schemars(extend("format" = "date-time"))]
    revoked: Option<String>,
    /// Who came by it.
    person: Option<String>,
}

pub(crate) async fn make(
    State(shared): State<Arc<AppState>>,
    Path(name): Path<String>,
    organiser: AuthenticatedOrganiser,
    JsonBody(new): JsonBody<InvitesRequest>,
) -> Result<Response, HttpProblem> {
    organiser.require(Scope::Manage, &name)?;
    let url = shared.public_url.clone();
    let made = shared.writer.run_job(&name, |turn| {
        Box::pin(async move {
            let document = turn.campaign.document.clone();
            let made = insert_invites(turn.transaction, &document.name, &document.kinds, new, &url);
            made.await
        })
    });
    Ok((StatusCode::CREATED, JsonResponse(made.await?)).into_response())
}

/// Makes invites of a campaign.
pub(crate) async fn insert_invites(
    transaction: &mut dyn crate::store::Transaction,
    campaign: &str,
    kinds: &[JudgmentKind],
    new: InvitesRequest,
    url: &str,
) -> Result<InviteLinks, JobError> {
    let mut faults = Vec::new();
    if !kinds.contains(&new.kind) {
        faults.push(FieldError::new(
            "/kind",
            "the campaign has no tasks of this kind",
        ));
    }
    if !(1..=MOST).contains(&new.count) {
        faults.push(FieldError::new(
            "/count",
            format!("from 1 to {MOST} at a time"),
        ));
    }
    let expires = new.expires.map(|text| text.parse::<Timestamp>());
    if matches!(expires, Some(Err(_))) {
        let detail = "a time must have the form 2026-11-16T12:00:00Z";
        faults.push(FieldError::new("/expires", detail));
    }
    if !faults.is_empty() {
        return Err(HttpProblem::invalid(faults).into());
    }
    let expires = expires.and_then(Result::ok);
    let expires = expires.map(|moment| (moment.seconds() * 1_000.0) as i64);
    let mut invites = Vec::new();
    for _ in 0..new.count {
        let (id, token) = (random_id(), Token::random());
        let values = vec![
            id.as_str().into(),
            campaign.into(),
            token.hash().into(),
            new.kind.to_string().into(),
            new.label.clone().into(),
            expires.into(),
        ];
        transaction.execute(&sql::INVITE_ADD, values).await?;
        // Behind the hash, which browsers keep to themselves.
        let link = format!("{url}/j/{campaign}#invite={}", token.as_str());
        invites.push(InviteLink {
            id,
            invite: token.as_str().to_owned(),
            link,
        });
    }
    Ok(InviteLinks { invites })
}

pub(crate) async fn all(
    State(shared): State<Arc<AppState>>,
    Path(name): Path<String>,
    organiser: AuthenticatedOrganiser,
) -> Result<JsonResponse<InviteListView>, HttpProblem> {
    organiser.require(Scope::Read, &name)?;
    let mut read = shared.store.begin_read().await?;
    let found = fetch_optional(
        read.as_mut(),
        &sql::CAMPAIGN_GET,
        vec![name.as_str().into()],
    )
    .await?;
    found.ok_or_else(|| HttpProblem::not_found("campaign"))?;
    let time = |millis: Option<i64>| millis.map(|millis| UnixMillis(millis).to_rfc3339());
    let mut invites = Vec::new();
    for mut row in read.fetch_all(&sql::INVITE_ALL, vec![name.into()]).await? {
        let id = row.text()?;
        let kind = row
            .text()?
            .parse()
            .map_err(|_| HttpProblem::unavailable())?;
        invites.push(InviteView {
            id,
            kind,
            label: row.text_or_null(),
            expires: time(row.int_or_null()),
            revoked: time(row.int_or_null()),
            person: row.text_or_null(),
        });
    }
    Ok(JsonResponse(InviteListView { invites }))
}

pub(crate) async fn revoke(
    State(shared): State<Arc<AppState>>,
    Path((name, id)): Path<(String, String)>,
    organiser: AuthenticatedOrganiser,
) -> Result<StatusCode, HttpProblem> {
    organiser.require(Scope::Manage, &name)?;
    let revoked = shared.writer.run_job(&name, |turn| {
        Box::pin(async move {
            let key = vec![turn.campaign.name.as_str().into(), id.as_str().into()];
            let known = fetch_optional(turn.transaction, &sql::INVITE_GET, key).await?;
            known.ok_or_else(|| HttpProblem::not_found("invite"))?;
            let values = vec![
                turn.campaign.name.as_str().into(),
                id.into(),
                turn.now.0.into(),
            ];
            turn.transaction
                .execute(&sql::INVITE_REVOKE, values)
                .await?;
            Ok(())
        })
    });
    revoked.await?;
    Ok(StatusCode::NO_CONTENT)
}

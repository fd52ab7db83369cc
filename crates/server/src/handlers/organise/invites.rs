//! Invite links. Each admits one assessor to a campaign.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use partita::judging::campaign::JudgmentKind;
use partita::judging::campaign::log::Timestamp;
use partita::named::NamedEnum as _;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::AppState;
use crate::auth::organiser::{AuthenticatedOrganiser, Scope};
use crate::auth::{Token, random_id};
use crate::campaign::state::CampaignPhase;
use crate::http::problem::{FieldError, HttpProblem, ProblemKind};
use crate::http::request::{JsonBody, JsonResponse, QueryParams};
use crate::http::table_query::{SortValue, TableQuery, TableRow};
use crate::store::statement as sql;
use crate::writer::{JobError, UnixMillis};

/// Maximum number of invites per request.
const MAX_INVITES: u32 = 1_000;

/// Request to create invite links.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct InvitesRequest {
    /// Kind of judgment the invited assessors give.
    pub(crate) kind: JudgmentKind,
    /// Number of invite links to create.
    #[serde(default = "default_invite_count")]
    #[schemars(range(min = 1, max = MAX_INVITES))]
    pub(crate) count: u32,
    /// Note for the organiser, stored with each invite.
    #[serde(default)]
    pub(crate) label: Option<String>,
    /// Time when the invites expire, in RFC 3339 and in UTC, with `Z` as the offset; they do not
    /// expire if omitted.
    #[serde(default)]
    #[schemars(extend("format" = "date-time"))]
    pub(crate) expires: Option<String>,
}

/// Returns the number of invites to create if a request names none.
fn default_invite_count() -> u32 {
    1
}

/// Newly created invite links.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct InviteLinks {
    /// Invite links, one per assessor.
    pub invites: Vec<InviteLink>,
}

/// Newly created invite link.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct InviteLink {
    /// Id of the invite, by which it can be revoked.
    pub id: String,
    /// Secret token of the invite. Only its hash is stored, so it is shown once.
    pub invite: String,
    /// URL to send to one assessor.
    pub link: String,
}

/// Invites of a campaign, as organisers see them.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct InviteListView {
    /// Invites, without their secret tokens.
    invites: Vec<InviteView>,
    /// Number of invites that the search found. Present only if the request has a limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    total: Option<usize>,
}

/// Invite as organisers see it.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct InviteView {
    /// Id of the invite.
    id: String,
    /// Kind of judgment the invited assessor gives.
    kind: JudgmentKind,
    /// Note for the organiser, given when the invite was created.
    label: Option<String>,
    /// Time when the invite expires, in RFC 3339, if it does.
    #[schemars(extend("format" = "date-time"))]
    expires: Option<String>,
    /// Time when the invite was revoked, in RFC 3339, if it was.
    #[schemars(extend("format" = "date-time"))]
    revoked: Option<String>,
    /// Id of the assessor who used the invite, if any.
    person: Option<String>,
}

impl TableRow for InviteView {
    const SORT_KEYS: &'static [&'static str] =
        &["id", "kind", "label", "expires", "revoked", "person"];

    fn sort_value(&self, key: &str) -> SortValue<'_> {
        match key {
            "id" => SortValue::Text(&self.id),
            "kind" => SortValue::Text(self.kind.name()),
            "label" => self.label.as_deref().into(),
            "expires" => self.expires.as_deref().into(),
            "revoked" => self.revoked.as_deref().into(),
            _ => self.person.as_deref().into(),
        }
    }

    fn search_texts(&self) -> Vec<&str> {
        let optional = [self.label.as_deref(), self.person.as_deref()];
        let mut texts: Vec<&str> = optional.into_iter().flatten().collect();
        texts.push(&self.id);
        texts
    }
}

pub(crate) async fn create_invites(
    State(shared): State<Arc<AppState>>,
    Path(name): Path<String>,
    organiser: AuthenticatedOrganiser,
    JsonBody(new): JsonBody<InvitesRequest>,
) -> Result<Response, HttpProblem> {
    organiser.require(Scope::Manage, &name)?;
    let url = shared.public_url.clone();
    let made = shared.writer.run_job(&name, |context| {
        Box::pin(async move {
            require_not_closed(context.campaign.phase())?;
            let spec = context.campaign.spec().clone();
            let made = insert_invites(context.transaction, &spec.name, &spec.kinds, new, &url);
            made.await
        })
    });
    Ok((StatusCode::CREATED, JsonResponse(made.await?)).into_response())
}

/// Returns a problem for a campaign that is closed: a new link would admit nobody.
pub(crate) fn require_not_closed(phase: CampaignPhase) -> Result<(), HttpProblem> {
    match phase {
        // Jobs on a damaged campaign are refused before.
        CampaignPhase::Open | CampaignPhase::Paused | CampaignPhase::Damaged => Ok(()),
        CampaignPhase::Closed => Err(HttpProblem::new(
            ProblemKind::CampaignClosed,
            "the campaign is closed, so a new link would admit nobody",
        )),
    }
}

/// Creates invites for a campaign that collects judgments of the kinds `campaign_kinds`. Returns
/// their links, which begin with `base_url`.
pub(crate) async fn insert_invites(
    transaction: &mut dyn crate::store::Transaction,
    campaign: &str,
    campaign_kinds: &[JudgmentKind],
    request: InvitesRequest,
    base_url: &str,
) -> Result<InviteLinks, JobError> {
    let mut field_errors = Vec::new();
    if !campaign_kinds.contains(&request.kind) {
        field_errors.push(FieldError::new(
            "/kind",
            "the campaign has no tasks of this kind",
        ));
    }
    if !(1..=MAX_INVITES).contains(&request.count) {
        field_errors.push(FieldError::new(
            "/count",
            format!("from 1 to {MAX_INVITES} at a time"),
        ));
    }
    let expires = request.expires.map(|text| text.parse::<Timestamp>());
    if matches!(expires, Some(Err(_))) {
        let detail = "a time must have the form 2026-11-16T12:00:00Z";
        field_errors.push(FieldError::new("/expires", detail));
    }
    if !field_errors.is_empty() {
        return Err(HttpProblem::invalid(field_errors).into());
    }
    let expires = expires.and_then(Result::ok);
    let expires = expires.map(|moment| (moment.seconds() * 1_000.0) as i64);
    let mut invites = Vec::new();
    for _ in 0..request.count {
        let (id, token) = (random_id(), Token::random());
        let values = vec![
            id.as_str().into(),
            campaign.into(),
            token.hash().into(),
            request.kind.to_string().into(),
            request.label.clone().into(),
            expires.into(),
        ];
        transaction.execute(&sql::INVITE_ADD, values).await?;
        // Put the token in the URL fragment, which browsers do not send to servers.
        let link = format!("{base_url}/j/{campaign}#invite={}", token.as_str());
        invites.push(InviteLink {
            id,
            invite: token.as_str().to_owned(),
            link,
        });
    }
    Ok(InviteLinks { invites })
}

pub(crate) async fn list_invites(
    State(shared): State<Arc<AppState>>,
    Path(name): Path<String>,
    QueryParams(rows): QueryParams<TableQuery>,
    organiser: AuthenticatedOrganiser,
) -> Result<JsonResponse<InviteListView>, HttpProblem> {
    organiser.require(Scope::Read, &name)?;
    let mut read = shared.store.begin_read().await?;
    let found = read
        .fetch_optional(&sql::CAMPAIGN_GET, vec![name.as_str().into()])
        .await?;
    found.ok_or_else(|| HttpProblem::not_found("campaign"))?;
    let time = |millis: Option<i64>| millis.map(|millis| UnixMillis(millis).to_rfc3339());
    let mut invites = Vec::new();
    for mut row in read.fetch_all(&sql::INVITE_ALL, vec![name.into()]).await? {
        let id = row.text()?;
        let kind = row.text()?.parse().map_err(HttpProblem::internal)?;
        invites.push(InviteView {
            id,
            kind,
            label: row.text_or_null(),
            expires: time(row.int_or_null()),
            revoked: time(row.int_or_null()),
            person: row.text_or_null(),
        });
    }
    let page = rows.select(invites)?;
    Ok(JsonResponse(InviteListView {
        invites: page.rows,
        total: page.total,
    }))
}

pub(crate) async fn revoke_invite(
    State(shared): State<Arc<AppState>>,
    Path((name, id)): Path<(String, String)>,
    organiser: AuthenticatedOrganiser,
) -> Result<StatusCode, HttpProblem> {
    organiser.require(Scope::Manage, &name)?;
    let revoked = shared.writer.run_job(&name, |context| {
        Box::pin(async move {
            let key = vec![context.campaign.name.as_str().into(), id.as_str().into()];
            let known = context.fetch_optional(&sql::INVITE_GET, key).await?;
            known.ok_or_else(|| HttpProblem::not_found("invite"))?;
            let values = vec![
                context.campaign.name.as_str().into(),
                id.into(),
                context.now.0.into(),
            ];
            context.execute(&sql::INVITE_REVOKE, values).await?;
            Ok(())
        })
    });
    revoked.await?;
    Ok(StatusCode::NO_CONTENT)
}

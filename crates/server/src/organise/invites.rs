//! Invites: each lets one person in.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use partita_judging::campaign::Kind;
use partita_judging::campaign::log::Moment;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Organiser, Scope};
use crate::Shared;
use crate::desk::{Now, Refused};
use crate::guard::{Token, random_id};
use crate::problem::{Fault, Problem};
use crate::request::{Body, Json};
use crate::store::row;
use crate::store::statement as sql;

/// The most invites that are made at once.
const MOST: u32 = 1_000;

/// Invites to be made.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewInvites {
    /// What these people judge.
    pub(crate) kind: Kind,
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
pub(crate) struct MadeInvites {
    /// Each of them.
    pub(crate) invites: Vec<MadeInvite>,
}

/// An invite that was made.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct MadeInvite {
    /// What to call it when it is revoked.
    pub(crate) id: String,
    /// The token, shown this once.
    pub(crate) invite: String,
    /// The address to be sent to somebody.
    pub(crate) link: String,
}

/// All invites of a campaign.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct InvitesView {
    /// Each of them.
    invites: Vec<InviteView>,
}

/// An invite.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct InviteView {
    /// What it is called.
    id: String,
    /// What its person judges.
    kind: Kind,
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

pub(super) async fn make(
    State(shared): State<Arc<Shared>>,
    Path(name): Path<String>,
    organiser: Organiser,
    Body(new): Body<NewInvites>,
) -> Result<Response, Problem> {
    organiser.may(Scope::Manage, &name)?;
    let url = shared.public_url.clone();
    let made = shared.desk.turn(&name, |turn| {
        Box::pin(async move {
            let document = turn.room.document.clone();
            let made = make_invites(turn.transaction, &document.name, &document.kinds, new, &url);
            made.await
        })
    });
    Ok((StatusCode::CREATED, Json(made.await?)).into_response())
}

/// Makes invites of a campaign.
pub(crate) async fn make_invites(
    transaction: &mut dyn crate::store::Transaction,
    campaign: &str,
    kinds: &[Kind],
    new: NewInvites,
    url: &str,
) -> Result<MadeInvites, Refused> {
    let mut faults = Vec::new();
    if !kinds.contains(&new.kind) {
        faults.push(Fault::at(
            "/kind",
            "the campaign does not ask for this kind",
        ));
    }
    if !(1..=MOST).contains(&new.count) {
        faults.push(Fault::at("/count", format!("from 1 to {MOST} at a time")));
    }
    let expires = new.expires.map(|text| text.parse::<Moment>());
    if matches!(expires, Some(Err(_))) {
        let detail = "a time is written as 2026-11-16T12:00:00Z";
        faults.push(Fault::at("/expires", detail));
    }
    if !faults.is_empty() {
        return Err(Problem::invalid(faults).into());
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
        transaction.run(&sql::INVITE_ADD, values).await?;
        // Behind the hash, which browsers keep to themselves.
        let link = format!("{url}/j/{campaign}#invite={}", token.text());
        invites.push(MadeInvite {
            id,
            invite: token.text().to_owned(),
            link,
        });
    }
    Ok(MadeInvites { invites })
}

pub(super) async fn all(
    State(shared): State<Arc<Shared>>,
    Path(name): Path<String>,
    organiser: Organiser,
) -> Result<Json<InvitesView>, Problem> {
    organiser.may(Scope::Read, &name)?;
    let mut read = shared.store.read().await?;
    let found = row(
        read.as_mut(),
        &sql::CAMPAIGN_GET,
        vec![name.as_str().into()],
    )
    .await?;
    found.ok_or_else(|| Problem::not_found("campaign"))?;
    let time = |millis: Option<i64>| millis.map(|millis| Now(millis).text());
    let mut invites = Vec::new();
    for mut row in read.rows(&sql::INVITE_ALL, vec![name.into()]).await? {
        let id = row.text()?;
        let kind = row.text()?.parse().map_err(|_| Problem::unavailable())?;
        invites.push(InviteView {
            id,
            kind,
            label: row.text_or_null(),
            expires: time(row.int_or_null()),
            revoked: time(row.int_or_null()),
            person: row.text_or_null(),
        });
    }
    Ok(Json(InvitesView { invites }))
}

pub(super) async fn revoke(
    State(shared): State<Arc<Shared>>,
    Path((name, id)): Path<(String, String)>,
    organiser: Organiser,
) -> Result<StatusCode, Problem> {
    organiser.may(Scope::Manage, &name)?;
    let revoked = shared.desk.turn(&name, |turn| {
        Box::pin(async move {
            let key = vec![turn.room.name.as_str().into(), id.as_str().into()];
            let known = row(turn.transaction, &sql::INVITE_GET, key).await?;
            known.ok_or_else(|| Problem::not_found("invite"))?;
            let values = vec![turn.room.name.as_str().into(), id.into(), turn.now.0.into()];
            turn.transaction.run(&sql::INVITE_REVOKE, values).await?;
            Ok(())
        })
    });
    revoked.await?;
    Ok(StatusCode::NO_CONTENT)
}

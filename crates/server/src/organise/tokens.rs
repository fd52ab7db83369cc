//! Organisers' tokens.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use partita_stats::named::Named;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Organiser;
use crate::Shared;
use crate::desk::Now;
use crate::guard::{Token, random_id};
use crate::problem::Problem;
use crate::request::{Body, Json};
use crate::store::statement as sql;
use crate::store::{StoreError, Transaction};

partita_stats::named! {
    /// What a token may do.
    pub enum Scope: "scope" {
        /// look at campaigns
        Read = "read",
        /// make and change campaigns
        Manage = "manage",
        /// see what panels say of people, and erase it
        People = "people",
        /// make and revoke tokens
        Tokens = "tokens",
    }
}

/// Scopes as they are kept.
pub(crate) fn read_scopes(text: &str) -> Vec<Scope> {
    text.split(' ')
        .filter_map(|scope| scope.parse().ok())
        .collect()
}

/// A token to be made.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewToken {
    /// What it may do.
    #[schemars(length(min = 1))]
    scopes: Vec<Scope>,
    /// The only campaign that it is for.
    #[serde(default)]
    campaign: Option<String>,
}

/// A token that was made.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct MadeToken {
    /// What to call it when it is revoked.
    id: String,
    /// The token itself, shown this once.
    token: String,
}

/// All tokens.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct TokensView {
    /// Each of them, without the token itself.
    tokens: Vec<TokenView>,
}

/// A token.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct TokenView {
    /// What it is called.
    id: String,
    /// What it may do.
    scopes: Vec<Scope>,
    /// The only campaign that it is for.
    campaign: Option<String>,
    /// When it was made.
    #[schemars(extend("format" = "date-time"))]
    created: String,
}

/// Makes a token; its id and itself.
pub(crate) async fn make_token(
    transaction: &mut dyn Transaction,
    scopes: &[Scope],
    campaign: Option<String>,
    now: Now,
) -> Result<(String, Token), StoreError> {
    let (id, token) = (random_id(), Token::random());
    let names: Vec<&str> = scopes.iter().map(|scope| scope.name()).collect();
    let values = vec![
        id.as_str().into(),
        token.hash().into(),
        names.join(" ").into(),
        campaign.into(),
        now.0.into(),
    ];
    transaction.run(&sql::TOKEN_ADD, values).await?;
    Ok((id, token))
}

pub(super) async fn make(
    State(shared): State<Arc<Shared>>,
    organiser: Organiser,
    Body(new): Body<NewToken>,
) -> Result<Response, Problem> {
    organiser.may_with_all(Scope::Tokens)?;
    if new.scopes.is_empty() {
        return Err(Problem::at(
            "/scopes",
            "a token without scopes can do nothing",
        ));
    }
    let made = shared.desk.write(|transaction, now| {
        Box::pin(async move {
            if let Some(campaign) = &new.campaign {
                let name = vec![campaign.as_str().into()];
                if transaction.rows(&sql::CAMPAIGN_GET, name).await?.is_empty() {
                    return Err(Problem::at("/campaign", "there is no such campaign").into());
                }
            }
            Ok(make_token(transaction, &new.scopes, new.campaign, now).await?)
        })
    });
    let (id, token) = made.await?;
    let token = token.text().to_owned();
    Ok((StatusCode::CREATED, Json(MadeToken { id, token })).into_response())
}

pub(super) async fn all(
    State(shared): State<Arc<Shared>>,
    organiser: Organiser,
) -> Result<Json<TokensView>, Problem> {
    organiser.may_with_all(Scope::Tokens)?;
    let mut read = shared.store.read().await?;
    let mut tokens = Vec::new();
    for mut row in read.rows(&sql::TOKEN_ALL, vec![]).await? {
        tokens.push(TokenView {
            id: row.text()?,
            scopes: read_scopes(&row.text()?),
            campaign: row.text_or_null(),
            created: Now(row.int()?).text(),
        });
    }
    Ok(Json(TokensView { tokens }))
}

pub(super) async fn revoke(
    State(shared): State<Arc<Shared>>,
    Path(id): Path<String>,
    organiser: Organiser,
) -> Result<StatusCode, Problem> {
    organiser.may_with_all(Scope::Tokens)?;
    let dropped = shared.desk.write(|transaction, _| {
        Box::pin(async move { Ok(transaction.run(&sql::TOKEN_DROP, vec![id.into()]).await?) })
    });
    match dropped.await? {
        0 => Err(Problem::not_found("token")),
        _ => Ok(StatusCode::NO_CONTENT),
    }
}

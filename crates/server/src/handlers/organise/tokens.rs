//! Organiser tokens and their scopes.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use partita_named::NamedEnum;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::AppState;
use crate::auth::organiser::AuthenticatedOrganiser;
use crate::auth::{Token, random_id};
use crate::http::problem::HttpProblem;
use crate::http::request::{JsonBody, JsonResponse};
use crate::store::statement as sql;
use crate::store::{StoreError, Transaction};
use crate::writer::UnixMillis;

partita_named::named_enum! {
    /// Scope: a right of an organiser token.
    pub enum Scope: "scope" {
        /// read campaigns
        Read = "read",
        /// create and change campaigns
        Manage = "manage",
        /// read and erase the data that recruiters gave about people
        People = "people",
        /// create and revoke tokens
        Tokens = "tokens",
    }
}

/// Parses scopes as stored in the database.
pub(crate) fn parse_scopes(text: &str) -> Vec<Scope> {
    text.split(' ')
        .filter_map(|scope| scope.parse().ok())
        .collect()
}

/// Request to create a token.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct TokenRequest {
    /// Scopes of the token.
    #[schemars(length(min = 1))]
    scopes: Vec<Scope>,
    /// Campaign to which the token is restricted, if any.
    #[serde(default)]
    campaign: Option<String>,
}

/// Newly created token.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct IssuedToken {
    /// Id by which the token is revoked.
    id: String,
    /// Secret token. Only its hash is stored, so it is shown once.
    token: String,
}

/// List of organiser tokens.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct TokenSummariesView {
    /// Tokens, without their secret text.
    tokens: Vec<TokenView>,
}

/// Organiser token.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct TokenView {
    /// Id of the token.
    id: String,
    /// Scopes of the token.
    scopes: Vec<Scope>,
    /// Campaign to which the token is restricted, if any.
    campaign: Option<String>,
    /// Time of creation.
    #[schemars(extend("format" = "date-time"))]
    created: String,
}

/// Creates a token; returns its id and its secret text.
pub(crate) async fn insert_token(
    transaction: &mut dyn Transaction,
    scopes: &[Scope],
    campaign: Option<String>,
    now: UnixMillis,
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
    transaction.execute(&sql::TOKEN_ADD, values).await?;
    Ok((id, token))
}

pub(crate) async fn make(
    State(shared): State<Arc<AppState>>,
    organiser: AuthenticatedOrganiser,
    JsonBody(new): JsonBody<TokenRequest>,
) -> Result<Response, HttpProblem> {
    organiser.require_for_all(Scope::Tokens)?;
    if new.scopes.is_empty() {
        return Err(HttpProblem::invalid_field(
            "/scopes",
            "a token needs at least one scope",
        ));
    }
    let made = shared.writer.run_transaction(|transaction, now| {
        Box::pin(async move {
            if let Some(campaign) = &new.campaign {
                let name = vec![campaign.as_str().into()];
                if transaction
                    .fetch_all(&sql::CAMPAIGN_GET, name)
                    .await?
                    .is_empty()
                {
                    return Err(HttpProblem::invalid_field(
                        "/campaign",
                        "there is no such campaign",
                    )
                    .into());
                }
            }
            Ok(insert_token(transaction, &new.scopes, new.campaign, now).await?)
        })
    });
    let (id, token) = made.await?;
    let token = token.as_str().to_owned();
    Ok((StatusCode::CREATED, JsonResponse(IssuedToken { id, token })).into_response())
}

pub(crate) async fn all(
    State(shared): State<Arc<AppState>>,
    organiser: AuthenticatedOrganiser,
) -> Result<JsonResponse<TokenSummariesView>, HttpProblem> {
    organiser.require_for_all(Scope::Tokens)?;
    let mut read = shared.store.begin_read().await?;
    let mut tokens = Vec::new();
    for mut row in read.fetch_all(&sql::TOKEN_ALL, vec![]).await? {
        tokens.push(TokenView {
            id: row.text()?,
            scopes: parse_scopes(&row.text()?),
            campaign: row.text_or_null(),
            created: UnixMillis(row.int()?).to_rfc3339(),
        });
    }
    Ok(JsonResponse(TokenSummariesView { tokens }))
}

pub(crate) async fn revoke(
    State(shared): State<Arc<AppState>>,
    Path(id): Path<String>,
    organiser: AuthenticatedOrganiser,
) -> Result<StatusCode, HttpProblem> {
    organiser.require_for_all(Scope::Tokens)?;
    let dropped = shared.writer.run_transaction(|transaction, _| {
        Box::pin(async move {
            Ok(transaction
                .execute(&sql::TOKEN_DROP, vec![id.into()])
                .await?)
        })
    });
    match dropped.await? {
        0 => Err(HttpProblem::not_found("token")),
        _ => Ok(StatusCode::NO_CONTENT),
    }
}

//! Organiser tokens and their scopes.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::AppState;
use crate::auth::organiser::{AuthenticatedOrganiser, Scope, insert_token, parse_scopes};
use crate::http::problem::HttpProblem;
use crate::http::request::{JsonBody, JsonResponse};
use crate::store::statement as sql;
use crate::writer::UnixMillis;

/// Request to create an organiser token.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct TokenRequest {
    /// Rights that the token grants.
    #[schemars(length(min = 1))]
    scopes: Vec<Scope>,
    /// Campaign to which the token is restricted, if any.
    #[serde(default)]
    campaign: Option<String>,
}

/// List of all organiser tokens.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct TokenSummariesView {
    /// Tokens in the order of their creation, without their secret text.
    tokens: Vec<TokenView>,
}

/// Organiser token without its secret text.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct TokenView {
    /// Id of the token, by which it can be revoked.
    id: String,
    /// Rights that the token grants.
    scopes: Vec<Scope>,
    /// Campaign to which the token is restricted, if any.
    campaign: Option<String>,
    /// Time when the token was created, in RFC 3339.
    #[schemars(extend("format" = "date-time"))]
    created: String,
}

pub(crate) async fn create_token(
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
    Ok((StatusCode::CREATED, JsonResponse(made.await?)).into_response())
}

pub(crate) async fn list_tokens(
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

pub(crate) async fn revoke_token(
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

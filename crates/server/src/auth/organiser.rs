//! Authentication of organisers. Each request carries a bearer token, or a session cookie that was
//! issued in exchange for a token. A token has scopes and may be restricted to one campaign.

use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{Method, header};
use partita::named::NamedEnum;
use schemars::JsonSchema;
use serde::Serialize;

use super::{Token, random_id};
use crate::AppState;
use crate::http::problem::{HttpProblem, ProblemKind};
use crate::http::request::{bearer_token, client_address};
use crate::operation::request_observer::RequestContext;
use crate::store::statement as sql;
use crate::store::{StoreError, Transaction};
use crate::writer::UnixMillis;

partita::named::named_enum! {
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

/// Parses the scopes of a token as stored in the database: names separated by spaces. Unknown names
/// are ignored.
pub(crate) fn parse_scopes(text: &str) -> Vec<Scope> {
    text.split(' ')
        .filter_map(|scope| scope.parse().ok())
        .collect()
}

/// Newly created organiser token.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct IssuedToken {
    /// Id of the token, by which it can be revoked.
    pub id: String,
    /// Secret text of the token. Only its hash is stored, so it is shown once.
    pub token: String,
}

/// Creates an organiser token with these scopes, restricted to one campaign if `campaign` is given.
pub(crate) async fn insert_token(
    transaction: &mut dyn Transaction,
    scopes: &[Scope],
    campaign: Option<String>,
    now: UnixMillis,
) -> Result<IssuedToken, StoreError> {
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
    let token = token.as_str().to_owned();
    Ok(IssuedToken { id, token })
}

/// Name of the cookie that holds an organiser's session.
pub(crate) const SESSION_COOKIE: &str = "partita";

/// Organiser identified by the token or the session of a request.
#[derive(Clone, Debug)]
pub(crate) struct AuthenticatedOrganiser {
    /// Id of the organiser's token; recorded as the author of their actions.
    pub(crate) token_id: String,
    scopes: Vec<Scope>,
    campaign: Option<String>,
}

impl AuthenticatedOrganiser {
    /// Checks that the organiser's token has a scope and gives access to a campaign. Does not check
    /// that the campaign exists.
    pub(crate) fn require(&self, scope: Scope, campaign: &str) -> Result<(), HttpProblem> {
        if self.campaign.as_ref().is_some_and(|own| own != campaign) {
            // Answer "not found", so that the names of other campaigns are not disclosed.
            return Err(HttpProblem::not_found("campaign"));
        }
        RequestContext::note_campaign(campaign);
        self.require_scope(scope)
    }

    /// Checks that the organiser's token has a scope and is not restricted to one campaign.
    pub(crate) fn require_for_all(&self, scope: Scope) -> Result<(), HttpProblem> {
        if self.campaign.is_some() {
            let detail = "this token is limited to one campaign";
            return Err(HttpProblem::new(ProblemKind::Forbidden, detail));
        }
        self.require_scope(scope)
    }

    /// Returns true if the organiser's token gives access to a campaign.
    pub(crate) fn can_see(&self, campaign: &str) -> bool {
        self.campaign.as_ref().is_none_or(|own| own == campaign)
    }

    /// Checks that the organiser's token has a scope.
    pub(crate) fn require_scope(&self, scope: Scope) -> Result<(), HttpProblem> {
        if self.scopes.contains(&scope) {
            return Ok(());
        }
        let detail = format!("this needs a token with the scope `{scope}`");
        Err(HttpProblem::new(ProblemKind::Forbidden, detail))
    }

    /// Returns the author that is recorded in the log with this organiser's events.
    pub(crate) fn author(&self) -> String {
        format!("organiser {}", self.token_id)
    }
}

/// Rejects a request whose `Origin` header is missing or is not the URL of this server (protection
/// against CSRF).
pub(crate) fn check_origin(parts: &Parts, shared: &AppState) -> Result<(), HttpProblem> {
    let text = |name| {
        parts
            .headers
            .get(name)
            .and_then(|value| value.to_str().ok())
    };
    let origin = text(header::ORIGIN);
    let own = origin == Some(shared.public_url.as_str());
    // Accept the public URL, which applies behind a proxy, and the `Host` header of direct
    // requests.
    let host = text(header::HOST).unwrap_or_default();
    let direct = origin.is_some_and(|origin| origin == format!("http://{host}"));
    if own || direct {
        return Ok(());
    }
    let detail = "this request comes from another site";
    Err(HttpProblem::new(ProblemKind::CrossOrigin, detail))
}

/// Returns the value of the session cookie of a request; `None` if it has none.
pub(crate) fn session_cookie(parts: &Parts) -> Option<&str> {
    let headers = parts.headers.get_all(header::COOKIE).into_iter();
    headers
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(';'))
        .find_map(|cookie| {
            let value = cookie.trim().strip_prefix(SESSION_COOKIE)?;
            value.strip_prefix('=')
        })
}

/// Looks up the organiser of a bearer token; returns `None` if the token does not exist.
pub(crate) async fn organiser_from_token(
    transaction: &mut dyn Transaction,
    token: &str,
) -> Result<Option<AuthenticatedOrganiser>, HttpProblem> {
    let hash = Token::from_text(token).hash();
    let found = transaction
        .fetch_optional(&sql::TOKEN_BY_HASH, vec![hash.into()])
        .await?;
    let Some(mut found) = found else {
        return Ok(None);
    };
    let (token_id, scopes, campaign) = (found.text()?, found.text()?, found.text_or_null());
    Ok(Some(AuthenticatedOrganiser {
        token_id,
        scopes: parse_scopes(&scopes),
        campaign,
    }))
}

/// Looks up the organiser of a session; returns `None` if the session or its token does not exist
/// or the session has expired.
async fn organiser_from_session(
    transaction: &mut dyn Transaction,
    cookie: &str,
) -> Result<Option<AuthenticatedOrganiser>, HttpProblem> {
    let hash = Token::from_text(cookie).hash();
    let found = transaction
        .fetch_optional(&sql::SESSION_GET, vec![hash.into()])
        .await?;
    let Some(mut found) = found else {
        return Ok(None);
    };
    let (token_id, expires) = (found.text()?, found.int()?);
    if expires < UnixMillis::now().0 {
        return Ok(None);
    }
    let found = transaction
        .fetch_optional(&sql::TOKEN_GET, vec![token_id.as_str().into()])
        .await?;
    let Some(mut found) = found else {
        return Ok(None);
    };
    let (scopes, campaign) = (found.text()?, found.text_or_null());
    Ok(Some(AuthenticatedOrganiser {
        token_id,
        scopes: parse_scopes(&scopes),
        campaign,
    }))
}

impl FromRequestParts<Arc<AppState>> for AuthenticatedOrganiser {
    type Rejection = HttpProblem;

    async fn from_request_parts(
        parts: &mut Parts,
        shared: &Arc<AppState>,
    ) -> Result<Self, HttpProblem> {
        let address = client_address(parts, shared);
        let mut read = shared.store.begin_read().await?;
        let found = match (bearer_token(parts), session_cookie(parts)) {
            (Some(token), _) => {
                (shared.rate_limits).check_token(&Token::from_text(token).hash())?;
                organiser_from_token(read.as_mut(), token).await?
            }
            (None, Some(cookie)) => {
                // Browsers also attach the cookie to requests that other sites trigger, so check
                // the origin of all methods that can change data.
                if ![Method::GET, Method::HEAD].contains(&parts.method) {
                    check_origin(parts, shared)?;
                }
                (shared.rate_limits).check_token(&Token::from_text(cookie).hash())?;
                organiser_from_session(read.as_mut(), cookie).await?
            }
            (None, None) => None,
        };
        read.rollback().await?;
        found.ok_or_else(|| {
            let detail = "the token is missing or not valid";
            let problem = HttpProblem::new(ProblemKind::Unauthorised, detail);
            shared.rate_limits.record_failure(address, problem)
        })
    }
}

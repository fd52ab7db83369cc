//! Browser sessions of organisers, started with a token.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::AppState;
use crate::auth::Token;
use crate::auth::organiser::{SESSION_COOKIE, check_origin, organiser_from_token, session_cookie};
use crate::http::json::parse_json;
use crate::http::problem::{HttpProblem, ProblemKind};
use crate::http::request::{MAX_JSON_BYTES, client_address, read_json_body};
use crate::store::statement as sql;

/// Lifetime of a session in seconds: 12 hours.
const SESSION_LIFETIME_SECONDS: i64 = 12 * 3_600;

/// Request of an organiser to start a browser session.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SignInRequest {
    /// Organiser token to exchange for a session.
    token: String,
}

/// Signs a browser in: exchanges an organiser token for a session cookie.
pub(crate) async fn begin_session(
    State(shared): State<Arc<AppState>>,
    request: Request,
) -> Result<Response, HttpProblem> {
    let (parts, body) = request.into_parts();
    check_origin(&parts, &shared)?;
    let address = client_address(&parts, &shared);
    let request = Request::from_parts(parts, body);
    let new: SignInRequest = parse_json(&read_json_body(request, MAX_JSON_BYTES).await?)?;
    let mut reading = shared.store.begin_read().await?;
    let organiser = organiser_from_token(reading.as_mut(), new.token.trim()).await?;
    reading.rollback().await?;
    let Some(organiser) = organiser else {
        let problem = HttpProblem::new(ProblemKind::Unauthorised, "the token is not valid");
        return Err(shared.rate_limits.record_failure(address, problem));
    };
    let session = Token::random();
    let hash = session.hash();
    let begun = shared.writer.run_transaction(|transaction, now| {
        Box::pin(async move {
            transaction
                .execute(&sql::SESSION_EXPIRE, vec![now.0.into()])
                .await?;
            let expires = now.0 + SESSION_LIFETIME_SECONDS * 1_000;
            let values = vec![hash.into(), organiser.token_id.into(), expires.into()];
            transaction.execute(&sql::SESSION_ADD, values).await?;
            Ok(())
        })
    });
    begun.await?;
    Ok(cookie_response(
        &shared,
        session.as_str(),
        SESSION_LIFETIME_SECONDS,
    ))
}

/// Signs a browser out: deletes its session.
pub(crate) async fn end_session(
    State(shared): State<Arc<AppState>>,
    request: Request,
) -> Result<Response, HttpProblem> {
    let (parts, _) = request.into_parts();
    check_origin(&parts, &shared)?;
    if let Some(cookie) = session_cookie(&parts) {
        let hash = Token::from_text(cookie).hash();
        let ended = shared.writer.run_transaction(|transaction, _| {
            Box::pin(async move {
                transaction
                    .execute(&sql::SESSION_DROP, vec![hash.into()])
                    .await?;
                Ok(())
            })
        });
        ended.await?;
    }
    Ok(cookie_response(&shared, "", 0))
}

/// Builds the empty response that sets the session cookie to a value for a number of seconds.
fn cookie_response(shared: &AppState, value: &str, seconds: i64) -> Response {
    let secure = if shared.public_url.starts_with("https://") {
        "; Secure"
    } else {
        ""
    };
    let cookie = format!(
        "{SESSION_COOKIE}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Strict{secure}"
    );
    let cookie = HeaderValue::try_from(cookie).expect("the cookie is printable ASCII");
    let mut response = StatusCode::NO_CONTENT.into_response();
    response.headers_mut().insert(header::SET_COOKIE, cookie);
    response
}

//! Sessions of organisers' browsers, begun with a token.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{COOKIE, check_origin, cookie, of_token};
use crate::Shared;
use crate::document::read;
use crate::guard::Token;
use crate::problem::{Problem, ProblemKind};
use crate::request::{MOST_JSON, address, json_bytes};
use crate::store::statement as sql;

/// How long a session lasts: 12 hours.
const VALID: i64 = 12 * 3_600;

/// What a session is begun with.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewSession {
    /// The token.
    token: String,
}

pub(super) async fn begin(
    State(shared): State<Arc<Shared>>,
    request: Request,
) -> Result<Response, Problem> {
    let (parts, body) = request.into_parts();
    check_origin(&parts, &shared)?;
    let address = address(&parts, &shared);
    let request = Request::from_parts(parts, body);
    let new: NewSession = read(&json_bytes(request, MOST_JSON).await?)?;
    let mut reading = shared.store.read().await?;
    let organiser = of_token(reading.as_mut(), new.token.trim()).await?;
    reading.rollback().await?;
    let Some(organiser) = organiser else {
        let problem = Problem::new(ProblemKind::Unauthorised, "the token is not valid");
        return Err(shared.limits.failure(address, problem));
    };
    let session = Token::random();
    let hash = session.hash();
    let begun = shared.desk.write(|transaction, now| {
        Box::pin(async move {
            transaction
                .run(&sql::SESSION_EXPIRE, vec![now.0.into()])
                .await?;
            let expires = now.0 + VALID * 1_000;
            let values = vec![hash.into(), organiser.token.into(), expires.into()];
            transaction.run(&sql::SESSION_ADD, values).await?;
            Ok(())
        })
    });
    begun.await?;
    Ok(with_cookie(&shared, session.text(), VALID))
}

pub(super) async fn end(
    State(shared): State<Arc<Shared>>,
    request: Request,
) -> Result<Response, Problem> {
    let (parts, _) = request.into_parts();
    check_origin(&parts, &shared)?;
    if let Some(cookie) = cookie(&parts) {
        let hash = Token::shown(cookie).hash();
        let ended = shared.desk.write(|transaction, _| {
            Box::pin(async move {
                transaction
                    .run(&sql::SESSION_DROP, vec![hash.into()])
                    .await?;
                Ok(())
            })
        });
        ended.await?;
    }
    Ok(with_cookie(&shared, "", 0))
}

fn with_cookie(shared: &Shared, value: &str, seconds: i64) -> Response {
    let secure = if shared.public_url.starts_with("https://") {
        "; Secure"
    } else {
        ""
    };
    let cookie =
        format!("{COOKIE}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Strict{secure}");
    let cookie = HeaderValue::try_from(cookie).expect("digits and words");
    let mut response = StatusCode::NO_CONTENT.into_response();
    response.headers_mut().insert(header::SET_COOKIE, cookie);
    response
}

//! What all requests have in common.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{ConnectInfo, FromRequest, FromRequestParts, Request};
use axum::http::header;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use http_body_util::BodyExt as _;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::Shared;
use crate::connections::TooSlow;
use crate::document;
use crate::problem::{Problem, ProblemKind};

/// The most bytes of JSON in a request.
pub(crate) const MOST_JSON: usize = 64 * 1024;

/// The most bytes of a request that are read only to be dropped.
const MOST_DROPPED: usize = 64 << 20;

/// The token that a request shows.
pub(crate) fn bearer(parts: &Parts) -> Option<&str> {
    let value = parts.headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    let (scheme, token) = value.split_once(' ')?;
    scheme
        .eq_ignore_ascii_case("bearer")
        .then_some(token.trim())
}

/// Where a request comes from.
pub(crate) fn address(parts: &Parts, shared: &Shared) -> IpAddr {
    let peer = parts.extensions.get::<ConnectInfo<SocketAddr>>();
    let peer = peer.map_or(IpAddr::V4(Ipv4Addr::LOCALHOST), |peer| peer.0.ip());
    let forwarded = parts.headers.get("x-forwarded-for");
    let forwarded = forwarded.and_then(|value| value.to_str().ok());
    shared.limits.address(peer, forwarded)
}

/// The JSON of a request.
pub(crate) struct Body<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequest<Arc<Shared>> for Body<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, _shared: &Arc<Shared>) -> Result<Self, Problem> {
        let bytes = json_bytes(request, MOST_JSON).await?;
        Ok(Self(document::read(&bytes)?))
    }
}

/// What follows the question mark of an address.
pub(crate) struct Query<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequestParts<Arc<Shared>> for Query<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _shared: &Arc<Shared>) -> Result<Self, Problem> {
        let read = axum::extract::Query::<T>::try_from_uri(&parts.uri);
        let read = read.map_err(|error| Problem::at("", error.body_text()))?;
        Ok(Self(read.0))
    }
}

/// The bytes of a request that is JSON.
pub(crate) async fn json_bytes(request: Request, most: usize) -> Result<Bytes, Problem> {
    let kind = content_type(&request);
    if !kind.is_some_and(|kind| kind.eq_ignore_ascii_case("application/json")) {
        let detail = "the body must be JSON, with the content type application/json";
        return Err(Problem::new(ProblemKind::MediaType, detail));
    }
    bytes(request, most).await
}

/// The content type of a request, without its parameters.
pub(crate) fn content_type(request: &Request) -> Option<&str> {
    let kind = request.headers().get(header::CONTENT_TYPE)?.to_str().ok()?;
    kind.split(';').next().map(str::trim)
}

/// How many bytes of a body are many.
const MANY: usize = 1 << 20;

/// The bytes of a request.
pub(crate) async fn bytes(request: Request, most: usize) -> Result<Bytes, Problem> {
    let too_large = || {
        let detail = format!("the body has more than {most} bytes");
        Problem::new(ProblemKind::TooLarge, detail)
    };
    let length = request.headers().get(header::CONTENT_LENGTH);
    let length = length.and_then(|length| length.to_str().ok()?.parse::<usize>().ok());
    let mut body = request.into_body();
    let mut read: Vec<u8> = Vec::new();
    let (mut large, mut dropped) = (length.is_some_and(|length| length > most), 0);
    // A client that is cut off while it sends does not hear why, so that what is too large is read and
    // dropped, up to a limit.
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|error| broken_off(&error))?;
        let Ok(data) = frame.into_data() else {
            continue;
        };
        large |= read.len() + data.len() > most;
        if !large {
            if read.len() > MANY && read.capacity() - read.len() < data.len() {
                // All that may come at once: memory that is not written to is not taken, and to grow by doubling would
                // take three times as much.
                let _ = read.try_reserve_exact(most - read.len());
            }
            read.extend_from_slice(&data);
            continue;
        }
        read = Vec::new();
        dropped += data.len();
        if dropped > MOST_DROPPED {
            break;
        }
    }
    match large {
        true => Err(too_large()),
        false => Ok(read.into()),
    }
}

/// Why there is no more of a body.
fn broken_off(error: &axum::Error) -> Problem {
    let source = std::error::Error::source(error);
    match source.is_some_and(|source| source.is::<TooSlow>()) {
        true => Problem::new(ProblemKind::TooSlow, "the request was not whole in time"),
        false => Problem::at("", "the body broke off"),
    }
}

/// An answer that is JSON.
pub(crate) struct Json<T>(pub(crate) T);

impl<T: Serialize> IntoResponse for Json<T> {
    fn into_response(self) -> Response {
        let body = serde_json::to_vec(&self.0).expect("an answer is text and numbers");
        ([(header::CONTENT_TYPE, "application/json")], body).into_response()
    }
}

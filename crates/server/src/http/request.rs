//! Extractors of request bodies and parameters, and helpers for requests.

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

use super::connections::{RequestTimeoutError, UploadSwitch};
use super::json::{NUL_DETAIL, parse_json};
use super::problem::{FieldError, HttpProblem, ProblemKind};
use crate::AppState;

/// Maximum size of a JSON request body other than a campaign document, in bytes.
pub(crate) const MAX_JSON_BYTES: usize = 64 * 1024;

/// Maximum number of bytes of an oversized body that are read and discarded before the error
/// response.
const MAX_DROPPED_BYTES: usize = 64 << 20;

/// Returns the bearer token of a request; `None` if it has none.
pub(crate) fn bearer_token(parts: &Parts) -> Option<&str> {
    let value = parts.headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    let (scheme, token) = value.split_once(' ')?;
    scheme
        .eq_ignore_ascii_case("bearer")
        .then_some(token.trim())
}

/// Returns the address by which the limits count the client that sent a request.
pub(crate) fn client_address(parts: &Parts, shared: &AppState) -> IpAddr {
    let peer = parts.extensions.get::<ConnectInfo<SocketAddr>>();
    let peer = peer.map_or(IpAddr::V4(Ipv4Addr::LOCALHOST), |peer| peer.0.ip());
    let lines = parts.headers.get_all("x-forwarded-for").iter();
    // A header line that is not ASCII is kept as an empty one. If it were dropped, an earlier line,
    // which the client can forge, would name the client.
    let lines = lines.map(|line| line.to_str().unwrap_or_default());
    shared.rate_limits.client_address(peer, lines)
}

/// Extractor of the address by which the limits count the client.
pub(crate) struct ClientAddress(pub(crate) IpAddr);

impl FromRequestParts<Arc<AppState>> for ClientAddress {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(
        parts: &mut Parts,
        shared: &Arc<AppState>,
    ) -> Result<Self, Self::Rejection> {
        Ok(Self(client_address(parts, shared)))
    }
}

/// Extractor that parses the JSON body of a request.
pub(crate) struct JsonBody<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequest<Arc<AppState>> for JsonBody<T> {
    type Rejection = HttpProblem;

    async fn from_request(request: Request, _shared: &Arc<AppState>) -> Result<Self, HttpProblem> {
        let bytes = read_json_body(request, MAX_JSON_BYTES).await?;
        Ok(Self(parse_json(&bytes)?))
    }
}

/// Extractor that parses the query parameters of a request.
pub(crate) struct QueryParams<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequestParts<Arc<AppState>> for QueryParams<T> {
    type Rejection = HttpProblem;

    async fn from_request_parts(
        parts: &mut Parts,
        _shared: &Arc<AppState>,
    ) -> Result<Self, HttpProblem> {
        check_query_for_nul(parts.uri.query().unwrap_or_default())?;
        let read = axum::extract::Query::<T>::try_from_uri(&parts.uri);
        let read = read.map_err(|error| HttpProblem::invalid_field("", error.body_text()))?;
        Ok(Self(read.0))
    }
}

/// Percent-encoding of the character NUL.
pub(crate) const ENCODED_NUL: &str = "%00";

/// Checks that no parameter of a query contains NUL, which PostgreSQL cannot store.
fn check_query_for_nul(query: &str) -> Result<(), HttpProblem> {
    let parameters = query.split('&');
    let errors = parameters
        .filter(|parameter| parameter.contains(ENCODED_NUL))
        .map(|parameter| {
            let name = parameter.split('=').next().unwrap_or_default();
            let name = if name.contains(ENCODED_NUL) { "" } else { name };
            FieldError::new(format!("/{name}"), NUL_DETAIL)
        });
    let errors: Vec<FieldError> = errors.collect();
    match errors.is_empty() {
        true => Ok(()),
        false => Err(HttpProblem::invalid(errors)),
    }
}

/// Checks that an optional text field has at most `max_chars` characters. `pointer` is the JSON
/// pointer of the field, for the error.
pub(crate) fn check_length(
    pointer: &str,
    text: Option<&str>,
    max_chars: usize,
) -> Result<(), HttpProblem> {
    match text.is_some_and(|text| text.chars().count() > max_chars) {
        true => Err(HttpProblem::invalid_field(
            pointer,
            format!("at most {max_chars} characters"),
        )),
        false => Ok(()),
    }
}

/// Reads a request body of at most `max_bytes` bytes that must have the content type JSON.
pub(crate) async fn read_json_body(
    request: Request,
    max_bytes: usize,
) -> Result<Bytes, HttpProblem> {
    let kind = content_type(&request);
    if !kind.is_some_and(|kind| kind.eq_ignore_ascii_case("application/json")) {
        let detail = "the body must be JSON, with the content type application/json";
        return Err(HttpProblem::new(ProblemKind::MediaType, detail));
    }
    read_body(request, max_bytes).await
}

/// Returns the content type of a request, without parameters such as the charset.
pub(crate) fn content_type(request: &Request) -> Option<&str> {
    let kind = request.headers().get(header::CONTENT_TYPE)?.to_str().ok()?;
    kind.split(';').next().map(str::trim)
}

/// Number of received bytes of a request body after which its buffer, if full, is extended to the
/// maximum size of the body at once.
const LARGE_BODY_BYTES: usize = 1 << 20;

/// Reads a request body of at most `max_bytes` bytes. The time limit of a body that may be larger
/// than [`MAX_JSON_BYTES`] follows its bytes.
pub(crate) async fn read_body(request: Request, max_bytes: usize) -> Result<Bytes, HttpProblem> {
    let too_large = || {
        let detail = format!("the body has more than {max_bytes} bytes");
        HttpProblem::new(ProblemKind::TooLarge, detail)
    };
    let length = request.headers().get(header::CONTENT_LENGTH);
    let length = length.and_then(|length| length.to_str().ok()?.parse::<usize>().ok());
    if max_bytes > MAX_JSON_BYTES
        && let Some(upload) = request.extensions().get::<UploadSwitch>()
    {
        upload.expect_upload();
    }
    let mut body = request.into_body();
    let mut bytes: Vec<u8> = Vec::new();
    let (mut is_too_large, mut dropped) = (length.is_some_and(|length| length > max_bytes), 0);
    // Read and discard the rest of an oversized body, up to a limit: if the connection were closed
    // while the client still sends, the client would not see the response.
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|error| body_error(&error))?;
        let Ok(data) = frame.into_data() else {
            continue;
        };
        is_too_large |= bytes.len() + data.len() > max_bytes;
        if !is_too_large {
            if bytes.len() > LARGE_BODY_BYTES && bytes.capacity() - bytes.len() < data.len() {
                // Reserve the maximum size at once: untouched pages take no memory, while growth by
                // doubling would take up to three times the size.
                let _ = bytes.try_reserve_exact(max_bytes - bytes.len());
            }
            bytes.extend_from_slice(&data);
            continue;
        }
        bytes = Vec::new();
        dropped += data.len();
        if dropped > MAX_DROPPED_BYTES {
            break;
        }
    }
    match is_too_large {
        true => Err(too_large()),
        false => Ok(bytes.into()),
    }
}

/// Converts an error while reading a request body to a problem.
fn body_error(error: &axum::Error) -> HttpProblem {
    let source = std::error::Error::source(error);
    match source.is_some_and(<dyn std::error::Error + 'static>::is::<RequestTimeoutError>) {
        true => HttpProblem::new(
            ProblemKind::RequestTimeout,
            "the request did not arrive completely in time",
        ),
        false => HttpProblem::invalid_field("", "the body is incomplete"),
    }
}

/// Response with a JSON body.
pub(crate) struct JsonResponse<T>(pub(crate) T);

impl<T: Serialize> IntoResponse for JsonResponse<T> {
    fn into_response(self) -> Response {
        let body = serde_json::to_vec(&self.0).expect("a response body can be serialised");
        ([(header::CONTENT_TYPE, "application/json")], body).into_response()
    }
}

/// Response with a body that is JSON already.
pub(crate) struct EncodedJson(pub(crate) Bytes);

impl EncodedJson {
    /// Encodes the value of a response.
    pub(crate) fn new(value: &impl Serialize) -> Self {
        let body = serde_json::to_vec(value).expect("a response body can be serialised");
        Self(body.into())
    }

    /// Makes and encodes a large response on a blocking thread, so that other requests do not wait
    /// for it.
    pub(crate) async fn off_runtime(
        make: impl FnOnce() -> Result<Self, HttpProblem> + Send + 'static,
    ) -> Result<Self, HttpProblem> {
        let made = tokio::task::spawn_blocking(make).await;
        made.map_err(|_| HttpProblem::unavailable())?
    }
}

impl IntoResponse for EncodedJson {
    fn into_response(self) -> Response {
        ([(header::CONTENT_TYPE, "application/json")], self.0).into_response()
    }
}

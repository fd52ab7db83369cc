//! Media files: audio clips and images. They are stored in the database under the SHA-256 of their
//! bytes, so that no name or path from outside is ever used.

mod reader;

use std::ops::Range;
use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use partita::formats::DiagnosticCode;
use partita::melody::audio::decoder;
use schemars::JsonSchema;
use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::AppState;
use crate::auth::hex;
use crate::http::problem::{HttpProblem, ProblemKind};
use crate::http::request::ClientAddress;
use crate::routes::Route;
use crate::store::statement as sql;
use crate::store::{StoreError, Transaction};

pub(crate) use reader::MediaReader;

/// Maximum size of a media file, in bytes.
pub(crate) const MAX_FILE_BYTES: usize = 20 * 1024 * 1024;

/// Media file: an audio clip or image with its properties.
#[derive(Clone, Debug)]
pub(crate) struct MediaFile {
    /// SHA-256 of the bytes of the file, as hexadecimal digits.
    pub(crate) id: String,
    /// MIME type of the file, sniffed from its bytes.
    pub(crate) media_type: &'static str,
    pub(crate) bytes: Vec<u8>,
    /// Duration of an audio clip, in milliseconds, if it can be determined.
    pub(crate) millis: Option<i64>,
}

/// Properties of an uploaded media file.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct MediaView {
    /// Id of the file, for use in a campaign document: the SHA-256 of its bytes.
    media: String,
    /// MIME type of the file.
    #[serde(rename = "type")]
    media_type: &'static str,
    /// Size of the file in bytes.
    bytes: usize,
    /// Duration of an audio clip in seconds, if it can be determined.
    seconds: Option<f64>,
}

impl MediaFile {
    /// Checks size and content of a media file. The type is sniffed from the bytes, not taken from
    /// the client.
    pub(crate) fn from_bytes(bytes: Vec<u8>) -> Result<Self, HttpProblem> {
        if bytes.len() > MAX_FILE_BYTES {
            let detail = format!("the file has more than {MAX_FILE_BYTES} bytes");
            return Err(HttpProblem::new(ProblemKind::TooLarge, detail));
        }
        let media_type = sniff_type(&bytes).ok_or_else(|| {
            let detail =
                "the file is neither a WAV, MP3, Ogg, FLAC or M4A clip nor a PNG, JPEG or WebP picture";
            HttpProblem::new(ProblemKind::MediaType, detail)
        })?;
        let millis = if media_type.starts_with("audio/") && media_type != "audio/mp4" {
            match decoder::read(bytes.clone()) {
                Ok(recording) => Some((recording.seconds * 1_000.0).round() as i64),
                // Browsers play some formats that cannot be measured here, such as Opus in Ogg.
                Err(problem) if problem.code == DiagnosticCode::Unsupported => None,
                Err(problem) => {
                    let detail = format!("this clip cannot be played: {}", problem.message);
                    return Err(HttpProblem::new(ProblemKind::MediaType, detail));
                }
            }
        } else {
            None
        };
        Ok(Self {
            id: hex(&Sha256::digest(&bytes)),
            media_type,
            bytes,
            millis,
        })
    }

    /// Returns the properties of the file for a response.
    pub(crate) fn view(&self) -> MediaView {
        MediaView {
            media: self.id.clone(),
            media_type: self.media_type,
            bytes: self.bytes.len(),
            seconds: self.millis.map(|millis| millis as f64 / 1_000.0),
        }
    }

    /// Stores the file in the database, unless it is stored already.
    pub(crate) async fn insert(self, transaction: &mut dyn Transaction) -> Result<(), StoreError> {
        let values = vec![
            self.id.into(),
            self.media_type.into(),
            (self.bytes.len() as i64).into(),
            self.millis.into(),
            self.bytes.into(),
        ];
        transaction.execute(&sql::MEDIA_ADD, values).await?;
        Ok(())
    }
}

/// Accepted MIME types: the type that the sniffer reports, and the type to serve.
const MEDIA_TYPES: [(&str, &str); 8] = [
    ("audio/x-wav", "audio/wav"),
    ("audio/mpeg", "audio/mpeg"),
    ("audio/ogg", "audio/ogg"),
    ("audio/x-flac", "audio/flac"),
    ("audio/m4a", "audio/mp4"),
    ("image/png", "image/png"),
    ("image/jpeg", "image/jpeg"),
    ("image/webp", "image/webp"),
];

/// Sniffs the MIME type of a file; returns `None` if the type is not accepted.
fn sniff_type(bytes: &[u8]) -> Option<&'static str> {
    let found = infer::get(bytes)?;
    let mut types = MEDIA_TYPES.into_iter();
    let accepted = types.find(|(sniffed, _)| *sniffed == found.mime_type());
    accepted.map(|(_, served)| served)
}

/// Returns true for a media id: 64 lower-case hexadecimal digits.
pub(crate) fn is_media_id(text: &str) -> bool {
    let digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    text.len() == 64 && text.bytes().all(digit)
}

/// Returns the route that serves media files.
pub(crate) fn route() -> Route {
    let types = MEDIA_TYPES.map(|(_, served)| served);
    Route::new(
        "GET /media/{media}",
        "getMedia",
        "A clip or picture, or a byte range of it",
        get_media,
    )
    .responds_with_bytes(
        StatusCode::OK,
        &types,
        "The whole file, which never changes",
    )
    .responds_with_bytes(StatusCode::PARTIAL_CONTENT, &types, "The byte range")
    .responds_empty(StatusCode::NOT_MODIFIED, "The client's copy is current")
    .responds_empty(
        StatusCode::RANGE_NOT_SATISFIABLE,
        "The byte range does not exist",
    )
    .fails_with(&[
        ProblemKind::NotFound,
        ProblemKind::RateLimited,
        ProblemKind::Unavailable,
    ])
}

/// Serves a media file, or a byte range of it. The file is read while it is sent.
async fn get_media(
    State(shared): State<Arc<AppState>>,
    Path(id): Path<String>,
    ClientAddress(address): ClientAddress,
    headers: HeaderMap,
) -> Result<Response, HttpProblem> {
    if !is_media_id(&id) {
        return Err(HttpProblem::not_found("file"));
    }
    let etag = HeaderValue::try_from(format!("\"{id}\"")).expect("a media id is hexadecimal");
    if headers.get(header::IF_NONE_MATCH) == Some(&etag) {
        return Ok(StatusCode::NOT_MODIFIED.into_response());
    }
    let mut read = shared.store.begin_read().await?;
    let found = read
        .fetch_optional(&sql::MEDIA_INFO, vec![id.as_str().into()])
        .await?;
    read.rollback().await?;
    let mut found = found.ok_or_else(|| HttpProblem::not_found("file"))?;
    let (media_type, length) = (found.text()?, found.int()? as u64);
    let range = headers
        .get(header::RANGE)
        .and_then(|range| range.to_str().ok());
    let is_current = headers
        .get(header::IF_RANGE)
        .is_none_or(|value| *value == etag);
    let part = range
        .filter(|_| is_current)
        .and_then(|range| parse_range(range, length));
    let digits = "digits are valid in a header";
    let mut response = Response::new(Body::empty());
    let range = match part {
        None => 0..length,
        Some(None) => {
            *response.status_mut() = StatusCode::RANGE_NOT_SATISFIABLE;
            let all = HeaderValue::try_from(format!("bytes */{length}")).expect(digits);
            response.headers_mut().insert(header::CONTENT_RANGE, all);
            return Ok(response);
        }
        Some(Some(range)) => {
            *response.status_mut() = StatusCode::PARTIAL_CONTENT;
            let sent = format!("bytes {}-{}/{length}", range.start, range.end - 1);
            let sent = HeaderValue::try_from(sent).expect(digits);
            response.headers_mut().insert(header::CONTENT_RANGE, sent);
            range
        }
    };
    let out = response.headers_mut();
    let media_type =
        HeaderValue::try_from(media_type).expect("only types of `MEDIA_TYPES` are stored");
    out.insert(header::CONTENT_TYPE, media_type);
    out.insert(header::ETAG, etag);
    out.insert(header::ACCEPT_RANGES, HeaderValue::from_static("bytes"));
    let forever = HeaderValue::from_static("public, max-age=31536000, immutable");
    out.insert(header::CACHE_CONTROL, forever);
    let body = shared.media.open(id, range, address).await?;
    *response.body_mut() = Body::new(body);
    Ok(response)
}

/// Parses a `Range` header into the range of bytes of a file of `length` bytes. Returns
/// `Some(None)` if the range cannot be satisfied, and `None` if the header is not a valid single
/// byte range; such a header is ignored.
fn parse_range(text: &str, length: u64) -> Option<Option<Range<u64>>> {
    let (first, last) = text.strip_prefix("bytes=")?.split_once('-')?;
    let number = |text: &str| text.trim().parse::<u64>().ok();
    let (start, end) = match (first.trim(), last.trim()) {
        ("", last) => (length.saturating_sub(number(last)?), length),
        (first, "") => (number(first)?, length),
        (first, last) => {
            let (first, last) = (number(first)?, number(last)?);
            if last < first {
                return None;
            }
            (first, last.saturating_add(1).min(length))
        }
    };
    Some((start < end).then_some(start..end))
}

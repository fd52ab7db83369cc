//! What the server refuses, and why: `application/problem+json` (RFC 9457).

use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use partita_named::NamedEnum as _;
use schemars::JsonSchema;
use serde::Serialize;

use crate::campaign::recruiter::OutcomeView;
use crate::store::StoreError;

partita_named::named_enum! {
    /// The kinds of problems.
    pub enum ProblemKind: "problem" {
        /// sign in first
        Unauthorised = "unauthorised",
        /// this is not allowed
        Forbidden = "forbidden",
        /// the link is not valid
        Link = "link",
        /// the request comes from another site
        Origin = "origin",
        /// there is no such thing
        NotFound = "not-found",
        /// this cannot be done there
        Method = "method",
        /// there is no such task
        Task = "task",
        /// nobody else is needed
        Full = "full",
        /// consent is needed first
        Consent = "consent",
        /// the task was answered before
        Answered = "answered",
        /// there is still something to do
        Unfinished = "unfinished",
        /// a later draft was saved
        Draft = "draft",
        /// it exists already
        Exists = "exists",
        /// it took too long to arrive
        TooSlow = "too-slow",
        /// it is too large
        TooLarge = "too-large",
        /// files of this kind are not taken
        MediaType = "media-type",
        /// something in the request is wrong
        Invalid = "invalid",
        /// the id was used for something else
        IdReused = "id-reused",
        /// too many requests
        TooMany = "too-many",
        /// the server cannot save anything now
        Unavailable = "unavailable",
    }
}

impl ProblemKind {
    /// What stands for it in a problem.
    pub(crate) fn type_uri(self) -> String {
        format!("/problems/{self}")
    }

    fn addresses() -> Vec<String> {
        Self::VARIANTS.iter().map(|kind| kind.type_uri()).collect()
    }

    /// The field that problems of this kind have beside those of all.
    pub(crate) fn field(self) -> Option<&'static str> {
        match self {
            Self::Invalid => Some("errors"),
            Self::Full => Some("outcome"),
            Self::Answered => Some("id"),
            _ => None,
        }
    }

    /// The header that they have, and what it says.
    pub(crate) fn header(self) -> Option<(HeaderName, &'static str, HeaderValue)> {
        match self {
            Self::Unauthorised => Some((
                header::WWW_AUTHENTICATE,
                "The authentication scheme",
                HeaderValue::from_static("Bearer"),
            )),
            Self::TooMany | Self::Unavailable => Some((
                header::RETRY_AFTER,
                "Seconds to wait before a retry",
                HeaderValue::from(RETRY),
            )),
            Self::TooSlow => Some((
                header::CONNECTION,
                "The server closes the connection without reading the rest",
                HeaderValue::from_static("close"),
            )),
            _ => None,
        }
    }

    /// The status of HTTP.
    pub(crate) fn status(self) -> StatusCode {
        use ProblemKind as Kind;
        match self {
            Kind::Unauthorised => StatusCode::UNAUTHORIZED,
            Kind::Forbidden | Kind::Link | Kind::Origin => StatusCode::FORBIDDEN,
            Kind::NotFound | Kind::Task => StatusCode::NOT_FOUND,
            Kind::Full
            | Kind::Consent
            | Kind::Answered
            | Kind::Unfinished
            | Kind::Draft
            | Kind::Exists => StatusCode::CONFLICT,
            Kind::Method => StatusCode::METHOD_NOT_ALLOWED,
            Kind::TooSlow => StatusCode::REQUEST_TIMEOUT,
            Kind::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Kind::MediaType => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Kind::Invalid | Kind::IdReused => StatusCode::UNPROCESSABLE_ENTITY,
            Kind::TooMany => StatusCode::TOO_MANY_REQUESTS,
            Kind::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
        }
    }
}

/// Something that is wrong with a request, and where.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct FieldError {
    /// Where, as a JSON pointer.
    pub pointer: String,
    /// What is wrong.
    pub detail: String,
}

impl FieldError {
    /// Something wrong at a place.
    pub(crate) fn new(pointer: impl Into<String>, detail: impl Into<String>) -> Self {
        Self {
            pointer: pointer.into(),
            detail: detail.into(),
        }
    }
}

/// Why a request was refused.
#[derive(Clone, Debug)]
pub struct HttpProblem {
    /// What kind of problem it is.
    pub kind: ProblemKind,
    /// What is wrong in this case.
    pub detail: String,
    /// What is wrong with the request, place by place.
    pub errors: Vec<FieldError>,
    /// With how a person who is not needed ends.
    pub(crate) outcome: Option<Box<OutcomeView>>,
    /// The id of the answer that a task has.
    pub(crate) id: Option<String>,
}

/// How many seconds a client waits before it tries again when the server is not able to save.
const RETRY: u64 = 2;

impl HttpProblem {
    /// A problem of this kind.
    pub(crate) fn new(kind: ProblemKind, detail: impl Into<String>) -> Self {
        Self {
            kind,
            detail: detail.into(),
            errors: Vec::new(),
            outcome: None,
            id: None,
        }
    }

    /// Something in the request is wrong.
    pub(crate) fn invalid(errors: Vec<FieldError>) -> Self {
        let detail = errors.first().map_or_else(String::new, |fault| {
            let more = match errors.len() - 1 {
                0 => String::new(),
                more => format!(" (and {more} more)"),
            };
            format!("{}{more}", fault.detail)
        });
        Self {
            errors,
            ..Self::new(ProblemKind::Invalid, detail)
        }
    }

    /// One thing in the request is wrong.
    pub(crate) fn invalid_field(pointer: impl Into<String>, detail: impl Into<String>) -> Self {
        Self::invalid(vec![FieldError::new(pointer, detail)])
    }

    /// There is no such thing.
    pub(crate) fn not_found(what: &str) -> Self {
        Self::new(ProblemKind::NotFound, format!("there is no such {what}"))
    }

    /// Nothing can be saved now.
    pub(crate) fn unavailable() -> Self {
        let detail = "nothing can be saved at the moment; try again later";
        Self::new(ProblemKind::Unavailable, detail)
    }
}

impl From<StoreError> for HttpProblem {
    fn from(error: StoreError) -> Self {
        crate::log_error(&error);
        Self::unavailable()
    }
}

/// A problem as it is sent.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "ProblemDetails")]
pub(crate) struct ProblemDetails<'a> {
    /// What kind of problem it is, as an address.
    #[serde(rename = "type")]
    #[schemars(extend("enum" = ProblemKind::addresses()))]
    kind: String,
    /// The kind in words.
    title: &'a str,
    /// The status of HTTP.
    status: u16,
    /// What is wrong in this case.
    detail: &'a str,
    /// What is wrong with the request, place by place.
    #[serde(skip_serializing_if = "<[FieldError]>::is_empty")]
    errors: &'a [FieldError],
    /// How a person who is not needed ends.
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<&'a OutcomeView>,
    /// The id of the answer that the task has.
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a str>,
}

impl IntoResponse for HttpProblem {
    fn into_response(self) -> Response {
        let status = self.kind.status();
        let body = ProblemDetails {
            kind: self.kind.type_uri(),
            title: self.kind.summary(),
            status: status.as_u16(),
            detail: &self.detail,
            errors: &self.errors,
            outcome: self.outcome.as_deref(),
            id: self.id.as_deref(),
        };
        let body = serde_json::to_vec(&body).expect("a problem is text and numbers");
        let mut response = (status, body).into_response();
        let headers = response.headers_mut();
        let kind = HeaderValue::from_static("application/problem+json");
        headers.insert(header::CONTENT_TYPE, kind);
        if let Some((name, _, value)) = self.kind.header() {
            headers.insert(name, value);
        }
        response
    }
}

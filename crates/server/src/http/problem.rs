//! Error responses: `application/problem+json` (RFC 9457).

use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use partita::judging::campaign::CampaignSpecError;
use partita::named::NamedEnum as _;
use schemars::JsonSchema;
use serde::Serialize;

use crate::campaign::recruiter::OutcomeView;
use crate::store::StoreError;

partita::named::named_enum! {
    /// Kind of a problem, that is, of an error response.
    pub enum ProblemKind: "problem" {
        /// sign in first
        Unauthorised = "unauthorised",
        /// this is not allowed
        Forbidden = "forbidden",
        /// the link is not valid
        InvalidLink = "link",
        /// the request comes from another site
        CrossOrigin = "origin",
        /// there is no such thing
        NotFound = "not-found",
        /// this cannot be done there
        MethodNotAllowed = "method",
        /// there is no such task
        UnknownTask = "task",
        /// the campaign is closed
        CampaignClosed = "closed",
        /// the campaign is not closed
        CampaignOpen = "open",
        /// nobody else is needed
        CampaignFull = "full",
        /// consent is needed first
        ConsentMissing = "consent",
        /// the task was answered before
        AlreadyAnswered = "answered",
        /// there is still something to do
        WorkUnfinished = "unfinished",
        /// a later draft was saved
        StaleDraft = "draft",
        /// it exists already
        AlreadyExists = "exists",
        /// it took too long to arrive
        RequestTimeout = "too-slow",
        /// it is too large
        TooLarge = "too-large",
        /// files of this kind are not taken
        MediaType = "media-type",
        /// something in the request is wrong
        Invalid = "invalid",
        /// the id was used for something else
        IdReused = "id-reused",
        /// too many requests
        RateLimited = "too-many",
        /// the server cannot save anything now
        Unavailable = "unavailable",
        /// the campaign is damaged
        CampaignDamaged = "damaged",
    }
}

impl ProblemKind {
    /// Returns the URI that identifies this kind of problem.
    pub(crate) fn type_uri(self) -> String {
        format!("/problems/{self}")
    }

    /// Returns the type URIs of all kinds of problems.
    fn all_type_uris() -> Vec<String> {
        Self::VARIANTS.iter().map(|kind| kind.type_uri()).collect()
    }

    /// Returns the name of the response field that only problems of this kind have, if any.
    pub(crate) fn field(self) -> Option<&'static str> {
        match self {
            Self::Invalid => Some("errors"),
            Self::CampaignFull => Some("outcome"),
            Self::AlreadyAnswered => Some("id"),
            _ => None,
        }
    }

    /// Returns the additional response header of problems of this kind, if any: name, description
    /// and value.
    pub(crate) fn header(self) -> Option<(HeaderName, &'static str, HeaderValue)> {
        match self {
            Self::Unauthorised => Some((
                header::WWW_AUTHENTICATE,
                "The authentication scheme",
                HeaderValue::from_static("Bearer"),
            )),
            Self::RateLimited | Self::Unavailable => Some((
                header::RETRY_AFTER,
                "Seconds to wait before a retry",
                HeaderValue::from(RETRY_AFTER_SECONDS),
            )),
            Self::RequestTimeout => Some((
                header::CONNECTION,
                "The server closes the connection without reading the rest",
                HeaderValue::from_static("close"),
            )),
            _ => None,
        }
    }

    /// Returns the HTTP status of problems of this kind.
    pub(crate) fn status(self) -> StatusCode {
        use ProblemKind as Kind;
        match self {
            Kind::Unauthorised => StatusCode::UNAUTHORIZED,
            Kind::Forbidden | Kind::InvalidLink | Kind::CrossOrigin => StatusCode::FORBIDDEN,
            Kind::NotFound | Kind::UnknownTask => StatusCode::NOT_FOUND,
            Kind::CampaignClosed
            | Kind::CampaignOpen
            | Kind::CampaignFull
            | Kind::ConsentMissing
            | Kind::AlreadyAnswered
            | Kind::WorkUnfinished
            | Kind::StaleDraft
            | Kind::AlreadyExists
            | Kind::IdReused => StatusCode::CONFLICT,
            Kind::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
            Kind::RequestTimeout => StatusCode::REQUEST_TIMEOUT,
            Kind::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Kind::MediaType => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Kind::Invalid => StatusCode::UNPROCESSABLE_ENTITY,
            Kind::RateLimited => StatusCode::TOO_MANY_REQUESTS,
            Kind::Unavailable | Kind::CampaignDamaged => StatusCode::SERVICE_UNAVAILABLE,
        }
    }
}

/// Validation error in one field of a request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct FieldError {
    /// Position of the invalid field as a JSON pointer (RFC 6901); empty for the request as a
    /// whole.
    pub pointer: String,
    /// Explanation of what is wrong with the field.
    pub detail: String,
}

impl FieldError {
    /// Creates a validation error for the field at a JSON pointer.
    pub(crate) fn new(pointer: impl Into<String>, detail: impl Into<String>) -> Self {
        Self {
            pointer: pointer.into(),
            detail: detail.into(),
        }
    }
}

/// Error response (problem details of RFC 9457).
#[derive(Clone, Debug)]
pub struct HttpProblem {
    /// Kind of the problem.
    pub kind: ProblemKind,
    /// Explanation of this occurrence of the problem.
    pub detail: String,
    /// Validation errors in fields of the request.
    pub errors: Vec<FieldError>,
    /// Outcome `full` for a person who is not admitted because the campaign is full, with the
    /// completion code and return URL of their recruiter, if any.
    pub(crate) outcome: Option<Box<OutcomeView>>,
    /// Id of the existing answer, if the task was answered before.
    pub(crate) id: Option<String>,
}

/// Value of the `Retry-After` header, in seconds.
const RETRY_AFTER_SECONDS: u64 = 2;

impl HttpProblem {
    /// Creates a problem of a kind with an explanation.
    pub(crate) fn new(kind: ProblemKind, detail: impl Into<String>) -> Self {
        Self {
            kind,
            detail: detail.into(),
            errors: Vec::new(),
            outcome: None,
            id: None,
        }
    }

    /// Creates a problem from validation errors in fields of a request.
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

    /// Creates a problem from the errors of a campaign specification.
    pub(crate) fn invalid_spec(errors: Vec<CampaignSpecError>) -> Self {
        let errors = errors.into_iter().map(|error| {
            let detail = error.to_string();
            FieldError::new(error.pointer, detail)
        });
        Self::invalid(errors.collect())
    }

    /// Creates a problem with a validation error in one field of a request.
    pub(crate) fn invalid_field(pointer: impl Into<String>, detail: impl Into<String>) -> Self {
        Self::invalid(vec![FieldError::new(pointer, detail)])
    }

    /// Creates a problem with a validation error that concerns the request as a whole.
    pub(crate) fn invalid_request(error: impl std::fmt::Display) -> Self {
        Self::invalid_field("", error.to_string())
    }

    /// Creates the problem of a request without a valid token of an assessor.
    pub(crate) fn invalid_token() -> Self {
        let detail = "the token is missing or not valid";
        Self::new(ProblemKind::Unauthorised, detail)
    }

    /// Logs an internal error and creates the problem that hides its details from the client.
    pub(crate) fn internal(error: impl std::fmt::Display) -> Self {
        crate::log_error(&error);
        Self::unavailable()
    }

    /// Creates a "not found" problem; `what` names the missing resource.
    pub(crate) fn not_found(what: &str) -> Self {
        Self::new(ProblemKind::NotFound, format!("there is no such {what}"))
    }

    /// Creates the problem with status 503 for a server that currently cannot handle the request.
    pub(crate) fn unavailable() -> Self {
        let detail = "nothing can be saved at the moment; try again later";
        Self::new(ProblemKind::Unavailable, detail)
    }
}

impl From<StoreError> for HttpProblem {
    fn from(error: StoreError) -> Self {
        Self::internal(error)
    }
}

/// Body of an error response, in the format of RFC 9457.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "ProblemDetails")]
pub(crate) struct ProblemDetails<'a> {
    /// URI that identifies the kind of problem.
    #[serde(rename = "type")]
    #[schemars(extend("enum" = ProblemKind::all_type_uris()))]
    kind: String,
    /// Kind of the problem in words.
    title: &'a str,
    /// HTTP status code of the response.
    status: u16,
    /// Explanation of this occurrence of the problem.
    detail: &'a str,
    /// Validation errors in fields of the request.
    #[serde(skip_serializing_if = "<[FieldError]>::is_empty")]
    errors: &'a [FieldError],
    /// Outcome `full` for a person who is not admitted because the campaign is full, with the
    /// completion code and return URL of their recruiter, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<&'a OutcomeView>,
    /// Id of the existing answer, if the task was answered before.
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
        let body = serde_json::to_vec(&body).expect("a problem can be serialised");
        let mut response = (status, body).into_response();
        // The observer of requests counts refusals by kind.
        response.extensions_mut().insert(self.kind);
        let headers = response.headers_mut();
        let kind = HeaderValue::from_static("application/problem+json");
        headers.insert(header::CONTENT_TYPE, kind);
        if let Some((name, _, value)) = self.kind.header() {
            headers.insert(name, value);
        }
        response
    }
}

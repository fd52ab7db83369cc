//! Route table. Each route declares its handler, request, responses and problems once; the router
//! and `/openapi.json` are generated from it.

pub(crate) mod judge;
mod openapi;
pub(crate) mod organise;
mod schemas;

use std::sync::Arc;

use axum::Router;
use axum::handler::Handler;
use axum::http::{Method, StatusCode};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{MethodFilter, MethodRouter, on};
use schemars::{JsonSchema, Schema, SchemaGenerator};

use crate::auth::organiser::Scope;
use crate::handlers::security_txt;
use crate::http::problem::{HttpProblem, ProblemKind};
use crate::{AppState, media, pages};

pub(crate) use openapi::openapi_json as openapi;

/// Function that generates the JSON schema of a Rust type.
type SchemaFn = fn(&mut SchemaGenerator) -> Schema;

/// Generates the JSON schema of a Rust type.
fn schema_of<T: JsonSchema>(generator: &mut SchemaGenerator) -> Schema {
    generator.subschema_for::<T>()
}

/// Authentication that a route requires.
#[derive(Clone, Copy, Debug)]
enum Access {
    /// No authentication.
    Public,
    /// Token of an assessor.
    Assessor,
    /// Token or session of an organiser with this scope.
    Organiser(Scope),
}

/// Format of a request or response body, for the OpenAPI document.
enum BodyFormat {
    /// JSON that has the schema of one of these types.
    Json(Vec<SchemaFn>),
    /// Plain text.
    Text,
    /// Binary data.
    Bytes,
}

/// Content of a request or response body: media type and format.
struct BodyContent {
    media_type: &'static str,
    format: BodyFormat,
}

impl BodyContent {
    /// Describes a JSON body of a Rust type.
    fn json<T: JsonSchema>() -> Self {
        Self {
            media_type: JSON_MEDIA_TYPE,
            format: BodyFormat::Json(vec![schema_of::<T>]),
        }
    }

    /// Describes binary bodies, one per media type.
    fn bytes(media_types: &[&'static str]) -> Vec<Self> {
        let content = |&media_type| Self {
            media_type,
            format: BodyFormat::Bytes,
        };
        media_types.iter().map(content).collect()
    }
}

/// Successful response that a route declares.
struct ResponseSpec {
    status: StatusCode,
    description: &'static str,
    contents: Vec<BodyContent>,
}

/// Route of the API: method and path, with handler and description.
pub(crate) struct Route {
    method: Method,
    path: &'static str,
    operation_id: &'static str,
    summary: &'static str,
    access: Access,
    query: Vec<SchemaFn>,
    request_body: Vec<BodyContent>,
    responses: Vec<ResponseSpec>,
    problems: Vec<ProblemKind>,
    handler: MethodRouter<Arc<AppState>>,
}

/// Media type of JSON.
const JSON_MEDIA_TYPE: &str = "application/json";

/// Problems that every route with a request body may return.
const BODY_PROBLEMS: [ProblemKind; 4] = [
    ProblemKind::Invalid,
    ProblemKind::MediaType,
    ProblemKind::RequestTimeout,
    ProblemKind::TooLarge,
];

impl Route {
    /// Creates a public route. `endpoint` is the method and the path, separated by a space;
    /// `operation_id` and `summary` are those of the OpenAPI document.
    pub(crate) fn new<T: 'static>(
        endpoint: &'static str,
        operation_id: &'static str,
        summary: &'static str,
        handler: impl Handler<T, Arc<AppState>>,
    ) -> Self {
        let (method, path) = endpoint
            .split_once(' ')
            .expect("an endpoint is a method and a path");
        let method: Method = method
            .parse()
            .expect("an endpoint starts with an HTTP method");
        let filter =
            MethodFilter::try_from(method.clone()).expect("the router supports the method");
        Self {
            method,
            path,
            operation_id,
            summary,
            access: Access::Public,
            query: Vec::new(),
            request_body: Vec::new(),
            responses: Vec::new(),
            problems: Vec::new(),
            handler: on(filter, handler),
        }
    }

    /// Requires an assessor's token for the route.
    pub(crate) fn for_assessor(mut self) -> Self {
        self.access = Access::Assessor;
        self.fails_with(&[
            ProblemKind::Unauthorised,
            ProblemKind::RateLimited,
            ProblemKind::Unavailable,
            ProblemKind::CampaignDamaged,
        ])
    }

    /// Requires an organiser's token or session with a scope for the route.
    pub(crate) fn for_organiser(mut self, scope: Scope) -> Self {
        self.access = Access::Organiser(scope);
        if self.path.contains("{name}") {
            (self.problems).extend([ProblemKind::NotFound, ProblemKind::CampaignDamaged]);
        }
        if self.method != Method::GET {
            self.problems.push(ProblemKind::CrossOrigin);
        }
        self.fails_with(&[
            ProblemKind::Unauthorised,
            ProblemKind::Forbidden,
            ProblemKind::RateLimited,
            ProblemKind::Unavailable,
        ])
    }

    /// Declares query parameters of the route: the fields of a type. Further calls add fields.
    pub(crate) fn with_query<T: JsonSchema>(mut self) -> Self {
        self.query.push(schema_of::<T>);
        self.fails_with(&[ProblemKind::Invalid])
    }

    /// Declares the JSON request body of the route. Further calls add alternative types.
    pub(crate) fn with_json_body<T: JsonSchema>(mut self) -> Self {
        let known = self
            .request_body
            .iter_mut()
            .find_map(|content| match &mut content.format {
                BodyFormat::Json(types) => Some(types),
                _ => None,
            });
        match known {
            Some(types) => types.push(schema_of::<T>),
            None => self.request_body.push(BodyContent::json::<T>()),
        }
        self.fails_with(&BODY_PROBLEMS)
    }

    /// Declares a binary request body of the route with one of these media types.
    pub(crate) fn with_bytes_body(mut self, media_types: &[&'static str]) -> Self {
        self.request_body.extend(BodyContent::bytes(media_types));
        self.fails_with(&BODY_PROBLEMS)
    }

    /// Declares a successful response of the route. A second call with the same status adds further
    /// media types to it.
    fn add_response(
        mut self,
        status: StatusCode,
        description: &'static str,
        contents: Vec<BodyContent>,
    ) -> Self {
        let known = self
            .responses
            .iter_mut()
            .find(|known| known.status == status);
        match known {
            Some(known) => known.contents.extend(contents),
            None => self.responses.push(ResponseSpec {
                status,
                description,
                contents,
            }),
        }
        self
    }

    /// Declares a JSON response of the route.
    pub(crate) fn responds_with_json<T: JsonSchema>(
        self,
        status: StatusCode,
        description: &'static str,
    ) -> Self {
        self.add_response(status, description, vec![BodyContent::json::<T>()])
    }

    /// Declares a text response of the route with status 200.
    pub(crate) fn responds_with_text(
        self,
        media_type: &'static str,
        description: &'static str,
    ) -> Self {
        let format = BodyFormat::Text;
        let content = BodyContent { media_type, format };
        self.add_response(StatusCode::OK, description, vec![content])
    }

    /// Declares a binary response of the route with one of these media types.
    pub(crate) fn responds_with_bytes(
        self,
        status: StatusCode,
        media_types: &[&'static str],
        description: &'static str,
    ) -> Self {
        self.add_response(status, description, BodyContent::bytes(media_types))
    }

    /// Declares a response of the route without a body.
    pub(crate) fn responds_empty(self, status: StatusCode, description: &'static str) -> Self {
        self.add_response(status, description, Vec::new())
    }

    /// Declares the kinds of problems that the route may return.
    pub(crate) fn fails_with(mut self, kinds: &[ProblemKind]) -> Self {
        self.problems.extend(kinds);
        self
    }
}

/// Returns all routes of the API.
fn all_routes() -> Vec<Route> {
    let own = [
        Route::new(
            "GET /openapi.json",
            "describe",
            "This OpenAPI document",
            openapi::get,
        )
        .responds_with_json::<serde_json::Map<String, serde_json::Value>>(
            StatusCode::OK,
            "An OpenAPI document",
        ),
        media::route(),
    ];
    let all = judge::routes().into_iter().chain(organise::routes());
    all.chain(own).chain(security_txt::routes()).collect()
}

/// Builds the router of the API, without the web pages.
pub(crate) fn router() -> Router<Arc<AppState>> {
    let routes = all_routes().into_iter();
    routes.fold(Router::new(), |router, route| {
        router.route(route.path, route.handler)
    })
}

/// Patterns of all addresses, by which requests are counted.
pub(crate) struct RoutePatterns(Vec<&'static str>);

impl RoutePatterns {
    /// Pattern of addresses that the server does not know.
    const UNKNOWN: &'static str = "unknown";

    /// Lists the patterns of the API and of the pages.
    pub(crate) fn new() -> Self {
        let api = all_routes().into_iter().map(|route| route.path);
        let mut patterns: Vec<&str> = api.chain(pages::PATHS).collect();
        // A pattern with fewer parameters goes first.
        patterns.sort_by_key(|pattern| (pattern.matches('{').count(), *pattern));
        patterns.dedup();
        Self(patterns)
    }

    /// Returns the pattern of a path.
    pub(crate) fn find(&self, path: &str) -> &'static str {
        let mut patterns = self.0.iter();
        let found = patterns.find(|pattern| matches_pattern(pattern, path));
        found.copied().unwrap_or(Self::UNKNOWN)
    }
}

/// Returns true if a path has the form of a pattern.
fn matches_pattern(pattern: &str, path: &str) -> bool {
    let mut segments = path.split('/');
    for part in pattern.split('/') {
        if part.starts_with("{*") {
            return segments.next().is_some();
        }
        match segments.next() {
            Some(segment) if segment == part => {}
            Some(segment) if part.starts_with('{') && !segment.is_empty() => {}
            _ => return false,
        }
    }
    segments.next().is_none()
}

/// Replaces the router's error response for a path that is not UTF-8 by "not found".
pub(crate) fn map_bad_path_to_not_found(response: Response) -> Response {
    match response.status() {
        StatusCode::BAD_REQUEST => HttpProblem::not_found("address").into_response(),
        _ => response,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn server_b12_requests_are_counted_by_the_pattern_of_their_address() {
        let patterns = RoutePatterns::new();
        for (path, pattern) in [
            ("/", "/"),
            ("/api/v1/campaigns", "/api/v1/campaigns"),
            ("/api/v1/campaigns/c", "/api/v1/campaigns/{name}"),
            (
                "/api/v1/campaigns/c/close",
                "/api/v1/campaigns/{name}/close",
            ),
            ("/assets/judge/main.js", "/assets/{*path}"),
            ("/j/c", "/j/{name}"),
            ("/api/v1/campaigns/", "unknown"),
            ("/wp-login.php", "unknown"),
        ] {
            assert_eq!(patterns.find(path), pattern, "{path}");
        }
    }
}

//! The addresses of the interface. Each is said once, with what it takes, gives and refuses: the server
//! answers under what stands here, and `/openapi.json` is written of the same.

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

use crate::auth::organiser;
use crate::auth::organiser::Scope;
use crate::handlers::security_txt;
use crate::http::problem::{HttpProblem, ProblemKind};
use crate::{AppState, media};

pub(crate) use openapi::openapi_json as openapi;

/// Makes the schema of a type.
type SchemaFn = fn(&mut SchemaGenerator) -> Schema;

fn schema_of<T: JsonSchema>(generator: &mut SchemaGenerator) -> Schema {
    generator.subschema_for::<T>()
}

/// Who may ask.
#[derive(Clone, Copy, Debug)]
enum Access {
    /// Whoever knows the address.
    Public,
    /// Somebody who judges.
    Assessor,
    /// An organiser with a scope.
    Organiser(Scope),
}

/// What a body is like.
enum BodyFormat {
    /// JSON of one of these types.
    Json(Vec<SchemaFn>),
    /// Text.
    Text,
    /// Bytes.
    Bytes,
}

/// A body.
struct BodyContent {
    kind: &'static str,
    shape: BodyFormat,
}

/// An answer that is no problem.
struct ResponseSpec {
    status: StatusCode,
    about: &'static str,
    contents: Vec<BodyContent>,
}

/// What can be asked under an address.
pub(crate) struct Route {
    method: Method,
    path: &'static str,
    id: &'static str,
    summary: &'static str,
    access: Access,
    query: Option<SchemaFn>,
    request_body: Vec<BodyContent>,
    responses: Vec<ResponseSpec>,
    problems: Vec<ProblemKind>,
    handler: MethodRouter<Arc<AppState>>,
}

/// The media types of JSON.
const JSON: &str = "application/json";

impl Route {
    /// What is asked by a method under a path, what it is called and what it is about.
    fn new<H, T>(
        method: Method,
        path: &'static str,
        (id, summary): (&'static str, &'static str),
        handler: H,
    ) -> Self
    where
        H: Handler<T, Arc<AppState>>,
        T: 'static,
    {
        let filter = MethodFilter::try_from(method.clone()).expect("a method that is known");
        Self {
            method,
            path,
            id,
            summary,
            access: Access::Public,
            query: None,
            request_body: Vec::new(),
            responses: Vec::new(),
            problems: Vec::new(),
            handler: on(filter, handler),
        }
    }

    pub(crate) fn get<H, T>(
        path: &'static str,
        id: (&'static str, &'static str),
        handler: H,
    ) -> Self
    where
        H: Handler<T, Arc<AppState>>,
        T: 'static,
    {
        Self::new(Method::GET, path, id, handler)
    }

    pub(crate) fn post<H, T>(
        path: &'static str,
        id: (&'static str, &'static str),
        handler: H,
    ) -> Self
    where
        H: Handler<T, Arc<AppState>>,
        T: 'static,
    {
        Self::new(Method::POST, path, id, handler)
    }

    pub(crate) fn put<H, T>(
        path: &'static str,
        id: (&'static str, &'static str),
        handler: H,
    ) -> Self
    where
        H: Handler<T, Arc<AppState>>,
        T: 'static,
    {
        Self::new(Method::PUT, path, id, handler)
    }

    pub(crate) fn delete<H, T>(
        path: &'static str,
        id: (&'static str, &'static str),
        handler: H,
    ) -> Self
    where
        H: Handler<T, Arc<AppState>>,
        T: 'static,
    {
        Self::new(Method::DELETE, path, id, handler)
    }

    /// Judges may ask.
    pub(crate) fn for_assessor(mut self) -> Self {
        self.access = Access::Assessor;
        self.fails_with(&[
            ProblemKind::Unauthorised,
            ProblemKind::TooMany,
            ProblemKind::Unavailable,
        ])
    }

    /// Organisers with this scope may ask.
    pub(crate) fn for_organiser(mut self, scope: Scope) -> Self {
        self.access = Access::Organiser(scope);
        if self.path.contains("{name}") {
            self.problems.push(ProblemKind::NotFound);
        }
        if self.method != Method::GET {
            self.problems.push(ProblemKind::Origin);
        }
        self.fails_with(&[
            ProblemKind::Unauthorised,
            ProblemKind::Forbidden,
            ProblemKind::TooMany,
            ProblemKind::Unavailable,
        ])
    }

    /// It takes the fields of this type after a question mark.
    pub(crate) fn with_query<T: JsonSchema>(mut self) -> Self {
        self.query = Some(schema_of::<T>);
        self.fails_with(&[ProblemKind::Invalid])
    }

    /// It takes JSON of this type, or of one of several.
    pub(crate) fn with_json_body<T: JsonSchema>(mut self) -> Self {
        let known = self.request_body.iter_mut().find_map(|content| {
            let BodyFormat::Json(types) = &mut content.shape else {
                return None;
            };
            Some(types)
        });
        match known {
            Some(types) => types.push(schema_of::<T>),
            None => self.request_body.push(BodyContent {
                kind: JSON,
                shape: BodyFormat::Json(vec![schema_of::<T>]),
            }),
        }
        self.fails_with(&[
            ProblemKind::Invalid,
            ProblemKind::MediaType,
            ProblemKind::TooSlow,
            ProblemKind::TooLarge,
        ])
    }

    /// It takes bytes of these types.
    pub(crate) fn with_bytes_body(mut self, kinds: &[&'static str]) -> Self {
        self.request_body
            .extend(kinds.iter().map(|&kind| BodyContent {
                kind,
                shape: BodyFormat::Bytes,
            }));
        self.fails_with(&[
            ProblemKind::Invalid,
            ProblemKind::MediaType,
            ProblemKind::TooSlow,
            ProblemKind::TooLarge,
        ])
    }

    fn add_response(
        mut self,
        (status, about): (StatusCode, &'static str),
        contents: Vec<BodyContent>,
    ) -> Self {
        let known = self
            .responses
            .iter_mut()
            .find(|given| given.status == status);
        match known {
            Some(given) => given.contents.extend(contents),
            None => self.responses.push(ResponseSpec {
                status,
                about,
                contents,
            }),
        }
        self
    }

    /// It gives JSON of this type.
    pub(crate) fn responds_with_json<T: JsonSchema>(
        self,
        status: StatusCode,
        about: &'static str,
    ) -> Self {
        let shape = BodyFormat::Json(vec![schema_of::<T>]);
        self.add_response((status, about), vec![BodyContent { kind: JSON, shape }])
    }

    /// It gives text of this type.
    pub(crate) fn responds_with_text(self, kind: &'static str, about: &'static str) -> Self {
        let shape = BodyFormat::Text;
        self.add_response((StatusCode::OK, about), vec![BodyContent { kind, shape }])
    }

    /// It gives bytes of one of these types.
    pub(crate) fn responds_with_bytes(
        self,
        status: StatusCode,
        kinds: &[&'static str],
        about: &'static str,
    ) -> Self {
        let content = |&kind: &&'static str| BodyContent {
            kind,
            shape: BodyFormat::Bytes,
        };
        self.add_response((status, about), kinds.iter().map(content).collect())
    }

    /// It gives nothing but a status.
    pub(crate) fn responds_empty(self, status: StatusCode, about: &'static str) -> Self {
        self.add_response((status, about), Vec::new())
    }

    /// It may refuse what it is asked for these reasons.
    pub(crate) fn fails_with(mut self, kinds: &[ProblemKind]) -> Self {
        self.problems.extend(kinds);
        self
    }
}

/// Every address of the interface.
fn all_routes() -> Vec<Route> {
    let own = [
        Route::get(
            "/openapi.json",
            ("describe", "This OpenAPI document"),
            openapi::get,
        )
        .responds_with_json::<serde_json::Map<String, serde_json::Value>>(
            StatusCode::OK,
            "An OpenAPI document",
        ),
        media::route(),
    ];
    let all = judge::routes().into_iter().chain(organiser::routes());
    all.chain(own).chain(security_txt::routes()).collect()
}

/// All that people and programs can ask for, but for pages.
pub(crate) fn router() -> Router<Arc<AppState>> {
    let routes = all_routes().into_iter();
    routes.fold(Router::new(), |router, route| {
        router.route(route.path, route.handler)
    })
}

/// Nothing is called by a path that is no text, which the router cannot read.
pub(crate) fn map_bad_path_to_not_found(response: Response) -> Response {
    match response.status() {
        StatusCode::BAD_REQUEST => HttpProblem::not_found("address").into_response(),
        _ => response,
    }
}

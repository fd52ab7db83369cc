//! The addresses of the interface. Each is said once, with what it takes, gives and refuses: the server
//! answers under what stands here, and `/openapi.json` is written of the same.

mod openapi;
mod schemas;

use std::sync::Arc;

use axum::Router;
use axum::handler::Handler;
use axum::http::{Method, StatusCode};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{MethodFilter, MethodRouter, on};
use schemars::{JsonSchema, Schema, SchemaGenerator};

use crate::organise::Scope;
use crate::problem::{Problem, ProblemKind};
use crate::{Shared, judge, media, organise, security};

pub(crate) use openapi::text as openapi;

/// Makes the schema of a type.
type Make = fn(&mut SchemaGenerator) -> Schema;

fn make<T: JsonSchema>(generator: &mut SchemaGenerator) -> Schema {
    generator.subschema_for::<T>()
}

/// Who may ask.
#[derive(Clone, Copy, Debug)]
enum Who {
    /// Whoever knows the address.
    Anybody,
    /// Somebody who judges.
    Judge,
    /// An organiser with a scope.
    Organiser(Scope),
}

/// What a body is like.
enum Shape {
    /// JSON of one of these types.
    Json(Vec<Make>),
    /// Text.
    Text,
    /// Bytes.
    Bytes,
}

/// A body.
struct Content {
    kind: &'static str,
    shape: Shape,
}

/// An answer that is no problem.
struct Given {
    status: StatusCode,
    about: &'static str,
    contents: Vec<Content>,
}

/// What can be asked under an address.
pub(crate) struct Route {
    method: Method,
    path: &'static str,
    id: &'static str,
    about: &'static str,
    who: Who,
    query: Option<Make>,
    takes: Vec<Content>,
    gives: Vec<Given>,
    refuses: Vec<ProblemKind>,
    handler: MethodRouter<Arc<Shared>>,
}

/// The media types of JSON.
const JSON: &str = "application/json";

impl Route {
    /// What is asked by a method under a path, what it is called and what it is about.
    fn new<H, T>(
        method: Method,
        path: &'static str,
        (id, about): (&'static str, &'static str),
        handler: H,
    ) -> Self
    where
        H: Handler<T, Arc<Shared>>,
        T: 'static,
    {
        let filter = MethodFilter::try_from(method.clone()).expect("a method that is known");
        Self {
            method,
            path,
            id,
            about,
            who: Who::Anybody,
            query: None,
            takes: Vec::new(),
            gives: Vec::new(),
            refuses: Vec::new(),
            handler: on(filter, handler),
        }
    }

    pub(crate) fn get<H, T>(
        path: &'static str,
        id: (&'static str, &'static str),
        handler: H,
    ) -> Self
    where
        H: Handler<T, Arc<Shared>>,
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
        H: Handler<T, Arc<Shared>>,
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
        H: Handler<T, Arc<Shared>>,
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
        H: Handler<T, Arc<Shared>>,
        T: 'static,
    {
        Self::new(Method::DELETE, path, id, handler)
    }

    /// Judges may ask.
    pub(crate) fn of_judge(mut self) -> Self {
        self.who = Who::Judge;
        self.refuses(&[
            ProblemKind::Unauthorised,
            ProblemKind::TooMany,
            ProblemKind::Unavailable,
        ])
    }

    /// Organisers with this scope may ask.
    pub(crate) fn of_organiser(mut self, scope: Scope) -> Self {
        self.who = Who::Organiser(scope);
        if self.path.contains("{name}") {
            self.refuses.push(ProblemKind::NotFound);
        }
        if self.method != Method::GET {
            self.refuses.push(ProblemKind::Origin);
        }
        self.refuses(&[
            ProblemKind::Unauthorised,
            ProblemKind::Forbidden,
            ProblemKind::TooMany,
            ProblemKind::Unavailable,
        ])
    }

    /// It takes the fields of this type after a question mark.
    pub(crate) fn takes_query<T: JsonSchema>(mut self) -> Self {
        self.query = Some(make::<T>);
        self.refuses(&[ProblemKind::Invalid])
    }

    /// It takes JSON of this type, or of one of several.
    pub(crate) fn takes<T: JsonSchema>(mut self) -> Self {
        let known = self.takes.iter_mut().find_map(|content| {
            let Shape::Json(types) = &mut content.shape else {
                return None;
            };
            Some(types)
        });
        match known {
            Some(types) => types.push(make::<T>),
            None => self.takes.push(Content {
                kind: JSON,
                shape: Shape::Json(vec![make::<T>]),
            }),
        }
        self.refuses(&[
            ProblemKind::Invalid,
            ProblemKind::MediaType,
            ProblemKind::TooSlow,
            ProblemKind::TooLarge,
        ])
    }

    /// It takes bytes of these types.
    pub(crate) fn takes_bytes(mut self, kinds: &[&'static str]) -> Self {
        self.takes.extend(kinds.iter().map(|&kind| Content {
            kind,
            shape: Shape::Bytes,
        }));
        self.refuses(&[
            ProblemKind::Invalid,
            ProblemKind::MediaType,
            ProblemKind::TooSlow,
            ProblemKind::TooLarge,
        ])
    }

    fn answers(
        mut self,
        (status, about): (StatusCode, &'static str),
        contents: Vec<Content>,
    ) -> Self {
        let known = self.gives.iter_mut().find(|given| given.status == status);
        match known {
            Some(given) => given.contents.extend(contents),
            None => self.gives.push(Given {
                status,
                about,
                contents,
            }),
        }
        self
    }

    /// It gives JSON of this type.
    pub(crate) fn gives<T: JsonSchema>(self, status: StatusCode, about: &'static str) -> Self {
        let shape = Shape::Json(vec![make::<T>]);
        self.answers((status, about), vec![Content { kind: JSON, shape }])
    }

    /// It gives text of this type.
    pub(crate) fn gives_text(self, kind: &'static str, about: &'static str) -> Self {
        let shape = Shape::Text;
        self.answers((StatusCode::OK, about), vec![Content { kind, shape }])
    }

    /// It gives bytes of one of these types.
    pub(crate) fn gives_bytes(
        self,
        status: StatusCode,
        kinds: &[&'static str],
        about: &'static str,
    ) -> Self {
        let content = |&kind: &&'static str| Content {
            kind,
            shape: Shape::Bytes,
        };
        self.answers((status, about), kinds.iter().map(content).collect())
    }

    /// It gives nothing but a status.
    pub(crate) fn gives_nothing(self, status: StatusCode, about: &'static str) -> Self {
        self.answers((status, about), Vec::new())
    }

    /// It may refuse what it is asked for these reasons.
    pub(crate) fn refuses(mut self, kinds: &[ProblemKind]) -> Self {
        self.refuses.extend(kinds);
        self
    }
}

/// Every address of the interface.
fn table() -> Vec<Route> {
    let own = [
        Route::get(
            "/openapi.json",
            ("describe", "This description"),
            openapi::get,
        )
        .gives::<serde_json::Map<String, serde_json::Value>>(StatusCode::OK, "An OpenAPI document"),
        media::route(),
    ];
    let all = judge::routes().into_iter().chain(organise::routes());
    all.chain(own).chain(security::routes()).collect()
}

/// All that people and programs can ask for, but for pages.
pub(crate) fn routes() -> Router<Arc<Shared>> {
    let routes = table().into_iter();
    routes.fold(Router::new(), |router, route| {
        router.route(route.path, route.handler)
    })
}

/// Nothing is called by a path that is no text, which the router cannot read.
pub(crate) fn readable(response: Response) -> Response {
    match response.status() {
        StatusCode::BAD_REQUEST => Problem::not_found("address").into_response(),
        _ => response,
    }
}

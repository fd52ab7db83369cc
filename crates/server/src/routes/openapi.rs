//! OpenAPI document, generated from the route table.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use partita::named::NamedEnum;
use serde_json::{Map, Value, json};

use super::schemas::{SchemaRegistry, fields, rename_refs};
use super::{
    Access, BodyContent, BodyFormat, JSON_MEDIA_TYPE, Route, SchemaFn, all_routes, schema_of,
};
use crate::auth::organiser::{SESSION_COOKIE, Scope};
use crate::handlers::organise::export::{EXPORT_FILES, FIGURE_FILES};
use crate::http::problem::{ProblemDetails, ProblemKind};

/// Text of the OpenAPI document, generated once.
static DOCUMENT_TEXT: LazyLock<String> = LazyLock::new(|| {
    let document = document(&all_routes());
    serde_json::to_string_pretty(&document).expect("the OpenAPI document can be serialised") + "\n"
});

/// Returns the OpenAPI document as JSON.
pub(crate) fn openapi_json() -> &'static str {
    &DOCUMENT_TEXT
}

/// Handles `GET /openapi.json`.
pub(super) async fn get() -> Response {
    ([(header::CONTENT_TYPE, JSON_MEDIA_TYPE)], openapi_json()).into_response()
}

/// Name of the OpenAPI security scheme for assessors' tokens.
const ASSESSOR_SCHEME: &str = "judge";
/// Name of the OpenAPI security scheme for organisers' tokens.
const ORGANISER_SCHEME: &str = "organiser";
/// Name of the OpenAPI security scheme for session cookies.
const SESSION_SCHEME: &str = "session";

/// Builds the OpenAPI document of the routes.
fn document(routes: &[Route]) -> Value {
    let mut schemas = SchemaRegistry::default();
    let mut problem_responses = BTreeMap::new();
    let problem_details =
        schemas.response_schema(&[schema_of::<ProblemDetails<'static>> as SchemaFn]);
    let mut paths: BTreeMap<&str, Map<String, Value>> = BTreeMap::new();
    for route in routes {
        let method = route.method.as_str().to_ascii_lowercase();
        let operation = operation(
            route,
            &mut schemas,
            &mut problem_responses,
            &problem_details,
        );
        paths
            .entry(route.path)
            .or_default()
            .insert(method, operation);
    }
    let (named, differing) = schemas.finish();
    // Rename references in request bodies only: responses refer to the schemas without
    // `REQUEST_SUFFIX`.
    let bodies = paths.values_mut().flat_map(Map::values_mut);
    for body in bodies.filter_map(|operation| operation.get_mut("requestBody")) {
        *body = rename_refs(body, &differing);
    }
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Partita",
            "summary": "API of the judging server",
            "description": API_DESCRIPTION,
            "version": env!("CARGO_PKG_VERSION"),
            "license": {"name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0"},
        },
        "servers": [{"url": "/", "description": "The server of this document"}],
        "tags": [
            {"name": "judge", "description": "Requests of the judge's page"},
            {"name": "organiser", "description": "Requests of organisers"},
            {"name": "public", "description": "Public requests"},
        ],
        "paths": paths,
        "components": {
            "schemas": named,
            "responses": problem_responses,
            "securitySchemes": security_schemes(),
        },
    })
}

/// Description of the API in the OpenAPI document.
const API_DESCRIPTION: &str = "Bodies are JSON of at most 64 KiB, campaigns of at most 16 MiB; unknown fields are errors. Times have the format of RFC 3339, in UTC. Errors are `application/problem+json` (RFC 9457); `type` names the kind of error. An organiser's token has scopes, and may be limited to one campaign; it cannot see other campaigns.";

/// Builds the OpenAPI security schemes: tokens and session cookies.
fn security_schemes() -> Value {
    let scopes = Scope::VARIANTS.iter();
    let scopes = scopes.map(|scope| format!("`{scope}` ({})", scope.summary()));
    let scopes = scopes.collect::<Vec<_>>().join(", ");
    json!({
        (ASSESSOR_SCHEME): {
            "type": "http",
            "scheme": "bearer",
            "description": "The token that `enter` returns, for one person in one campaign.",
        },
        (ORGANISER_SCHEME): {
            "type": "http",
            "scheme": "bearer",
            "description": format!("A token with scopes: {scopes}."),
        },
        (SESSION_SCHEME): {
            "type": "apiKey",
            "in": "cookie",
            "name": SESSION_COOKIE,
            "description": "The session cookie, with the scopes of the token that started the session. Requests that change state must come from the server's own pages (`Origin`).",
        },
    })
}

/// OpenAPI responses of problems, keyed by the name of their component.
type ProblemResponses = BTreeMap<String, Value>;

/// Builds the OpenAPI operation of a route. Adds the responses for its problems to
/// `problem_responses`; `problem_details` is the schema that all problems share.
fn operation(
    route: &Route,
    schemas: &mut SchemaRegistry,
    problem_responses: &mut ProblemResponses,
    problem_details: &Value,
) -> Value {
    let (tag, security) = match route.access {
        Access::Public if route.path.starts_with("/api/v1/judge/") => (ASSESSOR_SCHEME, json!([])),
        Access::Public if route.path.starts_with("/api/") => (ORGANISER_SCHEME, json!([])),
        Access::Public => ("public", json!([])),
        Access::Assessor => (ASSESSOR_SCHEME, json!([{(ASSESSOR_SCHEME): []}])),
        Access::Organiser(scope) => {
            let scopes = [scope];
            (
                ORGANISER_SCHEME,
                json!([{(ORGANISER_SCHEME): scopes}, {(SESSION_SCHEME): scopes}]),
            )
        }
    };
    let mut operation = json!({
        "operationId": route.operation_id,
        "summary": route.summary,
        "tags": [tag],
        "security": security,
    });
    let mut parameters: Vec<Value> = path_parameters(route.path);
    parameters.extend(route.query.iter().copied().flat_map(query_parameters));
    if !parameters.is_empty() {
        operation["parameters"] = parameters.into();
    }
    if !route.request_body.is_empty() {
        let content = contents(&route.request_body, |types| schemas.request_schema(types));
        operation["requestBody"] = json!({"required": true, "content": content});
    }
    let mut responses: BTreeMap<String, Value> = BTreeMap::new();
    for response in &route.responses {
        let mut object = json!({"description": response.description});
        if !response.contents.is_empty() {
            object["content"] =
                contents(&response.contents, |types| schemas.response_schema(types));
        }
        responses.insert(response.status.as_str().to_owned(), object);
    }
    let kinds: BTreeSet<ProblemKind> = route.problems.iter().copied().collect();
    let mut by_status: BTreeMap<StatusCode, Vec<ProblemKind>> = BTreeMap::new();
    for kind in kinds {
        by_status.entry(kind.status()).or_default().push(kind);
    }
    for (status, kinds) in by_status {
        let names: Vec<&str> = kinds.iter().map(|kind| kind.name()).collect();
        let name = names.join(".");
        let place = format!("#/components/responses/{name}");
        problem_responses
            .entry(name)
            .or_insert_with(|| problem_response(&kinds, problem_details));
        responses.insert(status.as_str().to_owned(), json!({"$ref": place}));
    }
    operation["responses"] = json!(responses);
    operation
}

/// Builds the OpenAPI response for a set of problem kinds; `problem_details` is the schema that all
/// problems share.
fn problem_response(kinds: &[ProblemKind], problem_details: &Value) -> Value {
    let problem_schema = |kind: &ProblemKind| {
        let mut schema = problem_details.clone();
        schema["properties"] = json!({
            "type": {"const": kind.type_uri()},
            "title": {"const": kind.summary()},
            "status": {"const": kind.status().as_u16()},
        });
        if let Some(field) = kind.field() {
            schema["required"] = json!([field]);
        }
        schema
    };
    let schema = match kinds {
        [kind] => problem_schema(kind),
        kinds => json!({"oneOf": kinds.iter().map(problem_schema).collect::<Vec<_>>()}),
    };
    let about = kinds
        .iter()
        .map(|kind| format!("`{kind}`: {}", kind.summary()));
    let mut headers = Map::new();
    for kind in kinds {
        headers.extend(kind.header().map(|(name, about, _)| {
            let has_header =
                |kind: &ProblemKind| kind.header().is_some_and(|(other, _, _)| other == name);
            let header = json!({
                "description": about,
                "required": kinds.iter().all(has_header),
                "schema": {"type": "string"},
            });
            (name.to_string(), header)
        }));
    }
    let mut response = json!({
        "description": about.collect::<Vec<_>>().join("; "),
        "content": {"application/problem+json": {"schema": schema}},
    });
    if !headers.is_empty() {
        response["headers"] = headers.into();
    }
    response
}

/// Builds the OpenAPI content of a body: a schema per media type. `json_schema` returns the schema
/// of a JSON body.
fn contents(contents: &[BodyContent], mut json_schema: impl FnMut(&[SchemaFn]) -> Value) -> Value {
    let content = contents.iter().map(|content| {
        let about = match &content.format {
            BodyFormat::Json(types) => json!({"schema": json_schema(types)}),
            BodyFormat::Text => json!({"schema": {"type": "string"}}),
            // OpenAPI 3.1 describes binary data by an empty schema.
            BodyFormat::Bytes => json!({}),
        };
        (content.media_type.to_owned(), about)
    });
    Value::Object(content.collect())
}

/// Returns the OpenAPI parameters for the placeholders in braces of a path.
fn path_parameters(path: &str) -> Vec<Value> {
    let names = path.split('/').filter_map(|part| {
        let part = part.strip_prefix('{')?;
        part.strip_suffix('}')
    });
    let parameter = |name: &str| {
        let text = json!({"type": "string"});
        let (about, schema) = match name {
            "name" => (
                "The campaign",
                json!({"type": "string", "pattern": "^[a-z0-9-]{1,64}$"}),
            ),
            "person" => ("The person", text),
            "answer" => (
                "The id of the answer, chosen by the client; an idempotency key",
                json!({"type": "string", "format": "uuid"}),
            ),
            "task" => ("The task", text),
            "invite" => ("The id of the invite", text),
            "token" => ("The id of the token", text),
            "media" => (
                "The SHA-256 of the file",
                json!({"type": "string", "pattern": "^[0-9a-f]{64}$"}),
            ),
            "export" => ("The file", json!({"type": "string", "enum": EXPORT_FILES})),
            "figure" => (
                "The figure",
                json!({"type": "string", "enum": FIGURE_FILES}),
            ),
            other => unreachable!("the path parameter {other} has no description"),
        };
        json!({"name": name, "in": "path", "required": true, "description": about, "schema": schema})
    };
    names.map(parameter).collect()
}

/// Returns the OpenAPI query parameters for the fields of a type.
fn query_parameters(query: SchemaFn) -> Vec<Value> {
    let parameter = |(name, mut schema): (String, Value)| {
        let about = (schema.as_object_mut()).and_then(|schema| schema.remove("description"));
        json!({"name": name, "in": "query", "description": about, "schema": schema})
    };
    fields(query).into_iter().map(parameter).collect()
}

//! Registry of the JSON schemas of all requests and responses, keyed by type name.

use std::collections::BTreeSet;

use partita::schema::strip_rustdoc;
use schemars::generate::SchemaSettings;
use schemars::transform::{RecursiveTransform, Transform as _};
use schemars::{Schema, SchemaGenerator};
use serde_json::{Map, Value};

use super::SchemaFn;

/// Prefix of `$ref` references to named schemas in the OpenAPI document.
const REF_PREFIX: &str = "#/components/schemas/";

/// Suffix added to the name of a request schema if the same type has a different response schema.
/// They differ because fields with defaults are optional in requests but always present in
/// responses.
const REQUEST_SUFFIX: &str = "Input";

/// Schemas collected so far, separately for requests and responses.
pub(super) struct SchemaRegistry {
    requests: SchemaGenerator,
    responses: SchemaGenerator,
}

fn settings() -> SchemaSettings {
    SchemaSettings::draft2020_12().with(|settings| {
        settings.definitions_path = "/components/schemas".into();
        settings.meta_schema = None;
    })
}

/// Returns the names of the fields of a type, and their JSON schemas.
pub(super) fn fields(schema_fn: SchemaFn) -> Vec<(String, Value)> {
    let inline = settings().with(|settings| settings.inline_subschemas = true);
    let schema = schema_fn(&mut inline.into_generator());
    let fields = schema.get("properties").and_then(Value::as_object);
    let mut fields = fields
        .cloned()
        .expect("the schema of the type has properties");
    // Remove the default `null` of optional fields: a query parameter cannot be null.
    for schema in fields.values_mut().filter_map(Value::as_object_mut) {
        schema.remove("default");
    }
    fields.into_iter().collect()
}

impl Default for SchemaRegistry {
    fn default() -> Self {
        let settings = settings();
        Self {
            requests: settings.clone().for_deserialize().into_generator(),
            responses: settings.for_serialize().into_generator(),
        }
    }
}

impl SchemaRegistry {
    /// Registers the types and returns the schema of a response body of one of these types.
    pub(super) fn response_schema(&mut self, types: &[SchemaFn]) -> Value {
        one_of(types.iter().map(|make| make(&mut self.responses)).collect())
    }

    /// Registers the types and returns the schema of a request body of one of these types. Its
    /// references are provisional until [`rename_refs`] is applied.
    pub(super) fn request_schema(&mut self, types: &[SchemaFn]) -> Value {
        one_of(types.iter().map(|make| make(&mut self.requests)).collect())
    }

    /// Returns all named schemas, and the names of the types whose request and response schemas
    /// differ.
    pub(super) fn finish(mut self) -> (Map<String, Value>, BTreeSet<String>) {
        let requests = strip_descriptions(self.requests.take_definitions(true));
        let mut responses = strip_descriptions(self.responses.take_definitions(true));
        let mut differing = BTreeSet::new();
        // Repeat until nothing changes: a schema that refers to a differing schema differs as well.
        loop {
            let more = requests.iter().filter(|(name, schema)| {
                let known = responses.get(*name);
                let differs = known.is_some_and(|known| known != &rename_refs(schema, &differing));
                differs && !differing.contains(*name)
            });
            let more: Vec<String> = more.map(|(name, _)| name.clone()).collect();
            if more.is_empty() {
                break;
            }
            differing.extend(more);
        }
        for (name, schema) in &requests {
            let own = request_name(name, &differing);
            responses.insert(own, rename_refs(schema, &differing));
        }
        responses.sort_keys();
        (responses, differing)
    }
}

/// Removes Rust examples and links to Rust documentation from the descriptions of all schemas.
fn strip_descriptions(schemas: Map<String, Value>) -> Map<String, Value> {
    let strip = |(name, schema): (String, Value)| {
        let mut schema = Schema::try_from(schema).expect("named schemas are valid");
        RecursiveTransform(strip_rustdoc).transform(&mut schema);
        (name, schema.to_value())
    };
    schemas.into_iter().map(strip).collect()
}

/// Returns the name of the request schema of a type: with a suffix if its response schema differs.
fn request_name(name: &str, differing: &BTreeSet<String>) -> String {
    match differing.contains(name) {
        true => format!("{name}{REQUEST_SUFFIX}"),
        false => name.to_owned(),
    }
}

/// Adds [`REQUEST_SUFFIX`] to the references to the types in `differing`, whose request and
/// response schemas differ.
pub(super) fn rename_refs(value: &Value, differing: &BTreeSet<String>) -> Value {
    match value {
        Value::Object(fields) => {
            let fields = fields.iter().map(|(key, value)| {
                let name = value
                    .as_str()
                    .and_then(|name| name.strip_prefix(REF_PREFIX));
                let value = match name {
                    Some(name) if key == "$ref" => {
                        format!("{REF_PREFIX}{}", request_name(name, differing)).into()
                    }
                    _ => rename_refs(value, differing),
                };
                (key.clone(), value)
            });
            Value::Object(fields.collect())
        }
        Value::Array(values) => {
            let values = values.iter().map(|value| rename_refs(value, differing));
            values.collect()
        }
        other => other.clone(),
    }
}

/// Returns the schema itself if there is only one, otherwise a `oneOf` schema.
fn one_of(mut schemas: Vec<Schema>) -> Value {
    match schemas.len() {
        1 => schemas.remove(0).to_value(),
        _ => serde_json::json!({"oneOf": schemas}),
    }
}

//! Validation of JSON against a JSON Schema, for the tests of all crates whose JSON has a schema.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

/// Validates a value against a schema. `document` contains the definitions that the schema refers
/// to; `place` is the path of the value for error messages. The error says where and why it is
/// invalid.
pub(crate) fn check(
    document: &Value,
    schema: &Value,
    value: &Value,
    place: &str,
) -> Result<(), String> {
    let schema = Schema {
        root: document,
        this: schema,
    };
    schema.check(value, place, &BTreeSet::new())
}

/// Schema together with the document that contains its definitions.
#[derive(Clone, Copy)]
struct Schema<'s> {
    root: &'s Value,
    this: &'s Value,
}

impl<'s> Schema<'s> {
    /// Returns a part of this schema in the same document.
    fn part(self, this: &'s Value) -> Self {
        Self { this, ..self }
    }

    /// Returns the definition that a `$ref` names.
    fn definition(self, name: &str) -> Self {
        let pointer = name.strip_prefix('#').expect("a definition of this schema");
        let found = self.root.pointer(pointer);
        self.part(found.unwrap_or_else(|| panic!("no definition {name}")))
    }

    /// Returns the schemas in a list, such as that of `anyOf`.
    fn schemas_in(self, list: &'s Value) -> impl Iterator<Item = Self> {
        let list = list.as_array().expect("schemas").iter();
        list.map(move |this| self.part(this))
    }

    /// Validates a value. Panics on an unknown keyword, so that no keyword is ignored silently.
    /// `elsewhere` contains the fields that the schema around this one describes.
    fn check(
        self,
        value: &Value,
        place: &str,
        elsewhere: &BTreeSet<&'s str>,
    ) -> Result<(), String> {
        let Some(keywords) = self.this.as_object() else {
            assert_eq!(self.this, &json!(true), "a schema is an object or true");
            return Ok(());
        };
        let found = || value.to_string().chars().take(80).collect::<String>();
        let refuse = |expected: String| Err(format!("{place}: {expected}, not {}", found()));
        let none = BTreeSet::new();
        let own = || elsewhere.union(&self.own_fields()).copied().collect();
        for (keyword, content) in keywords {
            match keyword.as_str() {
                "$schema" | "$defs" | "title" | "description" | "format" | "default" => {}
                "additionalProperties" | "properties" => {}
                "$ref" => self
                    .definition(content.as_str().unwrap())
                    .check(value, place, &own())?,
                "type" => {
                    let kinds = content.as_array().cloned();
                    let kinds = kinds.unwrap_or_else(|| vec![content.clone()]);
                    if !kinds
                        .iter()
                        .any(|kind| has_type(kind.as_str().unwrap(), value))
                    {
                        return refuse(format!("expected {content}"));
                    }
                }
                "minLength" | "maxLength" => {
                    let bound = content.as_u64().unwrap() as usize;
                    let length = value.as_str().map_or(bound, |text| text.chars().count());
                    if length != bound && (length < bound) == (keyword == "minLength") {
                        return refuse(format!("{keyword} {bound}"));
                    }
                }
                "pattern" => {
                    if !value
                        .as_str()
                        .is_none_or(|text| matches_pattern(content.as_str().unwrap(), text))
                    {
                        return refuse(format!("expected {content}"));
                    }
                }
                "const" if value != content => return refuse(format!("expected {content}")),
                "enum" if !content.as_array().unwrap().contains(value) => {
                    return refuse(format!("expected one of {content}"));
                }
                "const" | "enum" => {}
                "minimum" | "maximum" => {
                    let (number, bound) = (value.as_f64(), content.as_f64().unwrap());
                    let low = keyword == "minimum";
                    if number.is_some_and(|n| if low { n < bound } else { n > bound }) {
                        return refuse(format!("{keyword} {bound}"));
                    }
                }
                "required" => {
                    for name in content.as_array().unwrap() {
                        if value.get(name.as_str().unwrap()).is_none() {
                            return Err(format!("{place}: there is no {name}"));
                        }
                    }
                }
                "items" => {
                    for (number, item) in value.as_array().into_iter().flatten().enumerate() {
                        self.part(content)
                            .check(item, &format!("{place}[{number}]"), &none)?;
                    }
                }
                "minItems" | "maxItems" => {
                    let bound = content.as_u64().unwrap() as usize;
                    let items = value.as_array().map_or(bound, Vec::len);
                    if items != bound && (items < bound) == (keyword == "minItems") {
                        return refuse(format!("{keyword} {bound}"));
                    }
                }
                "prefixItems" => {
                    let items = value.as_array().into_iter().flatten();
                    for (number, (one, item)) in self.schemas_in(content).zip(items).enumerate() {
                        one.check(item, &format!("{place}[{number}]"), &none)?;
                    }
                }
                "allOf" => {
                    let fields = self.fields();
                    for one in self.schemas_in(content) {
                        one.check(value, place, &elsewhere.union(&fields).copied().collect())?;
                    }
                }
                "anyOf" | "oneOf" => {
                    let tried: Vec<_> = self
                        .schemas_in(content)
                        .map(|one| one.check(value, place, &own()))
                        .collect();
                    let fitting = tried.iter().filter(|one| one.is_ok()).count();
                    if fitting == 0 || (keyword == "oneOf" && fitting > 1) {
                        let errors = tried.into_iter().filter_map(Result::err);
                        let errors: Vec<String> = errors.collect();
                        return Err(format!("{} ({fitting} fit)", errors.join(" | ")));
                    }
                }
                other => panic!("`{other}` is not checked"),
            }
        }
        match value.as_object() {
            Some(fields) => self.check_fields(keywords, fields, place, elsewhere),
            None => Ok(()),
        }
    }

    /// Validates the fields of an object. A field that the schema does not describe is an error.
    fn check_fields(
        self,
        keywords: &'s Map<String, Value>,
        fields: &Map<String, Value>,
        place: &str,
        elsewhere: &BTreeSet<&'s str>,
    ) -> Result<(), String> {
        let described = keywords.get("properties").and_then(Value::as_object);
        let others = keywords.get("additionalProperties");
        if described.is_none() && others.is_none() {
            return Ok(());
        }
        let in_parts = self.fields_of_parts();
        let known = |name: &str| in_parts.contains(name) || elsewhere.contains(name);
        let none = BTreeSet::new();
        for (name, field) in fields {
            let place = format!("{place}.{name}");
            match (described.and_then(|described| described.get(name)), others) {
                (Some(schema), _) => self.part(schema).check(field, &place, &none)?,
                (None, Some(Value::Bool(false)) | None) if !known(name) => {
                    return Err(format!("{place}: not described"));
                }
                (None, Some(schema)) => self.part(schema).check(field, &place, &none)?,
                (None, None) => {}
            }
        }
        Ok(())
    }

    /// Returns the fields described by the parts of the schema (`allOf`, `anyOf`, `oneOf`, `$ref`).
    fn fields_of_parts(self) -> BTreeSet<&'s str> {
        let keywords = self.this.as_object().expect("a schema with keywords");
        let of = |keyword: &str| keywords.get(keyword);
        let parts = ["allOf", "anyOf", "oneOf"].into_iter().filter_map(of);
        let parts = parts.flat_map(|list| self.schemas_in(list));
        let parts = parts.chain(of("$ref").map(|name| self.definition(name.as_str().unwrap())));
        parts.flat_map(Self::fields).collect()
    }

    /// Returns the fields that the schema itself describes.
    fn own_fields(self) -> BTreeSet<&'s str> {
        let own = self.this.get("properties").and_then(Value::as_object);
        let own = own.into_iter().flat_map(Map::keys);
        own.map(String::as_str).collect()
    }

    /// Returns the fields described by the schema and its parts.
    fn fields(self) -> BTreeSet<&'s str> {
        let own = self.own_fields();
        self.fields_of_parts().into_iter().chain(own).collect()
    }
}

/// Returns true if the value has the JSON type `kind`.
fn has_type(kind: &str, value: &Value) -> bool {
    match kind {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "number" => value.is_number(),
        "integer" => value.is_u64() || value.is_i64(),
        "null" => value.is_null(),
        other => panic!("the type {other} is not checked"),
    }
}

/// Returns true if the text matches one of the two known patterns: a hash or a time.
fn matches_pattern(pattern: &str, text: &str) -> bool {
    let shape: String = (text.chars())
        .map(|c| if c.is_ascii_digit() { '0' } else { c })
        .collect();
    match pattern {
        "^[0-9a-f]{64}$" => text.len() == 64 && shape.chars().all(|c| "0abcdef".contains(c)),
        r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$" => {
            let fraction = shape.strip_prefix("0000-00-00T00:00:00");
            let fraction = fraction.and_then(|rest| rest.strip_suffix('Z'));
            fraction.is_some_and(|rest| rest.is_empty() || rest.trim_end_matches('0') == ".")
        }
        other => panic!("the pattern {other} is not checked"),
    }
}

//! Whether JSON is as a schema says; for the tests of every crate whose JSON is described.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

/// Says where and why a value is not as a schema says, which refers to others of a document.
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

/// One schema among those that it is defined by.
#[derive(Clone, Copy)]
struct Schema<'s> {
    root: &'s Value,
    this: &'s Value,
}

impl<'s> Schema<'s> {
    fn part(self, this: &'s Value) -> Self {
        Self { this, ..self }
    }

    fn definition(self, name: &str) -> Self {
        let pointer = name.strip_prefix('#').expect("a definition of this schema");
        let found = self.root.pointer(pointer);
        self.part(found.unwrap_or_else(|| panic!("no definition {name}")))
    }

    /// The schemas that a word lists.
    fn all(self, list: &'s Value) -> impl Iterator<Item = Self> {
        let list = list.as_array().expect("schemas").iter();
        list.map(move |this| self.part(this))
    }

    /// Says where and why a value is not as the schema says. A word that is not known here panics, so
    /// that nothing is believed to be checked that is not. The fields that stand elsewhere are described by
    /// what this is a part of.
    fn check(
        self,
        value: &Value,
        place: &str,
        elsewhere: &BTreeSet<&'s str>,
    ) -> Result<(), String> {
        let Some(words) = self.this.as_object() else {
            assert_eq!(self.this, &json!(true), "a schema is an object or true");
            return Ok(());
        };
        let found = || value.to_string().chars().take(80).collect::<String>();
        let refuse = |expected: String| Err(format!("{place}: {expected}, not {}", found()));
        let none = BTreeSet::new();
        let own = || elsewhere.union(&self.own_fields()).copied().collect();
        for (word, said) in words {
            match word.as_str() {
                "$schema" | "$defs" | "title" | "description" | "format" | "default" => {}
                "additionalProperties" | "properties" => {}
                "$ref" => self
                    .definition(said.as_str().unwrap())
                    .check(value, place, &own())?,
                "type" => {
                    let kinds = said.as_array().cloned();
                    let kinds = kinds.unwrap_or_else(|| vec![said.clone()]);
                    if !kinds.iter().any(|kind| is(kind.as_str().unwrap(), value)) {
                        return refuse(format!("expected {said}"));
                    }
                }
                "minLength" | "maxLength" => {
                    let bound = said.as_u64().unwrap() as usize;
                    let length = value.as_str().map_or(bound, |text| text.chars().count());
                    if length != bound && (length < bound) == (word == "minLength") {
                        return refuse(format!("{word} {bound}"));
                    }
                }
                "pattern" => {
                    if !value
                        .as_str()
                        .is_none_or(|text| fits(said.as_str().unwrap(), text))
                    {
                        return refuse(format!("expected {said}"));
                    }
                }
                "const" if value != said => return refuse(format!("expected {said}")),
                "enum" if !said.as_array().unwrap().contains(value) => {
                    return refuse(format!("expected one of {said}"));
                }
                "const" | "enum" => {}
                "minimum" | "maximum" => {
                    let (number, bound) = (value.as_f64(), said.as_f64().unwrap());
                    let low = word == "minimum";
                    if number.is_some_and(|n| if low { n < bound } else { n > bound }) {
                        return refuse(format!("{word} {bound}"));
                    }
                }
                "required" => {
                    for name in said.as_array().unwrap() {
                        if value.get(name.as_str().unwrap()).is_none() {
                            return Err(format!("{place}: there is no {name}"));
                        }
                    }
                }
                "items" => {
                    for (number, item) in value.as_array().into_iter().flatten().enumerate() {
                        self.part(said)
                            .check(item, &format!("{place}[{number}]"), &none)?;
                    }
                }
                "minItems" | "maxItems" => {
                    let bound = said.as_u64().unwrap() as usize;
                    let items = value.as_array().map_or(bound, Vec::len);
                    if items != bound && (items < bound) == (word == "minItems") {
                        return refuse(format!("{word} {bound}"));
                    }
                }
                "prefixItems" => {
                    let items = value.as_array().into_iter().flatten();
                    for (number, (one, item)) in self.all(said).zip(items).enumerate() {
                        one.check(item, &format!("{place}[{number}]"), &none)?;
                    }
                }
                "allOf" => {
                    let fields = self.fields();
                    for one in self.all(said) {
                        one.check(value, place, &elsewhere.union(&fields).copied().collect())?;
                    }
                }
                "anyOf" | "oneOf" => {
                    let tried: Vec<_> = self
                        .all(said)
                        .map(|one| one.check(value, place, &own()))
                        .collect();
                    let fitting = tried.iter().filter(|one| one.is_ok()).count();
                    if fitting == 0 || (word == "oneOf" && fitting > 1) {
                        let errors = tried.into_iter().filter_map(Result::err);
                        let errors: Vec<String> = errors.collect();
                        return Err(format!("{} ({fitting} fit)", errors.join(" | ")));
                    }
                }
                other => panic!("`{other}` is not checked"),
            }
        }
        match value.as_object() {
            Some(fields) => self.check_fields(words, fields, place, elsewhere),
            None => Ok(()),
        }
    }

    /// A field that is not described is an error: schemas say all.
    fn check_fields(
        self,
        words: &'s Map<String, Value>,
        fields: &Map<String, Value>,
        place: &str,
        elsewhere: &BTreeSet<&'s str>,
    ) -> Result<(), String> {
        let described = words.get("properties").and_then(Value::as_object);
        let others = words.get("additionalProperties");
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

    /// The fields that the parts of a schema describe beside its own.
    fn fields_of_parts(self) -> BTreeSet<&'s str> {
        let words = self.this.as_object().expect("a schema with words");
        let of = |word: &str| words.get(word);
        let parts = ["allOf", "anyOf", "oneOf"].into_iter().filter_map(of);
        let parts = parts.flat_map(|list| self.all(list));
        let parts = parts.chain(of("$ref").map(|name| self.definition(name.as_str().unwrap())));
        parts.flat_map(Self::fields).collect()
    }

    fn own_fields(self) -> BTreeSet<&'s str> {
        let own = self.this.get("properties").and_then(Value::as_object);
        let own = own.into_iter().flat_map(Map::keys);
        own.map(String::as_str).collect()
    }

    fn fields(self) -> BTreeSet<&'s str> {
        let own = self.own_fields();
        self.fields_of_parts().into_iter().chain(own).collect()
    }
}

fn is(kind: &str, value: &Value) -> bool {
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

/// Whether a text is as a pattern says: that of a hash or of a time.
fn fits(pattern: &str, text: &str) -> bool {
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

//! What commands print as JSON is as their schemas say. It is looked up in the golden files, so that no
//! program needs to run.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use partita::schema::{COMMANDS, CommandSchema};
use serde_json::{Map, Value, json};

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
    /// that nothing is believed to be checked that is not.
    fn check(self, value: &Value, place: &str) -> Result<(), String> {
        let Some(words) = self.this.as_object() else {
            assert_eq!(self.this, &json!(true), "a schema is an object or true");
            return Ok(());
        };
        let found = || value.to_string().chars().take(80).collect::<String>();
        let refuse = |expected: String| Err(format!("{place}: {expected}, not {}", found()));
        for (word, said) in words {
            match word.as_str() {
                "$schema" | "$defs" | "title" | "description" | "format" | "default" => {}
                "additionalProperties" | "properties" => {}
                "$ref" => (self.definition(said.as_str().unwrap())).check(value, place)?,
                "type" => {
                    let kinds = said.as_array().cloned();
                    let kinds = kinds.unwrap_or_else(|| vec![said.clone()]);
                    if !kinds.iter().any(|kind| is(kind.as_str().unwrap(), value)) {
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
                        self.part(said).check(item, &format!("{place}[{number}]"))?;
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
                        one.check(item, &format!("{place}[{number}]"))?;
                    }
                }
                "allOf" => {
                    for one in self.all(said) {
                        one.check(value, place)?;
                    }
                }
                "anyOf" | "oneOf" => {
                    let tried: Vec<_> = self.all(said).map(|one| one.check(value, place)).collect();
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
            Some(fields) => self.check_fields(words, fields, place),
            None => Ok(()),
        }
    }

    /// A field that is not described is an error: schemas say all.
    fn check_fields(
        self,
        words: &'s Map<String, Value>,
        fields: &Map<String, Value>,
        place: &str,
    ) -> Result<(), String> {
        let described = words.get("properties").and_then(Value::as_object);
        let others = words.get("additionalProperties");
        if described.is_none() && others.is_none() {
            return Ok(());
        }
        let elsewhere = self.fields_of_parts();
        for (name, field) in fields {
            let place = format!("{place}.{name}");
            match (described.and_then(|described| described.get(name)), others) {
                (Some(schema), _) => self.part(schema).check(field, &place)?,
                (None, Some(Value::Bool(false))) | (None, None)
                    if !elsewhere.contains(name.as_str()) =>
                {
                    return Err(format!("{place}: not described"));
                }
                (None, Some(schema)) => self.part(schema).check(field, &place)?,
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

    fn fields(self) -> BTreeSet<&'s str> {
        let own = self.this.get("properties").and_then(Value::as_object);
        let own = own.into_iter().flat_map(Map::keys).map(String::as_str);
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

fn file(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// The schemas that are kept, by command.
fn schemas() -> BTreeMap<&'static str, Value> {
    let read = |known: &CommandSchema| {
        let text = fs::read_to_string(file("../../docs/schema").join(known.file()));
        let schema = serde_json::from_str(&text.expect("the schema of a command is kept")).unwrap();
        (known.command, schema)
    };
    COMMANDS.iter().map(read).collect()
}

/// The command of a call whose JSON is described.
fn described(call: &str) -> Option<&'static str> {
    let words = call.strip_prefix("$ partita ").expect("a call");
    let known = COMMANDS.iter().map(|known| known.command);
    let mut known = known.filter(|command| words.starts_with(&format!("{command} ")));
    // Without details lists are a ground truth.
    let lists = |command: &str| matches!(command, "truth build" | "judge export");
    known.find(|command| !lists(command) || words.contains("--details"))
}

/// The JSON in a golden file, each with the call that printed it. What is not JSON is left out.
fn printed(record: &str) -> Vec<(&str, Value)> {
    let mut found = Vec::new();
    let mut call = "";
    for section in split_before(record, &["$ partita ", "=== "]) {
        let (title, text) = section.split_once('\n').unwrap_or((section, ""));
        match title {
            "=== standard output" if text.starts_with('{') => {
                found.extend(serde_json::from_str(text).map(|value| (call, value)));
            }
            title if title.starts_with('$') => call = title,
            _ => {}
        }
    }
    found
}

/// The parts of a text, each of which begins with a line that begins so.
fn split_before<'t>(text: &'t str, beginnings: &[&str]) -> Vec<&'t str> {
    let mut starts: Vec<usize> = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if beginnings
            .iter()
            .any(|beginning| line.starts_with(beginning))
        {
            starts.push(at);
        }
        at += line.len();
    }
    let ends = starts.iter().copied().skip(1).chain([text.len()]);
    starts
        .iter()
        .zip(ends)
        .map(|(&start, end)| &text[start..end])
        .collect()
}

fn golden_files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let inner = |path: PathBuf| {
        if path.is_dir() {
            golden_files(&path)
        } else {
            vec![path]
        }
    };
    entries.flat_map(inner).collect()
}

#[test]
fn json_is_as_the_schema_of_its_command_says() {
    let schemas = schemas();
    let mut seen = BTreeSet::new();
    let mut wrong = Vec::new();
    for path in golden_files(&file("tests/golden/expected")) {
        let record = fs::read_to_string(&path).unwrap();
        for (call, value) in printed(&record) {
            let Some(command) = described(call) else {
                continue;
            };
            seen.insert(command);
            let root = &schemas[command];
            let checked = Schema { root, this: root }.check(&value, command);
            wrong.extend(checked.err().map(|error| format!("{call}\n  {error}")));
        }
    }
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
    let unseen: Vec<_> = schemas
        .keys()
        .filter(|known| !seen.contains(*known))
        .collect();
    assert!(unseen.is_empty(), "no golden file has JSON of {unseen:?}");
}

#[test]
fn json_with_a_field_more_a_field_less_or_another_type_is_refused() {
    let schemas = schemas();
    let root = &schemas["measures"];
    let check = |value: &Value| Schema { root, this: root }.check(value, "measures");
    let path = file("tests/golden/expected/measures");
    let records = golden_files(&path)
        .into_iter()
        .map(|path| fs::read_to_string(path).unwrap());
    let record = records
        .into_iter()
        .find(|record| !printed(record).is_empty());
    let good = printed(&record.expect("a golden file with JSON"))[0]
        .1
        .clone();
    assert_eq!(check(&good), Ok(()));
    let changed = |change: fn(&mut Value)| {
        let mut value = good.clone();
        change(&mut value);
        check(&value)
    };
    assert!(changed(|value| value["more"] = json!(1)).is_err());
    assert!(changed(|value| value["measures"][0]["name"] = json!(1)).is_err());
    assert!(changed(|value| value["schema"] = json!(2)).is_err());
    assert!(changed(|value| drop(value.as_object_mut().unwrap().remove("warnings"))).is_err());
}

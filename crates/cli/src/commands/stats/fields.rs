//! The fields of one line.

use std::fmt;

use serde::de::{self, Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::Value;

/// The fields of an object that have not been taken yet.
///
/// A field that is asked for is taken out, even if it is not what it should be, so that what is
/// left at the end is what nobody knows.
pub(super) struct Fields(Vec<(String, Value)>);

impl<'de> Deserialize<'de> for Fields {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Object;
        impl<'de> Visitor<'de> for Object {
            type Value = Fields;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Fields, A::Error> {
                let mut fields: Vec<(String, Value)> = Vec::new();
                while let Some((name, value)) = map.next_entry::<String, Value>()? {
                    if fields.iter().any(|(known, _)| *known == name) {
                        let message = format!("the field `{name}` stands twice");
                        return Err(de::Error::custom(message));
                    }
                    fields.push((name, value));
                }
                Ok(Fields(fields))
            }
        }
        deserializer.deserialize_map(Object)
    }
}

impl Fields {
    pub(super) fn parse(text: &[u8]) -> Result<Self, String> {
        serde_json::from_slice(text).map_err(|error| {
            let message = error.to_string();
            // The line is ours to say; there is but one here.
            let end = message.rfind(" at line ").unwrap_or(message.len());
            match error.column() {
                0 => format!("expected a JSON object: {}", &message[..end]),
                column => format!(
                    "expected a JSON object: {} at column {column}",
                    &message[..end]
                ),
            }
        })
    }

    /// Takes a field out; a null is as good as none.
    pub(super) fn take(&mut self, name: &str) -> Option<Value> {
        let position = self.0.iter().position(|(known, _)| known == name)?;
        let (_, value) = self.0.remove(position);
        (!value.is_null()).then_some(value)
    }

    /// A field that must be there.
    fn required(&mut self, name: &str) -> Result<Value, String> {
        self.take(name)
            .ok_or_else(|| format!("the field `{name}` is missing"))
    }

    /// A number, if it is there.
    pub(super) fn number(&mut self, name: &str) -> Result<Option<f64>, String> {
        self.take(name)
            .map(|value| number(name, &value))
            .transpose()
    }

    /// A whole number that must be there.
    pub(super) fn count(&mut self, name: &str) -> Result<usize, String> {
        let value = self.required(name)?;
        let whole = value.as_u64().and_then(|count| usize::try_from(count).ok());
        whole.ok_or_else(|| format!("{name}: expected a whole number, found {value}"))
    }

    /// Numbers, if they are there.
    pub(super) fn optional_numbers(&mut self, name: &str) -> Result<Option<Vec<f64>>, String> {
        self.take(name)
            .map(|value| numbers(name, &value))
            .transpose()
    }

    /// Numbers that must be there.
    pub(super) fn numbers(&mut self, name: &str) -> Result<Vec<f64>, String> {
        numbers(name, &self.required(name)?)
    }

    /// The two samples x and y. Both are taken even if one of them is wrong.
    pub(super) fn samples(&mut self) -> Result<(Vec<f64>, Vec<f64>), String> {
        let (x, y) = (self.numbers("x"), self.numbers("y"));
        Ok((x?, y?))
    }

    /// Rows of numbers that must be there.
    pub(super) fn rows(&mut self, name: &str) -> Result<Vec<Vec<f64>>, String> {
        let value = self.required(name)?;
        let rows = value
            .as_array()
            .ok_or_else(|| format!("{name}: expected a list of lists of numbers"))?;
        let row = |(index, row): (usize, &Value)| numbers(&format!("{name}[{index}]"), row);
        rows.iter().enumerate().map(row).collect()
    }

    /// One of some words, if there is any.
    pub(super) fn choice<T: Copy>(
        &mut self,
        name: &str,
        choices: &[(&str, T)],
    ) -> Result<Option<T>, String> {
        let Some(value) = self.take(name) else {
            return Ok(None);
        };
        let known = |(word, _): &&(&str, T)| value.as_str() == Some(*word);
        match choices.iter().find(known) {
            Some(&(_, choice)) => Ok(Some(choice)),
            None => Err(format!(
                "{name}: expected {}, found {value}",
                words(choices)
            )),
        }
    }

    /// One of some words that must be there.
    pub(super) fn required_choice<T: Copy>(
        &mut self,
        name: &str,
        choices: &[(&str, T)],
    ) -> Result<T, String> {
        let choice = self.choice(name, choices)?;
        choice.ok_or_else(|| format!("the field `{name}` is missing: expected {}", words(choices)))
    }

    /// Refuses an object with fields that nobody has asked for.
    pub(super) fn refuse_the_rest(self, takes: &str) -> Result<(), String> {
        let unknown: Vec<String> = self.0.iter().map(|(name, _)| format!("`{name}`")).collect();
        match unknown.len() {
            0 => Ok(()),
            1 => Err(format!("unknown field {}; expected {takes}", unknown[0])),
            _ => Err(format!(
                "unknown fields {}; expected {takes}",
                unknown.join(", ")
            )),
        }
    }
}

fn words<T>(choices: &[(&str, T)]) -> String {
    let words: Vec<&str> = choices.iter().map(|(word, _)| *word).collect();
    words.join(", ")
}

fn number(name: &str, value: &Value) -> Result<f64, String> {
    // A number too large for a double reads as an infinite one.
    let number = value.as_f64().filter(|number| number.is_finite());
    number.ok_or_else(|| format!("{name}: expected a number, found {value}"))
}

fn numbers(name: &str, value: &Value) -> Result<Vec<f64>, String> {
    let list = value
        .as_array()
        .ok_or_else(|| format!("{name}: expected a list of numbers, found {value}"))?;
    let one = |(index, value): (usize, &Value)| number(&format!("{name}[{index}]"), value);
    list.iter().enumerate().map(one).collect()
}

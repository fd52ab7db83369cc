//! Canonical form of JSON, independent of the order of object keys.

use std::borrow::Cow;
use std::fmt;
use std::io::Write as _;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};

/// JSON value in canonical form. It borrows its strings from the input if possible.
pub(crate) enum CanonicalJson<'b> {
    Null,
    Bool(bool),
    /// JSON number, converted to a 64-bit float, so that `1` and `1.0` are equal.
    Number(f64),
    Text(Cow<'b, str>),
    List(Vec<Self>),
    /// Fields of an object, sorted by name. If a name occurs several times, only its last field is
    /// kept.
    Fields(Vec<(Cow<'b, str>, Self)>),
}

impl CanonicalJson<'_> {
    /// Appends the canonical text of the value to `text`. Equivalent JSON values have the same
    /// canonical text.
    pub(crate) fn write(&self, text: &mut Vec<u8>) {
        const INFALLIBLE_WRITE: &str = "writing to a vector cannot fail";
        match self {
            Self::Null => text.extend(b"null"),
            Self::Bool(value) => write!(text, "{value}").expect(INFALLIBLE_WRITE),
            Self::Number(value) => write!(text, "{value}").expect(INFALLIBLE_WRITE),
            Self::Text(value) => serde_json::to_writer(text, value).expect(INFALLIBLE_WRITE),
            Self::List(values) => {
                text.push(b'[');
                for (place, value) in values.iter().enumerate() {
                    text.extend((place > 0).then_some(b','));
                    value.write(text);
                }
                text.push(b']');
            }
            Self::Fields(fields) => {
                text.push(b'{');
                for (place, (name, value)) in fields.iter().enumerate() {
                    text.extend((place > 0).then_some(b','));
                    serde_json::to_writer(&mut *text, name).expect(INFALLIBLE_WRITE);
                    text.push(b':');
                    value.write(text);
                }
                text.push(b'}');
            }
        }
    }
}

impl<'b> Deserialize<'b> for CanonicalJson<'b> {
    fn deserialize<D: Deserializer<'b>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(CanonicalJsonVisitor)
    }
}

struct CanonicalJsonVisitor;

impl<'b> Visitor<'b> for CanonicalJsonVisitor {
    type Value = CanonicalJson<'b>;

    fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str("any JSON value")
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(CanonicalJson::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Self::Value, E> {
        Ok(CanonicalJson::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Self::Value, E> {
        Ok(CanonicalJson::Number(value as f64))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Self::Value, E> {
        Ok(CanonicalJson::Number(value as f64))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Self::Value, E> {
        Ok(CanonicalJson::Number(value))
    }

    fn visit_borrowed_str<E>(self, value: &'b str) -> Result<Self::Value, E> {
        Ok(CanonicalJson::Text(Cow::Borrowed(value)))
    }

    fn visit_str<E>(self, value: &str) -> Result<Self::Value, E> {
        Ok(CanonicalJson::Text(Cow::Owned(value.to_owned())))
    }

    fn visit_seq<A: SeqAccess<'b>>(self, mut from: A) -> Result<Self::Value, A::Error> {
        let mut values = Vec::new();
        while let Some(value) = from.next_element()? {
            values.push(value);
        }
        Ok(CanonicalJson::List(values))
    }

    fn visit_map<A: MapAccess<'b>>(self, mut from: A) -> Result<Self::Value, A::Error> {
        let mut fields: Vec<(Cow<'b, str>, CanonicalJson<'b>)> = Vec::new();
        while let Some((name, value)) = from.next_entry::<FieldName<'b>, _>()? {
            fields.push((name.0, value));
        }
        // Sort once at the end: insertion in sorted order would be slow if a client sends thousands
        // of names in the worst order. Reversing before the stable sort puts the last of several
        // fields with equal names first, and deduplication keeps the first.
        fields.reverse();
        fields.sort_by(|(one, _), (other, _)| one.cmp(other));
        fields.dedup_by(|(one, _), (other, _)| one == other);
        Ok(CanonicalJson::Fields(fields))
    }
}

/// Name of a JSON object field, borrowed from the input if possible.
struct FieldName<'b>(Cow<'b, str>);

impl<'b> Deserialize<'b> for FieldName<'b> {
    fn deserialize<D: Deserializer<'b>>(from: D) -> Result<Self, D::Error> {
        match CanonicalJson::deserialize(from)? {
            CanonicalJson::Text(name) => Ok(Self(name)),
            _ => unreachable!("a field of JSON has a text for its name"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the canonical text of a JSON text.
    fn canonical(json: &str) -> String {
        let mut text = Vec::new();
        let read: CanonicalJson<'_> = serde_json::from_str(json).expect("the test input is JSON");
        read.write(&mut text);
        String::from_utf8(text).expect("canonical text is UTF-8")
    }

    #[test]
    fn equivalent_json_has_the_same_canonical_text() {
        let text =
            canonical(r#"{"b": [1.0, null, true, "né\"\u0041"], "a": {"d": -2.5, "c": {}}}"#);
        assert_eq!(
            text,
            "{\"a\":{\"c\":{},\"d\":-2.5},\"b\":[1,null,true,\"né\\\"A\"]}"
        );
        let other = r#" {"a":{"c":{},"d":-25e-1},"b":[1,null,true,"n\u00e9\u0022A"]} "#;
        assert_eq!(canonical(other), text);
        // `serde_json::Value` must give the same text when it is parsed and written again.
        let value: serde_json::Value = serde_json::from_str(&text).expect("canonical text is JSON");
        assert_eq!(value.to_string(), text);
    }

    #[test]
    fn different_json_has_different_canonical_texts() {
        let texts = [
            "{}",
            "[]",
            "null",
            "0",
            "false",
            "\"\"",
            "\"0\"",
            "[0]",
            "[[]]",
            "{\"a\":0}",
            "{\"a\":null}",
            "{\"a\":{}}",
            "{\"A\":0}",
            "[0,1]",
            "[1,0]",
            "0.1",
        ];
        let written: std::collections::BTreeSet<String> = texts.map(canonical).into();
        assert_eq!(written.len(), texts.len());
        // If a field name occurs several times, the last field counts.
        assert_eq!(
            canonical(r#"{"a": 1, "b": 2, "a": 3, "a": 4}"#),
            r#"{"a":4,"b":2}"#
        );
    }
}

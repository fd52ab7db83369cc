//! JSON objects keyed by query: the value is a list of items or groups of items, or an object with
//! a number (grade or score) per item.

use std::collections::HashSet;
use std::fmt;

use serde::de::{self, Deserialize, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

use crate::diagnostic::{Diagnostic, DiagnosticCode, FormatError};

/// Name of a query, and its groups of items, best first; an item outside an inner list is a group
/// of its own.
pub(crate) type QueryGroups = (String, Vec<Vec<String>>);

/// Name of a query, and each of its items with its grade or score.
pub(crate) type QueryNumbers = (String, Vec<(String, f64)>);

/// Content of a JSON object keyed by query: groups of items for every query, or a number for every
/// item.
pub(crate) enum QueryObject {
    Groups(Vec<QueryGroups>),
    Numbers(Vec<QueryNumbers>),
}

/// Treatment of an item that occurs twice in the list of a query.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum RepeatPolicy {
    Allowed,
    Refused,
}

/// Reads `{"query": [["a", "b"], "c"], ...}` or `{"query": {"a": 2, "b": 0}}`. The queries stay in
/// the order of the file.
pub(crate) fn read(
    file: &str,
    text: &str,
    repeats: RepeatPolicy,
) -> Result<QueryObject, FormatError> {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let object = QueryObjectVisitor(repeats)
        .deserialize(&mut deserializer)
        .and_then(|object| deserializer.end().map(|()| object));
    object.map_err(|error| {
        let message = error.to_string();
        // The position is a field of the error, so it is cut from the message.
        let end = message.rfind(" at line ").unwrap_or(message.len());
        FormatError::in_file(
            file,
            Diagnostic::new(DiagnosticCode::Syntax, &message[..end]),
        )
        .at_line(error.line() as u64)
        .at_column(error.column().max(1) as u64)
        .with_remedy(r#"expected {"query": [["a", "b"], ["c"]]}, or {"query": {"a": 2, "b": 0.5}}"#)
    })
}

/// Serde visitor of the outer object.
struct QueryObjectVisitor(RepeatPolicy);

impl<'de> DeserializeSeed<'de> for QueryObjectVisitor {
    type Value = QueryObject;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for QueryObjectVisitor {
    type Value = QueryObject;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with a list, or an object of numbers, for each query")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let (mut groups, mut numbers) = (Vec::new(), Vec::new());
        let mut seen = HashSet::new();
        while let Some(query) = map.next_key::<String>()? {
            if !seen.insert(query.clone()) {
                return Err(de::Error::custom(format!(
                    "the query `{query}` stands twice"
                )));
            }
            match map.next_value_seed(QueryValueVisitor(self.0))? {
                QueryValue::Groups(found) => groups.push((query, found)),
                QueryValue::Numbers(found) => numbers.push((query, found)),
            }
            if !groups.is_empty() && !numbers.is_empty() {
                return Err(de::Error::custom(
                    "some queries have lists, and others numbers",
                ));
            }
        }
        Ok(if numbers.is_empty() {
            QueryObject::Groups(groups)
        } else {
            QueryObject::Numbers(numbers)
        })
    }
}

/// Value of one query in a JSON object: groups of items, or a number for each item.
enum QueryValue {
    Groups(Vec<Vec<String>>),
    Numbers(Vec<(String, f64)>),
}

/// Serde visitor of the value of one query.
struct QueryValueVisitor(RepeatPolicy);

impl<'de> DeserializeSeed<'de> for QueryValueVisitor {
    type Value = QueryValue;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for QueryValueVisitor {
    type Value = QueryValue;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "a list of items or of groups of items, or an object with a number for each item",
        )
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        let mut groups = Vec::new();
        let mut seen = HashSet::new();
        while let Some(NameOrList::<true>(group)) = list.next_element()? {
            if group.is_empty() {
                return Err(de::Error::custom("a group without items"));
            }
            for item in &group {
                if self.0 == RepeatPolicy::Refused && !seen.insert(item.clone()) {
                    return Err(repeated_item_error(item));
                }
            }
            groups.push(group);
        }
        Ok(QueryValue::Groups(groups))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut numbers = Vec::new();
        let mut seen = HashSet::new();
        while let Some((item, number)) = map.next_entry::<String, f64>()? {
            if !seen.insert(item.clone()) {
                return Err(repeated_item_error(&item));
            }
            numbers.push((item, number));
        }
        Ok(QueryValue::Numbers(numbers))
    }
}

fn repeated_item_error<E: de::Error>(item: &str) -> E {
    de::Error::custom(format!("the item `{item}` stands twice"))
}

/// Name of an item or, if `LISTS` is true, a list of names.
struct NameOrList<const LISTS: bool>(Vec<String>);

impl<'de, const LISTS: bool> Deserialize<'de> for NameOrList<LISTS> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        /// Serde visitor of a name or a list of names.
        struct NameOrListVisitor<const LISTS: bool>;
        impl<'de, const LISTS: bool> Visitor<'de> for NameOrListVisitor<LISTS> {
            type Value = NameOrList<LISTS>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let lists = if LISTS {
                    ", or a list of such names"
                } else {
                    ""
                };
                write!(f, "the name of an item{lists}")
            }

            fn visit_str<E: de::Error>(self, item: &str) -> Result<Self::Value, E> {
                Ok(NameOrList(vec![item.to_owned()]))
            }

            // Names that are integers are often written without quotes.
            fn visit_u64<E: de::Error>(self, item: u64) -> Result<Self::Value, E> {
                Ok(NameOrList(vec![item.to_string()]))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
                if !LISTS {
                    return Err(de::Error::invalid_type(de::Unexpected::Seq, &self));
                }
                let mut group = Vec::new();
                while let Some(NameOrList::<false>(item)) = list.next_element()? {
                    group.extend(item);
                }
                Ok(NameOrList(group))
            }
        }
        deserializer.deserialize_any(NameOrListVisitor)
    }
}

/// Writes a JSON object with one line per query, given each query's name and its value as JSON.
pub(crate) fn write<'a>(queries: impl Iterator<Item = (&'a str, String)>) -> String {
    let lines: Vec<String> = queries
        .map(|(query, value)| format!("  {}: {value}", Value::from(query)))
        .collect();
    if lines.is_empty() {
        return "{}\n".to_owned();
    }
    format!("{{\n{}\n}}\n", lines.join(",\n"))
}

/// Writes `{"query": {"a": 2, "b": 0.5}}`, one line per query. Integers are written without a
/// fraction, because some readers require it.
pub(crate) fn write_numbers<'a, N: IntoIterator<Item = (&'a str, f64)>>(
    queries: impl IntoIterator<Item = (&'a str, N)>,
) -> String {
    write(queries.into_iter().map(|(query, numbers)| {
        let numbers: Vec<String> = (numbers.into_iter())
            .map(|(item, number)| format!("{}: {number}", Value::from(item)))
            .collect();
        (query, format!("{{{}}}", numbers.join(", ")))
    }))
}

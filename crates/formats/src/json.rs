//! JSON objects that hold, for each query, a list of items or of groups of items.

use std::collections::HashSet;
use std::fmt;

use serde::de::{self, Deserialize, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};

use crate::error::{Code, FormatError, Problem};

/// A query with its groups of items; an item that stands alone is a group of its own.
pub(crate) type QueryGroups = (String, Vec<Vec<String>>);

/// Whether an item may stand in a list more than once.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Repeats {
    Allowed,
    Refused,
}

/// Reads `{"query": [["a", "b"], "c"], ...}`, queries in the order of the file.
pub(crate) fn read_groups(
    file: &str,
    text: &str,
    repeats: Repeats,
) -> Result<Vec<QueryGroups>, FormatError> {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let queries = Queries(repeats)
        .deserialize(&mut deserializer)
        .and_then(|queries| deserializer.end().map(|()| queries));
    queries.map_err(|error| {
        let message = error.to_string();
        // The position is given beside the message, not inside it.
        let end = message.rfind(" at line ").unwrap_or(message.len());
        FormatError::file(file, Problem::new(Code::Syntax, &message[..end]))
            .line(error.line() as u64)
            .column(error.column().max(1) as u64)
            .remedy(r#"expected {"query": [["a", "b"], ["c"]]}"#)
    })
}

struct Queries(Repeats);

impl<'de> DeserializeSeed<'de> for Queries {
    type Value = Vec<QueryGroups>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Queries {
    type Value = Vec<QueryGroups>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with a list for each query")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut queries: Vec<QueryGroups> = Vec::new();
        let mut seen = HashSet::new();
        while let Some(query) = map.next_key::<String>()? {
            if !seen.insert(query.clone()) {
                return Err(de::Error::custom(format!(
                    "the query `{query}` stands twice"
                )));
            }
            let groups = map.next_value_seed(Groups(self.0))?;
            queries.push((query, groups));
        }
        Ok(queries)
    }
}

struct Groups(Repeats);

impl<'de> DeserializeSeed<'de> for Groups {
    type Value = Vec<Vec<String>>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Groups {
    type Value = Vec<Vec<String>>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of items or of groups of items")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        let mut groups = Vec::new();
        let mut seen = HashSet::new();
        while let Some(Group::<true>(group)) = list.next_element()? {
            if group.is_empty() {
                return Err(de::Error::custom("a group without items"));
            }
            for item in &group {
                if self.0 == Repeats::Refused && !seen.insert(item.clone()) {
                    return Err(de::Error::custom(format!("the item `{item}` stands twice")));
                }
            }
            groups.push(group);
        }
        Ok(groups)
    }
}

/// The name of an item, or where lists are allowed a list of such names.
struct Group<const LISTS: bool>(Vec<String>);

impl<'de, const LISTS: bool> Deserialize<'de> for Group<LISTS> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Names<const LISTS: bool>;
        impl<'de, const LISTS: bool> Visitor<'de> for Names<LISTS> {
            type Value = Group<LISTS>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let lists = if LISTS {
                    ", or a list of such names"
                } else {
                    ""
                };
                write!(f, "the name of an item{lists}")
            }

            fn visit_str<E: de::Error>(self, item: &str) -> Result<Self::Value, E> {
                Ok(Group(vec![item.to_owned()]))
            }

            // Names that happen to be whole numbers are often written without quotes.
            fn visit_u64<E: de::Error>(self, item: u64) -> Result<Self::Value, E> {
                Ok(Group(vec![item.to_string()]))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
                if !LISTS {
                    return Err(de::Error::invalid_type(de::Unexpected::Seq, &self));
                }
                let mut group = Vec::new();
                while let Some(Group::<false>(item)) = list.next_element()? {
                    group.extend(item);
                }
                Ok(Group(group))
            }
        }
        deserializer.deserialize_any(Names)
    }
}

/// Writes `{"query": [["a", "b"], ["c"]]}`, a query a line.
pub(crate) fn write_groups<'a>(
    queries: impl Iterator<Item = (&'a str, serde_json::Value)>,
) -> String {
    let lines: Vec<String> = queries
        .map(|(query, groups)| format!("  {}: {groups}", serde_json::Value::from(query)))
        .collect();
    if lines.is_empty() {
        return "{}\n".to_owned();
    }
    format!("{{\n{}\n}}\n", lines.join(",\n"))
}

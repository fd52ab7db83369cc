//! Map from names to values that keeps the order of insertion.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Serialize, Serializer};

/// Map from names (of queries, systems or measures) to values that keeps the order of insertion. It
/// serializes to a JSON object.
///
/// ```
/// use partita_core::OrderedMap;
///
/// let pairs = [("q2".to_owned(), 5), ("q1".to_owned(), 3)];
/// let groups: OrderedMap<usize> = pairs.into_iter().collect();
/// assert_eq!(groups.get("q1"), Some(&3));
/// assert_eq!(serde_json::to_string(&groups)?, r#"{"q2":5,"q1":3}"#);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct OrderedMap<T>(Vec<(String, T)>);

impl<T> Default for OrderedMap<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> OrderedMap<T> {
    /// Returns the value stored under this name, if there is one.
    pub fn get(&self, name: &str) -> Option<&T> {
        let mut all = self.iter();
        all.find_map(|(known, value)| (known == name).then_some(value))
    }

    /// Iterates over the names with their values, in order of insertion.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &T)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value))
    }
}

impl<N: Into<String>, T> FromIterator<(N, T)> for OrderedMap<T> {
    fn from_iter<I: IntoIterator<Item = (N, T)>>(values: I) -> Self {
        let values = values.into_iter();
        Self(values.map(|(name, value)| (name.into(), value)).collect())
    }
}

impl<T: Serialize> Serialize for OrderedMap<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}

impl<T: JsonSchema> JsonSchema for OrderedMap<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        format!("ByName_{}", T::schema_name()).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let value = generator.subschema_for::<T>();
        json_schema!({"type": "object", "additionalProperties": value})
    }
}

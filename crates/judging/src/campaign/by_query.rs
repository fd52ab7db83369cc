//! One value for each query.

use serde::{Serialize, Serializer};

/// One value for each query, in the order of the lists; an object in JSON.
#[derive(Clone, Debug, PartialEq)]
pub struct ByQuery<T>(pub Vec<(String, T)>);

impl<T: Serialize> Serialize for ByQuery<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(query, value)| (query, value)))
    }
}

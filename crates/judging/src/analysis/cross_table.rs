//! Cross table of two sets of decisions on the same pairs: the paper's Tables 3 to 6.

use std::borrow::Cow;
use std::collections::BTreeMap;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Serialize, Serializer};

use crate::votes::relation::Relation;

/// Counts of pairs by the reference's relation (rows) and by our relation (columns).
///
/// ```
/// use partita_judging::{CrossTable, Relation};
///
/// // The paper's Table 3: experts in the rows, workers in the columns.
/// let table = CrossTable::new([[38, 37, 16], [11, 31, 13], [7, 42, 86]]);
/// assert_eq!(table.row_total(Relation::Less), 91);
/// assert_eq!(table.column_total(Relation::Greater), 115);
/// // The paper prints 102 partial agreements, but its own cells sum to 103, and to all 281 pairs.
/// assert_eq!((table.full(), table.partial(), table.none()), (155, 103, 23));
/// assert!((table.score().unwrap() - 0.735).abs() < 5e-4);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CrossTable {
    counts: [[usize; 3]; 3],
}

impl CrossTable {
    /// Creates a table from counts: a row for each relation of the reference, a column for each of
    /// ours.
    pub fn new(counts: [[usize; 3]; 3]) -> Self {
        Self { counts }
    }

    /// Counts a pair with relation `theirs` in the reference and relation `ours` in our decisions.
    pub fn add(&mut self, theirs: Relation, ours: Relation) {
        self.counts[theirs as usize][ours as usize] += 1;
    }

    /// Returns the number of pairs with relation `theirs` in the reference and relation `ours` in
    /// our decisions.
    pub fn count(&self, theirs: Relation, ours: Relation) -> usize {
        self.counts[theirs as usize][ours as usize]
    }

    /// Returns the number of pairs with this relation in the reference.
    pub fn row_total(&self, theirs: Relation) -> usize {
        self.counts[theirs as usize].iter().sum()
    }

    /// Returns the number of pairs with this relation in our decisions.
    pub fn column_total(&self, ours: Relation) -> usize {
        self.counts.iter().map(|row| row[ours as usize]).sum()
    }

    /// Returns the fraction of the pairs with relation `theirs` in the reference that have relation
    /// `ours` in our decisions. Returns `None` if there are no such pairs.
    pub fn row_share(&self, theirs: Relation, ours: Relation) -> Option<f64> {
        let total = self.row_total(theirs);
        (total > 0).then(|| self.count(theirs, ours) as f64 / total as f64)
    }

    /// Returns the number of pairs.
    pub fn total(&self) -> usize {
        self.counts.iter().flatten().sum()
    }

    /// Returns the number of pairs with full agreement: the same relation in the reference and in
    /// our decisions.
    pub fn full(&self) -> usize {
        Relation::ALL.iter().map(|&r| self.count(r, r)).sum()
    }

    /// Returns the number of pairs with partial agreement: equal in the reference or in our
    /// decisions, but not in both.
    pub fn partial(&self) -> usize {
        self.total() - self.full() - self.none()
    }

    /// Returns the number of pairs with no agreement: opposite relations.
    pub fn none(&self) -> usize {
        self.count(Relation::Less, Relation::Greater)
            + self.count(Relation::Greater, Relation::Less)
    }

    /// Returns the mean agreement: 1 for the same relation, ½ if exactly one is equal, 0 for
    /// opposite relations (Urbano et al. 2010, section 5.3). Returns `None` for an empty table.
    pub fn score(&self) -> Option<f64> {
        let points = 2 * self.full() + self.partial();
        (self.total() > 0).then(|| points as f64 / (2 * self.total()) as f64)
    }
}

/// Serialises as an object of objects: counts by the reference's relation, then by ours.
impl Serialize for CrossTable {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let row = |theirs: Relation| -> BTreeMap<&str, usize> {
            let counts = Relation::ALL.iter();
            counts
                .map(|&ours| (ours.name(), self.count(theirs, ours)))
                .collect()
        };
        let rows = Relation::ALL.iter();
        serializer.collect_map(rows.map(|&theirs| (theirs.name(), row(theirs))))
    }
}

impl JsonSchema for CrossTable {
    fn schema_name() -> Cow<'static, str> {
        "CrossTable".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        BTreeMap::<String, BTreeMap<String, usize>>::json_schema(generator)
    }
}

//! Cross table of two sets of decisions on the same pairs, as in Tables 3 to 6 of Urbano et al.
//! (2010).

use std::borrow::Cow;
use std::collections::BTreeMap;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Serialize, Serializer};

use crate::votes::relation::Relation;

/// Counts of pairs by the relation of their two items in reference judgments (rows) and in our own
/// decisions (columns).
///
/// ```
/// use partita_judging::{CrossTable, Relation};
///
/// // Table 3 of Urbano et al. (2010): experts in the rows, workers in the columns.
/// let table = CrossTable::new([[38, 37, 16], [11, 31, 13], [7, 42, 86]]);
/// assert_eq!(table.row_total(Relation::Less), 91);
/// assert_eq!(table.column_total(Relation::Greater), 115);
/// // They print 102 partial agreements, but the cells sum to 103, and to all 281 pairs.
/// assert_eq!(table.full_agreements(), 155);
/// assert_eq!(table.partial_agreements(), 103);
/// assert_eq!(table.opposite_decisions(), 23);
/// assert!((table.mean_agreement().unwrap() - 0.735).abs() < 5e-4);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CrossTable {
    counts: [[usize; 3]; 3],
}

impl CrossTable {
    /// Creates a table from counts: a row for each relation in the reference, a column for each
    /// relation in our decisions.
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

    /// Returns the number of pairs with relation `theirs` in the reference.
    pub fn row_total(&self, theirs: Relation) -> usize {
        self.counts[theirs as usize].iter().sum()
    }

    /// Returns the number of pairs with relation `ours` in our decisions.
    pub fn column_total(&self, ours: Relation) -> usize {
        self.counts.iter().map(|row| row[ours as usize]).sum()
    }

    /// Returns the fraction of the pairs with relation `theirs` in the reference that have relation
    /// `ours` in our decisions. Returns `None` if no pair has relation `theirs`.
    pub fn row_share(&self, theirs: Relation, ours: Relation) -> Option<f64> {
        let total = self.row_total(theirs);
        (total > 0).then(|| self.count(theirs, ours) as f64 / total as f64)
    }

    /// Returns the number of pairs in the table.
    pub fn total(&self) -> usize {
        self.counts.iter().flatten().sum()
    }

    /// Returns the number of pairs with full agreement: the same relation in the reference and in
    /// our decisions.
    pub fn full_agreements(&self) -> usize {
        Relation::ALL.iter().map(|&r| self.count(r, r)).sum()
    }

    /// Returns the number of pairs with partial agreement: equal in the reference or in our
    /// decisions, but not in both.
    pub fn partial_agreements(&self) -> usize {
        self.total() - self.full_agreements() - self.opposite_decisions()
    }

    /// Returns the number of pairs with no agreement: one item is preferred in the reference, the
    /// other in our decisions.
    pub fn opposite_decisions(&self) -> usize {
        self.count(Relation::Less, Relation::Greater)
            + self.count(Relation::Greater, Relation::Less)
    }

    /// Returns the mean agreement of the reference and our decisions: 1 for the same relation, ½ if
    /// exactly one of the two relations is equal, 0 for opposite relations (Urbano et al. 2010,
    /// section 5.3). Returns `None` for an empty table.
    pub fn mean_agreement(&self) -> Option<f64> {
        let points = 2 * self.full_agreements() + self.partial_agreements();
        (self.total() > 0).then(|| points as f64 / (2 * self.total()) as f64)
    }
}

/// Serialises as an object of objects: counts by the relation in the reference, then by the
/// relation in our decisions.
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

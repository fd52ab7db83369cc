//! Two sets of decisions on the same pairs against each other: the paper's Tables 3 to 6.

use std::borrow::Cow;
use std::collections::BTreeMap;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Serialize, Serializer};

use crate::votes::relation::Relation;

/// How often others said one thing of a pair and we another.
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
    /// A table of these counts: a row for each relation as others see it, a column for each as we do.
    pub fn new(counts: [[usize; 3]; 3]) -> Self {
        Self { counts }
    }

    /// Counts a pair.
    pub fn add(&mut self, theirs: Relation, ours: Relation) {
        self.counts[theirs as usize][ours as usize] += 1;
    }

    /// How often they said the one and we the other.
    pub fn count(&self, theirs: Relation, ours: Relation) -> usize {
        self.counts[theirs as usize][ours as usize]
    }

    /// How often they said this.
    pub fn row_total(&self, theirs: Relation) -> usize {
        self.counts[theirs as usize].iter().sum()
    }

    /// How often we said this.
    pub fn column_total(&self, ours: Relation) -> usize {
        self.counts.iter().map(|row| row[ours as usize]).sum()
    }

    /// How often we said the one, of all times that they said the other.
    pub fn row_share(&self, theirs: Relation, ours: Relation) -> Option<f64> {
        let total = self.row_total(theirs);
        (total > 0).then(|| self.count(theirs, ours) as f64 / total as f64)
    }

    /// The number of pairs.
    pub fn total(&self) -> usize {
        self.counts.iter().flatten().sum()
    }

    /// How often both said the same.
    pub fn full(&self) -> usize {
        Relation::ALL.iter().map(|&r| self.count(r, r)).sum()
    }

    /// How often one preferred an item and the other neither.
    pub fn partial(&self) -> usize {
        self.total() - self.full() - self.none()
    }

    /// How often they preferred different items.
    pub fn none(&self) -> usize {
        self.count(Relation::Less, Relation::Greater)
            + self.count(Relation::Greater, Relation::Less)
    }

    /// The mean agreement: 1 for the same, ½ where one prefers neither, 0 for the opposite (Urbano et
    /// al. 2010, section 5.3). `None` of an empty table.
    pub fn score(&self) -> Option<f64> {
        let points = 2 * self.full() + self.partial();
        (self.total() > 0).then(|| points as f64 / (2 * self.total()) as f64)
    }
}

/// An object of objects: the counts by the names of what others say, and then of what we say.
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

//! Ragged array: rows of different lengths.

/// Ragged array: rows of different lengths in one contiguous vector.
///
/// A search reads all rows in order, so contiguous memory is fastest.
pub(crate) struct RaggedArray<T> {
    values: Vec<T>,
    /// Index in `values` after the last value of each row.
    ends: Vec<usize>,
}

impl<T> Default for RaggedArray<T> {
    fn default() -> Self {
        Self {
            values: Vec::new(),
            ends: Vec::new(),
        }
    }
}

impl<T> RaggedArray<T> {
    /// Appends a row.
    pub(crate) fn push(&mut self, row: impl IntoIterator<Item = T>) {
        self.values.extend(row);
        self.ends.push(self.values.len());
    }

    /// Returns the number of rows.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns the row with this index, from 0.
    pub(crate) fn row(&self, number: usize) -> &[T] {
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.values[start..self.ends[number]]
    }
}

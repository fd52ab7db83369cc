//! Square matrix of bits, used for relations such as "system a beats system b".

/// Square matrix with one bit per ordered pair of elements: a binary relation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BitMatrix {
    /// Number of `u64` words per row.
    words: usize,
    /// Bits of all rows, one row after the other.
    rows: Vec<u64>,
}

impl BitMatrix {
    /// Creates a matrix of `size` rows and columns with all bits 0.
    pub(crate) fn new(size: usize) -> Self {
        let words = size.div_ceil(64);
        Self {
            words,
            rows: vec![0; size * words],
        }
    }

    /// Sets the bit at `row`, `column` to 1.
    pub(crate) fn set(&mut self, row: usize, column: usize) {
        self.rows[row * self.words + column / 64] |= 1 << (column % 64);
    }

    /// Returns the bit at `row`, `column`.
    pub(crate) fn get(&self, row: usize, column: usize) -> bool {
        self.rows[row * self.words + column / 64] >> (column % 64) & 1 == 1
    }

    /// Returns the bits of a row, 64 columns per word. The lowest bit of the first word is column
    /// 0.
    pub(crate) fn row(&self, row: usize) -> &[u64] {
        &self.rows[row * self.words..(row + 1) * self.words]
    }

    /// Sets every bit of `row` that is set in `other`, a row of a matrix of the same size.
    pub(crate) fn union_row(&mut self, row: usize, other: &[u64]) {
        let row = &mut self.rows[row * self.words..(row + 1) * self.words];
        for (word, more) in row.iter_mut().zip(other) {
            *word |= more;
        }
    }

    /// Returns the matrix with rows and columns exchanged.
    pub(crate) fn transposed(&self) -> Self {
        let size = self.rows.len().checked_div(self.words).unwrap_or(0);
        let mut turned = Self::new(size);
        for row in 0..size {
            for column in set_bits(self.row(row).iter().copied(), 0) {
                turned.set(column, row);
            }
        }
        turned
    }

    /// Returns the number of bits that are 1 in `row`.
    pub(crate) fn count_row(&self, row: usize) -> usize {
        let ones = self.row(row).iter().map(|word| word.count_ones() as usize);
        ones.sum()
    }
}

/// Returns the positions of the set bits in `words`, where the lowest bit of the first word has
/// position `start`.
pub(crate) fn set_bits(
    words: impl Iterator<Item = u64>,
    start: usize,
) -> impl Iterator<Item = usize> {
    words.enumerate().flat_map(move |(number, word)| {
        let mut left = word;
        std::iter::from_fn(move || {
            let lowest = left.trailing_zeros() as usize;
            (left != 0).then(|| {
                left &= left - 1;
                start + 64 * number + lowest
            })
        })
    })
}

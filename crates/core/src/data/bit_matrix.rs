//! A square table of yes and no, a bit a cell.

/// For each of some things, to which of the same things it is related.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BitMatrix {
    words: usize,
    rows: Vec<u64>,
}

impl BitMatrix {
    /// Nothing is related to anything.
    pub(crate) fn new(size: usize) -> Self {
        let words = size.div_ceil(64);
        Self {
            words,
            rows: vec![0; size * words],
        }
    }

    /// Relates `row` to `column`.
    pub(crate) fn set(&mut self, row: usize, column: usize) {
        self.rows[row * self.words + column / 64] |= 1 << (column % 64);
    }

    /// Whether `row` is related to `column`.
    pub(crate) fn get(&self, row: usize, column: usize) -> bool {
        self.rows[row * self.words + column / 64] >> (column % 64) & 1 == 1
    }

    /// What `row` is related to, the lowest bit of the first word being the first thing.
    pub(crate) fn row(&self, row: usize) -> &[u64] {
        &self.rows[row * self.words..(row + 1) * self.words]
    }

    /// Relates `row` to all that `other` is related to.
    pub(crate) fn union_row(&mut self, row: usize, other: &[u64]) {
        let row = &mut self.rows[row * self.words..(row + 1) * self.words];
        for (word, more) in row.iter_mut().zip(other) {
            *word |= more;
        }
    }

    /// The table with rows and columns exchanged.
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

    /// How many things `row` is related to.
    pub(crate) fn count(&self, row: usize) -> usize {
        let ones = self.row(row).iter().map(|word| word.count_ones() as usize);
        ones.sum()
    }
}

/// The places of the bits that are set in words of which the first holds the bits from `start` on.
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

//! Table of the pairs of a list that were requested or answered.

use std::ops::Index;

use super::pair::{PairKey, PairRecord};

/// Records of the pairs of a list that were requested or answered. Every answer of a log looks up
/// its pair, so pairs are found by number in constant time. Sorted access is rare.
#[derive(Clone, Debug, Default)]
pub(crate) struct PairTable {
    /// Index into `pairs` plus 1 for each pair number; 0 if the pair is not stored. The pair `(a,
    /// b)` with `a <= b` has the number b(b+1)/2 + a. This includes pairs of a class with itself,
    /// and adding items changes no existing number.
    index_by_number: Vec<u32>,
    pairs: Vec<(PairKey, PairRecord)>,
}

/// Returns the number of a pair, b(b+1)/2 + a for classes a <= b. This is the index of the pair in
/// `index_by_number`.
fn pair_number((low, high): PairKey) -> usize {
    high.index() * (high.index() + 1) / 2 + low.index()
}

impl PairTable {
    /// Returns the index of a pair in `pairs`, or `None` if the pair is not stored.
    fn stored_index(&self, key: PairKey) -> Option<usize> {
        let place = *self.index_by_number.get(pair_number(key))?;
        (place as usize).checked_sub(1)
    }

    pub(crate) fn get(&self, key: &PairKey) -> Option<&PairRecord> {
        self.stored_index(*key).map(|place| &self.pairs[place].1)
    }

    pub(crate) fn get_mut(&mut self, key: &PairKey) -> Option<&mut PairRecord> {
        self.stored_index(*key)
            .map(|place| &mut self.pairs[place].1)
    }

    /// Returns the record of a pair; adds an empty one if the pair is not stored.
    pub(crate) fn get_or_add(&mut self, key: PairKey) -> &mut PairRecord {
        let place = self.stored_index(key).unwrap_or_else(|| {
            let number = pair_number(key);
            if number >= self.index_by_number.len() {
                self.index_by_number.resize(number + 1, 0);
            }
            self.pairs.push((key, PairRecord::default()));
            let place = self.pairs.len();
            self.index_by_number[number] =
                u32::try_from(place).expect("a list has fewer pairs than 2^32");
            place - 1
        });
        &mut self.pairs[place].1
    }

    /// Returns all pairs with their records, sorted by class numbers.
    pub(crate) fn sorted_by_key(&self) -> Vec<(PairKey, &PairRecord)> {
        let mut pairs: Vec<_> = self.pairs.iter().map(|(key, pair)| (*key, pair)).collect();
        pairs.sort_unstable_by_key(|(key, _)| *key);
        pairs
    }

    /// Returns the records of all pairs in the order of insertion.
    pub(crate) fn values(&self) -> impl Iterator<Item = &PairRecord> {
        self.pairs.iter().map(|(_, pair)| pair)
    }
}

impl Index<&PairKey> for PairTable {
    type Output = PairRecord;

    fn index(&self, key: &PairKey) -> &PairRecord {
        self.get(key).expect("the pair was requested or answered")
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use partita_core::Item;

    use super::*;

    #[test]
    fn pair_table_finds_added_pairs_and_sorts_them_by_key() {
        let item = |number: usize| {
            Item::from_index(number).expect("the numbers are within the range of item indices")
        };
        let mut pairs = PairTable::default();
        let mut known = BTreeMap::new();
        for step in 0..200 {
            let (x, y) = (step * 7 % 23, step * step % 19);
            let key = (item(x.min(y)), item(x.max(y)));
            assert_eq!(pairs.get(&key).is_some(), known.contains_key(&key));
            pairs.get_or_add(key).requested_votes += 1;
            *known.entry(key).or_insert(0) += 1;
            assert_eq!(pairs[&key].requested_votes, known[&key]);
        }
        let found = pairs.sorted_by_key().into_iter();
        assert!(
            found
                .map(|(key, pair)| (key, pair.requested_votes))
                .eq(known)
        );
    }
}

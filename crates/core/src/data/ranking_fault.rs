//! Check that values are the ranks of a ranking.

/// Reason why values are not the ranks of a ranking.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[expect(missing_docs, reason = "a message names its fields")]
pub enum RankingFault {
    /// A value is above the number of items.
    #[error("{0} is above the number of items")]
    AboveItems(f64),
    /// A value is below 1, the best rank.
    #[error("{0} is below 1")]
    BelowOne(f64),
    /// No item is first.
    #[error("nothing is first, and the best rank is {0}")]
    NoFirst(f64),
    /// No tie explains the distance between two successive values.
    #[error("no tie explains {rank} after {before}")]
    Gap { before: f64, rank: f64 },
}

impl RankingFault {
    /// Returns the reason why the values that an assessor gave to some of `items` items are not
    /// their ranks, or `None` if they are.
    ///
    /// In a ranking the best item has rank 1 and no rank is skipped. Tied items have the mean of
    /// their ranks, the first of them, or dense ranks (1, 1, 2). No values are a ranking of no item.
    ///
    /// ```
    /// use partita_core::RankingFault;
    ///
    /// let fault = |values: &[f64]| RankingFault::find(values.iter().copied(), 4);
    /// for ranking in [&[3.0, 1.0, 2.0][..], &[1.0, 2.5, 2.5], &[2.0, 1.0, 2.0, 4.0], &[]] {
    ///     assert_eq!(fault(ranking), None);
    /// }
    /// assert_eq!(fault(&[45.0, 80.0]), Some(RankingFault::AboveItems(80.0)));
    /// assert_eq!(fault(&[3.0, 2.0]), Some(RankingFault::NoFirst(2.0)));
    /// assert_eq!(fault(&[4.0, 1.0]), Some(RankingFault::Gap { before: 1.0, rank: 4.0 }));
    /// ```
    pub fn find(values: impl IntoIterator<Item = f64>, items: usize) -> Option<Self> {
        Self::find_numbered(values, items, [true; 3])
    }

    /// Returns the reason why values are not ranks, like [`find`](Self::find), but does not accept
    /// dense ranks. Many values in a small range are dense ranks by accident.
    pub fn find_without_dense(values: impl IntoIterator<Item = f64>, items: usize) -> Option<Self> {
        Self::find_numbered(values, items, [true, true, false])
    }

    /// Returns the reason why values are not ranks. `fits` says how tied items may be numbered: by
    /// the mean of their ranks, by the first, or by dense ranks.
    fn find_numbered(
        values: impl IntoIterator<Item = f64>,
        items: usize,
        mut fits: [bool; 3],
    ) -> Option<Self> {
        let mut ranks: Vec<f64> = values.into_iter().collect();
        ranks.sort_by(f64::total_cmp);
        let (&best, &worst) = (ranks.first()?, ranks.last()?);
        if best < 1.0 {
            return Some(Self::BelowOne(best));
        }
        if worst > items as f64 {
            return Some(Self::AboveItems(worst));
        }
        let (mut better, mut before) = (0, None);
        for (distinct, tied) in ranks.chunk_by(|a, b| a == b).enumerate() {
            let (rank, first) = (tied[0], better as f64 + 1.0);
            let expected = [
                first + (tied.len() as f64 - 1.0) / 2.0,
                first,
                distinct as f64 + 1.0,
            ];
            for (fits, expected) in fits.iter_mut().zip(expected) {
                *fits &= rank == expected;
            }
            if fits == [false; 3] {
                return Some(match before {
                    None => Self::NoFirst(rank),
                    Some(before) => Self::Gap { before, rank },
                });
            }
            better += tied.len();
            before = Some(rank);
        }
        None
    }
}

//! Agreement between assessors (Kendall's W).

use partita_stats::correlation::concordance::{Concordance, concordance};
use schemars::JsonSchema;
use serde::Serialize;

use crate::data::assessor_rankings::AssessorRankings;
use crate::data::names::summarize_names;

/// Kendall's W, the agreement between assessors, with two treatments of unranked items.
///
/// W needs a complete table, but assessors leave items unranked. Both ways of completing it are
/// reported. Assessors who ranked nothing are left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct AssessorConcordance {
    /// Number of assessors who ranked anything.
    #[serde(skip)]
    pub assessors: usize,
    /// Number of items that every assessor ranked, ignoring assessors who ranked nothing.
    pub common_items: usize,
    /// W over the items that every assessor ranked; `None` if there are fewer than 2 such items, if
    /// every assessor ties them all, or if there are fewer than 2 assessors.
    pub common: Option<Concordance>,
    /// W over all items, where the unranked items of an assessor share the last places. An assessor
    /// who leaves an item unranked considers it very different from the query, so leaving the same
    /// items unranked counts as agreement. `None` for fewer than 2 items or assessors, or if every
    /// assessor ties all items.
    pub unranked_last: Option<Concordance>,
}

impl AssessorConcordance {
    /// P-value above which assessors are said to agree no more than by chance.
    const CHANCE_P: f64 = 0.05;

    /// Returns W if its p-value, and that of W with unranked items last, show no agreement beyond
    /// chance. W is over the items that every assessor ranked, or else over all items.
    fn chance(&self) -> Option<Concordance> {
        let mut found = self.common.into_iter().chain(self.unranked_last);
        let first = found.clone().next()?;
        found.all(|w| w.p > Self::CHANCE_P).then_some(first)
    }
}

/// Note that the assessors of some lists do not agree more than by chance, so that such a list may be
/// an accident.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "these people do not agree more than by chance (Kendall's W): {}",
    summarize_names(.0, 5)
)]
pub struct ChanceAgreement(
    /// Queries of the lists, each with W and its p-value.
    Vec<String>,
);

impl ChanceAgreement {
    /// Returns the note on the lists, given by query, whose assessors agree no more than by chance
    /// (p above 0.05); `None` if there are none.
    pub fn find<'c>(
        lists: impl IntoIterator<Item = (&'c str, &'c AssessorConcordance)>,
    ) -> Option<Self> {
        let lists = lists.into_iter().filter_map(|(query, concordance)| {
            let Concordance { w, p, .. } = concordance.chance()?;
            Some(format!("query `{query}` (W = {w:.3}, p = {p:.4})"))
        });
        let found: Vec<String> = lists.collect();
        (!found.is_empty()).then_some(Self(found))
    }
}

/// Computes Kendall's coefficient of concordance of the assessors of one query.
///
/// ```
/// use partita_core::AssessorRankings;
/// use partita_core::truth::assessor_concordance;
///
/// let rankings = AssessorRankings::new([
///     ("ann", "a", Some(1.0)), ("ann", "b", Some(2.0)), ("ann", "c", Some(3.0)),
///     ("bob", "a", Some(1.0)), ("bob", "b", Some(2.0)),
/// ])?;
/// let concordance = assessor_concordance(&rankings);
/// assert_eq!(concordance.common_items, 2);
/// assert_eq!(concordance.common.unwrap().w, 1.0);
/// assert_eq!(concordance.unranked_last.unwrap().w, 1.0);
/// # Ok::<(), partita_core::AssessorRankingsError>(())
/// ```
pub fn assessor_concordance(rankings: &AssessorRankings) -> AssessorConcordance {
    let ranked: Vec<&[Option<f64>]> = (rankings.rows())
        .filter(|row| row.iter().any(Option::is_some))
        .collect();
    let common: Vec<usize> = (0..rankings.items().len())
        .filter(|&item| ranked.iter().all(|row| row[item].is_some()))
        .collect();
    let common_rows: Vec<Vec<f64>> = (ranked.iter())
        .map(|row| common.iter().filter_map(|&item| row[item]).collect())
        .collect();
    let full_rows: Vec<Vec<f64>> = (ranked.iter())
        .map(|row| {
            row.iter()
                .map(|rank| rank.unwrap_or(f64::INFINITY))
                .collect()
        })
        .collect();
    AssessorConcordance {
        assessors: ranked.len(),
        common_items: common.len(),
        common: kendall_w(&common_rows),
        unranked_last: kendall_w(&full_rows),
    }
}

/// Computes Kendall's W of a complete table of ranks, one row per assessor; `None` if it is
/// undefined.
fn kendall_w(rows: &[Vec<f64>]) -> Option<Concordance> {
    if rows.len() < 2 || rows[0].len() < 2 {
        return None;
    }
    concordance(rows).ok().flatten()
}

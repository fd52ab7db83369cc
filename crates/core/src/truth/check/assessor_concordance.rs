//! How far the assessors agree.

use partita_stats::correlation::concordance::{Concordance, concordance};
use schemars::JsonSchema;
use serde::Serialize;

use crate::data::assessor_rankings::AssessorRankings;

/// Kendall's W of the assessors, in two readings.
///
/// W needs a full table, and assessors leave items unranked. Both ways to fill it are given.
/// Assessors who ranked nothing are passed over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct AssessorConcordance {
    /// The number of assessors who ranked anything.
    #[serde(skip)]
    pub assessors: usize,
    /// The number of items that all of them ranked.
    pub common_items: usize,
    /// W over the items that all of them ranked; `None` if these are fewer than 2, if every
    /// assessor ties them all, or if there is one assessor, who agrees with nobody.
    pub common: Option<Concordance>,
    /// W over all items, each assessor's unranked ones sharing their last places. To leave an item
    /// unranked is to say that it is very different from the query, so this is an agreement too.
    pub unranked_last: Option<Concordance>,
}

/// Kendall's coefficient of concordance of the assessors of one query.
///
/// ```
/// use partita_core::Rankings;
/// use partita_core::truth::agreement;
///
/// let rankings = Rankings::new([
///     ("ann", "a", Some(1.0)), ("ann", "b", Some(2.0)), ("ann", "c", Some(3.0)),
///     ("bob", "a", Some(1.0)), ("bob", "b", Some(2.0)),
/// ])?;
/// let agreement = agreement(&rankings);
/// assert_eq!(agreement.common_items, 2);
/// assert_eq!(agreement.common.unwrap().w, 1.0);
/// assert_eq!(agreement.unranked_last.unwrap().w, 1.0);
/// # Ok::<(), partita_core::RankingsError>(())
/// ```
pub fn assessor_concordance(rankings: &AssessorRankings) -> AssessorConcordance {
    let heard: Vec<&[Option<f64>]> = (rankings.rows())
        .filter(|row| row.iter().any(Option::is_some))
        .collect();
    let items = 0..rankings.items().len();
    let common: Vec<usize> = (items.clone())
        .filter(|&item| heard.iter().all(|row| row[item].is_some()))
        .collect();
    let common_rows: Vec<Vec<f64>> = (heard.iter())
        .map(|row| common.iter().filter_map(|&item| row[item]).collect())
        .collect();
    let full_rows: Vec<Vec<f64>> = (heard.iter())
        .map(|row| {
            row.iter()
                .map(|rank| rank.unwrap_or(f64::INFINITY))
                .collect()
        })
        .collect();
    AssessorConcordance {
        assessors: heard.len(),
        common_items: common.len(),
        common: table(&common_rows),
        unranked_last: table(&full_rows),
    }
}

/// The concordance of a table that is checked already, unless it has none.
fn table(rows: &[Vec<f64>]) -> Option<Concordance> {
    if rows.len() < 2 || rows[0].len() < 2 {
        return None;
    }
    concordance(rows).ok().flatten()
}

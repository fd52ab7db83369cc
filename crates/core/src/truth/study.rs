//! The six aggregation functions side by side (Urbano et al. 2010, section 5).

use partita_stats::kendall::kendall;
use partita_stats::pearson::{Pearson, pearson};
use partita_stats::t_test::{TTest, paired};

use super::against::{adrs, mean};
use super::aggregation::Aggregation;
use super::alpha::Alpha;
use super::comparisons::Tails;
use super::consistency::consistency;
use super::evidence::{Evidence, Reading};
use crate::grouped_list::GroupedList;
use crate::ranking::Ranking;
use crate::rankings::Rankings;

/// What one aggregation function makes of one query.
#[derive(Clone, Debug, PartialEq)]
pub struct ListStudy {
    /// The list.
    pub list: GroupedList,
    /// Its ADR-1 consistency; `None` if it has fewer than 2 items.
    pub adr_1: Option<f64>,
    /// Its ADR-2 consistency.
    pub adr_2: Option<f64>,
    /// The mean number of items in a group; `None` if there is none.
    pub items_per_group: Option<f64>,
    /// The ADR of each system against it; NaN where it is undefined.
    pub systems: Vec<f64>,
}

/// What each of the six functions, in the order of [`Aggregation::EVERY`], makes of one query.
///
/// The lists are built at level `built` and measured at level `measured`. `systems` holds what
/// each system returned for the query, in the item numbers of the rankings; it may be empty.
pub fn study_list(
    rankings: &Rankings,
    built: Alpha,
    measured: Alpha,
    reading: Reading,
    systems: &[&Ranking],
) -> [ListStudy; 6] {
    let evidence = Evidence::new(rankings, built, reading);
    let tests = evidence.at(measured);
    Aggregation::EVERY.map(|aggregation| {
        let list = evidence.list(aggregation);
        let value = |tails| consistency(&list, tests.comparisons(), tails).map(|c| c.value);
        let groups = list.group_count();
        ListStudy {
            adr_1: value(Tails::One),
            adr_2: value(Tails::Two),
            items_per_group: (groups > 0).then(|| list.len() as f64 / groups as f64),
            systems: adrs(rankings.items(), &list, systems),
            list,
        }
    })
}

/// One aggregation function over all queries: a row of Table 3 and a column of Table 4.
#[derive(Clone, Debug, PartialEq)]
pub struct FunctionStudy {
    /// The function.
    pub aggregation: Aggregation,
    /// The mean ADR-1 consistency of its lists; `None` if no list has any.
    pub adr_1: Option<f64>,
    /// The mean ADR-2 consistency.
    pub adr_2: Option<f64>,
    /// The mean over the lists of the mean number of items in a group.
    pub items_per_group: Option<f64>,
    /// The correlation, over the lists, of the items in a group with ADR-1 consistency; `None`
    /// for fewer than 2 lists or if either is constant.
    pub correlation: Option<Pearson>,
    /// The paired t-test of ADR-1 consistency against All-2; `p.greater` is that this function is
    /// more consistent. The paper does not say that it paired its lists, but they are the same.
    /// `None` for All-2 itself and for fewer than 2 lists.
    pub more_consistent: Option<TTest>,
    /// The paired t-test of items in a group against All-2; `p.less` is that groups are smaller.
    pub smaller_groups: Option<TTest>,
    /// The mean ADR of each system; NaN where it is undefined for every list.
    pub systems: Vec<f64>,
    /// Kendall's tau of these with those of All-2; `None` for All-2 itself, for fewer than 2
    /// systems, or where all are equal.
    pub tau: Option<f64>,
}

/// The six functions over the queries that were studied, All-2 first.
///
/// ```
/// use partita_core::Rankings;
/// use partita_core::truth::{Alpha, Reading, study, study_list};
///
/// let rankings = Rankings::new([
///     ("ann", "a", Some(1.0)), ("ann", "b", Some(2.0)),
///     ("bob", "a", Some(1.0)), ("bob", "b", Some(2.0)),
/// ])?;
/// let lists = [study_list(&rankings, Alpha::TYPKE, Alpha::TYPKE, Reading::default(), &[])];
/// let rows = study(&lists);
/// // One-tailed tests tell a and b apart, and ADR-1 consistency agrees.
/// assert_eq!((rows[0].adr_1, rows[0].items_per_group), (Some(0.0), Some(2.0)));
/// assert_eq!((rows[4].adr_1, rows[4].items_per_group), (Some(1.0), Some(1.0)));
/// # Ok::<(), partita_core::RankingsError>(())
/// ```
pub fn study(lists: &[[ListStudy; 6]]) -> [FunctionStudy; 6] {
    let mut number = 0..Aggregation::EVERY.len();
    Aggregation::EVERY.map(|aggregation| {
        let which = number.next().expect("as many numbers as functions");
        let against = (which > 0).then_some(0);
        FunctionStudy {
            aggregation,
            adr_1: average(lists, |list| list[which].adr_1),
            adr_2: average(lists, |list| list[which].adr_2),
            items_per_group: average(lists, |list| list[which].items_per_group),
            correlation: both(lists, |list| {
                (list[which].items_per_group, list[which].adr_1)
            })
            .and_then(|(sizes, values)| pearson(&sizes, &values).ok().flatten()),
            more_consistent: against.and_then(|first: usize| {
                let (x, y) = both(lists, |list| (list[which].adr_1, list[first].adr_1))?;
                paired(&x, &y).ok()
            }),
            smaller_groups: against.and_then(|first: usize| {
                let sizes = |list: &[ListStudy; 6]| {
                    (list[which].items_per_group, list[first].items_per_group)
                };
                let (x, y) = both(lists, sizes)?;
                paired(&x, &y).ok()
            }),
            systems: mean_scores(lists, which),
            tau: against.and_then(|first| {
                let (original, these) = (mean_scores(lists, first), mean_scores(lists, which));
                kendall(&original, &these)
                    .ok()
                    .flatten()
                    .map(|found| found.tau)
            }),
        }
    })
}

fn average(
    lists: &[[ListStudy; 6]],
    value: impl Fn(&[ListStudy; 6]) -> Option<f64>,
) -> Option<f64> {
    crate::evaluation::mean(lists.iter().map(value))
}

/// Two values of the lists that have both.
fn both(
    lists: &[[ListStudy; 6]],
    values: impl Fn(&[ListStudy; 6]) -> (Option<f64>, Option<f64>),
) -> Option<(Vec<f64>, Vec<f64>)> {
    let (x, y): (Vec<f64>, Vec<f64>) = (lists.iter().map(values))
        .filter_map(|(x, y)| x.zip(y))
        .unzip();
    (x.len() > 1).then_some((x, y))
}

/// The mean ADR of each system against the lists of one function.
fn mean_scores(lists: &[[ListStudy; 6]], which: usize) -> Vec<f64> {
    let systems = lists.first().map_or(0, |list| list[which].systems.len());
    (0..systems)
        .map(|system| mean(lists.iter().map(|list| list[which].systems[system])))
        .collect()
}

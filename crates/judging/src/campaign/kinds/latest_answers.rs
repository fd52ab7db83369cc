//! Rankings and grades that count, and the numbers that are still missing. Of several rankings or
//! grades by one assessor, the latest counts.

use std::collections::BTreeMap;

use partita_core::Item;
use schemars::JsonSchema;
use serde::Serialize;

use crate::campaign::Campaign;
use crate::campaign::log::event::{GradeAnswer, RankingAnswer};
use crate::campaign::spec::JudgmentKind;

/// Numbers of rankings and grades of a list: those that count and those that the campaign wants.
/// The latest of each assessor who is not excluded counts, unless it was retracted or arrived after
/// the list was closed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct JudgmentCounts {
    /// Number of rankings that count: the latest of each assessor who is not excluded.
    pub rankings: usize,
    /// Number of rankings that the campaign wants for the list; 0 if it does not ask for rankings.
    pub rankings_wanted: usize,
    /// Number of grades that count: the latest per item of each assessor who is not excluded.
    pub grades: usize,
    /// Number of grades that the campaign wants for all items of the list; 0 if it does not ask for
    /// grades.
    pub grades_wanted: usize,
}

/// Number of rankings that a list has, and the items that lack grades.
#[derive(Clone, Debug, Default)]
pub(crate) struct MissingJudgments {
    /// Number of assessors whose ranking of the list counts.
    pub(crate) counted_rankings: u32,
    /// Items that lack grades, in candidate order, each with the number of missing grades.
    pub(crate) items_lacking_grades: Vec<(Item, u32)>,
}

impl Campaign {
    /// Returns the rankings of a list that count, in log order: the last one of each assessor who
    /// is not excluded.
    pub fn rankings(&self, list: usize) -> Vec<&RankingAnswer> {
        let rankings = (self.lists[list].rankings.iter())
            .map(|&index| &self.records.rankings[index])
            .filter(|(event, ranked)| self.is_counted(list, *event, &ranked.assessor));
        latest_by_key(rankings, |ranked| self.canonical_name(&ranked.assessor))
    }

    /// Returns the grades of a list that count, in log order: the last one per item of each
    /// assessor who is not excluded.
    pub fn grades(&self, list: usize) -> Vec<&GradeAnswer> {
        let grades = (self.lists[list].grades.iter())
            .map(|&index| &self.records.grades[index])
            .filter(|(event, graded)| self.is_counted(list, *event, &graded.assessor));
        latest_by_key(grades, |graded| {
            (self.canonical_name(&graded.assessor), graded.item.as_str())
        })
    }

    /// Returns true if the ranking or grade with this event number was not retracted, arrived
    /// before the list closed, and comes from an assessor who is not excluded.
    fn is_counted(&self, list: usize, event: usize, assessor: &str) -> bool {
        let closed = self.records.closed_lists.get(&list);
        !self.records.retracted_events.contains(&event)
            && closed.is_none_or(|&closed| event < closed)
            && !self.is_excluded(assessor)
    }

    /// Returns the numbers of rankings and grades of a list: those that count and those that the
    /// campaign wants. The wanted number is 0 for a kind of judgment that the campaign does not ask
    /// for.
    pub fn judgment_counts(&self, list: usize) -> JudgmentCounts {
        let spec = self.spec();
        let wanted = |kind: JudgmentKind, count: usize| {
            let asked = spec.kinds.contains(&kind);
            usize::from(asked) * spec.judging.graders as usize * count
        };
        let items = self.lists[list].items.len();
        JudgmentCounts {
            rankings: self.rankings(list).len(),
            rankings_wanted: wanted(JudgmentKind::Ranking, 1),
            grades: self.grades(list).len(),
            grades_wanted: wanted(JudgmentKind::Grading, items),
        }
    }

    /// Returns true if an open list lacks rankings or grades.
    pub(crate) fn has_missing_judgments(&self, list: usize) -> bool {
        let spec = self.spec();
        let asks_for = |kind| !self.is_list_closed(list) && spec.kinds.contains(&kind);
        (asks_for(JudgmentKind::Ranking)
            && self.missing_judgments(list).counted_rankings < spec.judging.graders)
            || (asks_for(JudgmentKind::Grading)
                && !self.missing_judgments(list).items_lacking_grades.is_empty())
    }

    /// Returns the number of rankings of a list and the items that lack grades. The result is
    /// cached until an event can change it.
    pub(crate) fn missing_judgments(&self, list: usize) -> &MissingJudgments {
        let of_list = &self.lists[list];
        of_list.missing_judgments.get_or_init(|| {
            let mut graders = vec![0; of_list.items.len()];
            for graded in self.grades(list) {
                let item = of_list.items.get(&graded.item);
                graders[item
                    .expect("validation checked that the item exists")
                    .index()] += 1;
            }
            let wanted = match of_list.closed {
                Some(_) => 0,
                None => self.spec.judging.graders,
            };
            let items = of_list.items.items().zip(graders);
            let lacking = items.map(|(item, has)| (item, wanted.saturating_sub(has)));
            MissingJudgments {
                counted_rankings: self.rankings(list).len() as u32,
                items_lacking_grades: lacking.filter(|(_, lacks)| *lacks > 0).collect(),
            }
        })
    }
}

/// Returns the last judgment with each key, in log order. A later judgment replaces an earlier one
/// with the same key. `judgments` are in log order, each with its event number.
fn latest_by_key<'c, T, K: Ord>(
    judgments: impl Iterator<Item = &'c (usize, T)>,
    key: impl Fn(&'c T) -> K,
) -> Vec<&'c T> {
    let last: BTreeMap<K, &(usize, T)> = judgments
        .map(|judgment| (key(&judgment.1), judgment))
        .collect();
    let mut last: Vec<&(usize, T)> = last.into_values().collect();
    last.sort_unstable_by_key(|(event, _)| *event);
    last.into_iter().map(|(_, judgment)| judgment).collect()
}

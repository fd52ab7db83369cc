//! Number of rankings and grades of a list, and the number still missing.

use partita_core::Item;

use crate::campaign::Campaign;

/// Number of rankings of a list, and its missing grades.
#[derive(Clone, Debug, Default)]
pub(crate) struct MissingJudgments {
    /// Number of assessors who ranked the list.
    pub(crate) rankings: u32,
    /// Items that lack grades, in candidate order, with the number missing.
    pub(crate) lacking: Vec<(Item, u32)>,
}

impl Campaign {
    /// Returns the rankings and missing grades of a list. The result is cached until the next
    /// ranking, grade or exclusion.
    pub(crate) fn missing_judgments(&self, list: usize) -> &MissingJudgments {
        let of_list = &self.lists[list];
        of_list.missing_judgments.get_or_init(|| {
            let mut graders = vec![0; of_list.items.len()];
            for graded in self.grades(list) {
                let item = of_list.items.get(&graded.item);
                graders[item.expect("an item that was checked").index()] += 1;
            }
            let wanted = match of_list.closed {
                Some(_) => 0,
                None => self.settings.graders,
            };
            let items = of_list.items.items().zip(graders);
            let lacking = items.map(|(item, has)| (item, wanted.saturating_sub(has)));
            MissingJudgments {
                rankings: self.rankings(list).len() as u32,
                lacking: lacking.filter(|(_, lacks)| *lacks > 0).collect(),
            }
        })
    }
}

//! How many rankings and grades lists have, and what they lack.

use partita_core::Item;

use crate::campaign::Campaign;

/// What a list has of rankings, and what it lacks of grades.
#[derive(Clone, Debug, Default)]
pub(crate) struct MissingJudgments {
    /// By how many people it is ranked.
    pub(crate) rankings: u32,
    /// The items that lack grades, in the order of the candidates, and how many each.
    pub(crate) lacking: Vec<(Item, u32)>,
}

impl Campaign {
    /// What a list has of rankings and lacks of grades, found once for all that looks at it until
    /// somebody ranks or grades, or is excluded.
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

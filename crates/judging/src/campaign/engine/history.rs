//! What a person has been shown, so that nobody is asked the same twice.

use std::collections::BTreeSet;

use partita_core::Item;

use super::pair::{PairKey, pair_key};
use crate::campaign::Campaign;
use crate::campaign::log::event::Event;

/// What a person has been shown, whatever became of what they said.
#[derive(Clone, Debug, Default)]
pub(crate) struct AssessorHistory {
    /// How many questions about pairs they have answered, those with known answers included.
    pub(crate) answers: u32,
    /// How many things of any kind.
    pub(crate) tasks: u32,
    /// The list of the last of them.
    pub(crate) last: Option<usize>,
    /// The pairs whose answers are known.
    pub(crate) gold: Vec<(usize, PairKey)>,
    /// What could not be judged: a list, or a class of its items.
    reported: BTreeSet<(usize, Option<Item>)>,
    /// The lists that were ranked.
    pub(crate) ranked: BTreeSet<usize>,
    /// The items that were graded, by their lists.
    pub(crate) graded: BTreeSet<(usize, Item)>,
}

impl AssessorHistory {
    fn note_question(&mut self, list: usize) {
        self.tasks += 1;
        self.last = Some(list);
    }

    /// Takes note of an answer about a pair.
    pub(crate) fn answered(&mut self, list: usize) {
        self.answers += 1;
        self.note_question(list);
    }

    /// Whether a list could not be judged.
    pub(crate) fn reported_list(&self, list: usize) -> bool {
        self.reported.contains(&(list, None))
    }

    /// Whether an item, by its class, could not be judged.
    pub(crate) fn reported_item(&self, list: usize, class: Item) -> bool {
        !self.reported.is_empty() && self.reported.contains(&(list, Some(class)))
    }
}

impl Campaign {
    /// What a person has been shown, if anything; the name as the campaign knows it.
    pub(crate) fn history(&self, person: &str) -> Option<&AssessorHistory> {
        let shown = self.history_names.get(person)?;
        self.histories.get(shown.index())
    }

    /// The same, to add to.
    pub(crate) fn history_of(&mut self, person: &str) -> &mut AssessorHistory {
        let shown = self.history_names.intern(person);
        let shown = shown.expect("there is room for one more name once an event is checked");
        if shown.index() == self.histories.len() {
            self.histories.push(AssessorHistory::default());
        }
        &mut self.histories[shown.index()]
    }

    /// Takes note of what an event that is no answer to a question of a list shows of a person.
    pub(crate) fn update_history(&mut self, event: &Event) {
        let (person, query) = match event {
            Event::GoldAnswered(checked) => (&checked.answer.assessor, &checked.answer.query),
            Event::Ranked(ranked) => (&ranked.assessor, &ranked.query),
            Event::Graded(graded) => (&graded.assessor, &graded.query),
            Event::Reported(reported) => (&reported.assessor, &reported.query),
            _ => return,
        };
        let list = self.query(query).expect("a query that was checked");
        let item = |name: &str| {
            let item = self.lists[list].item(name);
            item.expect("an item that was checked")
        };
        let class = |name: &str| self.lists[list].class(item(name));
        let subject = match event {
            Event::GoldAnswered(checked) => {
                let answered = &checked.answer;
                HistoryEntry::Gold(pair_key(class(&answered.a), class(&answered.b)))
            }
            Event::Ranked(_) => HistoryEntry::List,
            Event::Graded(graded) => HistoryEntry::Item(item(&graded.item)),
            Event::Reported(reported) => HistoryEntry::Broken(reported.item.as_deref().map(class)),
            _ => return,
        };
        let person = self.canonical_name(person);
        let history = self.history_of(&person);
        match subject {
            HistoryEntry::Gold(pair) => {
                history.gold.push((list, pair));
                history.answered(list);
            }
            HistoryEntry::List => {
                history.ranked.insert(list);
                history.note_question(list);
            }
            HistoryEntry::Item(item) => {
                history.graded.insert((list, item));
                history.note_question(list);
            }
            HistoryEntry::Broken(item) => drop(history.reported.insert((list, item))),
        }
    }
}

/// What an event shows that a person has seen.
enum HistoryEntry {
    Gold(PairKey),
    List,
    Item(Item),
    /// It could not be judged; the query itself if it is no item.
    Broken(Option<Item>),
}

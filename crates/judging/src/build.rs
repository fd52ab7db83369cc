//! Lists from a record of answers.

use partita_core::{GroupedList, Item, QueryPreferences};
use partita_stats::streams::{shuffle, stream};

use crate::decision::Rule;
use crate::pairs::{PairVotes, pair_votes};
use crate::relation::Relation;
use crate::replay::{Asked, NotASort, replay};
use crate::sort::SelfOrganisingSort;

/// How a list was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Way {
    /// The record is one of the self-organising sort, which was run again.
    Replayed {
        /// Whether it breaks off before the list is done.
        unfinished: bool,
    },
    /// The record is another, and the sort was run on its decisions from an order drawn at random.
    Sorted {
        /// Why it is no record of the sort.
        because: NotASort,
        /// The initial order.
        order: Vec<Item>,
        /// The pairs that the sort asked for and nobody compared, which were taken as equal.
        missing: Vec<(Item, Item)>,
    },
}

/// A list made from answers.
#[derive(Clone, Debug, PartialEq)]
pub struct Built {
    /// The list.
    pub list: GroupedList,
    /// Every list that the record can have led to, the list itself among them.
    pub alternatives: Vec<GroupedList>,
    /// The pairs with their votes and how a relates to b in each.
    pub decisions: Vec<(PairVotes, Relation)>,
    /// How it was made.
    pub way: Way,
}

/// The random streams of this file: an initial order, and a choice among lists.
const INITIAL_ORDER: u64 = 0x004_001;
const ALTERNATIVE: u64 = 0x004_002;

/// Makes the list of a query from its answers.
///
/// If the batches are a record of the self-organising sort, it is run again; where it leaves several
/// lists, one is drawn. Otherwise the sort is run from an order drawn at random (as in section 4.2 of
/// the paper: "we randomized the initial order of incipits"), with the decisions of the record for
/// answers. Whatever is drawn comes from the seed and from the names of the query and of its items:
/// the order of the answers in a file changes nothing. Items of a replayed group stand by name.
pub fn build(query: &QueryPreferences, rule: Rule, seed: u64) -> Built {
    let pairs = pair_votes(query);
    let decisions: Vec<(PairVotes, Relation)> = (pairs.into_iter())
        .map(|pair| (pair, rule.decide(pair.votes)))
        .collect();
    let mut items: Vec<Item> = query.items().items().collect();
    items.sort_by_key(|&item| query.items().name(item));
    let by_name = Numbers::new(&items);
    let mut batches: Vec<Vec<Asked>> = Vec::new();
    for &(PairVotes { a, b, batch, .. }, relation) in &decisions {
        if batches.len() <= batch {
            batches.resize(batch + 1, Vec::new());
        }
        let [a, b] = [a, b].map(|item| by_name.number(item));
        batches[batch].push(Asked { a, b, relation });
    }
    let name = query.name().bytes().map(u64::from);
    let path = |which: u64| -> Vec<u64> { std::iter::once(which).chain(name.clone()).collect() };
    match replay(&by_name.all(), &batches) {
        Ok(found) => {
            let lists: Vec<GroupedList> = found.lists.iter().map(|l| by_name.named(l)).collect();
            let mut random = stream(seed, &path(ALTERNATIVE));
            let chosen = partita_stats::streams::index_below(&mut random, lists.len());
            Built {
                list: lists[chosen].clone(),
                alternatives: lists,
                decisions,
                way: Way::Replayed {
                    unfinished: found.unfinished,
                },
            }
        }
        Err(because) => {
            let mut order = items;
            shuffle(&mut stream(seed, &path(INITIAL_ORDER)), &mut order);
            let (list, missing) = sorted(&order, &decisions);
            Built {
                alternatives: vec![list.clone()],
                list,
                decisions,
                way: Way::Sorted {
                    because,
                    order,
                    missing,
                },
            }
        }
    }
}

/// Items numbered in the order of their names.
struct Numbers<'i> {
    items: &'i [Item],
    numbers: Vec<Item>,
}

impl<'i> Numbers<'i> {
    /// The numbers of all items of a query, which are in the order of their names.
    fn new(items: &'i [Item]) -> Self {
        let mut numbers = items.to_vec();
        for (place, item) in items.iter().enumerate() {
            numbers[item.index()] = Item::at(place).expect("no more numbers than before");
        }
        Self { items, numbers }
    }

    fn number(&self, item: Item) -> Item {
        self.numbers[item.index()]
    }

    fn all(&self) -> Vec<Item> {
        self.items.iter().map(|&item| self.number(item)).collect()
    }

    /// A list of numbers as one of the items.
    fn named(&self, list: &GroupedList) -> GroupedList {
        let item = |number: &Item| self.items[number.index()];
        GroupedList::new(list.groups().map(|group| group.iter().map(item)))
            .expect("a list stays one if its items are numbered otherwise")
    }
}

/// The sort of these items by decisions already made, and the pairs it missed.
fn sorted(order: &[Item], decisions: &[(PairVotes, Relation)]) -> (GroupedList, Vec<(Item, Item)>) {
    let mut sort = SelfOrganisingSort::new(order);
    for (pair, relation) in decisions {
        sort.tell(pair.a, pair.b, *relation);
    }
    let mut missing = Vec::new();
    while !sort.is_done() {
        for (pivot, other) in sort.questions() {
            missing.push((pivot, other));
            sort.tell(pivot, other, Relation::Equal);
        }
        sort.advance();
    }
    (sort.list(), missing)
}

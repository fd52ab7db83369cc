//! A strategy run to its end.

use partita_core::{Answer, GroupedList, Item};
use partita_stats::streams::{ChaCha8Rng, stream};

use crate::list_votes::ListVotes;
use crate::relation::{Relation, groups_of};
use crate::strategy::Strategy;

/// Somebody who answers.
pub trait Oracle {
    /// The number of items of the list.
    fn items(&self) -> usize;

    /// The next answer about a pair that has had so many; nothing if there is none left.
    fn answer(&self, a: Item, b: Item, before: u32) -> Option<Answer>;
}

/// An answer as a function of the pair and of how many it has had, so that all strategies ask the same
/// people: `say` gets the items in their order, whichever is asked for first, and the numbers to draw from.
pub(super) fn answer_to_pair(
    (seed, purpose): (u64, u64),
    (a, b): (Item, Item),
    before: u32,
    say: impl FnOnce(Item, Item, &mut ChaCha8Rng) -> Answer,
) -> Answer {
    let (low, high) = (a.min(b), a.max(b));
    let [first, second] = [low, high].map(|item| item.index() as u64);
    let mut random = stream(seed, &[purpose, first, second, before.into()]);
    let answer = say(low, high, &mut random);
    if a == low { answer } else { answer.mirrored() }
}

/// Where a list stood after so many votes.
#[derive(Clone, Debug, PartialEq)]
pub struct Checkpoint {
    /// The votes so far.
    pub votes: usize,
    /// Those of them that call the two items equal.
    pub equal: usize,
    /// The pairs that were asked so far.
    pub pairs: usize,
    /// The rounds so far.
    pub rounds: usize,
    /// The list that they make.
    pub list: GroupedList,
    /// How far the answers agree with the list, from 0 to 1: an answer that is the relation of the two
    /// items counts 1, one that is equal where they differ, or the other way round, ½.
    pub consistency: f64,
}

/// How far answers agree with a list.
fn consistency(votes: &ListVotes, list: &GroupedList) -> f64 {
    let groups = groups_of(list, votes.items());
    let (mut score, mut count) = (0.0, 0.0);
    for (a, b, votes) in votes.pairs() {
        let [for_a, equal, for_b] = votes.counts().map(f64::from);
        score += match Relation::of_groups(groups[a.index()], groups[b.index()]) {
            Relation::Less => for_a + 0.5 * equal,
            Relation::Equal => equal + 0.5 * (for_a + for_b),
            Relation::Greater => for_b + 0.5 * equal,
        };
        count += f64::from(votes.len());
    }
    if count > 0.0 { score / count } else { 1.0 }
}

/// Runs a strategy until the list is settled or nobody has an answer left, and notes where it stood
/// when each of these numbers of votes was reached, and at the end.
pub fn run(
    strategy: &dyn Strategy,
    oracle: &dyn Oracle,
    seed: u64,
    marks: &[usize],
) -> Vec<Checkpoint> {
    let mut checkpoints = Vec::new();
    let note = |votes: &ListVotes, rounds| {
        let list = strategy.list(votes, seed);
        Checkpoint {
            votes: votes.len(),
            equal: votes
                .pairs()
                .map(|(_, _, of_pair)| of_pair.equal as usize)
                .sum(),
            pairs: votes.pairs().count(),
            rounds,
            consistency: consistency(votes, &list),
            list,
        }
    };
    let (votes, rounds) = ask(strategy, oracle, seed, |votes, round| {
        if marks.contains(&votes.len()) {
            checkpoints.push(note(votes, round));
        }
    });
    checkpoints.push(note(&votes, rounds));
    checkpoints
}

/// Asks what a strategy wants to know until that is nothing, or nobody has an answer left. After each
/// vote, `after` gets the votes so far and the number of the round. Gives all votes, and how many
/// rounds they took.
pub(super) fn ask(
    strategy: &dyn Strategy,
    oracle: &dyn Oracle,
    seed: u64,
    mut after: impl FnMut(&ListVotes, usize),
) -> (ListVotes, usize) {
    let mut votes = ListVotes::new(oracle.items());
    let mut rounds = 0;
    loop {
        let before = votes.len();
        for request in strategy.requests(&votes, &[], seed) {
            let (a, b) = (request.a, request.b);
            while votes.of(a, b).len() < request.votes {
                let Some(answer) = oracle.answer(a, b, votes.of(a, b).len()) else {
                    break;
                };
                votes.add(a, b, answer);
                after(&votes, rounds + 1);
            }
        }
        if votes.len() == before {
            return (votes, rounds);
        }
        rounds += 1;
    }
}

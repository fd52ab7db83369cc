//! A strategy run to its end.

use partita_core::{GroupedList, Item, Preference};
use partita_stats::random::{ChaCha8Rng, stream};

use crate::model::{AssessorVote, DavidsonFit, ListAssessorVotes, fit_pooled_votes};
use crate::strategy::Strategy;
use crate::votes::list_votes::ListVotes;
use crate::votes::relation::{Relation, group_numbers};

/// Somebody who answers.
pub trait Oracle {
    /// The number of items of the list.
    fn items(&self) -> usize;

    /// The next answer about a pair that has had so many; nothing if there is none left.
    fn answer(&self, a: Item, b: Item, before: u32) -> Option<Preference>;

    /// Who gives that answer, by a number; nothing where people are not known.
    fn person(&self, a: Item, b: Item, before: u32) -> Option<usize> {
        let _ = (a, b, before);
        None
    }
}

/// An answer as a function of the pair and of how many it has had, so that all strategies ask the same
/// people: `say` gets the items in their order, whichever is asked for first, and the numbers to draw from.
pub fn answer_to_pair(
    (seed, purpose): (u64, u64),
    (a, b): (Item, Item),
    before: u32,
    say: impl FnOnce(Item, Item, &mut ChaCha8Rng) -> Preference,
) -> Preference {
    let (low, high) = (a.min(b), a.max(b));
    let [first, second] = [low, high].map(|item| item.index() as u64);
    let mut random = stream(seed, &[purpose, first, second, before.into()]);
    let answer = say(low, high, &mut random);
    if a == low { answer } else { answer.mirrored() }
}

/// Where a list stood after so many votes.
#[derive(Clone, Debug, PartialEq)]
pub struct StrategyCheckpoint {
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
    let groups = group_numbers(list, votes.items());
    let (mut score, mut count) = (0.0, 0.0);
    for (a, b, votes) in votes.pairs() {
        let [for_a, equal, for_b] = votes.counts().map(f64::from);
        score += match Relation::from_group_numbers(groups[a.index()], groups[b.index()]) {
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
pub fn run_strategy(
    strategy: &dyn Strategy,
    oracle: &dyn Oracle,
    seed: u64,
    marks: &[usize],
) -> Vec<StrategyCheckpoint> {
    let notes = walk(strategy, oracle, seed, marks);
    let checkpoint = |note: &RunState| note.checkpoint(strategy.list(&note.votes, seed));
    notes.iter().map(checkpoint).collect()
}

/// A list that is judged beside others: who answers, the seed, and the numbers of votes to look at.
pub struct SimulatedListRun<'a> {
    /// Who answers.
    pub oracle: &'a dyn Oracle,
    /// The seed of what the strategy draws.
    pub seed: u64,
    /// The numbers of votes at which it is looked at, the same count of them for all lists.
    pub marks: Vec<usize>,
}

/// Runs a strategy on lists that the same people judge, and notes where each stood when each of its
/// numbers of votes was reached, and at the end; a list that ended early stays as it is.
///
/// Where the strategy makes lists by a model of all votes, and it is known who answered, lists are made
/// as a campaign makes them: those of one mark are fitted together with the reliability of the people
/// ([`pooled_lists`](crate::pooled_lists)).
pub fn run_strategy_on_lists(
    strategy: &dyn Strategy,
    lists: &[SimulatedListRun<'_>],
) -> Vec<Vec<StrategyCheckpoint>> {
    let walks = lists.iter().map(|list| {
        let mut notes = walk(strategy, list.oracle, list.seed, &list.marks);
        let last = notes.last().cloned();
        notes.resize(list.marks.len() + 1, last.expect("a walk has an end"));
        notes
    });
    let walks: Vec<Vec<RunState>> = walks.collect();
    let said = said_of_all(strategy, lists, &walks);
    let mut checkpoints: Vec<Vec<StrategyCheckpoint>> = vec![Vec::new(); lists.len()];
    for look in 0..walks.first().map_or(0, Vec::len) {
        let notes: Vec<&RunState> = walks.iter().map(|notes| &notes[look]).collect();
        let made: Vec<GroupedList> = match &said {
            Some(said) => fitted_together(strategy, &notes, said),
            None => (lists.iter().zip(&notes))
                .map(|(list, note)| strategy.list(&note.votes, list.seed))
                .collect(),
        };
        for ((checkpoints, note), made) in checkpoints.iter_mut().zip(notes).zip(made) {
            checkpoints.push(note.checkpoint(made));
        }
    }
    checkpoints
}

/// A vote, and how many its pair had before.
type Said = (u32, AssessorVote);

/// Who said what on each list in the end; nothing where the strategy makes lists otherwise than by a model,
/// or somebody who answered is not known.
fn said_of_all(
    strategy: &dyn Strategy,
    lists: &[SimulatedListRun<'_>],
    walks: &[Vec<RunState>],
) -> Option<Vec<Vec<Said>>> {
    let each = lists.iter().zip(walks);
    each.map(|(list, notes)| {
        strategy.grouping(list.oracle.items())?;
        said(&notes.last()?.votes, list.oracle)
    })
    .collect()
}

/// The lists that the votes so far make when they are fitted together.
fn fitted_together(
    strategy: &dyn Strategy,
    notes: &[&RunState],
    said: &[Vec<Said>],
) -> Vec<GroupedList> {
    let votes = notes.iter().zip(said).map(|(note, said)| {
        let there = |(before, vote): &&Said| *before < note.votes.get(vote.a, vote.b).len();
        let mut votes: Vec<AssessorVote> = said.iter().filter(there).map(|said| said.1).collect();
        // In the order in which a campaign takes them.
        votes.sort_unstable();
        ListAssessorVotes {
            items: note.votes.items(),
            votes,
        }
    });
    let votes: Vec<ListAssessorVotes> = votes.collect();
    let everybody = votes.iter().flat_map(|list| &list.votes);
    let people = everybody.map(|vote| vote.person + 1).max().unwrap_or(0);
    let fits = fit_pooled_votes(&votes, people).fits;
    let list = |(note, fit): (&&RunState, &DavidsonFit)| {
        let grouping = strategy.grouping(note.votes.items());
        let grouping = grouping.expect("a strategy that makes lists by a model");
        grouping.list(fit, note.votes.vote_spread())
    };
    notes.iter().zip(&fits).map(list).collect()
}

/// Where a list stood.
#[derive(Clone)]
struct RunState {
    votes: ListVotes,
    rounds: usize,
}

impl RunState {
    fn checkpoint(&self, list: GroupedList) -> StrategyCheckpoint {
        let votes = &self.votes;
        let equal = votes.pairs().map(|(_, _, votes)| votes.equal as usize);
        StrategyCheckpoint {
            votes: votes.len(),
            equal: equal.sum(),
            pairs: votes.pairs().count(),
            rounds: self.rounds,
            consistency: consistency(votes, &list),
            list,
        }
    }
}

/// Runs a strategy to its end, with a note at each of these numbers of votes and at the end.
fn walk(strategy: &dyn Strategy, oracle: &dyn Oracle, seed: u64, marks: &[usize]) -> Vec<RunState> {
    let note = |votes: &ListVotes, rounds| RunState {
        votes: votes.clone(),
        rounds,
    };
    let mut notes = Vec::new();
    let (votes, rounds) = ask(strategy, oracle, seed, |votes, round| {
        if marks.contains(&votes.len()) {
            notes.push(note(votes, round));
        }
    });
    notes.push(note(&votes, rounds));
    notes
}

/// Who said what; nothing where somebody is not known.
fn said(votes: &ListVotes, oracle: &dyn Oracle) -> Option<Vec<Said>> {
    let given = votes.pairs().flat_map(|(a, b, votes)| {
        (0..votes.len()).map(move |before| {
            let vote = AssessorVote {
                a,
                b,
                person: oracle.person(a, b, before)?,
                answer: oracle.answer(a, b, before)?,
            };
            Some((before, vote))
        })
    });
    given.collect()
}

/// Asks what a strategy wants to know until that is nothing, or nobody has an answer left. After each
/// vote, `after` gets the votes so far and the number of the round. Gives all votes, and how many
/// rounds they took.
pub fn ask(
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
            while votes.get(a, b).len() < request.votes {
                let Some(answer) = oracle.answer(a, b, votes.get(a, b).len()) else {
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

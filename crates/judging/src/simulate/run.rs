//! Runs of a strategy with simulated or recorded answers.

use partita_core::{GroupedList, Item, Preference};
use partita_stats::random::{RandomStream, stream};

use crate::model::{AssessorVote, DavidsonFit, ListAssessorVotes, fit_pooled_votes};
use crate::strategy::Strategy;
use crate::votes::list_votes::ListVotes;
use crate::votes::relation::{Relation, group_numbers};

/// Source of the answers about the pairs of one list: simulated assessors or recorded votes.
pub trait Oracle {
    /// Returns the number of items of the list.
    fn items(&self) -> usize;

    /// Returns the answer about a pair that follows the `before` earlier answers about it, or
    /// `None` if there is none left.
    fn answer(&self, a: Item, b: Item, before: u32) -> Option<Preference>;

    /// Returns the number of the assessor who gives [`Oracle::answer`] with the same arguments, or
    /// `None` if assessors are unknown.
    fn assessor(&self, a: Item, b: Item, before: u32) -> Option<usize> {
        let _ = (a, b, before);
        None
    }
}

/// Draws an answer that depends only on the seed, the pair and its number of earlier answers, so
/// that all strategies get the same answers. `draw` gets the two items in ascending order and a
/// random stream. `purpose` is the id of the random stream.
pub fn answer_to_pair(
    (seed, purpose): (u64, u64),
    (a, b): (Item, Item),
    before: u32,
    draw: impl FnOnce(Item, Item, &mut RandomStream) -> Preference,
) -> Preference {
    let (low, high) = (a.min(b), a.max(b));
    let [first, second] = [low, high].map(|item| item.index() as u64);
    let mut random = stream(seed, &[purpose, first, second, before.into()]);
    let answer = draw(low, high, &mut random);
    if a == low { answer } else { answer.mirrored() }
}

/// State of a strategy's run on one list after a number of votes.
#[derive(Clone, Debug, PartialEq)]
pub struct StrategyCheckpoint {
    /// Number of votes so far.
    pub votes: usize,
    /// Number of votes so far that prefer neither item.
    pub equal: usize,
    /// Number of different pairs with votes so far.
    pub pairs: usize,
    /// Number of times so far that the strategy has chosen pairs to ask.
    pub rounds: usize,
    /// List that the strategy builds from the votes so far.
    pub list: GroupedList,
    /// Mean agreement of the votes so far with the list, from 0 to 1. A vote that states the
    /// relation of the two items in the list counts 1; a vote for neither item if the list
    /// separates them, or for one item if the list has them in one group, counts ½.
    pub consistency: f64,
}

/// Returns the mean agreement of votes with a list, from 0 to 1 (see
/// [`StrategyCheckpoint::consistency`]); 1 without votes.
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

/// Runs a strategy on one list until it requests no more pairs or no answers are left. Returns the
/// state at each number of votes in `marks` that is reached, and at the end.
pub fn run_strategy(
    strategy: &dyn Strategy,
    oracle: &dyn Oracle,
    seed: u64,
    marks: &[usize],
) -> Vec<StrategyCheckpoint> {
    let states = run_to_end(strategy, oracle, seed, marks);
    let checkpoint = |state: &RunState| state.checkpoint(strategy.list(&state.votes, seed));
    states.iter().map(checkpoint).collect()
}

/// Inputs for running a strategy on one of several lists: source of answers, seed, and numbers of
/// votes at which the list is evaluated.
pub struct SimulatedListRun<'a> {
    /// Source of the answers about the list's pairs.
    pub oracle: &'a dyn Oracle,
    /// Seed of the strategy's random draws.
    pub seed: u64,
    /// Numbers of votes at which the list is evaluated. Every list has the same number of marks.
    pub marks: Vec<usize>,
}

/// Runs a strategy on lists judged by the same assessors. Returns the state of each list at each of
/// its marks (numbers of votes) and at the end. A list that is complete before a mark keeps its
/// last state there.
///
/// If the strategy builds lists by a model of all votes and the assessors are known, lists are
/// built as in a campaign: all lists of one mark are fitted jointly with the assessors' reliability
/// ([`fit_pooled`](crate::fit_pooled)).
pub fn run_strategy_on_lists(
    strategy: &dyn Strategy,
    lists: &[SimulatedListRun<'_>],
) -> Vec<Vec<StrategyCheckpoint>> {
    let runs = lists.iter().map(|list| {
        let mut states = run_to_end(strategy, list.oracle, list.seed, &list.marks);
        let last = states.last().cloned();
        states.resize(list.marks.len() + 1, last.expect("a run has a last state"));
        states
    });
    let runs: Vec<Vec<RunState>> = runs.collect();
    let votes_of_lists = votes_of_all_lists(strategy, lists, &runs);
    let mut checkpoints: Vec<Vec<StrategyCheckpoint>> = vec![Vec::new(); lists.len()];
    for mark in 0..runs.first().map_or(0, Vec::len) {
        let states: Vec<&RunState> = runs.iter().map(|states| &states[mark]).collect();
        let made: Vec<GroupedList> = match &votes_of_lists {
            Some(votes) => fit_lists_jointly(strategy, &states, votes),
            None => (lists.iter().zip(&states))
                .map(|(list, state)| strategy.list(&state.votes, list.seed))
                .collect(),
        };
        for ((checkpoints, state), made) in checkpoints.iter_mut().zip(states).zip(made) {
            checkpoints.push(state.checkpoint(made));
        }
    }
    checkpoints
}

/// Number of earlier votes on the same pair, and the vote with its assessor.
type NumberedVote = (u32, AssessorVote);

/// Returns all votes of each list with their assessors. Returns `None` if the strategy does not use
/// a model, or if an assessor is unknown.
fn votes_of_all_lists(
    strategy: &dyn Strategy,
    lists: &[SimulatedListRun<'_>],
    runs: &[Vec<RunState>],
) -> Option<Vec<Vec<NumberedVote>>> {
    let each = lists.iter().zip(runs);
    each.map(|(list, states)| {
        strategy.grouping(list.oracle.items())?;
        numbered_votes(&states.last()?.votes, list.oracle)
    })
    .collect()
}

/// Fits one model to the votes that all lists have in these states, and returns the resulting
/// lists.
fn fit_lists_jointly(
    strategy: &dyn Strategy,
    states: &[&RunState],
    numbered: &[Vec<NumberedVote>],
) -> Vec<GroupedList> {
    let votes = states.iter().zip(numbered).map(|(state, numbered)| {
        let there =
            |(before, vote): &&NumberedVote| *before < state.votes.get(vote.a, vote.b).len();
        let mut votes: Vec<AssessorVote> =
            numbered.iter().filter(there).map(|vote| vote.1).collect();
        // Sort the votes as a campaign does, because the order of summation affects rounding.
        votes.sort_unstable();
        ListAssessorVotes {
            items: state.votes.items(),
            votes,
        }
    });
    let votes: Vec<ListAssessorVotes> = votes.collect();
    let everybody = votes.iter().flat_map(|list| &list.votes);
    let people = everybody.map(|vote| vote.person + 1).max().unwrap_or(0);
    let fits = fit_pooled_votes(&votes, people).fits;
    let list = |(state, fit): (&&RunState, &DavidsonFit)| {
        let grouping = strategy.grouping(state.votes.items());
        let grouping = grouping.expect("the strategy builds lists by a model");
        grouping.list(fit, &state.votes)
    };
    states.iter().zip(&fits).map(list).collect()
}

/// Votes on a list and number of rounds during a run of a strategy.
#[derive(Clone)]
struct RunState {
    votes: ListVotes,
    rounds: usize,
}

impl RunState {
    /// Describes this state together with the list that was built from its votes.
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

/// Runs a strategy on one list until it requests no more pairs or no answers are left. Returns the
/// votes at each number of votes in `marks` that is reached, and at the end.
fn run_to_end(
    strategy: &dyn Strategy,
    oracle: &dyn Oracle,
    seed: u64,
    marks: &[usize],
) -> Vec<RunState> {
    let state = |votes: &ListVotes, rounds| RunState {
        votes: votes.clone(),
        rounds,
    };
    let mut states = Vec::new();
    let (votes, rounds) = collect_votes(strategy, oracle, seed, |votes, round| {
        if marks.contains(&votes.len()) {
            states.push(state(votes, round));
        }
    });
    states.push(state(&votes, rounds));
    states
}

/// Returns all votes on a list with their assessors, or `None` if an assessor is unknown.
fn numbered_votes(votes: &ListVotes, oracle: &dyn Oracle) -> Option<Vec<NumberedVote>> {
    let given = votes.pairs().flat_map(|(a, b, votes)| {
        (0..votes.len()).map(move |before| {
            let vote = AssessorVote {
                a,
                b,
                person: oracle.assessor(a, b, before)?,
                answer: oracle.answer(a, b, before)?,
            };
            Some((before, vote))
        })
    });
    given.collect()
}

/// Collects the votes that a strategy requests until it requests no more pairs or no answers are
/// left. Calls `after` after each vote, with the votes so far and the number of the round. Returns
/// all votes and the number of rounds.
pub fn collect_votes(
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

//! Curtailment: stops when no possible remaining votes can change the decision on a pair. The
//! resulting lists are identical to those with all votes.

use super::completions;
use crate::votes::Votes;
use crate::votes::relation::Relation;

/// Returns the decision on a pair if all completions of `votes` to `wanted` votes lead to it.
pub(super) fn decide(
    votes: Votes,
    wanted: u32,
    mut rule: impl FnMut(Votes) -> Relation,
) -> Option<Relation> {
    let mut outcomes = completions(votes, wanted).map(|(_, all)| rule(all));
    let first = outcomes.next()?;
    outcomes.all(|outcome| outcome == first).then_some(first)
}

//! Curtailment: no completion can change the outcome, so the lists are identical.

use super::completions;
use crate::votes::Votes;
use crate::votes::relation::Relation;

pub(super) fn decide(
    votes: Votes,
    wanted: u32,
    mut rule: impl FnMut(Votes) -> Relation,
) -> Option<Relation> {
    let mut outcomes = completions(votes, wanted).map(|(_, all)| rule(all));
    let first = outcomes.next()?;
    outcomes.all(|outcome| outcome == first).then_some(first)
}

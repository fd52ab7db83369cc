//! All votes, as in the paper.

use crate::relation::Relation;
use crate::votes::Votes;

pub(super) fn decide(
    votes: Votes,
    wanted: u32,
    rule: impl FnOnce(Votes) -> Relation,
) -> Option<Relation> {
    (votes.len() >= wanted).then(|| rule(votes))
}

//! All votes, as in the paper.

use crate::decision::Rule;
use crate::relation::Relation;
use crate::votes::Votes;

pub(super) fn decide(votes: Votes, wanted: u32, rule: Rule) -> Option<Relation> {
    (votes.len() >= wanted).then(|| rule.decide(votes))
}

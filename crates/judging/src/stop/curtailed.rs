//! Curtailment: no completion can change the outcome, so the lists are identical.

use super::completions;
use crate::decision::Rule;
use crate::relation::Relation;
use crate::votes::Votes;

pub(super) fn decide(votes: Votes, wanted: u32, rule: Rule) -> Option<Relation> {
    let mut outcomes = completions(votes, wanted).map(|(_, all)| rule.decide(all));
    let first = outcomes.next()?;
    outcomes.all(|outcome| outcome == first).then_some(first)
}

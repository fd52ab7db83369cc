//! Blocked pairs: pairs that lack votes and that no known assessor can still answer.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::Serialize;

use crate::campaign::Campaign;
use crate::campaign::engine::pair::QueryPair;

/// Pairs that lack votes and that no known assessor can still answer.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct BlockedPairs {
    /// Blocked pairs, in the order of lists and candidates.
    pub pairs: Vec<QueryPair>,
    /// Queries of the blocked pairs.
    pub queries: Vec<String>,
    /// Number of known assessors: those who have answered and are not excluded.
    pub people: usize,
    /// Largest number of votes per pair with which no blocked pair would need further votes, but at
    /// least 1. The organiser can lower the campaign's number of votes to it.
    pub votes: u32,
    /// True if no other pair can be asked: the campaign needs new assessors or fewer votes per pair
    /// to continue.
    #[serde(rename = "nothing_else")]
    pub blocks_campaign: bool,
}

impl Campaign {
    /// Returns the blocked pairs: pairs that lack votes and that no known assessor can still
    /// answer, because each of them has answered the pair, reported its query or one of its items
    /// as defective, or is excluded or stopped by reports. Returns `None` if there are none.
    ///
    /// Nothing is blocked while some of the invited assessors have not answered yet. If the number
    /// of invited assessors is unknown, more may come, and nothing is blocked while a known
    /// assessor has a question left.
    pub fn blocked_pairs(&self) -> Option<BlockedPairs> {
        let people: Vec<&str> = (self.assessors().items())
            .map(|person| self.assessors().name(person))
            .filter(|person| !self.is_excluded(person) && !self.is_stopped_by_reports(person))
            .collect();
        if people.is_empty() || self.is_closed() {
            return None;
        }
        let invited = self.spec().judging.invited_assessors.unwrap_or(0) as usize;
        let to_come = invited.saturating_sub(self.assessors().len());
        let (mut pairs, mut queries) = (Vec::new(), BTreeSet::new());
        let (mut votes, mut others) = (u32::MAX, false);
        for list in 0..self.list_count() {
            let query = self.query_name(list);
            for needed in self.needed_pairs(list) {
                let pair = QueryPair {
                    query: query.to_owned(),
                    a: needed.a,
                    b: needed.b,
                };
                let able = people.iter().any(|person| self.can_answer(&pair, person));
                if to_come > 0 || able {
                    others = true;
                    continue;
                }
                votes = votes.min(self.votes_on(&pair));
                queries.insert(query.to_owned());
                pairs.push(pair);
            }
        }
        let may_come = self.spec().judging.invited_assessors.is_none() && others;
        (!pairs.is_empty() && !may_come).then(|| BlockedPairs {
            pairs,
            queries: queries.into_iter().collect(),
            people: people.len(),
            votes: votes.max(1),
            blocks_campaign: !others,
        })
    }

    /// Returns true if the assessor has neither answered the pair nor reported its query or one of
    /// its items as defective.
    fn can_answer(&self, pair: &QueryPair, person: &str) -> bool {
        let reported = |item| self.has_reported(&pair.query, item, person);
        !self.has_answered(pair, person)
            && !reported(None)
            && !reported(Some(&pair.a))
            && !reported(Some(&pair.b))
    }
}

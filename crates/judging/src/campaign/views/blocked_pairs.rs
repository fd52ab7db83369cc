//! Pairs that the people there are cannot decide.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::Serialize;

use crate::campaign::Campaign;
use crate::campaign::actions::exclusion::QueryPair;

/// Pairs that lack votes, and on which everybody there is has voted or cannot.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct BlockedPairs {
    /// The pairs, by the order of lists and candidates.
    pub pairs: Vec<QueryPair>,
    /// Their queries.
    pub queries: Vec<String>,
    /// How many people have answered and are not excluded.
    pub people: usize,
    /// The number of votes per pair with which all these pairs would be decided.
    pub votes: u32,
    /// Whether there is no other pair that anybody could be asked about: without new people or fewer votes
    /// nothing goes on.
    #[serde(rename = "nothing_else")]
    pub blocks_campaign: bool,
}

impl Campaign {
    /// The pairs that lack votes and that everybody who ever answered has answered, is excluded, or could
    /// not judge; nothing if there are none. If it is known how many people are invited, those who have not
    /// come yet can answer too. If it is not, more may come as long as there is anything to do for those
    /// who are there, and nothing is stuck before there is not.
    pub fn blocked_pairs(&self) -> Option<BlockedPairs> {
        let people: Vec<&str> = (self.assessors().items())
            .map(|person| self.assessors().name(person))
            .filter(|person| !self.is_excluded(person))
            .collect();
        if people.is_empty() || self.is_closed() {
            return None;
        }
        let known = self.assessors().len();
        let to_come = self
            .spec()
            .invited_assessors
            .map_or(0, |invited| invited as usize);
        let to_come = to_come.saturating_sub(known);
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
        let may_come = self.spec().invited_assessors.is_none() && others;
        (!pairs.is_empty() && !may_come).then(|| BlockedPairs {
            pairs,
            queries: queries.into_iter().collect(),
            people: people.len(),
            votes: votes.max(1),
            blocks_campaign: !others,
        })
    }

    /// Whether a person has neither answered about a pair nor found a part of it not to be judged.
    fn can_answer(&self, pair: &QueryPair, person: &str) -> bool {
        let reported = |item| self.has_reported(&pair.query, item, person);
        !self.has_answered(pair, person)
            && !reported(None)
            && !reported(Some(&pair.a))
            && !reported(Some(&pair.b))
    }
}

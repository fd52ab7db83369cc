//! How far a campaign has come.

use std::collections::BTreeMap;

use partita_core::work::{Work, WorkError};
use schemars::JsonSchema;
use serde::Serialize;

use super::blocked_pairs::BlockedPairs;
use super::held_out::HeldOutAgreement;
use super::snapshot::PairProgress;
use crate::campaign::Campaign;
use crate::campaign::engine::answer_status::AnswerStatus;
use crate::campaign::kinds::ranking::JudgmentCounts;

/// How far a list has come.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ListStatus {
    /// The query.
    pub query: String,
    /// The number of candidates.
    pub items: usize,
    /// The number of groups of the list as it is now.
    pub groups: usize,
    /// The list as it is now.
    pub list: Vec<Vec<String>>,
    /// Whether the strategy wants to know nothing more.
    pub settled: bool,
    /// Whether the organiser closed it.
    pub closed: bool,
    /// The pairs that were asked.
    pub pairs: usize,
    /// The pairs that have their votes.
    pub decided: usize,
    /// The pairs that need votes.
    pub open: usize,
    /// The votes that are needed and have not been asked for yet.
    pub unasked_votes: u32,
    /// The answers that were asked for.
    pub asked: u64,
    /// The answers to those questions that came back, whatever became of them.
    pub returned: u64,
    /// The votes, held-out and adopted ones included.
    pub votes: u64,
    /// The votes with those that are needed now.
    pub wanted: u64,
    /// About how many votes are still to come until the list is settled.
    pub expected_votes: f64,
    /// The share of pairs that as many new votes as are wanted are expected to decide as they stand in the
    /// list ([`CampaignStatus::add_odds`]).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected_right: Option<f64>,
    /// How well the list predicts held-out votes.
    pub held_out: HeldOutAgreement,
    /// The rankings and grades of it.
    pub judged: JudgmentCounts,
}

/// How far a campaign has come, and what is left.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct CampaignStatus {
    /// What it is called.
    pub campaign: String,
    /// The seed of all that is drawn.
    pub seed: u64,
    /// The number of votes on a pair, or the most of them.
    pub votes_per_pair: u32,
    /// The decision rule.
    pub decide: String,
    /// Its level, if it is a test.
    pub alpha: Option<f64>,
    /// The strategy.
    pub strategy: String,
    /// The number of batches that were given out; those that asked nobody do not count.
    pub batches: u32,
    /// Whether all lists are settled.
    pub settled: bool,
    /// Whether nothing is asked for the time being.
    pub paused: bool,
    /// Whether the organiser closed the whole campaign.
    pub closed: bool,
    /// Pairs that the people there are cannot decide.
    #[serde(rename = "stuck")]
    pub blocked: Option<BlockedPairs>,
    /// How many answers became what.
    pub answers: BTreeMap<AnswerStatus, usize>,
    /// The number of people who answered.
    pub assessors: usize,
    /// The people who are left out.
    pub excluded: Vec<String>,
    /// What the answers that came back cost.
    pub cost: f64,
    /// About how many votes are still to come.
    pub expected_votes: f64,
    /// What those will cost.
    pub expected_cost: f64,
    /// How many times the rest of each list was rehearsed.
    pub rehearsals: usize,
    /// How well the lists predict held-out votes.
    pub held_out: HeldOutAgreement,
    /// The lists.
    pub lists: Vec<ListStatus>,
}

impl Campaign {
    /// How many times [`Campaign::status`] rehearses the rest of each list if nobody says it: fewer
    /// for many lists.
    pub fn default_forecast_runs(&self) -> usize {
        (4_000 / self.list_count()).clamp(4, 20)
    }

    /// How far the campaign has come. What is still to come is an estimate, by at most so many
    /// [rehearsals](Campaign::expected_votes) of each list.
    pub fn status(&self, rehearsals: usize, work: &dyn Work) -> Result<CampaignStatus, WorkError> {
        let rehearsal = self.vote_forecast();
        let lists = work.map("rehearsing lists", self.list_count(), |list| {
            self.list_status(list, rehearsal.expected_votes(list, rehearsals))
        })?;
        let settings = self.spec();
        let price = |answers: usize| {
            settings
                .price
                .rounded_cost(answers, settings.votes as usize)
        };
        let returned: u64 = lists.iter().map(|list| list.returned).sum();
        let expected_votes: f64 = lists.iter().map(|list| list.expected_votes).sum();
        let people = self.assessor_summaries();
        let excluded = people.iter().filter(|person| person.excluded);
        Ok(CampaignStatus {
            campaign: settings.name.clone(),
            seed: settings.seed,
            votes_per_pair: settings.votes,
            decide: settings.rule.to_string(),
            alpha: settings.alpha(),
            strategy: settings.strategy.to_string(),
            batches: self.issued_batches,
            settled: lists.iter().all(|list| list.settled),
            paused: self.is_paused(),
            closed: self.is_closed(),
            blocked: self.blocked_pairs(),
            answers: self.answer_status_counts(),
            assessors: self.assessors().len(),
            excluded: excluded.map(|person| person.assessor.clone()).collect(),
            cost: price(returned as usize),
            expected_votes,
            expected_cost: price(expected_votes.round() as usize),
            rehearsals,
            held_out: self.held_out_agreement(),
            lists,
        })
    }

    fn list_status(&self, list: usize, expected_votes: f64) -> ListStatus {
        let state = self.list_snapshot(list);
        let (asked, returned) = self.requested_and_returned(list);
        let decided = (state.pairs.iter()).filter(|pair| pair.state == PairProgress::Decided);
        let votes = self.vote_count(list);
        let needed = self.needed_pairs(list);
        let missing: u32 = needed.iter().map(|pair| pair.votes).sum();
        ListStatus {
            items: state.items,
            groups: state.groups.len(),
            settled: state.settled,
            closed: state.closed,
            pairs: state.pairs.len(),
            decided: decided.count(),
            open: needed.len(),
            unasked_votes: needed.iter().map(|pair| pair.unasked).sum(),
            asked,
            returned,
            votes,
            wanted: votes + u64::from(missing),
            expected_votes,
            expected_right: None,
            held_out: self.list_held_out_agreement(list),
            judged: self.judgment_counts(list),
            list: state.groups,
            query: state.query,
        }
    }
}

//! Status report of a campaign: progress and expected remaining work.

use std::collections::{BTreeMap, HashSet};

use partita_core::work::{Work, WorkError};
use schemars::JsonSchema;
use serde::Serialize;

use super::blocked_pairs::BlockedPairs;
use super::held_out::HeldOutAgreement;
use crate::analysis::price::Currency;
use crate::campaign::Campaign;
use crate::campaign::engine::answer_status::AnswerStatus;
use crate::campaign::engine::schedule::NeededPair;
use crate::campaign::kinds::latest_answers::JudgmentCounts;

/// Progress of the list of one query.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ListStatus {
    /// Query name.
    pub query: String,
    /// Number of candidate items.
    pub items: usize,
    /// Number of groups in the current list.
    pub groups: usize,
    /// Current list as groups of item names, the group closest to the query first.
    pub list: Vec<Vec<String>>,
    /// True if the strategy needs no more votes on the list.
    pub settled: bool,
    /// True if the organiser closed the list.
    pub closed: bool,
    /// Number of pairs on which votes were requested or are needed.
    pub pairs: usize,
    /// Number of these pairs that need no further votes: `pairs` minus `open`.
    pub decided: usize,
    /// Number of pairs that need further votes.
    pub open: usize,
    /// Number of needed votes that have not been requested.
    pub unasked_votes: u32,
    /// Number of answers that were requested.
    pub asked: u64,
    /// Number of requested answers that arrived, whatever their status.
    pub returned: u64,
    /// Number of votes, held-out and imported votes included.
    pub votes: u64,
    /// Number of votes that the list has plus the number that it needs now. The strategy may need
    /// others after these; `expected_votes` counts them too.
    pub wanted: u64,
    /// Expected number of further votes until the list needs no more; 0 if it needs none now.
    pub expected_votes: f64,
    /// Expected share of the list's pairs that new votes would decide as the list orders them; set
    /// by [`CampaignStatus::add_predictions`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected_right: Option<f64>,
    /// Agreement of the list with its held-out votes, which the strategy does not see.
    pub held_out: HeldOutAgreement,
    /// Numbers of rankings and grades that count and that the campaign wants.
    pub judged: JudgmentCounts,
}

/// Progress of a campaign and the expected remaining work.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct CampaignStatus {
    /// Name of the campaign.
    pub campaign: String,
    /// Seed of all random draws.
    pub seed: u64,
    /// Number of votes per pair, or the maximum number if the strategy can decide a pair with
    /// fewer.
    pub votes_per_pair: u32,
    /// Name of the rule that decides a pair from its votes.
    pub decide: String,
    /// Significance level of the decision rule, if it is a test.
    pub alpha: Option<f64>,
    /// Name of the strategy that chooses the pairs and builds the lists.
    pub strategy: String,
    /// Number of batches of pair requests that ask for at least one new answer.
    pub batches: u32,
    /// True if no list needs further votes, held-out votes included. Nothing is left then.
    pub settled: bool,
    /// True while the campaign is paused.
    pub paused: bool,
    /// True if the organiser closed the whole campaign.
    pub closed: bool,
    /// Pairs that lack votes and that no known assessor can still answer, if there are any.
    #[serde(rename = "stuck")]
    pub blocked: Option<BlockedPairs>,
    /// Number of preference answers per status.
    pub answers: BTreeMap<AnswerStatus, usize>,
    /// Number of assessors who answered.
    pub assessors: usize,
    /// Excluded assessors.
    pub excluded: Vec<String>,
    /// Cost of the requested answers that arrived; absent if the campaign has no price.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
    /// Number of votes on all lists, held-out and imported votes included.
    pub votes: u64,
    /// Expected number of further votes until no list needs more.
    pub expected_votes: f64,
    /// Expected cost of the remaining votes; absent if the campaign has no price.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected_cost: Option<f64>,
    /// Currency of the costs, if the campaign's price names it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub currency: Option<Currency>,
    /// Maximum number of simulations per list from which `expected_votes` is estimated.
    pub rehearsals: usize,
    /// Agreement of the lists with the held-out votes, which the strategy does not see.
    pub held_out: HeldOutAgreement,
    /// Progress of each list.
    pub lists: Vec<ListStatus>,
}

impl CampaignStatus {
    /// Returns the expected time in seconds until nothing is left at this number of votes per hour:
    /// 0 if nothing is left, `None` if the rate is unknown or rankings or grades are missing, whose
    /// number does not depend on the rate of votes.
    pub fn seconds_left(&self, votes_per_hour: Option<f64>) -> Option<f64> {
        let is_missing = |counts: &JudgmentCounts| {
            (counts.rankings_wanted).is_none_or(|wanted| counts.rankings < wanted)
                || counts.grades < counts.grades_wanted
        };
        if !self.closed && self.lists.iter().any(|list| is_missing(&list.judged)) {
            return None;
        }
        if self.expected_votes == 0.0 {
            return Some(0.0);
        }
        let rate = votes_per_hour.filter(|rate| *rate > 0.0)?;
        Some(self.expected_votes / rate * 3600.0)
    }
}

impl Campaign {
    /// Returns the default number of simulations per list for [`Campaign::status`]. Campaigns with
    /// many lists get fewer.
    pub fn default_forecast_runs(&self) -> usize {
        (4_000 / self.list_count()).clamp(4, 20)
    }

    /// Reports the progress of the campaign. The number of remaining votes is estimated by at most
    /// `max_runs` [simulations](Campaign::expected_votes) per list.
    pub fn status(&self, max_runs: usize, work: &dyn Work) -> Result<CampaignStatus, WorkError> {
        let forecast = self.vote_forecast();
        let lists = work.map("rehearsing lists", self.list_count(), |list| {
            self.list_status(list, forecast.expected_votes(list, max_runs))
        })?;
        let spec = self.spec();
        let price = spec.settings.price;
        let cost = |answers: usize| {
            let votes = spec.settings.votes as usize;
            price.map(|price| price.rounded_cost(answers, votes))
        };
        let returned: u64 = lists.iter().map(|list| list.returned).sum();
        let expected_votes: f64 = lists.iter().map(|list| list.expected_votes).sum();
        let people = self.assessor_summaries();
        let excluded = people.iter().filter(|person| person.excluded);
        Ok(CampaignStatus {
            campaign: spec.name.clone(),
            seed: spec.settings.seed,
            votes_per_pair: spec.settings.votes,
            decide: spec.settings.decide.to_string(),
            alpha: spec.alpha(),
            strategy: spec.settings.strategy.to_string(),
            batches: self.issued_batches,
            settled: lists.iter().all(|list| list.settled && list.open == 0),
            paused: self.is_paused(),
            closed: self.is_closed(),
            blocked: self.blocked_pairs(),
            answers: self.answer_status_counts(),
            assessors: self.assessors().len(),
            excluded: excluded.map(|person| person.assessor.clone()).collect(),
            cost: cost(returned as usize),
            votes: lists.iter().map(|list| list.votes).sum(),
            expected_votes,
            expected_cost: cost(expected_votes.round() as usize),
            currency: price.and_then(|price| price.currency),
            rehearsals: max_runs,
            held_out: self.held_out_agreement(),
            lists,
        })
    }

    /// Reports the progress of one list.
    fn list_status(&self, list: usize, expected_votes: f64) -> ListStatus {
        let state = self.list_snapshot(list);
        let (asked, returned) = self.requested_and_returned(list);
        let votes = self.vote_count(list);
        let needed = self.needed_pairs(list);
        let missing: u32 = needed.iter().map(|pair| pair.votes).sum();
        let requested: HashSet<[&str; 2]> = (state.pairs.iter())
            .flat_map(|pair| [[&*pair.a, &*pair.b], [&*pair.b, &*pair.a]])
            .collect();
        let is_new = |pair: &&NeededPair| !requested.contains(&[&*pair.a, &*pair.b]);
        let pairs = state.pairs.len() + needed.iter().filter(is_new).count();
        // The forecast starts with the votes that are needed now. Nothing comes without them.
        let is_over = needed.is_empty() || self.is_closed();
        let expected_votes = if is_over {
            0.0
        } else {
            expected_votes.max(f64::from(missing))
        };
        ListStatus {
            items: state.items,
            groups: state.groups.len(),
            settled: state.settled,
            closed: state.closed,
            pairs,
            decided: pairs - needed.len(),
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

//! Effect of an organiser's action on votes, open pairs and lists.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::Serialize;

use crate::campaign::Campaign;
use crate::campaign::engine::pair::QueryPair;
use crate::campaign::log::Stamp;
use crate::campaign::log::event::Event;
use crate::campaign::log::store::CampaignStore;
use crate::campaign::session::{CampaignSession, RecordError};

/// Difference between a campaign before and after an organiser's action.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ActionEffect {
    /// Number of answers that counted as votes before the action.
    pub votes_before: usize,
    /// Number of answers that count as votes after the action.
    pub votes: usize,
    /// Pairs that need votes after the action but did not before it.
    pub opened: Vec<QueryPair>,
    /// Pairs that needed votes before the action but not after it.
    pub done: Vec<QueryPair>,
    /// Queries whose current list, as groups of items, was changed or added by the action.
    pub changed_lists: Vec<String>,
    /// Number of pairs that need votes after the action.
    pub open: usize,
    /// True if the campaign is paused after the action.
    pub paused: bool,
    /// True if the whole campaign is closed after the action.
    pub closed: bool,
}

impl<S: CampaignStore> CampaignSession<S> {
    /// Records the events of an organiser's action, such as a pause or an exclusion, and returns
    /// how they change the campaign.
    pub fn perform(
        &mut self,
        stamp: &Stamp,
        events: Vec<Event>,
    ) -> Result<ActionEffect, RecordError<S::Error>> {
        let before = EffectBaseline::from_campaign(self.campaign());
        self.record(stamp, events)?;
        Ok(before.effect(self.campaign()))
    }
}

/// Open pairs, number of votes and lists of a campaign before an action. An [`ActionEffect`] is
/// their difference from the state after it.
pub(crate) struct EffectBaseline {
    open: BTreeSet<QueryPair>,
    votes: usize,
    lists: Vec<Vec<Vec<String>>>,
}

impl EffectBaseline {
    pub(crate) fn from_campaign(campaign: &Campaign) -> Self {
        let mut open = BTreeSet::new();
        let mut lists = Vec::with_capacity(campaign.list_count());
        for list in 0..campaign.list_count() {
            for pair in campaign.needed_pairs(list) {
                open.insert(QueryPair {
                    query: campaign.query_name(list).to_owned(),
                    a: pair.a,
                    b: pair.b,
                });
            }
            lists.push(campaign.named_groups(list));
        }
        let votes = campaign
            .answer_statuses()
            .into_iter()
            .filter(|flag| flag.is_vote());
        Self {
            open,
            votes: votes.count(),
            lists,
        }
    }

    /// Returns the difference between this baseline and a later state of the same campaign.
    pub(crate) fn effect(&self, campaign: &Campaign) -> ActionEffect {
        let after = Self::from_campaign(campaign);
        // A list that the action added counts as changed.
        let changed = (after.lists.iter().enumerate())
            .filter(|(list, groups)| self.lists.get(*list) != Some(groups))
            .map(|(list, _)| campaign.query_name(list).to_owned());
        ActionEffect {
            votes_before: self.votes,
            votes: after.votes,
            opened: after.open.difference(&self.open).cloned().collect(),
            done: self.open.difference(&after.open).cloned().collect(),
            changed_lists: changed.collect(),
            open: after.open.len(),
            paused: campaign.is_paused(),
            closed: campaign.is_closed(),
        }
    }
}

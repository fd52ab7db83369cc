//! What an act of the organiser changes.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::Serialize;

use super::exclusion::QueryPair;
use crate::campaign::Campaign;
use crate::campaign::log::Stamp;
use crate::campaign::log::event::Event;
use crate::campaign::log::store::CampaignStore;
use crate::campaign::session::{CampaignSession, RecordError};

/// What became other by an act of the organiser.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ActionEffect {
    /// How many answers were votes before.
    pub votes_before: usize,
    /// How many are now.
    pub votes: usize,
    /// The pairs that need votes now and did not before.
    pub opened: Vec<QueryPair>,
    /// The pairs that needed votes before and do not now.
    pub done: Vec<QueryPair>,
    /// The queries whose lists are others now.
    pub changed_lists: Vec<String>,
    /// How many pairs need votes now.
    pub open: usize,
    /// Whether nothing is asked for the time being.
    pub paused: bool,
    /// Whether the whole campaign is over.
    pub closed: bool,
}

impl<S: CampaignStore> CampaignSession<S> {
    /// Lets events happen and says what they changed.
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

/// What an act can change.
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

    /// What is other in a campaign that has come further.
    pub(crate) fn effect(&self, campaign: &Campaign) -> ActionEffect {
        let after = Self::from_campaign(campaign);
        // A list that is new changed too.
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

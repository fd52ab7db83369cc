//! Effect of an organiser's action on votes, open pairs and lists.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::Serialize;

use crate::campaign::Campaign;
use crate::campaign::actions::action::Action;
use crate::campaign::engine::pair::QueryPair;

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

/// Effect of excluding and readmitting assessors.
///
/// The answers of an excluded assessor stay in the log but do not count as votes. Pairs that lack
/// votes as a result are open again. Readmission restores all votes of an assessor.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ExclusionEffect {
    /// Assessors to exclude by the request, including those who were already excluded.
    pub excluded: Vec<String>,
    /// Assessors to readmit by the request, including those who were not excluded.
    pub readmitted: Vec<String>,
    /// Number of answers that counted as votes before the request was carried out.
    pub votes_before: usize,
    /// Number of answers that count as votes after the request was carried out.
    pub votes: usize,
    /// Pairs that lack votes because of the request.
    pub reopened: Vec<QueryPair>,
    /// Queries whose current list, as groups of items, changed because of the request.
    pub changed_lists: Vec<String>,
}

impl ExclusionEffect {
    /// Describes the effect of an action that excludes or readmits assessors.
    pub fn new(action: Action, effect: ActionEffect) -> Self {
        let (excluded, readmitted) = match action {
            Action::Exclude { assessors, .. } => (assessors, Vec::new()),
            Action::Readmit { assessors } => (Vec::new(), assessors),
            _ => (Vec::new(), Vec::new()),
        };
        Self {
            excluded,
            readmitted,
            votes_before: effect.votes_before,
            votes: effect.votes,
            reopened: effect.opened,
            changed_lists: effect.changed_lists,
        }
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

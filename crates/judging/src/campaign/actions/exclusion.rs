//! Leaving people's votes out, taking them in again, and what that changes.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use crate::campaign::Campaign;
use crate::campaign::engine::answer_status::InputError;
use crate::campaign::log::Stamp;
use crate::campaign::log::event::Event;
use crate::campaign::log::store::CampaignStore;
use crate::campaign::session::{CampaignSession, RecordError};

/// A pair by the names of all that it is about.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, JsonSchema)]
pub struct QueryPair {
    /// The query.
    pub query: String,
    /// One item.
    pub a: String,
    /// The other.
    pub b: String,
}

/// Whose votes are to be left out, and whose are to be taken in again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExclusionRequest {
    /// The people to leave out.
    pub exclude: Vec<String>,
    /// The people to take in again.
    pub readmit: Vec<String>,
    /// Why people are left out.
    pub reason: Option<String>,
}

/// What an exclusion would do.
#[derive(Clone, Debug, PartialEq)]
pub struct ExclusionPlan {
    /// What is to be recorded.
    pub events: Vec<Event>,
    /// The people for whom nothing changes, and whether they are excluded.
    pub unchanged: Vec<(String, bool)>,
}

/// What became other by an exclusion.
///
/// The answers of an excluded person stay in the log and are no votes. Exactly the pairs that need
/// more votes for that are open again. Whoever is taken in again has all votes back.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ExclusionEffect {
    /// The people who were to be left out.
    pub excluded: Vec<String>,
    /// The people who were to be taken in again.
    pub readmitted: Vec<String>,
    /// How many answers were votes before.
    pub votes_before: usize,
    /// How many are now.
    pub votes: usize,
    /// The pairs that need votes now and did not before.
    pub reopened: Vec<QueryPair>,
    /// The queries whose lists are others now.
    pub changed_lists: Vec<String>,
}

/// Why nobody was excluded or taken in.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ExclusionError<E> {
    /// There is nobody of that name.
    #[error(transparent)]
    Refused(#[from] InputError),
    /// It could not be written down.
    #[error(transparent)]
    NotRecorded(#[from] RecordError<E>),
}

impl Campaign {
    /// What leaving people out and taking others in would do.
    ///
    /// # Errors
    /// Somebody who has never answered.
    pub fn plan_exclusion(&self, request: &ExclusionRequest) -> Result<ExclusionPlan, InputError> {
        let mut plan = ExclusionPlan {
            events: Vec::new(),
            unchanged: Vec::new(),
        };
        let mut now: BTreeMap<String, bool> = BTreeMap::new();
        for (names, exclude) in [(&request.exclude, true), (&request.readmit, false)] {
            for name in names {
                if self.person(name).is_none() {
                    return Err(InputError::UnknownAssessor(name.clone()));
                }
                let excluded = now.entry(self.canonical_name(name));
                let excluded = excluded.or_insert_with(|| self.is_excluded(name));
                if *excluded == exclude {
                    plan.unchanged.push((name.clone(), exclude));
                    continue;
                }
                *excluded = exclude;
                let assessor = name.clone();
                plan.events.push(if exclude {
                    Event::Excluded {
                        assessor,
                        reason: request.reason.clone(),
                    }
                } else {
                    Event::Readmitted { assessor }
                });
            }
        }
        Ok(plan)
    }
}

impl<S: CampaignStore> CampaignSession<S> {
    /// Leaves people out and takes others in, and says what that changed.
    pub fn exclude(
        &mut self,
        stamp: &Stamp,
        request: &ExclusionRequest,
    ) -> Result<(ExclusionPlan, ExclusionEffect), ExclusionError<S::Error>> {
        let plan = self.campaign().plan_exclusion(request)?;
        let changed = self.perform(stamp, plan.events.clone())?;
        let effect = ExclusionEffect {
            excluded: request.exclude.clone(),
            readmitted: request.readmit.clone(),
            votes_before: changed.votes_before,
            votes: changed.votes,
            reopened: changed.opened,
            changed_lists: changed.changed_lists,
        };
        Ok((plan, effect))
    }
}

//! Exclusion and readmission of assessors.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use crate::campaign::Campaign;
use crate::campaign::engine::pair::QueryPair;
use crate::campaign::input_error::InputError;
use crate::campaign::log::Stamp;
use crate::campaign::log::event::Event;
use crate::campaign::log::store::CampaignStore;
use crate::campaign::session::{CampaignSession, RecordError};

/// Request to exclude some assessors and to readmit others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExclusionRequest {
    /// Assessors whose votes stop counting.
    pub exclude: Vec<String>,
    /// Assessors whose votes count again.
    pub readmit: Vec<String>,
    /// Reason for the exclusions, as recorded in the log.
    pub reason: Option<String>,
}

/// Planned events for an [`ExclusionRequest`], and the assessors it does not change. Nothing is
/// recorded yet.
#[derive(Clone, Debug, PartialEq)]
pub struct ExclusionPlan {
    /// Events to record: one per assessor who is excluded or readmitted.
    pub events: Vec<Event>,
    /// Assessors who are already in the requested state. The flag is true if they are excluded and
    /// false if they are not.
    pub unchanged: Vec<(String, bool)>,
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

/// Reason why an exclusion failed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ExclusionError<E> {
    /// The request names an assessor who has never answered.
    #[error(transparent)]
    Refused(#[from] InputError),
    /// The exclusions and readmissions could not be written to the log.
    #[error(transparent)]
    NotRecorded(#[from] RecordError<E>),
}

impl Campaign {
    /// Plans the events for an exclusion request without recording them.
    ///
    /// # Errors
    /// Returns [`InputError`] for an assessor who has never answered.
    pub fn plan_exclusion(&self, request: &ExclusionRequest) -> Result<ExclusionPlan, InputError> {
        let mut plan = ExclusionPlan {
            events: Vec::new(),
            unchanged: Vec::new(),
        };
        let mut now: BTreeMap<String, bool> = BTreeMap::new();
        for (names, exclude) in [(&request.exclude, true), (&request.readmit, false)] {
            for name in names {
                if self.assessor_index(name).is_none() {
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
    /// Records the exclusions and readmissions of a request. Returns the recorded events and how
    /// they change votes, pairs and lists.
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

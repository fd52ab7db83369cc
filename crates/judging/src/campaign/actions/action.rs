//! Actions of the organiser while a campaign runs: what each one records, and its checks. The
//! command line and the server both perform them.

use std::collections::BTreeMap;

use crate::campaign::actions::effect::{ActionEffect, EffectBaseline};
use crate::campaign::input_error::InputError;
use crate::campaign::log::Stamp;
use crate::campaign::log::event::{CampaignExtension, Event};
use crate::campaign::log::store::CampaignStore;
use crate::campaign::session::{CampaignSession, RecordError};
use crate::campaign::{Campaign, CampaignError};

/// Action of the organiser on a running campaign.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Ask no questions until the campaign is resumed.
    Pause,
    /// Ask questions again.
    Resume,
    /// Ask nothing more and leave the lists as they are. This cannot be undone.
    Close {
        /// Queries whose lists are closed; the whole campaign if there are none.
        queries: Vec<String>,
    },
    /// Change the number of votes, the budget or the share at which a list is settled, or add lists
    /// or candidates.
    Extend(CampaignExtension),
    /// Stop counting the votes of assessors. Their answers stay in the log.
    Exclude {
        /// Assessors to exclude.
        assessors: Vec<String>,
        /// Reason in the organiser's words.
        reason: Option<String>,
    },
    /// Count the votes of excluded assessors again, and give questions again to assessors whom
    /// their reports had stopped.
    Readmit {
        /// Assessors to readmit.
        assessors: Vec<String>,
    },
    /// Stop counting one answer. The assessor may answer again.
    Retract {
        /// Answer that no longer counts.
        answer: AnswerReference,
        /// Reason in the organiser's words.
        reason: Option<String>,
    },
}

/// Reference to an answer in the log: a preference, a ranking or a grade.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AnswerReference {
    /// Number of the event that recorded the answer.
    Event(u64),
    /// Id that the assessor's client gave the answer.
    Id {
        /// Assessor who gave the answer.
        assessor: String,
        /// Id of the answer.
        id: String,
    },
}

impl Action {
    /// Returns the assessors whose votes the action excludes or readmits.
    fn assessors(&self) -> &[String] {
        match self {
            Self::Exclude { assessors, .. } | Self::Readmit { assessors } => assessors,
            _ => &[],
        }
    }
}

impl Campaign {
    /// Returns the events that an action records; none if the action changes nothing, such as the
    /// pause of a paused campaign. Nothing is recorded.
    ///
    /// # Errors
    /// Returns [`CampaignError`] if a named query or answer does not exist. Whether the events fit
    /// the campaign is left to [`Campaign::check_all`].
    pub fn events_for(&self, action: &Action) -> Result<Vec<Event>, CampaignError> {
        let event =
            match action {
                // After the end, validation rejects both events.
                Action::Pause => (!self.is_paused() || self.is_closed()).then_some(Event::Paused),
                Action::Resume => (self.is_paused() || self.is_closed()).then_some(Event::Resumed),
                Action::Close { queries } if queries.is_empty() => {
                    (!self.is_closed()).then_some(Event::Closed { query: None })
                }
                Action::Close { queries } => {
                    let mut lists = self.list_indices(queries)?;
                    lists.retain(|list| !self.is_list_closed(*list));
                    let closed = lists.into_iter().map(|list| Event::Closed {
                        query: Some(self.query_name(list).to_owned()),
                    });
                    return Ok(closed.collect());
                }
                Action::Extend(extension) => {
                    (!self.has_extension(extension)).then(|| Event::Extended(extension.clone()))
                }
                Action::Exclude { assessors, reason } => {
                    return Ok(self.exclusion_events(assessors, true, |assessor| {
                        Event::Excluded {
                            assessor,
                            reason: reason.clone(),
                        }
                    }));
                }
                Action::Readmit { assessors } => {
                    return Ok(self.exclusion_events(assessors, false, |assessor| {
                        Event::Readmitted { assessor }
                    }));
                }
                Action::Retract { answer, reason } => Some(Event::Retracted {
                    answer: self.event_of_answer(answer)?,
                    reason: reason.clone(),
                }),
            };
        Ok(event.into_iter().collect())
    }

    /// Returns true if the campaign has the settings of an extension already, and the extension adds
    /// no list. An extension without any content is left to validation.
    fn has_extension(&self, extension: &CampaignExtension) -> bool {
        let (spec, empty) = (self.spec(), CampaignExtension::default());
        let rest = CampaignExtension {
            votes: extension
                .votes
                .filter(|votes| *votes != spec.settings.votes),
            budget: extension
                .budget
                .filter(|budget| Some(*budget) != spec.settings.budget),
            settled: extension
                .settled
                .filter(|settled| *settled != spec.settings.settled),
            lists: extension.lists.clone(),
        };
        rest == empty && *extension != empty
    }

    /// Returns an event for each assessor whose exclusion differs from the wanted one. A readmission
    /// also changes the state of those who were stopped by their reports. Names of one person give
    /// one event.
    fn exclusion_events(
        &self,
        assessors: &[String],
        excluded: bool,
        event: impl Fn(String) -> Event,
    ) -> Vec<Event> {
        let mut states: BTreeMap<String, bool> = BTreeMap::new();
        let changed = assessors.iter().filter(|name| {
            let state = states.entry(self.canonical_name(name));
            let state = state.or_insert_with(|| {
                self.is_excluded(name) || (!excluded && self.is_stopped_by_reports(name))
            });
            std::mem::replace(state, excluded) != excluded
        });
        changed.cloned().map(event).collect()
    }

    /// Returns the number of the event that recorded an answer.
    fn event_of_answer(&self, answer: &AnswerReference) -> Result<u64, InputError> {
        match answer {
            AnswerReference::Event(event) => Ok(*event),
            AnswerReference::Id { assessor, id } => {
                let event = self.event_with_id(assessor, id);
                event.ok_or_else(|| InputError::UnknownAnswerId {
                    assessor: assessor.clone(),
                    id: id.clone(),
                })
            }
        }
    }
}

impl<S: CampaignStore> CampaignSession<S> {
    /// Records the events of an action and returns them; none if the action changes nothing.
    ///
    /// # Errors
    /// Returns [`RecordError`] if the action does not fit the campaign, names an assessor whom
    /// neither the log nor the store knows, or the store fails. The campaign is unchanged in that
    /// case.
    pub fn perform(
        &mut self,
        stamp: &Stamp,
        action: &Action,
    ) -> Result<Vec<Event>, RecordError<S::Error>> {
        self.lock()?;
        for name in action.assessors() {
            let is_known = self.campaign().assessor_index(name).is_some()
                || self.is_registered(name).map_err(RecordError::Store)?;
            if !is_known {
                let unknown = InputError::UnknownAssessor(name.clone());
                return Err(CampaignError::from(unknown).into());
            }
        }
        let events = self.campaign().events_for(action)?;
        self.record(stamp, events.clone())?;
        Ok(events)
    }

    /// Performs an action as [`CampaignSession::perform`] does, and also returns how it changes
    /// votes, pairs and lists. This computes all lists twice.
    ///
    /// # Errors
    /// Returns the errors of [`CampaignSession::perform`].
    pub fn perform_with_effect(
        &mut self,
        stamp: &Stamp,
        action: &Action,
    ) -> Result<(Vec<Event>, ActionEffect), RecordError<S::Error>> {
        // Lists are computed before the log is locked, and again only if the campaign has changed.
        let mut before = EffectBaseline::from_campaign(self.campaign());
        if self.lock()? {
            before = EffectBaseline::from_campaign(self.campaign());
        }
        let events = self.perform(stamp, action)?;
        Ok((events, before.effect(self.campaign())))
    }
}

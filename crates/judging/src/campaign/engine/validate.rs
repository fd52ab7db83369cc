//! Validation of events against the current state of the campaign.

use std::collections::HashSet;

use partita_core::Item;
use partita_core::judgment::{Answer, AnswerRole};

use super::campaign::require_valid;
use super::pair::PairLocation;
use crate::campaign::input_error::InputError;
use crate::campaign::kinds::protocol;
use crate::campaign::log::event::{BatchPair, CampaignExtension, Event};
use crate::campaign::spec::CampaignSpec;
use crate::campaign::{Campaign, CampaignError};

impl Campaign {
    /// Checks that an event fits the events before it, without changing anything.
    /// [`Campaign::apply`] accepts exactly the events that pass.
    pub fn check(&self, event: &Event) -> Result<(), CampaignError> {
        EventValidator::new(self).check(event)
    }

    /// Checks a preference answer and returns the location of its pair: list index and items.
    pub(crate) fn check_answer(&self, answered: &Answer) -> Result<PairLocation, CampaignError> {
        let place = self.locate_answer(answered)?;
        let names = self.spec.settings.name_matching;
        let person = names.canonical_name(&answered.assessor);
        if self.assessors.get(&person).is_none() && self.assessors.len() >= Item::MAX_COUNT {
            return Err(InputError::TooManyNames.into());
        }
        Ok(place)
    }

    /// Checks that the judgment answers the question, and that the question is one of the campaign.
    pub(crate) fn check_judgment(
        &self,
        answer: &Answer,
        role: AnswerRole,
    ) -> Result<(), InputError> {
        let list = &self.lists[self.find_list(&answer.question.query)?];
        protocol(answer.question.kind).check(list, answer, role)?;
        check_common_fields(&answer.assessor, answer.seconds, answer.time)
    }

    /// Checks a batch of pair requests and returns the locations of its pairs.
    pub(crate) fn check_batch(
        &self,
        batch: u32,
        pairs: &[BatchPair],
    ) -> Result<Vec<PairLocation>, CampaignError> {
        EventValidator::new(self).locate_batch_pairs(batch, pairs)
    }

    /// Checks that these events can be applied one after the other. An error carries the index
    /// (from 0) of the first invalid event. An event about a list that an earlier event of the same
    /// slice adds is rejected: record the earlier event first.
    pub fn check_all(&self, events: &[Event]) -> Result<(), (usize, CampaignError)> {
        let mut ahead = EventValidator::new(self);
        for (number, event) in events.iter().enumerate() {
            ahead.check(event).map_err(|error| (number, error))?;
        }
        Ok(())
    }
}

/// Validator of successive events: the campaign before them, and the changes that the events
/// validated so far will make.
struct EventValidator<'c> {
    campaign: &'c Campaign,
    /// Number of the last batch of pair requests, in the campaign or among the validated events.
    last_batch: u32,
    /// Canonical names of the assessors in the validated events who have not answered in the
    /// campaign.
    new_assessors: HashSet<String>,
    /// True if the campaign is closed before or by the validated events.
    closed: bool,
    /// Indices of the lists that the validated events close.
    closed_lists: HashSet<usize>,
    /// Event numbers of the answers, rankings and grades that the validated events retract.
    retracted: HashSet<u64>,
    /// Number of events in the campaign plus the number of validated events.
    events: u64,
    /// Event numbers of the validated events that are answers, rankings or grades.
    retractable_events: HashSet<u64>,
    /// Specification as changed by the validated events; `None` if they do not change it.
    spec: Option<CampaignSpec>,
}

impl<'c> EventValidator<'c> {
    fn new(campaign: &'c Campaign) -> Self {
        Self {
            campaign,
            last_batch: campaign.last_batch,
            new_assessors: HashSet::new(),
            closed: campaign.is_closed(),
            closed_lists: HashSet::new(),
            retracted: HashSet::new(),
            events: campaign.events as u64,
            retractable_events: HashSet::new(),
            spec: None,
        }
    }

    /// Validates the next event and, if it is valid, counts it.
    fn check(&mut self, event: &Event) -> Result<(), CampaignError> {
        self.validate(event)?;
        self.events += 1;
        if matches!(event, Event::Answered { .. }) {
            self.retractable_events.insert(self.events);
        }
        Ok(())
    }

    /// Validates the next event and records in `self` the changes that it will make, except for the
    /// event count.
    fn validate(&mut self, event: &Event) -> Result<(), CampaignError> {
        match event {
            Event::Opened { .. } => Err(CampaignError::OpenedAgain),
            Event::Asked { batch, pairs } => {
                self.locate_batch_pairs(*batch, pairs)?;
                self.last_batch = *batch;
                Ok(())
            }
            Event::Answered { answer, role } => {
                self.campaign.check_judgment(answer, *role)?;
                self.check_assessor_limit(&answer.assessor)
            }
            Event::Reported(reported) => {
                let list = self.campaign.find_list(&reported.query)?;
                if let Some(item) = &reported.item {
                    self.campaign.lists[list].find_item(item)?;
                }
                check_common_fields(&reported.assessor, None, None)?;
                self.check_assessor_limit(&reported.assessor)
            }
            Event::Excluded { assessor, .. } | Event::Readmitted { assessor } => {
                self.check_assessor_limit(assessor)
            }
            Event::Paused | Event::Resumed if self.closed => Err(CampaignError::Closed),
            Event::Paused | Event::Resumed => Ok(()),
            Event::Closed { query: None } => {
                self.closed = true;
                Ok(())
            }
            Event::Closed { query: Some(query) } => {
                self.closed_lists.insert(self.campaign.find_list(query)?);
                Ok(())
            }
            Event::Extended(extended) => self.check_extension(extended),
            Event::Retracted { answer, .. } => {
                if !self.retractable_events.contains(answer) {
                    self.campaign.check_retraction(*answer)?;
                }
                if !self.retracted.insert(*answer) {
                    return Err(CampaignError::NothingToRetract(*answer));
                }
                Ok(())
            }
        }
    }

    /// Checks the number of a batch of pair requests and that its lists are open. Returns the
    /// locations of its pairs.
    fn locate_batch_pairs(
        &self,
        batch: u32,
        pairs: &[BatchPair],
    ) -> Result<Vec<PairLocation>, CampaignError> {
        if Some(batch) != self.last_batch.checked_add(1) {
            return Err(CampaignError::BatchOutOfOrder {
                last: self.last_batch,
                found: batch,
            });
        }
        let place = |pair: &BatchPair| {
            let list = self.open_list(&pair.query)?;
            let items = self.campaign.lists[list].find_two_items(&pair.a, &pair.b)?;
            Ok((list, items))
        };
        pairs.iter().map(place).collect()
    }

    /// Returns the index of the list of a query if the list is not closed.
    fn open_list(&self, query: &str) -> Result<usize, CampaignError> {
        let list = self.campaign.find_list(query)?;
        if self.closed {
            return Err(CampaignError::Closed);
        }
        if self.campaign.is_list_closed(list) || self.closed_lists.contains(&list) {
            return Err(CampaignError::ListClosed(query.to_owned()));
        }
        Ok(list)
    }

    /// Checks that an extension changes something, adds nothing to a closed list or campaign, and
    /// leads to a valid specification.
    fn check_extension(&mut self, extended: &CampaignExtension) -> Result<(), CampaignError> {
        if self.closed {
            return Err(CampaignError::Closed);
        }
        if *extended == CampaignExtension::default() {
            return Err(CampaignError::NothingExtended);
        }
        for list in &extended.lists {
            if self.campaign.list_index(&list.query).is_some() {
                self.open_list(&list.query)?;
            }
        }
        let so_far = self.spec.as_ref().unwrap_or(&self.campaign.spec);
        let mut spec = so_far.clone();
        spec.extend(extended);
        require_valid(&spec)?;
        if spec.lists.len() > Item::MAX_COUNT {
            return Err(InputError::TooManyNames.into());
        }
        self.spec = Some(spec);
        Ok(())
    }

    /// Checks that the maximum number of assessors is not exceeded if this assessor is new.
    fn check_assessor_limit(&mut self, assessor: &str) -> Result<(), CampaignError> {
        let names = self.campaign.spec.settings.name_matching;
        let person = names.canonical_name(assessor);
        let known = &self.campaign.assessors;
        if known.get(&person).is_some() {
            return Ok(());
        }
        self.new_assessors.insert(person.into_owned());
        if known.len() + self.new_assessors.len() > Item::MAX_COUNT {
            return Err(InputError::TooManyNames.into());
        }
        Ok(())
    }
}

/// Checks that an answer, a ranking, a grade or a defect report names an assessor, and that its
/// duration in seconds and its time are finite.
pub(crate) fn check_common_fields(
    assessor: &str,
    seconds: Option<f64>,
    time: Option<f64>,
) -> Result<(), InputError> {
    if assessor.is_empty() {
        return Err(InputError::NoName("the assessor"));
    }
    for (what, number) in [("seconds", seconds), ("time", time)] {
        if let Some(value) = number.filter(|number| !number.is_finite()) {
            return Err(InputError::BadNumber { what, value });
        }
    }
    Ok(())
}

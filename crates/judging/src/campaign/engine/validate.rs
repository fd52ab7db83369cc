//! Validation of events against the current state.

use std::collections::HashSet;

use partita_core::Item;

use super::pair::PairLocation;
use crate::campaign::input_error::InputError;
use crate::campaign::log::event::{
    BatchPair, CampaignExtension, Event, GoldAnswer, GradeAnswer, PreferenceAnswer,
    PreferenceChoice, RankingAnswer,
};
use crate::campaign::spec::CampaignSpec;
use crate::campaign::{Campaign, CampaignError};

impl Campaign {
    /// Checks that an event fits the events before it, without changing anything.
    /// [`Campaign::apply`] accepts exactly the events that pass.
    pub fn check(&self, event: &Event) -> Result<(), CampaignError> {
        EventValidator::new(self).check(event)
    }

    /// Checks an answer and returns its location.
    pub(crate) fn check_answer(
        &self,
        answered: &PreferenceAnswer,
    ) -> Result<PairLocation, CampaignError> {
        let place = self.locate(answered)?;
        let names = self.settings.name_matching;
        let person = names.canonical_name(&answered.assessor);
        if self.assessors.get(&person).is_none() && self.assessors.len() >= Item::MAX_COUNT {
            return Err(InputError::TooManyNames.into());
        }
        Ok(place)
    }

    /// Checks a batch and returns the locations of its pairs.
    pub(crate) fn check_asked(
        &self,
        batch: u32,
        pairs: &[BatchPair],
    ) -> Result<Vec<PairLocation>, CampaignError> {
        EventValidator::new(self).asked(batch, pairs)
    }

    /// Checks that events can be applied one after the other. An error carries the index (from 0)
    /// of the first invalid event. An event about a list that an earlier event of the same group
    /// adds is rejected: record the earlier event first.
    pub fn check_all(&self, events: &[Event]) -> Result<(), (usize, CampaignError)> {
        let mut ahead = EventValidator::new(self);
        for (number, event) in events.iter().enumerate() {
            ahead.check(event).map_err(|error| (number, error))?;
        }
        Ok(())
    }
}

/// Validator of a group of events: the campaign, and the changes that the events validated so far
/// will make.
struct EventValidator<'c> {
    campaign: &'c Campaign,
    /// Number of the last batch.
    batches: u32,
    /// Canonical names of the assessors that the events add to the campaign.
    newcomers: HashSet<String>,
    closed: bool,
    closed_lists: HashSet<usize>,
    /// Numbers of the retracted events.
    retracted: HashSet<u64>,
    /// Number of events in the campaign and of those validated so far.
    events: u64,
    /// Event numbers of the answers, rankings and grades validated so far.
    answers: HashSet<u64>,
    /// Campaign spec as changed by the events validated so far; `None` if unchanged.
    settings: Option<CampaignSpec>,
}

impl<'c> EventValidator<'c> {
    fn new(campaign: &'c Campaign) -> Self {
        Self {
            campaign,
            batches: campaign.batches,
            newcomers: HashSet::new(),
            closed: campaign.is_closed(),
            closed_lists: HashSet::new(),
            retracted: HashSet::new(),
            events: campaign.events as u64,
            answers: HashSet::new(),
            settings: None,
        }
    }

    fn check(&mut self, event: &Event) -> Result<(), CampaignError> {
        self.validate(event)?;
        self.events += 1;
        if event.is_retractable() {
            self.answers.insert(self.events);
        }
        Ok(())
    }

    fn validate(&mut self, event: &Event) -> Result<(), CampaignError> {
        match event {
            Event::Opened { .. } => Err(CampaignError::OpenedAgain),
            Event::Asked { batch, pairs } => {
                self.asked(*batch, pairs)?;
                self.batches = *batch;
                Ok(())
            }
            Event::Answered(answered) | Event::Adopted(answered) => {
                self.campaign.locate(answered)?;
                self.name(&answered.assessor)
            }
            Event::GoldAnswered(GoldAnswer {
                answer: answered,
                expected,
            }) => {
                self.campaign.locate(answered)?;
                if *expected == PreferenceChoice::Blank {
                    return Err(InputError::BlankGold.into());
                }
                self.name(&answered.assessor)
            }
            Event::Ranked(ranked) => {
                self.ranked(ranked)?;
                self.name(&ranked.assessor)
            }
            Event::Graded(graded) => {
                self.graded(graded)?;
                self.name(&graded.assessor)
            }
            Event::Reported(reported) => {
                let list = self.campaign.query(&reported.query)?;
                if let Some(item) = &reported.item {
                    self.campaign.lists[list].item(item)?;
                }
                check_common_fields(&reported.assessor, None, None)?;
                self.name(&reported.assessor)
            }
            Event::Excluded { assessor, .. } | Event::Readmitted { assessor } => {
                self.name(assessor)
            }
            Event::Paused | Event::Resumed if self.closed => Err(CampaignError::Closed),
            Event::Paused | Event::Resumed => Ok(()),
            Event::Closed { query: None } => {
                self.closed = true;
                Ok(())
            }
            Event::Closed { query: Some(query) } => {
                self.closed_lists.insert(self.campaign.query(query)?);
                Ok(())
            }
            Event::Extended(extended) => self.extended(extended),
            Event::Retracted { answer, .. } => {
                if !self.answers.contains(answer) {
                    self.campaign.check_retraction(*answer)?;
                }
                if !self.retracted.insert(*answer) {
                    return Err(CampaignError::NothingToRetract(*answer));
                }
                Ok(())
            }
        }
    }

    /// Returns the locations of the pairs of a batch.
    fn asked(&self, batch: u32, pairs: &[BatchPair]) -> Result<Vec<PairLocation>, CampaignError> {
        if Some(batch) != self.batches.checked_add(1) {
            return Err(CampaignError::BatchOutOfOrder {
                last: self.batches,
                found: batch,
            });
        }
        let place = |pair: &BatchPair| {
            let list = self.open_list(&pair.query)?;
            let items = self.campaign.lists[list].two_items(&pair.a, &pair.b)?;
            Ok((list, items))
        };
        pairs.iter().map(place).collect()
    }

    /// Returns the index of a list that is not closed.
    fn open_list(&self, query: &str) -> Result<usize, CampaignError> {
        let list = self.campaign.query(query)?;
        if self.closed {
            return Err(CampaignError::Closed);
        }
        if self.campaign.is_list_closed(list) || self.closed_lists.contains(&list) {
            return Err(CampaignError::ListClosed(query.to_owned()));
        }
        Ok(list)
    }

    fn ranked(&self, ranked: &RankingAnswer) -> Result<(), InputError> {
        let list = &self.campaign.lists[self.campaign.query(&ranked.query)?];
        if ranked.groups.iter().any(Vec::is_empty) {
            return Err(InputError::EmptyGroup);
        }
        let mut seen = HashSet::new();
        for item in ranked.groups.iter().flatten().chain(&ranked.unranked) {
            if !seen.insert(list.item(item)?) {
                return Err(InputError::RankedTwice(item.clone()));
            }
        }
        check_common_fields(&ranked.assessor, ranked.seconds, ranked.time)
    }

    fn graded(&self, graded: &GradeAnswer) -> Result<(), InputError> {
        let list = &self.campaign.lists[self.campaign.query(&graded.query)?];
        list.item(&graded.item)?;
        if graded.broad.is_none() && graded.fine.is_none() {
            return Err(InputError::NoGrade(graded.item.clone()));
        }
        if let Some(value) = graded.fine.filter(|fine| !(0.0..=100.0).contains(fine)) {
            return Err(InputError::BadNumber {
                what: "fine grade",
                value,
            });
        }
        check_common_fields(&graded.assessor, graded.seconds, graded.time)
    }

    fn extended(&mut self, extended: &CampaignExtension) -> Result<(), CampaignError> {
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
        let so_far = self.settings.as_ref().unwrap_or(&self.campaign.settings);
        let settings = so_far.with_extension(extended);
        settings.check()?;
        if settings.lists.len() > Item::MAX_COUNT {
            return Err(InputError::TooManyNames.into());
        }
        self.settings = Some(settings);
        Ok(())
    }

    /// Checks that an assessor name can be added.
    fn name(&mut self, assessor: &str) -> Result<(), CampaignError> {
        let names = self.campaign.settings.name_matching;
        let person = names.canonical_name(assessor);
        let known = &self.campaign.assessors;
        if known.get(&person).is_some() {
            return Ok(());
        }
        self.newcomers.insert(person.into_owned());
        if known.len() + self.newcomers.len() > Item::MAX_COUNT {
            return Err(InputError::TooManyNames.into());
        }
        Ok(())
    }
}

/// Checks the assessor, the duration and the time of an answer.
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

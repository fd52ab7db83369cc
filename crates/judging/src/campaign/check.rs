//! Whether an event fits what happened before.

use std::collections::HashSet;

use partita_core::Item;

use super::event::Event;
use super::flag::Refusal;
use super::{Campaign, CampaignError, log};

impl Campaign {
    /// Whether an event fits what happened before. It has no effect: exactly what fits can be
    /// [applied](Campaign::apply).
    pub fn check(&self, event: &Event) -> Result<(), CampaignError> {
        Ahead::of(self).check(event)
    }

    /// Whether events fit one after the other; with an error, the number of the event that does not,
    /// from 0.
    pub fn check_all(&self, events: &[Event]) -> Result<(), (usize, CampaignError)> {
        let mut ahead = Ahead::of(self);
        for (number, event) in events.iter().enumerate() {
            ahead.check(event).map_err(|error| (number, error))?;
        }
        Ok(())
    }
}

/// A campaign and what earlier events of a group change of what later ones must fit.
struct Ahead<'e> {
    campaign: &'e Campaign,
    batches: u32,
    version: u32,
    newcomers: HashSet<&'e str>,
}

impl<'e> Ahead<'e> {
    fn of(campaign: &'e Campaign) -> Self {
        Self {
            campaign,
            batches: campaign.batches,
            version: campaign.version,
            newcomers: HashSet::new(),
        }
    }

    fn check(&mut self, event: &'e Event) -> Result<(), CampaignError> {
        match event {
            Event::Opened { .. } => Err(CampaignError::OpenedAgain),
            Event::Asked { batch, pairs } => {
                if Some(*batch) != self.batches.checked_add(1) {
                    return Err(CampaignError::BatchOutOfOrder {
                        last: self.batches,
                        found: *batch,
                    });
                }
                for pair in pairs {
                    let list = self.campaign.query(&pair.query)?;
                    self.campaign.lists[list].two_items(&pair.a, &pair.b)?;
                }
                self.batches = *batch;
                Ok(())
            }
            Event::Answered(answered) | Event::Adopted(answered) => {
                self.campaign.place(answered)?;
                self.name(&answered.assessor)
            }
            Event::Excluded { assessor } | Event::Readmitted { assessor } => self.name(assessor),
            Event::Continued { version } => {
                if !(self.version + 1..=log::VERSION).contains(version) {
                    return Err(CampaignError::NotContinued {
                        from: self.version,
                        to: *version,
                    });
                }
                self.version = *version;
                Ok(())
            }
        }
    }

    /// Whether there is room for a person.
    fn name(&mut self, assessor: &'e str) -> Result<(), CampaignError> {
        let known = &self.campaign.assessors;
        if known.get(assessor).is_some() {
            return Ok(());
        }
        self.newcomers.insert(assessor);
        if known.len() + self.newcomers.len() > Item::MOST {
            return Err(Refusal::TooManyNames.into());
        }
        Ok(())
    }
}

//! Replay of a log into a campaign.

use crate::campaign::log::event::Event;
use crate::campaign::{Campaign, CampaignError, CampaignSpec, CampaignSpecError};

/// Builder of a campaign from a stream of log events. No event is kept, so that a log of any length
/// can be replayed line by line.
///
/// ```
/// use partita_judging::campaign::{CampaignError, Event, LogReplay};
///
/// let mut replay = LogReplay::default();
/// replay.push(&Event::Paused);
/// assert_eq!(replay.finish().unwrap_err(), (0, CampaignError::NotOpened));
/// ```
#[derive(Debug, Default)]
pub struct LogReplay {
    campaign: Option<Campaign>,
    /// Index, from 0, of the first event that cannot follow the events before it, and the reason.
    error: Option<(usize, CampaignError)>,
}

impl LogReplay {
    /// Applies the next event of the log. After an invalid event, all further events are ignored.
    pub fn push(&mut self, event: &Event) {
        if self.error.is_some() {
            return;
        }
        let (number, fits) = match (&mut self.campaign, event) {
            (Some(campaign), event) => (campaign.event_count(), campaign.apply(event)),
            (None, Event::Opened { spec, .. }) => {
                let opened = open_logged(spec);
                (0, opened.map(|campaign| self.campaign = Some(campaign)))
            }
            (None, _) => (0, Err(CampaignError::NotOpened)),
        };
        self.error = fits.err().map(|error| (number, error));
    }

    /// Returns the campaign that results from the events, or `None` if there were no events.
    ///
    /// # Errors
    /// Returns the index of the first event that does not fit the events before it, from 0, and the
    /// reason.
    pub fn finish(self) -> Result<Option<Campaign>, (usize, CampaignError)> {
        self.error.map_or(Ok(self.campaign), Err)
    }
}

/// Creates the campaign that the first event of a log opens.
fn open_logged(spec: &CampaignSpec) -> Result<Campaign, CampaignError> {
    let has_recruiter = spec.recruiter.is_some();
    let mut errors = match Campaign::open(spec.clone()) {
        Ok(campaign) if !has_recruiter => return Ok(campaign),
        Ok(_) => Vec::new(),
        Err(CampaignError::Spec(errors)) => errors,
        Err(error) => return Err(error),
    };
    errors.extend(has_recruiter.then(CampaignSpecError::recruiter_in_log));
    Err(CampaignError::LoggedSpec(errors))
}

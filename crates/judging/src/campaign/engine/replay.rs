//! A campaign that is rebuilt while its log is read.

use crate::campaign::log::event::Event;
use crate::campaign::{Campaign, CampaignError};

/// A campaign as far as its events have been taken in. None of them is kept, so that a log can be read
/// and replayed line by line, whatever its length.
///
/// ```
/// use partita_judging::campaign::{CampaignError, Event, Replay};
///
/// let mut replay = Replay::default();
/// replay.take(&Event::Paused);
/// assert_eq!(replay.end().unwrap_err(), (0, CampaignError::NotOpened));
/// ```
#[derive(Debug, Default)]
pub struct LogReplay {
    campaign: Option<Campaign>,
    /// The number of the first event that does not fit, and why.
    error: Option<(usize, CampaignError)>,
}

impl LogReplay {
    /// Takes the next event in. Once one does not fit, those after it mean nothing.
    pub fn push(&mut self, event: &Event) {
        if self.error.is_some() {
            return;
        }
        let (number, fits) = match (&mut self.campaign, event) {
            (Some(campaign), event) => (campaign.event_count(), campaign.apply(event)),
            (None, Event::Opened { settings, .. }) => {
                let opened = Campaign::open(settings.as_ref().clone());
                (0, opened.map(|campaign| self.campaign = Some(campaign)))
            }
            (None, _) => (0, Err(CampaignError::NotOpened)),
        };
        self.error = fits.err().map(|error| (number, error));
    }

    /// The campaign of all events, if there was any.
    ///
    /// # Errors
    /// The number of the first event that does not fit those before it, from 0, and why.
    pub fn finish(self) -> Result<Option<Campaign>, (usize, CampaignError)> {
        self.error.map_or(Ok(self.campaign), Err)
    }
}

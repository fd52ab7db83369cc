//! A campaign that is rebuilt while its log is read.

use super::event::Event;
use super::{Campaign, CampaignError};

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
pub struct Replay {
    campaign: Option<Campaign>,
    /// The number of the first event that does not fit, and why.
    misfit: Option<(usize, CampaignError)>,
}

impl Replay {
    /// Takes the next event in. Once one does not fit, those after it mean nothing.
    pub fn take(&mut self, event: &Event) {
        if self.misfit.is_some() {
            return;
        }
        let (number, fits) = match (&mut self.campaign, event) {
            (Some(campaign), event) => (campaign.events(), campaign.apply(event)),
            (None, Event::Opened { settings, .. }) => {
                let opened = Campaign::open(settings.as_ref().clone());
                (0, opened.map(|campaign| self.campaign = Some(campaign)))
            }
            (None, _) => (0, Err(CampaignError::NotOpened)),
        };
        self.misfit = fits.err().map(|error| (number, error));
    }

    /// The campaign of all events, if there was any.
    ///
    /// # Errors
    /// The number of the first event that does not fit those before it, from 0, and why.
    pub fn end(self) -> Result<Option<Campaign>, (usize, CampaignError)> {
        self.misfit.map_or(Ok(self.campaign), Err)
    }
}

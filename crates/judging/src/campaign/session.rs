//! Driving a campaign: what fits is written first and happens then.

use super::engine::answer_status::check_assessor_name;
use super::log::event::Event;
use super::log::store::CampaignStore;
use super::log::{LogEntry, LogTail, Stamp, VERSION};
use super::spec::{CampaignSpec, CampaignSpecError};
use super::{Campaign, CampaignError, InputError, LogReplay};

/// A campaign and the log that it is kept in, which nobody else adds to meanwhile.
///
/// What happened goes the same way whoever drives the campaign: it is [checked](Campaign::check)
/// against what happened before, appended to the log, and only then applied. So a log never has an
/// event that does not fit, nothing is ever shown that is not kept, and where the store fails the
/// campaign is as it was.
#[derive(Debug)]
pub struct CampaignSession<S> {
    store: S,
    campaign: Campaign,
    tail: LogTail,
}

/// Why a campaign cannot be taken up.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum OpenError<E> {
    /// The log cannot be locked or read, or not be written when a campaign begins.
    #[error(transparent)]
    Store(E),
    /// There is nothing in the log.
    #[error("the campaign was never begun")]
    Empty,
    /// There is something in the log already.
    #[error("the campaign was begun already")]
    AlreadyExists,
    /// The settings of a campaign that begins are none.
    #[error(transparent)]
    Settings(#[from] CampaignSpecError),
    /// The author has no name.
    #[error(transparent)]
    Refused(#[from] InputError),
    /// An event does not fit those before it.
    #[error("event {seq}: {error}")]
    Event {
        /// The number of the event.
        seq: u64,
        /// Why it does not fit.
        error: CampaignError,
    },
}

/// Why nothing was written.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum RecordError<E> {
    /// An event does not fit what happened before.
    #[error(transparent)]
    Event(#[from] CampaignError),
    /// The store failed.
    #[error(transparent)]
    Store(E),
}

impl<S: CampaignStore> CampaignSession<S> {
    /// Begins a campaign in a store in which there is nothing yet. Lists and candidates are put in the
    /// order of their names, by which they are numbered: what is drawn does not depend on the order of a
    /// file.
    pub fn create(
        mut store: S,
        mut settings: CampaignSpec,
        stamp: &Stamp,
    ) -> Result<Self, OpenError<S::Error>> {
        store.lock().map_err(OpenError::Store)?;
        if !store.read(0).map_err(OpenError::Store)?.is_empty() {
            return Err(OpenError::AlreadyExists);
        }
        require_author(stamp)?;
        settings.check_top()?;
        settings.order_by_name();
        let campaign = Campaign::open(settings).map_err(|error| match error {
            CampaignError::Settings(error) => OpenError::Settings(error),
            error => OpenError::Event { seq: 1, error },
        })?;
        let opened = Event::Opened {
            version: VERSION,
            settings: Box::new(campaign.spec().clone()),
        };
        let entry = LogEntry::new(LogTail::EMPTY, stamp.clone(), opened);
        let tail = entry.tail();
        store.append(&[entry]).map_err(OpenError::Store)?;
        Ok(Self {
            store,
            campaign,
            tail,
        })
    }

    /// Takes up the campaign of a store.
    pub fn open(mut store: S) -> Result<Self, OpenError<S::Error>> {
        store.lock().map_err(OpenError::Store)?;
        let mut replay = LogReplay::default();
        let mut tail = LogTail::EMPTY;
        let mut take = |entry: LogEntry| {
            tail = entry.tail();
            replay.push(&entry.event);
        };
        store
            .for_each_entry(0, &mut take)
            .map_err(OpenError::Store)?;
        // Whatever is wrong with the log is said before what is wrong with its events.
        let campaign = replay.finish().map_err(|(place, error)| OpenError::Event {
            seq: place as u64 + 1,
            error,
        })?;
        let campaign = campaign.ok_or(OpenError::Empty)?;
        Ok(Self {
            store,
            campaign,
            tail,
        })
    }

    /// The campaign as far as it has come.
    pub fn campaign(&self) -> &Campaign {
        &self.campaign
    }

    /// Where the log ends. Whoever notes its chain elsewhere can tell later that nothing before was
    /// changed, not even by somebody who made all chains after it again.
    pub fn tail(&self) -> LogTail {
        self.tail
    }

    /// The store, with its log as it is.
    pub fn store(&self) -> &S {
        &self.store
    }

    /// Gives the store back.
    pub fn into_store(self) -> S {
        self.store
    }

    /// Lets events happen, all of them or none: what fits is written and applied once it is kept.
    ///
    /// # Errors
    /// An event that does not fit those before it, or a store that fails. Nothing has happened then.
    pub fn record(
        &mut self,
        stamp: &Stamp,
        events: Vec<Event>,
    ) -> Result<(), RecordError<S::Error>> {
        if events.is_empty() {
            return Ok(());
        }
        require_author(stamp).map_err(CampaignError::from)?;
        for event in &events {
            // A person whom the log knows can be excluded whatever the name.
            let person = event.assessor();
            let new = person.filter(|person| self.campaign.person(person).is_none());
            new.map_or(Ok(()), check_assessor_name)
                .map_err(CampaignError::from)?;
        }
        let checked = self.campaign.check_all(&events);
        checked.map_err(|(_, error)| error)?;
        let mut tail = self.tail;
        let entries: Vec<LogEntry> = (events.into_iter())
            .map(|event| {
                let entry = LogEntry::new(tail, stamp.clone(), event);
                tail = entry.tail();
                entry
            })
            .collect();
        self.store.append(&entries).map_err(RecordError::Store)?;
        for entry in &entries {
            self.campaign.apply_validated(&entry.event);
        }
        self.tail = tail;
        Ok(())
    }

    /// Takes in what other writers have added to the log since this session looked at it, for stores
    /// that are unlocked between writes.
    pub fn catch_up(&mut self) -> Result<(), OpenError<S::Error>> {
        let entries = self.store.read(self.tail.seq).map_err(OpenError::Store)?;
        for entry in entries {
            let applied = self.campaign.apply(&entry.event);
            applied.map_err(|error| OpenError::Event {
                seq: entry.seq,
                error,
            })?;
            self.tail = entry.tail();
        }
        Ok(())
    }
}

/// An event without an author cannot be traced.
fn require_author(stamp: &Stamp) -> Result<(), InputError> {
    if stamp.author.trim().is_empty() {
        return Err(InputError::NoName("the author"));
    }
    Ok(())
}

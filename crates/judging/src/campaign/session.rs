//! Session with a campaign: validates events, appends them to the log, and applies them.

use super::input_error::check_assessor_name;
use super::log::event::Event;
use super::log::store::CampaignStore;
use super::log::{LogEntry, LogTail, Stamp, VERSION};
use super::spec::CampaignSpec;
use super::spec::error::{CampaignSpecError, list_errors};
use super::{Campaign, CampaignError, InputError, LogReplay};

/// Campaign together with the store of its log, which is locked when the session begins, or before
/// the first change ([`CampaignSession::open_unlocked`]).
///
/// Every event is [validated](Campaign::check), appended to the log, and only then applied. The log
/// therefore contains only valid events, every visible change is stored, and the campaign is
/// unchanged if the store fails.
#[derive(Debug)]
pub struct CampaignSession<S> {
    store: S,
    campaign: Campaign,
    tail: LogTail,
    is_locked: bool,
}

/// Reason why a campaign cannot be opened or created.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum OpenError<E> {
    /// The log cannot be locked, read or written.
    #[error(transparent)]
    Store(E),
    /// The log is empty.
    #[error("the campaign was never begun")]
    Empty,
    /// The log already contains a campaign.
    #[error("the campaign was begun already")]
    AlreadyExists,
    /// The specification of the new campaign is invalid, for all of these reasons.
    #[error("{}", list_errors(.0))]
    Spec(Vec<CampaignSpecError>),
    /// The stamp of the first event names no author.
    #[error(transparent)]
    Refused(#[from] InputError),
    /// An event in the log cannot follow the events before it.
    #[error("event {seq}: {error}")]
    Event {
        /// Number of the invalid event, from 1.
        seq: u64,
        /// Reason why the event cannot follow the events before it.
        error: CampaignError,
    },
}

/// Reason why events were not recorded.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum RecordError<E> {
    /// An event cannot follow the events before it, its assessor name is invalid, or the stamp
    /// names no author.
    #[error(transparent)]
    Event(#[from] CampaignError),
    /// The store could not append to the log.
    #[error(transparent)]
    Store(E),
}

impl<S: CampaignStore> CampaignSession<S> {
    /// Creates a new campaign in an empty store. Queries and candidates are sorted by name and
    /// numbered in that order, so that random draws do not depend on the order of a file. The
    /// recruiter is dropped: its completion codes are secrets, and logs are published.
    pub fn create(
        mut store: S,
        mut spec: CampaignSpec,
        stamp: &Stamp,
    ) -> Result<Self, OpenError<S::Error>> {
        store.lock().map_err(OpenError::Store)?;
        if !store.read(0).map_err(OpenError::Store)?.is_empty() {
            return Err(OpenError::AlreadyExists);
        }
        require_author(stamp)?;
        spec.prepare_for_log();
        let campaign = Campaign::open(spec).map_err(|error| match error {
            CampaignError::Spec(errors) => OpenError::Spec(errors),
            error => OpenError::Event { seq: 1, error },
        })?;
        let opened = Event::Opened {
            version: VERSION,
            spec: Box::new(campaign.spec().as_ref().clone()),
        };
        let entry = LogEntry::new(LogTail::EMPTY, stamp.clone(), opened);
        let tail = entry.tail();
        store.append(&[entry]).map_err(OpenError::Store)?;
        Ok(Self {
            store,
            campaign,
            tail,
            is_locked: true,
        })
    }

    /// Opens the campaign whose log the store contains.
    pub fn open(mut store: S) -> Result<Self, OpenError<S::Error>> {
        store.lock().map_err(OpenError::Store)?;
        Ok(Self {
            is_locked: true,
            ..Self::open_unlocked(store)?
        })
    }

    /// Opens the campaign whose log the store contains without locking it, because the replay of a
    /// long log takes time in which others wait for the lock. [`CampaignSession::perform`] locks the
    /// log and applies what was appended since.
    pub fn open_unlocked(mut store: S) -> Result<Self, OpenError<S::Error>> {
        let (campaign, tail) = replay_log(&mut store)?;
        Ok(Self {
            store,
            campaign,
            tail,
            is_locked: false,
        })
    }

    /// Locks the log unless it is locked, and applies the entries that were appended before. Returns
    /// true if there were any.
    pub(crate) fn lock(&mut self) -> Result<bool, RecordError<S::Error>> {
        if self.is_locked {
            return Ok(false);
        }
        self.store.lock().map_err(RecordError::Store)?;
        self.is_locked = true;
        let known = self.tail.seq;
        match self.catch_up() {
            Ok(()) => Ok(self.tail.seq > known),
            Err(OpenError::Event { error, .. }) => Err(RecordError::Event(error)),
            Err(OpenError::Store(error)) => Err(RecordError::Store(error)),
            Err(_) => unreachable!("reading on neither begins nor creates a campaign"),
        }
    }

    /// Returns the campaign in its current state.
    pub fn campaign(&self) -> &Campaign {
        &self.campaign
    }

    /// Returns the number and hash of the last log line. Keep a copy of the hash outside the log to
    /// detect later changes of earlier lines, even if somebody recomputes all hashes.
    pub fn tail(&self) -> LogTail {
        self.tail
    }

    /// Returns the store.
    pub fn store(&self) -> &S {
        &self.store
    }

    /// Returns true if the store knows this assessor apart from the log.
    pub(crate) fn is_registered(&mut self, assessor: &str) -> Result<bool, S::Error> {
        self.store.is_registered(assessor)
    }

    /// Returns the store and ends the session.
    pub fn into_store(self) -> S {
        self.store
    }

    /// Records events, all or none: validates them, appends them to the log, and applies them.
    ///
    /// # Errors
    /// Returns [`RecordError`] if an event does not fit or the store fails. The campaign is
    /// unchanged in that case.
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
            // Skip the name rules for assessors already in the log: old logs may hold names that
            // are invalid today.
            let person = event.assessor();
            let new = person.filter(|person| self.campaign.assessor_index(person).is_none());
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

    /// Applies the entries that other writers have appended since the last read, for stores that
    /// are unlocked between writes.
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

impl Campaign {
    /// Reads the campaign whose log a store contains, without locking the log.
    ///
    /// # Errors
    /// Returns [`OpenError`] if the log cannot be read, is empty, or contains an invalid event.
    pub fn read<S: CampaignStore>(store: &mut S) -> Result<Self, OpenError<S::Error>> {
        Ok(replay_log(store)?.0)
    }
}

/// Replays the log in a store. Returns the campaign and the end of the log.
fn replay_log<S: CampaignStore>(store: &mut S) -> Result<(Campaign, LogTail), OpenError<S::Error>> {
    let mut replay = LogReplay::default();
    let mut tail = LogTail::EMPTY;
    let mut take = |entry: LogEntry| {
        tail = entry.tail();
        replay.push(&entry.event);
    };
    store
        .for_each_entry(0, &mut take)
        .map_err(OpenError::Store)?;
    // Errors in reading the log have been returned above: they take precedence over invalid events.
    let campaign = replay.finish().map_err(|(index, error)| OpenError::Event {
        seq: index as u64 + 1,
        error,
    })?;
    Ok((campaign.ok_or(OpenError::Empty)?, tail))
}

/// Checks that the stamp names an author, so that every event can be traced.
fn require_author(stamp: &Stamp) -> Result<(), InputError> {
    if stamp.author.trim().is_empty() {
        return Err(InputError::NoName("the author"));
    }
    Ok(())
}

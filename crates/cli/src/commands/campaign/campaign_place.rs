//! Place of a campaign: a log file, or the database of a server. Both are read and changed by the
//! same commands.

use std::path::{Path, PathBuf};

use clap::Args;
use partita::FileStore;
use partita::judging::campaign::log::LogEntry;
use partita::judging::campaign::{Campaign, CampaignSession, CampaignStore, QuerySpec};
#[cfg(feature = "server")]
use partita_server::{DatabaseStore, ServerStorage};

use super::campaign_log::{self, WaitArgs};
#[cfg(not(feature = "server"))]
use crate::commands::features;
use crate::output::error::CliError;

/// Server of a campaign.
#[derive(Clone, Debug, Args)]
pub(crate) struct ServerArgs {
    /// Folder of the server
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// URL of its PostgreSQL database, if it has one
    #[arg(long, value_name = "URL")]
    database: Option<String>,
}

/// Campaign to read.
#[derive(Clone, Debug, Args)]
pub(crate) struct CampaignArgs {
    /// Log of the campaign (`-` is standard input), or with --data or --database its name on the
    /// server
    which: String,
    #[command(flatten)]
    server: ServerArgs,
}

impl CampaignArgs {
    /// Returns the place that the options give.
    pub(super) fn place(&self) -> Result<CampaignPlace<'_>, CliError> {
        self.server.place(&self.which)
    }
}

/// Log file of a campaign, or a server with the name of a campaign there.
pub(super) enum CampaignPlace<'a> {
    Log(&'a str),
    #[cfg(feature = "server")]
    Server {
        storage: ServerStorage,
        name: &'a str,
        /// Options that name the server, for messages.
        options: String,
    },
}

#[cfg(feature = "server")]
impl ServerArgs {
    /// Returns the storage of the server: a PostgreSQL database, or else a folder. `None` if no
    /// option is given.
    pub(crate) fn storage(&self) -> Option<ServerStorage> {
        let database = self.database.clone().map(ServerStorage::Postgres);
        database.or_else(|| self.data.clone().map(ServerStorage::Folder))
    }

    /// Returns the folder of the server, if it is given.
    pub(crate) fn folder(&self) -> Option<&Path> {
        self.data.as_deref()
    }

    /// Returns the storage of the server, for commands that require one of the options.
    pub(crate) fn required_storage(&self) -> ServerStorage {
        self.storage().expect("one of the options is required")
    }

    /// Returns the place of a campaign: on the server if an option names one, else a log file.
    pub(super) fn place<'a>(&self, which: &'a str) -> Result<CampaignPlace<'a>, CliError> {
        Ok(match self.storage() {
            None => CampaignPlace::Log(which),
            Some(storage) => {
                let data = self
                    .data
                    .iter()
                    .map(|data| format!(" --data {}", data.display()));
                // The URL contains the password of the database.
                let database = self.database.iter().map(|_| " --database URL".to_owned());
                CampaignPlace::Server {
                    storage,
                    name: which,
                    options: data.chain(database).collect(),
                }
            }
        })
    }
}

#[cfg(not(feature = "server"))]
impl ServerArgs {
    /// Returns the log file of a campaign; this build refuses the options that name a server.
    pub(super) fn place<'a>(&self, which: &'a str) -> Result<CampaignPlace<'a>, CliError> {
        match (&self.data, &self.database) {
            (None, None) => Ok(CampaignPlace::Log(which)),
            _ => Err(features::SERVER.into()),
        }
    }
}

impl CampaignPlace<'_> {
    /// Returns the name of the campaign as the user gave it, for messages.
    pub(super) fn name(&self) -> &str {
        match self {
            Self::Log(file) => file,
            #[cfg(feature = "server")]
            Self::Server { name, .. } => name,
        }
    }

    /// Returns the arguments that name the campaign in a suggested command.
    pub(super) fn arguments(&self) -> String {
        match self {
            Self::Log(file) => (*file).to_owned(),
            #[cfg(feature = "server")]
            Self::Server { name, options, .. } => format!("{name}{options}"),
        }
    }

    /// Reads the campaign without locking it.
    pub(super) fn read(&self) -> Result<Campaign, CliError> {
        match self {
            Self::Log(file) => {
                let read = campaign_log::read_campaign(file);
                read.map_err(|error| with_server_hint(file, error))
            }
            #[cfg(feature = "server")]
            Self::Server { .. } => {
                let read = Campaign::read(&mut self.open_database()?);
                read.map_err(|error| campaign_log::open_error(self.name(), error))
            }
        }
    }

    /// Opens the campaign for changes. A log file is locked at once; `wait` limits the time to wait
    /// for that. A database has a limit of its own and is locked by the first change, so that the
    /// server does not wait for the replay of the log.
    pub(super) fn open(&self, wait: &WaitArgs) -> Result<CampaignSession<LogStore>, CliError> {
        self.open_with_lists(wait, &mut [], Path::new("."))
    }

    /// Opens the campaign as [`CampaignPlace::open`] does, to add these lists. Files that they name
    /// are read from a folder and stored on the server; a log keeps the names.
    #[cfg_attr(
        not(feature = "server"),
        expect(unused_variables, reason = "only a server stores files")
    )]
    pub(super) fn open_with_lists(
        &self,
        wait: &WaitArgs,
        lists: &mut [QuerySpec],
        folder: &Path,
    ) -> Result<CampaignSession<LogStore>, CliError> {
        let opened = match self {
            Self::Log(file) => {
                let store = campaign_log::open_store(file, wait);
                let store = store.map_err(|error| with_server_hint(file, error))?;
                CampaignSession::open(LogStore::File(store))
            }
            #[cfg(feature = "server")]
            Self::Server { .. } => {
                let mut store = self.open_database()?;
                if !lists.is_empty() {
                    store.add_media(lists, folder)?;
                }
                CampaignSession::open_unlocked(LogStore::Database(Box::new(store)))
            }
        };
        let session = opened.map_err(|error| campaign_log::open_error(self.name(), error))?;
        match session.store() {
            LogStore::File(store) => campaign_log::warn_of_moved_line(self.name(), store),
            #[cfg(feature = "server")]
            LogStore::Database(_) => {}
        }
        Ok(session)
    }

    /// Raises the maximum number of people from the panel of a server's campaign. Returns false if
    /// it is the current one.
    #[cfg_attr(
        not(feature = "server"),
        expect(unused_variables, reason = "only a server has panels")
    )]
    pub(super) fn raise_panel_limit(&self, limit: u32) -> Result<bool, CliError> {
        match self {
            Self::Log(file) => Err(CliError::input(format!(
                "--limit: a panel belongs to a campaign on a server, and `{file}` is a log"
            ))
            .with_hint("name the server with `--data DIR` or `--database URL`")),
            #[cfg(feature = "server")]
            Self::Server { .. } => Ok(self.open_database()?.raise_panel_limit(limit)?),
        }
    }

    /// Opens the log of the campaign on its server.
    #[cfg(feature = "server")]
    pub(super) fn open_database(&self) -> Result<DatabaseStore, CliError> {
        let Self::Server { storage, name, .. } = self else {
            return Err(CliError::internal("a log file is in no database"));
        };
        storage.open_log(name).map_err(|error| {
            let error = CliError::from(error);
            match Path::new(name).exists() {
                true => error.with_hint("leave --data and --database out to use the log file"),
                false => error,
            }
        })
    }
}

/// Adds the option that names a server to the error of a log that does not exist, if its name can be
/// that of a campaign on a server.
fn with_server_hint(file: &str, error: CliError) -> CliError {
    let is_allowed = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if file == "-" || !file.chars().all(is_allowed) || Path::new(file).exists() {
        return error;
    }
    error.with_hint("name the server of this campaign with `--data DIR`, or a log file")
}

/// Log of a campaign in either place.
pub(super) enum LogStore {
    File(FileStore),
    #[cfg(feature = "server")]
    Database(Box<DatabaseStore>),
}

impl CampaignStore for LogStore {
    type Error = CliError;

    fn lock(&mut self) -> Result<(), CliError> {
        match self {
            Self::File(store) => Ok(store.lock()?),
            #[cfg(feature = "server")]
            Self::Database(store) => Ok(store.lock()?),
        }
    }

    fn for_each_entry(
        &mut self,
        after: u64,
        take: &mut dyn FnMut(LogEntry),
    ) -> Result<(), CliError> {
        match self {
            Self::File(store) => Ok(store.for_each_entry(after, take)?),
            #[cfg(feature = "server")]
            Self::Database(store) => Ok(store.for_each_entry(after, take)?),
        }
    }

    fn append(&mut self, entries: &[LogEntry]) -> Result<(), CliError> {
        match self {
            Self::File(store) => Ok(store.append(entries)?),
            #[cfg(feature = "server")]
            Self::Database(store) => Ok(store.append(entries)?),
        }
    }

    fn unlock(&mut self) -> Result<(), CliError> {
        match self {
            Self::File(store) => Ok(store.unlock()?),
            #[cfg(feature = "server")]
            Self::Database(store) => Ok(store.unlock()?),
        }
    }

    fn is_registered(&mut self, assessor: &str) -> Result<bool, CliError> {
        match self {
            Self::File(store) => Ok(store.is_registered(assessor)?),
            #[cfg(feature = "server")]
            Self::Database(store) => Ok(store.is_registered(assessor)?),
        }
    }
}

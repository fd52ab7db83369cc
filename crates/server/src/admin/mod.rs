//! Administration without HTTP, for the command line. The operations work whether or not a server
//! is running, except that the target folder of a restore or a copy must not be in use.

mod backup;
mod campaigns;
mod database_store;
mod simulation;
mod takeover;
mod verify;
mod views;

use std::path::{Path, PathBuf};

pub use crate::auth::organiser::IssuedToken;
pub use crate::campaign::integrity::IntegrityError;
pub use crate::handlers::organise::invites::{InviteLink, InviteLinks};
pub use campaigns::{
    CampaignSummaries, CampaignSummary, InvitedPeople, TokenSummaries, TokenSummary,
};
pub use database_store::DatabaseStore;
pub use simulation::SimulatedCampaignOptions;
pub use verify::{CampaignVerification, VerificationReport};

use std::future::Future;
use std::sync::Arc;

use tokio::runtime::Runtime;

use crate::data_folder::DataFolder;
use crate::http::problem::HttpProblem;
use crate::server::{ServeError, open_store};
use crate::store::sqlite::SqliteStore;
use crate::store::{Store, StoreError, Transaction, migrations};
use crate::writer::JobError;

/// Storage that an administrative operation works on: a data folder, a PostgreSQL database or a
/// backup file.
#[derive(Clone, Debug)]
pub enum ServerStorage {
    /// Data folder of a server, which contains an SQLite database.
    Folder(PathBuf),
    /// URL of a PostgreSQL database.
    Postgres(String),
    /// Backup: a single SQLite file.
    Backup(PathBuf),
}

/// Error of an administrative operation.
#[derive(Debug, thiserror::Error)]
pub enum AdminError {
    /// The storage cannot be opened or used.
    #[error(transparent)]
    Storage(#[from] ServeError),
    /// The request is invalid; the text says why.
    #[error("{0}")]
    Rejected(String),
    /// The target already holds data. Existing data is never overwritten.
    #[error("{0} already exists; existing files are not overwritten")]
    NotEmpty(String),
    /// A backup contains damaged campaigns.
    #[error("{}: {}", file.display(), list_damage(campaigns))]
    Damaged {
        /// Path of the backup.
        file: PathBuf,
        /// Damaged campaigns.
        campaigns: Vec<CampaignVerification>,
    },
    /// A backup cannot be read.
    #[error("{}: {error}", file.display())]
    UnreadableBackup {
        /// Path of the backup.
        file: PathBuf,
        /// Error of the database.
        error: StoreError,
    },
    /// The database file of the storage does not exist.
    #[error("{0} does not exist")]
    Missing(PathBuf),
}

/// Lists damaged campaigns with their integrity errors.
fn list_damage(campaigns: &[CampaignVerification]) -> String {
    let damaged = campaigns.iter().map(CampaignVerification::describe);
    damaged.collect::<Vec<_>>().join("; ")
}

impl From<HttpProblem> for AdminError {
    fn from(problem: HttpProblem) -> Self {
        let field_errors = problem.errors.iter();
        let field_errors: Vec<String> = field_errors
            .map(|field_error| match field_error.pointer.as_str() {
                "" => field_error.detail.clone(),
                pointer => format!("{pointer}: {}", field_error.detail),
            })
            .collect();
        Self::Rejected(match field_errors.is_empty() {
            true => problem.detail,
            false => field_errors.join("\n"),
        })
    }
}

impl From<StoreError> for AdminError {
    fn from(error: StoreError) -> Self {
        Self::Storage(error.into())
    }
}

impl From<JobError> for AdminError {
    fn from(error: JobError) -> Self {
        match error {
            JobError::Problem(problem) => problem.into(),
            JobError::Store(error) => error.into(),
            JobError::RetryAfterSchedule(_) => {
                unreachable!("no schedule is computed in the background here")
            }
        }
    }
}

impl From<std::io::Error> for AdminError {
    fn from(error: std::io::Error) -> Self {
        Self::Storage(error.into())
    }
}

impl ServerStorage {
    /// Checks that the database of a folder, or the backup, exists, before longer work begins.
    ///
    /// # Errors
    /// Returns [`AdminError::Missing`] if it does not.
    pub fn check_exists(&self) -> Result<(), AdminError> {
        match self {
            Self::Folder(path) => require_file(&DataFolder::new(path).database_path()),
            Self::Backup(path) => require_file(path),
            Self::Postgres(_) => Ok(()),
        }
    }

    /// Opens the database and migrates it to the latest schema. The file of an SQLite database must
    /// exist.
    async fn open(&self) -> Result<Arc<dyn Store>, AdminError> {
        let store: Arc<dyn Store> = match self {
            Self::Folder(path) => {
                let folder = DataFolder::new(path);
                require_file(&folder.database_path())?;
                open_store(&folder, None).await?
            }
            Self::Postgres(url) => open_store(&DataFolder::new(Path::new(".")), Some(url)).await?,
            Self::Backup(path) => {
                require_file(path)?;
                let store = SqliteStore::open(path).await?;
                migrations::migrate(&store).await?;
                Arc::new(store)
            }
        };
        Ok(store)
    }

    /// Runs `work` in a write transaction; commits it if `work` succeeds, otherwise rolls it back.
    fn in_write_transaction<T>(
        &self,
        work: impl AsyncFnOnce(&mut dyn Transaction) -> Result<T, AdminError>,
    ) -> Result<T, AdminError> {
        block_on(async {
            let store = self.open().await?;
            let mut transaction = store.begin_write().await?;
            let result = work(transaction.as_mut()).await?;
            transaction.commit().await?;
            store.close().await;
            Ok(result)
        })
    }

    /// Runs `work` in a read transaction, which sees a consistent snapshot.
    fn in_read_transaction<T>(
        &self,
        work: impl AsyncFnOnce(&mut dyn Transaction) -> Result<T, AdminError>,
    ) -> Result<T, AdminError> {
        block_on(async {
            let store = self.open().await?;
            let mut transaction = store.begin_read().await?;
            let result = work(transaction.as_mut()).await?;
            // End the transaction: the store cannot close while one is open.
            transaction.rollback().await?;
            store.close().await;
            Ok(result)
        })
    }
}

/// Returns an error if there is no file at the path.
fn require_file(path: &Path) -> Result<(), AdminError> {
    match path.exists() {
        true => Ok(()),
        false => Err(AdminError::Missing(path.to_owned())),
    }
}

/// Runs a future to completion on a new Tokio runtime.
fn block_on<T>(work: impl Future<Output = Result<T, AdminError>>) -> Result<T, AdminError> {
    new_runtime()?.block_on(work)
}

/// Starts a Tokio runtime.
fn new_runtime() -> Result<Runtime, AdminError> {
    let mut runtime = tokio::runtime::Builder::new_multi_thread();
    Ok(runtime.enable_all().build()?)
}

//! What an organiser does at the server's own machine, beside a server that runs or without one.

mod backup;
mod campaigns;
mod simulation;
mod verify;
mod views;

use std::path::{Path, PathBuf};

pub use campaigns::{
    CampaignSummaries, CampaignSummary, InviteLink, InviteLinks, IssuedToken, TokenSummaries,
    TokenSummary,
};
pub use simulation::SimulatedCampaignOptions;
pub use verify::{CampaignVerification, IntegrityError, VerificationReport};

use std::future::Future;
use std::sync::Arc;

use crate::data_folder::DataFolder;
use crate::http::problem::HttpProblem;
use crate::server::{ServeError, open_store};
use crate::store::sqlite::SqliteStore;
use crate::store::{Store, migrations};

/// Where a server keeps everything.
#[derive(Clone, Debug)]
pub enum ServerStorage {
    /// The folder of a server, with SQLite in it.
    Folder(PathBuf),
    /// A PostgreSQL database.
    Postgres(String),
    /// A backup: one SQLite file.
    Backup(PathBuf),
}

/// Why something could not be done.
#[derive(Debug, thiserror::Error)]
pub enum AdminError {
    /// The place cannot be used.
    #[error(transparent)]
    Storage(#[from] ServeError),
    /// The request is wrong.
    #[error("{0}")]
    Rejected(String),
    /// There is something already, and nothing is ever written over.
    #[error("{0} already exists; existing files are not overwritten")]
    NotEmpty(String),
    /// There is nothing.
    #[error("{0} does not exist")]
    Missing(PathBuf),
}

impl From<HttpProblem> for AdminError {
    fn from(problem: HttpProblem) -> Self {
        let faults = problem.errors.iter();
        let faults: Vec<String> = faults
            .map(|fault| match fault.pointer.as_str() {
                "" => fault.detail.clone(),
                pointer => format!("{pointer}: {}", fault.detail),
            })
            .collect();
        Self::Rejected(match faults.is_empty() {
            true => problem.detail,
            false => faults.join("\n"),
        })
    }
}

impl From<crate::store::StoreError> for AdminError {
    fn from(error: crate::store::StoreError) -> Self {
        Self::Storage(error.into())
    }
}

impl From<crate::writer::JobError> for AdminError {
    fn from(refused: crate::writer::JobError) -> Self {
        match refused {
            crate::writer::JobError::Problem(problem) => problem.into(),
            crate::writer::JobError::Store(error) => error.into(),
            crate::writer::JobError::RetryAfterSchedule(_) => {
                unreachable!("a command makes no plan that it could wait for")
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
    /// The database of a place where there is one.
    async fn open(&self) -> Result<Arc<dyn Store>, AdminError> {
        let store: Arc<dyn Store> = match self {
            Self::Folder(path) => {
                let folder = DataFolder::new(path);
                require_file(&folder.database())?;
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
}

fn require_file(path: &Path) -> Result<(), AdminError> {
    match path.exists() {
        true => Ok(()),
        false => Err(AdminError::Missing(path.to_owned())),
    }
}

/// Does something to its end.
fn block_on<T>(work: impl Future<Output = Result<T, AdminError>>) -> Result<T, AdminError> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    runtime.block_on(work)
}

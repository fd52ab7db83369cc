//! What an organiser does at the server's own machine, beside a server that runs or without one.

mod campaigns;
mod copy;
mod present;
mod simulated;
mod verify;

use std::path::{Path, PathBuf};

pub use campaigns::{
    CampaignListed, CampaignsListed, InviteMade, InvitesMade, TokenListed, TokenMade, TokensListed,
};
pub use simulated::SimulatedJudges;
pub use verify::{Unsound, Verified, VerifiedCampaign};

use std::future::Future;
use std::sync::Arc;

use crate::folder::Folder;
use crate::problem::Problem;
use crate::serve::{ServeError, open_store};
use crate::store::sqlite::SqliteStore;
use crate::store::{Store, migrations};

/// Where a server keeps everything.
#[derive(Clone, Debug)]
pub enum Place {
    /// The folder of a server, with SQLite in it.
    Folder(PathBuf),
    /// A PostgreSQL database.
    Postgres(String),
    /// A backup: one SQLite file.
    File(PathBuf),
}

/// Why something could not be done.
#[derive(Debug, thiserror::Error)]
pub enum NotDone {
    /// The place cannot be used.
    #[error(transparent)]
    Place(#[from] ServeError),
    /// The request is wrong.
    #[error("{0}")]
    Refused(String),
    /// There is something already, and nothing is ever written over.
    #[error("{0} already exists and is never overwritten")]
    NotEmpty(String),
    /// There is nothing.
    #[error("{0}: there is nothing of this name")]
    Missing(PathBuf),
}

impl From<Problem> for NotDone {
    fn from(problem: Problem) -> Self {
        let faults = problem.errors.iter();
        let faults: Vec<String> = faults
            .map(|fault| match fault.pointer.as_str() {
                "" => fault.detail.clone(),
                pointer => format!("{pointer}: {}", fault.detail),
            })
            .collect();
        Self::Refused(match faults.is_empty() {
            true => problem.detail,
            false => faults.join("\n"),
        })
    }
}

impl From<crate::store::StoreError> for NotDone {
    fn from(error: crate::store::StoreError) -> Self {
        Self::Place(error.into())
    }
}

impl From<crate::desk::Refused> for NotDone {
    fn from(refused: crate::desk::Refused) -> Self {
        match refused {
            crate::desk::Refused::Problem(problem) => problem.into(),
            crate::desk::Refused::Store(error) => error.into(),
            crate::desk::Refused::AfterPlan(_) => {
                unreachable!("a command makes no plan that it could wait for")
            }
        }
    }
}

impl From<std::io::Error> for NotDone {
    fn from(error: std::io::Error) -> Self {
        Self::Place(error.into())
    }
}

impl Place {
    /// The database of a place where there is one.
    async fn open(&self) -> Result<Arc<dyn Store>, NotDone> {
        let store: Arc<dyn Store> = match self {
            Self::Folder(path) => {
                let folder = Folder::at(path);
                exists(&folder.database())?;
                open_store(&folder, None).await?
            }
            Self::Postgres(url) => open_store(&Folder::at(Path::new(".")), Some(url)).await?,
            Self::File(path) => {
                exists(path)?;
                let store = SqliteStore::open(path).await?;
                migrations::migrate(&store).await?;
                Arc::new(store)
            }
        };
        Ok(store)
    }
}

fn exists(path: &Path) -> Result<(), NotDone> {
    match path.exists() {
        true => Ok(()),
        false => Err(NotDone::Missing(path.to_owned())),
    }
}

/// Does something to its end.
fn wait<T>(work: impl Future<Output = Result<T, NotDone>>) -> Result<T, NotDone> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    runtime.block_on(work)
}

//! Data folder of a server: paths of its files, and its lock.

use std::fs::{DirBuilder, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use crate::ServeError;

/// Folder that holds the database, the secret, the lock file and the first organiser token of a
/// server.
pub(crate) struct DataFolder {
    path: PathBuf,
}

impl DataFolder {
    /// Returns the folder at a path, without creating it.
    pub(crate) fn new(path: &Path) -> Self {
        Self {
            path: path.to_owned(),
        }
    }

    /// Opens the folder; creates it with private permissions if it does not exist.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        let mut builder = DirBuilder::new();
        let made = builder.recursive(true).mode(0o700).create(path);
        made.map_err(|error| with_path(path, &error))?;
        Ok(Self {
            path: path.to_owned(),
        })
    }

    /// Returns the path of the SQLite database.
    pub(crate) fn database_path(&self) -> PathBuf {
        self.path.join("partita.db")
    }

    /// Returns the path of the server secret.
    pub(crate) fn secret_path(&self) -> PathBuf {
        self.path.join("secret")
    }

    /// Returns the path of the file with the first organiser token.
    pub(crate) fn organiser_token_path(&self) -> PathBuf {
        self.path.join("organiser.token")
    }

    /// Locks the folder, so that no other server uses it. The lock is released when the returned
    /// file is dropped.
    pub(crate) fn lock(&self) -> Result<std::fs::File, ServeError> {
        let path = self.path.join("lock");
        let file = OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .mode(0o600)
            .open(&path)
            .map_err(|error| with_path(&path, &error))?;
        match file.try_lock() {
            Ok(()) => Ok(file),
            Err(std::fs::TryLockError::WouldBlock) => {
                Err(ServeError::FolderInUse(self.path.clone()))
            }
            Err(std::fs::TryLockError::Error(error)) => Err(error.into()),
        }
    }
}

/// Adds a path to the message of an I/O error.
fn with_path(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

/// Creates a file that only its owner can read. Fails if the file exists.
pub(crate) fn write_private_file(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(path)
        .map_err(|error| with_path(path, &error))?;
    let written = file.write_all(bytes).and_then(|()| file.sync_all());
    if written.is_err() {
        // Remove the partial file; the first error is the one to report.
        let _ = std::fs::remove_file(path);
    }
    written.map_err(|error| with_path(path, &error))
}

//! The folder of a server.

use std::fs::{DirBuilder, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use crate::ServeError;

/// The folder that a server keeps its files in.
pub(crate) struct DataFolder {
    path: PathBuf,
}

impl DataFolder {
    /// A folder that may be there or not.
    pub(crate) fn new(path: &Path) -> Self {
        Self {
            path: path.to_owned(),
        }
    }

    /// Opens a folder, or makes it for the owner alone.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        let mut builder = DirBuilder::new();
        let made = builder.recursive(true).mode(0o700).create(path);
        made.map_err(|error| with_path(path, &error))?;
        Ok(Self {
            path: path.to_owned(),
        })
    }

    /// The database, where it lies in the folder.
    pub(crate) fn database(&self) -> PathBuf {
        self.path.join("partita.db")
    }

    /// The secret.
    pub(crate) fn secret(&self) -> PathBuf {
        self.path.join("secret")
    }

    /// The first organiser's token.
    pub(crate) fn organiser_token(&self) -> PathBuf {
        self.path.join("organiser.token")
    }

    /// Takes the folder for one server alone, until the file is dropped.
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

/// An error with the file that it is about.
fn with_path(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

/// Writes a file that only its owner reads, and never over another.
pub(crate) fn write_private_file(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(path)
        .map_err(|error| with_path(path, &error))?;
    let written = file.write_all(bytes).and_then(|()| file.sync_all());
    if written.is_err() {
        // Half of it is of no use, and the error that counts is the first.
        let _ = std::fs::remove_file(path);
    }
    written.map_err(|error| with_path(path, &error))
}

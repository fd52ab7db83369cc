//! Data folder of a server: paths of its files, and its lock.

use std::fs::{DirBuilder, OpenOptions, TryLockError};
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::ServeError;

/// Number of attempts to lock a folder, and the delay between them. A command that looks whether a
/// server runs holds the lock for a moment.
const LOCK_ATTEMPTS: usize = 10;
const LOCK_RETRY_DELAY: Duration = Duration::from_millis(20);

/// Addresses of a running server, as it keeps them in its data folder.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct StoredAddresses {
    /// URL with which links to the server begin: its public URL, or else that of its listen address.
    pub(crate) public_url: String,
    /// URL of the public endpoints.
    pub(crate) url: String,
    /// URL of the health and metrics endpoints.
    pub(crate) local: String,
}

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
        let path = self.lock_path();
        let file = OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .mode(0o600)
            .open(&path)
            .map_err(|error| with_path(&path, &error))?;
        for _ in 0..LOCK_ATTEMPTS {
            match file.try_lock() {
                Ok(()) => return Ok(file),
                Err(TryLockError::WouldBlock) => std::thread::sleep(LOCK_RETRY_DELAY),
                Err(TryLockError::Error(error)) => return Err(error.into()),
            }
        }
        Err(ServeError::FolderInUse(self.path.clone()))
    }

    /// Writes the addresses of the server that has locked the folder.
    pub(crate) fn write_addresses(&self, addresses: &StoredAddresses) -> io::Result<()> {
        let (path, new) = (self.addresses_path(), self.path.join("addresses.json.new"));
        remove_if_exists(&new)?;
        let text = serde_json::to_string(addresses).expect("three texts");
        write_private_file(&new, format!("{text}\n").as_bytes())?;
        std::fs::rename(&new, &path).map_err(|error| with_path(&path, &error))
    }

    /// Removes the addresses of the server that has locked the folder, or of an earlier one that
    /// was killed.
    pub(crate) fn remove_addresses(&self) -> io::Result<()> {
        remove_if_exists(&self.addresses_path())
    }

    /// Returns the addresses of the server that runs on the folder, if any. Those of a server that
    /// was killed are ignored: it no longer holds the lock.
    pub(crate) fn running_addresses(&self) -> io::Result<Option<StoredAddresses>> {
        let file = match std::fs::File::open(self.lock_path()) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(with_path(&self.lock_path(), &error)),
        };
        match file.try_lock_shared() {
            Ok(()) => return Ok(None),
            Err(TryLockError::WouldBlock) => {}
            Err(TryLockError::Error(error)) => return Err(with_path(&self.lock_path(), &error)),
        }
        let path = self.addresses_path();
        match std::fs::read(&path) {
            // A server that is starting has no addresses yet, and a damaged file counts as none.
            Ok(text) => Ok(serde_json::from_slice(&text).ok()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(with_path(&path, &error)),
        }
    }

    fn lock_path(&self) -> PathBuf {
        self.path.join("lock")
    }

    fn addresses_path(&self) -> PathBuf {
        self.path.join("addresses.json")
    }
}

/// Removes a file; succeeds if there is none.
fn remove_if_exists(path: &Path) -> io::Result<()> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(with_path(path, &error)),
        _ => Ok(()),
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

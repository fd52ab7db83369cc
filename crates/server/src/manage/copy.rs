//! Copies of everything: backups, restored backups, and moves from one database to another.

use std::path::Path;

use super::{NotDone, Place, wait};
use crate::folder::{Folder, write_private};
use crate::store::sqlite::SqliteStore;
use crate::store::statement as sql;
use crate::store::{Store, StoreError, migrations};

impl Place {
    /// Writes everything but the secret into one file, as it is at one moment, beside a server that runs.
    ///
    /// # Errors
    /// A file that exists, or a database that fails; no half of a file is left.
    pub fn backup(&self, file: &Path) -> Result<(), NotDone> {
        wait(async {
            let source = self.open().await?;
            if file.exists() {
                return Err(NotDone::NotEmpty(file.display().to_string()));
            }
            let copied = into_file(source.as_ref(), file).await;
            if copied.is_err() {
                // What is left of it is of no use, and the error that counts is the first.
                let _ = std::fs::remove_file(file);
            }
            copied
        })
    }

    /// Makes this place of a backup.
    ///
    /// # Errors
    /// A place in which there is something.
    pub fn restore(&self, file: &Path) -> Result<(), NotDone> {
        Self::File(file.to_owned()).copy_to(self)
    }

    /// Copies everything but the secret to a place in which there is nothing.
    ///
    /// # Errors
    /// A place in which there is something, or that a server uses.
    pub fn copy_to(&self, target: &Self) -> Result<(), NotDone> {
        wait(async {
            let source = self.open().await?;
            match target {
                Self::Folder(path) => {
                    let folder = Folder::open(path)?;
                    let _lock = folder.lock()?;
                    if folder.database().exists() {
                        return Err(NotDone::NotEmpty(path.display().to_string()));
                    }
                    let copied = into_file(source.as_ref(), &folder.database()).await;
                    if copied.is_err() {
                        // As in a backup.
                        let _ = std::fs::remove_file(folder.database());
                    }
                    copied
                }
                Self::File(path) => into_file(source.as_ref(), path).await,
                Self::Postgres(_) => {
                    let store = target.open().await?;
                    let copied = into(source.as_ref(), store.as_ref()).await;
                    store.close().await;
                    copied
                }
            }
        })
    }
}

async fn into_file(source: &dyn Store, file: &Path) -> Result<(), NotDone> {
    // Made before the database opens it, so that nobody else reads it for a moment.
    write_private(file, b"")?;
    let store = SqliteStore::open(file).await?;
    migrations::migrate(&store).await?;
    let copied = into(source, &store).await;
    // The log beside the file is taken in when the last connection closes.
    store.close().await;
    copied
}

/// Copies everything at one moment.
async fn into(source: &dyn Store, target: &dyn Store) -> Result<(), NotDone> {
    let mut read = source.read().await?;
    let mut write = target.write().await?;
    for (all, _) in sql::TABLES {
        if !write.rows(all, vec![]).await?.is_empty() {
            return Err(NotDone::NotEmpty("the database".to_owned()));
        }
    }
    // Files are large, so that only one of them is in memory at a time.
    for mut row in read.rows(&sql::MEDIA_ALL, vec![]).await? {
        let (id, kind, millis) = (row.text()?, row.text()?, row.int_or_null());
        let found = read.rows(&sql::MEDIA_GET, vec![id.as_str().into()]).await?;
        let mut found = found
            .into_iter()
            .next()
            .ok_or_else(|| StoreError::Damaged(format!("the file {id} is gone")))?;
        let (_, bytes) = (found.text()?, found.bytes()?);
        let size = bytes.len() as i64;
        let values = vec![
            id.into(),
            kind.into(),
            size.into(),
            millis.into(),
            bytes.into(),
        ];
        write.run(&sql::MEDIA_ADD, values).await?;
    }
    for (all, copy) in sql::TABLES {
        for row in read.rows(all, vec![]).await? {
            write.run(copy, row.rest()).await?;
        }
    }
    read.rollback().await?;
    Ok(write.commit().await?)
}

//! Backups, restores, and moves from one database to another.

use std::path::Path;

use super::{AdminError, CampaignVerification, ServerStorage, block_on};
use crate::data_folder::{DataFolder, write_private_file};
use crate::store::sqlite::SqliteStore;
use crate::store::statement as sql;
use crate::store::{Store, StoreError, migrations};

impl ServerStorage {
    /// Writes a consistent snapshot of the database into one SQLite file, without the server secret
    /// and the sessions of organisers. A server may be running meanwhile.
    ///
    /// # Errors
    /// Returns an [`AdminError`] if the storage cannot be opened, the file exists or cannot be
    /// written, or the database fails. A partial file is removed.
    pub fn backup(&self, file: &Path) -> Result<(), AdminError> {
        block_on(async {
            let source = self.open().await?;
            if file.exists() {
                return Err(AdminError::NotEmpty(file.display().to_string()));
            }
            let copied = copy_into_file(source.as_ref(), file).await;
            if copied.is_err() {
                // Ignore a failure to remove the partial file: the first error is the one to
                // report.
                let _ = std::fs::remove_file(file);
            }
            copied
        })
    }

    /// Fills this empty storage from a backup file, whose campaigns are
    /// [verified](ServerStorage::verify) first. With `anyway`, damaged campaigns are restored as they
    /// are, and returned.
    ///
    /// # Errors
    /// Returns [`AdminError::Damaged`] if a campaign is damaged and `anyway` is false,
    /// [`AdminError::NotEmpty`] if the data folder already has a database or the PostgreSQL
    /// database already holds data, or another [`AdminError`] if the copy fails or a server uses
    /// the data folder.
    pub fn restore(
        &self,
        file: &Path,
        anyway: bool,
    ) -> Result<Vec<CampaignVerification>, AdminError> {
        let backup = Self::Backup(file.to_owned());
        let mut campaigns = backup.verify()?.campaigns;
        campaigns.retain(|campaign| campaign.unsound.is_some());
        if !campaigns.is_empty() && !anyway {
            let file = file.to_owned();
            return Err(AdminError::Damaged { file, campaigns });
        }
        backup.copy_to(self)?;
        Ok(campaigns)
    }

    /// Copies the database to an empty storage, without the server secret and the sessions of
    /// organisers.
    ///
    /// # Errors
    /// Returns an [`AdminError`] if the source cannot be read, the target already holds data or
    /// cannot be written, or a server uses the data folder of the target.
    pub fn copy_to(&self, target: &Self) -> Result<(), AdminError> {
        block_on(async {
            let source = self.open().await?;
            match target {
                Self::Folder(path) => {
                    let folder = DataFolder::open(path)?;
                    let _lock = folder.lock()?;
                    if folder.database_path().exists() {
                        return Err(AdminError::NotEmpty(path.display().to_string()));
                    }
                    let copied = copy_into_file(source.as_ref(), &folder.database_path()).await;
                    if copied.is_err() {
                        // Remove the partial database; the first error is the one to report.
                        let _ = std::fs::remove_file(folder.database_path());
                    }
                    copied
                }
                Self::Backup(path) => copy_into_file(source.as_ref(), path).await,
                Self::Postgres(_) => {
                    let store = target.open().await?;
                    let copied = copy_rows(source.as_ref(), store.as_ref()).await;
                    store.close().await;
                    copied
                }
            }
        })
    }
}

/// Copies a database into a new SQLite file at a path.
async fn copy_into_file(source: &dyn Store, file: &Path) -> Result<(), AdminError> {
    // Create the file with private permissions before SQLite opens it, so that it is never readable
    // by others.
    write_private_file(file, b"")?;
    let store = SqliteStore::open(file).await?;
    migrations::migrate(&store).await?;
    let copied = copy_rows(source, &store).await;
    // SQLite merges the write-ahead log into the file when the last connection closes.
    store.close().await;
    copied
}

/// Copies the media files and all tables of [`sql::TABLE_COPY_STATEMENTS`]. All are read in one
/// transaction, so that the copy is consistent.
async fn copy_rows(source: &dyn Store, target: &dyn Store) -> Result<(), AdminError> {
    let mut read = source.begin_read().await?;
    let mut write = target.begin_write().await?;
    for (all, _) in sql::TABLE_COPY_STATEMENTS {
        if !write.fetch_all(all, vec![]).await?.is_empty() {
            return Err(AdminError::NotEmpty("the database".to_owned()));
        }
    }
    // Media files are large: keep only one of them in memory at a time.
    for mut row in read.fetch_all(&sql::MEDIA_ALL, vec![]).await? {
        let (id, kind, millis) = (row.text()?, row.text()?, row.int_or_null());
        let found = read
            .fetch_all(&sql::MEDIA_GET, vec![id.as_str().into()])
            .await?;
        let mut found = found
            .into_iter()
            .next()
            .ok_or_else(|| StoreError::corrupted(format!("the file {id} is missing")))?;
        let (_, bytes) = (found.text()?, found.bytes()?);
        let size = bytes.len() as i64;
        let values = vec![
            id.into(),
            kind.into(),
            size.into(),
            millis.into(),
            bytes.into(),
        ];
        write.execute(&sql::MEDIA_ADD, values).await?;
    }
    for (all, copy) in sql::TABLE_COPY_STATEMENTS {
        for row in read.fetch_all(all, vec![]).await? {
            write.execute(copy, row.into_values()).await?;
        }
    }
    read.rollback().await?;
    Ok(write.commit().await?)
}

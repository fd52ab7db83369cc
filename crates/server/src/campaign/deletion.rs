//! Deletion of a campaign with everything that belongs to it.

use std::collections::HashSet;

use super::state::CampaignPhase;
use crate::AppState;
use crate::http::problem::{HttpProblem, ProblemKind};
use crate::media::is_media_id;
use crate::store::statement::{self as sql, Statement};
use crate::store::{CampaignNumber, Store, StoreError, Transaction};
use crate::writer::{JobError, UnixMillis};

/// Key of the database row with the largest number of a deleted campaign. Numbers are not used
/// again, because readers recognise a campaign by its number.
const DELETED_NUMBER_KEY: &str = "deleted_campaign_number";

/// Statements that delete the rows of a campaign by the row keys of its events or tasks, in an order
/// in which each row is deleted before the rows that it refers to. Remarks refer to tasks and are
/// deleted before.
static STATEMENTS_BY_KEY: [&Statement; 3] =
    [&sql::DRAFTS_DELETE, &sql::EVENTS_DELETE, &sql::TASKS_DELETE];

/// Statements that then delete the other rows of a campaign, by its name.
static STATEMENTS_BY_NAME: [&Statement; 6] = [
    &sql::CLAIMS_DELETE,
    &sql::INVITES_DELETE,
    &sql::PERSON_TOKENS_DELETE,
    &sql::PERSONS_DELETE,
    &sql::CAMPAIGN_TOKENS_DELETE,
    &sql::CAMPAIGN_DELETE,
];

/// Script that creates indexes for the time of a deletion. The database looks for references to each
/// deleted row, and would scan whole tables of other campaigns for it. Permanent indexes would slow
/// down every answer.
const CREATE_INDEXES: &str = "\
    CREATE INDEX deletion_event_task ON event (task);\n\
    CREATE INDEX deletion_remark_task ON remark (task);\n\
    CREATE INDEX deletion_remark_person ON remark (person);\n\
    CREATE INDEX deletion_task_person ON task (person);\n\
    CREATE INDEX deletion_claim_person ON claim (person);\n\
    CREATE INDEX deletion_invite_person ON invite (person);";

/// Script that drops the indexes of [`CREATE_INDEXES`].
const DROP_INDEXES: &str = "\
    DROP INDEX deletion_event_task;\n\
    DROP INDEX deletion_remark_task;\n\
    DROP INDEX deletion_remark_person;\n\
    DROP INDEX deletion_task_person;\n\
    DROP INDEX deletion_claim_person;\n\
    DROP INDEX deletion_invite_person;";

/// Deletes a closed campaign: its log, people, tasks, links, tokens and remarks, and the media files
/// that no other campaign uses. Also deletes expired tokens of assessors. A damaged campaign can
/// never be closed, so `is_damaged` allows its deletion, too.
///
/// # Errors
/// Returns a problem if the campaign does not exist or is not closed.
pub(crate) async fn delete_campaign(
    transaction: &mut dyn Transaction,
    name: &str,
    is_damaged: bool,
    now: UnixMillis,
) -> Result<(), JobError> {
    transaction.fetch_all(&sql::SCHEMA_LOCK, vec![]).await?;
    let locked = transaction
        .fetch_optional(&sql::CAMPAIGN_LOCK, vec![name.into()])
        .await?;
    let mut locked = locked.ok_or_else(|| HttpProblem::not_found("campaign"))?;
    let number = CampaignNumber(locked.int()?);
    let row = transaction
        .fetch_optional(&sql::CAMPAIGN_GET, vec![name.into()])
        .await?;
    let phase = row.expect("its row is locked").text()?;
    if phase != CampaignPhase::Closed.to_string() && !is_damaged {
        let detail = "only a closed campaign can be deleted; close it first";
        return Err(HttpProblem::new(ProblemKind::CampaignOpen, detail).into());
    }
    let own = media_of(transaction, &sql::MEDIA_LINES_OF_CAMPAIGN, name).await?;
    transaction.execute_script(CREATE_INDEXES).await?;
    transaction
        .execute(&sql::REMARKS_DELETE, vec![name.into()])
        .await?;
    for statement in STATEMENTS_BY_KEY {
        transaction.execute(statement, number.keys_after(0)).await?;
    }
    for statement in STATEMENTS_BY_NAME {
        transaction.execute(statement, vec![name.into()]).await?;
    }
    transaction.execute_script(DROP_INDEXES).await?;
    if !own.is_empty() {
        let used = media_of(transaction, &sql::MEDIA_LINES_OF_OTHERS, name).await?;
        for id in own.difference(&used) {
            transaction
                .execute(&sql::MEDIA_DELETE, vec![id.as_str().into()])
                .await?;
        }
    }
    keep_number(transaction, number).await?;
    purge_expired_tokens(transaction, now).await?;
    Ok(())
}

/// Returns the ids of the media files that log lines name. `statement` selects the lines by the name
/// of a campaign. The lines are not parsed, because one of them may be damaged.
async fn media_of(
    transaction: &mut dyn Transaction,
    statement: &'static Statement,
    campaign: &str,
) -> Result<HashSet<String>, StoreError> {
    let mut ids = HashSet::new();
    for mut row in transaction
        .fetch_all(statement, vec![campaign.into()])
        .await?
    {
        let line = row.text()?;
        let texts = line.split('"').filter(|text| is_media_id(text));
        ids.extend(texts.map(str::to_owned));
    }
    Ok(ids)
}

/// Stores the number of a deleted campaign, unless a larger one is stored.
async fn keep_number(
    transaction: &mut dyn Transaction,
    CampaignNumber(number): CampaignNumber,
) -> Result<(), StoreError> {
    let key = || DELETED_NUMBER_KEY.into();
    let known = transaction
        .fetch_optional(&sql::META_GET, vec![key()])
        .await?;
    let known = known.map(|mut row| row.text()).transpose()?;
    let largest = known.and_then(|text| text.parse().ok()).unwrap_or(0);
    if number > largest {
        let values = vec![key(), number.to_string().into()];
        transaction.execute(&sql::META_SET, values).await?;
    }
    Ok(())
}

/// Deletes the expired tokens of assessors and sessions of organisers.
pub(crate) async fn purge_expired_tokens(
    transaction: &mut dyn Transaction,
    now: UnixMillis,
) -> Result<(), StoreError> {
    for statement in [&sql::PERSON_TOKEN_EXPIRE, &sql::SESSION_EXPIRE] {
        transaction.execute(statement, vec![now.0.into()]).await?;
    }
    Ok(())
}

impl AppState {
    /// Deletes a closed or damaged campaign, and what is cached of it.
    ///
    /// # Errors
    /// Returns a problem if the campaign does not exist or is not closed, or if nothing can be
    /// saved.
    pub(crate) async fn delete_campaign(&self, name: &str) -> Result<(), HttpProblem> {
        let is_damaged = self.writer.damaged.contains(name);
        let campaign = name.to_owned();
        let deleted = self.writer.run_transaction(move |transaction, now| {
            Box::pin(async move { delete_campaign(transaction, &campaign, is_damaged, now).await })
        });
        deleted.await?;
        self.token_cache.remove_campaign(name);
        self.writer.damaged.remove(name);
        self.reclaim_space().await;
        Ok(())
    }

    /// Gives the space of deleted rows back to the file system.
    async fn reclaim_space(&self) {
        if let Err(error) = self.store.reclaim_space().await {
            // The rows are deleted; the space is used by later rows.
            crate::log_error(&error);
        }
    }

    /// Deletes expired tokens, if there are any.
    pub(crate) async fn purge_expired_tokens(&self) {
        if !matches!(has_expired_tokens(self.store.as_ref()).await, Ok(true)) {
            return;
        }
        let purged = self.writer.run_transaction(|transaction, now| {
            Box::pin(async move { Ok(purge_expired_tokens(transaction, now).await?) })
        });
        // The writer logs an error; the next attempt follows.
        let _ = purged.await;
    }
}

/// Returns true if the database contains expired tokens of assessors.
async fn has_expired_tokens(store: &dyn Store) -> Result<bool, StoreError> {
    let mut read = store.begin_read().await?;
    let now = vec![UnixMillis::now().0.into()];
    let found = read.fetch_optional(&sql::PERSON_TOKEN_EXPIRED, now).await?;
    read.rollback().await?;
    Ok(found.is_some())
}

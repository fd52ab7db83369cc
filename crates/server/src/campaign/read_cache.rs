//! Read cache of campaigns for organisers. It reads the database directly and never blocks the
//! writer.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use partita::judging::campaign::log::{LogReader, LogTail};
use partita::judging::campaign::{Campaign, Event, JudgmentKind};

use crate::AppState;
use crate::http::problem::HttpProblem;
use crate::store::statement as sql;
use crate::store::{CampaignNumber, StoreError, Transaction};

/// Campaign replayed from its log, and the tail of the log up to which it was replayed.
struct CachedCampaign {
    campaign: Campaign,
    tail: LogTail,
}

/// Cache of the campaigns that organisers viewed. Each access reads and applies only the log lines
/// added since the previous access.
#[derive(Default)]
pub(crate) struct CampaignReadCache(Mutex<HashMap<String, Arc<Mutex<Option<CachedCampaign>>>>>);

/// Reads the log lines of a campaign that follow the event with sequence number `after`, without
/// line terminators.
pub(crate) async fn fetch_log_lines(
    transaction: &mut dyn Transaction,
    campaign: &str,
    after: i64,
) -> Result<Vec<String>, HttpProblem> {
    let known = transaction
        .fetch_optional(&sql::CAMPAIGN_NUMBER, vec![campaign.into()])
        .await?;
    let mut known = known.ok_or_else(|| HttpProblem::not_found("campaign"))?;
    let after = CampaignNumber(known.int()?).keys_after(after);
    let rows = transaction.fetch_all(&sql::EVENT_AFTER, after).await?;
    let lines: Result<Vec<String>, StoreError> =
        rows.into_iter().map(|mut row| row.text()).collect();
    Ok(lines?)
}

/// Part of a campaign's description that never changes.
#[derive(serde::Deserialize)]
pub(crate) struct CampaignHeader {
    pub(crate) kinds: Vec<JudgmentKind>,
}

impl CampaignHeader {
    /// Reads the header from the first line of the log.
    pub(crate) fn parse(line: &str) -> Result<Self, StoreError> {
        #[derive(serde::Deserialize)]
        struct FirstLine {
            spec: CampaignHeader,
        }
        let line: FirstLine = serde_json::from_str(line).map_err(StoreError::corrupted)?;
        Ok(line.spec)
    }

    /// Reads the header of a campaign from the database; returns `None` if it does not exist.
    pub(crate) async fn fetch(
        transaction: &mut dyn Transaction,
        campaign: &str,
    ) -> Result<Option<Self>, StoreError> {
        let known = transaction
            .fetch_optional(&sql::CAMPAIGN_NUMBER, vec![campaign.into()])
            .await?;
        let Some(mut known) = known else {
            return Ok(None);
        };
        let key = CampaignNumber(known.int()?).row_key(1);
        let line = transaction
            .fetch_optional(&sql::EVENT_LINE, vec![key.into()])
            .await?;
        let mut line = line.ok_or_else(|| StoreError::corrupted("a log has no first event"))?;
        Self::parse(&line.text()?).map(Some)
    }
}

impl AppState {
    /// Waits until the queued jobs of the campaign have run and no schedule (choice of the next
    /// questions) is due or being computed, but at most 10 seconds for schedules. A log and a state
    /// that are read afterwards match, unless a new event is recorded between the two reads.
    pub(crate) async fn wait_for_pending_changes(&self, name: &str) -> Result<(), HttpProblem> {
        let finished = self.writer.run_job_after_scheduling(name, |context| {
            let waited = context.wait_for_schedule();
            Box::pin(async { waited })
        });
        finished.await
    }

    /// Brings the cached campaign up to date with its log and passes it to a closure, which runs on
    /// a blocking thread.
    pub(crate) async fn with_campaign<T: Send + 'static>(
        &self,
        name: &str,
        work: impl FnOnce(&Campaign) -> Result<T, HttpProblem> + Send + 'static,
    ) -> Result<T, HttpProblem> {
        self.wait_for_pending_changes(name).await?;
        self.with_stored_campaign(name, work).await
    }

    /// Does the same as [`AppState::with_campaign`], without waiting for jobs and schedules.
    pub(crate) async fn with_stored_campaign<T: Send + 'static>(
        &self,
        name: &str,
        work: impl FnOnce(&Campaign) -> Result<T, HttpProblem> + Send + 'static,
    ) -> Result<T, HttpProblem> {
        let slot = {
            let mut all = self
                .read_cache
                .0
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            all.entry(name.to_owned()).or_default().clone()
        };
        let last_seq = {
            let cached = slot.lock().unwrap_or_else(PoisonError::into_inner);
            cached.as_ref().map_or(0, |cached| cached.tail.seq)
        };
        let mut read = self.store.begin_read().await?;
        let lines = fetch_log_lines(read.as_mut(), name, last_seq as i64).await?;
        read.rollback().await?;
        let result = tokio::task::spawn_blocking(move || {
            let mut cached = slot.lock().unwrap_or_else(PoisonError::into_inner);
            apply_new_lines(&mut cached, &lines)?;
            let cached = cached
                .as_ref()
                .expect("`apply_new_lines` filled the cache entry");
            work(&cached.campaign)
        });
        result.await.map_err(|_| HttpProblem::unavailable())?
    }
}

/// Applies new log lines to the cached campaign.
fn apply_new_lines(
    cached: &mut Option<CachedCampaign>,
    lines: &[String],
) -> Result<(), HttpProblem> {
    let tail = cached.as_ref().map(|cached| cached.tail);
    let mut reader = tail.map_or_else(LogReader::default, LogReader::from_tail);
    let mut entries = Vec::with_capacity(lines.len());
    for line in lines {
        // Skip the line if another request has applied it in the meantime.
        if tail.is_some_and(|tail| line_seq(line) <= tail.seq) {
            continue;
        }
        let entry = reader.read_entry(line.as_bytes());
        entries.push(entry.map_err(HttpProblem::internal)?);
    }
    let events: Vec<&Event> = entries.iter().map(|entry| &entry.event).collect();
    match cached {
        None => {
            let campaign = Campaign::replay(events.iter().copied());
            let campaign = campaign.map_err(|(_, error)| HttpProblem::internal(error))?;
            let tail = reader.tail();
            *cached = Some(CachedCampaign { campaign, tail });
        }
        Some(cached) => {
            for event in events {
                let applied = cached.campaign.apply(event);
                applied.map_err(HttpProblem::internal)?;
            }
            cached.tail = reader.tail();
        }
    }
    Ok(())
}

/// Returns the sequence number of a log line; 0 if the line does not begin with one.
fn line_seq(line: &str) -> u64 {
    let digits = line.strip_prefix("{\"seq\":").unwrap_or_default();
    let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(0);
    digits[..end].parse().unwrap_or(0)
}

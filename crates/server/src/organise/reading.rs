//! Campaigns as organisers look at them: read from the database, beside the desk and never in its way.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use partita_judging::campaign::log::{Reader, Tail};
use partita_judging::campaign::{Campaign, Event};

use crate::Shared;
use crate::problem::Problem;
use crate::store::statement as sql;
use crate::store::{CampaignNumber, StoreError, Transaction, row};

/// A campaign as far as it was read.
struct Reading {
    campaign: Campaign,
    tail: Tail,
}

/// The campaigns that organisers looked at. What was read once is only carried on.
#[derive(Default)]
pub(crate) struct ReadingRoom(Mutex<HashMap<String, Arc<Mutex<Option<Reading>>>>>);

/// The lines of a log after an event, without ends.
pub(crate) async fn lines(
    transaction: &mut dyn Transaction,
    campaign: &str,
    after: i64,
) -> Result<Vec<String>, Problem> {
    let known = row(transaction, &sql::CAMPAIGN_NUMBER, vec![campaign.into()]).await?;
    let mut known = known.ok_or_else(|| Problem::not_found("campaign"))?;
    let after = CampaignNumber(known.int()?).after(after);
    let rows = transaction.rows(&sql::EVENT_AFTER, after).await?;
    let lines: Result<Vec<String>, StoreError> =
        rows.into_iter().map(|mut row| row.text()).collect();
    Ok(lines?)
}

impl Shared {
    /// Waits until all that was asked for before has happened, and what follows from it: a log and a state
    /// that are looked at one after the other are then of one moment, unless somebody acts between them.
    pub(crate) async fn settle(&self, name: &str) -> Result<(), Problem> {
        let planned = self.desk.patient_turn(name, |turn| {
            let planned = turn.after_plan();
            Box::pin(async { planned })
        });
        planned.await
    }

    /// Does something with a campaign as it is now, on a thread of its own.
    pub(crate) async fn with_campaign<T: Send + 'static>(
        &self,
        name: &str,
        look: impl FnOnce(&Campaign) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        self.settle(name).await?;
        let place = {
            let mut all = self
                .readings
                .0
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            all.entry(name.to_owned()).or_default().clone()
        };
        let so_far = {
            let reading = place.lock().unwrap_or_else(PoisonError::into_inner);
            reading.as_ref().map_or(0, |reading| reading.tail.seq)
        };
        let mut read = self.store.read().await?;
        let lines = lines(read.as_mut(), name, so_far as i64).await?;
        read.rollback().await?;
        let looked = tokio::task::spawn_blocking(move || {
            let mut reading = place.lock().unwrap_or_else(PoisonError::into_inner);
            carry_on(&mut reading, &lines)?;
            let reading = reading.as_ref().expect("it was just carried on");
            look(&reading.campaign)
        });
        looked.await.map_err(|_| Problem::unavailable())?
    }
}

/// Takes in the lines that are new.
fn carry_on(reading: &mut Option<Reading>, lines: &[String]) -> Result<(), Problem> {
    let damaged = |error: String| {
        crate::trouble(&error);
        Problem::unavailable()
    };
    let tail = reading.as_ref().map(|reading| reading.tail);
    let mut reader = tail.map_or_else(Reader::default, Reader::after);
    let mut entries = Vec::with_capacity(lines.len());
    for line in lines {
        // Somebody else may have carried on meanwhile.
        if tail.is_some_and(|tail| seq(line) <= tail.seq) {
            continue;
        }
        let entry = reader.entry(line.as_bytes());
        entries.push(entry.map_err(|error| damaged(error.to_string()))?);
    }
    let events: Vec<&Event> = entries.iter().map(|entry| &entry.event).collect();
    match reading {
        None => {
            let campaign = Campaign::replay(events.iter().copied());
            let campaign = campaign.map_err(|(_, error)| damaged(error.to_string()))?;
            let tail = reader.tail();
            *reading = Some(Reading { campaign, tail });
        }
        Some(reading) => {
            for event in events {
                let applied = reading.campaign.apply(event);
                applied.map_err(|error| damaged(error.to_string()))?;
            }
            reading.tail = reader.tail();
        }
    }
    Ok(())
}

/// The number of a line.
fn seq(line: &str) -> u64 {
    let digits = line.strip_prefix("{\"seq\":").unwrap_or_default();
    let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(0);
    digits[..end].parse().unwrap_or(0)
}

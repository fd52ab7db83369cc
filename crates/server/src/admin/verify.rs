//! Verification of the hash chains of all campaign logs.

use partita::judging::campaign::log::LogReader;
use partita::judging::campaign::{Campaign, Event};
use schemars::JsonSchema;
use serde::Serialize;

use super::{AdminError, ServerStorage};
use crate::campaign::integrity::IntegrityError;
use crate::server::ServeError;
use crate::store::{StoreError, statement as sql};

/// Result of the verification of the logs of all campaigns.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct VerificationReport {
    /// True if the log of every campaign is intact.
    pub sound: bool,
    /// Result of the verification of each campaign.
    pub campaigns: Vec<CampaignVerification>,
}

/// Result of the verification of the log of one campaign.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct CampaignVerification {
    /// Name of the campaign.
    pub campaign: String,
    /// Number of events in the log of the campaign.
    pub events: usize,
    /// Integrity error found in the log; `null` if the log is intact. Numbering and hash chain are
    /// checked before the replay.
    pub unsound: Option<IntegrityError>,
}

impl CampaignVerification {
    /// Describes the campaign in a sentence, for a message.
    pub fn describe(&self) -> String {
        let name = &self.campaign;
        match &self.unsound {
            None => format!("campaign `{name}` is sound"),
            Some(IntegrityError { event, reason }) => {
                format!("campaign `{name}` is damaged at event {event}: {reason}")
            }
        }
    }
}

impl ServerStorage {
    /// Verifies the hash chain of every log and replays its events.
    ///
    /// # Errors
    /// Returns [`AdminError::UnreadableBackup`] if a backup is no database or is damaged as such, and
    /// another [`AdminError`] if the storage cannot be read.
    pub fn verify(&self) -> Result<VerificationReport, AdminError> {
        self.verify_campaigns()
            .map_err(|error| match (self, error) {
                (
                    Self::Backup(file),
                    AdminError::Storage(ServeError::Store(
                        error @ (StoreError::Database(_) | StoreError::Statement { .. }),
                    )),
                ) => AdminError::UnreadableBackup {
                    file: file.clone(),
                    error,
                },
                (_, error) => error,
            })
    }

    /// Verifies the logs of all campaigns.
    fn verify_campaigns(&self) -> Result<VerificationReport, AdminError> {
        self.in_read_transaction(async |read| {
            let mut campaigns = Vec::new();
            let mut events = std::collections::HashMap::<String, Vec<(i64, String, String)>>::new();
            for mut row in read.fetch_all(&sql::ALL_EVENT, vec![]).await? {
                let (campaign, seq) = (row.text()?, row.int()?);
                let (_, line, chain) = (row.int()?, row.text()?, row.text()?);
                events.entry(campaign).or_default().push((seq, line, chain));
            }
            for mut row in read.fetch_all(&sql::ALL_CAMPAIGN, vec![]).await? {
                let (name, _, _) = (row.text()?, row.int()?, row.text()?);
                let (seq, chain) = (row.int()?, row.text()?);
                let events = events.remove(&name).unwrap_or_default();
                campaigns.push(CampaignVerification {
                    campaign: name,
                    events: events.len(),
                    unsound: verify_log(&events, seq, &chain).err(),
                });
            }
            Ok(VerificationReport {
                sound: campaigns.iter().all(|campaign| campaign.unsound.is_none()),
                campaigns,
            })
        })
    }
}

/// Checks the numbering, the hash chain and the replay of a campaign's events, each given as its
/// sequence number, log line and stored hash. Also checks that the log ends with `seq` and `chain`,
/// the sequence number and hash stored with the campaign.
fn verify_log(
    events: &[(i64, String, String)],
    seq: i64,
    chain: &str,
) -> Result<(), IntegrityError> {
    let at = |event: usize, reason: String| IntegrityError {
        event: event as u64,
        reason,
    };
    let mut reader = LogReader::default();
    let mut read: Vec<Event> = Vec::with_capacity(events.len());
    for (place, (number, line, stored)) in events.iter().enumerate() {
        let expected = place + 1;
        let entry = reader.read_entry(line.as_bytes());
        let entry = entry.map_err(|error| at(expected, error.message))?;
        if *number != expected as i64 || entry.seq != expected as u64 {
            return Err(at(
                expected,
                "the event is missing or has a wrong number".to_owned(),
            ));
        }
        if entry.chain.to_string() != *stored {
            return Err(at(expected, "its hash does not fit the chain".to_owned()));
        }
        read.push(entry.event);
    }
    if events.len() as i64 != seq {
        let missing = events.len() + 1;
        return Err(at(missing, format!("the log ends before event {seq}")));
    }
    if reader.tail().chain.to_string() != chain {
        return Err(at(
            events.len(),
            "the stored chain differs from that of the log".to_owned(),
        ));
    }
    Campaign::replay(read.iter())
        .map(|_| ())
        .map_err(|(place, error)| at(place + 1, error.to_string()))
}

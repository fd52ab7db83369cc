//! Assessors of a campaign: their records in memory and in the database.

use partita::judging::campaign::{JudgmentKind, WorkOutcome};
use partita::named::NamedEnum as _;

use super::CampaignState;
use crate::http::problem::HttpProblem;
use crate::store::statement as sql;
use crate::store::{SqlRow, StoreError, Transaction};
use crate::writer::{JobError, UnixMillis};

/// Stored data of an assessor, except their answers.
#[derive(Clone, Debug)]
pub(crate) struct AssessorRecord {
    pub(crate) id: String,
    /// Kind of judgment the assessor gives.
    pub(crate) kind: JudgmentKind,
    /// Origin of the assessor: the id of an invite, `recruiter`, `simulated` or `log`.
    pub(crate) origin: String,
    /// Outcome of the assessor's work; `None` while the work has not ended.
    pub(crate) outcome: Option<WorkOutcome>,
    pub(crate) language: String,
    /// Version of the consent text the assessor agreed to.
    pub(crate) consent: Option<String>,
    pub(crate) background: Option<String>,
    /// Time when the assessor began to wait for tasks, in Unix milliseconds; `None` if they are not
    /// waiting.
    pub(crate) waits_since: Option<i64>,
}

/// Value of [`AssessorRecord::origin`] for assessors who are known from the log alone.
const LOG_ORIGIN: &str = "log";

/// State of an assessor whose work has not ended, in the database and in responses.
pub(crate) const ACTIVE_STATE: &str = "active";

impl AssessorRecord {
    /// Creates the record of an assessor who has just entered.
    pub(crate) fn new(id: String, kind: JudgmentKind, origin: &str, language: &str) -> Self {
        Self {
            id,
            kind,
            origin: origin.to_owned(),
            outcome: None,
            language: language.to_owned(),
            consent: None,
            background: None,
            waits_since: None,
        }
    }

    /// Returns `active`, or the name of the outcome if the assessor's work has ended.
    pub(crate) fn state(&self) -> &'static str {
        self.outcome.map_or(ACTIVE_STATE, WorkOutcome::name)
    }
}

impl CampaignState {
    /// Adds an assessor from their database row to the state in memory.
    pub(super) fn load_assessor(&mut self, mut row: SqlRow) -> Result<(), StoreError> {
        let (id, kind, origin) = (row.text()?, row.text()?, row.text()?);
        let state = row.text()?;
        let person = AssessorRecord {
            id: id.clone(),
            kind: kind.parse().map_err(StoreError::corrupted)?,
            origin,
            outcome: match state.as_str() {
                ACTIVE_STATE => None,
                outcome => Some(outcome.parse().map_err(StoreError::corrupted)?),
            },
            language: row.text()?,
            consent: row.text_or_null(),
            background: row.text_or_null(),
            waits_since: row.int_or_null(),
        };
        self.assessors.insert(id, person);
        Ok(())
    }

    /// Counts an answer that the campaign had before the server took it over. Its assessor is known
    /// from the log alone: they have no row, and no token with which they could answer.
    pub(super) fn add_answer_of_log(&mut self, person: &str, kind: JudgmentKind) {
        let id = self.campaign().canonical_name(person);
        let known = self.assessors.entry(id.clone());
        known.or_insert_with(|| AssessorRecord::new(id.clone(), kind, LOG_ORIGIN, "en"));
        self.progress.entry(id).or_default().answered += 1;
    }

    /// Adds a new assessor to the campaign, in memory and in the database.
    pub(crate) async fn add_assessor(
        &mut self,
        transaction: &mut dyn Transaction,
        person: AssessorRecord,
        now: UnixMillis,
    ) -> Result<(), StoreError> {
        let values = vec![
            person.id.as_str().into(),
            self.name.as_str().into(),
            person.kind.to_string().into(),
            person.origin.as_str().into(),
            ACTIVE_STATE.into(),
            person.language.as_str().into(),
            now.0.into(),
            self.next_version().into(),
        ];
        transaction.execute(&sql::PERSON_ADD, values).await?;
        self.assessors.insert(person.id.clone(), person);
        Ok(())
    }

    /// Replaces the record of an assessor in memory and in the database.
    pub(crate) async fn update_assessor(
        &mut self,
        transaction: &mut dyn Transaction,
        person: AssessorRecord,
    ) -> Result<(), StoreError> {
        let values = vec![
            person.id.as_str().into(),
            person.state().into(),
            person.language.as_str().into(),
            person.consent.clone().into(),
            person.background.clone().into(),
            person.waits_since.into(),
            self.next_version().into(),
        ];
        transaction.execute(&sql::PERSON_SET, values).await?;
        self.assessors.insert(person.id.clone(), person);
        Ok(())
    }

    /// Returns the record of an assessor.
    ///
    /// # Errors
    /// Returns a [`JobError`] if the campaign has no such assessor.
    pub(crate) fn assessor(&self, id: &str) -> Result<&AssessorRecord, JobError> {
        let person = self.assessors.get(id);
        person.ok_or_else(|| HttpProblem::not_found("person").into())
    }
}

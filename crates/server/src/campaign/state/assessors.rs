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
    /// Time when the assessor agreed to the consent text, in Unix milliseconds.
    pub(crate) consented: Option<i64>,
    /// Time when the assessor's work ended, in Unix milliseconds.
    pub(crate) ended: Option<i64>,
    /// Time until which a recruited assessor without an answer holds a place, in Unix milliseconds.
    pub(crate) place: Option<i64>,
    /// Time when an organiser erased the assessor's personal data, in Unix milliseconds.
    pub(crate) erased: Option<i64>,
    /// Time when the assessor entered, in Unix milliseconds; `None` if they are known from the log
    /// alone.
    pub(crate) entered: Option<i64>,
}

/// Value of [`AssessorRecord::origin`] for assessors sent by a recruiter.
pub(crate) const RECRUITER_ORIGIN: &str = "recruiter";

/// Value of [`AssessorRecord::origin`] for assessors who are known from the log alone.
const LOG_ORIGIN: &str = "log";

/// State of an assessor whose work has not ended, in the database and in responses.
pub(crate) const ACTIVE_STATE: &str = "active";

/// Returns `active`, or the name of the outcome if an assessor's work has ended.
pub(crate) fn state_name(outcome: Option<WorkOutcome>) -> &'static str {
    outcome.map_or(ACTIVE_STATE, WorkOutcome::name)
}

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
            consented: None,
            ended: None,
            place: None,
            erased: None,
            entered: None,
        }
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
            consented: row.int_or_null(),
            ended: row.int_or_null(),
            place: row.int_or_null(),
            erased: row.int_or_null(),
            entered: Some(row.int()?),
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
        mut person: AssessorRecord,
        now: UnixMillis,
    ) -> Result<(), StoreError> {
        person.entered = Some(now.0);
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
            state_name(person.outcome).into(),
            person.language.as_str().into(),
            person.consent.clone().into(),
            person.background.clone().into(),
            person.waits_since.into(),
            person.consented.into(),
            person.ended.into(),
            person.place.into(),
            person.erased.into(),
            self.next_version().into(),
        ];
        transaction.execute(&sql::PERSON_SET, values).await?;
        self.assessors.insert(person.id.clone(), person);
        Ok(())
    }

    /// Returns the outcome of an assessor's work; `None` while the work has not ended. Outcomes that
    /// a readmission removes are computed from the log; if they were stored, they would remain.
    pub(crate) fn outcome(&self, person: &AssessorRecord) -> Option<WorkOutcome> {
        let of_log = || match self.campaign() {
            campaign if campaign.is_excluded(&person.id) => Some(WorkOutcome::Excluded),
            campaign if campaign.is_stopped_by_reports(&person.id) => Some(WorkOutcome::Partial),
            _ => None,
        };
        person.outcome.or_else(of_log)
    }

    /// Returns true if an assessor holds one of the places of the recruiter: they have answered, or
    /// hold it until their lease expires. An excluded or erased assessor holds none.
    pub(crate) fn holds_place(&self, person: &AssessorRecord, now: UnixMillis) -> bool {
        let works = person.outcome.is_none() && person.place.is_some_and(|until| until > now.0);
        person.origin == RECRUITER_ORIGIN
            && person.erased.is_none()
            && (works || self.answer_count(&person.id) > 0)
            && !self.campaign().is_excluded(&person.id)
    }

    /// Returns true if another assessor can get one of the places of the recruiter.
    pub(crate) fn has_free_place(&self, now: UnixMillis) -> bool {
        let limit = self
            .recruiter
            .as_ref()
            .and_then(|recruiter| recruiter.limit);
        limit.is_none_or(|limit| {
            let people = self.assessors.values();
            let taken = people.filter(|person| self.holds_place(person, now));
            taken.count() < limit as usize
        })
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

//! The people of a campaign.

use partita_judging::campaign::JudgmentKind;

use super::{CampaignState, corrupted};
use crate::campaign::recruiter::WorkOutcome;
use crate::http::problem::HttpProblem;
use crate::store::statement as sql;
use crate::store::{SqlRow, StoreError, Transaction};
use crate::writer::{JobError, UnixMillis};

/// A person of a campaign.
#[derive(Clone, Debug)]
pub(crate) struct AssessorRecord {
    pub(crate) id: String,
    /// What they judge.
    pub(crate) kind: JudgmentKind,
    /// How they came: `recruiter`, or the id of an invite.
    pub(crate) origin: String,
    /// How their work ended, if it did.
    pub(crate) outcome: Option<WorkOutcome>,
    pub(crate) language: String,
    /// The version of the text that they agreed to.
    pub(crate) consent: Option<String>,
    pub(crate) background: Option<String>,
    /// Since when there is nothing for them.
    pub(crate) waits_since: Option<i64>,
}

/// The state of a person whose work goes on.
const ACTIVE: &str = "active";

impl CampaignState {
    pub(super) fn load_assessor(&mut self, mut row: SqlRow) -> Result<(), StoreError> {
        let (id, kind, entry) = (row.text()?, row.text()?, row.text()?);
        let state = row.text()?;
        let person = AssessorRecord {
            id: id.clone(),
            kind: kind.parse().map_err(corrupted)?,
            origin: entry,
            outcome: (state != ACTIVE)
                .then(|| state.parse())
                .transpose()
                .map_err(corrupted)?,
            language: row.text()?,
            consent: row.text_or_null(),
            background: row.text_or_null(),
            waits_since: row.int_or_null(),
        };
        self.assessors.insert(id, person);
        Ok(())
    }

    /// Lets somebody in.
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
            ACTIVE.into(),
            person.language.as_str().into(),
            now.0.into(),
            self.next_version().into(),
        ];
        transaction.execute(&sql::PERSON_ADD, values).await?;
        self.assessors.insert(person.id.clone(), person);
        Ok(())
    }

    /// Changes what is known of somebody.
    pub(crate) async fn update_assessor(
        &mut self,
        transaction: &mut dyn Transaction,
        person: AssessorRecord,
    ) -> Result<(), StoreError> {
        let state = person
            .outcome
            .map_or(ACTIVE.to_owned(), |end| end.to_string());
        let values = vec![
            person.id.as_str().into(),
            state.into(),
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

    /// Somebody of the campaign.
    ///
    /// # Errors
    /// A person who is none of it.
    pub(crate) fn assessor(&self, id: &str) -> Result<&AssessorRecord, JobError> {
        let person = self.assessors.get(id);
        person.ok_or_else(|| HttpProblem::not_found("person").into())
    }
}

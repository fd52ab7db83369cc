//! The people of a campaign.

use partita_judging::campaign::Kind;

use super::{Room, damaged};
use crate::desk::{Now, Refused};
use crate::entry::End;
use crate::problem::Problem;
use crate::store::statement as sql;
use crate::store::{Row, StoreError, Transaction};

/// A person of a campaign.
#[derive(Clone, Debug)]
pub(crate) struct Person {
    pub(crate) id: String,
    /// What they judge.
    pub(crate) kind: Kind,
    /// How they came: `recruiter`, or the id of an invite.
    pub(crate) entry: String,
    /// How their work ended, if it did.
    pub(crate) end: Option<End>,
    pub(crate) language: String,
    /// The version of the text that they agreed to.
    pub(crate) consent: Option<String>,
    pub(crate) background: Option<String>,
    /// Since when there is nothing for them.
    pub(crate) waits_since: Option<i64>,
}

/// The state of a person whose work goes on.
const ACTIVE: &str = "active";

impl Room {
    pub(super) fn take_person(&mut self, mut row: Row) -> Result<(), StoreError> {
        let (id, kind, entry) = (row.text()?, row.text()?, row.text()?);
        let state = row.text()?;
        let person = Person {
            id: id.clone(),
            kind: kind.parse().map_err(damaged)?,
            entry,
            end: (state != ACTIVE)
                .then(|| state.parse())
                .transpose()
                .map_err(damaged)?,
            language: row.text()?,
            consent: row.text_or_null(),
            background: row.text_or_null(),
            waits_since: row.int_or_null(),
        };
        self.people.insert(id, person);
        Ok(())
    }

    /// Lets somebody in.
    pub(crate) async fn add_person(
        &mut self,
        transaction: &mut dyn Transaction,
        person: Person,
        now: Now,
    ) -> Result<(), StoreError> {
        let values = vec![
            person.id.as_str().into(),
            self.name.as_str().into(),
            person.kind.to_string().into(),
            person.entry.as_str().into(),
            ACTIVE.into(),
            person.language.as_str().into(),
            now.0.into(),
            self.next_version().into(),
        ];
        transaction.run(&sql::PERSON_ADD, values).await?;
        self.people.insert(person.id.clone(), person);
        Ok(())
    }

    /// Changes what is known of somebody.
    pub(crate) async fn set_person(
        &mut self,
        transaction: &mut dyn Transaction,
        person: Person,
    ) -> Result<(), StoreError> {
        let state = person.end.map_or(ACTIVE.to_owned(), |end| end.to_string());
        let values = vec![
            person.id.as_str().into(),
            state.into(),
            person.language.as_str().into(),
            person.consent.clone().into(),
            person.background.clone().into(),
            person.waits_since.into(),
            self.next_version().into(),
        ];
        transaction.run(&sql::PERSON_SET, values).await?;
        self.people.insert(person.id.clone(), person);
        Ok(())
    }

    /// Somebody of the campaign.
    ///
    /// # Errors
    /// A person who is none of it.
    pub(crate) fn person(&self, id: &str) -> Result<&Person, Refused> {
        let person = self.people.get(id);
        person.ok_or_else(|| Problem::not_found("person").into())
    }
}

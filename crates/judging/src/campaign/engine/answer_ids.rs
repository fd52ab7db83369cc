//! Lookup of answers by the id that the assessor's client gave them, so that repeated submissions
//! are recognised.

use std::hash::{DefaultHasher, Hash, Hasher};

use partita_core::Preference;
use partita_core::judgment::Answer;

use super::records::CampaignRecords;
use crate::campaign::Campaign;
use crate::campaign::input_error::InputError;

impl CampaignRecords {
    /// Records in which log event an assessor used an answer id. Only the first use of an id is
    /// recorded.
    pub(crate) fn record_answer_id(&mut self, event: usize, person: &str, id: Option<&str>) {
        if let Some(id) = id {
            self.events_by_answer_id
                .entry(id_hash(person, id))
                .or_insert(event);
        }
    }
}

impl Campaign {
    /// Returns the number (from 1) of the log event in which the assessor first used this answer
    /// id, or `None` if the assessor never used it.
    pub fn event_with_id(&self, assessor: &str, id: &str) -> Option<usize> {
        let person = self.canonical_name(assessor);
        self.records
            .events_by_answer_id
            .get(&id_hash(&person, id))
            .copied()
    }

    /// Returns true if the assessor has already submitted this answer under the same id, and false
    /// if the answer has no id or its id is new. Not meant for imported answers, because other
    /// sources may reuse ids.
    ///
    /// # Errors
    /// Returns [`InputError::IdReused`] if the assessor used the id for a different answer.
    pub(crate) fn is_submitted_under_id(&self, answered: &Answer) -> Result<bool, InputError> {
        let Some(id) = &answered.id else {
            return Ok(false);
        };
        let Some(event) = self.event_with_id(&answered.assessor, id) else {
            return Ok(false);
        };
        let submitted = answered.question.pair().map(|pair| {
            (
                answered.question.query.as_str(),
                pair,
                answered.judgment.preference(),
            )
        });
        if self.answer_content(event) != submitted {
            return Err(InputError::IdReused {
                id: id.clone(),
                assessor: answered.assessor.clone(),
            });
        }
        Ok(true)
    }

    /// Returns the content of the preference answer that this log event recorded: query, item shown
    /// first, item shown second, and choice. Returns `None` for other events.
    fn answer_content(&self, event: usize) -> Option<(&str, [&str; 2], Option<Preference>)> {
        let answer = self.records.answer_number(event)?;
        let checks = &self.records.gold_answers;
        if let Ok(place) = checks.binary_search_by_key(&answer, |(number, ..)| *number) {
            let given = &checks[place].1;
            return Some((
                &given.question.query,
                given.question.pair()?,
                given.judgment.preference(),
            ));
        }
        self.lists.iter().find_map(|list| {
            let place = list
                .answers
                .binary_search_by_key(&answer, |stored| stored.number);
            let stored = &list.answers[place.ok()?];
            let pair = [stored.a, stored.b].map(|item| list.items.name(item));
            Some((list.name.as_str(), pair, stored.answer))
        })
    }
}

/// Returns the hash of an assessor's canonical name and an answer id, the key under which the id is
/// stored.
fn id_hash(person: &str, id: &str) -> u64 {
    // `DefaultHasher::new` uses fixed keys, so the hash is the same in every run.
    let mut hash = DefaultHasher::new();
    (person, id).hash(&mut hash);
    hash.finish()
}

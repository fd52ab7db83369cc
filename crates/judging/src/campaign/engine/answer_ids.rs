//! Recognition of answers that were submitted before. This is the only rule for repetitions: the
//! server and the intake of files both use it.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use partita_core::judgment::{Answer, AnswerRole, Judgment, JudgmentKind, Question};

use super::pair::AnswerOrigin;
use super::records::CampaignRecords;
use crate::campaign::Campaign;
use crate::campaign::input_error::InputError;
use crate::campaign::kinds::protocol;

/// Relation of an answer to the answers before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Submission {
    /// The answer is new.
    New,
    /// The answer was submitted before.
    Duplicate {
        /// Number, from 1, of the log event that recorded its first submission.
        event: u64,
    },
}

/// Answers that will be recorded but are not in the log yet: the earlier rows of the same file.
#[derive(Clone, Debug, Default)]
pub struct PendingAnswers {
    /// Answers with the numbers of the events that will record them.
    answers: Vec<(u64, Answer)>,
    /// Index of the first answer with each id, by canonical assessor name and id.
    by_id: HashMap<(String, String), usize>,
    /// Indices of the answers to each question, by canonical assessor name and question.
    by_question: HashMap<(String, Question), Vec<usize>>,
    /// Event of the latest judgment in the log, by canonical assessor name and question, for a kind
    /// of which the latest counts; `None` if it is searched for each answer.
    latest: Option<HashMap<(String, Question), u64>>,
}

impl PendingAnswers {
    /// Creates an empty collection for many answers of one kind. It indexes the latest judgments in
    /// the log, so that classifying an answer takes constant time.
    pub(crate) fn for_many(campaign: &Campaign, kind: JudgmentKind) -> Self {
        let lists = (0..campaign.list_count()).filter(|_| !protocol(kind).asks_for_votes());
        let latest = lists.flat_map(|list| campaign.latest_answers(list, kind));
        let latest = latest.map(|(event, answer)| {
            let assessor = campaign.canonical_name(&answer.assessor);
            ((assessor, answer.question.clone()), event as u64)
        });
        Self {
            latest: Some(latest.collect()),
            ..Self::default()
        }
    }

    /// Adds an answer. `event` is the number, from 1, of the event that will record it.
    pub fn push(&mut self, campaign: &Campaign, answer: &Answer, event: u64) {
        let (index, assessor) = (
            self.answers.len(),
            campaign.canonical_name(&answer.assessor),
        );
        if let Some(id) = &answer.id {
            let key = (assessor.clone(), id.clone());
            self.by_id.entry(key).or_insert(index);
        }
        let of_question = self
            .by_question
            .entry((assessor, answer.question.clone()))
            .or_default();
        of_question.push(index);
        self.answers.push((event, answer.clone()));
    }
}

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
    pub fn event_with_id(&self, assessor: &str, id: &str) -> Option<u64> {
        let person = self.canonical_name(assessor);
        let event = self.records.events_by_answer_id.get(&id_hash(&person, id));
        event.map(|&event| event as u64)
    }

    /// Checks an answer, and finds out if it was submitted before: recorded in the log, or contained
    /// in `pending`.
    ///
    /// - An answer with an id is a repetition if the assessor has answered the same question in the
    ///   same way under this id. Times, playback and comments may differ: the first version stays.
    /// - Imported answers may carry ids of other sources. They, and answers without an id, are
    ///   repetitions if the assessor has given the same answer, with the same times, items in the
    ///   same order and the same id if any. A ranking or a grade is compared only with the latest one
    ///   of the assessor that counts, whatever their times.
    ///
    /// A stored answer that was never requested does not prevent an import of the same answer.
    ///
    /// # Errors
    /// Returns [`InputError`] if the answer cannot belong to the campaign, and
    /// [`InputError::IdReused`] if the assessor has used its id for another answer.
    pub fn classify_answer(
        &self,
        answer: &Answer,
        role: AnswerRole,
        pending: &PendingAnswers,
    ) -> Result<Submission, InputError> {
        self.check_judgment(answer, role)?;
        let imported = role == AnswerRole::Imported;
        let earlier = match &answer.id {
            Some(id) if !imported => self.answer_with_id(answer, id, pending)?,
            _ if answer.question.kind == JudgmentKind::Preference => {
                self.equal_preference(answer, imported, pending)
            }
            _ => self.equal_latest_judgment(answer, pending),
        };
        Ok(earlier.map_or(Submission::New, |event| Submission::Duplicate { event }))
    }

    /// Returns the number of the event in which the assessor used this id, if they used it.
    ///
    /// # Errors
    /// Returns [`InputError::IdReused`] if they used it for another answer.
    fn answer_with_id(
        &self,
        answer: &Answer,
        id: &str,
        pending: &PendingAnswers,
    ) -> Result<Option<u64>, InputError> {
        let key = (self.canonical_name(&answer.assessor), id.to_owned());
        let (event, first) = match (self.event_with_id(&key.0, id), pending.by_id.get(&key)) {
            (Some(event), _) => (event, self.recorded_judgment(event)),
            (None, Some(&index)) => {
                let (event, first) = &pending.answers[index];
                (
                    *event,
                    Some((first.question.clone(), first.judgment.clone())),
                )
            }
            (None, None) => return Ok(None),
        };
        let same = first.is_some_and(|(question, judgment)| {
            question == answer.question && is_same_judgment(&judgment, answer)
        });
        match same {
            true => Ok(Some(event)),
            false => Err(InputError::IdReused {
                id: id.to_owned(),
                assessor: answer.assessor.clone(),
            }),
        }
    }

    /// Returns the number of the event that recorded or will record an equal preference of the same
    /// assessor.
    fn equal_preference(
        &self,
        answer: &Answer,
        imported: bool,
        pending: &PendingAnswers,
    ) -> Option<u64> {
        let equal = |other: &Answer| {
            other.judgment == answer.judgment
                && other.seconds == answer.seconds
                && other.time == answer.time
                && other.id == answer.id
        };
        let person = self.canonical_name(&answer.assessor);
        let is_gold_pair = answer.question.pair().is_some_and(|[a, b]| {
            let gold = self.spec().gold.as_ref();
            gold.is_some_and(|gold| gold.find(&answer.question.query, a, b).is_some())
        });
        let gold = self.records.gold_answers.iter();
        let mut gold = gold.filter(|_| is_gold_pair && !imported);
        let gold = gold.find(|(_, other, _)| {
            other.question == answer.question
                && equal(other)
                && self.canonical_name(&other.assessor) == person
        });
        let gold = gold.map(|(number, ..)| *number);
        let number = gold.or_else(|| {
            let (list, items) = self.locate_answer(answer).ok()?;
            let assessor = self.assessors.get(&person)?;
            let list = &self.lists[list];
            let mut own = list.answers_by(items, assessor);
            let same = own.find(|stored| {
                (stored.a, stored.b) == items
                    && stored.answer == answer.judgment.preference()
                    && stored.seconds == answer.seconds
                    && stored.time == answer.time
                    && stored.id == answer.id
                    && !(imported && stored.origin == AnswerOrigin::Unasked)
            });
            Some(same?.number)
        });
        if let Some(number) = number {
            return Some(self.records.answer_events[number] as u64);
        }
        let own = pending
            .by_question
            .get(&(person, answer.question.clone()))?;
        let mut own = own.iter().map(|&index| &pending.answers[index]);
        own.find(|(_, other)| equal(other)).map(|(event, _)| *event)
    }

    /// Returns the number of the event that recorded or will record the assessor's latest judgment
    /// on the same question, if it is the same.
    fn equal_latest_judgment(&self, answer: &Answer, pending: &PendingAnswers) -> Option<u64> {
        let person = self.canonical_name(&answer.assessor);
        let key = (person, answer.question.clone());
        let latest = match pending.by_question.get(&key) {
            Some(own) => own.last().map(|&index| &pending.answers[index]),
            None => None,
        };
        let (event, latest) = match (latest, &pending.latest) {
            (Some((event, latest)), _) => (*event, latest),
            (None, Some(known)) => {
                let event = *known.get(&key)?;
                (event, self.records.judgment(usize::try_from(event).ok()?)?)
            }
            (None, None) => {
                let list = self.find_list(&answer.question.query).ok()?;
                let latest = self.latest_answers(list, answer.question.kind).into_iter();
                let mut own = latest.filter(|(_, known)| {
                    known.question == answer.question
                        && self.canonical_name(&known.assessor) == key.0
                });
                let (event, latest) = own.next()?;
                (event as u64, latest)
            }
        };
        is_same_judgment(&latest.judgment, answer).then_some(event)
    }

    /// Returns the question and the judgment of the answer that the log event with this number
    /// recorded; `None` if the event is not an answer.
    pub fn recorded_judgment(&self, event: u64) -> Option<(Question, Judgment)> {
        let event = usize::try_from(event).ok()?;
        let Some(number) = self.records.answer_number(event) else {
            let answer = self.records.judgment(event)?;
            return Some((answer.question.clone(), answer.judgment.clone()));
        };
        let gold = &self.records.gold_answers;
        if let Ok(place) = gold.binary_search_by_key(&number, |(number, ..)| *number) {
            let answer = &gold[place].1;
            return Some((answer.question.clone(), answer.judgment.clone()));
        }
        self.lists.iter().find_map(|list| {
            let place = list
                .answers
                .binary_search_by_key(&number, |stored| stored.number);
            let stored = &list.answers[place.ok()?];
            let [a, b] = [stored.a, stored.b].map(|item| list.items.name(item));
            let question = Question::preference(&list.name, a, b);
            Some((question, Judgment::Preference(stored.answer)))
        })
    }
}

/// Returns true if an answer gives this judgment.
fn is_same_judgment(judgment: &Judgment, answer: &Answer) -> bool {
    protocol(answer.question.kind).same_judgment(judgment, &answer.judgment)
}

/// Returns the hash of an assessor's canonical name and an answer id, the key under which the id is
/// stored.
fn id_hash(person: &str, id: &str) -> u64 {
    // `DefaultHasher::new` uses fixed keys, so the hash is the same in every run.
    let mut hash = DefaultHasher::new();
    (person, id).hash(&mut hash);
    hash.finish()
}

//! Rankings and grades that count, and the numbers that are still missing. Of several rankings or
//! grades by one assessor, the latest counts.

use std::collections::{BTreeMap, HashMap};

use partita_core::judgment::{Answer, JudgmentKind};
use schemars::JsonSchema;
use serde::Serialize;

use super::{PROTOCOLS, protocol};
use crate::campaign::Campaign;
use crate::campaign::engine::subject::{Subject, SubjectItems};

/// Numbers of rankings and grades of a list: those that count and those that the campaign wants.
/// The latest of each assessor who is not excluded counts, unless it was retracted or arrived after
/// the list was closed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct JudgmentCounts {
    /// Number of rankings that count: the latest of each assessor who is not excluded.
    pub rankings: usize,
    /// Number of rankings that the campaign wants for the list; 0 if it does not ask for rankings,
    /// `null` if their number is unlimited.
    pub rankings_wanted: Option<usize>,
    /// Number of grades that count: the latest per item of each assessor who is not excluded.
    pub grades: usize,
    /// Number of grades that the campaign wants for all items of the list; 0 if it does not ask for
    /// grades.
    pub grades_wanted: usize,
}

/// Subjects of a list that lack answers, each with the number of missing answers, for the kinds of
/// judgments of which the latest of each assessor counts. [`u32::MAX`] stands for an unlimited
/// number.
pub(crate) type MissingJudgments = Vec<(Subject, u32)>;

impl Campaign {
    /// Returns the rankings of a list that count, in log order: the last one of each assessor who
    /// is not excluded.
    pub fn rankings(&self, list: usize) -> Vec<&Answer> {
        let latest = self.latest_answers(list, JudgmentKind::Ranking);
        latest.into_iter().map(|(_, answer)| answer).collect()
    }

    /// Returns the grades of a list that count, in log order: the last one per item of each
    /// assessor who is not excluded.
    pub fn grades(&self, list: usize) -> Vec<&Answer> {
        let latest = self.latest_answers(list, JudgmentKind::Grading);
        latest.into_iter().map(|(_, answer)| answer).collect()
    }

    /// Returns the answers of this kind about a list that count, in log order and with their event
    /// numbers: the last one per question of each assessor who is not excluded.
    pub(crate) fn latest_answers(&self, list: usize, kind: JudgmentKind) -> Vec<(usize, &Answer)> {
        let answers = self.lists[list].judgments.iter();
        let last: BTreeMap<(String, &[String]), (usize, &Answer)> = answers
            .map(|&index| &self.records.judgments[index])
            .filter(|(event, answer)| {
                answer.question.kind == kind && self.is_counted(list, *event, &answer.assessor)
            })
            .map(|(event, answer)| {
                let assessor = self.canonical_name(&answer.assessor);
                ((assessor, &answer.question.items[..]), (*event, answer))
            })
            .collect();
        let mut last: Vec<(usize, &Answer)> = last.into_values().collect();
        last.sort_unstable_by_key(|(event, _)| *event);
        last
    }

    /// Returns true if the ranking or grade with this event number was not retracted, arrived
    /// before the list closed, and comes from an assessor who is not excluded.
    fn is_counted(&self, list: usize, event: usize, assessor: &str) -> bool {
        let closed = self.records.closed_lists.get(&list);
        !self.records.retracted_events.contains(&event)
            && closed.is_none_or(|&closed| event < closed)
            && !self.is_excluded(assessor)
    }

    /// Returns the numbers of rankings and grades of a list: those that count and those that the
    /// campaign wants. The wanted number is 0 for a kind of judgment that the campaign does not ask
    /// for, and `None` for rankings without a limit.
    pub fn judgment_counts(&self, list: usize) -> JudgmentCounts {
        let counts = |kind: JudgmentKind| {
            let wanted = match self.spec().kinds.contains(&kind) {
                true => {
                    let graders = self.spec().judging.graders_for(kind);
                    let subjects = protocol(kind).subjects(&self.lists[list]).len();
                    graders.map(|graders| subjects * graders as usize)
                }
                false => Some(0),
            };
            (self.latest_answers(list, kind).len(), wanted)
        };
        let (rankings, rankings_wanted) = counts(JudgmentKind::Ranking);
        let (grades, grades_wanted) = counts(JudgmentKind::Grading);
        JudgmentCounts {
            rankings,
            rankings_wanted,
            grades,
            grades_wanted: grades_wanted.expect("the number of graders of an item is limited"),
        }
    }

    /// Returns the number of questions of one kind that an assessor can answer; `None` for votes on
    /// pairs, whose number depends on the answers.
    pub fn question_count(&self, kind: JudgmentKind) -> Option<usize> {
        let protocol = protocol(kind);
        let questions = |list| protocol.subjects(list).len();
        (!protocol.asks_for_votes()).then(|| self.lists.iter().map(questions).sum())
    }

    /// Returns true if an open list lacks judgments other than preferences.
    pub(crate) fn has_missing_judgments(&self, list: usize) -> bool {
        let mut kinds = self.spec().kinds.iter();
        kinds.any(|&kind| self.missing_judgments(list, kind).next().is_some())
    }

    /// Returns the subjects of a list that lack answers of this kind, each with the number of
    /// missing answers. There are none for a closed list, and none for preferences.
    pub(crate) fn missing_judgments(
        &self,
        list: usize,
        kind: JudgmentKind,
    ) -> impl Iterator<Item = &(Subject, u32)> {
        let record = &self.lists[list];
        // The result is cached until an event can change it.
        let missing = (record.missing_judgments).get_or_init(|| self.find_missing_judgments(list));
        missing
            .iter()
            .filter(move |(subject, _)| subject.kind == kind)
    }

    /// Returns the subjects of a list that lack answers, for [`Campaign::missing_judgments`].
    fn find_missing_judgments(&self, list: usize) -> MissingJudgments {
        let record = &self.lists[list];
        if record.closed.is_some() {
            return Vec::new();
        }
        let mut missing = Vec::new();
        for protocol in PROTOCOLS {
            let kind = protocol.kind();
            let subjects = protocol.subjects(record);
            if subjects.is_empty() {
                continue;
            }
            let Some(graders) = self.spec.judging.graders_for(kind) else {
                // Rankings by everybody: an open list always lacks more.
                let subject = |items| (Subject { list, kind, items }, u32::MAX);
                missing.extend(subjects.into_iter().map(subject));
                continue;
            };
            let mut counts: HashMap<SubjectItems, u32> = HashMap::new();
            for (_, answer) in self.latest_answers(list, kind) {
                let items = protocol.subject_items(record, &answer.question.items);
                let items = items.expect("validation checked that the items exist");
                *counts.entry(items).or_insert(0) += 1;
            }
            for items in subjects {
                let has = counts.get(&items).copied().unwrap_or(0);
                let lacks = graders.saturating_sub(has);
                if lacks > 0 {
                    missing.push((Subject { list, kind, items }, lacks));
                }
            }
        }
        missing
    }
}

//! Intake of answers that assessors or other sources hand in.

use std::collections::{BTreeMap, HashMap};

use partita_core::FilePosition;
use partita_core::judgment::{Answer, AnswerRole, AnswerRow, JudgmentKind, Question};
use partita_named::NamedEnum;
use schemars::JsonSchema;
use serde::{Serialize, Serializer};

use crate::campaign::Campaign;
use crate::campaign::engine::answer_ids::{PendingAnswers, Submission};
use crate::campaign::engine::answer_status::AnswerStatus;
use crate::campaign::input_error::{InputError, check_assessor_name};
use crate::campaign::kinds::asks_for_votes;
use crate::campaign::log::event::{Event, PreferenceChoice};
use crate::campaign::spec::NameMatching;

/// Tolerated difference between the clocks of two machines, in seconds. Answers dated further in
/// the future are rejected.
const MAX_CLOCK_SKEW: f64 = 60.0;

/// Request to add answers to a campaign.
#[derive(Clone, Debug, PartialEq)]
pub struct IntakeRequest {
    /// Answers in the order of the file's rows.
    pub answers: Vec<AnswerRow>,
    /// Kind of judgment that all rows are.
    pub kind: JudgmentKind,
    /// Current time in seconds since 1970, with which the times of the answers are compared.
    pub now: f64,
    /// True to import the answers: they were collected before the campaign or by another source.
    /// Imported answers may name another campaign and keep the batch name of their source. They
    /// count as votes on every pair for which the campaign requests votes, even if the request
    /// comes after the import.
    pub adopt: bool,
}

/// Reason why an answer is rejected.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum IntakeError {
    /// The answer belongs to another campaign.
    #[error("this answer is of the campaign `{theirs}`, not of `{ours}`")]
    OtherCampaign {
        /// Campaign that the answer names.
        theirs: String,
        /// Name of this campaign.
        ours: String,
    },
    /// The answer names no query, and the campaign has several.
    #[error("no column says which query the answer is about")]
    NoQuery,
    /// The answer names no assessor.
    #[error("no column says who answered, so that nobody could be asked only once")]
    NoAssessor,
    /// The answer's time is this many seconds in the future.
    #[error("the answer is from the future, by {}", format_duration(*.0))]
    Future(f64),
    /// The content of the answer is invalid, for example an unknown query or an id that was used
    /// for another answer.
    #[error(transparent)]
    Refused(#[from] InputError),
}

/// Formats a duration as a whole number of minutes, hours or days.
fn format_duration(seconds: f64) -> String {
    match seconds {
        s if s < 7200.0 => format!("{:.0} minutes", s / 60.0),
        s if s < 172_800.0 => format!("{:.0} hours", s / 3600.0),
        s => format!("{:.0} days", s / 86_400.0),
    }
}

/// Outcome of one submitted answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum IntakeOutcome {
    /// The answer was added to the log, with this status.
    Added(AnswerStatus),
    /// The same answer was in the log already.
    Repeated,
    /// The answer was rejected.
    Refused,
}

impl IntakeOutcome {
    /// Returns the name of the outcome in JSON and CSV, such as `counted` or `repeated`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Added(flag) => flag.name(),
            Self::Repeated => "repeated",
            Self::Refused => "refused",
        }
    }

    /// Returns an explanation of the outcome for reports.
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Added(flag) => flag.summary(),
            Self::Repeated => "the very same answer was in the log, and is not written again",
            Self::Refused => "named above, and not in the log",
        }
    }

    /// Returns all outcomes in the order in which reports show them.
    pub fn all() -> impl Iterator<Item = Self> {
        let added = AnswerStatus::DISPLAY_ORDER.into_iter().map(Self::Added);
        added.chain([Self::Repeated, Self::Refused])
    }
}

impl Serialize for IntakeOutcome {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// Events and outcomes of an [`IntakeRequest`], before anything is recorded.
#[derive(Clone, Debug, PartialEq)]
pub struct IntakePlan {
    /// Events to record: one per accepted answer that the log does not contain yet.
    pub events: Vec<Event>,
    /// Rejected answers: index in the request, from 0, and the reason.
    pub refused: Vec<(usize, IntakeError)>,
    /// Number of rankings or grades of excluded assessors, which are left out.
    pub excluded: usize,
    /// Accepted answers: position in the file, content, and answer number in the log (`None` for a
    /// repeated answer, which is not recorded again).
    accepted: Vec<(Option<FilePosition>, Answer, Option<usize>)>,
}

/// Accepted row of submitted answers, with its outcome.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct IntakeRow {
    /// File and line of the row, if it comes from a file.
    #[serde(flatten)]
    pub place: Option<FilePosition>,
    /// Query name.
    pub query: String,
    /// The item shown first.
    pub a: String,
    /// The item shown second.
    pub b: String,
    /// Assessor who answered.
    pub assessor: String,
    /// Choice of the assessor.
    pub answer: PreferenceChoice,
    /// Outcome of the row: `repeated`, or the status of the answer that was added to the log.
    #[schemars(with = "String")]
    pub flag: IntakeOutcome,
}

/// Submitted row that was rejected.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RejectedRow {
    /// Diagnostic code that identifies the kind of problem.
    pub code: String,
    /// Name of the file that contains the row.
    pub file: String,
    /// Line number of the row, if the problem concerns one line.
    pub line: Option<u64>,
    /// Explanation of the problem.
    pub message: String,
}

/// Outcomes of all submitted answers.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct IntakeReport {
    /// Name of the campaign.
    pub campaign: String,
    /// Number of submitted rows.
    pub rows: usize,
    /// Number of answers that were added to the log.
    pub added: usize,
    /// Number of rows per outcome, in the order in which reports show the outcomes. Outcomes
    /// without rows are omitted.
    #[serde(serialize_with = "serialize_counts_by_outcome")]
    #[schemars(with = "BTreeMap<String, usize>")]
    pub flags: Vec<(IntakeOutcome, usize)>,
    /// Accepted rows.
    pub answers: Vec<IntakeRow>,
    /// Rejected rows.
    pub refused: Vec<RejectedRow>,
}

/// Outcomes of submitted rankings or grades.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct JudgmentIntakeReport {
    /// Name of the campaign.
    pub campaign: String,
    /// Kind of the submitted judgments: rankings or grades.
    pub kind: JudgmentKind,
    /// Number of submitted rankings or grades, rejected ones included.
    pub rows: usize,
    /// Number of rankings or grades that were added to the log.
    pub added: usize,
    /// Number of judgments that were not added because they repeat an earlier judgment of the same
    /// assessor.
    pub repeated: usize,
    /// Number of judgments of excluded assessors, which are left out.
    pub excluded: usize,
    /// Rows that were rejected, with the reasons.
    pub refused: Vec<RejectedRow>,
}

/// Serialises the counts as an object whose keys are the names of the outcomes.
fn serialize_counts_by_outcome<S: Serializer>(
    flags: &[(IntakeOutcome, usize)],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map(flags.iter().map(|(outcome, count)| (outcome.name(), count)))
}

impl IntakeReport {
    /// Removes the accepted rows whose outcome is `counted`, so that only unusual outcomes and
    /// held-out votes remain.
    pub fn remove_counted_rows(&mut self) {
        let counted = IntakeOutcome::Added(AnswerStatus::Counted);
        self.answers.retain(|answer| answer.flag != counted);
    }
}

impl Campaign {
    /// Plans the intake of answers without recording anything.
    /// [Record](crate::campaign::CampaignSession::record) the events of the plan, then call
    /// [`IntakePlan::report`] for the outcomes.
    pub fn plan_intake(&self, request: &IntakeRequest) -> IntakePlan {
        let mut intake = IntakePlan {
            events: Vec::new(),
            refused: Vec::new(),
            excluded: 0,
            accepted: Vec::new(),
        };
        let mut pending = PendingAnswers::for_many(self, request.kind);
        for (at, row) in request.answers.iter().enumerate() {
            // Answers to pairs are recorded with the status `excluded`. For rankings and grades only
            // the latest judgment that counts is remembered: one of an excluded assessor would not be
            // recognised as a repetition, and each import would record it again.
            let excluded = row
                .assessor
                .as_ref()
                .is_some_and(|who| self.is_excluded(who));
            if excluded && !asks_for_votes(request.kind) {
                intake.excluded += 1;
                continue;
            }
            let taken = self.parse_row(row, request).and_then(|(answer, role)| {
                let submission = self.classify_answer(&answer, role, &pending)?;
                Ok((answer, role, submission))
            });
            let (answer, role, submission) = match taken {
                Ok(taken) => taken,
                Err(reason) => {
                    intake.refused.push((at, reason));
                    continue;
                }
            };
            let number = self.answer_count() + intake.events.len();
            let number = (submission == Submission::New).then_some(number);
            let place = row.position.clone();
            intake.accepted.push((place, answer.clone(), number));
            if submission == Submission::New {
                let event = self.event_count() + intake.events.len() + 1;
                pending.push(self, &answer, event as u64);
                intake.events.push(Event::Answered { answer, role });
            }
        }
        intake
    }

    /// Returns the new assessor names in `events` that differ from an earlier name only in case or
    /// surrounding blanks, each with that earlier name. Empty if the campaign treats such names as
    /// one assessor.
    pub fn similar_names(&self, events: &[Event]) -> Vec<(String, String)> {
        if self.spec().settings.name_matching != NameMatching::Exact {
            return Vec::new();
        }
        let alike = |name: &str| NameMatching::AnyCase.canonical_name(name).into_owned();
        let known = self.assessors().items();
        let known = known.map(|person| self.assessors().name(person).to_owned());
        let mut spelt: HashMap<String, String> = HashMap::new();
        for name in known {
            spelt.entry(alike(&name)).or_insert(name);
        }
        let mut found: Vec<(String, String)> = Vec::new();
        for name in events.iter().filter_map(Event::assessor) {
            let other = spelt.entry(alike(name)).or_insert_with(|| name.to_owned());
            let new = *other != name && self.assessor_index(name).is_none();
            if new && !found.iter().any(|(known, _)| known == name) {
                found.push((name.to_owned(), other.clone()));
            }
        }
        found
    }

    /// Returns the role of an answer that was given in the campaign. A gold pair on which the
    /// campaign has also requested votes is treated as an ordinary pair.
    fn answer_role(&self, answer: &Answer) -> AnswerRole {
        let (query, gold) = (&answer.question.query, &self.spec().gold);
        let expected = (answer.question.pair().zip(gold.as_ref()))
            .filter(|([a, b], _)| !self.is_requested(query, a, b))
            .and_then(|([a, b], gold)| gold.expected_choice(query, a, b));
        expected.map_or(AnswerRole::Vote, |expected| AnswerRole::Gold { expected })
    }

    /// Converts a submitted row to an answer with its role.
    fn parse_row(
        &self,
        row: &AnswerRow,
        request: &IntakeRequest,
    ) -> Result<(Answer, AnswerRole), IntakeError> {
        let spec = self.spec();
        let other = row.campaign.as_ref();
        if let Some(other) = other.filter(|name| **name != spec.name && !request.adopt) {
            return Err(IntakeError::OtherCampaign {
                theirs: other.clone(),
                ours: spec.name.clone(),
            });
        }
        let query = match (&row.query, &spec.lists[..]) {
            (Some(query), _) => query,
            (None, [only]) => &only.query,
            (None, _) => return Err(IntakeError::NoQuery),
        };
        let assessor = row.assessor.as_ref().ok_or(IntakeError::NoAssessor)?;
        if self.assessor_index(assessor).is_none() {
            check_assessor_name(assessor)?;
        }
        let times = [row.asked_at, row.answered_at].into_iter().flatten();
        let latest = times.fold(f64::MIN, f64::max);
        if latest > request.now + MAX_CLOCK_SKEW {
            return Err(IntakeError::Future(latest - request.now));
        }
        let question = Question {
            kind: request.kind,
            query: query.clone(),
            items: row.items.clone(),
        };
        let answered = Answer {
            seconds: row.seconds,
            time: row.answered_at.or(row.asked_at),
            id: row.id.clone(),
            batch: row.batch.clone().filter(|_| request.adopt),
            ..Answer::new(assessor, question, row.judgment.clone())
        };
        let role = match request.adopt {
            true => AnswerRole::Imported,
            false => self.answer_role(&answered),
        };
        Ok((answered, role))
    }
}

impl IntakePlan {
    /// Reports the numbers of rankings or grades that were added and repeated, after the events of
    /// this plan have been recorded. `refused` are the rows that were rejected.
    pub fn judgment_report(
        &self,
        campaign: &Campaign,
        kind: JudgmentKind,
        refused: Vec<RejectedRow>,
    ) -> JudgmentIntakeReport {
        JudgmentIntakeReport {
            campaign: campaign.spec().name.clone(),
            kind,
            rows: self.accepted.len() + self.excluded + refused.len(),
            added: self.events.len(),
            excluded: self.excluded,
            repeated: self.accepted.len() - self.events.len(),
            refused,
        }
    }

    /// Reports the outcome of each accepted preference, after the events of this plan have been recorded.
    /// `refused` are the rows that were rejected.
    pub fn report(&self, campaign: &Campaign, refused: Vec<RejectedRow>) -> IntakeReport {
        let flags = campaign.answer_statuses();
        let answers: Vec<IntakeRow> = (self.accepted.iter())
            .map(|(place, answered, number)| IntakeRow {
                place: place.clone(),
                query: answered.question.query.clone(),
                a: answered.question.items[0].clone(),
                b: answered.question.items[1].clone(),
                assessor: answered.assessor.clone(),
                answer: answered.judgment.preference().into(),
                flag: number.map_or(IntakeOutcome::Repeated, |number| {
                    IntakeOutcome::Added(flags[number])
                }),
            })
            .collect();
        let count = |outcome: IntakeOutcome| match outcome {
            IntakeOutcome::Refused => refused.len(),
            outcome => answers
                .iter()
                .filter(|answer| answer.flag == outcome)
                .count(),
        };
        let flags = IntakeOutcome::all().map(|outcome| (outcome, count(outcome)));
        IntakeReport {
            campaign: campaign.spec().name.clone(),
            rows: answers.len() + refused.len(),
            added: self.events.len(),
            flags: flags.filter(|(_, count)| *count > 0).collect(),
            answers,
            refused,
        }
    }
}

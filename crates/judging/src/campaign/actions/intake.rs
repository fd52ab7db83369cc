//! Answers that come back, and what becomes of them.

use std::collections::{BTreeMap, HashMap, HashSet};

use partita_core::{FilePosition, PreferenceRow};
use partita_named::NamedEnum;
use schemars::JsonSchema;
use serde::{Serialize, Serializer};

use crate::campaign::Campaign;
use crate::campaign::engine::answer_status::{AnswerStatus, InputError, check_assessor_name};
use crate::campaign::log::event::{Event, GoldAnswer, PreferenceAnswer, PreferenceChoice};
use crate::campaign::spec::NameMatching;

/// How many seconds the clocks of two machines may differ.
const MAX_CLOCK_SKEW: f64 = 60.0;

/// Answers to take in.
#[derive(Clone, Debug, PartialEq)]
pub struct IntakeRequest {
    /// The answers, in their order.
    pub answers: Vec<PreferenceRow>,
    /// What time it is, in seconds since 1970.
    pub now: f64,
    /// Whether they are from before the campaign, or from elsewhere, and are adopted: then they may
    /// belong to another campaign, keep their batches, and are votes on whatever pair is or becomes
    /// wanted, whether it was asked or not.
    pub adopt: bool,
}

/// Why an answer is not taken.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum IntakeError {
    /// It is of another campaign.
    #[error("this answer is of the campaign `{theirs}`, not of `{ours}`")]
    OtherCampaign {
        /// Which it says.
        theirs: String,
        /// Which this is.
        ours: String,
    },
    /// It does not say which query it is about, and there are several.
    #[error("no column says which query the answer is about")]
    NoQuery,
    /// It does not say who answered.
    #[error("no column says who answered, so that nobody could be asked only once")]
    NoAssessor,
    /// It is from the future, by so many seconds.
    #[error("the answer is from the future, by {}", duration(*.0))]
    Future(f64),
    /// It is about something that the campaign does not know.
    #[error(transparent)]
    Refused(#[from] InputError),
}

fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 7200.0 => format!("{:.0} minutes", s / 60.0),
        s if s < 172_800.0 => format!("{:.0} hours", s / 3600.0),
        s => format!("{:.0} days", s / 86_400.0),
    }
}

/// What becomes of an answer that is handed in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum IntakeOutcome {
    /// It is in the log.
    Added(AnswerStatus),
    /// The very same answer was in the log.
    Repeated,
    /// It is not taken.
    Refused,
}

impl IntakeOutcome {
    /// The name in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Added(flag) => flag.name(),
            Self::Repeated => "repeated",
            Self::Refused => "refused",
        }
    }

    /// What it means, for a person.
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Added(flag) => flag.summary(),
            Self::Repeated => "the very same answer was in the log, and is not written again",
            Self::Refused => "named above, and not in the log",
        }
    }

    /// Every fate, the best first.
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

/// What taking in answers would do: the events to record, and what becomes of each answer.
#[derive(Clone, Debug, PartialEq)]
pub struct IntakePlan {
    /// What is to be recorded.
    pub events: Vec<Event>,
    /// What is not taken, by its place among the answers, from 0.
    pub refused: Vec<(usize, IntakeError)>,
    /// The others: where they stand, what they say, and the number of the answer in the log unless it is
    /// there already.
    taken: Vec<(Option<FilePosition>, PreferenceAnswer, Option<usize>)>,
}

/// A row that is taken, with what became of it.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct IntakeRow {
    /// Where it stands, if it is in a file.
    #[serde(flatten)]
    pub place: Option<FilePosition>,
    /// The query.
    pub query: String,
    /// The item shown first.
    pub a: String,
    /// The item shown second.
    pub b: String,
    /// Who answered.
    pub assessor: String,
    /// What was said.
    pub answer: PreferenceChoice,
    /// What became of it.
    #[schemars(with = "String")]
    pub flag: IntakeOutcome,
}

/// A row that is not taken.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RejectedRow {
    /// The kind of problem.
    pub code: String,
    /// The file.
    pub file: String,
    /// The line, if it is about one.
    pub line: Option<u64>,
    /// Why.
    pub message: String,
}

/// What became of answers that were handed in.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct IntakeReport {
    /// What the campaign is called.
    pub campaign: String,
    /// How many there were.
    pub rows: usize,
    /// How many answers are in the log that were not before.
    pub added: usize,
    /// How many became what, the best first; what became of none is left out.
    #[serde(serialize_with = "by_name")]
    #[schemars(with = "BTreeMap<String, usize>")]
    pub flags: Vec<(IntakeOutcome, usize)>,
    /// Those that were taken.
    pub answers: Vec<IntakeRow>,
    /// Those that were not.
    pub refused: Vec<RejectedRow>,
}

fn by_name<S: Serializer>(
    flags: &[(IntakeOutcome, usize)],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map(flags.iter().map(|(fate, count)| (fate.name(), count)))
}

impl IntakeReport {
    /// Leaves out the answers that are as they should be: votes.
    pub fn without_votes(&mut self) {
        let counted = IntakeOutcome::Added(AnswerStatus::Counted);
        self.answers.retain(|answer| answer.flag != counted);
    }
}

impl Campaign {
    /// What taking in these answers would do. Nothing has happened yet: the events are to be
    /// [recorded](crate::campaign::Session::record), and then the [report](Intake::report) says what became of
    /// them.
    pub fn plan_intake(&self, request: &IntakeRequest) -> IntakePlan {
        let mut intake = IntakePlan {
            events: Vec::new(),
            refused: Vec::new(),
            taken: Vec::new(),
        };
        let mut fresh: HashSet<String> = HashSet::new();
        let mut ids: HashMap<(String, String), PreferenceAnswer> = HashMap::new();
        for (at, row) in request.answers.iter().enumerate() {
            let taken = self.parse_row(row, request);
            let taken = taken.and_then(|(answered, repeated)| {
                // The same answer twice in one request is one answer.
                let again = self.same_before(&answered, request.adopt, &mut ids)?
                    || !fresh.insert(identity(&answered));
                Ok((answered, repeated || again))
            });
            match taken {
                Err(reason) => intake.refused.push((at, reason)),
                Ok((answered, repeated)) => {
                    let number = self.answer_count() + intake.events.len();
                    let number = (!repeated).then_some(number);
                    let place = row.position.clone();
                    intake.taken.push((place, answered.clone(), number));
                    if !repeated {
                        intake
                            .events
                            .push(self.answer_event(answered, request.adopt));
                    }
                }
            }
        }
        intake
    }

    /// Whether an earlier answer of a request is this one, by its id.
    fn same_before(
        &self,
        answered: &PreferenceAnswer,
        adopt: bool,
        ids: &mut HashMap<(String, String), PreferenceAnswer>,
    ) -> Result<bool, InputError> {
        let Some(id) = answered.id.clone().filter(|_| !adopt) else {
            return Ok(false);
        };
        let key = (self.canonical_name(&answered.assessor), id);
        let Some(first) = ids.get(&key) else {
            ids.insert(key, answered.clone());
            return Ok(false);
        };
        let same = first.query == answered.query
            && first.a == answered.a
            && first.b == answered.b
            && first.answer == answered.answer;
        if !same {
            let (assessor, id) = key;
            return Err(InputError::IdReused { id, assessor });
        }
        Ok(true)
    }

    /// The names of new people that differ from another's in case or blanks only, each with the other, where
    /// such are two people.
    pub fn similar_names(&self, events: &[Event]) -> Vec<(String, String)> {
        if self.spec().name_matching != NameMatching::Exact {
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
            let new = *other != name && self.person(name).is_none();
            if new && !found.iter().any(|(known, _)| known == name) {
                found.push((name.to_owned(), other.clone()));
            }
        }
        found
    }

    /// The event that an answer is. One to a question whose answer is known is no vote, unless the
    /// campaign asks that question for its own sake.
    fn answer_event(&self, answered: PreferenceAnswer, adopt: bool) -> Event {
        if adopt {
            return Event::Adopted(answered);
        }
        let asked = self.is_asked(&answered.query, &answered.a, &answered.b);
        let gold = self.spec().gold.as_ref().filter(|_| !asked);
        match gold.and_then(|gold| gold.expected_choice(&answered)) {
            Some(expected) => Event::GoldAnswered(GoldAnswer {
                answer: answered,
                expected,
            }),
            None => Event::Answered(answered),
        }
    }

    /// What the log records of a row, and whether it is there already.
    fn parse_row(
        &self,
        row: &PreferenceRow,
        request: &IntakeRequest,
    ) -> Result<(PreferenceAnswer, bool), IntakeError> {
        let settings = self.spec();
        let other = row.campaign.as_ref();
        if let Some(other) = other.filter(|name| **name != settings.name && !request.adopt) {
            return Err(IntakeError::OtherCampaign {
                theirs: other.clone(),
                ours: settings.name.clone(),
            });
        }
        let query = match (&row.query, &settings.lists[..]) {
            (Some(query), _) => query,
            (None, [only]) => &only.query,
            (None, _) => return Err(IntakeError::NoQuery),
        };
        let assessor = row.assessor.as_ref().ok_or(IntakeError::NoAssessor)?;
        if self.person(assessor).is_none() {
            check_assessor_name(assessor)?;
        }
        let times = [row.asked_at, row.answered_at].into_iter().flatten();
        let latest = times.fold(f64::MIN, f64::max);
        if latest > request.now + MAX_CLOCK_SKEW {
            return Err(IntakeError::Future(latest - request.now));
        }
        let answered = PreferenceAnswer {
            query: query.clone(),
            a: row.a.clone(),
            b: row.b.clone(),
            assessor: assessor.clone(),
            answer: row.preference.into(),
            seconds: row.seconds,
            time: row.answered_at.or(row.asked_at),
            id: row.id.clone(),
            batch: row.batch.clone().filter(|_| request.adopt),
            playback: BTreeMap::new(),
            hidden_seconds: None,
        };
        let repeated = self.classify_answer(&answered, request.adopt)?;
        Ok((answered, repeated))
    }
}

/// All that tells two answers apart. The batch does not: it is no part of what somebody said.
fn identity(answered: &PreferenceAnswer) -> String {
    let alone = PreferenceAnswer {
        batch: None,
        ..answered.clone()
    };
    serde_json::to_string(&alone).expect("a checked answer has finite numbers")
}

impl IntakePlan {
    /// What became of the answers, once their events are recorded, beside rows that are refused.
    pub fn report(&self, campaign: &Campaign, refused: Vec<RejectedRow>) -> IntakeReport {
        let flags = campaign.answer_statuses();
        let answers: Vec<IntakeRow> = (self.taken.iter())
            .map(|(place, answered, number)| IntakeRow {
                place: place.clone(),
                query: answered.query.clone(),
                a: answered.a.clone(),
                b: answered.b.clone(),
                assessor: answered.assessor.clone(),
                answer: answered.answer,
                flag: number.map_or(IntakeOutcome::Repeated, |number| {
                    IntakeOutcome::Added(flags[number])
                }),
            })
            .collect();
        let count = |fate: IntakeOutcome| match fate {
            IntakeOutcome::Refused => refused.len(),
            fate => answers.iter().filter(|answer| answer.flag == fate).count(),
        };
        let flags = IntakeOutcome::all().map(|fate| (fate, count(fate)));
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

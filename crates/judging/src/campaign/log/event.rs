//! Events of a campaign.

use std::collections::BTreeMap;

use partita_core::Preference;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::campaign::spec::{CampaignSpec, QuerySpec};

/// Event of a campaign. The state is a fold over the events in log order.
///
/// Later versions of the log add kinds of events and optional fields. The meaning of existing
/// events does not change.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "event", rename_all = "lowercase")]
pub enum Event {
    /// The campaign was opened. Always the first event.
    Opened {
        /// Version of the log format.
        version: u32,
        /// Specification of the campaign: what is asked, how, by whom, and what is shown.
        spec: Box<CampaignSpec>,
    },
    /// Votes on a batch of pairs were requested.
    Asked {
        /// Number of the batch, from 1.
        batch: u32,
        /// Pairs in the order in which they are asked.
        pairs: Vec<BatchPair>,
    },
    /// An assessor answered a pair.
    Answered(PreferenceAnswer),
    /// An answer from before or outside the campaign was imported. It counts as a vote if votes on
    /// its pair are requested, before or after the import.
    Adopted(PreferenceAnswer),
    /// An assessor answered a gold pair. It shows how carefully they answer and is never a vote.
    #[serde(rename = "checked")]
    GoldAnswered(GoldAnswer),
    /// An assessor ranked the items of a list. The last ranking per assessor and list counts.
    Ranked(RankingAnswer),
    /// An assessor graded an item. The last grade per assessor and item counts.
    Graded(GradeAnswer),
    /// An assessor reported an item or a query as defective. It is not shown to this assessor
    /// again.
    Reported(DefectReport),
    /// The organiser excluded an assessor, whose votes stop counting.
    Excluded {
        /// Assessor name.
        assessor: String,
        /// Reason given by the organiser.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
    /// The organiser readmitted an assessor, whose votes count again.
    Readmitted {
        /// Assessor name.
        assessor: String,
    },
    /// The campaign was paused: nothing is asked until it is resumed. Answers that arrive meanwhile
    /// count as usual.
    Paused,
    /// The campaign was resumed.
    Resumed,
    /// The campaign or one list was closed: nothing more is asked, and later answers are stored but
    /// do not count.
    Closed {
        /// Query whose list was closed; the whole campaign if not given.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        query: Option<String>,
    },
    /// The specification was changed: more lists or items, or another number of votes per pair or
    /// maximum number of votes per list.
    Extended(CampaignExtension),
    /// An answer, a ranking or a grade was retracted. It stays in the log but no longer counts.
    Retracted {
        /// Number of the retracted event, from 1.
        answer: u64,
        /// Reason given by the organiser.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
}

impl Event {
    /// Names of all kinds of events, as in the field `event` of a log line.
    pub const KINDS: [&'static str; 15] = [
        "opened",
        "asked",
        "answered",
        "adopted",
        "checked",
        "ranked",
        "graded",
        "reported",
        "excluded",
        "readmitted",
        "paused",
        "resumed",
        "closed",
        "extended",
        "retracted",
    ];

    /// Returns true for an answer, a ranking or a grade: events that can be retracted.
    pub fn is_retractable(&self) -> bool {
        matches!(
            self,
            Self::Answered(_)
                | Self::Adopted(_)
                | Self::GoldAnswered(_)
                | Self::Ranked(_)
                | Self::Graded(_)
        )
    }

    /// Returns the assessor whom the event concerns or who caused it.
    pub fn assessor(&self) -> Option<&str> {
        match self {
            Self::Answered(answered) | Self::Adopted(answered) => Some(&answered.assessor),
            Self::GoldAnswered(checked) => Some(&checked.answer.assessor),
            Self::Ranked(ranked) => Some(&ranked.assessor),
            Self::Graded(graded) => Some(&graded.assessor),
            Self::Reported(reported) => Some(&reported.assessor),
            Self::Excluded { assessor, .. } | Self::Readmitted { assessor } => Some(assessor),
            Self::Opened { .. }
            | Self::Asked { .. }
            | Self::Paused
            | Self::Resumed
            | Self::Closed { .. }
            | Self::Extended(_)
            | Self::Retracted { .. } => None,
        }
    }
}

/// Pair of a batch of requests, with its items in the order shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BatchPair {
    /// Query name.
    pub query: String,
    /// The item shown first.
    pub a: String,
    /// The item shown second.
    pub b: String,
    /// Number of votes that the pair should have in total, existing votes included.
    pub votes: u32,
    /// Number of answers that this batch requests in addition to earlier requests.
    #[serde(rename = "more")]
    pub new_votes: u32,
}

/// Choice of an assessor between two items, or a blank answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum PreferenceChoice {
    /// The item shown first is preferred.
    A,
    /// The item shown second is preferred.
    B,
    /// Neither item is preferred.
    Equal,
    /// The question was returned without an answer.
    Blank,
}

impl PreferenceChoice {
    /// Returns the preference, or `None` for a blank answer.
    pub fn preference(self) -> Option<Preference> {
        match self {
            Self::A => Some(Preference::A),
            Self::B => Some(Preference::B),
            Self::Equal => Some(Preference::Equal),
            Self::Blank => None,
        }
    }
}

impl From<Option<Preference>> for PreferenceChoice {
    fn from(answer: Option<Preference>) -> Self {
        match answer {
            Some(Preference::A) => Self::A,
            Some(Preference::B) => Self::B,
            Some(Preference::Equal) => Self::Equal,
            None => Self::Blank,
        }
    }
}

/// Answer of an assessor to a pair question, as recorded in the log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PreferenceAnswer {
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
    /// Time taken to answer, in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// Time of the answer, in seconds since 1970.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<f64>,
    /// Id of the answer on the platform where it was given, unique per assessor.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Batch of an imported answer, as named by its source. Other answers belong to the batch that
    /// requested their pair.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub batch: Option<String>,
    /// Playback of each part of the question, keyed by `query`, `a` and `b`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[serde(rename = "listened")]
    pub playback: BTreeMap<String, Playback>,
    /// Time during which the page with the question was not visible, in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[serde(rename = "hidden")]
    pub hidden_seconds: Option<f64>,
}

/// Playback of one audio part of a question: the query or one of the items.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Playback {
    /// Number of times that the clip of the query or item was played.
    pub plays: u32,
    /// True if the clip was played to its end at least once.
    pub ended: bool,
}

/// Answer to a gold pair, that is, to a pair with a known answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GoldAnswer {
    /// Answer as the assessor gave it.
    #[serde(flatten)]
    #[serde(rename = "answered")]
    pub answer: PreferenceAnswer,
    /// Correct choice, for the items in the order shown.
    pub expected: PreferenceChoice,
}

/// Ranking of the items of a list by one assessor.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RankingAnswer {
    /// Query name.
    pub query: String,
    /// Assessor who ranked.
    pub assessor: String,
    /// Groups of items, the closest to the query first. Items of a group are tied and share the
    /// mean of their ranks.
    pub groups: Vec<Vec<String>>,
    /// Items left unranked explicitly. Items that occur neither here nor in a group are unranked
    /// too.
    #[serde(default)]
    pub unranked: Vec<String>,
    /// Time taken to rank, in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// Time of the ranking, in seconds since 1970.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<f64>,
    /// Id of the ranking on the platform where it was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
}

/// Grade of an item by one assessor.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GradeAnswer {
    /// Query name.
    pub query: String,
    /// Item name.
    pub item: String,
    /// Assessor who graded.
    pub assessor: String,
    /// Similarity on the broad scale of three categories.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub broad: Option<BroadGrade>,
    /// Similarity on the fine scale from 0 to 100.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fine: Option<f64>,
    /// Time taken to grade, in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// Time of the grade, in seconds since 1970.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<f64>,
    /// Id of the grade on the platform where it was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
}

partita_named::named_enum! {
    /// Grade on the broad similarity scale of MIREX, the evaluation exchange for music retrieval.
    pub enum BroadGrade: "broad grade" {
        /// not similar
        Not = "NS",
        /// somewhat similar
        Somewhat = "SS",
        /// very similar
        Very = "VS",
    }
}

impl BroadGrade {
    /// Returns the gain of the grade: 0 for not, 1 for somewhat and 2 for very similar.
    pub fn gain(self) -> f64 {
        f64::from(self as u8)
    }
}

partita_named::named_enum! {
    /// Kind of defect that kept an assessor from judging.
    pub enum Defect: "problem" {
        /// the content did not load
        Load = "load",
        /// no sound could be heard
        Silent = "silent",
        /// the content was not the expected one
        Wrong = "wrong",
        /// another defect
        Other = "other",
    }
}

/// Report of an item or a query that could not be judged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DefectReport {
    /// Query name.
    pub query: String,
    /// Defective item; the query itself if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub item: Option<String>,
    /// Assessor who reported it.
    pub assessor: String,
    /// Kind of defect.
    pub problem: Defect,
}

/// Change of the specification of a campaign after it was opened.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CampaignExtension {
    /// New number of votes per pair. It may be lower than before: pairs that already have this many
    /// votes are then decided, and all their votes keep counting.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub votes: Option<u32>,
    /// New maximum number of votes per list.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget: Option<usize>,
    /// New queries with their candidates, and new candidates of existing queries, each with its
    /// stimulus.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lists: Vec<QuerySpec>,
}

impl PreferenceAnswer {
    /// Creates an answer with only the required fields. `None` is a blank answer.
    pub fn new(query: &str, a: &str, b: &str, assessor: &str, answer: Option<Preference>) -> Self {
        Self {
            query: query.to_owned(),
            a: a.to_owned(),
            b: b.to_owned(),
            assessor: assessor.to_owned(),
            answer: answer.into(),
            seconds: None,
            time: None,
            id: None,
            batch: None,
            playback: BTreeMap::new(),
            hidden_seconds: None,
        }
    }
}
